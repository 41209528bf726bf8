package paint

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
)

// dump returns a canvas as text; ‹ stands for the right half of a wide
// character and _ for a blank that nobody drew.
func dump(c *screen.Canvas) string {
	var b strings.Builder
	for y := range c.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		for _, cell := range c.Row(y) {
			switch cell.Char {
			case screen.Tail:
				b.WriteString("‹")
			case screen.Blank:
				b.WriteString("_")
			default:
				b.WriteString(c.Table.Text(cell.Char))
			}
		}
	}
	return b.String()
}

func TestDrawText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		x, w     int
		want     string
		used     int
	}{
		{"plain", "hello", 1, 20, "_hello____", 5},
		{"cut", "hello", 1, 3, "_hel______", 3},
		{"cut at the canvas", "hello", 7, 9, "_______hel", 3},
		{"begins left of the canvas", "hello", -2, 9, "llo_______", 5},
		{"wide", "a中b", 0, 9, "a中‹b______", 4},
		{"wide is cut", "a中b", 0, 2, "a ________", 2},
		{"wide is cut at the left", "中b", -1, 9, " b________", 3},
		{"wide at the canvas's edge", "中", 9, 9, "_________ ", 1},
		{"cluster", "e\u0301👍🏽x", 0, 9, "e\u0301👍🏽‹x______", 4},
		{"flag", "🇩🇪!", 0, 9, "🇩🇪‹!_______", 3},
		{"escape sequences", "\x1b[31ma\x1b[2Jb\x1b]0;title\x07c\x1b(Bd\x1bPq#0\x1b\\e", 0, 9, "abcde_____", 5},
		{"controls", "a\x00\x07\rb\x7fc\u0085d\u202ee\u200bf", 0, 9, "abcdef____", 6},
		{"tab", "a\tb", 0, 9, "a b_______", 3},
		{"newline", "ab\ncd", 0, 9, "ab________", 2},
		{"unfinished", "ab\x1b[31", 0, 9, "ab________", 2},
		{"unfinished string", "ab\x1b]8;;http", 0, 9, "ab________", 2},
		{"invalid", "a\xff\xc3b", 0, 9, "a��b______", 4},
		{"a lone mark", "\u0301a", 0, 9, "a_________", 1},
		{"off the screen", "abc", 20, 9, "__________", 0},
		{"no room", "abc", 2, 0, "__________", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := screen.NewCanvas(10, 1)
			used := DrawText(c, tt.x, 0, tt.w, tt.in)
			if diff := cmp.Diff(tt.want, dump(c)); diff != "" {
				t.Error(diff)
			}
			if tt.used != used {
				t.Errorf("used %d columns, want %d", used, tt.used)
			}
		})
	}
}

func TestDrawTextCutsWideCharactersBelow(t *testing.T) {
	t.Parallel()
	c := screen.NewCanvas(6, 1)
	DrawText(c, 0, 0, 6, "中中中")
	DrawText(c, 1, 0, 2, "ab")
	if diff := cmp.Diff("_ab_中‹", dump(c)); diff != "" {
		t.Error(diff)
	}
}

func TestSGR(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want screen.Style
	}{
		{"\x1b[m", screen.Style{}},
		{"\x1b[1;3;4m", screen.Style{Attr: screen.Bold | screen.Italic, Underline: screen.SingleUnderline}},
		{"\x1b[1;2m\x1b[22m", screen.Style{}},
		{"\x1b[4:3m", screen.Style{Underline: screen.CurlyUnderline}},
		{"\x1b[4:0m", screen.Style{}},
		{"\x1b[21m", screen.Style{Underline: screen.DoubleUnderline}},
		{"\x1b[31;102m", screen.Style{Fg: screen.Palette(1), Bg: screen.Palette(10)}},
		{"\x1b[38;5;200;1m", screen.Style{Fg: screen.Palette(200), Attr: screen.Bold}},
		{"\x1b[48;2;1;2;3;4m", screen.Style{Bg: screen.RGB(1, 2, 3), Underline: screen.SingleUnderline}},
		{"\x1b[38:2::1:2:3;1m", screen.Style{Fg: screen.RGB(1, 2, 3), Attr: screen.Bold}},
		{"\x1b[38:2:1:2:3m", screen.Style{Fg: screen.RGB(1, 2, 3)}},
		{"\x1b[38:5:9m", screen.Style{Fg: screen.Palette(9)}},
		{"\x1b[4;58:2::9:8:7m", screen.Style{Underline: screen.SingleUnderline, UnderlineColor: screen.RGB(9, 8, 7)}},
		{"\x1b[58;5;3m", screen.Style{UnderlineColor: screen.Palette(3)}},
		{"\x1b[31;41;58;5;3m\x1b[39;49;59m", screen.Style{}},
		{"\x1b[7;8;9;53m\x1b[27;28;29;55m", screen.Style{}},
		{"\x1b[7;5;6m", screen.Style{Attr: screen.Reverse | screen.Blink | screen.RapidBlink}},
		{"\x1b[1;;3m", screen.Style{Attr: screen.Italic}},
		{"\x1b[38;2;999;0;0m", screen.Style{Fg: screen.RGB(255, 0, 0)}},
		{"\x1b[38m", screen.Style{}},
		{"\x1b[38;5m", screen.Style{Fg: screen.Palette(0)}},
		{"\x1b[>4;2m", screen.Style{}},
		{"\x1b[99999999999999999999;1m", screen.Style{Attr: screen.Bold}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, StyleOf(tt.in+"x")); diff != "" {
			t.Errorf("%q: %s", tt.in, diff)
		}
	}
}

