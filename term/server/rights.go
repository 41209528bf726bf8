package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"deck/term/layout"
	"deck/term/wire"
)

// right is what a caller may do that is no person. A person may do everything:
// one is who calls from outside of all panes, or from a pane without an agent
// that no agent has opened.
type right uint8

// The rights. One that is not in the table is mayNot.
const (
	mayNot     right = iota // a person only
	mayReport               // with a pane's token and about that pane: sandboxed panes have this one right
	mayRead                 // all agents
	mayMessage              // all agents: say something to others, and to their project's memory
	mayOwn                  // an agent about its own pane; the verb knows
	mayAct                  // an agent on the panes it opened, on others with a person's yes: permit
	mayHold                 // an agent through its handles: the registry knows
	mayOpen                 // agents that no other agent has opened
)

// rights is the table of all routes.
var rights = map[string]right{
	reportRoute:  mayReport,
	eventRoute:   mayReport,
	requestRoute: mayReport,
	offerRoute:   mayReport,

	"GET /v1/hello":              mayRead,
	"GET /v1/server":             mayRead,
	"GET /v1/panes":              mayRead,
	"GET /v1/sessions":           mayRead,
	"GET /v1/clients":            mayRead,
	"GET /v1/events":             mayRead,
	"GET /v1/agents":             mayRead,
	"GET /v1/agents/definitions": mayRead,
	"GET /v1/gates":              mayRead,
	"GET /v1/inbox":              mayRead,
	"GET /v1/allowed":            mayRead,
	"GET /v1/audit":              mayRead,
	"POST /v1/agents/wait":       mayRead,
	"POST /v1/agents/explain":    mayRead,
	"POST /v1/agents/asked":      mayRead,
	"POST /v1/panes/peek":        mayRead,

	"POST /v1/agents/tell":   mayMessage,
	"POST /v1/inbox/drop":    mayMessage,
	"POST /v1/gates/request": mayOwn,
	"GET /v1/handoffs":       mayRead,
	"POST /v1/handoffs":      mayMessage,
	"POST /v1/handoffs/done": mayOwn,

	"POST /v1/agents/answer": mayAct,
	"POST /v1/panes/close":   mayAct,
	"POST /v1/panes/send":    mayAct,
	"POST /v1/panes/restart": mayAct,
	"POST /v1/panes/reset":   mayAct,
	"POST /v1/panes/rename":  mayAct,
	"POST /v1/panes/resize":  mayAct,
	"POST /v1/panes/prune":   mayHold,

	"GET /v1/agents/held":     mayHold,
	"POST /v1/agents/held":    mayHold,
	"POST /v1/agents/release": mayHold,
	"POST /v1/prompts":        mayHold,
	"POST /v1/prompts/wait":   mayHold,
	"POST /v1/prompts/read":   mayHold,

	"POST /v1/panes":        mayOpen,
	"POST /v1/agents/start": mayOpen,
	"POST /v1/agents/spawn": mayOpen,

	"GET /v1/worktrees":         mayOpen, // git runs what the repository's configuration names, outside of any sandbox of the agent's
	"POST /v1/worktrees/remove": mayOpen, // only what nobody works in and what loses nothing

	"GET /v1/attach":          mayNot, // whoever has the screen has a person's hands
	"POST /v1/allowed":        mayNot,
	"POST /v1/clients/detach": mayNot,
	"POST /v1/gates/approve":  mayNot,
	"POST /v1/gates/reject":   mayNot,
	"POST /v1/panes/focus":    mayNot, // the keyboard is a person's
	"POST /v1/server/reload":  mayNot,
	"POST /v1/trust":          mayNot,
	"POST /v1/server/stop":    mayNot,

	"POST /v1/memory/recall":         mayRead,
	"POST /v1/memory/notes":          mayRead,
	"POST /v1/memory/note":           mayRead,
	"POST /v1/memory/context":        mayRead,
	"POST /v1/memory/projects":       mayRead,
	"POST /v1/memory/project":        mayRead,
	"POST /v1/memory/export":         mayRead,
	"POST /v1/memory/remember":       mayMessage,
	"POST /v1/memory/verify":         mayMessage,
	"POST /v1/memory/supersede":      mayMessage,
	"POST /v1/memory/task":           mayMessage,
	"POST /v1/memory/relate":         mayMessage,
	"POST /v1/memory/project/change": mayNot,
	"POST /v1/memory/project/forget": mayNot,
	"POST /v1/memory/doctor":         mayNot,
	"POST /v1/memory/compact":        mayNot,
	"POST /v1/memory/backup":         mayNot,
	"POST /v1/memory/import":         mayNot,
}

