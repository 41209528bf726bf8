package detect

import (
	"strings"
	"unicode/utf8"
)

// maxLine is how many bytes of a row are matched.
const maxLine = 1024

// shape is what a row is made of.
type shape uint8

const (
	textRow   shape = iota
	blankRow        // nothing, or nothing but a border
	ruleRow         // a horizontal rule, perhaps with a label in it
	dashedRow       // a rule that divides what is inside a dialog
	boxTop          // the upper edge of a box
	boxBottom       // the lower edge
)

// line is one row after soft wraps are joined and borders stripped. Its
// indentation is what the row has inside its border.
type line struct {
	text, solid string
	row         int // the first row of the screen that it stands on
	shape       shape
	framed      bool // it has a border on the left
	foot        bool // of a rule: it closes what is above it, as ▀▀▀ does
}

// lines returns the rows of a screen for matching, without the blank ones at
// the end.
func lines(s *Screen) []line {
	out := make([]line, 0, len(s.Rows))
	for i := 0; i < len(s.Rows); i++ {
		first := i
		text, solid := s.Rows[i].Text, s.Rows[i].Solid
		for s.Rows[i].Wrapped && i+1 < len(s.Rows) && len(text) < maxLine {
			i++
			text, solid = text+s.Rows[i].Text, solid+s.Rows[i].Solid
		}
		out = append(out, newLine(text, solid, first, s.Cols))
	}
	for len(out) > 0 && out[len(out)-1].shape == blankRow {
		out = out[:len(out)-1]
	}
	return out
}

func newLine(text, solid string, row, cols int) line {
	same := text == solid
	l := line{row: row}
	l.text, l.framed = unframe(cut(text), cols)
	if l.solid = l.text; !same {
		l.solid, _ = unframe(cut(solid), cols)
	}
	l.shape, l.foot = shapeOf(l.text)
	return l
}

// cut bounds what is matched of one row.
func cut(s string) string {
	if len(s) <= maxLine {
		return s
	}
	s = s[:maxLine]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}

// unframe takes the borders off a row: two boxes deep, and the scroll bar that
// some programs draw at the right edge.
func unframe(s string, cols int) (string, bool) {
	framed := false
	for range 2 {
		inner, ok := trimBorder(s, cols)
		if !ok {
			break
		}
		s, framed = inner, true
	}
	// Some programs write blanks that do not break.
	if strings.Contains(s, "\u00a0") {
		s = strings.ReplaceAll(s, "\u00a0", " ")
	}
	return trimBar(s), framed
}

// trimBar strips blanks, borders and scroll bars at the end.
func trimBar(s string) string {
	s = strings.TrimRight(s, " ")
	if s == "" || s[len(s)-1] < utf8.RuneSelf {
		return s
	}
	if r, _ := utf8.DecodeLastRuneInString(s); !isBar(r) && r != '█' {
		return s
	}
	return strings.TrimRight(s, " │┃║▐▕█")
}

// trimBorder strips one border at the left: a light one only near the edge, so
// that a table in an answer stays a table, a heavy one in the left half, so
// that a scroll bar is none.
func trimBorder(s string, cols int) (string, bool) {
	rest := strings.TrimLeft(s, " ")
	if rest == "" || rest[0] < utf8.RuneSelf {
		return s, false
	}
	r, n := utf8.DecodeRuneInString(rest)
	indent := len(s) - len(rest)
	if !isBar(r) || r != '┃' && indent > 3 || indent > 3 && indent*2 >= cols {
		return s, false
	}
	rest = strings.TrimPrefix(rest[n:], " ")
	if r == '┃' {
		// A bar without a right side is followed by a gutter of two.
		rest = strings.TrimPrefix(rest, " ")
	}
	return rest, true
}

func isBar(r rune) bool {
	switch r {
	case '│', '┃', '║', '▌', '▎', '▏', '▐', '▕', '╎', '┆':
		return true
	}
	return false
}

// minRule is how many characters make a horizontal rule.
const minRule = 8

// shapeOf says what a row without its borders is.
func shapeOf(s string) (sh shape, foot bool) {
	t := strings.TrimLeft(s, " ")
	if t == "" {
		return blankRow, false
	}
	if t[0] < utf8.RuneSelf {
		return textRow, false
	}
	first, _ := utf8.DecodeRuneInString(t)
	switch first {
	case '╭', '┌', '┏', '╔', '╻':
		t, sh = trimEdge(t), boxTop
	case '╰', '└', '┗', '╚', '╹':
		t, sh, foot = trimEdge(t), boxBottom, true
	default:
		if !isRule(first) {
			return textRow, false
		}
		sh = ruleRow
	}
	dashed := first == '╌' || first == '╍' || first == '┄' || first == '┈'
	if !ruled(t) {
		return textRow, false
	}
	switch {
	case dashed:
		return dashedRow, false
	case first == '╻' || first == '╹':
		sh = ruleRow
	case first == '▀':
		foot = true
	}
	return sh, foot
}

// ruled reports whether a row is drawn as a rule. A label in it may be longer
// than what is left of the rule where that is plain at both ends.
func ruled(t string) bool {
	n, total, before, after := 0, 0, 0, 0
	for _, r := range t {
		total++
		if !isRule(r) {
			after = 0
			continue
		}
		if n == total-1 {
			before++
		}
		n++
		after++
	}
	return n >= minRule && after > 1 && (n*3 >= total || before > 1)
}

// trimEdge strips the corners of a box's edge.
func trimEdge(t string) string {
	_, n := utf8.DecodeRuneInString(t)
	return strings.TrimRight(t[n:], "╮┐┓╗╯┘┛╝ ")
}

func isRule(r rune) bool {
	switch r {
	case '─', '━', '═', '╌', '╍', '┄', '┈', '▔', '▁', '▀', '▄':
		return true
	}
	return false
}

// indent returns how many blanks a row begins with.
func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// hintKeys and hintActs are words of rows that tell which key does what.
var (
	hintKeys = []string{"enter", "esc", "↵", "⏎", "return", "ctrl+", "tab ", "↑", "space"}
	hintActs = []string{
		"select", "confirm", "cancel", "continue", "submit", "choose", "accept", "amend", "navigate", "interrupt",
		"skip", "back", "exit", "quit", "approve", "reject", "close", "save", "dismiss", "move", "decline", "toggle",
		"enter to", "esc to",
	}
)

// isHint reports whether a row names keys and what they do.
func isHint(s string) bool {
	return containsFold(s, hintKeys) && containsFold(s, hintActs)
}

func containsFold(s string, words []string) bool {
	for _, w := range words {
		if indexFold(s, w) >= 0 {
			return true
		}
	}
	return false
}

// indexFold is strings.Index without regard to the case of ASCII letters; sub
// is in lower case.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if lowerByte(s[i]) == sub[0] && equalFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

func equalFold(s, lowered string) bool {
	for i := range len(lowered) {
		if lowerByte(s[i]) != lowered[i] {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
