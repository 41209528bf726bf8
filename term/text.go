package term

import (
	"strings"

	"deck/term/screen"
)

// Line is a row of text without trailing blanks; Wrapped says that it goes on
// in the next one.
type Line struct {
	Text    string
	Wrapped bool
}

// Text returns n rows as plain text from row first, counted from the oldest
// row of the history.
func (p *Pane) Text(first, n int) []Line { return p.lines(first, n, plainRow) }

// Styled is Text with SGR sequences.
func (p *Pane) Styled(first, n int) []Line { return p.lines(first, n, styledRow) }

// Look is what a pane shows at one moment, taken under one lock.
type Look struct {
	Lines      []Line
	Screen     int // index in Lines at which the screen starts
	Cols, Rows int
	Cursor     screen.Cursor
	Title      string
}

// Look returns the screen and at most history rows before it, as plain text or
// with SGR sequences.
func (p *Pane) Look(history int, styled bool) Look {
	p.mu.Lock()
	defer p.mu.Unlock()
	row := plainRow
	if styled {
		row = styledRow
	}
	l := Look{Cursor: p.em.Cursor(), Title: p.em.Title()}
	l.Cols, l.Rows = p.em.Size()
	l.Screen = min(max(history, 0), p.em.HistoryLen())
	l.Lines = p.linesLocked(p.em.HistoryLen()-l.Screen, l.Screen+l.Rows, row)
	return l
}

type rowText func(*screen.Table, []screen.Cell) string

// lines returns rows in either form.
func (p *Pane) lines(first, n int, text rowText) []Line {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.linesLocked(first, n, text)
}

// tidyRows is after how many rows of history the styles, clusters and links are
// looked at that reading them brought along: there may be one for each cell.
const tidyRows = 32

// linesLocked is lines with mu held.
func (p *Pane) linesLocked(first, n int, text rowText) []Line {
	history := p.em.HistoryLen()
	_, rows := p.em.Size()
	first = max(first, 0)
	end := min(first+max(n, 0), history+rows)
	if first >= end {
		return nil
	}
	out := make([]Line, 0, end-first)
	var buf []screen.Cell
	for i := first; i < end; i++ {
		var cells []screen.Cell
		var wrapped bool
		if i < history {
			if i%tidyRows == 0 {
				p.em.Tidy()
			}
			buf, wrapped = p.em.HistoryRow(i, buf[:0])
			cells = buf
		} else {
			cells, wrapped = p.em.Row(i-history), p.em.Wrapped(i-history)
		}
		out = append(out, Line{Text: text(p.em.Table(), cells), Wrapped: wrapped})
	}
	return out
}

// plainRow returns a row's text. Blanks that were written count as blanks too:
// what a person copies should not depend on how a program cleared a line.
func plainRow(t *screen.Table, cells []screen.Cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(t.Text(c.Char))
	}
	return strings.TrimRight(b.String(), " ")
}
