package paint

import (
	"strconv"

	"deck/term/screen"
)

const closeLink = "\x1b]8;;\x1b\\"

// setPen makes the terminal draw in the style id of the own table, by what
// changed or from a reset, whichever is shorter.
func (p *Painter) setPen(id screen.StyleID) {
	if id == p.penID {
		return
	}
	p.penTo(p.tr.own.Style(id))
	p.penID = id
}

// penTo is setPen for a style that need not be in the table. A reset can only
// be shorter where something has to be switched off.
func (p *Painter) penTo(to screen.Style) {
	if to.Link != p.pen.Link {
		p.link(to.Link)
	}
	from := p.pen
	p.pen = to
	from.Link, to.Link = 0, 0
	if from == to {
		return
	}
	if to == (screen.Style{}) {
		p.buf = append(p.buf, "\x1b[m"...)
		return
	}
	p.sgr = appendSGR(p.sgr[:0], from, to)
	best := p.sgr
	if from.Attr&^to.Attr != 0 || from.Underline != to.Underline || from.Fg != to.Fg && to.Fg.IsDefault() ||
		from.Bg != to.Bg && to.Bg.IsDefault() || from.UnderlineColor != to.UnderlineColor {
		p.alt = appendSGR(append(p.alt[:0], '0', ';'), screen.Style{}, to)
		if len(p.alt) < len(best) {
			best = p.alt
		}
	}
	p.buf = append(p.buf, "\x1b["...)
	p.buf = append(p.buf, best[:len(best)-1]...)
	p.buf = append(p.buf, 'm')
}

// blankPen makes the terminal erase, and draw blanks, with the background bg.
func (p *Painter) blankPen(bg screen.Color) {
	if p.pen.Bg == bg && p.pen.Attr&onBlank == 0 && p.pen.Underline == screen.NoUnderline && p.pen.Link == 0 {
		return
	}
	to := screen.Style{Bg: bg}
	p.penTo(to)
	p.penID = p.tr.own.StyleID(to)
}

// link opens a hyperlink, or closes the open one. Without an id of its own it
// gets one, so that the terminal knows pieces that were drawn apart to be one.
func (p *Painter) link(id screen.LinkID) {
	if id == 0 {
		p.buf = append(p.buf, closeLink...)
		return
	}
	l := p.tr.own.Link(id)
	p.buf = append(p.buf, "\x1b]8;id="...)
	if l.ID == "" {
		p.buf = append(p.buf, "deck"...)
		p.buf = strconv.AppendInt(p.buf, int64(id), 10)
	} else {
		p.buf = append(p.buf, l.ID...)
	}
	p.buf = append(p.buf, ';')
	p.buf = append(p.buf, l.URI...)
	p.buf = append(p.buf, "\x1b\\"...)
}

var (
	attrOn = [...]struct {
		attr screen.Attr
		code string
	}{{screen.Bold, "1;"}, {screen.Faint, "2;"}, {screen.Italic, "3;"}, {screen.Blink, "5;"},
		{screen.Reverse, "7;"}, {screen.Hidden, "8;"}, {screen.Strike, "9;"}, {screen.Overline, "53;"}}
	// Bold and faint go off together: what should stay is switched on again.
	attrOff = [...]struct {
		attr screen.Attr
		code string
	}{{screen.Bold | screen.Faint, "22;"}, {screen.Italic, "23;"}, {screen.Blink, "25;"},
		{screen.Reverse, "27;"}, {screen.Hidden, "28;"}, {screen.Strike, "29;"}, {screen.Overline, "55;"}}
)

// appendSGR appends the parameters that lead from one style to another, each
// with a semicolon after it.
func appendSGR(b []byte, from, to screen.Style) []byte {
	on := to.Attr &^ from.Attr
	if off := from.Attr &^ to.Attr; off != 0 {
		for _, a := range attrOff {
			if off&a.attr != 0 {
				b = append(b, a.code...)
				on |= to.Attr & a.attr
			}
		}
	}
	if on != 0 {
		for _, a := range attrOn {
			if on&a.attr != 0 {
				b = append(b, a.code...)
			}
		}
	}
	if from.Underline != to.Underline {
		switch to.Underline {
		case screen.NoUnderline:
			b = append(b, "24;"...)
		case screen.SingleUnderline:
			b = append(b, "4;"...)
		default:
			b = append(b, '4', ':', '0'+byte(to.Underline), ';')
		}
	}
	if from.Fg != to.Fg {
		b = appendColor(b, to.Fg, 30)
	}
	if from.Bg != to.Bg {
		b = appendColor(b, to.Bg, 40)
	}
	if from.UnderlineColor != to.UnderlineColor {
		b = appendUnderlineColor(b, to.UnderlineColor)
	}
	return b
}

// appendColor appends a foreground (base 30) or background (base 40).
func appendColor(b []byte, c screen.Color, base uint8) []byte {
	if r, g, bl, ok := c.RGB(); ok {
		b = append(append(b, decimals[base+8]...), ";2;"...)
		b = appendByte(b, r, ';')
		b = appendByte(b, g, ';')
		return appendByte(b, bl, ';')
	}
	n, ok := c.Index()
	switch {
	case !ok:
		return appendByte(b, base+9, ';')
	case n < 8:
		return appendByte(b, base+n, ';')
	case n < 16:
		return appendByte(b, base+52+n, ';')
	}
	b = append(append(b, decimals[base+8]...), ";5;"...)
	return appendByte(b, n, ';')
}

// appendUnderlineColor uses colons, the only form that terminals without it
// skip as a whole.
func appendUnderlineColor(b []byte, c screen.Color) []byte {
	if r, g, bl, ok := c.RGB(); ok {
		b = append(b, "58:2::"...)
		b = appendByte(b, r, ':')
		b = appendByte(b, g, ':')
		return appendByte(b, bl, ';')
	}
	if n, ok := c.Index(); ok {
		return appendByte(append(b, "58:5:"...), n, ';')
	}
	return append(b, "59;"...)
}

// decimals has the bytes as decimal numbers: colours are most of what a
// colourful frame consists of.
var decimals = func() (d [256]string) {
	for i := range d {
		d[i] = strconv.Itoa(i)
	}
	return d
}()

func appendByte(b []byte, n uint8, end byte) []byte {
	return append(append(b, decimals[n]...), end)
}
