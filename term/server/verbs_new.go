package server

import (
	"context"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"time"

	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
)

// plan is a pane on its way: named and placed by the loop, started outside of
// it, and put in its place by the loop.
type plan struct {
	pane    *pane
	session *session
	dir     layout.Dir
	at      layout.PaneID // split this one; empty: a new tab
	after   *tab          // the new tab goes behind this one
	from    *term.Pane    // start in the folder of this one
	folders [2]string     // that folder, as its program reported it and as known before
	strict  bool          // the folder was asked for: without it there is no pane
	viewers []string      // clients that go there
	first   bool          // who attaches next begins there
	spec    term.Spec
	vars    paneVars
	base    []string
	launch  *launching // an agent is started; nil: a command

	// What came of the start, written by whoever started it.
	chosen  string // the agent's session
	resumed string // the session that goes on
	note    string // why one does not
}

// newPane opens a pane. Where its program could not be run the pane shows why,
// and the error says it too.
func (l *loop) newPane(ctx context.Context, c caller, n wire.NewPane) (wire.Pane, error) {
	return l.openPane(ctx, c, n, n.Launch != nil || n.Agent != "")
}

// openPane opens a pane, with an agent or without.
func (l *loop) openPane(ctx context.Context, c caller, n wire.NewPane, agent bool) (wire.Pane, error) {
	done, err := l.enter(ctx, &n)
	if err != nil {
		return wire.Pane{}, err
	}
	defer done()
	g, err := l.launchOf(ctx, n)
	if err != nil {
		return wire.Pane{}, err
	}
	pl, err := call(ctx, l, func() (*plan, error) {
		if n.Focus && l.agentCalling(c) != nil {
			return nil, &wire.Error{Code: wire.CodeNotHuman, Message: "an agent can't move the keyboard to a new pane", Hint: "open it without --focus"}
		}
		pl, err := l.plan(n, c, nil)
		if err != nil {
			return nil, err
		}
		if l.assign(pl, c, agent); g != nil {
			l.planLaunch(pl, g)
		}
		l.note(c, "open", pl.pane, nil)
		return pl, nil
	})
	if err != nil {
		return wire.Pane{}, err
	}
	return l.carryOut(pl)
}

// plan settles everything about a new pane that the loop knows. by is the
// client that asked at its screen, nil for a verb.
func (l *loop) plan(n wire.NewPane, c caller, by *attached) (*plan, error) {
	pl := &plan{strict: n.Dir != "" && by == nil}
	if err := l.checkNew(n); err != nil {
		return nil, err
	}
	if err := l.planPlace(pl, n, c); err != nil {
		return nil, err
	}
	p := &pane{id: layout.PaneID(l.newID()), name: n.Name, token: randomToken(), dir: n.Dir, created: time.Now(),
		as: declared(n.Agent), boxed: n.Sandboxed, settled: make(chan struct{})}
	p.nick = l.nicks.take(func(nick string) bool {
		return len(l.matching(func(q *pane) bool { return q.name == nick })) > 0
	})
	pl.pane = p
	l.planProgram(pl, n, by)
	if by != nil {
		pl.viewers = []string{by.id}
	} else if n.Focus {
		pl.first = true
		for _, a := range l.order {
			if a.session == pl.session {
				pl.viewers = append(pl.viewers, a.id)
			}
		}
	}
	pl.session.starting++
	l.panes[p.id] = p
	return pl, nil
}

// checkNew looks at what is wrong whatever the state is, before anything is
// made.
func (l *loop) checkNew(n wire.NewPane) error {
	switch n.Place {
	case "", "tab", "right", "down":
	default:
		return invalid("invalid place: %s (tab, right or down)", cleanText(n.Place, maxLabel))
	}
	if (n.Cols != 0 || n.Rows != 0) && (n.Cols < 1 || n.Rows < 1 || n.Cols > maxSide || n.Rows > maxSide) {
		return invalid("invalid size: %dx%d", n.Cols, n.Rows)
	}
	if n.Launch != nil && (len(n.Command) > 0 || n.Agent != "") {
		return invalid("an agent is started by its name or by a command, not by both")
	}
	if n.Dir != "" && !filepath.IsAbs(n.Dir) {
		return invalid("not an absolute path: %s", cleanText(n.Dir, maxText))
	}
	return l.checkName(nil, n.Name)
}

