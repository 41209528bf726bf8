package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve answers on a socket of its own until the test ends.
func serve(t *testing.T, h http.Handler) *Conn {
	t.Helper()
	l, path := listen(t)
	s := &http.Server{Handler: h}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(l) }()
	c := Open(path, "secret")
	t.Cleanup(func() { c.Close(); s.Close(); <-done })
	return c
}

func listen(t *testing.T) (net.Listener, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, path
}

func TestVerbSendsTokenAndBody(t *testing.T) {
	t.Parallel()
	var got NewPane
	var token, route string
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, route = r.Header.Get(TokenHeader), r.Method+" "+r.URL.String()
		_ = json.NewDecoder(r.Body).Decode(&got)
		_, _ = io.WriteString(w, `{"id":"p1","nick":"anna","from_a_newer_server":1}`)
	}))
	want := NewPane{Name: "build", Command: []string{"make", "-j4"}, Focus: true}
	p, err := c.NewPane(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"p1", "anna", "secret", "POST /v1/panes"}, []string{p.ID, p.Nick, token, route}); d != "" {
		t.Error(d)
	}
}

func TestListAsksForSession(t *testing.T) {
	t.Parallel()
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode([]Pane{{ID: r.URL.Query().Get("session")}})
	}))
	panes, err := c.Panes(t.Context(), "a b&c")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Pane{{ID: "a b&c"}}, panes); d != "" {
		t.Error(d)
	}
}

func TestErrorsOfAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       Error
	}{
		{"whole", `{"error":"pane_not_found","message":"can't find pane: x","hint":"h"}`, Error{"pane_not_found", "can't find pane: x", "h"}},
		{"only a code", `{"error":"invalid_ttl"}`, Error{"invalid_ttl", "invalid ttl", ""}},
		{"not JSON", "oops", Error{CodeInternal, "the server answered 404 not found", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, test.body)
			}))
			err := c.Focus(t.Context(), Target{"x"})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v is no *Error", err)
			}
			if d := cmp.Diff(test.want, *e); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	l, path := listen(t)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	for _, socket := range []string{path, path + "-missing"} {
		_, err := Open(socket, "").Hello(t.Context())
		if !errors.Is(err, ErrNoServer) || !strings.HasSuffix(err.Error(), " on "+socket) {
			t.Errorf("hello on %s: %v", socket, err)
		}
	}
}

func TestStopWaitsForTheEnd(t *testing.T) {
	t.Parallel()
	l, path := listen(t)
	dials := make(chan struct{})
	go func() {
		defer close(dials)
		// The verb dies without an answer; the socket lives a little longer.
		for range 3 {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
		l.Close()
	}()
	if err := Open(path, "").Stop(t.Context()); err != nil {
		t.Error(err)
		l.Close()
	}
	<-dials
}

func TestEvents(t *testing.T) {
	t.Parallel()
	const lines = `{"type":"snapshot","seq":1,"panes":[{"id":"p1"}]}` + "\n" + `{"type":"pane_closed","seq":2,"id":"p1"}` + "\n"
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, lines) }))
	w, err := c.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var raw strings.Builder
	var types []string
	for {
		e, line, err := w.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		raw.Write(line)
		types = append(types, e.Type)
	}
	if d := cmp.Diff(lines, raw.String()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"snapshot", "pane_closed"}, types); d != "" {
		t.Error(d)
	}
}

func TestSkew(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		hello Hello
		ok    bool
	}{
		{Hello{Protocol: Protocol, MinProtocol: MinProtocol}, true},
		{Hello{Protocol: Protocol + 1, MinProtocol: Protocol}, true},
		{Hello{Protocol: Protocol + 1, MinProtocol: Protocol + 1}, false},
		{Hello{Protocol: MinProtocol - 1}, false},
	} {
		if err := test.hello.Check(); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test.hello, err)
		}
	}
}

func TestCancelledVerb(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	if _, err := c.Hello(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("hello: %v", err)
	}
}
