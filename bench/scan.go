package main

import "bytes"

// scanner follows what a terminal is sent, however it is cut: what is text, and
// what asks for an answer. It knows no more of it than that.
type scanner struct {
	state scanState
	seq   []byte // of the sequence that is under way, as far as it may be a query
}

type scanState uint8

const (
	inText scanState = iota
	afterEscape
	inCSI
	inString       // OSC, DCS and the like
	inStringEscape // an ESC in it
	inCharset      // one more byte
)

// mostKept bounds what is kept of a sequence; queries are shorter.
const mostKept = 64

// feed calls text for runs of text and sequence for each whole CSI or string
// sequence, without its ESC and its terminator.
func (s *scanner) feed(p []byte, text, sequence func([]byte)) {
	for len(p) > 0 {
		if s.state == inText {
			n := bytes.IndexByte(p, 0x1b)
			if n < 0 {
				text(p)
				return
			}
			if n > 0 {
				text(p[:n])
			}
			s.state, s.seq = afterEscape, s.seq[:0]
			p = p[n+1:]
			continue
		}
		s.step(p[0], sequence)
		p = p[1:]
	}
}

func (s *scanner) step(c byte, sequence func([]byte)) {
	if len(s.seq) < mostKept {
		s.seq = append(s.seq, c)
	}
	switch s.state {
	case afterEscape:
		s.state = opened(c)
	case inCSI:
		if c >= 0x40 && c < 0x7f {
			s.state = inText
			sequence(s.seq)
		}
	case inString:
		switch c {
		case 0x07:
			s.state = inText
			sequence(s.seq[:len(s.seq)-1])
		case 0x1b:
			s.state = inStringEscape
		}
	case inStringEscape:
		s.state = inText
		if n := len(s.seq); n < mostKept {
			sequence(s.seq[:n-2])
		}
	case inCharset:
		s.state = inText
	}
}

// opened is the state after an ESC and c.
func opened(c byte) scanState {
	switch c {
	case '[':
		return inCSI
	case ']', 'P', '_', '^', 'X':
		return inString
	case '(', ')', '*', '+', '#', '%', ' ':
		return inCharset
	}
	return inText
}

// answers are what the terminal replies to queries: those of a recent xterm
// that knows synchronized updates.
var answers = map[string]string{
	"[c":        "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c",
	"[0c":       "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c",
	"[>c":       "\x1b[>41;390;0c",
	"[>0c":      "\x1b[>41;390;0c",
	"[>q":       "\x1bP>|XTerm(390)\x1b\\",
	"[>0q":      "\x1bP>|XTerm(390)\x1b\\",
	"[5n":       "\x1b[0n",
	"[?2026$p":  "\x1b[?2026;2$y",
	"[?2027$p":  "\x1b[?2027;0$y",
	"[?69$p":    "\x1b[?69;2$y",
	"]10;?":     "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
	"]11;?":     "\x1b]11;rgb:0000/0000/0000\x1b\\",
	"P+q524742": "\x1bP1+r524742=38\x1b\\",
}
