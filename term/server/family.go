package server

import (
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// parentOf returns the pane whose agent opens another agent, which is its
// sub-agent then; empty for a person.
func (l *loop) parentOf(n wire.NewPane, c caller) layout.PaneID {
	if q := l.agentCalling(c); q != nil && n.Launch != nil {
		return q.id
	}
	return ""
}

// parentAgent returns the pane whose agent is to see to a sub-agent, nil where
// a person is: they opened it, or that agent is there no more.
func (l *loop) parentAgent(p *pane) *pane {
	q := l.panes[p.parent]
	if q == nil || q.tab == nil {
		return nil
	}
	if st := q.status(); st.Agent == "" || st.Exited {
		return nil
	}
	return q
}

// turnOf is since when an agent works on what it was asked. What it asks a
// person on the way does not end a turn.
func turnOf(since time.Time, st lifecycle.Status, now time.Time) time.Time {
	switch st.State {
	case lifecycle.Working, lifecycle.NeedsInput, lifecycle.Blocked:
		if since.IsZero() && st.State == lifecycle.Working {
			return now
		}
		return since
	}
	return time.Time{}
}
