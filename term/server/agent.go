package server

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"deck/lifecycle"
	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
)

// agent is what the loop follows of a pane's agent; owned by the loop.
type agent struct {
	senses
	known      lifecycle.Status // what was concluded last
	generation uint64
	due        time.Time // when time alone changes something; zero: never

	pid     int         // its process, 0 when that is over
	death   *deathWatch // nil for the pane's own program, whose end the terminal tells
	counted bool        // its end is found by the census alone
	left    bool        // it ended well; once its result was seen it is forgotten

	turn    time.Time // since when it works on what it was asked, zero at rest
	watched bool      // a person looks at it
	sought  *subject  // what its screen is looked at for, nil for nothing
	gate    *gate
	asks    []*ask        // what its hook told of requests, the newest last
	asked   time.Time     // since when it asks what it asks now
	answers chan struct{} // of one: who answers it; nil before somebody did

	askSerial int
	waits     map[*waiter]struct{}
	mail      mailbox
	said      lastWords
	word      word // of what it needs, to the agent that it belongs to
	hooked    bool // its hooks tell what it does
}

// ending is how a process that is not the server's child ended.
type ending struct {
	known        bool
	code, signal int
}

// String returns it in the words of term.Exit.
func (e ending) String() string {
	if !e.known {
		return "gone"
	}
	return term.Exit{Code: e.code, Signal: e.signal}.String()
}

// clean reports whether a process ended as a person wanted it to: well, or by
// their Ctrl-C.
func (e ending) clean() bool {
	return e.code == 0 && e.signal == 0 || e.signal == int(unix.SIGINT) || e.code == 128+int(unix.SIGINT)
}

// errGone is a process that is not there.
var errGone = errors.New("no such process")

// appear makes an agent known that has come into a pane's foreground.
func (l *loop) appear(p *pane, name string, pid int) {
	a := &p.agent
	a.death.stop()
	a.generation++
	a.pid, a.death, a.counted, a.left, a.progress, a.drawn = pid, nil, false, false, term.ProgressEvent{}, 0
	l.log.Info("agent appeared", "pane", string(p.id), "agent", name, "generation", a.generation, "pid", pid)
	a.mail.replaced()
	l.follow(p, a.life.Appeared(name, a.generation, time.Now()))
	l.attend(p)
	if pid != p.term.PID() {
		l.awaitEnd(p)
	}
}

// awaitEnd sees to it that the end of an agent's process is noticed.
func (l *loop) awaitEnd(p *pane) {
	a, generation, t := &p.agent, p.agent.generation, p.term
	ended := func(e ending) {
		// What has the foreground by then tells whether another took its place.
		f := inspect(t)
		l.post(func() { l.agentEnded(p, generation, e, f) })
	}
	w, err := watchDeath(a.pid, func(e ending) { l.aside(func() { ended(e) }) })
	switch {
	case errors.Is(err, errGone):
		l.aside(func() { ended(ending{}) })
	case err != nil:
		a.counted = true
		l.countSoon()
	}
	a.death = w
}

// agentEnded follows the end of an agent's process.
func (l *loop) agentEnded(p *pane, generation uint64, e ending, f finding) {
	a := &p.agent
	if l.panes[p.id] != p || p.ended || a.generation != generation || a.pid == 0 {
		return
	}
	if f.agent != "" && f.pid != a.pid && p.as == "" {
		l.appear(p, f.agent, f.pid)
		return
	}
	clean := e.clean()
	if !e.known {
		// The system does not tell. An agent that went in the middle of
		// something did not mean to.
		s := a.life.Status().State
		clean = s != lifecycle.Working && s != lifecycle.NeedsInput
	}
	l.log.Info("agent ended", "pane", string(p.id), "agent", a.life.Status().Agent, "exit", e.String())
	l.agentOver(p, clean, e.String())
}

// agentOver makes an agent dead, or the pane a plain shell again where it ended
// well. A result that nobody has looked at yet stays until somebody does.
func (l *loop) agentOver(p *pane, clean bool, how string) {
	a, now := &p.agent, time.Now()
	if st := a.life.Status(); clean && st.State != lifecycle.Done && !gated(st) {
		l.follow(p, a.life.Appeared("", a.generation, now))
	} else {
		e := a.life.Exited(clean, how, now)
		a.left = clean
		l.follow(p, e)
	}
	l.endAgent(p)
}

