package server

import (
	"context"
	"errors"
	"time"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// request carries out what a person asked for at a client's screen. It does
// not wait; what fails answers with a notice.
func (l *loop) request(id string, r ui.Request) {
	l.post(func() {
		a := l.clients[id]
		if a == nil {
			return
		}
		if err := l.serve(a, r); err != nil {
			l.notice(id, err.Error(), true)
		}
	})
}

// serve routes a request.
func (l *loop) serve(a *attached, r ui.Request) error {
	if done, err := l.serveReader(a, r); done {
		return err
	}
	if a.readOnly {
		return invalid("this client is read-only")
	}
	return l.serveWriter(a, r)
}

// serveReader routes the requests that every client may make, and reports whether
// it was one of them.
func (l *loop) serveReader(a *attached, r ui.Request) (done bool, err error) {
	switch r := r.(type) {
	case ui.Use:
		l.use(a, r)
	case ui.SwitchSession:
		err = l.switchSession(a, r.Session, r.Pane)
	case ui.Away:
		a.away = r.Away
		l.rewatch()
	case ui.Detach:
		l.dismiss(a, detachedFrom(a))
	case ui.Colors:
		l.colored(a, r)
	case ui.Copy:
		a.sink.clipboard(r.Text)
	case ui.ListAgents:
		err = l.onPane(r.From, func(p *pane) error { l.listLaunchers(a, p); return nil })
	case ui.Ask:
		err = l.onPane(r.Pane, func(p *pane) error { l.showAsked(a, p); return nil })
	case ui.Recall, ui.ReadNote, ui.ReadProject:
		err = l.serveMemory(a, r)
	case ui.ListTasks:
		err = l.serveTeam(a, r)
	default:
		return false, nil
	}
	return true, err
}

// serveWriter routes those of a client that may change something.
func (l *loop) serveWriter(a *attached, r ui.Request) error {
	switch r := r.(type) {
	case ui.NewTab:
		return l.openBeside(a, r.From, "tab")
	case ui.Split:
		place := "right"
		if r.Dir == layout.Down {
			place = "down"
		}
		return l.openBeside(a, r.At, place)
	case ui.Reload:
		l.reload(a)
		return nil
	case ui.Close:
		return l.onPane(r.Pane, func(p *pane) error { l.closePane(p); return nil })
	case ui.Rename:
		return l.onPane(r.Pane, func(p *pane) error { return l.renamePane(p, r.Name) })
	case ui.Break:
		return l.onPane(r.Pane, func(p *pane) error { return l.breakOut(a, p) })
	case ui.Restart:
		return l.onPane(r.Pane, func(p *pane) error { return l.restartFor(a, p, r) })
	case ui.Dismiss:
		return l.onPane(r.Pane, func(p *pane) error { l.dismissAgent(p); return nil })
	case ui.Gate:
		return l.onPane(r.Pane, func(p *pane) error { return l.decide(p, r.Request, r.Approve) })
	case ui.Swap:
		return l.swap(r.A, r.B)
	case ui.Launch:
		return l.onPane(r.At, func(p *pane) error { l.launchFor(a, p, r); return nil })
	case ui.Answer:
		return l.onPane(r.Pane, func(p *pane) error { return l.answerFor(a, p, r) })
	case ui.JudgeNote, ui.InsertNote:
		return l.serveMemory(a, r)
	case ui.Tell, ui.HandOff, ui.Spawn:
		return l.serveTeam(a, r)
	}
	return l.serveTab(r)
}

// serveTab routes the requests about whole tabs.
func (l *loop) serveTab(r ui.Request) error {
	switch r := r.(type) {
	case ui.CloseTab:
		return l.onTab(r.Tab, l.closeTab)
	case ui.RenameTab:
		return l.onTab(r.Tab, func(t *tab) error { return l.renameTab(t, r.Name) })
	case ui.Layout:
		return l.onTab(r.Tab, func(t *tab) error {
			if !l.replaceLayout(t, r.Root) {
				return invalid("the panes of the tab have changed")
			}
			return nil
		})
	}
	return invalid("unknown request")
}

// onPane runs f with a pane that is in its place. It may have gone since the
// person saw it.
func (l *loop) onPane(id layout.PaneID, f func(*pane) error) error {
	p := l.panes[id]
	if p == nil || p.term == nil {
		return &wire.Error{Code: wire.CodePaneNotFound, Message: "can't find pane: " + string(id)}
	}
	return f(p)
}

// onTab is onPane for tabs.
func (l *loop) onTab(id ui.TabID, f func(*tab) error) error {
	t := l.tabs[id]
	if t == nil {
		return &wire.Error{Code: wire.CodeTabNotFound, Message: "can't find tab: " + string(id)}
	}
	return f(t)
}

// openBeside opens a shell in the folder of a pane.
func (l *loop) openBeside(a *attached, at layout.PaneID, place string) error {
	n := wire.NewPane{Session: a.session.name, At: string(at), Place: place}
	if l.panes[at] == nil || l.panes[at].tab == nil {
		n.At = ""
	}
	pl, err := l.plan(n, caller{}, a)
	if err != nil {
		return err
	}
	l.background(a.id, func() error { _, err := l.carryOut(pl); return err })
	return nil
}

// background runs what may take a while outside of the loop, and tells the
// client what went wrong.
func (l *loop) background(client string, f func() error) {
	go func() {
		if err := f(); err != nil {
			l.post(func() { l.notice(client, err.Error(), true) })
		}
	}()
}

// errReload is what a server without a configuration to read says.
var errReload = errors.New("there is no configuration to read")

// reload reads the configuration again.
func (l *loop) reload(a *attached) {
	id, read := a.id, l.o.reload
	l.background(id, func() error {
		if read == nil {
			return errReload
		}
		c, faults, err := read()
		if err != nil {
			return err
		}
		if err := l.configure(context.Background(), c); err != nil {
			return err
		}
		if faults == nil {
			l.post(func() { l.notice(id, "configuration read", false) })
		}
		return faults
	})
}

// closeTab ends all panes of a tab.
func (l *loop) closeTab(t *tab) error {
	for _, id := range t.root.Panes() {
		if p := l.panes[id]; p != nil {
			l.closePane(p)
		}
	}
	return nil
}

// breakOut moves a pane to a tab of its own.
func (l *loop) breakOut(a *attached, p *pane) error {
	old := p.tab
	if len(old.root.Panes()) < 2 {
		return invalid("the pane is alone in its tab")
	}
	old.root = old.root.Remove(p.id)
	l.newTab(old.session, p, old).area = old.area
	l.refit(old)
	l.refit(p.tab)
	a.sink.focus(p.id)
	return nil
}

// swap exchanges two panes of one session.
func (l *loop) swap(first, second layout.PaneID) error {
	p, q := l.panes[first], l.panes[second]
	switch {
	case p == nil || q == nil || p.tab == nil || q.tab == nil:
		return &wire.Error{Code: wire.CodePaneNotFound, Message: "can't find pane"}
	case p == q:
		return invalid("a pane can't be swapped with itself")
	case p.tab.session != q.tab.session:
		return invalid("the panes are in different sessions")
	}
	if p.tab == q.tab {
		p.tab.root = p.tab.root.Swap(p.id, q.id)
	} else {
		p.tab.root, q.tab.root = p.tab.root.Swap(p.id, q.id), q.tab.root.Swap(p.id, q.id)
		p.tab, q.tab = q.tab, p.tab
	}
	l.refit(p.tab)
	l.refit(q.tab)
	l.relaid(p.tab.session)
	return nil
}

// switchSession shows a client another session, at a pane of it or where it was
// used last.
func (l *loop) switchSession(a *attached, name string, id layout.PaneID) error {
	s := l.session(name)
	if s == nil {
		return noSession(name)
	}
	a.session, a.sizes, a.fresh = s, nil, true
	s.used = time.Now()
	l.dirty = true
	l.emit(wire.Event{Type: "client", Client: a.id, Session: name})
	switch p := l.panes[id]; {
	case p != nil && p.tab != nil && p.tab.session == s:
		a.sink.focus(id)
	case s.current != nil:
		a.sink.focus(s.current.id)
	}
	return nil
}
