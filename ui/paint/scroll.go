package paint

import "deck/term/screen"

// matcher is the memory of scrollRows, kept from frame to frame.
type matcher struct {
	old, next []uint64 // hashes of the rows of a band, as shown and as wanted
	cost      []int    // of drawing each row of a band as things are
	count     []int    // by column: rows in which it holds a border
	mask      []uint16 // by row: which of the strong borders it has
	strong    []int    // columns of strong borders
}

// block is a run of rows that are shown by rows away, below for a positive
// number.
type block struct{ first, last, by, gain int }

// Limits that keep the search cheap.
const (
	mostRows    = 512
	mostStrong  = 15
	mostScrolls = 4
	leastWorth  = 64 // bytes of a frame that may become fewer
)

// scrollRows looks for parts of the screen that moved up or down, and scrolls
// them where that is shorter than drawing them again. A part is what lies
// between the vertical borders on the screen: panes scroll beside a sidebar
// that does not.
func (p *Painter) scrollRows() {
	if p.prof.Dumb || !p.prof.Erase && !p.prof.Scroll || p.h > mostRows || p.cheap() {
		return
	}
	top, bottom := 0, p.h-1
	for top < bottom && p.left[top] > p.right[top] {
		top++
	}
	for bottom > top && p.left[bottom] > p.right[bottom] {
		bottom--
	}
	p.findBorders(top, bottom)
	m := &p.match
	for from := top; from <= bottom; {
		to := from
		for to < bottom && m.mask[to+1] == m.mask[from] {
			to++
		}
		left := 0
		for i, x := range m.strong {
			if m.mask[from]&(1<<i) != 0 {
				p.scrollBand(band{from, to, left, x - 1})
				left = x + 1
			}
		}
		p.scrollBand(band{from, to, left, p.w - 1})
		from = to + 1
	}
}

// cheap reports whether it costs little to draw what differs: some letters and
// spinners. To look for what moved would take longer than the rest of the frame.
func (p *Painter) cheap() bool {
	n := 0
	for y := range p.h {
		if l, r := p.left[y], p.right[y]; l <= r {
			if n += rowCost(p.shownRow(y)[l:r+1], p.wantRow(y)[l:r+1]); n > leastWorth {
				return false
			}
		}
	}
	return true
}

// findBorders finds the columns that hold an unchanged vertical line in many of
// the rows from top to bottom, and which of them each row has.
func (p *Painter) findBorders(top, bottom int) {
	m := &p.match
	m.count = grow(m.count, p.w)
	clear(m.count)
	for y := top; y <= bottom; y++ {
		shown, want := p.shownRow(y), p.wantRow(y)
		for x, c := range want {
			if c.Char >= 0x2500 && border(c.Char) && shown[x].Char == c.Char {
				m.count[x]++
			}
		}
	}
	m.strong = m.strong[:0]
	least := max(2, (bottom-top+1)/4)
	for x, n := range m.count {
		if n >= least && len(m.strong) < mostStrong {
			m.strong = append(m.strong, x)
		}
	}
	m.mask = grow(m.mask, p.h)
	for y := top; y <= bottom; y++ {
		m.mask[y] = 0
		want := p.wantRow(y)
		for i, x := range m.strong {
			if border(want[x].Char) {
				m.mask[y] |= 1 << i
			}
		}
	}
}

// border reports whether c is a vertical line.
func border(c screen.Char) bool {
	switch c {
	case '│', '┃', '║', '▏', '▕', '┆', '┇', '┊', '┋', '╎', '╏':
		return true
	}
	return false
}

// grow returns s with length n; what it holds is undefined.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// scrollBand scrolls what moved within a band.
func (p *Painter) scrollBand(b band) {
	whole := b
	for range mostScrolls {
		if !p.narrow(&b) {
			return
		}
		best, ok := p.bestBlock(b)
		if !ok || !p.tryScroll(whole, b, best) {
			return
		}
	}
}

