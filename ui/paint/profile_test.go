package paint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
)

func env(pairs ...string) map[string]string {
	m := map[string]string{}
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		m[name] = value
	}
	return m
}

func TestDetect(t *testing.T) {
	t.Parallel()
	type facts struct {
		Colors                        ColorDepth
		ASCII, Dumb, Underlines, Alt  bool
		Query, Device, Links, BCE, MK bool
	}
	x := facts{Colors: Color16, Alt: true, Query: true, Device: true, Links: true, BCE: true, MK: true}
	with := func(f func(*facts)) facts { y := x; f(&y); return y }
	tests := []struct {
		env  map[string]string
		want facts
	}{
		{env(), facts{ASCII: true, Dumb: true}},
		{env("TERM=dumb", "COLORTERM=truecolor", "LANG=C.UTF-8"), facts{Dumb: true}},
		{env("TERM=linux"), facts{Colors: Color16, ASCII: true, BCE: true}},
		{env("TERM=vt100"), facts{ASCII: true}},
		{env("TERM=xterm", "LANG=en_US.UTF-8"), x},
		{env("TERM=xterm", "LANG=en_US.UTF-8", "LC_ALL=C"), with(func(f *facts) { f.ASCII = true })},
		{env("TERM=xterm"), with(func(f *facts) { f.ASCII = true })},
		{env("TERM=xterm-256color", "LC_CTYPE=de_DE.utf8"), with(func(f *facts) { f.Colors = Color256 })},
		{env("TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"), with(func(f *facts) { f.Colors = TrueColor })},
		{env("TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=1", "LANG=C.UTF-8"), with(func(f *facts) { f.Colors = NoColor })},
		{env("TERM=xterm-direct", "LANG=C.UTF-8"), with(func(f *facts) { f.Colors = TrueColor })},
		{env("TERM=xterm-kitty"), with(func(f *facts) { f.Colors, f.Underlines = TrueColor, true })},
		{env("TERM=xterm-256color", "TERM_PROGRAM=iTerm.app"), with(func(f *facts) { f.Colors, f.Underlines = TrueColor, true })},
		{env("TERM=xterm-256color", "VTE_VERSION=7600", "LANG=C.UTF-8"), with(func(f *facts) { f.Colors, f.Underlines = TrueColor, true })},
		{env("TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal", "LANG=C.UTF-8"),
			facts{Colors: Color256, Alt: true, BCE: true}},
		{env("TERM=screen-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"),
			facts{Colors: Color256, Alt: true, Query: true, Device: true}},
		{env("TERM=screen-256color", "TMUX=/tmp/x,1,0"), with(func(f *facts) { f.Colors, f.Underlines = TrueColor, true })},
		{env("TERM=tmux-256color", "LANG=C.UTF-8"), with(func(f *facts) { f.Colors, f.Underlines = TrueColor, true })},
		{env("TERM=made-up", "LANG=C.UTF-8"), x},
	}
	for _, tt := range tests {
		p := Detect(tt.env)
		got := facts{p.Colors, p.ASCII, p.Dumb, p.Underlines, p.AltScreen, p.Query, p.Device, p.Links, p.BCE, p.ModifyOtherKeys}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: %s", tt.env, diff)
		}
	}
}

