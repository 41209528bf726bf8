package vt

import "deck/term/screen"

// row is one line of a grid.
type row struct {
	cells []screen.Cell
	// used is a column from which on all cells are plain blanks: what makes
	// clearing and packing short lines cheap.
	used    int
	wrapped bool   // the text goes on in the next row
	double  bool   // of double width: only the left half is in use
	gen     uint64 // of the newest change
}

// cut blanks both halves of a wide character that lies across the border
// between columns x-1 and x.
func (r *row) cut(x int) {
	if x > 0 && x < len(r.cells) && r.cells[x].Char == screen.Tail {
		r.cells[x-1] = screen.Cell{}
		r.cells[x] = screen.Cell{}
	}
}

// clear makes the whole row fill.
func (r *row) clear(fill screen.Cell) {
	r.wrapped, r.double = false, false
	if fill == (screen.Cell{}) {
		clear(r.cells[:r.used])
		r.used = 0
		return
	}
	for i := range r.cells {
		r.cells[i] = fill
	}
	r.used = len(r.cells)
}

// fill sets columns x0 to x1, exclusive.
func (r *row) fill(x0, x1 int, c screen.Cell) {
	if x0 >= x1 {
		return
	}
	r.cut(x0)
	r.cut(x1)
	r.set(x0, x1, c)
}

// set is fill where no wide character lies across the borders.
func (r *row) set(x0, x1 int, c screen.Cell) {
	for i := x0; i < x1; i++ {
		r.cells[i] = c
	}
	switch {
	case c != (screen.Cell{}):
		r.used = max(r.used, x1)
	case x1 >= r.used:
		r.used = min(r.used, x0)
	}
	if x1 == len(r.cells) {
		r.wrapped = false
	}
}

// ascii writes printable ASCII at column x; it must fit.
func (r *row) ascii(x int, run []byte, style screen.StyleID) {
	end := x + len(run)
	r.cut(x)
	r.cut(end)
	cells := r.cells[x:end]
	for i, c := range run[:len(cells)] {
		cells[i] = screen.Cell{Char: screen.Char(c), Style: style}
	}
	r.used = max(r.used, end)
}

// put writes one character of w columns at column x; it must fit.
func (r *row) put(x, w int, c screen.Cell) {
	r.cut(x)
	r.cut(x + w)
	r.cells[x] = c
	if w == 2 {
		r.cells[x+1] = screen.Cell{Char: screen.Tail, Style: c.Style}
	}
	r.used = max(r.used, x+w)
}

// insert moves the cells from column x to end, exclusive, n columns right.
func (r *row) insert(x, end, n int, fill screen.Cell) {
	n = min(n, end-x)
	if n <= 0 {
		return
	}
	r.cut(x)
	r.cut(end)
	r.cut(end - n)
	copy(r.cells[x+n:end], r.cells[x:end-n])
	r.used = max(r.used, min(end, r.used+n))
	r.set(x, x+n, fill)
	r.wrapped = r.wrapped && end < len(r.cells)
}

// remove moves the cells after the n columns at x left, up to end, exclusive.
func (r *row) remove(x, end, n int, fill screen.Cell) {
	n = min(n, end-x)
	if n <= 0 {
		return
	}
	r.cut(x)
	r.cut(end)
	r.cut(x + n)
	copy(r.cells[x:end-n], r.cells[x+n:end])
	r.set(end-n, end, fill)
	r.wrapped = r.wrapped && end < len(r.cells)
}

// empty reports whether the row shows nothing at all, not even a background.
func (r *row) empty() bool {
	for _, c := range r.cells[:r.used] {
		if c != (screen.Cell{}) {
			return false
		}
	}
	return true
}
