package vt

import "deck/term/screen"

// cursor is the cursor and everything that DECSC saves with it.
type cursor struct {
	x, y   int
	wrap   bool // the last column was written; the next character wraps first
	origin bool // DECOM
	gl     uint8
	sets   [4]charset
	pen    screen.Style
}

// saveCursor is DECSC. A hyperlink is not part of what is saved.
func (e *Emulator) saveCursor() {
	e.buf.saved = e.cur
	e.buf.saved.pen.Link = 0
}

// restoreCursor is DECRC; without a DECSC it goes home with everything reset.
func (e *Emulator) restoreCursor() {
	link := e.cur.pen.Link
	e.cur = e.buf.saved
	e.cur.pen.Link = link
	e.penChanged()
	e.clampCursor()
}

func (e *Emulator) clampCursor() {
	c := &e.cur
	if c.x >= e.cols {
		c.x, c.wrap = e.cols-1, false
	}
	c.y = min(c.y, e.rows-1)
	if e.double {
		e.intoDouble()
	}
}

// moveTo puts the cursor at a column and row, counted from 0 and from the
// margins in origin mode.
func (e *Emulator) moveTo(x, y int) {
	left, right, top, bottom := 0, e.cols-1, 0, e.rows-1
	if e.cur.origin {
		left, right, top, bottom = e.left, e.right, e.top, e.bottom
	}
	e.cur.x = min(left+x, right)
	e.cur.y = min(top+y, bottom)
	e.cur.wrap = false
	if e.double {
		e.intoDouble()
	}
}

// column and line return the cursor's position as reports give it, from 1.
func (e *Emulator) column() int {
	if e.cur.origin {
		return max(e.cur.x-e.left, 0) + 1
	}
	return e.cur.x + 1
}

func (e *Emulator) line() int {
	if e.cur.origin {
		return max(e.cur.y-e.top, 0) + 1
	}
	return e.cur.y + 1
}

func (e *Emulator) up(n int) {
	top := 0
	if e.cur.y >= e.top {
		top = e.top
	}
	e.cur.y, e.cur.wrap = max(e.cur.y-n, top), false
	if e.double {
		e.intoDouble()
	}
}

func (e *Emulator) down(n int) {
	bottom := e.rows - 1
	if e.cur.y <= e.bottom {
		bottom = e.bottom
	}
	e.cur.y, e.cur.wrap = min(e.cur.y+n, bottom), false
	if e.double {
		e.intoDouble()
	}
}

func (e *Emulator) forward(n int) {
	e.cur.x, e.cur.wrap = min(e.cur.x+n, e.rightEdge()), false
}

func (e *Emulator) back(n int) {
	e.cur.x, e.cur.wrap = max(e.cur.x-n, e.leftEdge()), false
}

// rightEdge is where text wraps: the right margin, or the last column for a
// cursor beyond it.
func (e *Emulator) rightEdge() int {
	if e.double || e.cur.x > e.right {
		return e.farEdge()
	}
	return e.right
}

func (e *Emulator) leftEdge() int {
	if e.cur.x >= e.left {
		return e.left
	}
	return 0
}

// insideColumns reports whether the cursor is within the left and right
// margins, insideMargins whether it is where scrolling happens.
func (e *Emulator) insideColumns() bool { return e.cur.x >= e.left && e.cur.x <= e.right }

func (e *Emulator) insideMargins() bool {
	return e.cur.y >= e.top && e.cur.y <= e.bottom && e.insideColumns()
}

func (e *Emulator) carriageReturn() { e.cur.x, e.cur.wrap = e.leftEdge(), false }

// index moves the cursor down and scrolls at the bottom margin.
func (e *Emulator) index() {
	e.cur.wrap = false
	switch {
	case e.cur.y == e.bottom:
		if e.insideColumns() {
			e.scrollUp(1)
		}
	case e.cur.y < e.rows-1:
		e.cur.y++
	}
	if e.double {
		e.intoDouble()
	}
}

// reverseIndex moves the cursor up and scrolls at the top margin.
func (e *Emulator) reverseIndex() {
	e.cur.wrap = false
	switch {
	case e.cur.y == e.top:
		if e.insideColumns() {
			e.scrollDown(1)
		}
	case e.cur.y > 0:
		e.cur.y--
	}
	if e.double {
		e.intoDouble()
	}
}

// backspace moves left, and with reverse wraparound from the left edge to the
// end of the row above.
func (e *Emulator) backspace() {
	if e.cur.x == e.leftEdge() && e.mode(modeReverseWrap) && e.mode(modeWrap) && e.cur.y > 0 {
		e.cur.y, e.cur.x, e.cur.wrap = e.cur.y-1, e.right, false
		if e.double {
			e.intoDouble()
		}
		return
	}
	e.back(1)
}