func TestLearn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reply string
		does  func(p *Profile)
	}{
		{"\x1b[?62;4;22c", func(p *Profile) { p.Done = true }},
		{"\x1b[?2026;2$y", func(p *Profile) { p.Sync = true }},
		{"\x1b[?2026;0$y", nil},
		{"\x1b[?2026;4$y", nil},
		{"\x1b[?2027;3$y", func(p *Profile) { p.Grapheme = true }},
		{"\x1b[?69;2$y", func(p *Profile) { p.Margins = true }},
		{"\x1b[?69;3$y", nil},
		{"\x1b[?0u", func(p *Profile) { p.Kitty = true }},
		{"\x1b[?u", nil},
		{"\x1bP1+r524742=382F382F38\x1b\\", func(p *Profile) { p.Colors = TrueColor }},
		{"\x1bP1+r5463\x1b\\", func(p *Profile) { p.Colors = TrueColor }},
		{"\x1bP0+r524742\x1b\\", nil},
		{"\x1bP>|XTerm(379)\x1b\\", func(p *Profile) { p.Name, p.Repeat = "XTerm(379)", true }},
		{"\x1bP>|odd\x9b\x1b\\", func(p *Profile) { p.Name = "odd�" }},
		{"\x1b]11;rgb:ffff/ffff/f0f0\x1b\\", func(p *Profile) { p.Bg, p.Light = screen.RGB(255, 255, 240), true }},
		{"\x1b]11;rgb:1e/1e/2e\x07", func(p *Profile) { p.Bg = screen.RGB(0x1e, 0x1e, 0x2e) }},
		{"\x1b]10;#ccddee\x07", func(p *Profile) { p.Fg = screen.RGB(0xcc, 0xdd, 0xee) }},
		{"\x1b]12;rgb:01/02/03\x07", func(p *Profile) { p.Cursor = screen.RGB(1, 2, 3) }},
		{"\x1b]4;15;rgb:ffff/0000/0000\x1b\\", func(p *Profile) { p.Palette[15] = screen.RGB(255, 0, 0) }},
		{"\x1b]4;16;rgb:ffff/0000/0000\x1b\\", nil},
		{"\x1b]4;-1;#fff\x07", nil},
		{"\x1b]13;#fff\x07", nil},
		{"\x1b]10;nonsense\x07", nil},
		{"\x1b]7501;?\x1b\\", func(p *Profile) { p.Status = true }},
		{"\x1b]7501;?\x07", func(p *Profile) { p.Status = true }},
		{"\x1b]7501;state=idle\x07", nil},
		{"\x1b]10;rgb:/ff/ff\x07", nil},
		{"\x1b[0n", nil},
		{"", nil},
		{"\x1b[?", nil},
	}
	for _, tt := range tests {
		p := Detect(env("TERM=xterm-256color", "LANG=C.UTF-8"))
		want := p
		if tt.does != nil {
			tt.does(&want)
		}
		if changed := p.Learn([]byte(tt.reply)); changed != (tt.does != nil) || p != want {
			t.Errorf("%q: changed %v, got %+v", tt.reply, changed, p)
		}
	}
}

func TestNoColorIsFinal(t *testing.T) {
	t.Parallel()
	p := Detect(env("TERM=xterm-256color", "NO_COLOR=1"))
	p.Learn([]byte("\x1bP1+r524742\x1b\\"))
	p.Learn([]byte("\x1bP>|kitty(0.40)\x1b\\"))
	if p.Colors != NoColor || !p.Underlines {
		t.Errorf("%+v", p)
	}
}

func FuzzLearn(f *testing.F) {
	f.Add([]byte("\x1bP1+r524742=38\x1b\\"))
	f.Add([]byte("\x1b]11;#fff\x07"))
	f.Fuzz(func(t *testing.T, reply []byte) {
		p := full()
		p.Learn(reply)
		if p.Dumb || strings.ContainsFunc(p.Name, hidden) {
			t.Errorf("%q: %+v", reply, p)
		}
	})
}

func TestDegrade(t *testing.T) {
	t.Parallel()
	tests := []struct {
		depth ColorDepth
		from  screen.Color
		want  screen.Color
	}{
		{TrueColor, screen.RGB(1, 2, 3), screen.RGB(1, 2, 3)},
		{Color256, screen.RGB(255, 0, 0), screen.Palette(196)},
		{Color256, screen.RGB(128, 128, 128), screen.Palette(244)},
		{Color256, screen.RGB(0, 0, 0), screen.Palette(16)},
		{Color256, screen.RGB(255, 255, 255), screen.Palette(231)},
		{Color256, screen.RGB(30, 30, 46), screen.Palette(235)},
		{Color256, screen.Palette(9), screen.Palette(9)},
		{Color256, screen.Default, screen.Default},
		{Color16, screen.RGB(0, 0, 95), screen.Palette(4)},
		{Color16, screen.RGB(215, 119, 87), screen.Palette(3)},
		{Color16, screen.RGB(30, 30, 46), screen.Palette(0)},
		{Color16, screen.RGB(120, 120, 120), screen.Palette(8)},
		{Color16, screen.Palette(46), screen.Palette(10)},
		{Color16, screen.Palette(3), screen.Palette(3)},
		{Color16, screen.Default, screen.Default},
		{NoColor, screen.RGB(255, 0, 0), screen.Default},
	}
	for _, tt := range tests {
		if got := tt.depth.degrade(tt.from); got != tt.want {
			t.Errorf("depth %d: %v became %v, want %v", tt.depth, tt.from, got, tt.want)
		}
	}
}

func TestDegradeKeepsTextReadable(t *testing.T) {
	t.Parallel()
	p := full()
	p.Colors, p.Underlines, p.UnderlineColors, p.Links = Color16, false, false, false
	got := p.degrade(screen.Style{Fg: screen.RGB(60, 60, 60), Bg: screen.RGB(40, 40, 40), Link: 3,
		Underline: screen.CurlyUnderline, UnderlineColor: screen.RGB(255, 0, 0), Attr: screen.Protected | screen.RapidBlink})
	if got.Fg == got.Bg {
		t.Errorf("text became invisible: %+v", got)
	}
	got.Fg, got.Bg = 0, 0
	if want := (screen.Style{Underline: screen.SingleUnderline, Attr: screen.Blink}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