// guard lets a request through to its verb if its caller may ask for that at all.
func (s *server) guard(pattern string, verb http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.loop.admit(r.Context(), callerOf(r), pattern); err != nil {
			answerError(w, err)
			return
		}
		verb.ServeHTTP(w, r)
	})
}

// admit reports what keeps a caller from a route whatever it wants there.
func (l *loop) admit(ctx context.Context, c caller, pattern string) error {
	need := rights[pattern]
	if c.pane == "" {
		return nil
	}
	if err := l.settledPane(ctx, c.pane); err != nil {
		return err
	}
	switch {
	case l.ids.isSandboxed(c.pane):
		return &wire.Error{Code: wire.CodeForbidden, Message: "this pane is sandboxed: it may report what it does, and nothing else",
			Hint: "ask a person to do it in a pane of their own"}
	case need != mayNot && need != mayOpen:
		return nil
	}
	_, err := call(ctx, l, func() (none, error) {
		q := l.agentCalling(c)
		switch {
		case q == nil:
			return none{}, nil
		case need == mayNot:
			err := &wire.Error{Code: wire.CodeNotHuman, Message: "only a person may do that", Hint: "ask them to run it in a shell of their own"}
			l.note(c, pattern, nil, err)
			return none{}, err
		}
		err := l.noNesting(c)
		if err != nil {
			l.note(c, pattern, nil, err)
		}
		return none{}, err
	})
	return err
}

// noNesting is why a sub-agent opens nothing, whether it was started as one or typed
// into a pane; nil for others.
func (l *loop) noNesting(c caller) error {
	if q := l.agentCalling(c); q != nil && q.opener != "" {
		return &wire.Error{Code: wire.CodeNoNesting, Message: q.nick + " is a sub-agent: it opens no panes", Hint: "ask the agent that started it"}
	}
	return nil
}

// settledPane waits until a pane is in its place: its program may be quicker. One
// that is closed has nothing to ask for.
func (l *loop) settledPane(ctx context.Context, id layout.PaneID) error {
	settled, err := call(ctx, l, func() (chan struct{}, error) {
		if p := l.panes[id]; p != nil {
			return p.settled, nil
		}
		return nil, &wire.Error{Code: wire.CodeForbidden, Message: "the pane of this program is closed"}
	})
	if err != nil {
		return err
	}
	select {
	case <-settled:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.ended:
		return errStopping
	}
}

// agentCalling returns the pane of a caller that is an agent, or something that
// one has started; nil for a person. What runs in a pane that an agent opened is
// its doing, and no person's once it has gone.
func (l *loop) agentCalling(c caller) *pane {
	for p := l.panes[c.pane]; p != nil; p = l.panes[p.opener] {
		if st := p.status(); st.Agent != "" && !st.Exited {
			return p
		}
		if p.opener == "" {
			return nil
		}
		if l.panes[p.opener] == nil {
			return p
		}
	}
	return nil
}

// onItself are the verbs that an agent may do to its own pane. Keys are not among
// them: it would answer its own questions.
var onItself = map[string]bool{"rename": true, "reset": true, "resize": true}

// grantTime is for how long a person's yes waits to be used.
const grantTime = 10 * time.Minute

// pair is who may act on whom.
type pair struct{ from, to layout.PaneID }

// grant is a person's yes to a pair.
type grant struct {
	always bool
	until  time.Time // where it is for one time
}

// permit finds the pane that a caller wants to do something to, and answers its
// id, if that may be. What an agent may not do by itself the person at the screen
// is asked for; without one it is refused, and only that is kept here: the verb knows
// what comes of the rest.
func (l *loop) permit(ctx context.Context, c caller, verb, target string) (string, error) {
	type asked struct {
		id   string
		gate wire.Gate
		got  chan gateAnswer
	}
	a, err := call(ctx, l, func() (asked, error) {
		p, err := l.find(target, c)
		if err != nil {
			return asked{}, err
		}
		q := l.agentCalling(c)
		err = l.mayActOn(q, p, verb)
		if needsYes(err) && l.attended() && q.agent.gate == nil && l.openGate(q, c, fmt.Sprintf("let %s %s %s?", q.nick, doing(verb), p.nick)) == nil {
			got := make(chan gateAnswer, 1)
			q.agent.gate.waits = append(q.agent.gate.waits, got)
			return asked{string(p.id), q.agent.gate.wire(q, time.Now()), got}, nil
		}
		if err != nil {
			l.note(c, verb, p, err)
		}
		return asked{id: string(p.id)}, err
	})
	if err != nil || a.got == nil {
		return a.id, err
	}
	return a.id, l.awaitYes(ctx, c, verb, a.id, a.gate, a.got)
}

