package vt

import "deck/term/screen"

// fullWidth reports whether the left and right margins are the screen's edges.
func (e *Emulator) fullWidth() bool { return e.left == 0 && e.right == e.cols-1 }

// scrollUp scrolls the margins' rectangle up. Rows that leave the top of the
// main screen go into the history, also from a region that does not reach the
// bottom: programs keep a status line that way.
func (e *Emulator) scrollUp(n int) {
	e.changed = true
	n = min(n, e.bottom-e.top+1)
	g := e.buf.grid
	if !e.fullWidth() {
		g.scrollPart(e.top, e.bottom, e.left, e.right+1, n, e.erase(), e.next)
		return
	}
	if e.top == 0 && e.buf == &e.main {
		for y := range n {
			e.history.push(g.row(y))
		}
	}
	g.scrollUp(e.top, e.bottom, n, e.erase(), e.next)
}

func (e *Emulator) scrollDown(n int) { e.scrollRows(e.top, -n) }

// scrollRows scrolls the rows from top to the bottom margin up by n without
// giving any to the history; down where n is negative.
func (e *Emulator) scrollRows(top, n int) {
	e.changed = true
	g := e.buf.grid
	switch {
	case !e.fullWidth():
		g.scrollPart(top, e.bottom, e.left, e.right+1, n, e.erase(), e.next)
	case n > 0:
		g.scrollUp(top, e.bottom, n, e.erase(), e.next)
	default:
		g.scrollDown(top, e.bottom, -n, e.erase(), e.next)
	}
}

// insertLines is IL, deleteLines DL: nothing outside the margins. The cursor
// goes to the left margin.
func (e *Emulator) insertLines(n int) { e.shiftLines(-n) }
func (e *Emulator) deleteLines(n int) { e.shiftLines(n) }

func (e *Emulator) shiftLines(n int) {
	if !e.insideMargins() {
		return
	}
	e.scrollRows(e.cur.y, n)
	e.carriageReturn()
}

// insertChars is ICH, deleteChars DCH: nothing beyond the left and right
// margins; those at the top and bottom do not matter.
func (e *Emulator) insertChars(n int) {
	if e.insideColumns() {
		e.edit(e.cur.y).insert(e.cur.x, e.right+1, n, e.erase())
		e.cur.wrap = false
	}
}

func (e *Emulator) deleteChars(n int) {
	if e.insideColumns() {
		e.edit(e.cur.y).remove(e.cur.x, e.right+1, n, e.erase())
		e.cur.wrap = false
	}
}

// insertColumns is DECIC, deleteColumns DECDC: at the cursor's column in all
// rows of the margins.
func (e *Emulator) insertColumns(n int) { e.eachColumnRow((*row).insert, e.cur.x, n) }
func (e *Emulator) deleteColumns(n int) { e.eachColumnRow((*row).remove, e.cur.x, n) }

// scrollSideways is SL, or SR for a negative n.
func (e *Emulator) scrollSideways(n int) {
	if n < 0 {
		e.eachColumnRow((*row).insert, e.left, -n)
	} else {
		e.eachColumnRow((*row).remove, e.left, n)
	}
}

func (e *Emulator) eachColumnRow(f func(r *row, x, end, n int, fill screen.Cell), x, n int) {
	if !e.insideMargins() {
		return
	}
	for y := e.top; y <= e.bottom; y++ {
		f(e.edit(y), x, e.right+1, n, e.erase())
	}
}
