package ui

import (
	"slices"

	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
)

// The folds of the actions on panes.
var (
	foldFocus = &fold{"hjkl", "focus", "go to the pane on that side; the arrows too"}
	foldSwap  = &fold{"{ }", "swap", "swap the pane with the one before or after"}
)

// paneActions is the part of the table about single panes.
func paneActions() []action {
	list := []action{
		{name: "launch", keys: []string{"A"}, help: "start an agent", writes: true, run: launch},
		{name: "split-right", keys: []string{"%", "|"}, help: "split the pane, the new one at the right", writes: true, run: split(layout.Right)},
		{name: "split-down", keys: []string{"\"", "-"}, help: "split the pane, the new one below", writes: true, run: split(layout.Down)},
		{name: "focus-left", keys: []string{"Left", "h"}, help: "go to the pane at the left", fold: foldFocus, run: toward(layout.Left)},
		{name: "focus-down", keys: []string{"Down", "j"}, help: "go to the pane below", fold: foldFocus, run: toward(layout.DownSide)},
		{name: "focus-up", keys: []string{"Up", "k"}, help: "go to the pane above", fold: foldFocus, run: toward(layout.Up)},
		{name: "focus-right", keys: []string{"Right", "l"}, help: "go to the pane at the right", fold: foldFocus, run: toward(layout.RightSide)},
		{name: "next-pane", keys: []string{"o"}, help: "go to the next pane", run: func(m *Model) tea.Cmd { return m.step(1) }},
		{name: "last-pane", keys: []string{";"}, help: "go to the pane before", run: lastPane},
		{name: "pane-number", keys: []string{"q", "'"}, help: "show the panes' numbers and go to one", run: showNumbers},
		{name: "zoom", keys: []string{"z"}, help: "show this pane alone, and back", run: zoom},
		{name: "swap-previous", keys: []string{"{"}, help: "swap the pane with the one before", fold: foldSwap, writes: true, run: swap(-1)},
		{name: "swap-next", keys: []string{"}"}, help: "swap the pane with the next one", fold: foldSwap, writes: true, run: swap(1)},
		{name: "break", keys: []string{"!"}, help: "move the pane to a tab of its own", writes: true, run: breakPane},
		{name: "rename", keys: []string{","}, help: "name the pane", writes: true, run: renamePane},
		{name: "restart", keys: []string{"R"}, help: "run an ended pane's program again", writes: true, run: restart},
		{name: "close", keys: []string{"x"}, help: "close the pane", writes: true, run: closePane},
	}
	for i := range list {
		list[i].group = groupPanes
	}
	return list
}

// withPane runs what needs a focused pane.
func (m *Model) withPane(run func(Pane) tea.Cmd) tea.Cmd {
	p, ok := m.focused()
	if !ok {
		return m.notify("no pane here", true)
	}
	return run(p)
}

// ask gives the host a request that needs the focused pane.
func (m *Model) ask(request func(Pane) Request) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		m.host.Do(request(p))
		return nil
	})
}

// split asks for a new pane beside or below; the focus follows when the
// server says that it is there.
func split(d layout.Dir) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		return m.ask(func(p Pane) Request { return Split{At: p.ID, Dir: d} })
	}
}

// root is the tree of the current tab, zoomed or not.
func (m *Model) root() layout.Node {
	t, _ := m.state.Tab(m.where.tab())
	return t.Root
}

// toward focuses the neighbour on a side; at the edge, the pane at the other
// end.
func toward(side layout.Side) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		root, from := m.root(), m.where.focus()
		to, ok := root.Neighbor(m.geo.area, from, side)
		if !ok {
			to = farthest(root, m.geo.area, from, side)
		}
		if to != from && to != "" {
			m.show(to)
		}
		return nil
	}
}

// farthest is the last pane against a direction.
func farthest(root layout.Node, area layout.Rect, from layout.PaneID, side layout.Side) layout.PaneID {
	opposite := map[layout.Side]layout.Side{
		layout.Left: layout.RightSide, layout.RightSide: layout.Left,
		layout.Up: layout.DownSide, layout.DownSide: layout.Up,
	}[side]
	for range root.Panes() {
		next, ok := root.Neighbor(area, from, opposite)
		if !ok {
			break
		}
		from = next
	}
	return from
}

// step focuses the nth pane after the focused one in reading order.
func (m *Model) step(n int) tea.Cmd {
	if id, ok := m.stepped(n); ok {
		m.show(id)
	}
	return nil
}

// stepped returns the pane n places on in reading order, round the end, and
// false where there is no other.
func (m *Model) stepped(n int) (layout.PaneID, bool) {
	order := m.root().Panes()
	i := slices.Index(order, m.where.focus())
	if i < 0 || len(order) < 2 {
		return "", false
	}
	return order[(i+n+len(order))%len(order)], true
}

// lastPane goes back to where the focus was; without a past, to the next one.
func lastPane(m *Model) tea.Cmd {
	id, ok := m.where.before()
	if !ok {
		return m.step(1)
	}
	m.show(id)
	return nil
}

// zoom is each client's own: others see the tab as it was.
func zoom(m *Model) tea.Cmd {
	if len(m.root().Panes()) < 2 {
		return m.notify("the only pane of its tab", false)
	}
	m.where.zoom(!m.where.zoomed())
	m.arrange()
	return nil
}

// swap exchanges the pane with its neighbour in reading order. The focus
// stays on the same pane, which moves.
func swap(n int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		other, ok := m.stepped(n)
		if !ok {
			return m.notify("no other pane in this tab", true)
		}
		return m.ask(func(p Pane) Request { return Swap{A: p.ID, B: other} })
	}
}

// breakPane asks for a tab of its own for the pane; an only pane has one.
func breakPane(m *Model) tea.Cmd {
	if len(m.root().Panes()) < 2 {
		return m.notify("the only pane of its tab", true)
	}
	return m.ask(func(p Pane) Request { return Break{Pane: p.ID} })
}

// renamePane asks for a name; an empty one takes the name back.
func renamePane(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		m.open(newPrompt("name of "+p.Nick, p.Name, func(name string) func(*Model) tea.Cmd {
			return request(Rename{Pane: p.ID, Name: name})
		}))
		return nil
	})
}

// request returns what gives the host one request.
func request(r Request) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.host.Do(r)
		return nil
	}
}

// closePane asks before it ends a program; what has ended goes at once.
func closePane(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		if p.Ended {
			m.host.Do(Close{Pane: p.ID})
			return nil
		}
		m.open(newConfirm("close "+p.Nick+" ("+program(p)+")?", "its program gets a hangup", request(Close{Pane: p.ID})))
		return nil
	})
}