// mayActOn reports what keeps an agent, nil for a person, from doing something to
// a pane.
func (l *loop) mayActOn(q, p *pane, verb string) error {
	switch {
	case q == nil, p.opener == q.id:
		return nil
	case p == q && onItself[verb]:
		return nil
	case p == q:
		return &wire.Error{Code: wire.CodeForbidden, Message: "an agent can't " + doing(verb) + " its own pane"}
	case l.granted(q, p):
		return nil
	}
	return &wire.Error{Code: wire.CodeNotHuman, Message: fmt.Sprintf("%s can't %s %s, which it did not open", q.nick, doing(verb), p.nick),
		Hint: fmt.Sprintf("a person allows it: deck allow %s %s", q.nick, p.nick)}
}

// doing is a verb as a sentence has it.
func doing(verb string) string {
	if verb == "send" {
		return "type into"
	}
	return verb
}

// needsYes reports whether an error is that a person has to say yes.
func needsYes(err error) bool { return err != nil && codeOf(err) == wire.CodeNotHuman }

// granted reports whether a person allowed one pane's agent to act on another
// pane; a yes for one time is used up.
func (l *loop) granted(from, to *pane) bool {
	at := pair{from.id, to.id}
	g, ok := l.grants[at]
	if ok && !g.always {
		delete(l.grants, at)
		ok = time.Now().Before(g.until)
	}
	return ok
}

// attended reports whether a person could answer at a screen.
func (l *loop) attended() bool {
	for _, a := range l.order {
		if !a.readOnly {
			return true
		}
	}
	return false
}

// yesTime is how long a verb waits for a person's yes.
const yesTime = 10 * time.Minute

// awaitYes waits for a person's answer to what an agent wants to do. The gate is
// there no longer than somebody waits at it.
func (l *loop) awaitYes(ctx context.Context, c caller, verb, target string, g wire.Gate, got chan gateAnswer) error {
	up := time.NewTimer(yesTime)
	defer up.Stop()
	var a gateAnswer
	select {
	case a = <-got:
	case <-up.C:
	case <-ctx.Done():
	case <-l.ended:
		return errStopping
	}
	_, err := call(context.WithoutCancel(ctx), l, func() (none, error) {
		var err error
		switch a.gate.Decision {
		case gateApproved:
		case gateRejected:
			err = &wire.Error{Code: wire.CodeForbidden, Message: "a person refused: " + g.Text}
		default:
			err = &wire.Error{Code: wire.CodeNotHuman, Message: "nobody answered: " + g.Text, Hint: "deck allow says yes beforehand"}
			if q := l.panes[layout.PaneID(g.Pane)]; q != nil && q.agent.gate != nil && q.agent.gate.id == g.ID {
				l.dropGate(q)
				l.follow(q, q.agent.life.GateClosed(time.Now()))
			}
		}
		if err != nil {
			l.note(c, verb, l.panes[layout.PaneID(target)], err)
		}
		return none{}, err
	})
	return err
}

// allow is a person's word on what an agent may do to a pane that it did not open.
func (l *loop) allow(ctx context.Context, c caller, r wire.Allow) (wire.Allowed, error) {
	return call(ctx, l, func() (wire.Allowed, error) {
		from, err := l.find(r.From, caller{})
		if err != nil {
			return wire.Allowed{}, err
		}
		to, err := l.find(r.To, caller{})
		if err != nil {
			return wire.Allowed{}, err
		}
		if from == to {
			return wire.Allowed{}, invalid("an agent can't act on its own pane")
		}
		at, g := pair{from.id, to.id}, grant{always: r.Always, until: time.Now().Add(grantTime)}
		if l.grants[at] = g; r.Never {
			delete(l.grants, at)
		}
		verb := "allow " + from.nick
		if r.Never {
			verb = "forbid " + from.nick
		}
		l.note(c, verb, to, nil)
		return wire.Allowed{From: from.nick, To: to.nick, Always: r.Always}, nil
	})
}

// listAllowed lists what persons have allowed.
func (l *loop) listAllowed(ctx context.Context, _ caller, _ none) ([]wire.Allowed, error) {
	return call(ctx, l, func() ([]wire.Allowed, error) {
		out := []wire.Allowed{}
		for _, from := range l.inOrder() {
			for _, to := range l.inOrder() {
				if g, ok := l.grants[pair{from.id, to.id}]; ok && (g.always || time.Now().Before(g.until)) {
					out = append(out, wire.Allowed{From: from.nick, To: to.nick, Always: g.always})
				}
			}
		}
		return out, nil
	})
}

// forgetGrants takes back what was allowed about a pane that is gone.
func (l *loop) forgetGrants(p *pane) {
	for at := range l.grants {
		if at.from == p.id || at.to == p.id {
			delete(l.grants, at)
		}
	}
}
