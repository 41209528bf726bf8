package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// attached is what the loop knows of an attached client; owned by the loop.
type attached struct {
	id       string
	sink     sink
	session  *session
	pane     layout.PaneID // focused, as last heard
	away     bool          // the terminal around it has not the focus
	sizes    []layout.Place
	size     wire.Size
	colors   term.Colors // of the terminal, as far as it told
	env      []string    // for the panes it opens
	dir      string
	term     string
	tty      string
	pid      int
	readOnly bool
	since    time.Time
	fresh    bool // has no state yet

	wake     chan<- struct{}
	watching map[layout.PaneID]*term.Pane
}

// shows reports whether a pane is on the client's screen, as last heard.
func (a *attached) shows(id layout.PaneID) bool {
	return slices.ContainsFunc(a.sizes, func(p layout.Place) bool { return p.Pane == id })
}

// forget drops a pane that is gone.
func (a *attached) forget(p *pane) {
	a.sizes = slices.DeleteFunc(a.sizes, func(q layout.Place) bool { return q.Pane == p.id })
	if t := a.watching[p.id]; t != nil {
		t.Unwatch(a.wake)
		delete(a.watching, p.id)
	}
	if a.pane == p.id {
		a.pane = ""
	}
}

// rewatch follows a pane to its new terminal.
func (a *attached) rewatch(id layout.PaneID, t *term.Pane) {
	if old := a.watching[id]; old != nil && old != t {
		old.Unwatch(a.wake)
		a.watching[id] = t
		t.Watch(a.wake)
		a.nudge()
	}
}

// nudge makes a client look at its panes; one value is enough.
func (a *attached) nudge() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// cellPixels returns the size of a cell in pixels, 0 if the terminal does not
// tell.
func cellPixels(s wire.Size) (w, h int) {
	if s.Cols > 0 && s.Rows > 0 {
		return s.XPixel / s.Cols, s.YPixel / s.Rows
	}
	return 0, 0
}

// attach adds a client to the session it asks for, or to the one used last, or
// to a new one. A session without panes gets one with a shell. It waits for
// that pane, and for the loop.
func (l *loop) attach(a wire.Attach, s sink) (id string, err error) {
	type joined struct {
		id   string
		plan *plan
	}
	j, err := call(context.Background(), l, func() (joined, error) {
		id, p, err := l.join(a, s)
		return joined{id, p}, err
	})
	if err != nil {
		return "", err
	}
	if j.plan != nil {
		// A pane that could not be started says so itself.
		if _, err := l.carryOut(j.plan); errors.Is(err, errStopping) {
			return "", err
		}
	}
	return j.id, nil
}

// join registers a client and says which pane must be made for it.
func (l *loop) join(w wire.Attach, s sink) (string, *plan, error) {
	sess, err := l.sessionFor(w)
	if err != nil {
		return "", nil, err
	}
	a := &attached{id: l.newID(), sink: s, session: sess, size: w.Size, env: w.PaneEnv, dir: w.Dir, term: w.Env["TERM"],
		tty: w.TTY, pid: w.PID, readOnly: w.ReadOnly, since: time.Now(), fresh: true,
		watching: map[layout.PaneID]*term.Pane{}}
	if len(w.PaneEnv) > 0 {
		sess.env = w.PaneEnv
	}
	var pl *plan
	switch {
	case w.New != nil:
		n := *w.New
		n.Session = sess.name
		if n.Dir == "" {
			n.Dir = w.Dir
		}
		if len(n.Env) == 0 {
			n.Env = w.PaneEnv
		}
		pl, err = l.plan(n, caller{}, a)
	case len(sess.tabs) == 0 && sess.starting == 0:
		pl, err = l.plan(wire.NewPane{Session: sess.name, Dir: w.Dir, Env: w.PaneEnv}, caller{}, a)
	}
	if err != nil {
		l.tidy(sess)
		return "", nil, err
	}
	l.clients[a.id] = a
	l.order = append(l.order, a)
	sess.used = time.Now()
	l.dirty = true
	l.emit(wire.Event{Type: "client", Client: a.id, Session: sess.name})
	if pl == nil && sess.current != nil {
		s.focus(sess.current.id)
	}
	return a.id, pl, nil
}

// sessionFor returns the session that a client means.
func (l *loop) sessionFor(w wire.Attach) (*session, error) {
	name := w.Session
	if name == "" {
		if s := l.lastUsed(); s != nil {
			return s, nil
		}
		return l.makeSession(defaultSession)
	}
	if s := l.session(name); s != nil || w.New == nil && name != defaultSession {
		if s == nil {
			return nil, &wire.Error{Code: wire.CodeSessionNotFound, Message: "no such session: " + cleanText(name, maxLabel),
				Hint: "deck ls lists them; deck attach -s NAME --new makes one"}
		}
		return s, nil
	}
	return l.makeSession(name)
}

