package ui

import (
	"slices"
	"time"

	"deck/lifecycle"

	tea "charm.land/bubbletea/v2"
)

// Alerts is when and how a person is told that an agent came to need them. The
// zero value tells of needs-input and blocked, at any time.
type Alerts struct {
	Off      bool
	States   []lifecycle.State // those that are told of; nil: needs-input and blocked
	BellOnly bool              // no notification, just the terminal's bell
	// Quiet hours: from one minute of the day to another in the server's time
	// zone, over midnight too; none where both are the same. A line at the
	// bottom of the screen still tells.
	QuietFrom, QuietTo int
}

// Notify asks the client's own terminal to tell a person something: by a
// notification where it can, else by its bell.
type Notify struct {
	Title, Text string
	Bell        bool // just the bell
}

func (Notify) request() {}

// tells reports whether a state is one of those to be told of.
func (a Alerts) tells(s lifecycle.State) bool {
	switch {
	case a.Off:
		return false
	case a.States == nil:
		return s == lifecycle.NeedsInput || s == lifecycle.Blocked
	}
	return slices.Contains(a.States, s)
}

// quiet reports whether it is time for quiet. Without a time it is not.
func (a Alerts) quiet(now time.Time) bool {
	if now.IsZero() || a.QuietFrom == a.QuietTo {
		return false
	}
	at := now.Hour()*60 + now.Minute()
	if a.QuietFrom < a.QuietTo {
		return at >= a.QuietFrom && at < a.QuietTo
	}
	return at >= a.QuietFrom || at < a.QuietTo
}

// alert tells a person that an agent needs them, once for each matter, unless
// they look at it.
func (m *Model) alert(p Pane) tea.Cmd {
	a, id := m.settings.Alerts, matterOf(p)
	if !a.tells(p.Status.State) || m.alerted[p.ID] == id {
		return nil
	}
	m.alerted[p.ID] = id
	if p.ID == m.where.focus() && !m.told.outside {
		return nil
	}
	glyph, word, _ := m.frame.theme.sign(p)
	title, text := clean(p.Nick+" "+word), doing(p)
	if !a.quiet(m.now) {
		m.host.Do(Notify{Title: title, Text: text, Bell: a.BellOnly})
	}
	hint := "in another session"
	if _, here := m.state.Pane(p.ID); here {
		hint = m.bindings.prefixName + " " + m.bindings.keyOf("next-waiting")
	}
	return m.notify(glyph+" "+joinedBy(": ", title, text)+" ("+hint+")", false)
}
