package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	memory "deck/context"
	"deck/hooks"
	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// maxTask is the longest task, in bytes.
const maxTask = 256 << 10

// teamRoutes are about tasks that agents give to each other.
func (s *server) teamRoutes() map[string]http.Handler {
	return map[string]http.Handler{
		"POST /v1/agents/spawn":  route(s.log, s.spawn),
		"GET /v1/handoffs":       route(s.log, s.listHandoffs),
		"POST /v1/handoffs":      route(s.log, s.handOver),
		"POST /v1/handoffs/done": route(s.log, s.finishHandoff),
	}
}

// checkTask makes a text a task, or says what is wrong with it.
func checkTask(text string) (string, error) {
	text = cleanMessage(text)
	switch {
	case text == "":
		return "", invalid("no task: the text is empty")
	case len(text) > maxTask:
		return "", invalid("the task is longer than %d bytes", maxTask)
	}
	return text, nil
}

// handOver gives a task to the agent of a pane. The task is written down before
// the agent is told of it.
func (s *server) handOver(ctx context.Context, c caller, r wire.NewHandoff) (wire.Handed, error) {
	l := s.loop
	task, err := checkTask(r.Task)
	if err != nil {
		return wire.Handed{}, err
	}
	h, err := call(ctx, l, func() (handoff, error) {
		p, err := l.find(r.Target, c)
		if err != nil {
			return handoff{}, err
		}
		st, q := p.status(), l.agentCalling(c)
		switch {
		case st.Agent == "" || st.Exited:
			return handoff{}, noAgent(p)
		case q == p:
			return handoff{}, invalid("can't hand a task to %s: it is this pane", p.nick)
		case q != nil:
			if ok, loop := l.traffic.Allow(string(q.id), string(p.id), time.Now()); !ok {
				return handoff{}, tooMany(q, p, loop)
			}
		}
		h := l.newHandoff(c, task, p.cwd())
		h.to, h.agent, h.stored.To = p.id, st.Agent, p.nick
		return h, nil
	})
	if err != nil {
		return wire.Handed{}, err
	}
	redacted, err := s.archive.writeTask(ctx, &h)
	if err != nil {
		return wire.Handed{}, err
	}
	notices := s.archive.keepHandoff(ctx, &h)
	out, err := call(context.WithoutCancel(ctx), l, func() (wire.Handed, error) {
		p := l.panes[h.to]
		if p == nil {
			return wire.Handed{}, &wire.Error{Code: wire.CodePaneNotFound, Message: h.stored.To + " was closed meanwhile"}
		}
		head := "A task for you. " + h.read()
		if q := l.panes[h.from]; q != nil {
			head = fmt.Sprintf("A task for you from %s, another agent and not the user. %s", who(q), h.read())
		}
		m, err := l.mailTo(p, lifecycle.Message{ID: l.newMessageID(), Kind: kindHandoff, From: string(h.from), Text: cleanMessage(head)})
		if l.note(c, "handoff", p, err); err != nil {
			return wire.Handed{}, err
		}
		l.hand(h)
		out := h.wire(time.Now())
		out.Message = m.ID
		return out, nil
	})
	if err != nil {
		h.stored.Status = handoffExited
		s.archive.keepHandoff(context.WithoutCancel(ctx), &h)
		_ = os.Remove(h.file)
		return wire.Handed{}, err
	}
	out.Redacted, out.Notices = redacted, notices
	return out, s.indexTasks(ctx, h.place.Checkout)
}

// indexTasks writes the list of a checkout's open tasks.
func (s *server) indexTasks(ctx context.Context, checkout string) error {
	index, err := call(ctx, s.loop, func() (string, error) { return s.loop.handoffIndex(checkout), nil })
	if err == nil {
		s.archive.writeIndex(checkout, index)
	}
	return err
}

