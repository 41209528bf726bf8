package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/term/layout"
	"deck/term/wire"
)

func TestRequestsAreDecodedStrictly(t *testing.T) {
	t.Parallel()
	quiet := slog.New(slog.DiscardHandler)
	mux := http.NewServeMux()
	mux.Handle("POST /echo", route(quiet, func(_ context.Context, _ caller, r wire.Rename) (wire.Rename, error) { return r, nil }))
	mux.Handle("GET /echo", route(quiet, func(_ context.Context, _ caller, r ofSession) (ofSession, error) { return r, nil }))
	mux.Handle("POST /panic", route(quiet, func(context.Context, caller, none) (none, error) { panic("what a person typed") }))
	mux.Handle("POST /none", route(quiet, func(context.Context, caller, none) (none, error) {
		return none{}, &wire.Error{Code: wire.CodePaneNotFound, Message: "can't find pane: x", Hint: "deck ls lists them"}
	}))
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/echo", `{"target":"a","name":"b"}`, 200, `{"target":"a","name":"b"}`},
		{"POST", "/echo", `{"target":"a","nome":"b"}`, 400, `unknown field \"nome\"`},
		{"POST", "/echo", `{"target":1}`, 400, `"error":"bad_request"`},
		{"POST", "/echo", `{} {}`, 400, `there is something after the JSON value`},
		{"POST", "/echo", ``, 400, `the request has no body`},
		{"POST", "/echo", `{"target":"` + strings.Repeat("x", maxBody) + `"}`, 413, `"error":"body_too_large"`},
		{"GET", "/echo?session=main", ``, 200, `{"session":"main"}`},
		{"GET", "/echo?sesion=main", ``, 400, `unknown field \"sesion\"`},
		{"POST", "/panic", `{}`, 500, `"error":"internal"`},
		{"POST", "/none", `{}`, 404, `{"error":"pane_not_found","message":"can't find pane: x","hint":"deck ls lists them"}`},
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(c.method, c.path, strings.NewReader(c.body)))
		body, _ := io.ReadAll(w.Body)
		if w.Code != c.status || !strings.Contains(string(body), c.want) || strings.Contains(string(body), "typed") {
			t.Errorf("%s %s %.40s: %d %s", c.method, c.path, c.body, w.Code, body)
		}
	}
}

func TestACallerIsKnownByTokenOrAncestry(t *testing.T) {
	t.Parallel()
	ids := newIdentities()
	ids.add("p1", os.Getpid(), "secret")
	ids.add("p2", 0, "other")
	for _, c := range []struct {
		name   string
		uid    int
		pid    int
		header string
		token  string
		status int
		want   layout.PaneID
	}{
		{"a person's shell", os.Getuid(), 1, "", "", 200, ""},
		{"by token", os.Getuid(), 1, "X-Deck-Report-Token", "secret", 200, "p1"},
		{"by the other header", os.Getuid(), 1, "X-Deck-Token", "other", 200, "p2"},
		{"by ancestry", os.Getuid(), os.Getpid(), "", "", 200, "p1"},
		{"by ancestry, with a token of another pane", os.Getuid(), os.Getpid(), "X-Deck-Token", "other", 200, "p1"},
		{"another server's token", os.Getuid(), os.Getpid(), "X-Deck-Token", "stale", 200, "p1"},
		{"another user", os.Getuid() + 1, 1, "", "", 403, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got caller
			h := authenticate(ids, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = callerOf(r) }))
			r := httptest.NewRequest("GET", "/", nil)
			r = r.WithContext(context.WithValue(r.Context(), peerKey, peer{uid: c.uid, pid: c.pid}))
			if c.header != "" {
				r.Header.Set(c.header, c.token)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status || got.pane != c.want {
				t.Errorf("status %d, pane %q", w.Code, got.pane)
			}
		})
	}
}

func TestATokenDiesWithItsPane(t *testing.T) {
	t.Parallel()
	ids := newIdentities()
	ids.add("p1", 77, "secret")
	ids.ended("p1")
	if _, ok := ids.ofProcess(77); ok {
		t.Error("an ended program's number still counts")
	}
	if p, _ := ids.ofToken("secret"); p != "p1" {
		t.Error("the token went with the program")
	}
	ids.remove("p1")
	if _, ok := ids.ofToken("secret"); ok {
		t.Error("the token outlives its pane")
	}
}

func TestTheServerKnowsWhoCalls(t *testing.T) {
	socket := startServer(t)
	conn := wire.Open(socket, "")
	defer conn.Close()
	hello, err := conn.Hello(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := wire.Hello{Protocol: wire.Protocol, MinProtocol: wire.MinProtocol, Version: wire.Version,
		PID: os.Getpid(), Socket: socket, Started: hello.Started}
	if diff := cmp.Diff(want, hello); diff != "" {
		t.Error(diff)
	}
	s, err := conn.Status(t.Context())
	if err != nil || s.Memory == 0 || s.Log == "" || s.Config == "" || s.Scope == "" {
		t.Errorf("status %+v, %v", s, err)
	}
}
