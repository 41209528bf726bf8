package keys

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// How long an ambiguous beginning is held. The terminal writes a sequence at
// once, so only a network puts a gap into it, while a person who pressed Escape
// is waiting.
const (
	waitPlain = 30 * time.Millisecond
	// waitMouse applies after a mouse report: more of them are on their way,
	// and a person moving the mouse does not press Escape at the same moment.
	waitMouse = 150 * time.Millisecond
	// waitAsked applies while the terminal owes an answer.
	waitAsked = 250 * time.Millisecond
	// waitKitty applies where Escape has a sequence of its own.
	waitKitty = time.Second
)

// The most bytes held of one unfinished sequence. Longer ones are Unknown.
const (
	maxSequence = 1 << 10
	maxString   = 1 << 20
	maxIdle     = 64 << 10 // buffers larger than this are not kept
)

// Tokenizer cuts what one terminal sends into tokens. The zero value is ready.
// It knows no clock: whoever feeds it asks Pending how long to wait. It is for
// one goroutine.
type Tokenizer struct {
	// Asked says that the terminal has not answered a query yet, so that a
	// lone ESC may be the beginning of an answer that a network cut.
	Asked bool
	// Kitty says that the terminal has the kitty protocol's flag 1 on, so
	// that a lone ESC is no key.
	Kitty bool
	// UTF8Mouse says that mode 1005 is set on the terminal.
	UTF8Mouse bool

	tokens  []Token
	held    []byte // the unfinished end of what was fed
	spare   []byte // takes the next held bytes while tokens still point into held
	scanned int    // bytes of held that hold no end of their string
	paste   bool
	skip    byte   // introducer of a sequence that is longer than may be held
	flushed []byte // an ESC sequence's beginning that became keys just before
	button  Button // pressed last, for releases that do not tell
	mouse   bool   // the newest token is a mouse report
}

// Feed takes the next bytes, split anywhere, and returns the tokens that are
// whole, text and control bytes at once. The slice is used again by the next
// call of Feed or Flush. A run of text or of a paste may be cut in two where
// the bytes were; nothing else depends on it.
func (t *Tokenizer) Feed(p []byte) []Token {
	t.tokens = t.tokens[:0]
	if len(p) == 0 {
		return t.tokens
	}
	if len(t.flushed) > 0 {
		p = t.late(p)
	}
	buf := p
	if len(t.held) > 0 {
		t.held = append(t.held, p...)
		buf = t.held
	}
	for len(buf) > 0 {
		n := t.next(buf)
		if n == 0 {
			break
		}
		buf = buf[n:]
		t.scanned = 0
	}
	if len(buf) > 0 && len(buf) == len(t.held) {
		return t.tokens // held as it is, so that a long string is not copied again and again
	}
	t.hold(buf)
	return t.tokens
}

// hold keeps rest for the next Feed, in memory that no token points into.
func (t *Tokenizer) hold(rest []byte) {
	old := t.held
	t.held = append(t.spare[:0], rest...)
	t.spare = old[:0]
	if cap(t.spare) > maxIdle {
		t.spare = nil
	}
	if len(rest) == 0 && cap(t.held) > maxIdle {
		t.held = nil
	}
}

// Pending returns how long to wait for more bytes before calling Flush, or 0
// when nothing ambiguous is held. A longer partial sequence is never typed, so
// it waits for its end without a limit of time.
func (t *Tokenizer) Pending() time.Duration {
	switch {
	case !t.ambiguous():
		return 0
	case t.held[0] != 0x1b:
		return waitPlain
	case t.Kitty:
		return waitKitty
	case t.Asked:
		return waitAsked
	case t.mouse:
		return waitMouse
	}
	return waitPlain
}

// ambiguous says whether what is held may be keys: ESC, the beginnings that are
// also Alt with a character, and a rune that is not whole (Latin-1 text looks
// like one).
func (t *Tokenizer) ambiguous() bool {
	h := t.held
	if len(h) == 0 || t.paste || t.skip != 0 {
		return false
	}
	if h[0] != 0x1b {
		return true
	}
	if len(h) > 1 && h[1] == 0x1b {
		h = h[1:]
	}
	if len(h) == 1 {
		return true
	}
	return h[1] >= 0x80 || len(h) == 2 && bytes.IndexByte([]byte("[O]P_"), h[1]) >= 0
}

// Flush returns the ambiguous beginning that is held as the keys it would be,
// and nothing when there is none.
func (t *Tokenizer) Flush() []Token {
	t.tokens = t.tokens[:0]
	if !t.ambiguous() {
		return t.tokens
	}
	buf := t.held
	if buf[0] == 0x1b {
		t.flushed = append(t.flushed[:0], buf...)
	}
	switch {
	case buf[0] != 0x1b:
		t.text(buf)
	case len(buf) > 2 && buf[1] == 0x1b:
		t.key(buf[:1], Key{Code: Escape})
		t.alt(buf[1:])
	case len(buf) == 1:
		t.key(buf, Key{Code: Escape})
	default:
		if n := t.alt(buf); n < len(buf) {
			t.text(buf[n:])
		}
	}
	t.hold(nil)
	return t.tokens
}

