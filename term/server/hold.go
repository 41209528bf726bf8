package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// readyTime is how long an agent may take to become ready, unless the caller
// says otherwise.
const readyTime = time.Minute

// readyStates are those of an agent that can be worked with: at rest, or asking
// something before its first prompt.
var readyStates = []lifecycle.State{lifecycle.Idle, lifecycle.Done, lifecycle.NeedsInput, lifecycle.Blocked}

// readyRest is how long an agent has to be ready until it counts as ready, and
// askStates what it may come to instead.
const readyRest = time.Second

var askStates = []lifecycle.State{lifecycle.NeedsInput, lifecycle.Blocked, lifecycle.Dead}

// who is whose handles a caller may use: those of the pane whose agent it
// belongs to, all of them if it is a person.
func (l *loop) who(c caller) string {
	if p := l.agentCalling(c); p != nil {
		return string(p.id)
	}
	return ""
}

// startHeld opens a pane with an agent and waits until that is ready. Where it
// does not come to that nothing is left of it.
func (l *loop) startHeld(ctx context.Context, c caller, r wire.StartAgent) (wire.Held, error) {
	if r.Launch == nil && len(r.Command) == 0 && r.Definition == "" {
		return wire.Held{}, invalid("no agent to start")
	}
	var first string
	if r.Definition != "" {
		var err error
		if first, err = l.define(&r); err != nil {
			return wire.Held{}, err
		}
	}
	opened, err := l.openPane(ctx, c, r.NewPane, true)
	if err != nil {
		l.undo(c, opened.ID)
		return wire.Held{}, err
	}
	limit := readyTime
	if r.Ready > 0 {
		limit = millis(r.Ready)
	}
	if err := l.ready(ctx, c, opened, limit); err != nil {
		l.undo(c, opened.ID)
		return wire.Held{}, err
	}
	return call(context.WithoutCancel(ctx), l, func() (wire.Held, error) {
		return l.hold(c, lifecycle.Hold{Pane: opened.ID, First: first, Definition: r.Definition})
	})
}

// ready waits until an agent that was opened can be given a prompt.
func (l *loop) ready(ctx context.Context, c caller, opened wire.Pane, limit time.Duration) error {
	until := time.Now().Add(limit)
	wait := func() (wire.AgentWaited, error) {
		left := max(time.Until(until).Milliseconds(), 1)
		return l.waitAgent(ctx, c, wire.AgentWait{Target: opened.ID, Until: readyStates, Timeout: left})
	}
	got, err := wait()
	for err == nil && l.hasMore(ctx, opened, got) {
		got, err = wait()
	}
	var refused *wire.Error
	switch {
	case errors.As(err, &refused) && (refused.Code == wire.CodeNoAgent || refused.Code == wire.CodePaneNotFound): // it had ended by then
		return l.notReady(ctx, opened, got, limit)
	case err != nil:
		return err
	case got.Outcome != string(lifecycle.Reached):
		return l.notReady(ctx, opened, got, limit)
	}
	// Some show their input line for a moment before they ask something.
	_, err = l.waitAgent(ctx, c, wire.AgentWait{Target: opened.ID, Until: askStates, Timeout: readyRest.Milliseconds()})
	return err
}

// hasMore reports whether a program is still on its way to be the agent that was
// started: it may be a script of that name that becomes another program.
func (l *loop) hasMore(ctx context.Context, opened wire.Pane, got wire.AgentWaited) bool {
	if got.Outcome == string(lifecycle.Reached) || got.Outcome == outcomeTimeout {
		return false
	}
	more, err := call(ctx, l, func() (bool, error) {
		p := l.panes[layout.PaneID(opened.ID)]
		return p != nil && !p.ended && !p.status().Exited, nil
	})
	return more && err == nil
}

// notReady is why an agent did not become ready.
func (l *loop) notReady(ctx context.Context, opened wire.Pane, got wire.AgentWaited, limit time.Duration) error {
	why := fmt.Sprintf("was not ready within %s", limit)
	if got.Outcome != outcomeTimeout {
		why = "ended before it was ready"
		exit, _ := call(ctx, l, func() (string, error) {
			if p := l.panes[layout.PaneID(opened.ID)]; p != nil {
				return p.exitText(), nil
			}
			return "", nil
		})
		if exit != "" {
			why += ": " + exit
		}
	}
	return &wire.Error{Code: wire.CodeNotReady, Message: opened.Program + " " + why}
}

// undo closes what a start has opened that did not succeed.
func (l *loop) undo(c caller, id string) {
	if id == "" {
		return
	}
	l.post(func() {
		if p := l.panes[layout.PaneID(id)]; p != nil && p.term != nil {
			l.log.Info("agent not started", "pane", id, "by", string(c.pane))
			l.closePane(p)
		}
	})
}

