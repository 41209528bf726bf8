package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"deck/hooks"
	"deck/term"
	"deck/term/wire"
	"deck/ui"
)

// A program that failed maxEnds times within endsWithin is not started again
// unless a person insists.
const (
	maxEnds    = 3
	endsWithin = 10 * time.Second
)

// ended is when and how a pane's program ended.
type ended struct {
	at  time.Time
	how string
}

// noteEnd keeps the last ends of a pane's program. One that went well is the end
// of what went wrong before.
func noteEnd(ends []ended, e ended, well bool) []ended {
	if well {
		return nil
	}
	ends = append(ends, e)
	return ends[max(len(ends)-maxEnds, 0):]
}

// loops says that a program fails again and again, empty where it does not.
func loops(ends []ended) string {
	if len(ends) < maxEnds || ends[len(ends)-1].at.Sub(ends[0].at) > endsWithin {
		return ""
	}
	return fmt.Sprintf("failed %d times within %d s, last with %s", maxEnds, int(endsWithin/time.Second), ends[len(ends)-1].how)
}

// restartTarget is restart for a verb, which waits for what comes of it.
func (l *loop) restartTarget(ctx context.Context, c caller, r wire.Restart) (wire.Restarted, error) {
	type outcome struct {
		restarted wire.Restarted
		err       error
	}
	target, err := l.permit(ctx, c, "restart", r.Target)
	if err != nil {
		return wire.Restarted{}, err
	}
	got := make(chan outcome, 1)
	if _, err := call(ctx, l, func() (none, error) {
		p, err := l.find(target, c)
		if err != nil {
			return none{}, err
		}
		act := l.act(c, "restart", p)
		err = l.restart(p, r, func(re wire.Restarted, err error) {
			l.keep(act, err)
			got <- outcome{re, err}
		})
		if err != nil {
			l.keep(act, err)
		}
		return none{}, err
	}); err != nil {
		return wire.Restarted{}, err
	}
	select {
	case o := <-got:
		return o.restarted, o.err
	case <-l.ended:
		return wire.Restarted{}, errStopping
	}
}

// restart runs the program of an ended pane again, in its place. What came of
// it is told to done, in the loop or when that has ended.
func (l *loop) restart(p *pane, r wire.Restart, done func(wire.Restarted, error)) error {
	if !p.ended || p.again {
		return l.stillRuns(p)
	}
	if why := loops(p.ends); why != "" && !r.Force {
		return &wire.Error{Code: wire.CodeCrashLoop, Message: "not started again: " + p.nick + " " + why,
			Hint: "look at what it says; deck restart --force " + p.nick + " tries once more"}
	}
	if r.Force {
		p.ends = nil
	}
	old := p.term
	l.ids.remove(p.id) // and not when the new program runs: it would be nobody's for a moment
	p.token = randomToken()
	pl := &plan{pane: p, session: p.tab.session}
	pl.spec.Cols, pl.spec.Rows = old.Size()
	pl.spec.Generation = old.Generation() + 1
	l.specify(pl, nil)
	l.planAgain(pl, r.Fresh)
	p.again = true
	go func() {
		t, w, err := l.start(pl)
		if !l.post(func() {
			l.replace(pl, t, w)
			l.restarted(pl, err, done)
		}) {
			t.Close()
			done(wire.Restarted{}, errStopping)
		}
	}()
	return nil
}

// restarted tells what came of a restart.
func (l *loop) restarted(pl *plan, err error, done func(wire.Restarted, error)) {
	p := pl.pane
	switch {
	case l.panes[p.id] != p:
		done(wire.Restarted{}, &wire.Error{Code: wire.CodePaneNotFound, Message: "can't find pane: " + string(p.id)})
	case err != nil:
		done(wire.Restarted{}, notStarted(err))
	default:
		done(wire.Restarted{Pane: p.wire(), Resumed: pl.resumed, Note: pl.note}, nil)
	}
}

// stillRuns is the answer where there is nothing to restart. A dead agent in a
// living shell is gone on with by hand.
func (l *loop) stillRuns(p *pane) error {
	e := &wire.Error{Code: wire.CodeStillRunning, Message: p.nick + " is still running " + p.program()}
	a, ok := hooks.Lookup(p.native.Agent)
	if st := p.status(); ok && (st.Agent == "" || st.Exited) && a.CanResume() {
		e.Hint = "to go on with its last session, type there: " + strings.Join(a.ResumeArgv(p.native.Session), " ")
	}
	return e
}

// planAgain settles what a restart runs: the agent with its session, where
// there is one, else what was run before.
func (l *loop) planAgain(pl *plan, fresh bool) {
	p := pl.pane
	if fresh {
		p.native = native{}
	}
	n := p.native
	again := p.startsAgain()
	switch {
	case again != nil:
		g := &launching{launch: *again}
		if n.Agent == g.agent.Name {
			g.session = n.Session
		}
		p.launch = again
		l.equip(g, p.id)
		pl.launch = g
	case p.ownResume():
		pl.spec.Argv, pl.resumed = n.Argv, n.Session
	}
}

// startsAgain is how the pane's agent is started again, nil where that is not
// deck's to know. A command that is an agent becomes one when there is a session
// to go on with.
func (p *pane) startsAgain() *launch {
	a, known := hooks.Lookup(p.native.Agent)
	switch {
	case p.launch != nil:
		return p.launch
	case p.native.Session != "" && known && a.CanResume() && len(p.command) > 0 && filepath.Base(p.command[0]) == a.Command:
		return &launch{agent: a, program: p.command[0], args: p.command[1:]}
	}
	return nil
}

// ownResume reports whether an agent that deck knows nothing of has said itself
// what goes on with its session.
func (p *pane) ownResume() bool {
	_, known := hooks.Lookup(p.native.Agent)
	return !known && len(p.native.Argv) > 0 && p.native.Agent == p.as
}

// resumes reports whether a restart goes on with a session.
func (p *pane) resumes() bool {
	again := p.startsAgain()
	return p.ownResume() || again != nil && again.agent.Name == p.native.Agent && again.agent.CanResume()
}

// replace puts a restarted program in its pane's place.
func (l *loop) replace(pl *plan, t *term.Pane, w *census) {
	p := pl.pane
	if l.panes[p.id] != p {
		l.ids.remove(p.id)
		l.leave(t)
		w.stop()
		l.dropFiles(p)
		return
	}
	p.watch.stop()
	l.leave(p.term)
	p.title, p.reports, p.found = "", "", finding{}
	l.restartAgent(p)
	l.open(p, t, w)
	l.launched(pl)
}

// launched keeps the session that an agent was started with.
func (l *loop) launched(pl *plan) {
	if g := pl.launch; g != nil && pl.chosen != "" {
		l.remember(pl.pane, g.agent.Name, pl.chosen, g.agent.ResumeArgv(pl.chosen))
	}
}

// restartFor is restart for a person at a client's screen. An agent whose
// session is gone says so.
func (l *loop) restartFor(a *attached, p *pane, r ui.Restart) error {
	id := a.id
	return l.restart(p, wire.Restart{Fresh: r.Fresh, Force: r.Force}, func(re wire.Restarted, err error) {
		switch {
		case errors.Is(err, errStopping): // and told outside of the loop
		case err != nil:
			l.notice(id, err.Error(), true)
		case re.Note != "":
			l.notice(id, p.nick+" begins anew: "+re.Note, false)
		}
	})
}