// narrow makes a band as small as what differs in it, and reports whether it
// has two rows at least then.
func (p *Painter) narrow(b *band) bool {
	l, r, top, bottom := b.right+1, b.left-1, -1, -1
	for y := b.top; y <= b.bottom; y++ {
		if p.left[y] > b.right || p.right[y] < b.left || p.left[y] > p.right[y] {
			continue
		}
		first, last := differ(p.shownRow(y), p.wantRow(y), b.left, b.right)
		if first > last {
			continue
		}
		l, r, bottom = min(l, first), max(r, last), y
		if top < 0 {
			top = y
		}
	}
	if top < 0 || bottom == top {
		return false
	}
	*b = band{top, bottom, l, r}
	return true
}

// bestBlock returns the block whose move saves most.
func (p *Painter) bestBlock(b band) (best block, ok bool) {
	m := &p.match
	n := b.bottom - b.top + 1
	m.old, m.next, m.cost = grow(m.old, n), grow(m.next, n), grow(m.cost, n)
	for i := range n {
		shown, want := p.shownRow(b.top+i), p.wantRow(b.top+i)
		m.old[i], m.next[i] = hash(shown[b.left:b.right+1]), hash(want[b.left:b.right+1])
		m.cost[i] = 0
		if m.old[i] != m.next[i] {
			m.cost[i] = rowCost(shown[b.left:b.right+1], want[b.left:b.right+1])
		}
	}
	// Hashes make trying every distance cheap: 50 rows are 2 500 comparisons.
	for by := 1 - n; by < n; by++ {
		if by == 0 {
			continue
		}
		run := block{first: -1, by: by}
		for i := max(0, -by); i < min(n, n-by); i++ {
			if m.next[i] != m.old[i+by] {
				run.first = -1
				continue
			}
			if run.first < 0 {
				run.first, run.gain = b.top+i, 0
			}
			run.last = b.top + i
			if run.gain += m.cost[i]; run.gain > best.gain {
				best = run
			}
		}
	}
	return best, best.gain > 12
}

// tryScroll carries a block's move out, within its band where the terminal has
// margins, over the whole width otherwise, if that saves anything at all. The
// band is what differs within the whole one.
func (p *Painter) tryScroll(whole, b band, k block) bool {
	part := band{min(k.first, k.first+k.by), max(k.last, k.last+k.by), b.left, b.right}
	full := p.roomy(band{part.top, part.bottom, 0, p.w - 1}, k.by)
	c := choice{by: k.by, saved: leastSaved}
	if p.region != p.everywhere() {
		p.weigh(&c, p.region, 0)
	}
	// A scroll of a part leaves the rest alone, which a person would see flicker
	// and which would have to be drawn again.
	if p.modes.margins && c.saved < k.gain-lasting {
		wide := p.roomy(band{part.top, part.bottom, whole.left, whole.right}, k.by)
		p.weigh(&c, wide, 0)
		if wide.left < part.left || wide.right > part.right {
			p.weigh(&c, band{part.top, part.bottom, part.left, whole.right}, lasting)
			p.weigh(&c, part, lasting)
		}
	}
	if c.saved == leastSaved {
		p.weigh(&c, full, 0)
	}
	if c.saved == leastSaved {
		return false
	}
	p.scroll(c.band, k.by)
	return true
}

// What a scroll must save at least, and what margins may cost more in which
// the next lines can be scrolled as well, however long they are.
const (
	leastSaved = 6
	lasting    = 16
)

// choice is the best margins for a move by so many rows, and what they save.
type choice struct {
	band
	by, saved int
}

// weigh makes b the choice if that saves more, by more than bias.
func (p *Painter) weigh(c *choice, b band, bias int) {
	if b == c.band || !p.cuttable(b) {
		return
	}
	if n := p.gain(b, c.by) - p.costRegion(b) - costN(abs(c.by)); n > c.saved+bias {
		c.band, c.saved = b, n
	}
}

