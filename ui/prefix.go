package ui

import (
	"bytes"

	"deck/term/keys"

	tea "charm.land/bubbletea/v2"
)

// prefix is where a client is in typing a command: nowhere, after the prefix
// key, or in the moment in which the last key works again without it.
type prefix struct {
	token    keys.Token // the prefix key as it was typed
	waiting  bool       // for the key after the prefix
	popup    bool       // the list of keys is shown
	repeated string     // the action that may be repeated
	turn     int        // tells this moment's timers from those of the past
}

// on reports whether the next key is a command.
func (p prefix) on() bool { return p.waiting }

// begin waits for the key after the prefix.
func (m *Model) begin(t keys.Token) tea.Cmd {
	t.Raw = bytes.Clone(t.Raw)
	m.prefix = prefix{token: t, waiting: true, turn: m.prefix.turn + 1}
	m.notice.text = "" // it was read; what comes next is another matter
	m.touch()
	return whichKeyCmd(m.prefix.turn)
}

// end is done with the prefix; timers that still run mean nothing.
func (m *Model) end() {
	if m.prefix.popup {
		m.over = nil
	}
	m.prefix = prefix{token: m.prefix.token, turn: m.prefix.turn + 1}
	m.touch()
}

// command carries out the key after the prefix. A key without an action does
// nothing and goes nowhere.
func (m *Model) command(k keys.Key) tea.Cmd {
	m.end()
	if k.Code == keys.Escape {
		return nil
	}
	a, ok := m.bindings.find(k)
	switch {
	case !ok && k.Is(m.bindings.prefix):
		return m.do(sendPrefix)
	case !ok:
		return m.notify("no action on "+m.bindings.prefixName+" "+k.String()+" ("+
			m.bindings.prefixName+" "+m.bindings.keyOf("help")+" lists them)", true)
	}
	return m.perform(a)
}

// perform runs an action where this client may.
func (m *Model) perform(a action) tea.Cmd {
	if a.writes && m.settings.ReadOnly {
		return m.notify("read-only client: "+a.name+" is not for it", true)
	}
	cmd := m.do(a.run)
	if !a.repeat {
		return cmd
	}
	m.prefix.repeated = a.name
	m.prefix.turn++
	return tea.Batch(cmd, repeatCmd(m.prefix.turn))
}

// again runs the action of a key that may be repeated without the prefix.
func (m *Model) again(k keys.Key) (tea.Cmd, bool) {
	if m.prefix.repeated == "" {
		return nil, false
	}
	if a, ok := m.bindings.find(k); ok && a.repeat {
		return m.perform(a), true
	}
	m.prefix.repeated = ""
	return nil, false
}

// endRepeat ends the moment unless a newer key began another.
func (m *Model) endRepeat(msg repeatEndedMsg) {
	if msg.turn == m.prefix.turn {
		m.prefix.repeated = ""
	}
}

// do runs an action; what it changed about the chrome is drawn anew.
func (m *Model) do(run func(*Model) tea.Cmd) tea.Cmd {
	m.touch()
	return run(m)
}

// sendPrefix types the prefix key into the pane.
func sendPrefix(m *Model) tea.Cmd { return m.send(m.prefix.token) }
