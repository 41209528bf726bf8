package vt

// charset is what one of G0 to G3 holds.
type charset uint8

const (
	asciiSet charset = iota
	graphicsSet
	ukSet
)

// graphics is the DEC special graphics set, from 0x5f on.
var graphics = [...]rune{
	' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼',
	'⎺', '⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}

// rune returns what a byte of printable ASCII means in the set.
func (c charset) rune(b byte) rune {
	switch {
	case c == graphicsSet && b >= 0x5f && b < 0x7f:
		return graphics[b-0x5f]
	case c == ukSet && b == '#':
		return '£'
	}
	return rune(b)
}

// designate puts a character set into one of G0 to G3. Sets that are not known
// are ASCII: national variants are not in use under UTF-8.
func (e *Emulator) designate(s *sequence) {
	var g int
	switch s.inter[0] {
	case '(':
		g = 0
	case ')', '-':
		g = 1
	case '*', '.':
		g = 2
	case '+', '/':
		g = 3
	}
	set := asciiSet
	if s.inter[0] < '-' && s.ninter == 1 {
		switch s.final {
		case '0', '2':
			set = graphicsSet
		case 'A':
			set = ukSet
		}
	}
	e.cur.sets[g] = set
}
