package ui

import (
	"strings"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// toggle begins a selection at the cursor, or drops the one there is.
func (c *copyMode) toggle(rows bool) {
	if c.anchor != nil && c.rows == rows {
		c.anchor = nil
		return
	}
	if c.anchor == nil {
		at := c.at
		c.anchor = &at
	}
	c.rows = rows
}

// selection returns both ends in order, the last one included.
func (c *copyMode) selection() (from, to point, ok bool) {
	if c.anchor == nil {
		return point{}, point{}, false
	}
	from, to = *c.anchor, c.at
	if to.before(from) {
		from, to = to, from
	}
	if c.rows {
		from.x, to.x = 0, 1<<20
	}
	return from, to, true
}

// drawMarks marks what is selected and what was found.
func (c *copyMode) drawMarks(p pen, in layout.Rect, f screen.Frame) {
	top := int(f.Dropped) + f.History - c.up(f)
	from, to, selected := c.selection()
	for y := range in.H {
		row := p.c.Row(in.Y + y)[in.X : in.X+in.W]
		line := top + y
		for _, s := range c.search.on(line) {
			m := markHit
			if s.hit == c.search.here {
				m = markHitHere
			}
			p.th.mark(m, row[min(s.x, in.W):min(s.x+s.n, in.W)])
		}
		if !selected || line < from.line || line > to.line {
			continue
		}
		x0, x1 := 0, in.W
		if line == from.line {
			x0 = min(from.x, in.W)
		}
		if line == to.line {
			x1 = min(to.x+1, in.W)
		}
		p.th.mark(markSelection, row[x0:max(x0, x1)])
	}
}

// columns returns the grapheme cluster of each column, "" for the right half
// of a wide one.
func columns(s string) []string {
	cells := make([]string, 0, len(s))
	g := displaywidth.StringGraphemes(s)
	for g.Next() {
		switch g.Width() {
		case 0:
			continue
		case 2:
			cells = append(cells, g.Value(), "")
		default:
			cells = append(cells, g.Value())
		}
	}
	return cells
}

// rowCells returns the columns of one line of the history.
func rowCells(s Screen, e extent, line int) []string {
	if rows := s.Text(line-e.first, 1); len(rows) > 0 {
		return columns(rows[0].Text)
	}
	return nil
}

// selectedText returns the selection as it was printed: soft-wrapped rows are
// one line, blanks at the end of a line are none.
func (c *copyMode) selectedText(e extent, s Screen) string {
	from, to, ok := c.selection()
	if !ok {
		return ""
	}
	from.line, to.line = max(from.line, e.first), min(to.line, e.end-1)
	if to.line < from.line {
		return ""
	}
	lines := s.Text(from.line-e.first, to.line-from.line+1)
	var b, row strings.Builder
	for i, l := range lines {
		cells := columns(l.Text)
		for l.Wrapped && len(cells) < e.cols && !wideNext(lines, i, len(cells), e.cols) {
			cells = append(cells, " ")
		}
		x0, x1 := 0, len(cells)
		if i == 0 {
			x0 = leadOf(cells, from.x)
		}
		if i == len(lines)-1 {
			x1 = min(to.x+1, len(cells))
		}
		row.WriteString(strings.Join(cells[x0:max(x0, x1)], ""))
		if l.Wrapped && i < len(lines)-1 {
			continue
		}
		b.WriteString(strings.TrimRight(row.String(), " "))
		row.Reset()
		if i < len(lines)-1 || c.rows {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// leadOf returns the column where the character at x begins.
func leadOf(cells []string, x int) int {
	x = max(0, min(x, len(cells)))
	for x > 0 && x < len(cells) && cells[x] == "" {
		x--
	}
	return x
}

// wideNext reports that a wrapped row is one column short because the wide
// character that starts the next one did not fit.
func wideNext(lines []Line, i, have, cols int) bool {
	if have != cols-1 || i+1 >= len(lines) {
		return false
	}
	g := displaywidth.StringGraphemes(lines[i+1].Text)
	return g.Next() && g.Width() == 2
}

// copySelection puts the selection on the clipboard and leaves copy mode.
func copySelection(m *Model, e extent, s Screen) tea.Cmd {
	text := m.copying.selectedText(e, s)
	if strings.TrimSpace(text) == "" {
		return m.notify("nothing is selected; v begins a selection", false)
	}
	m.leaveCopy()
	return m.copyText(text)
}

// copyText puts text on the terminal's clipboard and keeps it for the paste
// action, which works where the terminal refuses.
func (m *Model) copyText(text string) tea.Cmd {
	m.copied = text
	m.host.Do(Copy{Text: text})
	return m.notify("copied "+plural(len([]rune(text)), "character"), false)
}

// grabText remembers where a selection with the mouse would begin. A click
// alone selects nothing; it ends a look back that the mouse began.
func (m *Model) grabText(id layout.PaneID, mo keys.Mouse) {
	m.drag = drag{kind: dragSelect, pane: id, x: mo.X, y: mo.Y}
	if c := m.copying; c != nil && c.pane == id {
		c.anchor = nil
		if e, _, ok := m.extent(); ok && !c.passive {
			c.at = m.pointAt(id, mo.X, mo.Y, e)
		}
		m.redraw(id)
	}
}

// pointAt returns the cell of the history under a cell of the screen; a
// position beside the pane counts as the nearest in it.
func (m *Model) pointAt(id layout.PaneID, x, y int, e extent) point {
	r, _ := m.geo.place(id)
	in := inner(r)
	return point{
		x:    max(0, min(x-in.X, min(in.W, e.cols)-1)),
		line: m.copying.top + max(0, min(y-in.Y, e.rows-1)),
	}
}

// selectTo extends the selection to the mouse, scrolls at the edges, and
// copies when the button is released.
func (m *Model) selectTo(mo keys.Mouse) tea.Cmd {
	d := m.drag
	if mo.Release {
		m.drag = drag{}
	}
	if m.copying == nil || m.copying.pane != d.pane {
		if mo.Release || mo.X == d.x && mo.Y == d.y {
			return nil
		}
		m.lookAt(d.pane, true)
	}
	e, s, ok := m.extent()
	if !ok {
		return nil
	}
	c := m.copying
	// The release comes at the place of the last motion.
	if mo.Motion {
		m.extend(c, d, mo, e)
	}
	m.redraw(d.pane)
	if !mo.Release {
		return m.atEdge(mo)
	}
	if c.anchor == nil {
		return nil
	}
	text := c.selectedText(e, s)
	c.anchor = nil
	if c.passive && c.up(m.views[d.pane].frame) == 0 {
		m.leaveCopy()
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return m.copyText(text)
}

// extend begins the selection with the first motion, at the press.
func (m *Model) extend(c *copyMode, d drag, mo keys.Mouse, e extent) {
	if c.anchor == nil {
		at := m.pointAt(d.pane, d.x, d.y, e)
		c.anchor, c.rows = &at, false
	}
	c.scroll(m.beyond(d.pane, mo), e)
	c.at = m.pointAt(d.pane, mo.X, mo.Y, e)
}

// beyond is on which side of a pane the mouse is: -1 above, 1 below, else 0.
func (m *Model) beyond(id layout.PaneID, mo keys.Mouse) int {
	r, _ := m.geo.place(id)
	switch in := inner(r); {
	case mo.Y < in.Y:
		return -1
	case mo.Y >= in.Y+in.H:
		return 1
	}
	return 0
}

// atEdge starts to scroll when the mouse is beyond an edge of the pane, and
// stops when it is back.
func (m *Model) atEdge(mo keys.Mouse) tea.Cmd {
	m.drag.last = mo
	if m.beyond(m.drag.pane, mo) == 0 {
		m.drag.edge = 0
		return nil
	}
	if m.drag.edge != 0 {
		return nil
	}
	m.edges++
	m.drag.edge = m.edges
	return edgeCmd(m.edges)
}

// scrollOn scrolls by one more row, until there is no more to see: a mouse that
// left the terminal may never tell of its release.
func (m *Model) scrollOn(msg edgeMsg) tea.Cmd {
	d := m.drag
	if d.kind != dragSelect || d.edge != msg.turn || m.copying == nil || m.copying.pane != d.pane {
		return nil
	}
	e, _, ok := m.extent()
	if !ok {
		return nil
	}
	top := m.copying.top
	m.extend(m.copying, d, d.last, e)
	m.redraw(d.pane)
	if m.copying.top == top {
		m.drag.edge = 0
		return nil
	}
	return edgeCmd(msg.turn)
}
