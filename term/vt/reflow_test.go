package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

// paragraphs returns the lines of text of history and screen, soft-wrapped
// rows joined, without trailing blanks and trailing empty lines.
func paragraphs(e *Emulator) []string {
	var out []string
	var b strings.Builder
	add := func(cells []screen.Cell, wrapped bool) {
		for len(cells) > 0 && cells[len(cells)-1].Char == screen.Blank {
			cells = cells[:len(cells)-1]
		}
		for _, c := range cells {
			b.WriteString(e.Table().Text(c.Char))
		}
		if !wrapped {
			out = append(out, b.String())
			b.Reset()
		}
	}
	var buf []screen.Cell
	for i := range e.HistoryLen() {
		var wrapped bool
		buf, wrapped = e.HistoryRow(i, buf)
		add(buf, wrapped)
	}
	_, rows := e.Size()
	for y := range rows {
		add(e.Row(y), e.Wrapped(y))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// TestResizeKeepsText writes lines of all lengths and changes the size many
// times: every line is still there, whole and in order.
func TestResizeKeepsText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 3))
		e := New(20, 6, Options{History: 100000})
		var want []string
		for n := range 80 {
			line := fmt.Sprintf("%d", n)
			for range r.IntN(30) {
				line += []string{"abc", "x", "世", "e\u0301", "é", "-----"}[r.IntN(6)]
			}
			want = append(want, line)
			fmt.Fprintf(writer{e}, "\x1b[%dm%s\x1b[m\r\n", 31+n%7, line)
			if r.IntN(8) == 0 {
				e.Resize(2+r.IntN(40), 1+r.IntN(12))
			}
		}
		for range 20 {
			e.Resize(1+r.IntN(40), 1+r.IntN(12))
			check(t, e)
			if d := cmp.Diff(want, paragraphs(e)); d != "" {
				cols, rows := e.Size()
				t.Fatalf("seed %d at %dx%d (-written +kept):\n%s", seed, cols, rows, d)
			}
		}
	}
}

type writer struct{ *Emulator }

func (w writer) Write(p []byte) (int, error) {
	w.Emulator.Write(p)
	return len(p), nil
}

