package vt

import "deck/term/screen"

// area is a part of the screen, columns and rows from 0, the last ones
// included.
type area struct{ top, left, bottom, right int }

// area reads top, left, bottom and right from the parameters at i, counted from
// the margins in origin mode; false where there is nothing left of it.
func (e *Emulator) area(s *sequence, i int) (area, bool) {
	page := area{0, 0, e.rows - 1, e.cols - 1}
	if e.cur.origin {
		page = area{e.top, e.left, e.bottom, e.right}
	}
	a := area{
		top:    page.top + s.num(i, 1) - 1,
		left:   page.left + s.num(i+1, 1) - 1,
		bottom: min(page.top+s.num(i+2, e.rows)-1, page.bottom),
		right:  min(page.left+s.num(i+3, e.cols)-1, page.right),
	}
	return a, a.top <= a.bottom && a.left <= a.right
}

// fillArea is DECFRA: a character in the pen's style.
func (e *Emulator) fillArea(s *sequence) {
	c := s.value(0, 0)
	a, ok := e.area(s, 1)
	if !ok || c < 0x20 || c >= 0x7f && c < 0xa0 || c > 0xff {
		return
	}
	cell := screen.Cell{Char: screen.RuneChar(rune(c), false), Style: e.style()}
	for y := a.top; y <= a.bottom; y++ {
		e.edit(y).fill(a.left, a.right+1, cell)
	}
}

// eraseArea is DECERA, and DECSERA where selective.
func (e *Emulator) eraseArea(s *sequence, selective bool) {
	if a, ok := e.area(s, 0); ok {
		for y := a.top; y <= a.bottom; y++ {
			e.eraseCells(y, a.left, a.right+1, selective)
		}
	}
}

// copyArea is DECCRA. There is one page, so the parameters that name pages do
// not matter.
func (e *Emulator) copyArea(s *sequence) {
	from, ok := e.area(s, 0)
	if !ok {
		return
	}
	to, ok := e.area(&sequence{n: 2, params: [maxParams]int32{int32(s.num(5, 1)), int32(s.num(6, 1))}}, 0)
	if !ok {
		return
	}
	h := min(from.bottom-from.top, to.bottom-to.top) + 1
	w := min(from.right-from.left, to.right-to.left) + 1
	for i := range h {
		src, dst := e.edit(from.top+i), e.edit(to.top+i)
		src.cut(from.left)
		src.cut(from.left + w)
		dst.cut(to.left)
		dst.cut(to.left + w)
	}
	for i := range h {
		if to.top > from.top {
			i = h - 1 - i // what is still to be copied is not written over
		}
		src, dst := e.buf.grid.row(from.top+i), e.buf.grid.row(to.top+i)
		copy(dst.cells[to.left:to.left+w], src.cells[from.left:from.left+w])
		dst.used = max(dst.used, to.left+w)
		dst.wrapped = dst.wrapped && to.left+w < e.cols
	}
}
