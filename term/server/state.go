package server

import (
	"os"
	"reflect"
	"time"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// flush tells clients and subscribers what changed since the last time: once
// for a whole burst of changes.
func (l *loop) flush() {
	l.dirty, l.flushed = false, time.Now()
	l.tellChanges()
	names := make([]string, 0, len(l.sessions))
	for _, s := range l.sessions {
		names = append(names, s.name)
	}
	for _, s := range l.sessions {
		l.tellSession(s, names)
	}
}

// tellChanges emits an event for every pane that changed.
func (l *loop) tellChanges() {
	for _, p := range l.inOrder() {
		if !p.changed {
			continue
		}
		p.changed = false
		if w := p.wire(); !reflect.DeepEqual(w, p.told) {
			p.told = w
			l.emit(wire.Event{Type: "pane", Pane: &w, Session: w.Session})
		}
	}
}

// tellSession sends a session's state to its clients where it changed, and to
// clients that have none yet. A session whose first pane is on its way has
// nothing to show.
func (l *loop) tellSession(s *session, names []string) {
	clients := l.clientsOf(s)
	if clients == 0 || len(s.tabs) == 0 {
		return
	}
	state := l.stateOf(s, names, clients)
	same := reflect.DeepEqual(state, s.told)
	s.told = state
	for _, a := range l.order {
		if a.session == s && (a.fresh || !same) {
			a.fresh = false
			a.sink.state(state)
		}
	}
}

// stateOf builds the state that a session's clients see.
func (l *loop) stateOf(s *session, names []string, clients int) ui.State {
	state := ui.State{Session: s.name, Sessions: names, Clients: clients}
	where, now := home(), time.Now()
	view := func(p *pane) ui.Pane {
		v := p.view(where)
		if q := l.parentAgent(p); q != nil {
			v.For = q.nick
		}
		for _, id := range l.files.With(string(p.id), now) {
			if q := l.panes[layout.PaneID(id)]; q != nil {
				v.Clashes = append(v.Clashes, q.nick)
			}
		}
		return v
	}
	for _, t := range s.tabs {
		state.Tabs = append(state.Tabs, ui.Tab{ID: t.id, Name: t.title(), Root: t.root, Used: t.used, Zoomed: t.zoomed})
	}
	for _, o := range l.sessions {
		for _, p := range l.panesOf(o) {
			switch {
			case o == s:
				state.Panes = append(state.Panes, view(p))
			case p.status().Agent != "":
				state.Others = append(state.Others, view(p))
			}
		}
	}
	return state
}

// home is the folder that "~" stands for.
func home() string {
	h, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return h
}
