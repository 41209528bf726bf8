package vt

import "encoding/binary"

// handler carries out what the parser recognises. Slices are valid only during
// the call.
type handler interface {
	text(run []byte) // printable ASCII
	char(r rune)     // any other character; U+FFFD for each byte that is not UTF-8
	control(b byte)  // a C0 control other than ESC, CAN and SUB
	escape(s *sequence)
	csi(s *sequence)
	osc(data []byte, bel bool) // bel: it ended with BEL and not with ST
	dcs(s *sequence, data []byte)
}

type parserState uint8

// The states, after Paul Williams' diagram of DEC's parser. States that differ
// only in what they ignore are one here, with the difference in sequence.bad.
const (
	ground parserState = iota
	inEscape
	inCSI
	inDCS       // the parameters of a device control string
	inString    // the payload of an OSC, DCS, APC, PM or SOS
	inStringEsc // an ESC inside such a payload
)

type stringKind uint8

const (
	oscString stringKind = iota
	dcsString
	otherString // APC, PM, SOS and the title of screen(1): swallowed
)

const (
	// maxOSC leaves room for a clipboard of 768 kB in base64.
	maxOSC = 1 << 20
	maxDCS = 4096
	// keepBuffer is the capacity that a parser keeps between strings.
	keepBuffer = 8192
)

// parser is a VT500-style state machine over UTF-8. Bytes 0x80–0x9f are never
// controls: in UTF-8 they are halves of characters.
type parser struct {
	state parserState
	kind  stringKind
	keep  bool // the string's payload has a reader
	over  bool // the payload is longer than its limit and will be dropped
	seq   sequence
	buf   []byte
	part  [4]byte // the beginning of a character whose rest is still to come
	npart int
}

// feed parses all of b.
func (p *parser) feed(b []byte, h handler) {
	for len(b) > 0 {
		switch p.state {
		case ground:
			b = p.ground(b, h)
		case inEscape:
			b = p.escape(b, h)
		case inCSI, inDCS:
			b = p.parameters(b, h)
		case inString:
			b = p.payload(b, h)
		case inStringEsc:
			b = p.payloadEscape(b, h)
		}
	}
}

// ground consumes text and controls up to and including the next ESC.
func (p *parser) ground(b []byte, h handler) []byte {
	for len(b) > 0 {
		if p.npart > 0 {
			b = p.continueRune(b, h)
			continue
		}
		if n := printable(b); n > 0 {
			h.text(b[:n])
			if b = b[n:]; len(b) == 0 {
				return nil
			}
		}
		switch c := b[0]; {
		case c == 0x1b:
			p.begin(inEscape)
			return b[1:]
		case c == 0x18 || c == 0x1a || c == 0x7f:
			b = b[1:]
		case c < 0x20:
			h.control(c)
			b = b[1:]
		case c >= 0x80:
			b = p.multibyte(b, h)
		}
	}
	return nil
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// printable returns how many bytes of b, from its beginning, are 0x20–0x7e.
func printable(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		// A byte below 0x20 borrows, 0x7f carries, 0x80 and up are high already.
		if (w|(w-0x20*lowBits)|(w+lowBits))&highBits != 0 {
			break
		}
	}
	for i < len(b) && b[i]-0x20 < 0x5f {
		i++
	}
	return i
}

// begin starts a sequence with nothing collected.
func (p *parser) begin(s parserState) {
	p.state = s
	p.seq.reset()
}

// common handles the bytes that mean the same inside every sequence, and
// reports whether c was one: controls are carried out, CAN and SUB give up,
// ESC starts anew. A byte of a multi-byte character gives up as well and is
// text.
func (p *parser) common(c byte, h handler) bool {
	switch {
	case c == 0x1b:
		p.begin(inEscape)
	case c == 0x18 || c == 0x1a:
		p.state = ground
	case c < 0x20:
		h.control(c)
	case c != 0x7f:
		return false
	}
	return true
}

