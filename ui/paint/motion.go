package paint

import "strconv"

// never is the cost of what cannot be done.
const never = 1 << 30

// move takes the terminal's cursor to x, y by the shortest way that is
// certain. A newline is only written where a carriage return would change
// nothing: some ends of the line in between turn it into both.
func (p *Painter) move(x, y int) {
	if p.x == x && p.y == y {
		return
	}
	abs := costCUP(x, y)
	if p.y < 0 {
		p.cup(x, y)
		return
	}
	relative := p.costV(y) + p.costH(p.x, p.y, x)
	newline := p.costNewline(x, y)
	switch {
	case abs < relative && abs <= newline:
		p.cup(x, y)
	case newline < relative:
		if home, _ := p.returns(p.x, p.y); p.x != home {
			p.buf = append(p.buf, '\r')
			p.x = home
		}
		for ; p.y < y; p.y++ {
			p.buf = append(p.buf, '\n')
		}
		p.horizontal(x)
	default:
		p.vertical(y)
		p.horizontal(x)
	}
	p.x, p.y = x, y
}

// costNewline is the length of a way down by newlines.
func (p *Painter) costNewline(x, y int) int {
	home, ok := p.returns(p.x, p.y)
	if y <= p.y || !ok || !p.sameRows(p.y, y) {
		return never
	}
	n := y - p.y + p.costH(home, y, x)
	if p.x != home {
		n++
	}
	return n
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
	case d == 0:
		return 0
	case !p.sameRows(p.y, y):
		return 3 + digits(y+1)
	case d == 1:
		return 2
	case p.prof.Erase:
		return 3 + min(digits(d), digits(y+1))
	default:
		return 3 + digits(d)
	}
}

// vertical moves within the column: IND and RI for one row, else CUU, CUD or
// VPA. Where there are margins there is VPA.
func (p *Painter) vertical(y int) {
	d, same := y-p.y, p.sameRows(p.y, y)
	switch {
	case d == 0:
	case same && d == 1:
		p.buf = append(p.buf, "\x1bD"...)
	case same && d == -1:
		p.buf = append(p.buf, "\x1bM"...)
	case !same || p.prof.Erase && digits(y+1) < digits(abs(d)):
		p.csi(y+1, 'd')
	case d > 0:
		p.csi(d, 'B')
	default:
		p.csi(-d, 'A')
	}
	p.y = y
}

// way is a motion within a row.
type way uint8

const (
	wayNone    way = iota
	wayReturn      // CR
	wayForward     // CUF
	wayStep        // BS, as often as needed
	wayBack        // CUB
	wayColumn      // CHA
	wayAnew        // CR and CUF
)

// wayH returns the shortest way within row y from column from, which may be
// -1, to x, and its length.
func (p *Painter) wayH(from, y, x int) (best int, w way) {
	if from == x {
		return 0, wayNone
	}
	best = never
	try := func(n int, by way) {
		if n < best {
			best, w = n, by
		}
	}
	home, ok := p.returns(from, y)
	if ok && x == home {
		return 1, wayReturn
	}
	if from >= 0 && p.sameColumns(from, x) {
		if x > from {
			try(costN(x-from), wayForward)
		} else {
			try(from-x, wayStep)
			try(costN(from-x), wayBack)
		}
	}
	if p.prof.Erase {
		try(3+digits(x+1), wayColumn)
	} else if ok && x > home {
		try(1+costN(x-home), wayAnew)
	}
	return best, w
}

// costH is the length of what horizontal writes in row y from column from to x.
func (p *Painter) costH(from, y, x int) int {
	n, _ := p.wayH(from, y, x)
	return n
}

// horizontal moves within the row.
func (p *Painter) horizontal(x int) {
	_, w := p.wayH(p.x, p.y, x)
	switch w {
	case wayReturn:
		p.buf = append(p.buf, '\r')
	case wayForward:
		p.csi(x-p.x, 'C')
	case wayStep:
		for range p.x - x {
			p.buf = append(p.buf, '\b')
		}
	case wayBack:
		p.csi(p.x-x, 'D')
	case wayColumn:
		p.csi(x+1, 'G')
	case wayAnew:
		home, _ := p.returns(p.x, p.y)
		p.buf = append(p.buf, '\r')
		p.csi(x-home, 'C')
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
