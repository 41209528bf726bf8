package server

import (
	"context"
	"slices"
	"time"

	"deck/term/wire"
)

// listSessions returns the sessions.
func (l *loop) listSessions(ctx context.Context, _ caller) ([]wire.Session, error) {
	return call(ctx, l, func() ([]wire.Session, error) {
		out := make([]wire.Session, 0, len(l.sessions))
		for _, s := range l.sessions {
			out = append(out, wire.Session{Name: s.name, Tabs: len(s.tabs), Panes: s.panes(), Clients: l.clientsOf(s)})
		}
		return out, nil
	})
}

// clientsOf returns how many clients show a session.
func (l *loop) clientsOf(s *session) int {
	n := 0
	for _, a := range l.order {
		if a.session == s {
			n++
		}
	}
	return n
}

// listClients returns the attached clients.
func (l *loop) listClients(ctx context.Context, _ caller) ([]wire.Client, error) {
	return call(ctx, l, func() ([]wire.Client, error) {
		out := make([]wire.Client, 0, len(l.order))
		for _, a := range l.order {
			out = append(out, wire.Client{ID: a.id, Session: a.session.name, PID: a.pid, TTY: cleanText(a.tty, maxText),
				Term: cleanText(a.term, maxLabel), Cols: a.size.Cols, Rows: a.size.Rows, ReadOnly: a.readOnly,
				Pane: string(a.pane), Since: a.since.Format(time.RFC3339)})
		}
		return out, nil
	})
}

// detachClients ends clients' streams: one, those of a session, or all.
func (l *loop) detachClients(ctx context.Context, _ caller, r wire.Detach) (wire.Done, error) {
	return call(ctx, l, func() (wire.Done, error) {
		switch {
		case r.Client != "" && l.clients[r.Client] == nil:
			return wire.Done{}, &wire.Error{Code: wire.CodeClientNotFound, Message: "can't find client: " + cleanText(r.Client, maxLabel)}
		case r.Client == "" && r.Session != "" && l.session(r.Session) == nil:
			return wire.Done{}, noSession(r.Session)
		case r.Client == "" && r.Session == "" && !r.All:
			return wire.Done{}, &wire.Error{Code: wire.CodeInvalid, Message: "no client named", Hint: "name one, a session, or all"}
		}
		n := 0
		for _, a := range slices.Clone(l.order) {
			if r.All || a.id == r.Client || r.Client == "" && a.session.name == r.Session {
				l.dismiss(a, detachedFrom(a))
				n++
			}
		}
		if n == 0 {
			return wire.Done{}, &wire.Error{Code: wire.CodeClientNotFound, Message: "no client is attached"}
		}
		return wire.Done{Count: n}, nil
	})
}

// detachedFrom is what a client is told that leaves on purpose.
func detachedFrom(a *attached) wire.Exit {
	return wire.Exit{Reason: "detached", Message: "detached (from session " + a.session.name + ")"}
}

// counts returns the part of the server's status that the loop knows.
func (l *loop) counts(ctx context.Context) (wire.Status, error) {
	return call(ctx, l, func() (wire.Status, error) {
		return wire.Status{Sessions: len(l.sessions), Panes: len(l.inOrder()), Clients: len(l.order),
			Unusable: l.unusable.Load()}, nil
	})
}
