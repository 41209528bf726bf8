package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

// picture is everything a reader can learn from an emulator, as text.
func picture(e *Emulator) string {
	var b strings.Builder
	cols, rows := e.Size()
	fmt.Fprintf(&b, "%dx%d %+v %+v title=%q dir=%q\n", cols, rows, e.Cursor(), e.Modes(), e.Title(), e.Dir())
	var buf []screen.Cell
	for i := range e.HistoryLen() {
		var wrapped bool
		buf, wrapped = e.HistoryRow(i, buf)
		fmt.Fprintf(&b, "h%s %v\n", pictureRow(e.Table(), buf), wrapped)
	}
	for y := range rows {
		fmt.Fprintf(&b, "s%s %v\n", pictureRow(e.Table(), e.Row(y)), e.Wrapped(y))
	}
	return b.String()
}

// pictureRow is a row's text, with what is special about a cell in braces.
func pictureRow(t *screen.Table, row []screen.Cell) string {
	var b strings.Builder
	last := screen.Style{}
	var lastLink screen.Link
	for _, c := range row {
		s := t.Style(c.Style)
		link := t.Link(s.Link)
		s.Link = 0
		if s != last || link != lastLink {
			fmt.Fprintf(&b, "{%+v %v}", s, link)
			last, lastLink = s, link
		}
		switch c.Char {
		case screen.Blank:
			b.WriteByte('_')
		case screen.Tail:
			b.WriteByte('>')
		default:
			b.WriteString(t.Text(c.Char))
		}
	}
	return b.String()
}

// check fails when the emulator broke one of its own rules.
func check(tb testing.TB, e *Emulator) {
	tb.Helper()
	c := e.Cursor()
	cols, rows := e.Size()
	if c.X < 0 || c.X > cols || c.Y < 0 || c.Y >= rows {
		tb.Fatalf("cursor %d,%d is outside %dx%d", c.X, c.Y, cols, rows)
	}
	for _, b := range []*buffer{&e.main, &e.alt} {
		if b.grid == nil {
			continue
		}
		for y := range rows {
			checkRow(tb, e, b.grid.row(y))
		}
	}
	var buf []screen.Cell
	for i := range e.HistoryLen() {
		if buf, _ = e.HistoryRow(i, buf); len(buf) != cols {
			tb.Fatalf("history row %d has %d cells, want %d", i, len(buf), cols)
		}
	}
	if len(e.replies) > maxReplies || len(e.events) > maxEvents || e.history.bytes < 0 {
		tb.Fatalf("%d bytes of replies, %d events, %d bytes of history", len(e.replies), len(e.events), e.history.bytes)
	}
}

func checkRow(tb testing.TB, e *Emulator, r *row) {
	tb.Helper()
	styles, _, _ := e.table.Len()
	if len(r.cells) != e.cols || r.used > e.cols {
		tb.Fatalf("row of %d cells, %d used, on %d columns", len(r.cells), r.used, e.cols)
	}
	for x, c := range r.cells {
		if c.Char.Wide() != (x+1 < len(r.cells) && r.cells[x+1].Char == screen.Tail) {
			tb.Fatalf("half of a wide character at column %d: %s", x, pictureRow(e.table, r.cells))
		}
		if x == 0 && c.Char == screen.Tail || int(c.Style) >= styles {
			tb.Fatalf("cell %d is %+v", x, c)
		}
		if x >= r.used && c != (screen.Cell{}) {
			tb.Fatalf("column %d is not blank and beyond the %d used", x, r.used)
		}
	}
}

// script applies data to an emulator in pieces as long as the cuts say, with a
// change of size at each cut that is odd.
func script(tb testing.TB, e *Emulator, data, cuts []byte, whole bool) {
	for i := 0; i < len(cuts) && len(data) > 0; i++ {
		n := min(int(cuts[i]), len(data))
		if whole {
			e.Write(data[:n])
		} else {
			for k := range n {
				e.Write(data[k : k+1])
			}
		}
		data = data[n:]
		check(tb, e)
		if cuts[i]%2 == 1 {
			e.Resize(int(cuts[i])%23, int(cuts[i])*7%11)
			check(tb, e)
		}
	}
	e.Write(data)
	check(tb, e)
}

