package server

import (
	"context"
	"slices"
	"time"

	"deck/lifecycle"
	"deck/term/wire"
)

// gate is a decision that a person has to take; owned by the loop.
type gate struct {
	id         string // that of the status' request
	text, by   string
	generation uint64
	since      time.Time
	waits      []chan gateAnswer // each with room for its answer
}

// gateAnswer is what became of a gate.
type gateAnswer struct {
	gate wire.Gate
	err  error
}

// The decisions.
const (
	gateApproved = "approved"
	gateRejected = "rejected"
)

// wire is the gate as a verb tells of it.
func (g *gate) wire(p *pane, now time.Time) wire.Gate {
	return wire.Gate{ID: g.id, Pane: string(p.id), Nick: p.nick, Agent: p.status().Agent, Text: g.text, By: g.by,
		AgeMillis: max(now.Sub(g.since).Milliseconds(), 0)}
}

// requestGate holds an agent until a person decides, and waits for that as long
// as it was asked to.
func (l *loop) requestGate(ctx context.Context, c caller, r wire.GateRequest) (wire.Gate, error) {
	if r.Wait < 0 {
		return wire.Gate{}, invalid("invalid wait: %d", r.Wait)
	}
	type opened struct {
		gate wire.Gate
		got  chan gateAnswer
	}
	o, err := call(ctx, l, func() (opened, error) {
		p, err := l.find(r.Target, c)
		if err != nil {
			return opened{}, err
		}
		if err := l.openGate(p, c, r.Text); err != nil {
			return opened{}, err
		}
		g, got := p.agent.gate, make(chan gateAnswer, 1)
		if r.Wait > 0 {
			g.waits = append(g.waits, got)
		}
		return opened{g.wire(p, time.Now()), got}, nil
	})
	if err != nil || r.Wait == 0 {
		return o.gate, err
	}
	up := time.NewTimer(millis(r.Wait))
	defer up.Stop()
	select {
	case a := <-o.got:
		return a.gate, a.err
	case <-up.C:
	case <-ctx.Done():
	case <-l.ended:
		return o.gate, errStopping
	}
	return call(context.WithoutCancel(ctx), l, func() (wire.Gate, error) { return l.leaveGate(o.gate, o.got) })
}

// leaveGate ends one wait at a gate, which stays.
func (l *loop) leaveGate(g wire.Gate, got chan gateAnswer) (wire.Gate, error) {
	select {
	case a := <-got:
		return a.gate, a.err
	default:
	}
	for _, p := range l.panes {
		if q := p.agent.gate; q != nil && string(p.id) == g.Pane {
			q.waits = slices.DeleteFunc(q.waits, func(w chan gateAnswer) bool { return w == got })
			return q.wire(p, time.Now()), nil
		}
	}
	return g, nil
}

// openGate makes a gate, or finds the one that was asked for in the same words.
// An agent may hold itself and nobody else.
func (l *loop) openGate(p *pane, c caller, text string) error {
	st := p.status()
	by := "a person"
	if q := l.agentCalling(c); q != nil {
		if by = q.nick; q != p {
			return &wire.Error{Code: wire.CodeForbidden, Message: "an agent can't hold another one"}
		}
	}
	if st.Agent == "" || st.Exited {
		return noAgent(p)
	}
	text = lifecycle.Clean(text, lifecycle.MaxRequest)
	if g := p.agent.gate; g != nil {
		if g.text == text {
			return nil
		}
		return &wire.Error{Code: wire.CodeInvalid, Message: "another gate is pending in " + p.nick,
			Hint: "deck gate approve or reject decides it"}
	}
	now := time.Now()
	g := &gate{text: text, by: by, generation: st.Generation, since: now}
	p.agent.gate = g
	e := p.agent.life.GateRequested(text, by, now)
	g.id = e.Status.Request.ID
	l.log.Info("gate requested", "pane", string(p.id), "by", string(c.pane), "pid", c.pid)
	l.follow(p, e)
	return nil
}

// decideGate is a person's answer by the command line.
func (l *loop) decideGate(ctx context.Context, c caller, r wire.GateDecision, approve bool) (wire.Gate, error) {
	return call(ctx, l, func() (wire.Gate, error) {
		p, err := l.find(r.Target, c)
		if err != nil {
			return wire.Gate{}, err
		}
		g := p.agent.gate
		if g == nil {
			return wire.Gate{}, noGate(p)
		}
		if err := l.decide(p, r.ID, approve); err != nil {
			return wire.Gate{}, err
		}
		out := g.wire(p, time.Now())
		out.Decision = decision(approve)
		return out, nil
	})
}

// noGate is the answer where none is pending, or another one than was meant.
func noGate(p *pane) *wire.Error {
	return &wire.Error{Code: wire.CodeNoGate, Message: "no such gate is pending in " + p.nick, Hint: "deck gate list shows them"}
}

func decision(approve bool) string {
	if approve {
		return gateApproved
	}
	return gateRejected
}

// decide carries out a person's answer to the gate of that id, to whichever is
// pending for an empty one.
func (l *loop) decide(p *pane, id string, approve bool) error {
	g := p.agent.gate
	if g == nil || id != "" && id != g.id {
		return noGate(p)
	}
	now := time.Now()
	p.agent.gate = nil
	l.note(caller{}, "gate "+decision(approve), p, nil)
	l.log.Info("gate decided", "pane", string(p.id), "decision", decision(approve))
	out := g.wire(p, now)
	out.Decision = decision(approve)
	for _, w := range g.waits {
		w <- gateAnswer{gate: out}
	}
	l.follow(p, p.agent.life.GateClosed(now))
	l.happened(p, "gate", out.Decision+": "+g.text)
	return nil
}

// closeStaleGate drops a gate whose agent is there no more.
func (l *loop) closeStaleGate(p *pane, st lifecycle.Status) {
	if g := p.agent.gate; g != nil && (st.Agent == "" || st.Generation != g.generation) {
		l.dropGate(p)
	}
}

// dropGate takes a gate away without a decision.
func (l *loop) dropGate(p *pane) {
	g := p.agent.gate
	if g == nil {
		return
	}
	p.agent.gate = nil
	for _, w := range g.waits {
		w <- gateAnswer{err: noAgent(p)}
	}
}

// listGates returns the gates that wait for a person, the oldest first.
func (l *loop) listGates(ctx context.Context, _ caller, _ none) ([]wire.Gate, error) {
	return call(ctx, l, func() ([]wire.Gate, error) {
		now, out := time.Now(), []wire.Gate{}
		for _, p := range l.inOrder() {
			if g := p.agent.gate; g != nil {
				out = append(out, g.wire(p, now))
			}
		}
		slices.SortStableFunc(out, func(a, b wire.Gate) int { return int(b.AgeMillis - a.AgeMillis) })
		return out, nil
	})
}
