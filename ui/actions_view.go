package ui

import (
	"deck/term/keys"

	tea "charm.land/bubbletea/v2"
)

// viewActions is the part of the table about what this client alone sees.
func viewActions() []action {
	list := []action{
		{name: "copy", keys: []string{"["}, help: "look through the history, search and copy", run: enterCopy},
		{name: "page-back", keys: []string{"PageUp"}, help: "the same, a page up at once", run: pageBack},
		{name: "paste", keys: []string{"]"}, help: "paste what was copied last", run: pasteCopied},
		{name: "choose", keys: []string{"w", "Space"}, help: "choose a pane, tab or session from a list", run: choose},
		{name: "attention", keys: []string{"i"}, help: "list who needs you, and what for", run: attend},
		{name: "answer", keys: []string{"y"}, help: "read what an agent asks, and answer", writes: true, run: answerNeedy},
		{name: "next-waiting", keys: []string{"N"}, help: "go to the next agent that needs you", run: nextWaiting},
		{name: "memory", keys: []string{"m"}, help: "search what was remembered, and insert it", run: searchMemory},
		{name: "project", keys: []string{"M"}, help: "the project: its task, decisions and events", run: showProject},
		{name: "order", keys: []string{"S"}, help: "order the agents by who needs you first, or by place", run: toggleOrder},
		{name: "sidebar", keys: []string{"s"}, help: "show or hide the list of agents", run: toggleSidebar},
	}
	for i := range list {
		list[i].group = groupView
	}
	return list
}

// sessionActions is the rest of the table.
func sessionActions() []action {
	list := []action{
		{name: "send-prefix", keys: []string{"a"}, help: "type the prefix key into the pane", run: sendPrefix},
		{name: "detach", keys: []string{"d"}, help: "detach; everything goes on running", run: request(Detach{})},
		{name: "reload", keys: []string{"r"}, help: "read the configuration again", writes: true, run: request(Reload{})},
		{name: "help", keys: []string{"?"}, help: "show all keys", run: help},
	}
	for i := range list {
		list[i].group = groupSession
	}
	return list
}

// toggleSidebar hides the list, or the one row it is folded into.
func toggleSidebar(m *Model) tea.Cmd {
	m.side.on = !m.side.on
	m.arrange()
	return nil
}

// pasteCopied gives the text copied last to the pane as a paste.
func pasteCopied(m *Model) tea.Cmd {
	if m.copied == "" {
		return m.notify("nothing was copied yet", true)
	}
	m.leaveCopy()
	for _, t := range []keys.Token{
		{Kind: keys.PasteStart, Raw: []byte("\x1b[200~")},
		{Kind: keys.PasteText, Raw: []byte(m.copied)},
		{Kind: keys.PasteEnd, Raw: []byte("\x1b[201~")},
	} {
		if cmd := m.send(t); cmd != nil {
			return cmd
		}
	}
	return nil
}
