package ui

import (
	"fmt"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// copyMode is a look at a pane's history, with a cursor to search and select
// with. Its lines are counted from the first row that the pane ever scrolled
// away, so that they stay the same while output goes on.
type copyMode struct {
	pane    layout.PaneID
	passive bool  // only scrolled with the mouse: keys still go to the program
	top     int   // the first line in view
	at      point // the cursor
	anchor  *point
	rows    bool // the selection is of whole rows
	search  search
}

// point is a cell of the history: a column and a line.
type point struct{ x, line int }

// before is the order of reading.
func (p point) before(q point) bool { return p.line < q.line || p.line == q.line && p.x < q.x }

// extent is what can be looked at: lines first up to end (exclusive); the live
// screen starts at live.
type extent struct{ first, live, end, rows, cols int }

// extentOf returns what a frame says of the extent, in a view of h rows.
func extentOf(f screen.Frame, h int) extent {
	first := int(f.Dropped)
	live := first + f.History
	return extent{first: first, live: live, end: live + f.Rows, rows: max(min(h, f.Rows), 1), cols: max(f.Cols, 1)}
}

// extent returns the extent of the pane that is looked at, and its emulator.
func (m *Model) extent() (extent, Screen, bool) {
	if m.copying == nil {
		return extent{}, nil, false
	}
	id := m.copying.pane
	r, ok := m.geo.place(id)
	v, s := m.views[id], m.host.Screen(id)
	if !ok || v == nil || s == nil {
		return extent{}, nil, false
	}
	f := v.frame
	if m.frame.base.Table != nil {
		// Nothing is drawn into no room; the answer is how things are.
		f = s.Draw(&m.frame.base, layout.Rect{}, &v.tr, 0, v.gen)
	}
	return extentOf(f, inner(r).H), s, true
}

// enterCopy begins at the program's cursor. A look back that the mouse began
// becomes copy mode where it is.
func enterCopy(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		if m.copying != nil && m.copying.pane == p.ID {
			m.copying.passive = false
		} else {
			m.lookAt(p.ID, false)
		}
		if e, _, ok := m.extent(); ok {
			c := m.copying
			cur := m.views[p.ID].frame.Cursor
			c.at = point{min(cur.X, e.cols-1), e.live + cur.Y}
			c.at.line = max(c.top, min(c.at.line, c.top+e.rows-1))
		}
		return nil
	})
}

// pageBack enters copy mode a page up, for whoever wants to read what just
// scrolled away.
func pageBack(m *Model) tea.Cmd {
	cmd := enterCopy(m)
	if e, _, ok := m.extent(); ok {
		m.copying.scroll(-e.rows, e)
	}
	return cmd
}

// lookAt starts to look at the history of a pane, from its live screen.
func (m *Model) lookAt(id layout.PaneID, passive bool) {
	m.leaveCopy()
	m.copying = &copyMode{pane: id, passive: passive}
	if e, _, ok := m.extent(); ok {
		m.copying.top = e.live
	}
	m.redraw(id)
}

// leaveCopy goes back to the live screen.
func (m *Model) leaveCopy() {
	if m.copying != nil {
		m.redraw(m.copying.pane)
		m.copying = nil
	}
}

// redraw has one pane drawn anew.
func (m *Model) redraw(id layout.PaneID) {
	if v := m.views[id]; v != nil {
		v.gen = 0
	}
	m.touch()
}

// scrollPane scrolls a pane's history with the mouse, n rows up. Back at the
// live screen it is over.
func (m *Model) scrollPane(id layout.PaneID, n int) {
	if m.copying != nil && m.copying.pane != id {
		if !m.copying.passive {
			return
		}
		m.leaveCopy()
	}
	if m.copying == nil {
		if n < 0 {
			return
		}
		m.lookAt(id, true)
	}
	e, _, ok := m.extent()
	if !ok {
		m.leaveCopy()
		return
	}
	c := m.copying
	c.scroll(-n, e)
	if c.passive && c.top >= e.live {
		m.leaveCopy()
		return
	}
	m.redraw(id)
}

// scroll moves the view by n lines and keeps the cursor in it.
func (c *copyMode) scroll(n int, e extent) {
	c.top = max(e.first, min(c.top+n, e.live))
	c.at.line = max(c.top, min(c.at.line, c.top+e.rows-1))
}

// move moves the cursor and takes the view along.
func (c *copyMode) move(to point, e extent) {
	to.line = max(e.first, min(to.line, e.end-1))
	to.x = max(0, min(to.x, e.cols-1))
	c.at = to
	c.top = max(min(c.top, to.line), to.line-e.rows+1)
	c.top = max(e.first, min(c.top, e.live))
}

// up returns how many rows of history are in view.
func (c *copyMode) up(f screen.Frame) int {
	return max(0, min(int(f.Dropped)+f.History-c.top, f.History))
}

// position tells where in the history the view is.
func (c *copyMode) position(f screen.Frame) string { return fmt.Sprintf("%d/%d", c.up(f), f.History) }

// found tells what was searched for and which match the cursor is at.
func (c *copyMode) found() string {
	s := c.search
	switch {
	case s.query == "":
		return ""
	case s.here < 0:
		return fmt.Sprintf("%s: %d found", s.query, len(s.hits))
	}
	return fmt.Sprintf("%s: %d of %d", s.query, s.here+1, len(s.hits))
}

// cursorIn is where copy mode's cursor is on the screen. There is none while
// the keys are the program's.
func (c *copyMode) cursorIn(in layout.Rect, f screen.Frame) screen.Cursor {
	if c.search.typing {
		return c.search.cursor
	}
	top := int(f.Dropped) + f.History - c.up(f)
	y := c.at.line - top
	if c.passive || y < 0 || y >= in.H {
		return screen.Cursor{}
	}
	return screen.Cursor{X: in.X + min(c.at.x, in.W-1), Y: in.Y + y, Visible: true}
}

// reflowed drops what was found and selected: rows of another width have
// other numbers.
func (c *copyMode) reflowed() {
	c.anchor = nil
	c.search.hits, c.search.lines, c.search.here = nil, nil, -1
	c.search.text = searched{}
}

// copyKey takes a key of copy mode. While only the mouse scrolled, keys are
// the program's and end the look back.
func (m *Model) copyKey(t keys.Token, k keys.Key) tea.Cmd {
	c := m.copying
	e, s, ok := m.extent()
	if c.passive || !ok {
		if c.pane == m.where.focus() || !ok {
			m.leaveCopy()
		}
		return m.send(t)
	}
	m.redraw(c.pane)
	if c.search.typing {
		return m.searchKey(k, e, s)
	}
	for _, b := range copyTable {
		if b.set.has(k) {
			return b.run(m, e, s)
		}
	}
	return m.notify("not a key of copy mode; q leaves it", false)
}

// copyPaste is for what is pasted while copy mode has the keyboard.
func (m *Model) copyPaste(text string) tea.Cmd {
	e, s, ok := m.extent()
	if !ok || !m.copying.search.typing {
		return m.notify("copy mode takes no paste; q leaves it", true)
	}
	m.copying.search.input.paste(text)
	m.searchTyped(e, s)
	m.redraw(m.copying.pane)
	return nil
}
