package paint

import "deck/term/screen"

// Line is the weight of a line of a box.
type Line uint8

// The lines. RoundLine is a light one with round corners where nothing joins.
const (
	LightLine Line = 1 + iota
	HeavyLine
	RoundLine
)

// rune returns the character with these arms.
func (a arms) rune(line Line) rune {
	if line == RoundLine {
		switch a {
		case arms{right: 1, down: 1}:
			return '╭'
		case arms{left: 1, down: 1}:
			return '╮'
		case arms{right: 1, up: 1}:
			return '╰'
		case arms{left: 1, up: 1}:
			return '╯'
		}
	}
	return []rune(boxRunes)[((a.left*3+a.right)*3+a.up)*3+a.down]
}

// join draws arms at x, y, on top of those that are there.
func join(dst *screen.Canvas, x, y int, add arms, line Line, id screen.StyleID) {
	if x < 0 || y < 0 || x >= dst.W || y >= dst.H {
		return
	}
	row := dst.Row(y)
	var a arms
	if r, ok := row[x].Char.Rune(); ok {
		a = armsOf[r]
	}
	over(&a.left, add.left)
	over(&a.right, add.right)
	over(&a.up, add.up)
	over(&a.down, add.down)
	place(row, x, screen.Cell{Char: screen.RuneChar(a.rune(line), false), Style: id})
}

// over lets a new arm replace an old one; none leaves it.
func over(old *uint8, arm uint8) {
	if arm != 0 {
		*old = arm
	}
}

// weight returns what the line's arms weigh.
func (l Line) weight() uint8 {
	if l == HeavyLine {
		return 2
	}
	return 1
}

// Box draws a frame just inside the rectangle, joined with the lines that it
// meets. Fill the rectangle first where it lies on top of others.
func Box(dst *screen.Canvas, x, y, w, h int, line Line, st screen.Style) {
	if w < 2 || h < 2 {
		return
	}
	id, n := dst.Table.StyleID(st), line.weight()
	r, b := x+w-1, y+h-1
	for i := max(x+1, 0); i < min(r, dst.W); i++ {
		join(dst, i, y, arms{left: n, right: n}, line, id)
		join(dst, i, b, arms{left: n, right: n}, line, id)
	}
	for i := max(y+1, 0); i < min(b, dst.H); i++ {
		join(dst, x, i, arms{up: n, down: n}, line, id)
		join(dst, r, i, arms{up: n, down: n}, line, id)
	}
	join(dst, x, y, arms{right: n, down: n}, line, id)
	join(dst, r, y, arms{left: n, down: n}, line, id)
	join(dst, x, b, arms{right: n, up: n}, line, id)
	join(dst, r, b, arms{left: n, up: n}, line, id)
}

// HLine draws a line of n columns from x, y to the right, joined with the
// lines it meets, at its ends as well.
func HLine(dst *screen.Canvas, x, y, n int, line Line, st screen.Style) {
	id, wt := dst.Table.StyleID(st), line.weight()
	for i := max(x, 0); i < min(x+n, dst.W); i++ {
		a := arms{left: wt, right: wt}
		if n > 1 && i == x && vertical(dst, i, y) {
			a.left = 0
		}
		if n > 1 && i == x+n-1 && vertical(dst, i, y) {
			a.right = 0
		}
		join(dst, i, y, a, line, id)
	}
}

// VLine draws a line of n rows from x, y down, joined with the lines it meets,
// at its ends as well.
func VLine(dst *screen.Canvas, x, y, n int, line Line, st screen.Style) {
	id, wt := dst.Table.StyleID(st), line.weight()
	for i := max(y, 0); i < min(y+n, dst.H); i++ {
		a := arms{up: wt, down: wt}
		if n > 1 && i == y && horizontal(dst, x, i) {
			a.up = 0
		}
		if n > 1 && i == y+n-1 && horizontal(dst, x, i) {
			a.down = 0
		}
		join(dst, x, i, a, line, id)
	}
}

// vertical reports whether a line at x, y runs up or down, so that another one
// can end at it.
func vertical(dst *screen.Canvas, x, y int) bool {
	a := lineAt(dst, x, y)
	return a.up|a.down != 0
}

// horizontal is vertical for lines to the left or to the right.
func horizontal(dst *screen.Canvas, x, y int) bool {
	a := lineAt(dst, x, y)
	return a.left|a.right != 0
}

// lineAt returns the arms of what is drawn at x, y.
func lineAt(dst *screen.Canvas, x, y int) arms {
	if x < 0 || y < 0 || x >= dst.W || y >= dst.H {
		return arms{}
	}
	r, _ := dst.Row(y)[x].Char.Rune()
	return armsOf[r]
}