// detach forgets a client that has gone. It does not wait.
func (l *loop) detach(id string) {
	l.post(func() {
		if a := l.clients[id]; a != nil {
			l.remove(a)
		}
	})
}

// dismiss ends a client's stream.
func (l *loop) dismiss(a *attached, e wire.Exit) {
	l.remove(a)
	a.sink.exit(e)
}

// remove forgets a client. Panes that had its size get that of another client
// that shows them.
func (l *loop) remove(a *attached) {
	delete(l.clients, a.id)
	l.order = slices.DeleteFunc(l.order, func(b *attached) bool { return a == b })
	for id, t := range a.watching {
		t.Unwatch(a.wake)
		delete(a.watching, id)
	}
	l.dirty = true
	l.rewatch()
	l.emit(wire.Event{Type: "client_gone", Client: a.id, ID: a.id, Session: a.session.name})
	for _, p := range l.panes {
		if p.owner == a.id {
			p.owner = ""
			l.adopt(p)
		}
	}
}

// adopt gives a pane the size it has on the first client that shows it.
func (l *loop) adopt(p *pane) {
	for _, a := range l.order {
		for _, s := range a.sizes {
			if s.Pane == p.id {
				p.owner = a.id
				l.color(a, p)
				l.fit(p, s.Rect)
				return
			}
		}
	}
}

// fit gives a pane the size of a rectangle on a screen.
func (l *loop) fit(p *pane, r layout.Rect) {
	if r.Empty() {
		return
	}
	p.term.Resize(r.W, r.H)
	l.change(p)
}

// use follows what a client shows and uses.
func (l *loop) use(a *attached, u ui.Use) {
	p := l.panes[u.Pane]
	if p == nil || p.tab == nil || p.tab.session != a.session {
		return
	}
	w, h := cellPixels(a.size)
	a.pane, a.sizes = u.Pane, slices.Clone(u.Sizes)
	l.rewatch()
	if p.bell {
		p.bell = false
		l.change(p)
	}
	if a.readOnly || len(u.Sizes) == 0 {
		return
	}
	p.owner = a.id
	p.tab.area, p.tab.used, p.tab.zoomed = outer(u.Sizes), p.id, u.Zoomed
	a.session.current, a.session.used = p, time.Now()
	for _, s := range u.Sizes {
		q := l.panes[s.Pane]
		if q == nil || q.term == nil || q.owner != "" && q.owner != a.id {
			continue
		}
		q.owner = a.id
		q.term.SetCell(w, h)
		l.color(a, q)
		l.fit(q, s.Rect)
	}
}

// colored takes the colours of a client's terminal: the panes that it used last
// have them, and so will those that are opened next.
func (l *loop) colored(a *attached, c ui.Colors) {
	a.colors = term.Colors(c)
	if a.readOnly {
		return
	}
	l.lastColors = a.colors
	for _, p := range l.panes {
		if p.owner == a.id && p.term != nil {
			l.color(a, p)
		}
	}
}

// color gives a pane the colours of the terminal that used it last. A terminal
// that told none changes nothing.
func (l *loop) color(a *attached, p *pane) {
	if a.colors != (term.Colors{}) {
		p.term.SetColors(a.colors)
	}
}

// sized follows the size of a client's terminal. It does not wait.
func (l *loop) sized(id string, s wire.Size) {
	l.post(func() {
		if a := l.clients[id]; a != nil {
			a.size = s
		}
	})
}

// watch makes wake, of capacity 1, get a value whenever one of the panes has
// something new to draw. It replaces what the client watched before and does
// not wait.
func (l *loop) watch(client string, panes []layout.PaneID, wake chan<- struct{}) {
	panes = slices.Clone(panes)
	l.post(func() {
		a := l.clients[client]
		if a == nil {
			return
		}
		for id, t := range a.watching {
			if a.wake != wake || !slices.Contains(panes, id) {
				t.Unwatch(a.wake)
				delete(a.watching, id)
			}
		}
		a.wake = wake
		for _, id := range panes {
			if p := l.panes[id]; p != nil && p.term != nil && a.watching[id] == nil {
				a.watching[id] = p.term
				p.term.Watch(wake)
			}
		}
		a.nudge()
	})
}

// notice tells one client something.
func (l *loop) notice(client, text string, isError bool) {
	if a := l.clients[client]; a != nil {
		a.sink.notice(cleanText(text, maxText), isError)
	}
}

// configure puts a configuration in force.
func (l *loop) configure(ctx context.Context, c config) error {
	_, err := call(ctx, l, func() (struct{}, error) {
		l.config = c
		for _, a := range l.order {
			s := c.settings()
			s.ReadOnly = a.readOnly
			a.sink.settings(s)
		}
		return struct{}{}, nil
	})
	return err
}
