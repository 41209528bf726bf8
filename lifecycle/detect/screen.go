package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Row is a row of a screen, without trailing blanks.
type Row struct {
	Text string
	// Solid is Text with blanks for what is faint: suggestions that nobody
	// typed. Rows without faint text have the same string in both.
	Solid   string
	Wrapped bool // the text goes on in the next row
}

// Screen is what a terminal shows at one moment.
type Screen struct {
	Rows     []Row
	Cols     int
	Title    string
	Progress int // state of OSC 9;4: 0 none, 1 normal, 2 error, 3 of unknown extent, 4 paused
	Percent  int // of Progress
	CursorX  int
	CursorY  int // -1 where it is not known, as in a saved text
	// Alternate says that the alternate screen is shown, Shell that a shell's
	// prompt was the last that the shell marked (OSC 133;A or B).
	Alternate, Shell bool
}

// The limits of a text that is read as a screen.
const (
	maxTextRows = 2000
	maxTextCols = 1000
)

// TextScreen returns a screen that shows a text, a row for each line. Control
// characters are left out; rows and columns beyond 2000 and 1000 are dropped,
// the oldest rows first.
func TextScreen(text string) Screen {
	s := Screen{CursorY: -1}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if n := len(lines) - maxTextRows; n > 0 {
		lines = lines[n:]
	}
	for _, l := range lines {
		l = strings.Map(func(r rune) rune {
			switch {
			case r == '\t':
				return ' '
			case unicode.IsControl(r), r == utf8.RuneError:
				return -1
			}
			return r
		}, l)
		l = strings.TrimRight(l, " ")
		n := utf8.RuneCountInString(l)
		if n > maxTextCols {
			l, n = string([]rune(l)[:maxTextCols]), maxTextCols
		}
		s.Cols = max(s.Cols, n)
		s.Rows = append(s.Rows, Row{Text: l, Solid: l})
	}
	return s
}
