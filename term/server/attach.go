package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"deck/term/wire"
	"deck/ui"
)

// helloTime is how long a client may take to say who it is.
const helloTime = 10 * time.Second

// sendBuffer bounds what of a terminal's frames lies in the system between the
// server and its relay: what a terminal that stalls shows later than it could.
const sendBuffer = 64 << 10

// attach turns a request into a terminal's stream and serves it to its end.
func (s *server) attach(w http.ResponseWriter, r *http.Request) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), wire.UpgradeAttach) {
		w.Header().Set("Upgrade", wire.UpgradeAttach)
		answerError(w, &wire.Error{Code: wire.CodeBadRequest, Message: "attach wants an upgrade to " + wire.UpgradeAttach})
		return
	}
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		answerError(w, &wire.Error{Code: wire.CodeInternal, Message: "this connection cannot be upgraded"})
		return
	}
	conn, rw, err := hijacker.Hijack()
	if err != nil {
		answerError(w, err)
		return
	}
	if !s.enter() {
		conn.Close()
		return
	}
	defer s.clients.Done()
	if u, ok := conn.(*net.UnixConn); ok {
		_ = u.SetWriteBuffer(sendBuffer)
	}
	s.serveTerminal(conn, rw.Reader, callerOf(r))
}

// serveTerminal speaks the attach protocol on a connection that is its alone.
func (s *server) serveTerminal(conn net.Conn, r *bufio.Reader, by caller) {
	_ = conn.SetDeadline(time.Now().Add(helloTime))
	received := &wire.Receiver{}
	if u, ok := conn.(*net.UnixConn); ok && r.Buffered() == 0 {
		received.Conn, r = u, bufio.NewReader(received)
	}
	_, err := fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: %s\r\nConnection: Upgrade\r\n%s: 1\r\n\r\n",
		wire.UpgradeAttach, wire.PassHeader)
	if err != nil {
		conn.Close()
		return
	}
	c := newClient(conn, s.loop, s.log)
	a, err := readHello(r)
	if err == nil {
		err = checkProtocol(a)
	}
	if err != nil {
		if received.File != nil {
			received.File.Close()
		}
		c.say(wire.Exit{Reason: "error", Message: err.Error(), Code: 1})
		conn.Close()
		return
	}
	_ = conn.SetDeadline(time.Time{})
	if a.PID == 0 {
		a.PID = by.pid
	}
	if received.File != nil {
		c.take(received.File, a, by.pid)
	}
	for _, fault := range append([]string{s.unlogged}, s.configFaults()...) {
		if fault != "" {
			c.box.notice(fault, true)
		}
	}
	cfg := s.config.Load()
	settings := cfg.settings()
	settings.ReadOnly = a.ReadOnly
	c.run(s.ctx, c.after(r), a, ui.ClientOptions{
		Env: a.Env, W: a.Size.Cols, H: a.Size.Rows, Settings: settings, NoMouse: !cfg.Mouse, EscapeTime: cfg.escapeTime(),
	})
}

// after returns what comes after what a reader of the connection holds already.
func (c *client) after(r *bufio.Reader) io.Reader {
	if c.now == nil {
		return r
	}
	held, _ := r.Peek(r.Buffered())
	return io.MultiReader(bytes.NewReader(bytes.Clone(held)), bufio.NewReader(c.now))
}

func readHello(r *bufio.Reader) (wire.Attach, error) {
	var a wire.Attach
	t, payload, err := wire.ReadFrame(r, nil)
	if err != nil {
		return a, fmt.Errorf("attach: %w", err)
	}
	if t != wire.FrameHello {
		return a, fmt.Errorf("attach: the first frame is %q and not a hello", rune(t))
	}
	if err := json.Unmarshal(payload, &a); err != nil {
		return a, fmt.Errorf("attach: %w", err)
	}
	return a, nil
}

// checkProtocol says what a person can do where client and server are too far
// apart. Fields that this build does not know were skipped, so a newer client
// is only refused when it says that it cannot do without them.
func checkProtocol(a wire.Attach) error {
	switch {
	case a.Protocol < wire.MinProtocol:
		return fmt.Errorf("this client (version %s) is too old for the server, which is version %s; use the newer deck", a.Version, wire.Version)
	case a.Protocol > wire.Protocol:
		return fmt.Errorf("the server is version %s and too old for this client, which is version %s; run: deck server stop", wire.Version, a.Version)
	}
	return nil
}

// enter counts a client in, unless the server is stopping.
func (s *server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.clients.Add(1)
	return true
}