// late deals with the rest of a sequence whose beginning was taken for keys,
// because a network held it up for longer than Pending said. The beginning is
// typed and cannot be called back, but the rest is not text: a report or a
// reply is what it is, without its first bytes.
func (t *Tokenizer) late(p []byte) []byte {
	start := len(t.flushed)
	whole := append(t.flushed, p...)
	t.flushed = t.flushed[:0]
	if bytes.IndexByte([]byte("[]P_"), whole[1]) < 0 {
		return p
	}
	n := t.next(whole)
	if n == 0 {
		t.scanned = 0
		return p
	}
	tok := &t.tokens[len(t.tokens)-1]
	tail := n - start
	ok := false
	switch tok.Kind {
	case MouseEvent, Reply, PasteStart:
		ok = tail > 1
	case KeyPress:
		ok = tail > 2 && whole[1] == '['
	}
	if !ok {
		t.undo(0)
		return p
	}
	tok.Raw = p[:tail]
	return p[tail:]
}

// emit adds a token.
func (t *Tokenizer) emit(k Kind, raw []byte) {
	t.mouse = k == MouseEvent
	t.tokens = append(t.tokens, Token{Kind: k, Raw: raw[:len(raw):len(raw)]})
}

// key adds a key.
func (t *Tokenizer) key(raw []byte, k Key) {
	t.emit(KeyPress, raw)
	t.tokens[len(t.tokens)-1].Key = k
}

// next adds the first token of b and returns its length, or 0 when b is not
// the whole of it. The bytes before a cut rune count as a token.
func (t *Tokenizer) next(b []byte) int {
	switch {
	case t.paste:
		return t.pasted(b)
	case t.skip != 0:
		return t.skipped(b)
	case b[0] == 0x1b:
		return t.escape(b)
	case b[0] < 0x20 || b[0] == 0x7f:
		t.key(b[:1], control(b[0]))
		return 1
	}
	n := 1
	for n < len(b) && b[n] >= 0x20 && b[n] != 0x7f {
		n++
	}
	if n == len(b) {
		n -= cutRune(b)
	}
	if n > 0 {
		t.text(b[:n])
	}
	return n
}

func (t *Tokenizer) text(b []byte) { t.emit(Text, b) }

// cutRune returns how many bytes at the end of b are the beginning of a rune.
func cutRune(b []byte) int {
	for i := 1; i <= len(b) && i < utf8.UTFMax; i++ {
		c := b[len(b)-i]
		if utf8.RuneStart(c) {
			if c >= 0xc2 && !utf8.FullRune(b[len(b)-i:]) {
				return i
			}
			return 0
		}
	}
	return 0
}

// escape adds the token that begins with ESC.
func (t *Tokenizer) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch c := b[1]; {
	case c == 0x1b:
		return t.doubleEscape(b)
	case c == '[':
		return t.csi(b)
	case c == 'O':
		return t.ss3(b)
	case c == ']' || c == 'P' || c == '_':
		return t.str(b)
	case c >= 0x80 && len(b) < 1+utf8.UTFMax && cutRune(b[1:]) == len(b)-1:
		return 0
	}
	return t.alt(b)
}

// doubleEscape adds what begins with two ESC: Alt with a function key, as rxvt
// and others send it, else Escape and then something.
func (t *Tokenizer) doubleEscape(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	if b[2] == '[' || b[2] == 'O' {
		mark := len(t.tokens)
		n := t.escape(b[1:])
		if n == 0 {
			return 0
		}
		tok := &t.tokens[len(t.tokens)-1]
		if len(t.tokens) == mark+1 && tok.Kind == KeyPress && n > 2 && tok.Key.Mods&Alt == 0 {
			tok.Key.Mods |= Alt
			tok.Raw = b[: n+1 : n+1]
			return n + 1
		}
		// The second sequence is read again after the key.
		t.undo(mark)
	}
	t.key(b[:1], Key{Code: Escape})
	return 1
}

// undo takes back tokens that were read ahead.
func (t *Tokenizer) undo(mark int) {
	t.tokens = t.tokens[:mark]
	t.paste, t.skip = false, 0
}

// alt adds ESC with the character after it, which need not be whole.
func (t *Tokenizer) alt(b []byte) int {
	c := b[1]
	if c < 0x20 || c == 0x7f {
		k := control(c)
		k.Mods |= Alt
		t.key(b[:2], k)
		return 2
	}
	r, n := utf8.DecodeRune(b[1:])
	if r == utf8.RuneError && n <= 1 {
		r, n = rune(c), 1 // Latin-1
	}
	k := typed(r)
	k.Mods |= Alt
	t.key(b[:1+n], k)
	return 1 + n
}
