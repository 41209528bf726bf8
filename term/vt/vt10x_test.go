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

// sameWriter writes well-formed output of what vt10x and this package both know
// and mean alike: it has no wide characters, no margins on the sides and takes a
// bold colour for a bright one.
type sameWriter struct {
	strings.Builder
	r          *rand.Rand
	cols, rows int
	vertical   string // cursor movements whose meaning is the same now
	origin     bool
	autowrap   bool
}

func sameStream(r *rand.Rand, cols, rows, n int) string {
	w := &sameWriter{r: r, cols: cols, rows: rows, vertical: "ABCDGdEFae`", autowrap: true}
	for range n {
		w.piece()
	}
	return w.String()
}

func (w *sameWriter) one(of ...string) string   { return of[w.r.IntN(len(of))] }
func (w *sameWriter) count() int                { return 1 + w.r.IntN(w.cols+2) }
func (w *sameWriter) f(format string, a ...any) { fmt.Fprintf(&w.Builder, format, a...) }

// inside leaves a pending wrap, at which vt10x erases and tabs elsewhere.
func (w *sameWriter) inside() { w.f("\x1b[%dG", 1+w.r.IntN(w.cols-1)) }

func (w *sameWriter) piece() {
	switch w.r.IntN(20) {
	case 0, 1, 2, 3:
		w.WriteString(w.one("abc", "hello, world", "│─└ é", "x", strings.Repeat("0123456789", 3)))
	case 4:
		w.WriteString(w.one("\r\n", "\n", "\r", "\b", "\v", "\f", "\a"))
	case 5:
		w.f("\x1b[%d;%d%s", 1+w.r.IntN(w.rows+1), 1+w.r.IntN(w.cols+1), w.one("H", "f"))
	case 6:
		w.f("\x1b[%d%c", w.count(), w.vertical[w.r.IntN(len(w.vertical))])
	case 7:
		w.inside()
		w.f("\x1b[%s", w.one("J", "2J", "K", "1K", "2K"))
	case 8:
		w.inside()
		w.f("\x1b[%d%c", w.count(), "PX@"[w.r.IntN(3)])
	case 9: // it leaves the cursor's column alone when lines move
		w.f("\r\x1b[%d%c", 1+w.r.IntN(w.rows), "LMST"[w.r.IntN(4)])
	case 10, 11:
		w.region()
	case 12, 13:
		w.WriteString(w.one("\x1b[m", "\x1b[31m", "\x1b[42m", "\x1b[39m", "\x1b[49m", "\x1b[38;5;200m", "\x1b[48;5;100m", "\x1b[0;35;46m",
			"\x1b[97;101m", "\x1b[38;2;9;8;7m", "\x1b[48;2;255;0;128;33m", "\x1b[4;3m", "\x1b[24;23m"))
	case 14:
		w.inside()
		w.WriteString(w.one("\t", "\t\t", "\x1b[2I", "\x1b[Z", "\x1b[3Z", "\x1bH", "\x1b[g", "\x1b[3g"))
	case 15:
		w.inside()
		w.WriteString(w.one("\x1bD", "\x1bE", "\x1bM"))
	case 16:
		w.WriteString(w.one("\x1b(0lqxjk\x1b(B", "\x1b(0", "\x1b(B"))
	case 17:
		w.saved()
	case 18:
		w.screen()
	case 19:
		w.WriteString(w.one("\x1b]2;a title\a", "\x1b]0;✳ other\x1b\\", "\x1b[?25l", "\x1b[?25h", "\x1b[20h", "\x1b[20l", "\x1bPq~~\x1b\\", "\x1b[5n"))
	}
}

// region sets the scroll region, after which up and down pass through its
// margins in vt10x, or the origin mode.
func (w *sameWriter) region() {
	if w.r.IntN(3) == 0 {
		w.origin = !w.origin
		w.WriteString(map[bool]string{true: "\x1b[?6h", false: "\x1b[?6l"}[w.origin])
	}
	w.vertical = "CDGda`"
	top := 1 + w.r.IntN(w.rows-1)
	w.f("\x1b[%d;%dr", top, top+1+w.r.IntN(w.rows-top))
}

// saved saves the cursor, does something else and brings it back.
func (w *sameWriter) saved() {
	w.inside()
	w.WriteString(w.one("\x1b7", "\x1b[s"))
	w.WriteString(w.one("text", "\x1b[34m", "\x1b[2;2H", "\r\n", "\x1b(0"))
	w.WriteString(w.one("\x1b8", "\x1b[u"))
}

// screen does what concerns all of the screen.
func (w *sameWriter) screen() {
	switch w.r.IntN(4) {
	case 0:
		w.autowrap = !w.autowrap
		w.WriteString(map[bool]string{true: "\x1b[?7h", false: "\x1b[?7l"}[w.autowrap])
		w.inside()
	case 1: // DECALN, which is in the pen's style there and leaves the margins
		w.WriteString("\x1b(B\x1b[m\x1b[?6l\x1b#8\x1b[r")
		w.origin, w.vertical = false, "ABCDGdEFae`"
	case 2: // it forgets the first row when it erases above the second
		if !w.origin && w.rows > 2 {
			w.f("\x1b[%d;%dH\x1b[1J", 3+w.r.IntN(w.rows-2), w.count())
		}
	case 3: // the alternate screen, whose cursors are one there
		w.inside()
		w.WriteString("\x1b[?1049h")
		for range w.r.IntN(8) {
			w.WriteString(w.one("shell", "\r\n", "\x1b[2;1H", "\x1b[K", "\x1b[41m", "\x1b[J", strings.Repeat("wrap ", 20)))
		}
		w.WriteString("\x1b[?1049l")
	}
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
		if c > 255 {
			return fmt.Sprintf("#%06x", uint32(c))
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
	fmt.Fprintf(&want, "%d,%d %v %q", c.X, c.Y, v.CursorVisible(), v.Title())
	fmt.Fprintf(&got, "%d,%d %v %q", min(e.Cursor().X, cols-1), e.Cursor().Y, e.Cursor().Visible, e.Title())
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
