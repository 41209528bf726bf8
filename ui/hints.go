package ui

import (
	"deck/term/layout"

	"github.com/clipperhouse/displaywidth"
)

// hints draws keys with what they do, as many as fit into a row. The last one,
// which closes, is there before any other.
func (p pen) hints(r layout.Rect, list [][2]string) {
	width := func(h [2]string) int { return displaywidth.String(h[0] + " " + h[1]) }
	x, end := r.X, r.X+r.W
	for i, h := range list {
		rest := 0
		if last := len(list) - 1; i < last {
			rest = width(list[last]) + 2
		}
		if width(h)+rest > end-x {
			continue
		}
		x += p.text(x, r.Y, end-x, h[0], lookKey) + 1
		x += p.text(x, r.Y, end-x, h[1], lookPlain) + 2
	}
}
