package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"testing"

	"deck/term/wire"
)

// TestNoRequestEndsWithTheLastPane has a pane asked for while the last one goes, by a
// client that has said hello and half of what it wants.
func TestNoRequestEndsWithTheLastPane(t *testing.T) {
	socket := startServer(t)
	c := wire.Open(socket, "")
	defer c.Close()
	last, err := c.NewPane(t.Context(), wire.NewPane{Command: []string{"cat"}, Dir: t.TempDir(), Place: "tab"})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	ask := func(format string, args ...any) {
		t.Helper()
		if _, err := fmt.Fprintf(conn, format, args...); err != nil {
			t.Fatal(err)
		}
	}
	read := func(v any) {
		t.Helper()
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(v); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp.Status, err)
		}
	}
	ask("GET /v1/hello HTTP/1.1\r\nHost: deck\r\n\r\n")
	read(&wire.Hello{})
	body, err := json.Marshal(wire.NewPane{Command: []string{"cat"}, Dir: t.TempDir(), Place: "tab"})
	if err != nil {
		t.Fatal(err)
	}
	ask("POST /v1/panes HTTP/1.1\r\nHost: deck\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:1])
	if err := c.ClosePane(t.Context(), wire.Close{Target: last.ID, Force: true}); err != nil {
		t.Fatal(err)
	}
	ask("%s", body[1:])
	var next wire.Pane
	read(&next)
	if _, err := c.Hello(t.Context()); err != nil {
		t.Errorf("the server has ended under its pane: %v", err)
	}
}