// planPlace finds the session, the place in it, and the size.
func (l *loop) planPlace(pl *plan, n wire.NewPane, c caller) error {
	var at *pane
	var err error
	if n.At != "" {
		if at, err = l.find(n.At, c); err != nil {
			return err
		}
		if n.Session != "" && at.tab.session.name != n.Session {
			return invalid("pane %s is in session %s", at.nick, at.tab.session.name)
		}
	} else if p := l.panes[c.pane]; p != nil && (n.Session == "" || p.tab.session.name == n.Session) {
		at = p
	}
	switch {
	case at != nil && (n.Session == "" || n.Session == at.tab.session.name):
		pl.session = at.tab.session
	case n.Session != "":
		if pl.session, err = l.makeSession(n.Session); err != nil {
			return err
		}
	default:
		if pl.session, err = l.makeSession(defaultSession); err != nil {
			return err
		}
	}
	if at == nil || at.tab.session != pl.session {
		at = pl.session.current
	}
	area := l.areaOf(pl.session, at)
	switch n.Place {
	case "", "tab":
		if at != nil && n.At != "" {
			pl.after = at.tab
		}
		pl.spec.Cols, pl.spec.Rows = innerSize(area)
	case "right", "down":
		if err := l.planSplit(pl, n.Place, at, area); err != nil {
			return err
		}
	}
	if n.Cols != 0 {
		pl.spec.Cols, pl.spec.Rows = n.Cols, n.Rows
	}
	if at != nil && n.Dir == "" {
		pl.from, pl.folders = at.term, [2]string{at.reports, at.cwd()}
	}
	return nil
}

// maxSide bounds the sizes that may be asked for, in cells.
const maxSide = 2000

// planSplit lays the tab out with the new pane in it, to know its size and that
// there is room.
func (l *loop) planSplit(pl *plan, place string, at *pane, area layout.Rect) error {
	if at == nil {
		pl.spec.Cols, pl.spec.Rows = innerSize(area)
		return nil
	}
	pl.at, pl.dir = at.id, layout.Right
	if place == "down" {
		pl.dir = layout.Down
	}
	const probe = layout.PaneID("new")
	for _, q := range at.tab.root.Split(at.id, pl.dir, probe).Arrange(area) {
		if q.Rect.W < 2 || q.Rect.H < 2 {
			return &wire.Error{Code: wire.CodeNoSpace, Message: "no space for another pane", Hint: "open it in a tab of its own"}
		}
		if q.Pane == probe {
			pl.spec.Cols, pl.spec.Rows = innerSize(q.Rect)
		}
	}
	return nil
}

// areaOf returns where panes of a session's current tab are laid out: as a
// client said, else as one probably will.
func (l *loop) areaOf(s *session, at *pane) layout.Rect {
	if at == nil {
		at = s.current
	}
	if at != nil && at.tab != nil && !at.tab.area.Empty() {
		return at.tab.area
	}
	for _, t := range s.tabs {
		if !t.area.Empty() {
			return t.area
		}
	}
	for _, a := range l.order {
		if a.session == s {
			return guessArea(a.size)
		}
	}
	return layout.Rect{W: defaultCols, H: defaultRows + 1}
}

// planProgram settles what is run.
func (l *loop) planProgram(pl *plan, n wire.NewPane, by *attached) {
	p := pl.pane
	p.env = n.Env
	if len(p.env) == 0 && by != nil {
		p.env = by.env
	}
	if len(p.env) == 0 {
		p.env = pl.session.env
	}
	if len(p.env) == 0 {
		p.env = l.o.env
	}
	switch {
	case len(n.Command) > 0:
		p.command = slices.Clone(n.Command)
	case len(l.config.DefaultCommand) > 0:
		p.command = slices.Clone(l.config.DefaultCommand)
	default:
		p.command = []string{shellOf(l.config.Shell, p.env)}
	}
	if by != nil && n.Cols == 0 && len(pl.session.tabs) == 0 {
		pl.spec.Cols, pl.spec.Rows = innerSize(guessArea(by.size))
	}
	l.specify(pl, by)
}

// specify fills in the rest of what a terminal needs.
func (l *loop) specify(pl *plan, by *attached) {
	p := pl.pane
	pl.base = p.env
	pl.vars = paneVars{socket: l.o.socket, version: l.o.version, term: l.config.Term, pane: p.id, nick: p.nick, token: p.token,
		parent: p.parent}
	pl.spec.Argv, pl.spec.Dir = p.command, p.dir
	pl.spec.Colors = l.lastColors
	if by != nil && by.colors != (term.Colors{}) {
		pl.spec.Colors = by.colors
	}
	pl.spec.History, pl.spec.Version = l.config.History, l.o.version
	pl.spec.Grace, pl.spec.Pace, pl.spec.Log = l.o.grace, l.pace, l.log.With("pane", string(p.id))
	pl.spec.Notify = l.notifier(p)
	if by == nil && len(l.order) > 0 {
		by = l.order[0]
	}
	if by != nil {
		pl.spec.CellW, pl.spec.CellH = cellPixels(by.size)
	}
}

