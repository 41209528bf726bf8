package ui

import (
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
}

// waitingList has who wants a person: by what they want, the longest waiting
// first, and behind all the snoozed ones.
func (m *Model) waitingList() []waiting {
	var list, later []waiting
	for _, p := range m.placed() {
		if !wanting(p) {
			continue
		}
		if s := m.snoozed[p.ID]; s.matter == matterOf(p) && m.now.Before(s.until) {
			later = append(later, waiting{p, s.until})
			continue
		}
		list = append(list, waiting{pane: p})
	}
	byNeed := func(a, b waiting) int { return compareNeed(a.pane, b.pane) }
	slices.SortStableFunc(list, byNeed)
	slices.SortStableFunc(later, byNeed)
	return append(list, later...)
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
	for id := range m.snoozed {
		if _, ok := m.state.Pane(id); !ok {
			delete(m.snoozed, id)
		}
	}
	for id := range m.alerted {
		if _, ok := m.state.Pane(id); !ok {
			delete(m.alerted, id)
		}
	}
}
