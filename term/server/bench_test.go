package server

import (
	"context"
	"testing"

	"deck/term/layout"
)

// BenchmarkFlush is what one change among a hundred panes costs the loop.
func BenchmarkFlush(b *testing.B) {
	l := testLoop(b)
	join(b, l)
	for range 99 {
		open(b, l, "sleep 1000")
	}
	id := layout.PaneID(panesOf(b, l)[50].ID)
	n := 0
	for b.Loop() {
		_, err := call(context.Background(), l, func() (int, error) {
			n++
			l.panes[id].title = string(rune('a' + n%26))
			l.change(l.panes[id])
			l.flush()
			return 0, nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