func TestResize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		cols, rows int
		in         string
		sizes      [][2]int
		after      string
		want       string // rows joined by |
		x, y       int
	}{
		{"narrower wraps", 20, 3, "abcdefghij", [][2]int{{5, 3}}, "", "abcde|fghij|", 5, 1},
		{"wider joins", 5, 3, "abcdefghij", [][2]int{{20, 3}}, "k", "abcdefghijk||", 11, 0},
		{"full rows stay apart", 5, 3, "abcde\r\nfghij\r\n", [][2]int{{20, 3}}, "", "abcde|fghij|", 0, 2},
		{"shorter drops blank rows first", 10, 6, "a\r\nb", [][2]int{{10, 3}}, "", "a|b|", 1, 1},
		{"shorter scrolls, taller brings back", 10, 4, "1\r\n2\r\n3\r\n4", [][2]int{{10, 2}, {10, 4}}, "", "1|2|3|4", 1, 3},
		{"the cursor stays with its text", 10, 4, "abcdef\x1b[1;3H", [][2]int{{2, 4}}, "", "ab|cd|ef|", 0, 1},
		{"a wide character moves whole", 4, 3, "abc世d", [][2]int{{5, 3}}, "", "abc世|d|", 1, 1},
		{"back from one column", 10, 3, "a世b", [][2]int{{1, 3}, {10, 3}}, "", "a世b||", 4, 0},
		{"alternate screens are cut", 6, 3, "\x1b[?1049habcdef", [][2]int{{3, 3}, {6, 3}}, "", "abc||", 2, 0},
		{"nothing of a wider alternate is left", 6, 3, "keep\x1b[?1049h\x1b[Hxxxxxx\r\nxxxxxx\r\nxxxxxx", [][2]int{{9, 3}}, "\x1b[Hyyyyyyyyy\x1b[?1049l", "keep||", 4, 0},
		{"main is there after the alternate", 6, 3, "abcdef\x1b[?1049hx", [][2]int{{3, 3}}, "\x1b[?1049l", "abc|def|", 3, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := New(tt.cols, tt.rows, Options{History: 100})
			e.Write([]byte(tt.in))
			for _, s := range tt.sizes {
				e.Resize(s[0], s[1])
			}
			e.Write([]byte(tt.after))
			c := e.Cursor()
			got := fmt.Sprintf("%s %d,%d", lines(e), c.X, c.Y)
			if d := cmp.Diff(fmt.Sprintf("%s %d,%d", tt.want, tt.x, tt.y), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// lines returns the screen's rows joined by bars, trailing blanks cut.
func lines(e *Emulator) string {
	var out []string
	for y := range e.rows {
		var b strings.Builder
		for _, c := range e.Row(y) {
			b.WriteString(e.Table().Text(c.Char))
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return strings.Join(out, "|")
}

// TestNarrowingALongHistory narrows and widens a pane above which many full rows
// lie: at once, without loss, and without taking more memory.
func TestNarrowingALongHistory(t *testing.T) {
	t.Parallel()
	e := New(200, 50, Options{History: 10000})
	for i := range 10050 {
		e.Write([]byte(strings.Repeat(fmt.Sprintf("%06d 世 é | ", i), 12) + "\r\n"))
	}
	before, bytes := paragraphs(e), e.history.bytes
	for _, cols := range []int{80, 200, 33, 2, 200, 1, 200} {
		e.Resize(cols, 50)
	}
	if d := cmp.Diff(before, paragraphs(e)); d != "" {
		t.Error(d)
	}
	if e.history.bytes > bytes+bytes/5 {
		t.Errorf("%d bytes became %d", bytes, e.history.bytes)
	}
}

// TestLinesThatLeaveKeepTheirFill: the background of a line that a narrow screen
// pushes out reaches the edge when the screen is wide again.
func TestLinesThatLeaveKeepTheirFill(t *testing.T) {
	t.Parallel()
	e := New(20, 3, Options{History: 100})
	e.Write([]byte("\x1b[44mabcdefghijklmn\x1b[K\x1b[m\r\nb\r\nc"))
	want := pictureRow(e.Table(), e.Row(0))
	e.Resize(5, 2)
	e.Resize(20, 2)
	var got string
	for i := range e.HistoryLen() {
		cells, _ := e.HistoryRow(i, nil)
		got += pictureRow(e.Table(), cells)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestHugeAndTiny writes what draws everywhere to the smallest and to a very
// large screen.
func TestHugeAndTiny(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	stream := randomStream(r, 3000)
	for _, size := range [][2]int{{1, 1}, {1, 50}, {50, 1}, {2, 2}, {1000, 1000}} {
		e := New(size[0], size[1], Options{History: 100})
		e.Write(stream)
		check(t, e)
		e.Write([]byte("\x1bc\x1b[999999;999999H\x1b[99999b世\x1b[99999S\x1b[99999T\x1b[99999L\x1b[99999@\x1b[99999I\x1b[99999Z\x1b#8\x1b#6x\x1b[1;1;9999;9999;1;2;2;1$v"))
		check(t, e)
		for _, to := range [][2]int{{1000, 1000}, {1, 1}, {size[0], size[1]}} {
			e.Resize(to[0], to[1])
			check(t, e)
			e.Write(stream[:500])
			check(t, e)
		}
	}
}

// TestResizeStorm holds that a storm of sizes, tiny and huge ones too, ends
// well.
func TestResizeStorm(t *testing.T) {
	t.Parallel()
	e := New(80, 24, Options{History: 1000})
	r := rand.New(rand.NewPCG(5, 5))
	for range 40 {
		e.Write([]byte("some text that is long enough to wrap now and then 世界\r\n"))
		e.Resize([]int{0, 1, 2, 80, 200, 1000, 1 << 30}[r.IntN(7)], []int{-1, 1, 5, 24, 100, 1000}[r.IntN(6)])
		if c, _ := e.Size(); c > 1000 {
			e.Resize(80, 24)
		}
	}
	check(t, e)
}
