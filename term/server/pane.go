package server

import (
	"crypto/rand"
	"encoding/hex"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"deck/hooks"
	"deck/lifecycle"
	"deck/term"
	"deck/term/layout"
	"deck/term/screen"
	"deck/term/wire"
	"deck/ui"
)

// pane is what the loop knows of a pane besides its terminal; owned by the
// loop.
type pane struct {
	id      layout.PaneID
	nick    string
	name    string // given by a person
	token   string // proves that a request comes from inside
	tab     *tab
	command []string
	dir     string   // where it was started
	env     []string // the environment it was made from, for a restart
	created time.Time

	term    *term.Pane
	watch   *census
	owner   string // client whose size it has
	title   string // cleaned
	reports string // working folder as the program reported it (OSC 7)
	found   finding
	as      string // the agent that it was declared to be
	agent   agent
	place   place
	bell    bool
	rang    time.Time // when clients were last told
	ended   bool
	again   bool // being restarted
	exit    term.Exit
	ends    []ended       // of its program, the last few
	launch  *launch       // how its agent is started; nil: by a command
	native  native        // the session that its agent was in last
	opener  layout.PaneID // pane whose agent opened it and may act on it, empty where a person did
	parent  layout.PaneID // the same of an agent that was started as a sub-agent
	boxed   bool          // its programs may only report
	settled chan struct{} // closed when it is in its place

	changed bool      // since the last event about it
	told    wire.Pane // the last event about it
}

// paneScreen is a pane as clients draw it and type into it; safe from any
// goroutine.
type paneScreen struct {
	*term.Pane
	looked *census
}

// Draw adapts the pane's own Draw to the client's rectangle.
func (s *paneScreen) Draw(dst *screen.Canvas, at layout.Rect, tr *screen.Translator, up int, since uint64) screen.Frame {
	return s.Pane.Draw(dst, at.X, at.Y, at.W, at.H, tr, up, since)
}

// Text adapts the pane's own Text.
func (s *paneScreen) Text(first, n int) []ui.Line {
	lines := s.Pane.Text(first, n)
	out := make([]ui.Line, len(lines))
	for i, l := range lines {
		out[i] = ui.Line(l)
	}
	return out
}

// program is what is in the foreground, else what was started.
func (p *pane) program() string {
	if p.found.program != "" && !p.ended {
		return p.found.program
	}
	if len(p.command) > 0 {
		return cleanText(filepath.Base(p.command[0]), maxLabel)
	}
	return ""
}

// cwd is the working folder: as reported, else as found, else where it began.
func (p *pane) cwd() string {
	switch {
	case p.reports != "":
		return p.reports
	case p.found.dir != "":
		return p.found.dir
	}
	return p.dir
}

// status is what is concluded about the pane's agent.
func (p *pane) status() lifecycle.Status { return p.agent.life.Status() }

// exitText says how the program ended, empty while it runs.
func (p *pane) exitText() string {
	if !p.ended {
		return ""
	}
	return cleanText(p.exit.String(), maxText)
}

// view is the pane as a client sees it.
func (p *pane) view(home string) ui.Pane {
	st := p.status()
	waiting, held := p.agent.mail.held()
	return ui.Pane{Waiting: waiting, Held: held, ID: p.id, Tab: p.tab.id, Nick: p.nick, Name: p.name, Program: p.program(),
		Title: p.title, Dir: tilde(cleanText(p.cwd(), maxText), home), Agent: st.Agent,
		Status: st, Ended: p.ended, Exit: p.exitText(), Bell: p.bell, Project: p.place.project, Branch: p.place.branch,
		Session: p.tab.session.name, Resumes: p.resumes(), Loops: loops(p.ends), Turn: p.agent.turn}
}

// wire is the pane as a verb or an event tells of it.
func (p *pane) wire() wire.Pane {
	cols, rows := p.term.Size()
	st := p.status()
	return wire.Pane{ID: string(p.id), Nick: p.nick, Name: p.name, Session: p.tab.session.name,
		Tab: string(p.tab.id), TabName: p.tab.title(), TabIndex: p.tab.session.indexOf(p.tab) + 1,
		Program: p.program(), Command: p.command, Title: p.title, Dir: p.cwd(), Agent: st.Agent,
		Status: st, PID: p.term.PID(), Cols: cols, Rows: rows, Ended: p.ended,
		ExitCode: p.exit.Code, Exit: p.exitText(), Created: p.created.Format(time.RFC3339)}
}

// tilde shortens the home folder.
func tilde(dir, home string) string {
	if home == "" || home == "/" {
		return dir
	}
	if dir == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(dir, home+"/"); ok {
		return "~/" + rest
	}
	return dir
}

// open makes the pane's terminal known, and starts to follow it. What the
// terminal said before is found here.
func (l *loop) open(p *pane, t *term.Pane, w *census) {
	p.term, p.watch = t, w
	p.ended, p.again, p.exit = false, false, term.Exit{}
	l.publish(func(m map[layout.PaneID]*paneScreen) { m[p.id] = &paneScreen{t, w} })
	l.ids.add(p.id, t.PID(), p.token)
	if p.boxed {
		l.ids.sandbox(p.id)
	}
	for _, a := range l.order {
		a.rewatch(p.id, t)
	}
	l.change(p)
	l.startAgent(p)
	l.locate(p)
	l.paneNews(p)
	w.output()
}

