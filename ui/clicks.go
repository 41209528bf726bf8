package ui

import (
	"strings"
	"unicode"

	"deck/term/keys"
	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
)

// clicks counts presses of the button at one cell in quick succession: two
// select a word, three a line. A timer ends the count.
type clicks struct {
	n    int
	pane layout.PaneID
	x, y int
	turn int
}

// count counts a press and returns the timer of its end.
func (m *Model) count(id layout.PaneID, mo keys.Mouse) tea.Cmd {
	c := &m.clicks
	if c.pane != id || c.x != mo.X || c.y != mo.Y {
		c.n = 0
	}
	*c = clicks{n: c.n%3 + 1, pane: id, x: mo.X, y: mo.Y, turn: c.turn + 1}
	return clickCmd(c.turn)
}

func (m *Model) endClicks(msg clickEndedMsg) {
	if msg.turn == m.clicks.turn {
		m.clicks.n = 0
	}
}

// pick copies the word or the line under the mouse.
func (m *Model) pick(id layout.PaneID, mo keys.Mouse) tea.Cmd {
	m.drag = drag{}
	passing := m.copying == nil || m.copying.pane != id
	if passing {
		m.lookAt(id, true)
	}
	e, s, ok := m.extent()
	if !ok {
		m.leaveCopy()
		return nil
	}
	c := m.copying
	at := m.pointAt(id, mo.X, mo.Y, e)
	first, cells := wholeLine(s, e, at.line)
	from, to, found := wordAt(cells, (at.line-first)*e.cols+at.x)
	if m.clicks.n == 3 {
		from, to, found = 0, len(cells)-1, len(cells) > 0
	}
	text := ""
	if found {
		c.anchor, c.at, c.rows = &point{from % e.cols, first + from/e.cols}, point{to % e.cols, first + to/e.cols}, false
		text = c.selectedText(e, s)
	}
	c.anchor = nil
	if passing {
		m.leaveCopy()
	}
	m.redraw(id)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return m.copyText(text)
}

// maxWrapped bounds how many rows of one line are looked at in each direction.
const maxWrapped = 200

// wholeLine returns the columns of the line that a row is a part of, all its
// wrapped rows but the last as wide as the pane, and the first of those rows.
func wholeLine(s Screen, e extent, line int) (first int, cells []string) {
	from := max(e.first, line-maxWrapped)
	rows := s.Text(from-e.first, min(e.end, line+maxWrapped)-from)
	here := line - from
	if here >= len(rows) {
		return line, nil
	}
	i := here
	for i > 0 && rows[i-1].Wrapped {
		i--
	}
	first = from + i
	for ; i < len(rows); i++ {
		row := columns(rows[i].Text)
		for rows[i].Wrapped && len(row) < e.cols {
			pad := " "
			if wideNext(rows, i, len(row), e.cols) {
				pad = "" // the word goes on
			}
			row = append(row, pad)
		}
		cells = append(cells, row...)
		if !rows[i].Wrapped {
			break
		}
	}
	return first, cells
}

// wordAt returns the first and last column of the word at a column. Paths and
// addresses are words; what quotes and brackets them is not part of them.
func wordAt(row []string, x int) (from, to int, ok bool) {
	x = leadOf(row, x)
	if x >= len(row) || !inWord(row[x]) {
		return 0, 0, false
	}
	from, to = x, x
	for from > 0 && inWord(row[from-1]) {
		from--
	}
	for to+1 < len(row) && inWord(row[to+1]) {
		to++
	}
	return from, to, true
}

// inWord takes the right half of a wide character as part of its word.
func inWord(cell string) bool {
	for _, r := range cell {
		return !unicode.IsSpace(r) && !strings.ContainsRune("()[]{}<>\"'`,;|│┃", r)
	}
	return true
}
