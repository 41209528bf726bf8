package paint

import (
	"unicode"

	"deck/term/screen"
)

// zeroWidth reports whether r takes no column of its own, so that as a cell's
// only rune it would join the cell before.
func zeroWidth(r rune) bool {
	switch {
	case r < 0x300, r >= 0x2100 && r < 0x2c00, r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return false
	case r >= 0x1160 && r <= 0x11ff, r >= 0xd7b0 && r <= 0xd7fb:
		return true // the vowels and finals of decomposed Hangul
	}
	return unicode.In(r, unicode.Mn, unicode.Me)
}

// marked reports whether a cluster is a character and its combining marks, so
// that every terminal takes it for as wide as the character.
func marked(text string) bool {
	for i, r := range text {
		if i > 0 && !unicode.In(r, unicode.Mn, unicode.Me) || r == 0xfe0f {
			return false
		}
	}
	return true
}

// doubtful reports whether terminals disagree on the width of c, so that the
// cursor's column is not certain after it: clusters, symbols that some draw as
// emoji, private ones, and those without a picture.
func doubtful(c screen.Char) bool {
	if c < 0xad {
		return false
	}
	r, ok := c.Rune()
	if !ok {
		return true
	}
	return r >= 0x2300 && r < 0x2400 || r >= 0x2600 && r < 0x27c0 || r >= 0x2b00 && r < 0x2c00 ||
		r >= 0x1f000 && r < 0x1fb00 || unpictured(r)
}

// unpictured reports whether r is no character that Unicode shows: not
// assigned, which some terminals leave out (tmux) and others draw as a box,
// private, or a format character.
func unpictured(r rune) bool {
	switch {
	case r < 0xad, r > 0xad && r < 0x370, r >= 0x400 && r < 0x530, r >= 0x2010 && r < 0x2028, r >= 0x2190 && r < 0x2400,
		r >= 0x2500 && r < 0x2b74, r >= 0x30a0 && r < 0x3100, r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd7a4, r == 0xfffd:
		return false // those of most screens, at no cost
	}
	return !unicode.IsGraphic(r)
}

// joins reports whether a terminal that knows grapheme clusters could take what
// is drawn next to c for a part of it, or not know c at all.
func joins(c screen.Char) bool {
	if c < 0xad {
		return false
	}
	r, ok := c.Rune()
	return !ok || unpictured(r) && !unicode.Is(unicode.Co, r) || r >= 0x1f1e6 && r <= 0x1f1ff || r >= 0x1100 && r <= 0x115f || r >= 0xa960 && r <= 0xa97c
}

// asciiRune returns what stands for r on a terminal without UTF-8.
func asciiRune(r rune) rune {
	if r < 0x7f {
		return r
	}
	if a, ok := armsOf[r]; ok {
		switch {
		case a.left|a.right == 0:
			return '|'
		case a.up|a.down == 0:
			return '-'
		}
		return '+'
	}
	switch {
	case r >= 0x2500 && r < 0x2580:
		return boxDouble(r)
	case r == 0xa0:
		return ' '
	case r >= 0x2588 && r <= 0x2593:
		return '#'
	case r >= 0x2801 && r < 0x2900, r == '•', r == '●', r == '◆', r == '·':
		return '*'
	case r == '←':
		return '<'
	case r == '→':
		return '>'
	case r == '↑':
		return '^'
	case r == '↓':
		return 'v'
	case r == '‘' || r == '’':
		return '\''
	case r == '“' || r == '”':
		return '"'
	case r >= '‐' && r <= '―':
		return '-'
	}
	return '?'
}

// boxDouble stands in for the box-drawing characters without arms of their
// own: double and dashed lines.
func boxDouble(r rune) rune {
	switch r {
	case '═', '┄', '┅', '┈', '┉', '╌', '╍':
		return '-'
	case '║', '┆', '┇', '┊', '┋', '╎', '╏':
		return '|'
	case '╱':
		return '/'
	case '╲':
		return '\\'
	}
	return '+'
}