// hold gives out the handle of an agent that is ready.
func (l *loop) hold(c caller, h lifecycle.Hold) (wire.Held, error) {
	p := l.panes[layout.PaneID(h.Pane)]
	if p == nil {
		return wire.Held{}, &wire.Error{Code: wire.CodeNotReady, Message: "the agent was closed before it was ready"}
	}
	st := p.status()
	h.ID, h.Owner, h.Agent, h.Generation, h.Started = "ag_"+randomToken()[:12], l.who(c), st.Agent, st.Generation, time.Now()
	l.handles.Held(h)
	l.log.Info("agent held", "pane", h.Pane, "agent", st.Agent, "owner", h.Owner)
	return l.held(h), nil
}

// held is an agent behind a handle as a verb tells of it.
func (l *loop) held(h lifecycle.Hold) wire.Held {
	w := wire.Held{Handle: h.ID, Pane: h.Pane, Agent: h.Agent, Generation: h.Generation, Gone: h.Gone, Prompt: h.Last, State: string(lifecycle.Dead), Definition: h.Definition}
	if h.Definition != "" {
		if w.Told = toldArgument; h.First != "" {
			w.Told = toldFirst
		}
	}
	if p := l.panes[layout.PaneID(h.Pane)]; p != nil {
		w.Nick = p.nick
		if h.Gone == "" {
			st := p.status()
			w.State, w.Reason, w.Request = string(st.State), st.Reason, st.Request
		}
	}
	if !h.Closed.IsZero() {
		w.State = stateClosed
	}
	return w
}

// stateClosed is what an agent is behind a closed handle.
const stateClosed = "closed"

// listHeld lists the agents that a caller has started.
func (l *loop) listHeld(ctx context.Context, c caller, _ none) ([]wire.Held, error) {
	return call(ctx, l, func() ([]wire.Held, error) {
		out := []wire.Held{}
		for _, h := range l.handles.Agents(l.who(c)) {
			if h.Closed.IsZero() {
				out = append(out, l.held(h))
			}
		}
		return out, nil
	})
}

// heldAgent tells of one agent; a closed one is closed and no error.
func (l *loop) heldAgent(ctx context.Context, c caller, r wire.Handle) (wire.Held, error) {
	return call(ctx, l, func() (wire.Held, error) {
		h, err := l.handles.Agent(r.Handle, l.who(c))
		if err != nil && !errors.Is(err, lifecycle.ErrClosed) {
			return wire.Held{}, handleError(err, r.Handle)
		}
		return l.held(h), nil
	})
}

// releaseAgent closes an agent, its pane and its open prompt.
func (l *loop) releaseAgent(ctx context.Context, c caller, r wire.Release) (wire.Done, error) {
	return call(ctx, l, func() (wire.Done, error) {
		who := l.who(c)
		h, err := l.handles.Agent(r.Handle, who)
		if errors.Is(err, lifecycle.ErrClosed) {
			return wire.Done{}, nil
		}
		if err != nil {
			return wire.Done{}, handleError(err, r.Handle)
		}
		if p := l.panes[layout.PaneID(h.Pane)]; p != nil {
			if err := l.mayClose(p, r.Force); err != nil {
				return wire.Done{}, err
			}
		}
		cancelled, _ := l.handles.Close(h.ID, who, time.Now())
		l.wakePrompt(cancelled)
		if p := l.panes[layout.PaneID(h.Pane)]; p != nil && p.term != nil {
			l.note(c, "close", p, nil)
			l.closePane(p)
		}
		return wire.Done{Count: 1}, nil
	})
}

// handleError is the answer to a handle that cannot be used.
func handleError(err error, handle string) error {
	codes := []struct {
		err  error
		code string
		hint string
	}{
		{lifecycle.ErrNoHandle, wire.CodeNoHandle, "a handle is what deck start or deck prompt printed"},
		{lifecycle.ErrForeign, wire.CodeForeign, ""},
		{lifecycle.ErrClosed, wire.CodeClosed, ""},
		{lifecycle.ErrUnresolved, wire.CodeUnresolved, "deck wait waits for it"},
		{lifecycle.ErrGone, wire.CodeAgentGone, ""},
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return &wire.Error{Code: c.code, Message: c.err.Error() + ": " + cleanText(handle, maxLabel), Hint: c.hint}
		}
	}
	return err
}

// prune closes the panes whose program has ended.
func (l *loop) prune(ctx context.Context, c caller, _ none) (wire.Done, error) {
	return call(ctx, l, func() (wire.Done, error) {
		n, caller := 0, l.agentCalling(c)
		for _, p := range l.inOrder() {
			if p.ended && !p.again && (caller == nil || p.opener == caller.id) {
				l.note(c, "close", p, nil)
				l.closePane(p)
				n++
			}
		}
		return wire.Done{Count: n}, nil
	})
}
