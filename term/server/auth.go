package server

import (
	"context"
	"net"
	"net/http"
	"os"

	"deck/term/wire"
)

// tokenHeaders are the headers that carry a pane's token; any of them will do.
var tokenHeaders = []string{wire.TokenHeader, "X-Deck-Token"}

// peer is who is at the other end of a connection, as the system says.
type peer struct {
	uid, pid int
	err      error
}

// contextKey is the key of what a request's context carries.
type contextKey uint8

const (
	peerKey contextKey = iota
	callerKey
)

// withPeer notes who opened a connection; requests on it inherit the note.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	p := peer{uid: -1, err: net.ErrClosed}
	if u, ok := c.(*net.UnixConn); ok {
		p.uid, p.pid, p.err = peerOf(u)
	}
	return context.WithValue(ctx, peerKey, p)
}

// authenticate lets only this user in, and finds out which pane a request comes
// from: the one its process descends from, so that a program in a pane does not get
// a person's rights by leaving its token out, or another pane's by one that it has
// read; else the one of its token. A token of no pane counts as none: it may be
// another server's.
func authenticate(ids *identities, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, _ := r.Context().Value(peerKey).(peer)
		if p.err != nil || p.uid != os.Getuid() {
			answerError(w, &wire.Error{Code: wire.CodeForbidden, Message: "this server belongs to another user"})
			return
		}
		c := caller{uid: p.uid, pid: p.pid}
		if pane, ok := ids.ofProcess(p.pid); ok {
			c.pane = pane
		} else if pane, ok := ids.ofToken(tokenOf(r)); ok {
			c.pane = pane
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey, c)))
	})
}

func tokenOf(r *http.Request) string {
	for _, h := range tokenHeaders {
		if v := r.Header.Get(h); v != "" {
			return v
		}
	}
	return ""
}

// callerOf returns who sent the request, as authenticate found out.
func callerOf(r *http.Request) caller {
	c, _ := r.Context().Value(callerKey).(caller)
	return c
}
