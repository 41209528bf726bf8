package server

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
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

// word is a message about a sub-agent to its agent.
type word struct {
	to layout.PaneID
	id string
}

// tellParent tells an agent what its sub-agent needs, with how to see to it.
func (l *loop) tellParent(q, p *pane) {
	st, nick := p.status(), p.nick
	var head, text string
	switch st.State {
	case lifecycle.NeedsInput:
		about := strings.TrimSpace(cmp.Or(st.Reason, "input") + " " + cmp.Or(st.Request.Tool, st.Tool))
		head = fmt.Sprintf("%s, your sub-agent, waits for an answer (%s). See it: deck answer %s   Answer: deck answer %s --option N, or deck answer %s KEY",
			who(p), about, nick, nick, nick)
		text = cmp.Or(st.Request.Summary, st.Detail, "(its dialog says what)")
	case lifecycle.Blocked:
		head = fmt.Sprintf("%s, your sub-agent, is blocked (%s). See it: deck peek %s", who(p), st.Reason, nick)
		text = cmp.Or(st.Detail, st.Reason)
	case lifecycle.Dead:
		head = fmt.Sprintf("%s, your sub-agent, has ended. See it: deck peek %s   Close it: deck close --force %s", who(p), nick, nick)
		text = cmp.Or(st.Detail, "(why is not known)")
	case lifecycle.Done:
		open := l.openHandoffs(p)
		if len(open) == 0 || open[0].nudged || open[0].from != q.id {
			return
		}
		open[0].nudged = true
		head = fmt.Sprintf("%s, your sub-agent, has ended a turn and not said that %s is done. See it: deck peek %s   Ask: deck tell %s \"...\"",
			who(p), open[0].id(), nick, nick)
		text = cmp.Or(p.agent.said.text, open[0].stored.Title)
	default:
		return
	}
	id := l.tellAgent(q, p, kindAsk, head, cleanMessage(text))
	if st.State == lifecycle.NeedsInput || st.State == lifecycle.Blocked {
		p.agent.word = word{q.id, id}
	}
}

// takeBack drops a word to a parent that it has not read when what it tells of is
// over.
func (l *loop) takeBack(p *pane) {
	w := p.agent.word
	p.agent.word = word{}
	if q := l.panes[w.to]; q != nil && w.id != "" && q.agent.mail.box.Drop(w.id, lifecycle.WhyAnswered) {
		l.posted(q)
		l.deliver(q)
	}
}
