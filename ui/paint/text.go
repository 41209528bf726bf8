package paint

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/clipperhouse/displaywidth"

	"deck/term/screen"
)

// DrawText draws one line of styled text (SGR and OSC 8, as lipgloss writes
// them) at x, y of dst, cut after w columns, and returns the columns it used.
// Where the cut goes through a wide character a blank is drawn instead.
// Control characters and what is beyond dst never reach the canvas; a tab is a
// space and a newline ends the text.
func DrawText(dst *screen.Canvas, x, y, w int, s string) int {
	return DrawTextOn(dst, x, y, w, screen.Style{}, s)
}

// DrawTextOn is DrawText on a style of its own: what the text does not set,
// and what it resets, is as in base.
func DrawTextOn(dst *screen.Canvas, x, y, w int, base screen.Style, s string) int {
	line, _, _ := strings.Cut(s, "\n")
	t := writer{dst: dst, x: x, y: y, base: base, pen: base}
	t.limit(x, w)
	t.line(line)
	return t.x - x
}

// DrawBlock draws several lines of styled text into the rectangle of w columns
// and h rows at x, y of dst, each cut as DrawText cuts. A style goes on in the
// next line. Cells beside and below the text stay as they are.
func DrawBlock(dst *screen.Canvas, x, y, w, h int, s string) {
	t := writer{dst: dst}
	t.limit(x, w)
	for range h {
		line, rest, more := strings.Cut(s, "\n")
		t.x, t.y = x, y
		t.line(line)
		if !more {
			return
		}
		s, y = rest, y+1
	}
}

// StyleOf returns the style of the first character of styled text: the way
// from a lipgloss style, by rendering any text with it, to one for cells.
// Links are left out, for want of a table.
func StyleOf(rendered string) screen.Style {
	var st screen.Style
	for rendered != "" {
		if rendered[0] != 0x1b {
			break
		}
		n, sgr, _ := escape(rendered)
		if sgr != "" {
			st = applySGR(st, screen.Style{}, sgr)
		}
		rendered = rendered[n:]
	}
	return st
}

// Width returns the columns that a line of styled text takes.
func Width(s string) int {
	t := writer{x1: 1 << 30}
	t.line(s)
	return t.x
}

// writer puts text on a canvas, or only measures it where there is none.
type writer struct {
	dst       *screen.Canvas
	x, y      int
	x0, x1    int // columns that may be written
	base, pen screen.Style
	id        screen.StyleID
	idOK      bool // id is that of pen
}

// limit sets the columns that may be written to those of [x, x+w) inside dst.
func (t *writer) limit(x, w int) {
	t.x0, t.x1 = max(x, 0), min(x+w, t.dst.W)
}

// line draws s, which has no newline, until the limit is reached. ASCII takes a
// short way: only what is followed by more than ASCII can be part of a cluster.
func (t *writer) line(s string) {
	for len(s) > 0 && t.x < t.x1 {
		c := s[0]
		switch {
		case c == 0x1b:
			n, sgr, link := escape(s)
			t.control(sgr, link)
			s = s[n:]
		case c == '\t':
			t.put(screen.RuneChar(' ', false), 1)
			s = s[1:]
		case c < 0x20 || c == 0x7f:
			s = s[1:]
		case c < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf):
			t.put(screen.RuneChar(rune(c), false), 1)
			s = s[1:]
		default:
			s = s[t.cluster(s):]
		}
	}
}

// cluster draws the first grapheme cluster of s and returns its length.
func (t *writer) cluster(s string) int {
	g := graphemes.FromString(s)
	if !g.Next() {
		return len(s)
	}
	v := g.Value()
	if !utf8.ValidString(v) {
		// The segmenter lets a byte that begins no rune swallow the next one.
		r, n := utf8.DecodeRuneInString(s)
		v = s[:n]
		if r == utf8.RuneError {
			t.put(screen.RuneChar(r, false), 1)
			return n
		}
	}
	w := displaywidth.String(v)
	r, n := utf8.DecodeRuneInString(v)
	if w == 0 || hidden(r) {
		return len(v)
	}
	ch := screen.RuneChar(r, w == 2)
	if n < len(v) && t.dst != nil {
		ch = t.dst.Table.ClusterChar(v, w == 2)
	}
	t.put(ch, w)
	return len(v)
}

// put draws one character and moves on. Of a wide one that the limit or an edge
// cuts, the half inside becomes a space, never a half of the character.
func (t *writer) put(ch screen.Char, w int) {
	x := t.x
	t.x += w
	if t.dst == nil || t.y < 0 || t.y >= t.dst.H {
		t.x = min(t.x, t.x1)
		return
	}
	if !t.idOK {
		t.id, t.idOK = t.dst.Table.StyleID(t.pen), true
	}
	if w == 2 && (x < t.x0 || x+1 >= t.x1) {
		ch = screen.RuneChar(' ', false)
	}
	row := t.dst.Row(t.y)
	if x >= t.x0 {
		place(row, x, screen.Cell{Char: ch, Style: t.id})
	}
	if w == 2 && x+1 >= t.x0 && x+1 < t.x1 {
		if ch.Wide() {
			ch = screen.Tail
		}
		place(row, x+1, screen.Cell{Char: ch, Style: t.id})
	}
	t.x = min(t.x, t.x1)
}

// control takes what an escape sequence said.
func (t *writer) control(sgr string, link *screen.Link) {
	switch {
	case sgr != "":
		t.pen = applySGR(t.pen, t.base, sgr)
	case link != nil && t.dst != nil:
		t.pen.Link = t.base.Link
		if link.URI != "" {
			t.pen.Link = t.dst.Table.LinkID(*link)
		}
	default:
		return
	}
	t.idOK = false
}

// place sets cell x of row, and blanks the other half of a wide character that
// it cuts.
func place(row []screen.Cell, x int, c screen.Cell) {
	if row[x].Char == screen.Tail && c.Char != screen.Tail && x > 0 && row[x-1].Char.Wide() {
		row[x-1].Char = screen.Blank
	}
	if row[x].Char.Wide() && x+1 < len(row) && row[x+1].Char == screen.Tail {
		row[x+1].Char = screen.Blank
	}
	row[x] = c
}

// hidden reports whether a rune must not be drawn: controls, and what reorders
// or hides the text around it.
func hidden(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r < 0x200b:
		return r == 0xad || r == 0x61c
	}
	return r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r == 0xfeff || r >= 0xfff9 && r <= 0xfffb || r >= 0xd800 && r <= 0xdfff || r > utf8.MaxRune ||
		r >= 0xe0000 && r <= 0xe007f
}
