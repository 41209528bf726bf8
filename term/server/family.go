package server

import (
	"time"

	"deck/lifecycle"
)

// assign makes a pane on its way one of the agent that opens it: its sub-agent, if
// it is one. A person's panes belong to nobody.
func (l *loop) assign(pl *plan, c caller, agent bool) {
	q := l.agentCalling(c)
	if q == nil {
		return
	}
	pl.pane.opener = q.id
	if agent {
		pl.pane.parent, pl.vars.parent = q.id, q.id
	}
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
