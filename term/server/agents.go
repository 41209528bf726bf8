package server

import (
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

const (
	// turnWindow is how long changes of one project's agents are gathered.
	turnWindow = 5 * time.Millisecond
	// tickRest keeps an agent that is always due from keeping the loop busy.
	tickRest = 10 * time.Millisecond
	// countRest is the time between two looks at the processes of agents whose
	// end the system does not tell by itself.
	countRest = 5 * time.Second
)

// wakeAt makes the loop tick at a time, if it does not before.
func (l *loop) wakeAt(t time.Time) {
	if !t.IsZero() && (l.due.IsZero() || t.Before(l.due)) {
		l.due = t
	}
}

// next is when the loop has something to do by itself, zero for never.
func (l *loop) next() time.Time {
	next := l.due
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if t, ok := l.turns.Deadline(); ok {
		sooner(t)
	}
	if l.dirty {
		sooner(l.flushed.Add(flushRest))
	}
	return next
}

// tick does what is due by time alone.
func (l *loop) tick() {
	now := time.Now()
	if !l.due.IsZero() && !now.Before(l.due) {
		l.due = time.Time{}
		l.dirty = l.files.Expire(now) || l.dirty
		l.wakeAt(l.files.Next())
		for _, p := range l.panes {
			a := &p.agent
			if !a.due.IsZero() && !now.Before(a.due) {
				l.follow(p, a.life.Tick(now))
				if !a.due.IsZero() && !a.due.After(now) {
					a.due = now.Add(tickRest)
				}
			}
			l.wakeAt(a.due)
			if due := a.mail.due; !due.IsZero() && !now.Before(due) {
				a.mail.due = time.Time{}
				l.deliver(p)
			}
			l.wakeAt(a.mail.due)
		}
		l.count(now)
		l.wakeAt(l.countAt)
	}
	for _, b := range l.turns.Due(now) {
		l.announce(b, now)
	}
}

// announce tells the readers of events what became of one project's agents.
func (l *loop) announce(b lifecycle.Batch, now time.Time) {
	for _, ch := range b.Changes {
		if p := l.panes[layout.PaneID(ch.Pane)]; p != nil && p.tab != nil {
			row := p.row(now)
			l.emit(wire.Event{Type: "status", ID: ch.Pane, Session: row.Session, Agent: &row})
		}
	}
}

// row is what a verb or an event tells of a pane's agent.
func (p *pane) row(now time.Time) wire.Agent {
	st := p.status()
	r := wire.Agent{
		Pane: string(p.id), Nick: p.nick, Name: p.name, Session: p.tab.session.name, Tab: string(p.tab.id),
		Project: p.place.project, Branch: p.place.branch, Dir: cleanText(p.cwd(), maxText),
		Agent: st.Agent, Generation: st.Generation, State: st.State, Reason: st.Reason, Detail: st.Detail,
		Request: st.Request, Tool: st.Tool, Progress: st.Progress, Source: st.Source, Stale: st.Stale,
		Background: st.Background, SessionID: st.Session, Meta: st.Meta,
	}
	if !st.Since.IsZero() {
		r.AgeMillis = max(now.Sub(st.Since).Milliseconds(), 0)
	}
	return r
}

// countSoon makes a census come if none is on its way.
func (l *loop) countSoon() {
	if l.countAt.IsZero() {
		l.countAt = time.Now().Add(countRest)
		l.wakeAt(l.countAt)
	}
}

// count is the census of agents whose end the system does not tell: all of them
// together, and only while there are any.
func (l *loop) count(now time.Time) {
	if l.countAt.IsZero() || now.Before(l.countAt) {
		return
	}
	l.countAt = time.Time{}
	for _, p := range l.panes {
		a := &p.agent
		if !a.counted {
			continue
		}
		_, found := readProcess(a.pid)
		l.follow(p, a.life.Census(found, now))
		if a.life.Status().Exited {
			l.endAgent(p)
			continue
		}
		l.countSoon()
	}
}

// aside runs f outside of the loop, for what may wait. A panic in it costs f.
func (l *loop) aside(f func()) {
	go func() {
		defer func() {
			if p := recover(); p != nil {
				logPanic(l.log, "work aside failed", p)
			}
		}()
		f()
	}()
}
