package server

import (
	"context"
	"slices"
	"time"

	"deck/lifecycle"
	"deck/term/wire"
)

// waiter is somebody who waits for an agent; owned by the loop, but for the
// channel, which has room for the one answer that there is.
type waiter struct {
	wait lifecycle.Wait
	pane *pane
	got  chan wire.AgentWaited
}

// outcomeTimeout is the outcome of a wait whose time is up.
const outcomeTimeout = "timeout"

// waitStates are the states that can be waited for.
var waitStates = []lifecycle.State{
	lifecycle.Unknown, lifecycle.Working, lifecycle.NeedsInput, lifecycle.Idle, lifecycle.Blocked, lifecycle.Done, lifecycle.Dead,
}

// waitAgent answers when an agent has come into one of some states. Nothing is
// looked at again and again: the loop tells whoever waits.
func (l *loop) waitAgent(ctx context.Context, c caller, r wire.AgentWait) (wire.AgentWaited, error) {
	if len(r.Until) == 0 {
		return wire.AgentWaited{}, invalid("no state to wait for")
	}
	for _, s := range r.Until {
		if !slices.Contains(waitStates, s) {
			return wire.AgentWaited{}, invalid("no such state: %s", cleanText(string(s), maxLabel))
		}
	}
	if r.Timeout < 0 {
		return wire.AgentWaited{}, invalid("invalid timeout: %d", r.Timeout)
	}
	w, err := call(ctx, l, func() (*waiter, error) { return l.beginWait(c, r) })
	if err != nil {
		return wire.AgentWaited{}, err
	}
	var up <-chan time.Time
	if r.Timeout > 0 {
		t := time.NewTimer(millis(r.Timeout))
		defer t.Stop()
		up = t.C
	}
	select {
	case got := <-w.got:
		return got, nil
	case <-up:
		return call(ctx, l, func() (wire.AgentWaited, error) { return l.endWait(w), nil })
	case <-ctx.Done():
		l.post(func() { l.endWait(w) })
		return wire.AgentWaited{}, ctx.Err()
	case <-l.ended:
		return wire.AgentWaited{}, errStopping
	}
}

// maxWait keeps a wait within what a timer can count.
const maxWait = 365 * 24 * time.Hour

// millis is a number of milliseconds as a duration, maxWait at most.
func millis(n int64) time.Duration {
	return time.Duration(min(n, maxWait.Milliseconds())) * time.Millisecond
}

// beginWait registers a wait, or answers it at once.
func (l *loop) beginWait(c caller, r wire.AgentWait) (*waiter, error) {
	p, err := l.find(r.Target, c)
	if err != nil {
		return nil, err
	}
	st := p.status()
	if p.ended && st.Agent == "" {
		return nil, noAgent(p)
	}
	w := &waiter{wait: lifecycle.Wait{Until: slices.Clone(r.Until)}, pane: p, got: make(chan wire.AgentWaited, 1)}
	if o := w.wait.Check(st); o != lifecycle.Pending {
		w.got <- wire.AgentWaited{Outcome: string(o), Agent: p.row(time.Now())}
		return w, nil
	}
	if p.agent.waits == nil {
		p.agent.waits = map[*waiter]struct{}{}
	}
	p.agent.waits[w] = struct{}{}
	return w, nil
}

// endWait takes a wait back whose time is up, unless it has its answer.
func (l *loop) endWait(w *waiter) wire.AgentWaited {
	delete(w.pane.agent.waits, w)
	select {
	case got := <-w.got:
		return got
	default:
		return wire.AgentWaited{Outcome: outcomeTimeout, Agent: w.pane.row(time.Now())}
	}
}

// answerWaits tells those for whom a status is the end of waiting.
func (l *loop) answerWaits(p *pane, st lifecycle.Status) {
	if len(p.agent.waits) == 0 {
		return
	}
	row := p.row(time.Now())
	for w := range p.agent.waits {
		if o := w.wait.Check(st); o != lifecycle.Pending {
			delete(p.agent.waits, w)
			w.got <- wire.AgentWaited{Outcome: string(o), Agent: row}
		}
	}
}

// endWaits tells everybody who waits at a pane that it is closed.
func (l *loop) endWaits(p *pane) {
	row := p.row(time.Now())
	for w := range p.agent.waits {
		delete(p.agent.waits, w)
		w.got <- wire.AgentWaited{Outcome: string(lifecycle.Exited), Agent: row}
	}
}

// noAgent is the answer of verbs that need one.
func noAgent(p *pane) *wire.Error {
	return &wire.Error{Code: wire.CodeNoAgent, Message: "no agent is running in " + p.nick, Hint: "deck agents lists them"}
}
