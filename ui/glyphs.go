package ui

import "deck/lifecycle"

// glyphs are the characters of the chrome, each one column wide.
type glyphs struct {
	cut, dot, bell, here string
	clash                string    // before the nick of who changes the same files
	more                 [2]string // tabs before and behind those shown
	box                  boxGlyphs
	light, heavy         lineGlyphs // around panes without and with the focus
	states               map[lifecycle.State]string
	running              string
}

// boxGlyphs frame an overlay.
type boxGlyphs struct {
	topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical string
}

// lineGlyphs are a horizontal and a vertical line, and the junctions of a
// vertical one with title rows that start at its right, end at its left, do
// both, or do so where it begins.
type lineGlyphs struct {
	horizontal, vertical, right, left, cross, top string
}

var unicodeGlyphs = glyphs{
	cut: "…", dot: " · ", bell: "◆", clash: "⇄", here: "▌", more: [2]string{"‹", "›"},
	box:   boxGlyphs{"╭", "╮", "╰", "╯", "─", "│"},
	light: lineGlyphs{"─", "│", "├", "┤", "┼", "┬"},
	heavy: lineGlyphs{"━", "┃", "┣", "┫", "╋", "┳"},
	states: map[lifecycle.State]string{
		lifecycle.Unknown: "?", lifecycle.Working: "●", lifecycle.NeedsInput: "▲", lifecycle.Idle: "○",
		lifecycle.Blocked: "■", lifecycle.Done: "✓", lifecycle.Dead: "×",
	},
	running: "▸",
}

var asciiGlyphs = glyphs{
	cut: "~", dot: " - ", bell: "@", clash: "%", here: ">", more: [2]string{"<", ">"},
	box:   boxGlyphs{"+", "+", "+", "+", "-", "|"},
	light: lineGlyphs{"-", ":", ":", ":", ":", ":"},
	heavy: lineGlyphs{"=", "|", "|", "|", "|", "|"},
	states: map[lifecycle.State]string{
		lifecycle.Unknown: "?", lifecycle.Working: "*", lifecycle.NeedsInput: "!", lifecycle.Idle: "o",
		lifecycle.Blocked: "#", lifecycle.Done: "+", lifecycle.Dead: "x",
	},
	running: "-",
}
