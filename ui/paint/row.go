package paint

import (
	"unicode/utf8"

	"deck/term/screen"
)

// drawRow writes what differs in row y.
func (p *Painter) drawRow(y int) {
	p.shiftRow(y)
	shown, want := p.shownRow(y), p.wantRow(y)
	for x := p.left[y]; x <= p.right[y]; {
		if shown[x] == want[x] {
			x++
			continue
		}
		if want[x].Char == screen.Tail && x > 0 {
			x--
		}
		n := p.drawRun(y, x)
		copy(shown[x:x+n], want[x:x+n])
		x += n
	}
}

// drawRun writes cells from x on, which differs, and returns how many.
func (p *Painter) drawRun(y, x int) int {
	shown, want := p.shownRow(y), p.wantRow(y)
	c := want[x]
	// same counts the cells like c, need those of them up to the last that
	// differs.
	same, need := 1, 1
	for x+same < p.w && want[x+same] == c {
		if same++; shown[x+same-1] != c {
			need = same
		}
	}
	if c.Char == screen.Blank && p.tr.erasable(c.Style) {
		return p.drawBlank(y, x, same, need)
	}
	if p.risky(c.Char, x) {
		p.widen()
	}
	p.to(x, y)
	p.setPen(c.Style)
	p.char(c.Char)
	if n := p.repeat(c.Char, need); n > 1 {
		return n
	}
	return c.Char.Width()
}

// risky reports whether a character at column x could end up elsewhere because
// of the right margin.
func (p *Painter) risky(c screen.Char, x int) bool {
	r := p.region.right
	return r < p.w-1 && x <= r && x+c.Width() > r && (c.Wide() || doubtful(c) || joins(c))
}

// repeat writes the rest of n equal characters, of which the first one was
// written, as one REP, if that is shorter, and returns how many there are then.
// It stops at the right margin.
func (p *Painter) repeat(c screen.Char, n int) int {
	if p.x >= 0 {
		n = min(n, p.edge(p.x)-p.x+2)
	}
	if p.x < 0 || !p.prof.Repeat || c >= 0x7f || n-1 <= costN(n-1) {
		return 1
	}
	p.csi(n-1, 'b')
	p.advance(n - 1)
	return n
}

// drawBlank writes blanks that an erase can leave: same of them, of which need
// must be written.
func (p *Painter) drawBlank(y, x, same, need int) int {
	bg := p.tr.own.Style(p.wantRow(y)[x].Style).Bg
	can := bg.IsDefault() || p.prof.BCE
	toEnd := x+same == p.w
	// After an erase the cursor stays: going on beyond it costs a move.
	least := costN(need)
	if x+need <= p.right[y] {
		least += 3
	}
	switch {
	case can && toEnd && need > 3: // the length of an EL
		p.to(x, y)
		p.blankPen(bg)
		p.buf = append(p.buf, "\x1b[K"...)
		return same
	case can && p.prof.Erase && need > least:
		p.to(x, y)
		p.blankPen(bg)
		p.csi(need, 'X')
		return need
	}
	p.to(x, y)
	p.blankPen(bg)
	p.buf = append(p.buf, ' ')
	p.advance(1)
	if n := p.repeat(' ', need); n > 1 {
		return n
	}
	return 1
}

// to takes the cursor to x, y to draw there: over a short gap by writing what
// is there already, where that is no longer than moving.
func (p *Painter) to(x, y int) {
	if p.y == y && p.x >= 0 && p.x < x && x-p.x < 8 && x <= p.edge(p.x) &&
		p.overwrite(p.wantRow(y)[p.x:x], p.costH(p.x, y, x)) {
		return
	}
	p.move(x, y)
}

// overwrite writes cells again that are as they should be, if the pen is right
// and it takes at most the given number of bytes.
func (p *Painter) overwrite(cells []screen.Cell, most int) bool {
	n := 0
	for _, c := range cells {
		r, ok := c.Char.Rune()
		if c.Char == screen.Blank {
			r, ok = ' ', p.blankInk(c.Style)
		} else if c.Style != p.penID {
			ok = false
		}
		if n += utf8.RuneLen(r); !ok || n > most || c.Char.Wide() || doubtful(c.Char) || joins(c.Char) {
			return false
		}
	}
	for _, c := range cells {
		p.char(c.Char)
	}
	return true
}

