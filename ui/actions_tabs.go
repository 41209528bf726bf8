package ui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
)

var foldNumbers = &fold{"1-9", "tab by number", "go to a tab by its number"}

// tabActions is the part of the table about tabs.
func tabActions() []action {
	list := []action{
		{name: "new-tab", keys: []string{"c"}, help: "open a tab", writes: true, run: newTab},
		{name: "next-tab", keys: []string{"n"}, help: "go to the next tab", run: func(m *Model) tea.Cmd { return m.stepTab(1) }},
		{name: "previous-tab", keys: []string{"p"}, help: "go to the tab before", run: func(m *Model) tea.Cmd { return m.stepTab(-1) }},
		{name: "last-tab", keys: []string{"Tab"}, help: "go back to the tab seen last", run: lastTab},
	}
	for n := 1; n <= 9; n++ {
		list = append(list, action{name: "tab-" + strconv.Itoa(n), keys: []string{strconv.Itoa(n)},
			help: "go to tab " + strconv.Itoa(n), fold: foldNumbers, run: func(m *Model) tea.Cmd { return m.numberedTab(n) }})
	}
	list = append(list,
		action{name: "rename-tab", keys: []string{"T"}, help: "name the tab", writes: true, run: renameTab},
		action{name: "close-tab", keys: []string{"&"}, help: "close the tab and its panes", writes: true, run: closeTab})
	for i := range list {
		list[i].group = groupTabs
	}
	return list
}

// newTab works without a pane too: it is the way on from an empty session.
func newTab(m *Model) tea.Cmd {
	m.host.Do(NewTab{From: m.where.focus()})
	return nil
}

// showTab makes a tab the current one, at the pane this client was in.
func (m *Model) showTab(id TabID) {
	m.where.goTab(id)
	m.leaveCopy()
	m.arrange()
}

// stepTab goes n tabs on, round the end.
func (m *Model) stepTab(n int) tea.Cmd {
	i := slices.IndexFunc(m.state.Tabs, func(t Tab) bool { return t.ID == m.where.tab() })
	if l := len(m.state.Tabs); i >= 0 && l > 1 {
		m.showTab(m.state.Tabs[(i+n+l)%l].ID)
	}
	return nil
}

// numberedTab goes to the nth tab, counted from 1 as the bar shows them.
func (m *Model) numberedTab(n int) tea.Cmd {
	if n > len(m.state.Tabs) {
		return m.notify(fmt.Sprintf("no tab %d", n), true)
	}
	m.showTab(m.state.Tabs[n-1].ID)
	return nil
}

// lastTab goes back and forth between two tabs.
func lastTab(m *Model) tea.Cmd {
	id := m.where.last[m.where.session]
	if _, ok := m.state.Tab(id); !ok {
		return m.stepTab(1)
	}
	m.showTab(id)
	return nil
}

// renameTab asks for a name, beginning with the present one if a person gave
// it.
func renameTab(m *Model) tea.Cmd {
	t, ok := m.state.Tab(m.where.tab())
	if !ok {
		return m.notify("no tab here", true)
	}
	name := t.Name
	if order := t.Root.Panes(); len(order) > 0 {
		if p, ok := m.state.Pane(order[0]); ok && p.Program == name {
			name = ""
		}
	}
	m.open(newPrompt("name of the tab", name, func(name string) func(*Model) tea.Cmd {
		return request(RenameTab{Tab: t.ID, Name: name})
	}))
	return nil
}

// closeTab always asks: a tab holds more than is in view.
func closeTab(m *Model) tea.Cmd {
	t, ok := m.state.Tab(m.where.tab())
	if !ok {
		return m.notify("no tab here", true)
	}
	m.open(newConfirm("close tab "+t.Name+"?", plural(len(t.Root.Panes()), "program")+" in it will end", request(CloseTab{Tab: t.ID})))
	return nil
}