// escape consumes intermediates up to the final byte of an escape sequence.
func (p *parser) escape(b []byte, h handler) []byte {
	for i, c := range b {
		switch {
		case c >= 0x80:
			p.state = ground
			return b[i:]
		case p.common(c, h):
			if p.state != inEscape {
				return b[i+1:]
			}
		case c < 0x30:
			p.seq.addIntermediate(c)
		default:
			p.endEscape(c, h)
			return b[i+1:]
		}
	}
	return nil
}

// endEscape ends an escape sequence at its final byte, which may open a longer
// one.
func (p *parser) endEscape(c byte, h handler) {
	p.state = ground
	p.seq.final = c
	if p.seq.ninter > 0 {
		h.escape(&p.seq)
		return
	}
	switch c {
	case '[':
		p.begin(inCSI)
	case 'P':
		p.begin(inDCS)
	case ']':
		p.beginString(oscString, true)
	case 'X', '^', '_', 'k':
		p.beginString(otherString, false)
	default:
		h.escape(&p.seq)
	}
}

// parameters consumes the parameters and intermediates of a CSI or DCS.
func (p *parser) parameters(b []byte, h handler) []byte {
	s, state := &p.seq, p.state
	for i, c := range b {
		switch {
		case c-'0' < 10:
			s.digit(c - '0')
		case c == ';' || c == ':':
			s.separator(c == ':')
		case c >= 0x80:
			p.state = ground
			return b[i:]
		case c >= 0x40 && c < 0x7f:
			s.final = c
			if state == inDCS {
				p.beginString(dcsString, s.is('$', 'q') || s.is('+', 'q'))
				return b[i+1:]
			}
			p.state = ground
			if !s.bad {
				h.csi(s)
			}
			return b[i+1:]
		case c >= 0x3c && c < 0x40:
			s.addPrefix(c)
		case c >= 0x20 && c < 0x30:
			s.addIntermediate(c)
		case p.common(c, h):
			if p.state != state {
				return b[i+1:]
			}
		}
	}
	return nil
}

// beginString starts a payload; keep says whether anyone wants it.
func (p *parser) beginString(k stringKind, keep bool) {
	p.state, p.kind, p.keep, p.over = inString, k, keep, false
	p.buf = p.buf[:0]
}

// payload consumes string bytes up to and including one that may end it.
func (p *parser) payload(b []byte, h handler) []byte {
	for {
		n := 0
		for n < len(b) && b[n] >= 0x20 {
			n++
		}
		p.collect(b[:n])
		if b = b[n:]; len(b) == 0 {
			return nil
		}
		c := b[0]
		b = b[1:]
		switch {
		case c == 0x1b:
			p.state = inStringEsc
			return b
		case c == 0x18 || c == 0x1a:
			p.state = ground
			return b
		case c == 0x07 && p.kind == oscString:
			p.endString(h, true)
			return b
		}
	}
}

// collect keeps payload that has a reader. What exceeds the limit is dropped as
// a whole: half a clipboard or title is worse than none.
func (p *parser) collect(b []byte) {
	if !p.keep || p.over {
		return
	}
	limit := maxOSC
	if p.kind == dcsString {
		limit = maxDCS
	}
	if len(p.buf)+len(b) > limit {
		p.over = true
		p.buf = nil
		return
	}
	p.buf = append(p.buf, b...)
}

// payloadEscape decides what an ESC inside a string meant: its end, or, in a
// DCS, a doubled ESC (tmux's pass-through), or the beginning of another
// sequence, which ends the string too.
func (p *parser) payloadEscape(b []byte, h handler) []byte {
	switch c := b[0]; {
	case c == '\\':
		p.endString(h, false)
		return b[1:]
	case c == 0x1b && p.kind == dcsString:
		p.state = inString
		return b[1:]
	}
	if p.kind == oscString {
		p.endString(h, false)
	}
	p.begin(inEscape)
	return b
}

// endString hands the payload over, and lets go of a buffer that grew.
func (p *parser) endString(h handler, bel bool) {
	p.state = ground
	if p.keep && !p.over {
		if p.kind == oscString {
			h.osc(p.buf, bel)
		} else {
			h.dcs(&p.seq, p.buf)
		}
	}
	if cap(p.buf) > keepBuffer {
		p.buf = nil
	}
}