// blankInk reports whether a blank in style id can be drawn with the pen as it
// is.
func (p *Painter) blankInk(id screen.StyleID) bool {
	return id == p.penID || p.pen.Attr&onBlank == 0 && p.pen.Underline == screen.NoUnderline &&
		p.tr.own.Style(id) == screen.Style{Bg: p.pen.Bg, Link: p.pen.Link}
}

// char writes one character at the cursor.
func (p *Painter) char(c screen.Char) {
	switch r, ok := c.Rune(); {
	case c == screen.Blank:
		p.buf = append(p.buf, ' ')
	case ok && r < utf8.RuneSelf:
		p.buf = append(p.buf, byte(r))
	case ok:
		p.buf = utf8.AppendRune(p.buf, r)
	default:
		p.cluster(p.tr.own.Text(c), c.Width())
	}
	p.advance(c.Width())
	if joins(c) || !p.prof.Grapheme && doubtful(c) {
		p.x = -1
	}
}

// cluster writes a grapheme cluster. In the last column, without autowrap, the
// cursor does not move past the base, and some terminals (tmux, for one) would
// put its marks on the cell before.
func (p *Painter) cluster(text string, width int) {
	if p.x+width < p.w || !marked(text) {
		p.buf = append(p.buf, text...)
		return
	}
	p.buf = append(p.buf, autowrap...)
	p.buf = append(p.buf, text...)
	p.buf = append(p.buf, noAutowrap...)
}

// advance moves the known cursor n columns on. In the last column, and at the
// right margin, terminals differ in where it is then.
func (p *Painter) advance(n int) {
	if p.x < 0 {
		return
	}
	edge := p.edge(p.x)
	if p.x += n; p.x > edge {
		p.x = -1
	}
}

// shiftRow moves a part of row y to the left or to the right where most of it
// only moved: with ICH and DCH, the second one taking back what the first one
// did to the rest of the row.
func (p *Painter) shiftRow(y int) {
	l, r := p.left[y], p.right[y]
	if !p.prof.Erase || r-l < 24 {
		return
	}
	shown, want := p.shownRow(y), p.wantRow(y)
	differing := 0
	for x := l; x <= r; x++ {
		if shown[x] != want[x] {
			differing++
		}
	}
	// Only a move of all that differs is looked for: what is typed or deleted
	// in the middle of a line.
	for k := 1; k <= 8 && differing > k+20; k++ {
		switch {
		case equal(want[l+k:r+1], shown[l:r+1-k]) && p.whole(shown, l, r-k+1, r+1):
			p.insertCells(y, l, r, k)
		case equal(want[l:r+1-k], shown[l+k:r+1]) && p.whole(shown, l, l+k, r+1):
			p.deleteCells(y, l, r, k)
		default:
			continue
		}
		p.extent(y)
		return
	}
}

// whole reports whether no wide character is cut at any of the columns, and
// none whose width is doubtful lies between the first and the last.
func (p *Painter) whole(row []screen.Cell, at ...int) bool {
	for _, x := range at {
		if x < len(row) && row[x].Char == screen.Tail {
			return false
		}
	}
	for _, c := range row[at[0]:min(at[len(at)-1], len(row))] {
		if doubtful(c.Char) && c.Char != screen.Tail {
			return false
		}
	}
	return true
}

// insertCells moves the cells of [l, r] right by k; the last k of them are
// lost and the first k are blank.
func (p *Painter) insertCells(y, l, r, k int) {
	shown := p.shownRow(y)
	p.widen()
	p.blankPen(screen.Default)
	if !plain(shown[r-k+1:]) {
		p.move(r-k+1, y)
		p.csi(k, 'P')
	}
	p.move(l, y)
	p.csi(k, '@')
	copy(shown[l+k:r+1], shown[l:r+1-k])
	clear(shown[l : l+k])
}

// deleteCells moves the cells of [l, r] left by k; the first k of them are
// lost and the last k are blank.
func (p *Painter) deleteCells(y, l, r, k int) {
	shown := p.shownRow(y)
	rest := !plain(shown[r+1:])
	p.widen()
	p.blankPen(screen.Default)
	p.move(l, y)
	p.csi(k, 'P')
	if rest {
		p.move(r-k+1, y)
		p.csi(k, '@')
	}
	copy(shown[l:r+1-k], shown[l+k:r+1])
	clear(shown[r-k+1 : r+1])
}

// plain reports whether all cells are blank in the plain style.
func plain(cells []screen.Cell) bool {
	for _, c := range cells {
		if c != (screen.Cell{}) {
			return false
		}
	}
	return true
}
