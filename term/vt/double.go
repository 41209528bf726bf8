package vt

import "deck/term/screen"

// A line of double width has half as many columns, and text wraps there. Its
// characters are kept and drawn in single columns: neither can a pane be sure
// of a terminal that draws large ones, nor could a reader search in text that
// is spread out. A line of double height is one of double width; programs write
// its text twice, for the upper and the lower half.

// half is the last column of a line of double width.
func (e *Emulator) half() int { return max(e.cols/2-1, 0) }

// farEdge is rightEdge for a cursor beyond the margin, and where there may be
// lines of double width.
func (e *Emulator) farEdge() int {
	switch {
	case e.double && e.buf.grid.row(e.cur.y).double:
		return max(e.half(), e.cur.x)
	case e.cur.x <= e.right:
		return e.right
	}
	return e.cols - 1
}

// doubleLine is DECDWL, DECDHL and, off, DECSWL. There is none of double width
// between left and right margins.
func (e *Emulator) doubleLine(on bool) {
	if e.mode(modeMargins) {
		return
	}
	r := e.edit(e.cur.y)
	r.double = on
	if on {
		e.double = true
		r.fill(e.half()+1, e.cols, screen.Cell{})
		r.wrapped = false
		e.intoDouble()
	}
}

// allSingle makes all lines of the active screen single.
func (e *Emulator) allSingle() {
	if !e.double {
		return
	}
	for y := range e.rows {
		e.buf.grid.row(y).double = false
	}
}

// intoDouble keeps a cursor that comes to a line of double width within it.
func (e *Emulator) intoDouble() {
	if e.cur.x > e.half() && e.buf.grid.row(e.cur.y).double {
		e.cur.x, e.cur.wrap = e.half(), false
	}
}
