package ui

import (
	"deck/term/keys"
	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
)

// wheelRows is how many rows one step of the wheel scrolls.
const wheelRows = 3

// dragKind is what a held mouse button does.
type dragKind uint8

const (
	noDrag     dragKind = iota
	dragBorder          // moves a border
	dragSelect          // selects text
	dragPass            // belongs to the program of a pane
)

// drag is a mouse button held since a press.
type drag struct {
	kind   dragKind
	border layout.Border
	pane   layout.PaneID
	x, y   int        // of the press
	last   keys.Mouse // where it was last
	edge   int        // the turn of the timer that scrolls, 0 for none
}

// pressed reports a press of the left button, neither motion nor release.
func pressed(mo keys.Mouse) bool {
	return mo.Button == keys.ButtonLeft && !mo.Motion && !mo.Release
}

// wheel reports a step of the wheel in any direction.
func wheel(mo keys.Mouse) bool {
	return mo.Button >= keys.WheelUp && mo.Button <= keys.WheelRight
}

// mouse gives a mouse event to what lies under it, or to what holds the mouse
// since a press.
func (m *Model) mouse(t keys.Token) tea.Cmd {
	mo := t.Mouse
	if m.over != nil {
		return m.tell(clickMsg{mo, layout.Rect{W: m.w, H: m.h}})
	}
	if m.prefix.waiting && pressed(mo) {
		m.end()
	}
	if m.drag.kind != noDrag && !wheel(mo) {
		return m.dragged(mo)
	}
	switch {
	case m.geo.tabs.Contains(mo.X, mo.Y):
		return m.mouseTabs(mo)
	case m.geo.side.Contains(mo.X, mo.Y):
		return m.mouseSidebar(mo)
	case m.geo.summary.Contains(mo.X, mo.Y) && pressed(mo):
		if len(m.waitingList()) > 0 {
			return attend(m)
		}
		return choose(m)
	}
	if q, ok := m.geo.at(mo.X, mo.Y); ok {
		return m.mousePane(q, mo)
	}
	if pressed(mo) {
		m.grabBorder(mo.X, mo.Y)
	}
	return nil
}

// mouseTabs chooses a tab by click or wheel.
func (m *Model) mouseTabs(mo keys.Mouse) tea.Cmd {
	switch {
	case mo.Button == keys.WheelUp:
		return m.stepTab(-1)
	case mo.Button == keys.WheelDown:
		return m.stepTab(1)
	case !pressed(mo):
		return nil
	}
	for _, t := range m.tabLabels() {
		if t.rect.Contains(mo.X, mo.Y) {
			m.showTab(t.tab)
		}
	}
	return nil
}

// mouseSidebar goes to the pane or tab of a row; the wheel scrolls.
func (m *Model) mouseSidebar(mo keys.Mouse) tea.Cmd {
	switch {
	case mo.Button == keys.WheelUp:
		m.scrollSidebar(-wheelRows)
	case mo.Button == keys.WheelDown:
		m.scrollSidebar(wheelRows)
	case pressed(mo):
		rows := m.sideRows()
		i := mo.Y - m.geo.side.Y + m.side.top
		switch {
		case i >= len(rows):
		case rows[i].pane != "":
			m.show(rows[i].pane)
		case rows[i].tab != "":
			m.showTab(rows[i].tab)
		}
	}
	return nil
}

// mousePane focuses on a press, which then still does what it would have done:
// a program gets it, or a selection or the move of a border begins.
func (m *Model) mousePane(q layout.Place, mo keys.Mouse) tea.Cmd {
	in := inner(q.Rect)
	if pressed(mo) && q.Pane != m.where.focus() {
		m.show(q.Pane)
	}
	switch {
	case wheel(mo):
		return m.wheelPane(q, mo)
	case m.wantsMouse(q.Pane, mo) && in.Contains(mo.X, mo.Y):
		return m.passMouse(q.Pane, mo)
	case mo.Button == keys.ButtonMiddle && !mo.Motion && !mo.Release:
		m.show(q.Pane)
		return pasteCopied(m)
	case !pressed(mo):
		return nil
	case in.Contains(mo.X, mo.Y):
		timer := m.count(q.Pane, mo)
		if m.clicks.n > 1 {
			return tea.Batch(timer, m.pick(q.Pane, mo))
		}
		m.grabText(q.Pane, mo)
		return timer
	default:
		m.grabBorder(mo.X, mo.Y)
	}
	return nil
}

