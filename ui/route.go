package ui

import (
	"slices"

	"deck/term/keys"
	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// token gives a token to whoever has the keyboard: the open overlay, the
// prefix table, copy mode, else the focused pane.
func (m *Model) token(t keys.Token) tea.Cmd {
	switch t.Kind {
	case keys.MouseEvent:
		return m.mouse(t)
	case keys.FocusIn, keys.FocusOut:
		m.told.outside = t.Kind == keys.FocusOut
		m.host.Do(Away{m.told.outside})
		return nil
	case keys.PasteStart, keys.PasteText, keys.PasteEnd:
		return m.paste(t)
	case keys.Text:
		return m.text(t)
	case keys.KeyPress:
		// A release belongs to a press that deck took.
		if t.Key.Action == keys.Release && m.takesKeys() {
			return nil
		}
		return m.key(t, t.Key)
	}
	return nil
}

// takesKeys reports whether keys go to deck at the moment.
func (m *Model) takesKeys() bool {
	return m.over != nil || m.prefix.waiting || m.prefix.repeated != "" || m.copying != nil
}

// text takes a run of text. One key of it may be deck's and the rest the
// pane's: it is taken apart until the pane has the keyboard.
func (m *Model) text(t keys.Token) tea.Cmd {
	var cmds []tea.Cmd
	for len(t.Raw) > 0 {
		if !m.takesKeys() && !m.isPrefix(t) {
			cmds = append(cmds, m.send(t))
			break
		}
		n := firstCluster(t.Raw)
		one := keys.Token{Kind: keys.Text, Raw: t.Raw[:n]}
		t.Raw = t.Raw[n:]
		for _, k := range one.Keys() {
			cmds = append(cmds, m.key(one, k))
		}
	}
	if len(cmds) == 1 {
		return cmds[0]
	}
	return tea.Batch(cmds...)
}

// firstCluster returns the length of the first character of text, with what
// combines with it.
func firstCluster(p []byte) int {
	if g := displaywidth.BytesGraphemes(p); g.Next() {
		return max(len(g.Value()), 1)
	}
	return len(p)
}

// isPrefix reports whether text holds the prefix key, for those who chose a
// plain character.
func (m *Model) isPrefix(t keys.Token) bool {
	return letter(m.bindings.prefix) != 0 &&
		slices.ContainsFunc(t.Keys(), func(k keys.Key) bool { return k.Is(m.bindings.prefix) })
}

// key asks in turn: the prefix table, the open overlay, a repeated key, the
// prefix key itself, copy mode; what none of them takes is the pane's.
func (m *Model) key(t keys.Token, k keys.Key) tea.Cmd {
	if m.prefix.waiting && k.Action != keys.Release {
		return m.command(k)
	}
	if m.over != nil {
		return m.tell(keyMsg{k, t})
	}
	if cmd, ok := m.again(k); ok {
		return cmd
	}
	if k.Is(m.bindings.prefix) {
		return m.begin(t)
	}
	if m.copying != nil {
		return m.copyKey(t, k)
	}
	return m.send(t)
}

// paste gives pasted text to the input of an overlay, else to the pane.
func (m *Model) paste(t keys.Token) tea.Cmd {
	if m.prefix.waiting {
		m.end()
	}
	switch {
	case m.over != nil && t.Kind == keys.PasteText:
		return m.tell(pasteMsg{string(t.Raw)})
	case m.over != nil:
		return nil
	case m.copying != nil && !m.copying.passive:
		if t.Kind == keys.PasteText {
			return m.copyPaste(string(t.Raw))
		}
		return nil
	}
	// A paste is typing: the view goes back to where it arrives.
	m.leaveCopy()
	return m.send(t)
}

// send gives a token to the program of the focused pane. What cannot arrive
// is said.
func (m *Model) send(t keys.Token) tea.Cmd {
	pane, ok := m.focused()
	switch {
	case !ok:
		return m.notify("no pane to type in", true)
	case m.settings.ReadOnly:
		return m.notify("read-only client: keys go to no pane", true)
	case pane.Ended:
		return m.notify(m.endedText(pane), true)
	}
	// First the size, so that what the key brings about is printed at it.
	m.claim(pane.ID)
	m.host.Input(pane.ID, t)
	return nil
}

// claim makes a pane the size it has here when another client gave it its own
// since.
func (m *Model) claim(id layout.PaneID) {
	r, ok := m.geo.place(id)
	v := m.views[id]
	if !ok || v == nil || v.frame.Cols == 0 {
		return
	}
	if in := inner(r); v.frame.Cols != in.W || v.frame.Rows != in.H {
		// What was said counts no longer; the end of this update says it again.
		m.told.use = Use{}
	}
}
