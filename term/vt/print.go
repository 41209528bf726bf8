package vt

import (
	"bytes"
	"unicode/utf8"

	"deck/term/screen"
)

// maxCluster bounds a grapheme cluster, in bytes; further marks are dropped.
const maxCluster = 64

// text prints a run of printable ASCII.
func (e *Emulator) text(run []byte) {
	if e.single != 0 || e.cur.sets[e.cur.gl] != asciiSet || e.mode(modeInsert) {
		for _, b := range run {
			e.printByte(b)
		}
		return
	}
	e.ascii(run)
}

// ascii prints a run of ASCII as it is.
func (e *Emulator) ascii(run []byte) {
	style := e.style()
	e.last = screen.Char(run[len(run)-1])
	e.fresh = true
	for len(run) > 0 {
		if e.cur.wrap {
			e.wrapLine()
		}
		r, x, right := e.edit(e.cur.y), e.cur.x, e.rightEdge()
		n := min(len(run), right-x+1)
		r.ascii(x, run[:n], style)
		run = run[n:]
		e.advance(r, x+n, right)
		if x == right && !e.cur.wrap && len(run) > 1 {
			run = run[len(run)-1:] // without autowrap only the last one stays
		}
	}
}

// printByte prints one printable ASCII byte through the character sets.
func (e *Emulator) printByte(b byte) {
	set := e.cur.sets[e.cur.gl]
	if e.single != 0 {
		set = e.cur.sets[e.single]
		e.single = 0
	}
	r := set.rune(b)
	e.place(screen.RuneChar(r, false), 1)
	e.fresh = true
}

// char prints any other character.
func (e *Emulator) char(r rune) {
	e.single = 0
	p := propsOf(r)
	w := p.width()
	if p&extends != 0 && (e.fresh || w == 0) || p&mayJoin != 0 && e.fresh {
		if e.join(r, p) {
			return
		}
	}
	if w == 0 {
		return
	}
	e.place(screen.RuneChar(r, w == 2), w)
	e.fresh = true
}

// advance moves the cursor to column x after writing, or to the pending wrap
// where that is beyond the right edge.
func (e *Emulator) advance(r *row, x, right int) {
	if x <= right {
		e.cur.x = x
		return
	}
	e.cur.x = right
	e.cur.wrap = e.mode(modeWrap)
	if right == e.cols-1 {
		r.wrapped = false
	}
}

// wrapLine goes to the beginning of the next row because text goes on there.
func (e *Emulator) wrapLine() {
	if r := e.edit(e.cur.y); e.left == 0 && e.right == e.cols-1 {
		r.wrapped = !r.double
	}
	e.cur.x = e.leftEdge()
	e.index()
}

// place writes a character of w columns at the cursor.
func (e *Emulator) place(c screen.Char, w int) {
	if e.cur.wrap {
		e.wrapLine()
	}
	right := e.rightEdge()
	if w == 2 && e.cur.x == right {
		if right == e.leftEdge() || !e.mode(modeWrap) {
			return
		}
		e.edit(e.cur.y).fill(right, right+1, screen.Cell{})
		e.wrapLine()
		right = e.rightEdge()
	}
	r := e.edit(e.cur.y)
	if e.mode(modeInsert) {
		r.insert(e.cur.x, right+1, w, screen.Cell{})
	}
	r.put(e.cur.x, w, screen.Cell{Char: c, Style: e.style()})
	e.last = c
	e.advance(r, e.cur.x+w, right)
}

// join adds r to the character before the cursor where it belongs to it, and
// reports whether it did; a mark with nothing to sit on is dropped.
func (e *Emulator) join(r rune, p props) bool {
	x, y := e.cur.x, e.cur.y
	if !e.cur.wrap {
		x--
	}
	if x < 0 {
		return p&extends != 0 && p.width() == 0
	}
	rw := e.buf.grid.row(y)
	if rw.cells[x].Char == screen.Tail && x > 0 {
		x--
	}
	cell := rw.cells[x]
	if p&mayJoin != 0 && !takesJoins(cell.Char) {
		return false
	}
	b := append(e.cluster[:0], e.table.Text(cell.Char)...)
	old := len(b)
	b = utf8.AppendRune(b, r)
	e.cluster = b
	if p&mayJoin != 0 && !joinsBytes(b) {
		return false
	}
	if old+utf8.RuneLen(r) > maxCluster {
		return true
	}
	w := cell.Char.Width()
	now := w
	if e.fresh {
		now = clusterWidth(b, r, w)
	}
	rw = e.edit(y)
	rw.used = max(rw.used, x+1)
	rw.cells[x].Char = e.table.ClusterBytes(b, w == 2)
	e.last = rw.cells[x].Char
	switch {
	case now > w:
		e.widen(rw, x)
	case now < w:
		e.narrow(rw, x)
	}
	return true
}

// takesJoins reports whether a rune that may join can join c: c must be a
// cluster or such a rune itself.
func takesJoins(c screen.Char) bool {
	r, single := c.Rune()
	return c != screen.Blank && (!single || propsOf(r)&mayJoin != 0)
}

// widen gives the character just written at column x, the last before the
// cursor, a second column.
func (e *Emulator) widen(r *row, x int) {
	cell := r.cells[x]
	wide := cell.Char.WithWidth(2)
	right := e.rightEdge()
	if x < right {
		if e.mode(modeInsert) {
			r.insert(x+1, right+1, 1, screen.Cell{})
		}
		r.put(x, 2, screen.Cell{Char: wide, Style: cell.Style})
		e.last, e.cur.wrap = wide, false
		e.advance(r, x+2, right)
		return
	}
	if !e.mode(modeWrap) || right == e.leftEdge() {
		return
	}
	r.fill(x, x+1, screen.Cell{})
	e.wrapLine()
	r = e.edit(e.cur.y)
	r.put(e.cur.x, 2, screen.Cell{Char: wide, Style: cell.Style})
	e.last = wide
	e.advance(r, e.cur.x+2, e.rightEdge())
}

// narrow takes the second column from the character at column x.
func (e *Emulator) narrow(r *row, x int) {
	r.cells[x].Char = r.cells[x].Char.WithWidth(1)
	r.cells[x+1] = screen.Cell{}
	e.last = r.cells[x].Char
	e.cur.x, e.cur.wrap = x+1, false
}

// repeat is REP: the last character again, n times, at most a screenful.
func (e *Emulator) repeat(s *sequence) {
	if e.last == screen.Blank {
		return
	}
	n := min(s.num(0, 1), e.cols*e.rows)
	if e.last < 0x7f && !e.mode(modeInsert) {
		run := bytes.Repeat([]byte{byte(e.last)}, min(n, e.cols))
		for ; n > 0; n -= len(run) {
			e.ascii(run[:min(n, len(run))])
		}
		return
	}
	w := e.last.Width()
	for ; n > 0; n-- {
		e.place(e.last, w)
	}
	e.fresh = true
}
