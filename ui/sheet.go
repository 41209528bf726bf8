package ui

import (
	"strings"

	"deck/term/keys"
	"deck/term/layout"

	"github.com/charmbracelet/x/ansi"
)

// sheet is a text in rows to read and scroll through, some of which stand for a
// note and can be chosen.
type sheet struct {
	rows  []sheetRow
	width int    // that the rows are made for; 0: they are to be made
	at    string // the note of the chosen row
	top   int    // the first row in view
	fits  int    // how many were drawn
}

// sheetRow is one row; right stands at its other end.
type sheetRow struct {
	text, right string
	look        look
	note        string
}

// lay makes the rows for a width, if they are not made for it already.
func (s *sheet) lay(w int, fill func()) {
	if w == s.width || w < 1 {
		return
	}
	s.width, s.rows = w, nil
	fill()
}

// write adds a text, wrapped at words.
func (s *sheet) write(text string, l look) {
	for _, row := range wrapped(text, s.width) {
		s.rows = append(s.rows, sheetRow{text: row, look: l})
	}
}

// wrapped is a text in rows of at most w cells, wrapped at words.
func wrapped(text string, w int) (rows []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "    "), "\n") {
		for part := range strings.SplitSeq(ansi.Wrap(clean(line), w, ""), "\n") {
			rows = append(rows, cutRows(part, w)...)
		}
	}
	return rows
}

// paragraph draws a text wrapped at words, as much of it as there is room for.
func (p pen) paragraph(r layout.Rect, text string, l look) {
	if r.W < 1 {
		return
	}
	rows := wrapped(text, r.W)
	for i := range min(len(rows), r.H) {
		row := rows[i]
		if i == r.H-1 {
			row = p.th.fit(strings.Join(rows[i:], " "), r.W)
		}
		p.text(r.X, r.Y+i, r.W, row, l)
	}
}

// label adds a text behind a name, unless it is empty.
func (s *sheet) label(name, text string, l look) {
	if strings.TrimSpace(text) != "" {
		s.write(name+": "+text, l)
	}
}

// heading adds the beginning of a part.
func (s *sheet) heading(text string) {
	if len(s.rows) > 0 {
		s.rows = append(s.rows, sheetRow{})
	}
	s.rows = append(s.rows, sheetRow{text: text, look: lookHeading})
}

// key scrolls or chooses, and reports whether the key was for that.
func (s *sheet) key(k keys.Key) bool {
	switch r := letter(k); {
	case upKeys.has(k) || r == 'k':
		s.step(-1)
	case downKeys.has(k) || r == 'j':
		s.step(1)
	case pageUpKeys.has(k):
		s.scroll(1 - s.fits)
	case pageDownKeys.has(k) || r == ' ':
		s.scroll(s.fits - 1)
	case r == 'g':
		s.scroll(-len(s.rows))
	case r == 'G':
		s.scroll(len(s.rows))
	default:
		return false
	}
	return true
}

// step chooses the next row that stands for a note, if it is in view or just
// beyond; else it scrolls, so that no row is passed unread.
func (s *sheet) step(n int) {
	from := s.chosen()
	if from < s.top || from >= s.top+s.fits {
		if from = s.top - 1; n < 0 {
			from = s.top + s.fits
		}
	}
	for i := from + n; i >= max(s.top-1, 0) && i < min(s.top+s.fits+1, len(s.rows)); i += n {
		if s.rows[i].note == "" {
			continue
		}
		s.at = s.rows[i].note
		if i < s.top || i >= s.top+s.fits {
			s.scroll(n)
		}
		return
	}
	s.scroll(n)
}

// chosen is the index of the chosen row, -1 for none.
func (s *sheet) chosen() int {
	for i, r := range s.rows {
		if r.note != "" && r.note == s.at {
			return i
		}
	}
	return -1
}

func (s *sheet) scroll(n int) { s.top = max(0, min(s.top+n, len(s.rows)-s.fits)) }

// wheel scrolls by the mouse.
func (s *sheet) wheel(m keys.Mouse) {
	switch m.Button {
	case keys.WheelUp:
		s.scroll(-wheelRows)
	case keys.WheelDown:
		s.scroll(wheelRows)
	}
}

// draw draws what is in view, and on the frame around it how much is not.
func (s *sheet) draw(p pen, r layout.Rect) {
	s.fits = max(r.H, 0)
	s.scroll(0)
	for i := range min(s.fits, len(s.rows)-s.top) {
		row, w := s.rows[s.top+i], r.W
		if row.right != "" {
			w = p.right(r.X, r.Y+i, w, row.right, lookFaint) - 1
		}
		p.text(r.X, r.Y+i, w, p.th.fit(row.text, w), row.look)
		if row.note != "" && row.note == s.at {
			p.th.mark(markSelection, p.c.Row(r.Y + i)[r.X:r.X+r.W])
		}
	}
	if s.top > 0 {
		p.right(r.X, r.Y-1, r.W, " "+plural(s.top, "row")+" above ", lookKey)
	}
	if below := len(s.rows) - s.top - s.fits; below > 0 {
		p.right(r.X, r.Y+r.H+1, r.W, " "+plural(below, "more row")+" below ", lookKey)
	}
}