// notifier returns the function with which a terminal tells the loop that it
// has news.
func (l *loop) notifier(p *pane) func() {
	var posted atomic.Bool
	return func() {
		if posted.CompareAndSwap(false, true) {
			l.post(func() {
				posted.Store(false)
				l.paneNews(p)
			})
		}
	}
}

// paneNews takes what a terminal has to tell.
func (l *loop) paneNews(p *pane) {
	if p.term == nil || p.again || l.panes[p.id] != p {
		return
	}
	for _, e := range p.term.TakeEvents() {
		l.paneEvent(p, e)
	}
	if _, ended := p.term.Ended(); ended && !p.ended {
		l.paneEnded(p)
	}
}

// paneEvent follows one thing that a program told its terminal. What it says is
// shown, and never acted on.
func (l *loop) paneEvent(p *pane, e term.Event) {
	switch e := e.(type) {
	case term.TitleEvent:
		p.title = cleanText(e.Title, maxText)
		p.watch.eyes.output()
	case term.DirEvent:
		p.reports = localDir(e.Host, e.Dir)
		l.locate(p)
	case term.BellEvent:
		l.agentEvent(p, e)
		l.ring(p)
	case term.NotifyEvent:
		l.ring(p)
	case term.ClipboardEvent:
		if !l.config.Clipboard || len(e.Data) == 0 {
			return
		}
		for _, a := range l.order {
			if a.shows(p.id) && !a.readOnly {
				a.sink.clipboard(string(e.Data))
			}
		}
		return
	default:
		l.agentEvent(p, e)
		return
	}
	l.change(p)
}

// bellRest keeps a program that only rings from being heard all the time.
const bellRest = 200 * time.Millisecond

// ring marks a pane that nobody looks at and passes the bell on.
func (l *loop) ring(p *pane) {
	looked, now := false, time.Now()
	tell := now.Sub(p.rang) >= bellRest
	if tell {
		p.rang = now
	}
	for _, a := range l.order {
		looked = looked || a.pane == p.id
		if tell && l.config.Bell && a.session == p.tab.session {
			a.sink.bell(p.id)
		}
	}
	if !looked {
		p.bell = true
	}
}

// paneEnded follows the end of a program: the pane stays or goes, as
// configured.
func (l *loop) paneEnded(p *pane) {
	p.exit, p.ended = p.term.Ended()
	p.ends = noteEnd(p.ends, ended{time.Now(), p.exitText()}, p.exit == term.Exit{})
	l.ids.ended(p.id)
	l.programEnded(p)
	if p.status().Agent == "" {
		// No agent will come any more.
		l.endWaits(p)
	}
	l.log.Info("program ended", "pane", string(p.id), "exit", p.exit.Code)
	l.change(p)
	keep := l.config.RemainOnExit
	if keep == remainNever || keep == remainFailed && p.exit.Code == 0 {
		l.closePane(p)
	}
}

// closePane takes a pane out of its place and ends everything in it.
func (l *loop) closePane(p *pane) {
	t := p.tab
	l.forgetCaller(p)
	delete(l.panes, p.id)
	l.publish(func(m map[layout.PaneID]*paneScreen) { delete(m, p.id) })
	l.nicks.free(p.nick)
	p.watch.stop()
	l.leaveAgent(p)
	l.forgetGrants(p)
	l.files.Forget(string(p.id))
	l.abandon(p)
	for _, id := range l.handles.PaneClosed(string(p.id), time.Now()) {
		l.wakePrompt(id)
	}
	l.leave(p.term)
	l.dropFiles(p)
	for _, a := range l.order {
		a.forget(p)
	}
	l.emit(wire.Event{Type: "pane_closed", ID: string(p.id), Session: t.session.name})
	l.takeFromTab(p)
	l.dirty = true
}

// forgetCaller forgets who a pane that is closed was. What an agent runs there is
// known until it has ended, since whoever is of no pane is a person.
func (l *loop) forgetCaller(p *pane) {
	if !p.boxed && l.agentCalling(caller{pane: p.id}) == nil {
		l.ids.remove(p.id)
		return
	}
	l.ids.voidToken(p.id)
	done, id, ids := p.term.Done(), p.id, l.ids
	go func() { <-done; ids.remove(id) }()
}

// leave ends a terminal and remembers it until nothing of it is left.
func (l *loop) leave(t *term.Pane) {
	t.Close()
	kept := l.leaving[:0]
	for _, q := range l.leaving {
		select {
		case <-q.Done():
		default:
			kept = append(kept, q)
		}
	}
	l.leaving = append(kept, t)
}

// change marks a pane as changed.
func (l *loop) change(p *pane) { p.changed, l.dirty = true, true }

// foundIn takes what the census found.
func (l *loop) foundIn(p *pane, t *term.Pane, f finding) {
	// A look at a program that is just ending finds nothing.
	if p.term != t || l.panes[p.id] != p || p.ended || f.program == "" {
		return
	}
	p.found = f
	l.agentFound(p, f)
	l.locate(p)
	l.change(p)
}

// startsAs is the agent that a pane is before anybody looked: as declared, else
// by the command that was started.
func (p *pane) startsAs() string {
	if p.as != "" || len(p.command) == 0 {
		return p.as
	}
	return hooks.Recognize(filepath.Base(p.command[0]), p.command)
}

// declared is the agent that a pane was opened as, by the name that hooks know.
func declared(as string) string {
	if as == "" {
		return ""
	}
	if a := hooks.Recognize(as, nil); a != "" {
		return a
	}
	return cleanText(as, maxLabel)
}

// randomToken returns 32 hexadecimal digits that nobody can guess.
func randomToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
