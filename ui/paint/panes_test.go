package paint

import (
	"fmt"
	"strings"

	"deck/term/screen"
)

// paneStep changes a screen of panes side by side, as deck's is: they scroll,
// each on its own, while keys are echoed, spinners turn and boxes come and go
// across them.
func (s *scene) paneStep() {
	c, r := s.c, s.r
	if len(s.borders) == 0 || s.borders[len(s.borders)-1] >= c.W {
		s.borders = s.borders[:0]
		for x := r.IntN(8); x < c.W; x += 2 + r.IntN(40) {
			s.borders = append(s.borders, x)
		}
		s.foot = r.IntN(min(3, c.H))
	}
	for _, x := range s.borders {
		VLine(c, x, 0, c.H-s.foot, LightLine, screen.Style{})
	}
	for range 1 + r.IntN(3) {
		left, right := s.paneColumns()
		y := r.IntN(c.H)
		switch r.IntN(12) {
		case 0: // a box over whatever is there, and the borders again with the next step
			w := 2 + r.IntN(c.W)
			Box(c, r.IntN(c.W), y, w, 1+r.IntN(4), LightLine, s.style())
		case 1: // across borders
			DrawTextOn(c, r.IntN(c.W), y, c.W, s.style(), strings.Repeat(s.piece(), 1+r.IntN(40)))
		case 2, 3: // typed in the middle of a line
			row := c.Row(y)[left:right]
			if n := 1 + r.IntN(3); len(row) > n {
				copy(row[n:], row)
				clear(row[:n])
			}
		case 4: // a spinner
			DrawTextOn(c, r.IntN(c.W), y, 1, s.style(), "*")
		case 5: // at the edge of a pane
			at := max(left, right-1-r.IntN(4))
			DrawText(c, at, y, right-at, s.piece()+s.piece())
		default:
			s.scrollPane(left, right)
		}
	}
}

// paneColumns picks a pane and returns its first column and the one after it.
func (s *scene) paneColumns() (left, right int) {
	i := s.r.IntN(len(s.borders) + 1)
	if right = s.c.W; i < len(s.borders) {
		right = s.borders[i]
	}
	if i > 0 {
		left = s.borders[i-1] + 1
	}
	return left, right
}

// scrollPane scrolls a pane and writes where lines came free.
func (s *scene) scrollPane(left, right int) {
	c, r := s.c, s.r
	if left >= right {
		return
	}
	bottom, n := c.H-s.foot, 1
	if r.IntN(3) == 0 {
		n = 1 + r.IntN(c.H)
	}
	if n = min(n, bottom); r.IntN(6) == 0 {
		for y := bottom - 1; y >= n; y-- {
			copy(c.Row(y)[left:right], c.Row(y - n)[left:right])
		}
		Fill(c, left, 0, right-left, n, screen.Style{})
		return
	}
	for y := range bottom - n {
		copy(c.Row(y)[left:right], c.Row(y + n)[left:right])
	}
	Fill(c, left, bottom-n, right-left, n, screen.Style{})
	for y := bottom - n; y < bottom-r.IntN(2); y++ {
		s.lines++
		DrawText(c, left, y, right-left, fmt.Sprintf("%d %s", s.lines, strings.Repeat(s.piece(), r.IntN(60))))
	}
}
