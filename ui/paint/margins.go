package paint

import "strconv"

// band is a rectangle of the screen by its outermost rows and columns.
type band struct{ top, bottom, left, right int }

// everywhere is the region of a terminal without margins.
func (p *Painter) everywhere() band { return band{0, p.h - 1, 0, p.w - 1} }

// setRegion makes b the terminal's margins, between which it scrolls. They stay
// from frame to frame, since what scrolled once scrolls again; until they are
// others nothing may be written that means something else between margins.
// Setting either pair takes the cursor home.
func (p *Painter) setRegion(b band) {
	if b == p.region {
		return
	}
	if b.left != p.region.left || b.right != p.region.right {
		p.buf = append(p.buf, "\x1b["...)
		if b.left > 0 || b.right < p.w-1 {
			p.buf = strconv.AppendInt(p.buf, int64(b.left+1), 10)
			p.buf = append(p.buf, ';')
			p.buf = strconv.AppendInt(p.buf, int64(b.right+1), 10)
		}
		p.buf = append(p.buf, 's')
	}
	if b.top != p.region.top || b.bottom != p.region.bottom {
		p.buf = append(p.buf, "\x1b["...)
		if b.top > 0 {
			p.buf = strconv.AppendInt(p.buf, int64(b.top+1), 10)
		}
		if b.bottom < p.h-1 {
			p.buf = append(p.buf, ';')
			p.buf = strconv.AppendInt(p.buf, int64(b.bottom+1), 10)
		}
		p.buf = append(p.buf, 'r')
	}
	p.region = b
	p.x, p.y = 0, 0
}

// costRegion is about the length of what setRegion writes, and of bringing the
// cursor back.
func (p *Painter) costRegion(b band) int {
	n := 0
	if b.left != p.region.left || b.right != p.region.right {
		n += 4 + digits(b.left+1) + digits(b.right+1)
	}
	if b.top != p.region.top || b.bottom != p.region.bottom {
		n += 4 + digits(b.top+1) + digits(b.bottom+1)
	}
	if n > 0 {
		n += 4
	}
	return n
}

// widen takes the left and right margins away.
func (p *Painter) widen() {
	p.setRegion(band{p.region.top, p.region.bottom, 0, p.w - 1})
}

// widenFor takes the left and right margins away where more than one row has to
// be drawn across the right one: they are of another layout than what is drawn.
func (p *Painter) widenFor() {
	if p.region.right == p.w-1 {
		return
	}
	n := 0
	for y := range p.h {
		if p.left[y] <= p.region.right && p.right[y] > p.region.right {
			n++
		}
	}
	if n > 1 {
		p.widen()
	}
}

// edge is the last column that text can be written in which begins in column
// x: beyond a margin it would not go on.
func (p *Painter) edge(x int) int {
	if x <= p.region.right {
		return p.region.right
	}
	return p.w - 1
}

// zone tells whether a row or column is before two margins, between or behind
// them. Terminals disagree about what a motion does at a margin, so that those
// from one zone to another are absolute.
func zone(at, first, last int) int {
	switch {
	case at < first:
		return -1
	case at > last:
		return 1
	}
	return 0
}

func (p *Painter) sameRows(a, b int) bool {
	return zone(a, p.region.top, p.region.bottom) == zone(b, p.region.top, p.region.bottom)
}

func (p *Painter) sameColumns(a, b int) bool {
	return zone(a, p.region.left, p.region.right) == zone(b, p.region.left, p.region.right)
}

// returns tells where a carriage return leads from column x of row y, which may
// be -1: to the left margin between margins. Elsewhere terminals disagree.
func (p *Painter) returns(x, y int) (column int, ok bool) {
	switch r := &p.region; {
	case r.left == 0:
		return 0, true
	case zone(x, r.left, r.right) == 0 && zone(y, r.top, r.bottom) == 0:
		return r.left, true
	}
	return 0, false
}

// scrollRegion scrolls what is between the margins, up for a positive number:
// by line feeds where the cursor is in the right place, which is shorter, or
// SU and SD, or else DL and IL.
func (p *Painter) scrollRegion(by int) {
	r, n := &p.region, abs(by)
	inside := p.x >= 0 && zone(p.x, r.left, r.right) == 0
	switch {
	// In the first column it does not matter whether one is turned into a
	// carriage return and a line feed.
	case by > 0 && n < 4 && p.y == r.bottom && p.x == r.left:
		for range n {
			p.buf = append(p.buf, '\n')
		}
	case by == 1 && p.y == r.bottom && inside:
		p.buf = append(p.buf, "\x1bD"...)
	case by == -1 && p.y == r.top && inside:
		p.buf = append(p.buf, "\x1bM"...)
	case p.prof.Scroll:
		p.csi(n, upDown(by, 'S', 'T'))
	default:
		p.move(0, r.top)
		p.csi(n, upDown(by, 'M', 'L'))
	}
}
