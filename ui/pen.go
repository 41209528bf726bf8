package ui

import (
	"strings"
	"unicode/utf8"

	"deck/term/layout"
	"deck/term/screen"

	"github.com/clipperhouse/displaywidth"
)

// pen writes chrome into a canvas in the looks of a theme.
type pen struct {
	c  *screen.Canvas
	th *theme
}

// text writes at most w columns of s and returns how many it used. Control
// characters and what would turn the direction of the row are left out.
func (p pen) text(x, y, w int, s string, l look) int {
	if y < 0 || y >= p.c.H || x < 0 {
		return 0
	}
	row, id := p.c.Row(y), p.th.id(l)
	w = min(w, p.c.W-x)
	used := 0
	g := displaywidth.StringGraphemes(s)
	for g.Next() {
		cluster := g.Value()
		cols := g.Width()
		if cols == 0 || unclean(cluster) {
			continue
		}
		if used+cols > w {
			break
		}
		row[x+used] = screen.Cell{Char: p.char(cluster, cols == 2), Style: id}
		if cols == 2 {
			row[x+used+1] = screen.Cell{Char: screen.Tail, Style: id}
		}
		used += cols
	}
	return used
}

// char stores a cluster of one rune in the cell and others in the table.
func (p pen) char(cluster string, wide bool) screen.Char {
	r, n := utf8.DecodeRuneInString(cluster)
	if n == len(cluster) {
		return screen.RuneChar(r, wide)
	}
	return p.c.Table.ClusterChar(cluster, wide)
}

// unclean reports whether a cluster may not be drawn: C0, C1, line ends, and
// the characters that mark or override the direction of text.
func unclean(s string) bool {
	for _, r := range s {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r == 0x200e, r == 0x200f, r == 0x061c, r == utf8.RuneError:
			return true
		}
	}
	return false
}

// right writes s so that it ends before column x+w; it returns the columns
// left for others.
func (p pen) right(x, y, w int, s string, l look) int {
	n := displaywidth.String(s)
	if n > w {
		return w
	}
	p.text(x+w-n, y, n, s, l)
	return w - n
}

// fill makes a rectangle blank in one look.
func (p pen) fill(r layout.Rect, l look) {
	cell := screen.Cell{Char: screen.RuneChar(' ', false), Style: p.th.id(l)}
	for y := max(r.Y, 0); y < min(r.Y+r.H, p.c.H); y++ {
		row := p.c.Row(y)
		for x := max(r.X, 0); x < min(r.X+r.W, p.c.W); x++ {
			row[x] = cell
		}
	}
}

// fit cuts s to w columns; what is cut ends in a mark.
func (t *theme) fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	return displaywidth.TruncateString(s, w, t.glyphs.cut)
}

// box clears a rectangle and draws a frame with a title around it; it returns
// the inside. Wide characters that the frame would halve give way.
func (p pen) box(r layout.Rect, title string) layout.Rect {
	for y := max(r.Y, 0); y < min(r.Y+r.H, p.c.H); y++ {
		row := p.c.Row(y)
		if x := r.X - 1; x >= 0 && x < p.c.W && row[x].Char.Wide() {
			row[x].Char = screen.Blank
		}
		if x := r.X + r.W; x >= 0 && x < p.c.W && row[x].Char == screen.Tail {
			row[x].Char = screen.Blank
		}
	}
	p.fill(r, lookPlain)
	if r.W < 2 || r.H < 2 {
		return r
	}
	g := p.th.glyphs
	bar := strings.Repeat(g.box.horizontal, r.W-2)
	p.text(r.X, r.Y, r.W, g.box.topLeft+bar+g.box.topRight, lookBox)
	p.text(r.X, r.Y+r.H-1, r.W, g.box.bottomLeft+bar+g.box.bottomRight, lookBox)
	for y := r.Y + 1; y < r.Y+r.H-1; y++ {
		p.text(r.X, y, 1, g.box.vertical, lookBox)
		p.text(r.X+r.W-1, y, 1, g.box.vertical, lookBox)
	}
	if title != "" && r.W > 6 {
		p.text(r.X+2, r.Y, r.W-4, " "+p.th.fit(title, r.W-6)+" ", lookBoxTitle)
	}
	return layout.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2}
}

// centred returns a rectangle of at most w×h in the middle of area.
func centred(area layout.Rect, w, h int) layout.Rect {
	w, h = min(w, area.W), min(h, area.H)
	return layout.Rect{X: area.X + (area.W-w)/2, Y: area.Y + (area.H-h)/2, W: w, H: h}
}

// plain returns a canvas as lines of text.
func plain(c *screen.Canvas) string {
	var b strings.Builder
	for y := range c.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		for _, cell := range c.Row(y) {
			b.WriteString(c.Table.Text(cell.Char))
		}
	}
	return b.String()
}
