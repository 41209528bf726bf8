package vt

import (
	"encoding/hex"
	"fmt"
	"strings"

	"deck/term/screen"
)

// dcs carries out the two device control strings that ask for something; all
// others are swallowed by the parser.
func (e *Emulator) dcs(s *sequence, data []byte) {
	e.fresh = false
	if s.inter[0] == '$' {
		e.requestSetting(string(data))
		return
	}
	for name := range strings.SplitSeq(string(data), ";") {
		e.requestCapability(name)
	}
}

// settings answer DECRQSS, by the sequence they are set with. Programs use them
// to find out what a terminal made of what it was sent: a colour that comes
// back proves that 24-bit colours work.
var settings = map[string]func(e *Emulator) string{
	"m":   func(e *Emulator) string { return sgrParams(e.cur.pen) + "m" },
	"r":   func(e *Emulator) string { return fmt.Sprintf("%d;%dr", e.top+1, e.bottom+1) },
	"s":   func(e *Emulator) string { return fmt.Sprintf("%d;%ds", e.left+1, e.right+1) },
	"t":   func(e *Emulator) string { return fmt.Sprintf("%dt", e.rows) },
	"$|":  func(e *Emulator) string { return fmt.Sprintf("%d$|", e.cols) },
	"*|":  func(e *Emulator) string { return fmt.Sprintf("%d*|", e.rows) },
	" q":  func(e *Emulator) string { return fmt.Sprintf("%d q", e.cursorStyleNumber()) },
	"\"p": func(*Emulator) string { return "62;1\"p" },
	"\"q": func(e *Emulator) string {
		if e.cur.pen.Attr&screen.Protected != 0 {
			return "1\"q"
		}
		return "0\"q"
	},
}

// requestSetting answers DECRQSS; xterm's 1 for a valid request, not DEC's 0.
func (e *Emulator) requestSetting(name string) {
	f := settings[name]
	if f == nil {
		e.reply([]byte("\x1bP0$r\x1b\\"))
		return
	}
	e.reply([]byte("\x1bP1$r" + f(e) + "\x1b\\"))
}

// sgrParams returns the SGR parameters that make the pen what it is, in the
// colon forms, which do not depend on their neighbours.
func sgrParams(p screen.Style) string {
	var b strings.Builder
	for n, a := range attributes {
		if a != 0 && p.Attr&a != 0 {
			fmt.Fprintf(&b, ";%d", n)
		}
	}
	switch p.Underline {
	case screen.NoUnderline:
	case screen.SingleUnderline:
		b.WriteString(";4")
	default:
		fmt.Fprintf(&b, ";4:%d", p.Underline)
	}
	for _, c := range []struct {
		color screen.Color
		base  int
	}{{p.Fg, 30}, {p.Bg, 40}, {p.UnderlineColor, 50}} {
		if n, ok := c.color.Index(); ok {
			switch {
			case n < 8 && c.base < 50:
				fmt.Fprintf(&b, ";%d", c.base+int(n))
			case n < 16 && c.base < 50:
				fmt.Fprintf(&b, ";%d", c.base+60+int(n)-8)
			default:
				fmt.Fprintf(&b, ";%d:5:%d", c.base+8, n)
			}
		} else if r, g, bl, ok := c.color.RGB(); ok {
			fmt.Fprintf(&b, ";%d:2:%d:%d:%d", c.base+8, r, g, bl)
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()[1:]
}

// capabilities answer XTGETTCAP: what is not in xterm-256color's entry, or
// what programs check before they use it.
var capabilities = map[string]string{
	"TN": "xterm-256color", "name": "xterm-256color", "Co": "256", "colors": "256", "RGB": "8/8/8", "Tc": "", "Su": "",
	"Smulx": "\x1b[4:%p1%dm", "Setulc": "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm",
	"Ss": "\x1b[%p1%d q", "Se": "\x1b[2 q", "Ms": "\x1b]52;%p1%s;%p2%s\a",
	"setrgbf": "\x1b[38:2:%p1%d:%p2%d:%p3%dm", "setrgbb": "\x1b[48:2:%p1%d:%p2%d:%p3%dm",
	"Sync": "\x1b[?2026%?%p1%{1}%-%tl%eh%;", "bce": "", "BE": "\x1b[?2004h", "BD": "\x1b[?2004l",
	"PS": "\x1b[200~", "PE": "\x1b[201~",
}

// requestCapability answers XTGETTCAP for one name, given in hexadecimal. Every
// name has an answer of its own, so that a program that counts them does not
// wait.
func (e *Emulator) requestCapability(coded string) {
	name, err := hex.DecodeString(coded)
	if err != nil || len(name) == 0 {
		e.reply([]byte("\x1bP0+r\x1b\\"))
		return
	}
	v, ok := capabilities[string(name)]
	switch {
	case !ok:
		e.reply(fmt.Appendf(nil, "\x1bP0+r%X\x1b\\", name))
	case v == "":
		e.reply(fmt.Appendf(nil, "\x1bP1+r%X\x1b\\", name))
	default:
		e.reply(fmt.Appendf(nil, "\x1bP1+r%X=%X\x1b\\", name, v))
	}
}
