package vt

import "deck/term/screen"

// penCache is a small direct-mapped cache: programs alternate between few
// styles. It finds the id of a style without hashing it in full.
type penCache [64]struct {
	style screen.Style
	id    screen.StyleID
}

// id returns the table's id of s.
func (p *penCache) id(t *screen.Table, s screen.Style) screen.StyleID {
	h := (uint32(s.Fg)*0x9e3779b1 ^ uint32(s.Bg)*0x85ebca6b ^ uint32(s.Attr)*0xc2b2ae35 ^ uint32(s.Underline)*0x27d4eb2f) >> 26
	slot := &p[h]
	if slot.style != s {
		slot.style, slot.id = s, t.StyleID(s)
	}
	return slot.id
}

func (e *Emulator) penChanged() { e.penOK, e.eraseOK = false, false }

// style returns the id of the pen.
func (e *Emulator) style() screen.StyleID {
	if !e.penOK {
		e.penID, e.penOK = e.pens.id(e.table, e.cur.pen), true
	}
	return e.penID
}

// erase returns the cell that erasing leaves: blank, in the pen's background.
func (e *Emulator) erase() screen.Cell {
	if !e.eraseOK {
		e.eraseID, e.eraseOK = e.pens.id(e.table, screen.Style{Bg: e.cur.pen.Bg}), true
	}
	return screen.Cell{Style: e.eraseID}
}

// attributes maps SGR numbers to what they set; off lists what those that
// clear take away.
var attributes = [...]screen.Attr{
	1: screen.Bold, 2: screen.Faint, 3: screen.Italic, 5: screen.Blink, 6: screen.RapidBlink,
	7: screen.Reverse, 8: screen.Hidden, 9: screen.Strike, 53: screen.Overline,
}

var attributesOff = [...]screen.Attr{
	22: screen.Bold | screen.Faint, 23: screen.Italic, 25: screen.Blink | screen.RapidBlink, 27: screen.Reverse,
	28: screen.Hidden, 29: screen.Strike, 55: screen.Overline,
}

// selectGraphics is SGR. Parameters after a colon belong to the one before it:
// an attribute with subparameters it does not take is ignored with all of them
// and never read as several attributes.
func (e *Emulator) selectGraphics(s *sequence) {
	pen := &e.cur.pen
	e.penChanged()
	if s.n == 0 {
		resetPen(pen)
		return
	}
	for i := 0; i < s.n; {
		end := i + 1
		for s.isSub(end) {
			end++
		}
		switch n := s.value(i, 0); n {
		case 38, 48, 58:
			c, next, ok := sgrColor(s, i, end)
			if ok {
				setColor(pen, n, c)
			}
			end = next
		case 4:
			pen.Underline = screen.SingleUnderline
			if end > i+1 {
				if u := s.value(i+1, 1); u <= int(screen.DashedUnderline) {
					pen.Underline = screen.Underline(u)
				}
			}
		default:
			if end == i+1 || n == 3 || n == 0 {
				setAttribute(pen, n)
			}
		}
		i = end
	}
}

// resetPen is SGR 0, which leaves a hyperlink and DECSCA's protection alone.
func resetPen(pen *screen.Style) {
	*pen = screen.Style{Link: pen.Link, Attr: pen.Attr & screen.Protected}
}

// savedPen is what XTPUSHSGR saved: a pen and which of its parts, by the
// numbers of the sequence; none for all.
type savedPen struct {
	pen   screen.Style
	parts []int
}

const maxSavedPens = 10

// pushGraphics is XTPUSHSGR. A hyperlink is no part of it.
func (e *Emulator) pushGraphics(s *sequence) {
	if len(e.savedPens) == maxSavedPens {
		return
	}
	p := savedPen{pen: e.cur.pen}
	p.pen.Link = 0
	for i := range s.n {
		p.parts = append(p.parts, s.value(i, 0))
	}
	e.savedPens = append(e.savedPens, p)
}

// popGraphics is XTPOPSGR.
func (e *Emulator) popGraphics(*sequence) {
	n := len(e.savedPens) - 1
	if n < 0 {
		return
	}
	p := e.savedPens[n]
	e.savedPens = e.savedPens[:n]
	e.penChanged()
	if len(p.parts) == 0 {
		p.pen.Link = e.cur.pen.Link
		e.cur.pen = p.pen
	}
	for _, part := range p.parts {
		restorePart(&e.cur.pen, p.pen, part)
	}
}

// restorePart takes one part of a saved pen.
func restorePart(pen *screen.Style, saved screen.Style, part int) {
	switch {
	case part == 4 || part == 21:
		pen.Underline = saved.Underline
	case part == 10 || part == 30:
		pen.Fg = saved.Fg
	case part == 11 || part == 31:
		pen.Bg = saved.Bg
	case part < len(attributes):
		pen.Attr = pen.Attr&^attributes[part] | saved.Attr&attributes[part]
	}
}

func setColor(pen *screen.Style, n int, c screen.Color) {
	switch n {
	case 38:
		pen.Fg = c
	case 48:
		pen.Bg = c
	case 58:
		pen.UnderlineColor = c
	}
}

// setAttribute applies one SGR number without arguments.
func setAttribute(pen *screen.Style, n int) {
	switch {
	case n == 0:
		resetPen(pen)
	case n >= 30 && n <= 37:
		pen.Fg = screen.Palette(uint8(n - 30))
	case n >= 40 && n <= 47:
		pen.Bg = screen.Palette(uint8(n - 40))
	case n >= 90 && n <= 97:
		pen.Fg = screen.Palette(uint8(n - 90 + 8))
	case n >= 100 && n <= 107:
		pen.Bg = screen.Palette(uint8(n - 100 + 8))
	case n == 21:
		pen.Underline = screen.DoubleUnderline
	case n == 24:
		pen.Underline = screen.NoUnderline
	case n == 39:
		pen.Fg = screen.Default
	case n == 49:
		pen.Bg = screen.Default
	case n == 59:
		pen.UnderlineColor = screen.Default
	case n < len(attributes) && attributes[n] != 0:
		pen.Attr |= attributes[n]
	case n < len(attributesOff):
		pen.Attr &^= attributesOff[n]
	}
}

// sgrColor reads the colour that SGR 38, 48 or 58 at parameter i takes, in the
// colon form (parameters up to end) or the older one with semicolons, and
// returns where the next attribute begins.
func sgrColor(s *sequence, i, end int) (c screen.Color, next int, ok bool) {
	args := i + 1
	colon := end > args
	if !colon {
		switch s.value(args, 0) {
		case 5:
			end = args + 2
		case 2:
			end = args + 4
		default:
			return 0, args + 1, false
		}
	}
	switch s.value(args, 0) {
	case 5:
		if v := s.value(args+1, 0); v < 256 {
			return screen.Palette(uint8(v)), end, args+1 < s.n
		}
	case 2:
		rgb := args + 1
		if colon && end-args >= 5 { // a colour space comes first
			rgb++
		}
		if rgb+2 >= min(end, s.n) {
			return 0, end, false
		}
		r, g, b := s.value(rgb, 0), s.value(rgb+1, 0), s.value(rgb+2, 0)
		return screen.RGB(uint8(r), uint8(g), uint8(b)), end, max(r, g, b) < 256
	}
	return 0, end, false
}