// gated reports whether a person has to decide first.
func gated(st lifecycle.Status) bool {
	return st.State == lifecycle.Blocked && st.Reason == lifecycle.Gate
}

// endAgent stops to follow a process that is over. One that was killed had no
// time to take its title back.
func (l *loop) endAgent(p *pane) {
	a := &p.agent
	p.title = ""
	l.change(p)
	a.death.stop()
	a.pid, a.death, a.counted = 0, nil, false
	l.attend(p)
}

// programEnded follows the end of the pane's own program, and with it of any
// agent in the pane.
func (l *loop) programEnded(p *pane) {
	a := &p.agent
	st := a.life.Status()
	if st.Agent == "" || st.Exited {
		return
	}
	if clean := p.exit.Code == 0; a.pid != p.term.PID() {
		l.agentOver(p, clean, p.exit.String())
	} else {
		e := a.life.Exited(clean, p.exit.String(), time.Now())
		a.left = clean && e.Status.State == lifecycle.Done
		l.follow(p, e)
		l.endAgent(p)
	}
}

// agentFound follows which agent a look at the processes found. One that is not
// in the foreground, stopped perhaps, is there for as long as it lives.
func (l *loop) agentFound(p *pane, f finding) {
	if p.as != "" || f.agent == "" {
		return
	}
	a := &p.agent
	st := a.life.Status()
	lives := st.Agent != "" && !st.Exited && a.pid != 0
	if lives && st.Agent == f.agent && (a.pid == f.pid || a.pid == p.term.PID()) {
		return
	}
	l.appear(p, f.agent, f.pid)
}

// startAgent makes the agent known that a pane was opened as.
func (l *loop) startAgent(p *pane) {
	if name := p.startsAs(); name != "" {
		l.appear(p, name, p.term.PID())
	}
}

// follow carries out what follows from something that an agent's state was told.
func (l *loop) follow(p *pane, e lifecycle.Effects) {
	a := &p.agent
	a.due, _ = a.life.Deadline()
	if a.left && e.Status.State == lifecycle.Dead {
		e = a.life.Dismiss(time.Now())
		e.Changed = true
	}
	l.wakeAt(a.due)
	if r := e.Remember; r != nil {
		l.remember(p, r.Agent, r.Session, r.Argv)
	}
	if !e.Changed {
		return
	}
	from := a.known
	a.known = e.Status
	a.turn = turnOf(a.turn, e.Status, time.Now())
	l.change(p)
	l.turns.Add(p.place.key(p), lifecycle.Change{Pane: string(p.id), From: from, To: e.Status}, time.Now())
	l.answerWaits(p, e.Status)
	l.promptsFollow(p, e.Status)
	l.closeStaleGate(p, e.Status)
	if from.State != e.Status.State {
		l.locate(p)
		if from.State == lifecycle.NeedsInput {
			l.releaseAsks(p)
		}
	}
	if from.State != e.Status.State || from.Request.ID != e.Status.Request.ID {
		a.asked = time.Now()
		l.takeBack(p)
	}
	if e.Alert != "" {
		l.alert(p)
	}
	l.deliver(p)
}

// alert tells the agent that a sub-agent belongs to, in an event, or else
// clients, that somebody is needed: those that do not show the pane in focus.
func (l *loop) alert(p *pane) {
	if p.tab == nil {
		return
	}
	if q := l.parentAgent(p); q != nil && !gated(p.status()) {
		row := p.row(time.Now())
		l.emit(wire.Event{Type: "alert", ID: string(p.id), For: string(q.id), Session: row.Session, Agent: &row})
		l.tellParent(q, p)
		return
	}
	v := p.view(home())
	for _, c := range l.order {
		if !c.looksAt(p.id) {
			c.sink.alert(v)
		}
	}
}

// looksAt reports whether a person at the client has a pane before them.
func (a *attached) looksAt(id layout.PaneID) bool { return a.pane == id && !a.away }

// rewatch tells agents whether a person looks at them.
func (l *loop) rewatch() {
	for _, p := range l.panes {
		on := false
		for _, c := range l.order {
			on = on || c.looksAt(p.id)
		}
		if on != p.agent.watched {
			p.agent.watched = on
			l.follow(p, p.agent.life.Watch(on, time.Now()))
		}
	}
}

// dismissAgent takes back what asks for attention.
func (l *loop) dismissAgent(p *pane) {
	now := time.Now()
	l.follow(p, p.agent.life.Seen(now))
	l.follow(p, p.agent.life.Dismiss(now))
}