func TestDrawTextOnKeepsItsBase(t *testing.T) {
	t.Parallel()
	c := screen.NewCanvas(4, 1)
	base := screen.Style{Fg: screen.Palette(7), Bg: screen.Palette(4), Attr: screen.Bold}
	DrawTextOn(c, 0, 0, 4, base, "a\x1b[31;49mb\x1b[mc\x1b]8;id=i;http://x\x1b\\d")
	want := []screen.Style{base, {Fg: screen.Palette(1), Bg: screen.Palette(4), Attr: screen.Bold}, base,
		{Fg: base.Fg, Bg: base.Bg, Attr: base.Attr, Link: c.Table.LinkID(screen.Link{URI: "http://x", ID: "i"})}}
	for x, st := range want {
		if diff := cmp.Diff(st, c.Table.Style(c.Row(0)[x].Style)); diff != "" {
			t.Errorf("column %d: %s", x, diff)
		}
	}
}

func TestDrawBlock(t *testing.T) {
	t.Parallel()
	st := lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#ff8800")).Width(5)
	c := screen.NewCanvas(8, 4)
	DrawBlock(c, 1, 1, 4, 2, st.Render("a中x\nlonger\nnever"))
	if diff := cmp.Diff("________\n_a中‹x___\n_long___\n________", dump(c)); diff != "" {
		t.Error(diff)
	}
	want := screen.Style{Fg: screen.RGB(0xff, 0x88, 0), Attr: screen.Bold}
	if diff := cmp.Diff(want, c.Table.Style(c.Row(2)[1].Style)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, StyleOf(st.Render("x"))); diff != "" {
		t.Error(diff)
	}
	DrawBlock(c, -3, -1, 40, 40, "x\nabcdefghijklmnop\n\x1b[31mred\nstill red\n\n\n\n")
	if diff := cmp.Diff("defghijk\n_a中‹x___", dump(c)[:len("defghijk\n_a中‹x___")]); diff != "" {
		t.Error(diff)
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 0, "abc": 3, "\x1b[1mab\x1b[m": 2, "中a": 3, "👨‍👩‍👧": 2, "\x1b]8;;http://x\x07l\x1b]8;;\x07": 1} {
		if got := Width(in); got != want {
			t.Errorf("%q is %d wide, want %d", in, got, want)
		}
	}
}

func FuzzDrawText(f *testing.F) {
	f.Add("a\x1b[38:2::1:2:3m中\x1b]8;;x\x07e\u0301", 1, 5)
	f.Add("\x1b[4:3m👨‍👩‍👧\u202e", -2, 9)
	f.Fuzz(func(t *testing.T, s string, x, w int) {
		x, w = x%20, w%20
		c := screen.NewCanvas(12, 2)
		DrawText(c, x, 1, w, s)
		DrawBlock(c, x, -1, w, 5, s)
		for i, cell := range c.Cells {
			for _, r := range c.Table.Text(cell.Char) {
				if clusterRune(r) < 0 {
					t.Fatalf("%q reached the canvas", r)
				}
			}
			if cell.Char == screen.Tail && (i%c.W == 0 || !c.Cells[i-1].Char.Wide()) {
				t.Fatalf("a right half alone at %d", i)
			}
			if cell.Char.Wide() && (i%c.W == c.W-1 || c.Cells[i+1].Char != screen.Tail) {
				t.Fatalf("a left half alone at %d", i)
			}
			if x := i % c.W; cell.Char != screen.Blank && (x < 0 || x >= c.W) {
				t.Fatal("out of bounds")
			}
		}
	})
}
