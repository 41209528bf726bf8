package paint

import "strconv"

// move takes the terminal's cursor to x, y by the shortest way that is
// certain. A newline is only written after a carriage return: some ends of the
// line in between turn it into both.
func (p *Painter) move(x, y int) {
	if p.x == x && p.y == y {
		return
	}
	abs := costCUP(x, y)
	if p.y < 0 {
		p.cup(x, y)
		return
	}
	down := y - p.y
	relative := p.costV(y) + p.costH(p.x, x)
	newline := 1 << 30
	if down > 0 {
		newline = 1 + down + p.costH(0, x)
	}
	switch {
	case abs < relative && abs <= newline:
		p.cup(x, y)
	case newline < relative:
		p.buf = append(p.buf, '\r')
		for range down {
			p.buf = append(p.buf, '\n')
		}
		p.x = 0
		p.horizontal(x)
	default:
		p.vertical(y)
		p.horizontal(x)
	}
	p.x, p.y = x, y
}

// cup is the one motion that needs no knowledge of where the cursor is.
func (p *Painter) cup(x, y int) {
	p.buf = append(p.buf, "\x1b["...)
	if y > 0 || x > 0 {
		p.buf = strconv.AppendInt(p.buf, int64(y+1), 10)
	}
	if x > 0 {
		p.buf = append(p.buf, ';')
		p.buf = strconv.AppendInt(p.buf, int64(x+1), 10)
	}
	p.buf = append(p.buf, 'H')
	p.x, p.y = x, y
}

// costCUP is the length of what cup writes.
func costCUP(x, y int) int {
	switch {
	case x > 0:
		return 4 + digits(y+1) + digits(x+1)
	case y > 0:
		return 3 + digits(y+1)
	}
	return 3
}

// costV is the length of what vertical writes.
func (p *Painter) costV(y int) int {
	switch d := abs(y - p.y); {
	case d < 2:
		return 2 * d
	case p.prof.Erase:
		return 3 + min(digits(d), digits(y+1))
	default:
		return 3 + digits(d)
	}
}

// vertical moves within the column: IND and RI for one row, else CUU, CUD or
// VPA.
func (p *Painter) vertical(y int) {
	d := y - p.y
	switch {
	case d == 1:
		p.buf = append(p.buf, "\x1bD"...)
	case d == -1:
		p.buf = append(p.buf, "\x1bM"...)
	case d == 0:
	case p.prof.Erase && digits(y+1) < digits(abs(d)):
		p.csi(y+1, 'd')
	case d > 0:
		p.csi(d, 'B')
	default:
		p.csi(-d, 'A')
	}
	p.y = y
}

// costH is the length of what horizontal writes from column from to x.
func (p *Painter) costH(from, x int) int {
	if from == x {
		return 0
	}
	if x == 0 {
		return 1
	}
	best := 1 + costN(x)
	if p.prof.Erase {
		best = min(best, 3+digits(x+1))
	}
	switch {
	case from < 0:
	case x > from:
		best = min(best, costN(x-from))
	default:
		best = min(best, from-x, costN(from-x))
	}
	return best
}

// horizontal moves within the row: CR, BS, CUF, CUB or CHA.
func (p *Painter) horizontal(x int) {
	best := p.costH(p.x, x)
	switch known := p.x >= 0; {
	case best == 0:
	case x == 0:
		p.buf = append(p.buf, '\r')
	case known && x > p.x && costN(x-p.x) == best:
		p.csi(x-p.x, 'C')
	case known && x < p.x && p.x-x == best:
		for range p.x - x {
			p.buf = append(p.buf, '\b')
		}
	case known && x < p.x && costN(p.x-x) == best:
		p.csi(p.x-x, 'D')
	case p.prof.Erase && 3+digits(x+1) == best:
		p.csi(x+1, 'G')
	default:
		p.buf = append(p.buf, '\r')
		p.csi(x, 'C')
	}
	p.x = x
}

// csi writes a control sequence of one number, which is left out where it is
// 1.
func (p *Painter) csi(n int, final byte) {
	p.buf = append(p.buf, "\x1b["...)
	if n != 1 {
		p.buf = strconv.AppendInt(p.buf, int64(n), 10)
	}
	p.buf = append(p.buf, final)
}

// costN is the length of what csi writes.
func costN(n int) int {
	if n == 1 {
		return 3
	}
	return 3 + digits(n)
}

func digits(n int) int {
	switch {
	case n < 10:
		return 1
	case n < 100:
		return 2
	case n < 1000:
		return 3
	}
	return 4
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
