package vt

import "deck/term/screen"

// eraseDisplay is ED, and DECSED where selective.
func (e *Emulator) eraseDisplay(n int, selective bool) {
	x, y := e.cur.x, e.cur.y
	switch n {
	case 0:
		e.eraseCells(y, x, e.cols, selective)
		e.eraseWhole(y+1, e.rows, selective)
	case 1:
		e.eraseWhole(0, y, selective)
		e.eraseCells(y, 0, x+1, selective)
	case 2:
		e.eraseWhole(0, e.rows, selective)
	case 3:
		if !selective {
			e.history.clear()
			e.changed = true
		}
	default:
		return
	}
	e.cur.wrap = false
}

// eraseLine is EL, and DECSEL where selective. It ends a pending wrap, and
// erases the last column then, as xterm does. A line of double width stays one.
func (e *Emulator) eraseLine(n int, selective bool) {
	double := e.double && e.buf.grid.row(e.cur.y).double
	switch n {
	case 0:
		e.eraseCells(e.cur.y, e.cur.x, e.cols, selective)
	case 1:
		e.eraseCells(e.cur.y, 0, e.cur.x+1, selective)
	case 2:
		e.eraseCells(e.cur.y, 0, e.cols, selective)
	default:
		return
	}
	if double {
		e.buf.grid.row(e.cur.y).double = true
	}
	e.cur.wrap = false
}

func (e *Emulator) eraseChars(n int) {
	e.eraseCells(e.cur.y, e.cur.x, min(e.cur.x+n, e.cols), false)
	e.cur.wrap = false
}

// eraseScreen erases all of the active screen.
func (e *Emulator) eraseScreen() { e.eraseWhole(0, e.rows, false) }

// eraseWhole erases rows y0 to y1, exclusive.
func (e *Emulator) eraseWhole(y0, y1 int, selective bool) {
	for y := y0; y < y1; y++ {
		e.eraseCells(y, 0, e.cols, selective)
	}
}

// eraseCells erases columns x0 to x1, exclusive, of a row. A row erased from
// its beginning is no longer what the one above goes on in.
func (e *Emulator) eraseCells(y, x0, x1 int, selective bool) {
	r := e.edit(y)
	switch {
	case selective:
		e.eraseUnprotected(r, x0, x1)
		return
	case x0 == 0 && x1 == e.cols:
		r.clear(e.erase())
	default:
		r.fill(x0, x1, e.erase())
	}
	if x0 == 0 && x1 == e.cols && y > 0 {
		e.buf.grid.row(y - 1).wrapped = false
	}
}

func (e *Emulator) eraseUnprotected(r *row, x0, x1 int) {
	for x := x0; x < x1; x++ {
		if e.table.Style(r.cells[x].Style).Attr&screen.Protected == 0 {
			r.fill(x, x+1, screen.Cell{})
		}
	}
}

// alignment is DECALN: the screen full of E.
func (e *Emulator) alignment() {
	e.resetMargins()
	e.cur.origin = false
	e.allSingle()
	e.moveTo(0, 0)
	for y := range e.rows {
		r := e.edit(y)
		r.fill(0, e.cols, screen.Cell{Char: screen.RuneChar('E', false)})
	}
}

// protect is DECSCA.
func (e *Emulator) protect(s *sequence) {
	switch s.value(0, 0) {
	case 0, 2:
		e.cur.pen.Attr &^= screen.Protected
	case 1:
		e.cur.pen.Attr |= screen.Protected
	}
	e.penChanged()
}
