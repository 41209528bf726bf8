package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"deck/term/wire"
)

// pipeListener hands out one connection.
type pipeListener struct {
	conn   chan net.Conn
	closed chan struct{}
}

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conn:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}
func (l pipeListener) Close() error   { close(l.closed); return nil }
func (l pipeListener) Addr() net.Addr { return &net.UnixAddr{} }

func TestABodyThatDoesNotComeIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		verb := func(context.Context, caller, wire.Send) (wire.Done, error) { return wire.Done{}, nil }
		s := &http.Server{Handler: route(slog.New(slog.DiscardHandler), verb)}
		l := pipeListener{make(chan net.Conn, 1), make(chan struct{})}
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		here, there := net.Pipe()
		l.conn <- there
		go func() {
			_, _ = io.WriteString(here, "POST / HTTP/1.1\r\nHost: deck\r\nContent-Length: 99\r\n\r\n{\"tar")
		}()
		answer, err := http.ReadResponse(bufio.NewReader(here), nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("got %s", answer.Status)
		}
		_ = answer.Body.Close()
		_ = here.Close()
		_ = s.Close()
		<-served
	})
}

// FuzzVerb sends bodies that nobody wrote: each gets an answer or a code, and
// what is accepted means the same when it is sent again.
func FuzzVerb(f *testing.F) {
	for _, s := range []string{`{}`, `{"target":"a","keys":["C-c"],"literal":"x","paste":true}`, `null`, `[]`, `{"target":1}`,
		`{"command":["a"],"cols":1,"rows":-1,"env":["A=b"]}`, `{"target":"\ud800"}`, strings.Repeat(`{"target":`, 10000),
		`{"target":"a"} {}`, `{"evil":1}`, "\xff", ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var send wire.Send
		var pane wire.NewPane
		var resize wire.Resize
		for _, req := range []any{&send, &pane, &resize} {
			if strict(strings.NewReader(string(body)), req) != nil {
				continue
			}
			again, err := json.Marshal(req)
			if err != nil {
				t.Fatal(err)
			}
			if err := strict(strings.NewReader(string(again)), req); err != nil {
				t.Errorf("%s was taken, and %s is not: %v", body, again, err)
			}
		}
	})
}
