package vt

import "deck/term/screen"

// grid is a screen's rows. They lie in a ring, so that scrolling the whole
// screen moves nothing.
type grid struct {
	cols   int
	ring   []*row
	head   int    // where row 0 is
	allGen uint64 // of the newest change to all rows at once
	tmp    []*row // scratch of scrolls
}

// newGrid returns a blank grid. All cells are one allocation: a grid lives and
// dies as a whole.
func newGrid(cols, rows int) *grid {
	g := &grid{cols: cols, ring: make([]*row, rows)}
	cells := make([]screen.Cell, cols*rows)
	all := make([]row, rows)
	for y := range g.ring {
		all[y].cells = cells[y*cols : (y+1)*cols : (y+1)*cols]
		g.ring[y] = &all[y]
	}
	return g
}

func (g *grid) row(y int) *row {
	y += g.head
	if y >= len(g.ring) {
		y -= len(g.ring)
	}
	return g.ring[y]
}

// setRow puts another row at y; whoever moves rows sees to it that each is in
// the ring once.
func (g *grid) setRow(y int, r *row) { g.ring[(g.head+y)%len(g.ring)] = r }

// scrollUp moves rows top to bottom, inclusive, up by n; the n new ones are
// fill.
func (g *grid) scrollUp(top, bottom, n int, fill screen.Cell, gen uint64) {
	n = min(n, bottom-top+1)
	if top == 0 && bottom == len(g.ring)-1 {
		for range n {
			g.row(0).clear(fill)
			g.head = (g.head + 1) % len(g.ring)
		}
		g.allGen = gen
		return
	}
	g.tmp = g.tmp[:0]
	for y := top; y < top+n; y++ {
		g.tmp = append(g.tmp, g.row(y))
	}
	for y := top + n; y <= bottom; y++ {
		r := g.row(y)
		r.gen = gen
		g.setRow(y-n, r)
	}
	for i, r := range g.tmp {
		r.clear(fill)
		r.gen = gen
		g.setRow(bottom-n+1+i, r)
	}
	if top > 0 {
		g.row(top - 1).wrapped = false
	}
}

// scrollDown moves rows top to bottom, inclusive, down by n.
func (g *grid) scrollDown(top, bottom, n int, fill screen.Cell, gen uint64) {
	n = min(n, bottom-top+1)
	g.tmp = g.tmp[:0]
	for y := bottom - n + 1; y <= bottom; y++ {
		g.tmp = append(g.tmp, g.row(y))
	}
	for y := bottom - n; y >= top; y-- {
		r := g.row(y)
		r.gen = gen
		g.setRow(y+n, r)
	}
	for i, r := range g.tmp {
		r.clear(fill)
		r.gen = gen
		g.setRow(top+i, r)
	}
	g.row(bottom).wrapped = false
	if top > 0 {
		g.row(top - 1).wrapped = false
	}
}

// scrollPart moves the cells of columns left to right, exclusive, up by n rows
// within rows top to bottom, inclusive; down where n is negative.
func (g *grid) scrollPart(top, bottom, left, right, n int, fill screen.Cell, gen uint64) {
	h := bottom - top + 1
	n = max(-h, min(n, h))
	for i := range h {
		y := top + i
		if n < 0 {
			y = bottom - i
		}
		r := g.row(y)
		r.gen = gen
		r.cut(left)
		r.cut(right)
		from := y + n
		if from < top || from > bottom {
			r.fill(left, right, fill)
			continue
		}
		s := g.row(from)
		s.cut(left)
		s.cut(right)
		copy(r.cells[left:right], s.cells[left:right])
		r.used = max(r.used, min(right, s.used))
		r.wrapped = false
	}
}

// lastText returns the last row that shows something, -1 where none does.
func (g *grid) lastText() int {
	for y := len(g.ring) - 1; y >= 0; y-- {
		if !g.row(y).empty() {
			return y
		}
	}
	return -1
}
