package ui

import (
	"strings"
	"testing"

	"deck/term/screen"
)

// BenchmarkKey is a frame in which one row of one pane changed.
func BenchmarkKey(b *testing.B) {
	w := newWorld(b, 200, 50, threePanes(), Settings{})
	c := screen.NewCanvas(200, 50)
	w.Draw(c)
	s := w.host.screens["p1"]
	b.ReportAllocs()
	for b.Loop() {
		s.gen++
		s.lines[2].gen = s.gen
		w.Update(RowsMsg{})
		w.Draw(c)
	}
}

// BenchmarkState is a frame after a new state that changes nothing but a
// title.
func BenchmarkState(b *testing.B) {
	w := newWorld(b, 200, 50, everyState(), Settings{})
	c := screen.NewCanvas(200, 50)
	s := everyState()
	b.ReportAllocs()
	for b.Loop() {
		w.Update(StateMsg{s})
		w.Draw(c)
	}
}

// BenchmarkOverlay is a frame of a pane behind an open box.
func BenchmarkOverlay(b *testing.B) {
	w := newWorld(b, 200, 50, threePanes(), Settings{}).press("C-a", "?")
	c := screen.NewCanvas(200, 50)
	b.ReportAllocs()
	for b.Loop() {
		w.host.screens["p1"].gen++
		w.Draw(c)
	}
}

// BenchmarkSearch looks for a word in 10 000 lines.
func BenchmarkSearch(b *testing.B) {
	w := newWorld(b, 200, 50, oneShell(), Settings{})
	s := newFakeScreen(173, 46)
	line := newFakeScreen(173, 46, strings.Repeat("lorem ipsum ", 8)).lines[0]
	for range 10000 {
		s.lines = append(s.lines, line)
	}
	w.host.screens["p1"] = s
	s.gen++
	w.draw()
	w.press("C-a", "[")
	e, scr, _ := w.extent()
	w.copying.search.query = "ipsum l"
	b.ReportAllocs()
	for b.Loop() {
		w.copying.search.find(e, scr)
	}
}

// TestAKeyAllocatesNothing holds what BenchmarkKey measures.
func TestAKeyAllocatesNothing(t *testing.T) {
	w := newWorld(t, 200, 50, threePanes(), Settings{})
	c := screen.NewCanvas(200, 50)
	w.Draw(c)
	s := w.host.screens["p1"]
	n := testing.AllocsPerRun(100, func() {
		s.gen++
		s.lines[2].gen = s.gen
		w.Draw(c)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
