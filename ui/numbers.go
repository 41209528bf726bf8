package ui

import (
	"strconv"

	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// numbers shows each pane's number in it for a moment; a digit goes there.
type numbers struct {
	panes []layout.Place
	focus layout.PaneID
	turn  int
}

// showNumbers counts a zoomed tab's hidden panes too, without a plate.
func showNumbers(m *Model) tea.Cmd {
	n := &numbers{focus: m.where.focus(), turn: m.prefix.turn}
	for _, id := range m.root().Panes() {
		r, _ := m.geo.place(id)
		n.panes = append(n.panes, layout.Place{Pane: id, Rect: r})
	}
	m.open(n)
	return numbersCmd(n.turn)
}

// endNumbers takes the plates away if they are the ones of that timer.
func (m *Model) endNumbers(msg numbersEndedMsg) {
	if n, ok := m.over.(*numbers); ok && n.turn == msg.turn {
		m.over = nil
		m.touch()
	}
}

// Update goes to the pane of a digit. Another key is not ours: it goes where
// it would have gone.
func (n *numbers) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		i := int(letter(msg.key) - '1')
		switch {
		case i >= 0 && i < len(n.panes) && i < 9:
			id := n.panes[i].Pane
			return nil, func(m *Model) tea.Cmd { m.show(id); return nil }
		case cancelKeys.has(msg.key), i >= 0 && i < 9:
			return nil, nil
		}
		return nil, func(m *Model) tea.Cmd { return m.key(msg.token, msg.key) }
	case clickMsg:
		if pressed(msg.mouse) {
			return nil, nil
		}
	}
	return n, nil
}

// Draw draws a plate with the number into the middle of each pane.
func (n *numbers) Draw(p pen, _ layout.Rect) screen.Cursor {
	for i, q := range n.panes {
		if q.Rect.Empty() {
			continue
		}
		l := lookNumber
		if q.Pane == n.focus {
			l = lookNumberFocused
		}
		in := inner(q.Rect)
		text := "  " + strconv.Itoa(i+1) + "  "
		r := centred(in, len(text), 3)
		p.fill(r, l)
		p.text(r.X, r.Y+r.H/2, r.W, text, l)
	}
	return screen.Cursor{}
}

// Dims is true: the numbers stand out.
func (n *numbers) Dims() bool { return true }