// spawn starts an agent with a task. It is told by its first prompt where it can be
// started with one, else as soon as its input line is free.
func (s *server) spawn(ctx context.Context, c caller, r wire.Spawn) (wire.Handed, error) {
	l := s.loop
	task, err := checkTask(r.Task)
	if err != nil {
		return wire.Handed{}, err
	}
	if err := s.chooseAgent(ctx, c, &r.StartAgent); err != nil {
		return wire.Handed{}, err
	}
	part := ""
	if r.Definition != "" {
		if part, err = l.define(&r.StartAgent); err != nil {
			return wire.Handed{}, err
		}
	}
	done, err := l.enter(ctx, &r.NewPane)
	if err != nil {
		return wire.Handed{}, err
	}
	defer done()
	h, err := call(ctx, l, func() (handoff, error) { return l.newHandoff(c, task, r.Dir), nil })
	if err != nil {
		return wire.Handed{}, err
	}
	h.part = part
	redacted, err := s.archive.writeTask(ctx, &h)
	if err != nil {
		return wire.Handed{}, err
	}
	told := false
	if r.Launch != nil {
		if a, ok := hooks.Lookup(r.Launch.Agent); ok && a.TakesKickoff() {
			r.Launch.Kickoff, told = h.read(), true
		}
	}
	opened, err := l.openPane(ctx, c, r.NewPane, true)
	if err != nil {
		l.undo(c, opened.ID)
		_ = os.Remove(h.file)
		return wire.Handed{}, err
	}
	h.to, h.stored.To, h.agent = layout.PaneID(opened.ID), opened.Nick, opened.Agent
	ctx = context.WithoutCancel(ctx)
	notices := s.archive.keepHandoff(ctx, &h)
	out, err := call(ctx, l, func() (wire.Handed, error) { return l.spawned(h, told) })
	if err != nil {
		return out, err
	}
	out.Redacted, out.Notices = redacted, notices
	return out, s.indexTasks(ctx, h.place.Checkout)
}

// spawned keeps the task of an agent that was started for it, and tells it where
// it could not be started with that.
func (l *loop) spawned(h handoff, told bool) (wire.Handed, error) {
	p := l.panes[h.to]
	if p == nil {
		return wire.Handed{}, &wire.Error{Code: wire.CodeNotReady, Message: "the agent was closed before it had its task"}
	}
	h.agent = p.status().Agent
	l.hand(h)
	out := h.wire(time.Now())
	if told {
		return out, nil
	}
	m, err := l.mailFor(p, lifecycle.Message{ID: l.newMessageID(), Kind: kindHandoff, From: string(h.from), Text: cleanMessage(h.read())})
	out.Message = m.ID
	return out, err
}

// chooseAgent settles which agent a task is for where nobody said: one of the
// caller's own kind, else the only one that is installed. It goes beside the caller.
func (s *server) chooseAgent(ctx context.Context, c caller, r *wire.StartAgent) error {
	own, err := call(ctx, s.loop, func() (string, error) {
		q := s.loop.agentCalling(c)
		if r.At == "" && s.loop.panes[c.pane] != nil {
			r.At = string(c.pane)
		}
		if q == nil {
			return "", nil
		}
		return q.status().Agent, nil
	})
	if err != nil || len(r.Command) > 0 || r.Definition != "" || r.Launch != nil && r.Launch.Agent != "" {
		return err
	}
	env := cmp.Or(strings.Join(r.Env, "\n"), strings.Join(s.loop.o.env, "\n"))
	here := installed(strings.Split(env, "\n"))
	if !slices.ContainsFunc(here, func(a hooks.Agent) bool { return a.Name == own }) {
		if own = ""; len(here) == 1 {
			own = here[0].Name
		}
	}
	if own == "" {
		return &wire.Error{Code: wire.CodeAgentNotFound, Message: "no agent is named, and none is plainly meant", Hint: foundHere(strings.Split(env, "\n"))}
	}
	if r.Launch == nil {
		r.Launch = &wire.Launch{}
	}
	r.Launch.Agent = own
	return nil
}

// finishHandoff tells what came of a task: its own agent does, whoever gave it, or a
// person.
func (s *server) finishHandoff(ctx context.Context, c caller, r wire.FinishHandoff) (wire.Handed, error) {
	l := s.loop
	summary := cleanMessage(r.Summary)
	if len(summary) > maxMessage {
		return wire.Handed{}, invalid("the summary is longer than %d bytes", maxMessage)
	}
	state := handoffDone
	if r.Failed {
		state = handoffFailed
	}
	h, err := call(ctx, l, func() (handoff, error) {
		h := l.handoffOf(r.ID)
		if h == nil {
			return handoff{}, noHandoff(r.ID)
		}
		q := l.agentCalling(c)
		switch {
		case q != nil && q.id != h.to && q.id != h.from:
			err := &wire.Error{Code: wire.CodeNotHuman, Message: fmt.Sprintf("%s is no task of %s", h.id(), q.nick)}
			l.note(c, "done", l.panes[h.to], err)
			return handoff{}, err
		case h.stored.Status != handoffOpen:
			return handoff{}, &wire.Error{Code: wire.CodeHandoffOver, Message: fmt.Sprintf("%s is %s already", h.id(), h.stored.Status)}
		}
		h.stored.Status, h.summary = state, summary
		l.note(c, "done", l.panes[h.to], nil)
		return *h, nil
	})
	if codeIs(err, wire.CodeHandoffNotFound) {
		return s.finishOld(ctx, c, r, state, summary)
	}
	if err != nil {
		return wire.Handed{}, err
	}
	ctx = context.WithoutCancel(ctx)
	notices := s.archive.keepHandoff(ctx, &h)
	out, err := call(ctx, l, func() (wire.Handed, error) {
		p := l.panes[h.to]
		if p != nil {
			l.change(p)
			if q := l.agentCalling(c); q == nil || q.id != h.from {
				l.tellResult(p, h)
			}
		}
		return h.wire(time.Now()), nil
	})
	if err != nil {
		return out, err
	}
	out.Notices = notices
	return out, s.indexTasks(ctx, h.place.Checkout)
}