// roomy returns b with the blank rows beyond it into which its content would go
// next: they scroll as well without a difference.
func (p *Painter) roomy(b band, by int) band {
	blank := func(y int) bool {
		return plain(p.shownRow(y)[b.left:b.right+1]) && plain(p.wantRow(y)[b.left:b.right+1])
	}
	for by > 0 && b.bottom < p.h-1 && blank(b.bottom+1) {
		b.bottom++
	}
	for by < 0 && b.top > 0 && blank(b.top-1) {
		b.top--
	}
	return b
}

// gain returns how many bytes a scroll of the rectangle saves in drawing it.
func (p *Painter) gain(b band, by int) int {
	n := 0
	for y := b.top; y <= b.bottom; y++ {
		want := p.wantRow(y)[b.left : b.right+1]
		n += changeCost(p.shownRow(y)[b.left:b.right+1], want)
		if from := y + by; from >= b.top && from <= b.bottom {
			n -= changeCost(p.shownRow(from)[b.left:b.right+1], want)
		} else {
			n -= rowCost(nil, want)
		}
	}
	return n
}

// changeCost is rowCost for rows that are mostly the same.
func changeCost(from, to []screen.Cell) int {
	l, r := differ(from, to, 0, len(to)-1)
	return rowCost(from[l:r+1], to[l:r+1])
}

// cuttable reports whether the rectangle can be scrolled alone: margins are two
// columns apart at least, and no wide character lies across an edge.
func (p *Painter) cuttable(b band) bool {
	if b.left == b.right {
		return false
	}
	for y := b.top; y <= b.bottom; y++ {
		row := p.shownRow(y)
		if row[b.left].Char == screen.Tail || b.right+1 < p.w && row[b.right+1].Char == screen.Tail {
			return false
		}
	}
	return true
}

// rowCost estimates the bytes that lead from one row to another; from nil it is
// from a blank row.
func rowCost(from, to []screen.Cell) int {
	n := 0
	style := screen.StyleID(0)
	inRun, blank := false, false
	for x, c := range to {
		if from == nil && c == (screen.Cell{}) || from != nil && from[x] == c {
			inRun = false
			continue
		}
		if !inRun {
			inRun, blank = true, false
			n += 4
		}
		if c.Style != style {
			style = c.Style
			n += 5
		}
		if c.Char != screen.Blank {
			n++
			blank = false
		} else if !blank {
			n += 3
			blank = true
		}
	}
	return n
}

// hash is FNV-1a over cells rather than bytes, with its halves mixed at the
// end of each step.
func hash(cells []screen.Cell) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range cells {
		h ^= uint64(c.Char)<<32 | uint64(c.Style)
		h *= 1099511628211
		h ^= h >> 29
	}
	return h
}

// scroll moves the rows of the rectangle, up for a positive number, and makes
// those that come free blank.
func (p *Painter) scroll(b band, by int) {
	p.blankPen(screen.Default)
	r := p.region
	if r != b && p.prof.Erase && b.left == 0 && b.right == p.w-1 && b.bottom == p.h-1 && (b.top > 0 || !p.prof.Scroll) &&
		r.left == 0 && r.right == p.w-1 && r.bottom == p.h-1 && r.top <= b.top {
		p.move(0, b.top)
		p.csi(abs(by), upDown(by, 'M', 'L'))
	} else {
		p.setRegion(b)
		p.scrollRegion(by)
	}
	width := b.right - b.left + 1
	move := func(y int) {
		row := p.shownRow(y)[b.left : b.right+1]
		if from := y + by; from >= b.top && from <= b.bottom {
			copy(row, p.shownRow(from)[b.left:b.left+width])
		} else {
			clear(row)
		}
	}
	for i := b.top; i <= b.bottom; i++ {
		if by > 0 {
			move(i)
		} else {
			move(b.top + b.bottom - i)
		}
	}
	for y := b.top; y <= b.bottom; y++ {
		p.extent(y)
	}
}

// upDown picks the last byte of a sequence by the direction of a move.
func upDown(by int, up, down byte) byte {
	if by > 0 {
		return up
	}
	return down
}
