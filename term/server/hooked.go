package server

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// eventRoute and requestRoute are where the hooks of agents tell what a report
// has no room for. Like reports they know a pane by its token alone.
const (
	eventRoute   = "POST /v1/agent-events"
	requestRoute = "POST /v1/agent-requests"
)

// hooked makes a function of what a hook sent a handler.
func hooked[Req, Resp any](s *server, f func(context.Context, layout.PaneID, Req) (Resp, error)) http.Handler {
	return hookedBy(s, func(w http.ResponseWriter, r *http.Request, pane layout.PaneID, req Req) {
		resp, err := f(r.Context(), pane, req)
		if err != nil {
			answerError(w, err)
			return
		}
		answer(w, http.StatusOK, resp)
	})
}

// hookedBy makes a handler of one that is given what a hook of a pane sent.
func hookedBy[Req any](s *server, f func(http.ResponseWriter, *http.Request, layout.PaneID, Req)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pane, ok := s.ids.ofToken(r.Header.Get(wire.TokenHeader))
		if !ok {
			answerCode(w, lifecycle.InvalidToken)
			return
		}
		if p, _ := r.Context().Value(peerKey).(peer); p.err == nil && outsider(p.pid) {
			answer(w, http.StatusOK, struct {
				Dropped lifecycle.Drop `json:"dropped"`
			}{wire.DropOutsider})
			return
		}
		conn := http.NewResponseController(w)
		_ = conn.SetReadDeadline(time.Now().Add(bodyTime))
		var req Req
		err := strict(http.MaxBytesReader(w, r.Body, wire.MaxAgentEvent), &req)
		var tooBig *http.MaxBytesError
		switch {
		case errors.As(err, &tooBig):
			answerCode(w, lifecycle.BodyTooLarge)
			return
		case err != nil:
			answerCode(w, lifecycle.InvalidJSON)
			return
		}
		_ = conn.SetReadDeadline(time.Time{})
		f(w, r, pane, req)
	})
}

// ofAgent runs f in the loop with the pane of a token, if the agent there is the
// one that is spoken of.
func (l *loop) ofAgent(ctx context.Context, id layout.PaneID, agent string, f func(*pane)) error {
	_, err := call(ctx, l, func() (none, error) {
		p := l.panes[id]
		switch {
		case p == nil || p.term == nil:
			return none{}, &wire.Error{Code: string(lifecycle.InvalidToken), Message: "no such pane"}
		case p.status().Exited || p.status().Agent != agent:
			return none{}, &wire.Error{Code: string(lifecycle.AgentMismatch), Message: "the pane has no such agent"}
		}
		f(p)
		return none{}, nil
	})
	return err
}

// agentEvents takes POST /v1/agent-events. What a hook has sent counts when it
// has left, too.
func (l *loop) agentEvents(ctx context.Context, id layout.PaneID, e wire.AgentEvent) (wire.Done, error) {
	if e.Unusable != "" {
		l.unusable.Add(1)
		return wire.Done{Count: 1}, nil
	}
	for i, path := range e.Edits {
		e.Edits[i] = resolved(filepath.Clean(path)) // one file has one name, whichever way an agent goes there
	}
	err := l.ofAgent(context.WithoutCancel(ctx), id, e.Agent, func(p *pane) { l.agentTold(p, e) })
	return wire.Done{Count: 1}, err
}

// agentTold follows what an agent's hook was told.
func (l *loop) agentTold(p *pane, e wire.AgentEvent) {
	if e.Helper == "" && (e.Started || e.Prompt || e.Ended) {
		l.endAsks(p)
	}
	if e.Ended && l.o.ended != nil {
		l.o.ended(p.cwd())
	}
	if p.agent.hooked = true; e.Helper == "" {
		if e.Started || e.Prompt || e.Ended {
			p.agent.mail.goesOn = false
		}
		if e.Prompt {
			p.agent.mail.box.Submitted("")
			l.posted(p)
		}
		if e.Ended {
			p.agent.mail.box.WentOn(e.Seq)
			l.posted(p)
			l.agentSaid(p, e.Response, hookTime(e.Seq, sinceBoot(), time.Now()))
		}
	}
	l.touched(p, e.Edits)
	if e.Ask != nil {
		l.addAsk(p, &ask{AgentAsk: *e.Ask, agent: e.Agent, session: e.Session, helper: e.Helper})
	}
}

// hookLate is how late a hook may be that tells when it was started.
const hookLate = time.Minute

// hookTime is when a hook was started, by its number among the others where that
// is a time since the machine was started, up; else it is now.
func hookTime(seq int64, up time.Duration, now time.Time) time.Time {
	if late := up - time.Duration(seq); seq > 0 && late > 0 && late < hookLate {
		return now.Add(-late)
	}
	return now
}

// maxAsking is how long a hook waits for a person at most.
const maxAsking = time.Hour

// agentRequests takes POST /v1/agent-requests, where a hook waits until a person
// has decided. It does not where nobody turned that on.
func (l *loop) agentRequests(ctx context.Context, id layout.PaneID, r wire.AgentRequest) (wire.AgentAnswer, error) {
	a := &ask{AgentAsk: r.Ask, agent: r.Agent, session: r.Session, helper: r.Helper, blocks: r.Blocks, answer: make(chan wire.AgentAnswer, 1)}
	if a.Text == "" && len(a.Edits) == 0 {
		a.Text = r.Summary
	}
	held := false
	err := l.ofAgent(ctx, id, r.Agent, func(p *pane) {
		if held = l.config.AnswerFromDeck; held {
			l.addAsk(p, a)
		}
	})
	if err != nil || !held {
		return wire.AgentAnswer{}, err
	}
	up := time.NewTimer(min(millis(r.Wait), maxAsking))
	defer up.Stop()
	select {
	case got := <-a.answer:
		return got, nil
	case <-up.C:
	case <-ctx.Done():
	case <-l.ended:
		return wire.AgentAnswer{}, errStopping
	}
	// What was decided just before counts.
	return call(context.WithoutCancel(ctx), l, func() (wire.AgentAnswer, error) {
		if p := l.panes[id]; p != nil {
			l.dropAsk(p, a)
		}
		select {
		case got := <-a.answer:
			return got, nil
		default:
			return wire.AgentAnswer{}, nil
		}
	})
}
