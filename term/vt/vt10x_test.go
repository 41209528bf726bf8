package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"
)

// sameStream returns well-formed output of what vt10x and this package both
// know and mean alike: it has no wide characters, no margins on the sides and
// takes a bold colour for a bright one.
func sameStream(r *rand.Rand, cols, rows, n int) string {
	var b strings.Builder
	vertical := "ABCDGd"
	count := func() int { return 1 + r.IntN(cols+2) }
	for range n {
		switch r.IntN(12) {
		case 0, 1, 2, 3:
			b.WriteString([]string{"abc", "hello, world", "│─└ é", "x", strings.Repeat("0123456789", 3)}[r.IntN(5)])
		case 4:
			b.WriteString([]string{"\r\n", "\n", "\r", "\b"}[r.IntN(4)])
		case 5:
			fmt.Fprintf(&b, "\x1b[%d;%dH", 1+r.IntN(rows+1), 1+r.IntN(cols+1))
		case 6:
			fmt.Fprintf(&b, "\x1b[%d%c", count(), vertical[r.IntN(len(vertical))])
		case 7:
			// At a pending wrap vt10x erases elsewhere, so the cursor moves first;
			// and it forgets the first row when it erases above the second.
			fmt.Fprintf(&b, "\x1b[%dG\x1b[%s", 1+r.IntN(cols-1), []string{"J", "2J", "K", "1K", "2K"}[r.IntN(5)])
		case 8:
			fmt.Fprintf(&b, "\x1b[%dG\x1b[%d%c", 1+r.IntN(cols-1), count(), "PX@"[r.IntN(3)])
		case 9:
			// It leaves the cursor's column alone when lines move.
			fmt.Fprintf(&b, "\r\x1b[%d%c", 1+r.IntN(rows), "LMST"[r.IntN(4)])
		case 10:
			vertical = "CDGd" // up and down pass through its margins
			top := 1 + r.IntN(rows-1)
			fmt.Fprintf(&b, "\x1b[%d;%dr", top, top+1+r.IntN(rows-top))
		case 11:
			fmt.Fprintf(&b, "\x1b[%sm", []string{"", "31", "42", "39", "49", "38;5;200", "48;5;100", "0;35;46"}[r.IntN(8)])
		}
	}
	return b.String()
}

// compareVT10x draws the same on both and compares every cell and the cursor.
func compareVT10x(tb testing.TB, cols, rows int, stream string) {
	tb.Helper()
	e := New(cols, rows, Options{})
	e.Write([]byte(stream))
	v := vt10x.New(vt10x.WithSize(cols, rows))
	if _, err := v.Write([]byte(stream)); err != nil {
		tb.Fatal(err)
	}
	color := func(c vt10x.Color) string {
		if c >= vt10x.DefaultFG {
			return ""
		}
		return fmt.Sprint(uint32(c))
	}
	var want, got strings.Builder
	for y := range rows {
		for x, c := range e.Row(y) {
			s := e.Table().Style(c.Style)
			g := v.Cell(x, y)
			if c.Char == screen.Blank && (g.Char == 0 || g.Char == ' ') {
				continue // vt10x fills what scrolls in with no background, and erases with the foreground
			}
			fmt.Fprintf(&got, "%d%s[%s/%s]", x, e.Table().Text(c.Char), s.Fg, s.Bg)
			fmt.Fprintf(&want, "%d%c[%s/%s]", x, g.Char, color(g.FG), color(g.BG))
		}
		want.WriteByte('\n')
		got.WriteByte('\n')
	}
	c := v.Cursor()
	fmt.Fprintf(&want, "%d,%d", c.X, c.Y)
	fmt.Fprintf(&got, "%d,%d", min(e.Cursor().X, cols-1), e.Cursor().Y)
	if d := cmp.Diff(want.String(), got.String()); d != "" {
		tb.Fatalf("%q (-vt10x +deck):\n%s", stream, d)
	}
}

// TestVT10x holds that another emulator, written by others, shows the same.
func TestVT10x(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 10))
		cols, rows := 2+r.IntN(30), 2+r.IntN(10)
		compareVT10x(t, cols, rows, sameStream(r, cols, rows, 40))
	}
}

// FuzzVT10x is TestVT10x for streams that a fuzzer chooses.
func FuzzVT10x(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(6))
	f.Fuzz(func(t *testing.T, seed uint64, w, h uint8) {
		r := rand.New(rand.NewPCG(seed, 11))
		cols, rows := 2+int(w)%60, 2+int(h)%20
		compareVT10x(t, cols, rows, sameStream(r, cols, rows, 60))
	})
}
