package ui

import (
	"maps"
	"slices"
	"time"

	"deck/lifecycle"
	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
)

// matter is one thing that an agent wants a person for. Another question of the
// same agent is another matter.
type matter struct {
	generation uint64
	state      lifecycle.State
	reason     string
	request    string // its id
	since      time.Time
}

// matterOf is what a pane's agent is about at the moment.
func matterOf(p Pane) matter {
	s := p.Status
	return matter{s.Generation, s.State, s.Reason, s.Request.ID, s.Since}
}

// snoozeFor is how long a snoozed matter stays out of the way.
const snoozeFor = 10 * time.Minute

// snooze puts a matter off. It is this client's own: nothing else knows.
type snooze struct {
	matter matter
	until  time.Time
}

// waiting is an agent that wants a person.
type waiting struct {
	pane    Pane
	snoozed time.Time // until when; zero: it is not
	session string    // where that is another one than is shown
}

// waitingList has who wants a person, in all sessions: by what they want, the
// longest waiting first. Behind them are sub-agents, whose agents see to them,
// and behind all the snoozed ones.
func (m *Model) waitingList() []waiting {
	var lists [3][]waiting
	for _, p := range append(m.placed(), m.state.Others...) {
		if !wanting(p) {
			continue
		}
		w, i := waiting{pane: p}, 0
		if p.Session != m.state.Session {
			w.session = p.Session
		}
		if p.For != "" {
			i = 1
		}
		if s := m.snoozed[p.ID]; s.matter == matterOf(p) && m.now.Before(s.until) {
			w.snoozed, i = s.until, 2
		}
		lists[i] = append(lists[i], w)
	}
	for _, l := range lists {
		slices.SortStableFunc(l, func(a, b waiting) int { return compareNeed(a.pane, b.pane) })
	}
	return slices.Concat(lists[:]...)
}

// nextWaiting goes to the agent that needs a person most; where one that does
// has the focus already, to the one after it.
func nextWaiting(m *Model) tea.Cmd {
	var ids []layout.PaneID
	for _, w := range m.waitingList() {
		if w.snoozed.IsZero() {
			ids = append(ids, w.pane.ID)
		}
	}
	// Not found is -1: the first one is next.
	i := slices.Index(ids, m.where.focus()) + 1
	switch {
	case len(ids) == 0:
		return m.notify("nobody needs you", false)
	case len(ids) == 1 && i == 1:
		return m.notify("nobody else needs you", false)
	}
	m.show(ids[i%len(ids)])
	return nil
}

// keepMatters forgets what was snoozed or alerted of panes that are gone.
func (m *Model) keepMatters() {
	there := map[layout.PaneID]bool{}
	for _, p := range m.state.All() {
		there[p.ID] = true
	}
	maps.DeleteFunc(m.snoozed, func(id layout.PaneID, _ snooze) bool { return !there[id] })
	maps.DeleteFunc(m.alerted, func(id layout.PaneID, _ matter) bool { return !there[id] })
}
