package ui

import "deck/term/screen"

// mark is a way to show cells of a pane differently without losing what they
// say.
type mark uint8

const (
	markDim       mark = iota // behind a box
	markSelection             // selected text
	markHit                   // found text
	markHitHere               // the found text that the cursor is at
	marks
)

// marking turns a cell's style into the marked one.
type marking func(screen.Style) screen.Style

var colourMarks = [marks]marking{
	markDim:       dimmed,
	markSelection: reversed,
	markHit:       onGround(3),
	markHitHere:   onGround(6),
}

var plainMarks = [marks]marking{
	markDim:       dimmed,
	markSelection: reversed,
	markHit: func(s screen.Style) screen.Style {
		s.Underline = screen.SingleUnderline
		return s
	},
	markHitHere: func(s screen.Style) screen.Style {
		s = reversed(s)
		s.Attr |= screen.Bold
		s.Underline = screen.SingleUnderline
		return s
	},
}

// dimmed keeps colours: the panes behind a box stay recognisable.
func dimmed(s screen.Style) screen.Style {
	s.Attr = s.Attr&^(screen.Bold|screen.Blink|screen.RapidBlink) | screen.Faint
	return s
}

// reversed turns back what was reversed, so that a selection over it shows.
func reversed(s screen.Style) screen.Style {
	s.Attr ^= screen.Reverse
	return s
}

// onGround is black on a palette colour.
func onGround(n uint8) marking {
	return func(s screen.Style) screen.Style {
		s.Fg, s.Bg = screen.Palette(0), screen.Palette(n)
		s.Attr &^= screen.Reverse | screen.Faint
		return s
	}
}

// marked returns the id of a style as marked.
func (t *theme) marked(m mark, id screen.StyleID) screen.StyleID {
	known := t.cache[m]
	for int(id) >= len(known) {
		known = append(known, 0)
	}
	t.cache[m] = known
	if known[id] == 0 {
		known[id] = 1 + t.table.StyleID(t.marks[m](t.table.Style(id)))
	}
	return known[id] - 1
}

// mark marks cells.
func (t *theme) mark(m mark, cells []screen.Cell) {
	for i := range cells {
		cells[i].Style = t.marked(m, cells[i].Style)
	}
}
