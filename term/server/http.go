package server

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"time"

	"deck/term/wire"
)

// httpServer answers on the socket.
func (s *server) httpServer() *http.Server {
	return &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(logWriter{s.log}, "", 0),
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
		ConnContext:       s.guests.greet,
		ConnState:         s.guests.follow,
	}
}

// handler answers reports by their token alone, and everything else after it is
// known who asks.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(reportRoute, s.reports)
	mux.Handle(eventRoute, hooked(s, s.loop.agentEvents))
	mux.Handle(requestRoute, hooked(s, s.loop.agentRequests))
	mux.Handle(offerRoute, hookedBy(s, s.offers))
	mux.Handle("/", authenticate(s.ids, s.routes()))
	return s.procs.around(mux)
}

// routes is the table of everything that can be asked of a server.
func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range s.verbs() {
		mux.Handle(pattern, s.guard(pattern, h))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answerError(w, &wire.Error{Code: codeNoRoute, Message: "no such route: " + r.Method + " " + r.URL.Path})
	})
	return mux
}

// verbs has every route that is behind authenticate.
func (s *server) verbs() map[string]http.Handler {
	all := s.ownRoutes()
	maps.Copy(all, s.loopRoutes())
	maps.Copy(all, s.memoryRoutes())
	maps.Copy(all, s.rightRoutes())
	maps.Copy(all, s.teamRoutes())
	return all
}

// ownRoutes are about the process itself.
func (s *server) ownRoutes() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /v1/hello":          route(s.log, s.hello),
		"GET /v1/server":         route(s.log, s.status),
		"POST /v1/server/stop":   route(s.log, s.stopVerb),
		"POST /v1/server/reload": route(s.log, s.reloadVerb),
		"GET /v1/attach":         http.HandlerFunc(s.attach),
	}
}

// hello says who the server is, unless it is about to be nobody.
func (s *server) hello(context.Context, caller, none) (wire.Hello, error) {
	if s.ctx.Err() != nil {
		return wire.Hello{}, errStopping
	}
	return wire.Hello{
		Protocol: wire.Protocol, MinProtocol: wire.MinProtocol, Version: s.o.Version,
		PID: os.Getpid(), Socket: s.o.Socket, Started: s.started.Format(time.RFC3339),
	}, nil
}

// stopVerb ends the server. Its answer is waited for before the end.
func (s *server) stopVerb(_ context.Context, c caller, _ none) (wire.Done, error) {
	s.log.Info("server stops", "asked_by", c.pid, "pane", string(c.pane))
	s.stop()
	return wire.Done{Count: 1}, nil
}

// logWriter takes the complaints of net/http, one line each.
type logWriter struct{ log *slog.Logger }

// Write logs a line.
func (w logWriter) Write(p []byte) (int, error) {
	w.log.Debug("connection failed", "err", errors.New(string(p)))
	return len(p), nil
}
