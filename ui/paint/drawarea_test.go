package paint

import "deck/term/screen"

// Fill makes the rectangle blank in style st. What lies outside of dst is left
// out.
func Fill(dst *screen.Canvas, x, y, w, h int, st screen.Style) {
	c := screen.Cell{Style: dst.Table.StyleID(st)}
	for i := max(y, 0); i < min(y+h, dst.H); i++ {
		row := dst.Row(i)
		for j := max(x, 0); j < min(x+w, dst.W); j++ {
			if j == x || j == x+w-1 {
				place(row, j, c)
				continue
			}
			row[j] = c
		}
	}
}

// Restyle replaces the style of every cell of the rectangle by what f makes of
// it. Wide characters that the rectangle cuts take the style of their left
// half.
func Restyle(dst *screen.Canvas, x, y, w, h int, f func(screen.Style) screen.Style) {
	from, to := screen.StyleID(0), dst.Table.StyleID(f(dst.Table.Style(0)))
	for i := max(y, 0); i < min(y+h, dst.H); i++ {
		row := dst.Row(i)
		for j := max(x, 0); j < min(x+w, dst.W); j++ {
			if row[j].Style != from {
				from = row[j].Style
				to = dst.Table.StyleID(f(dst.Table.Style(from)))
			}
			row[j].Style = to
		}
	}
}

// Dim makes the rectangle faint and takes what stands out from it, for what
// lies below a modal overlay.
func Dim(dst *screen.Canvas, x, y, w, h int) {
	Restyle(dst, x, y, w, h, func(st screen.Style) screen.Style {
		st.Attr = st.Attr&^(screen.Bold|screen.Blink|screen.RapidBlink) | screen.Faint
		return st
	})
}
