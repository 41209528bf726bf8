package paint

import (
	"encoding/hex"
	"strconv"
	"strings"

	"deck/term/screen"
)

// queries is what Enter asks, all at once. DA1 comes last, because every
// terminal answers it and answers come in order: after it none is missing.
func (p Profile) queries() string {
	if p.Dumb {
		return ""
	}
	q := ""
	if p.Query {
		q += "\x1b[>q\x1b[?2026$p\x1b[?2027$p\x1b[?69$p\x1b[?u"
	}
	if p.Device {
		q += "\x1bP+q524742;5463\x1b\\" // "RGB" and "Tc" in hexadecimal
	}
	q += p.ColorQueries()
	if p.Title && p.Query {
		q += statusQuery
	}
	return q + "\x1b[c"
}

// ColorQueries returns what asks a terminal for its colours, empty where it
// would show that. They are asked for again when its scheme changed.
func (p Profile) ColorQueries() string {
	if !p.Title {
		return ""
	}
	q := "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\"
	for n := range p.Palette {
		q += "\x1b]4;" + strconv.Itoa(n) + ";?\x1b\\"
	}
	return q
}

// IsSchemeReply reports whether the terminal says that its colours became dark
// or light (mode 2031).
func IsSchemeReply(raw []byte) bool { return strings.HasPrefix(string(raw), "\x1b[?997;") }

// Learn takes one raw reply of the terminal (DA1, DECRPM, the kitty keyboard
// flags, XTVERSION, XTGETTCAP, OSC 4, 10, 11, 12 and 7501) and reports whether it changed
// the profile. Anything else is ignored.
func (p *Profile) Learn(reply []byte) bool {
	was := *p
	s := string(reply)
	switch {
	case len(s) > 4096:
	case strings.HasPrefix(s, "\x1b[?"):
		p.learnCSI(s[3:])
	case strings.HasPrefix(s, "\x1bP>|"):
		p.learnName(body(s[4:]))
	case strings.HasPrefix(s, "\x1bP1+r"):
		p.learnTermcap(body(s[5:]))
	case strings.HasPrefix(s, "\x1b]7501;"):
		p.Status = p.Status || body(s) == body(statusQuery)
	case strings.HasPrefix(s, "\x1b]"):
		p.learnColor(body(s[2:]))
	}
	if p.colorsFixed {
		p.Colors = NoColor
	}
	return *p != was
}

// learnColor takes an answer about a colour: OSC 4 with its number in the
// palette, 10, 11 or 12.
func (p *Profile) learnColor(s string) {
	what, spec, _ := strings.Cut(s, ";")
	number := ""
	if what == "4" {
		number, spec, _ = strings.Cut(spec, ";")
	}
	c, ok := parseColor(spec)
	if !ok {
		return
	}
	switch what {
	case "4":
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(p.Palette) {
			p.Palette[n] = c
		}
	case "10":
		p.Fg = c
	case "11":
		p.Bg, p.Light = c, luminance(c) > 0.5
	case "12":
		p.Cursor = c
	}
}

// body cuts the end of a control string off.
func body(s string) string {
	return strings.TrimSuffix(strings.TrimSuffix(s, "\x1b\\"), "\x07")
}

// learnCSI takes the rest of an answer that began with CSI ?: a DECRPM, DA1, or
// the kitty keyboard flags, whose mere presence tells that the protocol is
// there.
func (p *Profile) learnCSI(s string) {
	if rest, ok := strings.CutSuffix(s, "$y"); ok {
		mode, value, _ := strings.Cut(rest, ";")
		p.learnMode(mode, value)
		return
	}
	if rest, ok := strings.CutSuffix(s, "c"); ok && strings.Trim(rest, "0123456789;") == "" {
		p.Done = true
		return
	}
	if rest, ok := strings.CutSuffix(s, "u"); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
		p.Kitty = true
	}
}

// learnMode takes a DECRPM: 1 and 2 are a mode that can be switched, 3 one
// that is always on.
func (p *Profile) learnMode(mode, value string) {
	can := value == "1" || value == "2"
	switch mode {
	case "2026":
		p.Sync = can || value == "3"
	case "2027":
		p.Grapheme = can || value == "3"
	case "69":
		p.Margins = can && p.Scroll
	}
}

// learnName takes an XTVERSION answer such as "XTerm(379)" or "tmux 3.3a".
func (p *Profile) learnName(name string) {
	name = clean(name)
	p.Name = name[:min(len(name), 64)]
	known(p, program(p.Name))
}

// learnTermcap takes the capabilities of a good XTGETTCAP answer.
func (p *Profile) learnTermcap(s string) {
	for field := range strings.SplitSeq(s, ";") {
		name, _, _ := strings.Cut(field, "=")
		if b, err := hex.DecodeString(name); err == nil && (string(b) == "RGB" || string(b) == "Tc") {
			p.Colors = TrueColor
		}
	}
}

// parseColor reads the forms XParseColor has for RGB.
func parseColor(s string) (screen.Color, bool) {
	var parts []string
	switch {
	case strings.HasPrefix(s, "rgb:"), strings.HasPrefix(s, "rgba:"):
		_, s, _ = strings.Cut(s, ":")
		parts = strings.Split(s, "/")
	case strings.HasPrefix(s, "#") && len(s)%3 == 1 && len(s) > 1:
		n := len(s) / 3
		parts = []string{s[1 : 1+n], s[1+n : 1+2*n], s[1+2*n:]}
	}
	if len(parts) < 3 {
		return 0, false
	}
	var v [3]uint8
	for i := range v {
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil || len(parts[i]) == 0 {
			return 0, false
		}
		v[i] = uint8(n * 255 / (1<<(4*len(parts[i])) - 1))
	}
	return screen.RGB(v[0], v[1], v[2]), true
}