// wantsMouse reports whether a pane's program gets mouse events. With Shift
// they are deck's, as in other terminals.
func (m *Model) wantsMouse(id layout.PaneID, mo keys.Mouse) bool {
	p, _ := m.state.Pane(id)
	s := m.host.Screen(id)
	if s == nil || p.Ended || m.settings.ReadOnly || mo.Mods&keys.Shift != 0 {
		return false
	}
	if m.copying != nil && m.copying.pane == id {
		return false
	}
	return s.Modes().Mouse != keys.MouseOff
}

// passMouse gives an event to a program, with the position in its pane.
func (m *Model) passMouse(id layout.PaneID, mo keys.Mouse) tea.Cmd {
	r, ok := m.geo.place(id)
	if !ok {
		return nil
	}
	// From a press to its release the program gets everything, wherever the
	// mouse is: it would miss the release otherwise.
	if mo.Button != keys.NoButton && !wheel(mo) {
		m.drag = drag{kind: dragPass, pane: id}
		if mo.Release {
			m.drag = drag{}
		}
	}
	in := inner(r)
	mo.X = max(0, min(mo.X-in.X, in.W-1))
	mo.Y = max(0, min(mo.Y-in.Y, in.H-1))
	// Without the bytes it came in as: they say another position.
	m.host.Input(id, keys.Token{Kind: keys.MouseEvent, Mouse: mo})
	return nil
}

// wheelPane gives the wheel to a program that asked for the mouse or has an
// alternate screen; else it scrolls the history.
func (m *Model) wheelPane(q layout.Place, mo keys.Mouse) tea.Cmd {
	p, _ := m.state.Pane(q.Pane)
	s := m.host.Screen(q.Pane)
	if s == nil || mo.Button > keys.WheelDown && !m.wantsMouse(q.Pane, mo) {
		return nil
	}
	scrolled := m.copying != nil && m.copying.pane == q.Pane
	own := m.wantsMouse(q.Pane, mo) || s.Modes().AltScreen && !p.Ended && !m.settings.ReadOnly
	if own && !scrolled && mo.Mods&keys.Shift == 0 {
		return m.passMouse(q.Pane, mo)
	}
	n := wheelRows
	if mo.Button == keys.WheelDown {
		n = -n
	}
	m.scrollPane(q.Pane, n)
	return nil
}

// grabBorder takes hold of the border at a cell: the column between panes, or
// the title row of a pane that lies below another.
func (m *Model) grabBorder(x, y int) {
	if m.settings.ReadOnly {
		return
	}
	for _, b := range m.geo.borders {
		if b.Rect.Contains(x, y) {
			m.drag = drag{kind: dragBorder, border: b}
		}
	}
}

// dragged goes on with a held button until it is released.
func (m *Model) dragged(mo keys.Mouse) tea.Cmd {
	d := m.drag
	if !mo.Motion && !mo.Release {
		// Another press without a release: it was lost, and what it held too.
		m.drag = drag{}
		return m.mouse(keys.Token{Kind: keys.MouseEvent, Mouse: mo})
	}
	switch d.kind {
	case dragPass:
		return m.passMouse(d.pane, mo)
	case dragBorder:
		m.moveBorder(d.border, mo)
	case dragSelect:
		return m.selectTo(mo)
	}
	if mo.Release {
		m.drag = drag{}
	}
	return nil
}

// moveBorder asks for the tree in which a border is where the mouse is. It
// starts from the borders as they are, so that events which come faster than
// answers do not add up.
func (m *Model) moveBorder(held layout.Border, mo keys.Mouse) {
	for _, b := range m.geo.borders {
		if b.Before != held.Before || b.After != held.After || b.Dir != held.Dir {
			continue
		}
		side, n := layout.RightSide, mo.X-b.Rect.X
		if b.Dir == layout.Down {
			side, n = layout.DownSide, mo.Y-b.Rect.Y
		}
		if n != 0 {
			m.relayout(m.root().Resize(m.geo.area, b.Before, side, n))
		}
	}
}

// mouseEntries tells the help what the mouse does.
func mouseEntries() []entry {
	const g = "mouse"
	return []entry{
		{keys: "click", help: "focus a pane, choose a tab or an agent", group: g},
		{keys: "drag", help: "select text and copy it; move a border", group: g},
		{keys: "two clicks", help: "copy a word; three, a line", group: g},
		{keys: "middle", help: "paste what was copied last", group: g},
		{keys: "Shift-drag", help: "select where the program has the mouse", group: g},
		{keys: "wheel", help: "scroll the history, or the program's", group: g},
	}
}
