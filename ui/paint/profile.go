package paint

import (
	"strings"

	"deck/term/screen"
)

// ColorDepth is how many colours a terminal shows.
type ColorDepth uint8

// The depths, poorest first.
const (
	NoColor ColorDepth = iota
	Color16
	Color256
	TrueColor
)

// Profile is what a terminal can do, as far as its environment and its own
// answers tell. It is a comparable value; Detect makes the first guess and
// Learn improves it.
type Profile struct {
	Term   string     // the TERM of its environment
	Name   string     // what it calls itself (XTVERSION), empty until told
	Colors ColorDepth // colours beyond it are replaced by near ones

	ASCII bool // its locale has no UTF-8: line drawing becomes + - |
	Dumb  bool // it cannot place the cursor: nothing sensible can be drawn

	Sync     bool // synchronized output, mode 2026
	Grapheme bool // it measures grapheme clusters as deck does, mode 2027
	Margins  bool // left and right margins, mode 69 and DECSLRM
	Repeat   bool // REP
	BCE      bool // erased and scrolled-in cells take the pen's background
	Erase    bool // ECH, ICH, DCH
	Scroll   bool // SU and SD

	AltScreen       bool
	Title           bool // OSC 2, and the title stack of XTWINOPS
	Shape           bool // DECSCUSR
	Mouse           bool // modes 1002, 1003 and 1006
	Focus           bool // mode 1004
	Paste           bool // mode 2004
	Kitty           bool // the kitty keyboard protocol
	ModifyOtherKeys bool // XTMODKEYS
	Underlines      bool // SGR 4:2 to 4:5
	UnderlineColors bool // SGR 58
	Links           bool // OSC 8
	Status          bool // program status, OSC 7501

	Query  bool // CSI queries can be sent without being printed
	Device bool // so can DCS queries
	Done   bool // DA1 was answered: the answers to the queries of Enter are in

	Fg, Bg  screen.Color     // its default colours, screen.Default until told
	Cursor  screen.Color     // of its cursor, likewise
	Palette [16]screen.Color // its first colours, likewise
	Light   bool             // its background is light, or said to be

	guess       string // the terminal program's name, as the environment suggests
	colorsFixed bool   // a person said so (NO_COLOR); no answer changes it
}

// Detect returns the profile that a client's environment suggests. An unknown
// TERM is treated as an xterm of the plainest kind.
func Detect(env map[string]string) Profile {
	term, name := env["TERM"], family(env["TERM"], env)
	p := base(term)
	p.Term, p.guess = term, name
	if p.Dumb {
		p.ASCII = !utf8Locale(env, false)
		return p
	}
	p.Colors = max(p.Colors, colors(term, env))
	known(&p, name)
	if strings.HasPrefix(term, "screen") && name != "tmux" {
		// GNU screen passes COLORTERM on and cannot do what it says.
		p.Colors = min(p.Colors, Color256)
	}
	p.ASCII = !utf8Locale(env, name != "")
	if env["NO_COLOR"] != "" {
		p.Colors, p.colorsFixed = NoColor, true
	}
	return p
}