// carryOut starts the program of a plan and has the pane put in its place. It
// waits for the loop, which must not call it.
func (l *loop) carryOut(pl *plan) (wire.Pane, error) {
	t, w, startErr := l.start(pl)
	type answer struct{ pane wire.Pane }
	got := make(chan answer, 1)
	if !l.post(func() {
		var a answer
		defer func() { got <- a }()
		a.pane = l.settle(pl, t, w)
	}) {
		t.Close()
		<-t.Done()
		return wire.Pane{}, errStopping
	}
	select {
	case a := <-got:
		if startErr != nil {
			return a.pane, notStarted(startErr)
		}
		return a.pane, nil
	case <-l.ended:
		return wire.Pane{}, errStopping
	}
}

// notStarted is the answer of a verb whose pane says the same.
func notStarted(err error) *wire.Error {
	return &wire.Error{Code: wire.CodeNotStarted, Message: cleanText(err.Error(), maxText)}
}

// start runs the program of a plan, outside of the loop: a folder or a program
// on a network that hangs must not hold anybody up.
func (l *loop) start(pl *plan) (*term.Pane, *census, error) {
	s := pl.spec
	switch {
	case pl.strict:
	case s.Dir == "" && pl.from != nil:
		s.Dir = existing(pl.folders[0], workingDir(pl.from), pl.folders[1], envValue(pl.base, "HOME"))
	default:
		s.Dir = existing(s.Dir, envValue(pl.base, "HOME"))
	}
	pl.vars.dir = s.Dir
	var more []string
	if pl.launch != nil {
		s.Argv, more = pl.prepare(s.Dir, l.log.With("pane", string(pl.pane.id)))
	}
	s.Env = append(environ(pl.base, pl.vars), more...)
	p := pl.pane
	w := newCensus(func(t *term.Pane, f finding) { l.post(func() { l.foundIn(p, t, f) }) },
		newEyes(l.eyes, func(t *term.Pane, s sight) { l.post(func() { l.sighted(p, t, s) }) }))
	s.Output = func() { l.o.wrote(); w.output() }
	if p.boxed {
		l.ids.sandbox(p.id)
	}
	l.ids.add(p.id, 0, p.token)
	t, err := term.Start(s)
	l.ids.add(p.id, t.PID(), p.token) // before its program can ask for anything
	w.bind(t)
	pl.spec.Dir = s.Dir
	return t, w, err
}

// existing returns the first of the folders that is one.
func existing(dirs ...string) string {
	for _, d := range dirs {
		if fi, err := os.Stat(d); filepath.IsAbs(d) && err == nil && fi.IsDir() {
			return d
		}
	}
	return "/"
}

// settle puts a started pane in its place.
func (l *loop) settle(pl *plan, t *term.Pane, w *census) wire.Pane {
	p, s := pl.pane, pl.session
	s.starting--
	s.lived = true
	defer close(p.settled)
	p.dir = pl.spec.Dir
	if at := l.panes[pl.at]; at != nil && at.tab != nil {
		p.tab = at.tab
		p.tab.root = p.tab.root.Split(at.id, pl.dir, p.id)
		p.term, p.watch = t, w
		l.relaid(p.tab.session)
		l.refit(p.tab)
	} else {
		p.term, p.watch = t, w
		l.newTab(s, p, pl.after).area = layout.Rect{W: pl.spec.Cols, H: pl.spec.Rows + 1}
	}
	s = p.tab.session
	if s.current == nil || pl.first {
		s.current = p
	}
	l.log.Info("pane opened", "pane", string(p.id), "pid", t.PID())
	l.open(p, t, w)
	l.launched(pl)
	told := p.wire()
	for _, id := range pl.viewers {
		if a := l.clients[id]; a != nil {
			a.sink.focus(p.id)
		}
	}
	return told
}

// shellOf returns the shell of whoever asks: as configured, as their
// environment says, as the system knows.
func shellOf(configured string, env []string) string {
	if configured != "" {
		return configured
	}
	if s := envValue(env, "SHELL"); filepath.IsAbs(s) {
		return s
	}
	if u, err := user.Current(); err == nil {
		if s := loginShell(u.Username); s != "" {
			return s
		}
	}
	return "/bin/sh"
}
