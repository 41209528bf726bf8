package paint

import "deck/term/screen"

// Line is the weight of a line of a box.
type Line uint8

// The weights; NoLine draws nothing.
const (
	NoLine Line = iota
	LightLine
	HeavyLine
)

// Fill makes the rectangle blank in style st. What lies outside of dst is left
// out, as in every function of this file.
func Fill(dst *screen.Canvas, x, y, w, h int, st screen.Style) {}

// Box draws a frame just inside the rectangle, joined with the lines it meets.
func Box(dst *screen.Canvas, x, y, w, h int, line Line, st screen.Style) {}

// HLine draws a line of n columns from x, y to the right, joined with the
// lines it meets.
func HLine(dst *screen.Canvas, x, y, n int, line Line, st screen.Style) {}

// VLine draws a line of n rows from x, y down, joined with the lines it meets.
func VLine(dst *screen.Canvas, x, y, n int, line Line, st screen.Style) {}

// Restyle replaces the style of every cell of the rectangle by what f makes of
// it.
func Restyle(dst *screen.Canvas, x, y, w, h int, f func(screen.Style) screen.Style) {}

// Dim makes the rectangle faint, for what lies below a modal overlay.
func Dim(dst *screen.Canvas, x, y, w, h int) {}
