package paint

import (
	"strconv"
	"strings"

	"deck/term/screen"
)

// escape returns the length of the escape sequence that s starts with, and
// what it says: the parameters of an SGR ("0" where it has none), or a link.
func escape(s string) (n int, sgr string, link *screen.Link) {
	if len(s) < 2 {
		return len(s), "", nil
	}
	switch s[1] {
	case '[':
		return csi(s)
	case ']':
		n, body := stringEnd(s)
		return n, "", parseLink(body)
	case 'P', 'X', '^', '_':
		n, _ := stringEnd(s)
		return n, "", nil
	}
	for n = 1; n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f; n++ {
	}
	if n < len(s) && s[n] >= 0x30 && s[n] < 0x7f {
		n++
	}
	return n, "", nil
}

// csi is escape for a control sequence. One with private markers is none of
// ours, whatever its last byte: CSI > 4 ; 2 m is not an SGR.
func csi(s string) (n int, sgr string, link *screen.Link) {
	for n = 2; n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f; n++ {
	}
	if n >= len(s) || s[n] < 0x40 || s[n] > 0x7e {
		return n, "", nil
	}
	if p := s[2:n]; s[n] == 'm' && strings.Trim(p, "0123456789;:") == "" {
		if sgr = p; sgr == "" {
			sgr = "0"
		}
	}
	return n + 1, sgr, nil
}

// stringEnd returns the length of a control string up to its ST or BEL, and
// its body. One without an end reaches to the end of s.
func stringEnd(s string) (n int, body string) {
	for i := 2; i < len(s); i++ {
		switch {
		case s[i] == 0x07:
			return i + 1, s[2:i]
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
			return i + 2, s[2:i]
		case s[i] == 0x1b || s[i] == 0x18 || s[i] == 0x1a:
			return i, ""
		}
	}
	return len(s), ""
}

// parseLink returns the link of the body of an OSC 8, or nil.
func parseLink(body string) *screen.Link {
	rest, ok := strings.CutPrefix(body, "8;")
	if !ok {
		return nil
	}
	params, uri, ok := strings.Cut(rest, ";")
	if !ok {
		return nil
	}
	l := &screen.Link{URI: uri}
	for p := range strings.SplitSeq(params, ":") {
		if id, ok := strings.CutPrefix(p, "id="); ok {
			l.ID = id
		}
	}
	return l
}

// sgrParam is one parameter of an SGR with what follows it after colons.
type sgrParam struct {
	n    int
	subs []string
}

// nextParam cuts the first parameter off.
func nextParam(s string) (p sgrParam, rest string) {
	field, rest, _ := strings.Cut(s, ";")
	if head, subs, ok := strings.Cut(field, ":"); ok {
		return sgrParam{atoi(head), strings.Split(subs, ":")}, rest
	}
	return sgrParam{n: atoi(field)}, rest
}

// atoi returns a parameter's number; an empty one is 0, a wrong one -1.
func atoi(s string) int {
	if s == "" {
		return 0
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return -1
}

// applySGR returns st after an SGR with the given parameters; base is what a
// reset leads to.
func applySGR(st, base screen.Style, params string) screen.Style {
	for more := true; more; more = params != "" {
		var p sgrParam
		p, params = nextParam(params)
		switch n := p.n; {
		case n == 0:
			link := st.Link
			st = base
			st.Link = link
		case n == 4 && len(p.subs) > 0:
			st.Underline = screen.Underline(min(max(atoi(p.subs[0]), 0), int(screen.DashedUnderline)))
		case n == 38 || n == 48 || n == 58:
			var c screen.Color
			var ok bool
			if c, params, ok = extended(p, params); ok {
				setColor(&st, n, c)
			}
		case n == 39:
			st.Fg = base.Fg
		case n == 49:
			st.Bg = base.Bg
		case n == 59:
			st.UnderlineColor = base.UnderlineColor
		case n >= 30 && n <= 37:
			st.Fg = screen.Palette(uint8(n - 30))
		case n >= 40 && n <= 47:
			st.Bg = screen.Palette(uint8(n - 40))
		case n >= 90 && n <= 97:
			st.Fg = screen.Palette(uint8(n - 90 + 8))
		case n >= 100 && n <= 107:
			st.Bg = screen.Palette(uint8(n - 100 + 8))
		default:
			setAttr(&st, n)
		}
	}
	return st
}

// setAttr switches an attribute; unknown numbers change nothing.
func setAttr(st *screen.Style, n int) {
	on := [...]screen.Attr{1: screen.Bold, 2: screen.Faint, 3: screen.Italic, 5: screen.Blink,
		6: screen.RapidBlink, 7: screen.Reverse, 8: screen.Hidden, 9: screen.Strike}
	off := [...]screen.Attr{22: screen.Bold | screen.Faint, 23: screen.Italic,
		25: screen.Blink | screen.RapidBlink, 27: screen.Reverse, 28: screen.Hidden, 29: screen.Strike}
	switch {
	case n == 4:
		st.Underline = screen.SingleUnderline
	case n == 21:
		st.Underline = screen.DoubleUnderline
	case n == 24:
		st.Underline = screen.NoUnderline
	case n == 53:
		st.Attr |= screen.Overline
	case n == 55:
		st.Attr &^= screen.Overline
	case n > 0 && n < len(on):
		st.Attr |= on[n]
	case n > 0 && n < len(off):
		st.Attr &^= off[n]
	}
}

// setColor sets the colour that SGR n (38, 48 or 58) is about.
func setColor(st *screen.Style, n int, c screen.Color) {
	switch n {
	case 38:
		st.Fg = c
	case 48:
		st.Bg = c
	default:
		st.UnderlineColor = c
	}
}

// extended reads the colour of SGR 38, 48 and 58, in the colon form (with or
// without the colour space) or the semicolon form, and returns the parameters
// after it.
func extended(p sgrParam, params string) (c screen.Color, rest string, ok bool) {
	if len(p.subs) > 0 {
		s := p.subs
		switch {
		case s[0] == "5" && len(s) >= 2:
			return screen.Palette(component(s[1])), params, true
		case s[0] == "2" && len(s) >= 5:
			return screen.RGB(component(s[2]), component(s[3]), component(s[4])), params, true
		case s[0] == "2" && len(s) == 4:
			return screen.RGB(component(s[1]), component(s[2]), component(s[3])), params, true
		}
		return 0, params, false
	}
	kind, rest, _ := strings.Cut(params, ";")
	switch kind {
	case "5":
		n, rest, _ := strings.Cut(rest, ";")
		return screen.Palette(component(n)), rest, true
	case "2":
		r, rest, _ := strings.Cut(rest, ";")
		g, rest, _ := strings.Cut(rest, ";")
		b, rest, _ := strings.Cut(rest, ";")
		return screen.RGB(component(r), component(g), component(b)), rest, true
	}
	return 0, rest, false
}

// component clamps a colour component, so that no number wraps round to an
// unrelated colour.
func component(s string) uint8 { return uint8(min(max(atoi(s), 0), 255)) }