// codeIs reports whether an error has a code.
func codeIs(err error, code string) bool { return err != nil && codeOf(err) == code }

// noHandoff is the answer to an id that no task has.
func noHandoff(id string) error {
	return &wire.Error{Code: wire.CodeHandoffNotFound, Message: "can't find task: " + cleanText(id, maxLabel), Hint: "deck handoffs lists those that are open"}
}

// handoffOf returns the task of an id, nil where the server knows none.
func (l *loop) handoffOf(id string) *handoff {
	for _, h := range slices.Backward(l.handoffs) {
		if h.id() == strings.ToLower(id) {
			return h
		}
	}
	return nil
}

// finishOld settles a task that a server before this one kept: nobody is left to
// tell.
func (s *server) finishOld(ctx context.Context, c caller, r wire.FinishHandoff, state, summary string) (wire.Handed, error) {
	old, err := s.archive.oldHandoffs(ctx, r.Cwd)
	if err != nil {
		return wire.Handed{}, err
	}
	for _, o := range old {
		if shortID(o.ID) != strings.ToLower(r.ID) {
			continue
		}
		if o.Status != handoffOpen && o.Status != handoffExited {
			return wire.Handed{}, &wire.Error{Code: wire.CodeHandoffOver, Message: fmt.Sprintf("%s is %s already", shortID(o.ID), o.Status)}
		}
		h := oldHandoff(o)
		h.place, err = memory.FindPlace(cmp.Or(o.Checkout, r.Cwd))
		if err != nil {
			return wire.Handed{}, memoryError(err)
		}
		h.stored.Status, h.summary = state, summary
		out := h.wire(time.Now())
		out.Notices = s.archive.keepHandoff(ctx, &h)
		_, err := call(ctx, s.loop, func() (none, error) { s.loop.note(c, "done", nil, nil); return none{}, nil })
		return out, err
	}
	return wire.Handed{}, noHandoff(r.ID)
}

// oldHandoff is a task as the store has it.
func oldHandoff(o memory.Handoff) handoff {
	h := handoff{stored: o, sender: cmp.Or(o.From.Nick, o.From.Agent, aPerson)}
	if i := strings.LastIndex(o.Text, resultMark); i >= 0 && o.Status != handoffOpen {
		h.stored.Text, h.summary = o.Text[:i], o.Text[i+len(resultMark):]
	}
	return h
}

// oldHandoffs are the tasks that the store has of the project of a folder, the
// newest first.
func (a *archive) oldHandoffs(ctx context.Context, cwd string) ([]memory.Handoff, error) {
	if cwd == "" {
		return nil, nil
	}
	s, err := a.stand(ctx, wire.Place{Cwd: cwd}, false)
	if err != nil || s.project.ID == "" {
		return nil, err
	}
	list, err := s.store.Handoffs(s.project.ID, maxHandoffs)
	return list, memoryError(err)
}

// handoffQuery is the query of GET /v1/handoffs.
type handoffQuery struct {
	All string `json:"all"`
	Cwd string `json:"cwd"`
}

// listHandoffs lists tasks, the oldest first. One that the store has open and the
// server does not know was left by a server that has ended.
func (s *server) listHandoffs(ctx context.Context, _ caller, r handoffQuery) ([]wire.Handed, error) {
	now, known, out := time.Now(), map[string]bool{}, []wire.Handed{}
	rows, err := call(ctx, s.loop, func() ([]wire.Handed, error) {
		var rows []wire.Handed
		for _, h := range s.loop.handoffs {
			if known[h.id()] = true; r.All != "" || h.stored.Status == handoffOpen {
				rows = append(rows, h.wire(now))
			}
		}
		return rows, nil
	})
	if err != nil {
		return nil, err
	}
	if r.All != "" {
		old, err := s.archive.oldHandoffs(ctx, r.Cwd)
		if err != nil {
			return nil, err
		}
		for _, o := range slices.Backward(old) {
			h := oldHandoff(o)
			if known[h.id()] {
				continue
			}
			if o.Status == handoffOpen {
				h.stored.Status = handoffExited
			}
			out = append(out, h.wire(now))
		}
	}
	return append(out, rows...), nil
}