func compareChunks(tb testing.TB, data, cuts []byte) {
	tb.Helper()
	one := New(20, 6, Options{History: 200})
	two := New(20, 6, Options{History: 200})
	script(tb, one, data, cuts, true)
	script(tb, two, data, cuts, false)
	if d := cmp.Diff(picture(one), picture(two)); d != "" {
		tb.Fatalf("a byte at a time gives another screen (-whole +bytes):\n%s\ndata %q cuts %v", d, data, cuts)
	}
	if d := cmp.Diff(string(one.TakeReplies(nil)), string(two.TakeReplies(nil))); d != "" {
		tb.Fatalf("replies (-whole +bytes):\n%s", d)
	}
	if d := cmp.Diff(one.TakeEvents(), two.TakeEvents()); d != "" {
		tb.Fatalf("events (-whole +bytes):\n%s", d)
	}
}

// FuzzWrite holds that no bytes, cut or interrupted by resizes in any way,
// make an emulator panic, break its rules or depend on the cuts.
func FuzzWrite(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 30 {
		f.Add(randomStream(r, 60), []byte{byte(r.IntN(256)), byte(r.IntN(256)), 9})
	}
	f.Fuzz(func(t *testing.T, data, cuts []byte) {
		if len(data) > 4096 || len(cuts) > 64 {
			return
		}
		compareChunks(t, data, cuts)
	})
}

// TestRandomStreams is FuzzWrite over streams that are mostly well formed,
// which random bytes seldom are.
func TestRandomStreams(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		cuts := make([]byte, r.IntN(6))
		for i := range cuts {
			cuts[i] = byte(r.IntN(256))
		}
		compareChunks(t, randomStream(r, 80), cuts)
	}
}

// randomStream returns n pieces of what programs write.
func randomStream(r *rand.Rand, n int) []byte {
	var b []byte
	param := func() string {
		return []string{"", "0", "1", "2", "3", "5", "7", "10", "19", "20", "99", "65536", "4294967296"}[r.IntN(13)]
	}
	for range n {
		switch r.IntN(10) {
		case 0, 1, 2:
			b = append(b, []string{"hello world ", "世界", "e\u0301", "👨\u200d👩", "❤\ufe0f", "🇩🇪", "│─", "\ufe0f", "\u200d", "각", "\xe4\xb8", "\xff"}[r.IntN(12)]...)
		case 3:
			b = append(b, "\r\n\b\t\v\x0e\x0f\x07\x18\x1a\x00\x7f"[r.IntN(12)])
		case 4, 5:
			b = append(b, "\x1b["+[]string{"", "", "", "?", ">", "=", "<"}[r.IntN(7)]...)
			for i := range r.IntN(4) {
				if i > 0 {
					b = append(b, ";;:"[r.IntN(3)])
				}
				b = append(b, param()...)
			}
			b = append(b, []string{"", "", "", "", " ", "!", "\"", "$", "'", "#"}[r.IntN(10)]...)
			b = append(b, byte(0x40+r.IntN(63)))
		case 6:
			if r.IntN(4) == 0 { // a rectangle
				small := func() int { return 1 + r.IntN(20) }
				b = fmt.Appendf(b, "\x1b[%d;%d;%d;%d;1;%d;%d;1$%c", small(), small(), small(), small(), small(), small(), "vxz{"[r.IntN(4)])
				continue
			}
			b = append(b, "\x1b["+param()+";"+param()+string("HrsmJKLMPX@STbhlu"[r.IntN(17)])...)
		case 7:
			mode := []string{"1", "3", "5", "6", "7", "25", "45", "47", "69", "1047", "1048", "1049", "2004", "2026", "2048"}[r.IntN(15)]
			b = append(b, "\x1b[?"+mode+string("hl"[r.IntN(2)])...)
		case 8:
			b = append(b, 0x1b, "78DEHMNOcno=>()*#%"[r.IntN(18)], "0345678ABZ"[r.IntN(10)])
		case 9:
			b = append(b, "\x1b]"+[]string{"0;t✳", "8;;http://x", "8;;", "4;1;?", "11;?", "52;c;aGk=", "133;A", "9;4;1;50"}[r.IntN(8)]...)
			b = append(b, []string{"\a", "\x1b\\", "\x18", ""}[r.IntN(4)]...)
		}
	}
	return b
}
