package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
)

// TokenHeader carries the token of the pane that a request comes from.
const TokenHeader = "X-Deck-Report-Token"

// maxAnswer is the most bytes of one answer that a client reads. A pane with a
// long history is the biggest thing that a verb answers with.
const maxAnswer = 256 << 20

// ErrNoServer is a socket that nobody listens on.
var ErrNoServer = errors.New("no server is running")

// ErrGone is a server that ended before it had answered.
var ErrGone = errors.New("the server went away")

// Conn is a server as seen through its socket. It may be used from several
// goroutines.
type Conn struct {
	socket string
	token  string
	http   *http.Client
}

// Open returns a Conn for a socket's path. Nothing is dialled before the first
// verb. The token is that of the pane the caller runs in, else empty.
func Open(socket, token string) *Conn {
	c := &Conn{socket: socket, token: token}
	c.http = &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) },
		Proxy:       nil,
	}}
	return c
}

// Close gives idle connections back.
func (c *Conn) Close() { c.http.CloseIdleConnections() }

func (c *Conn) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", c.socket)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, fmt.Errorf("%w on %s", ErrNoServer, c.socket)
	}
	return conn, err
}

// Hello asks who the server is.
func (c *Conn) Hello(ctx context.Context) (Hello, error) {
	return call[Hello](ctx, c, http.MethodGet, "/v1/hello", nil)
}

// Panes lists the panes of a session, or of all of them for "".
func (c *Conn) Panes(ctx context.Context, session string) ([]Pane, error) {
	path := "/v1/panes"
	if session != "" {
		path += "?session=" + url.QueryEscape(session)
	}
	return call[[]Pane](ctx, c, http.MethodGet, path, nil)
}

// Sessions lists the sessions.
func (c *Conn) Sessions(ctx context.Context) ([]Session, error) {
	return call[[]Session](ctx, c, http.MethodGet, "/v1/sessions", nil)
}

// Clients lists the attached clients.
func (c *Conn) Clients(ctx context.Context) ([]Client, error) {
	return call[[]Client](ctx, c, http.MethodGet, "/v1/clients", nil)
}

// NewPane opens a pane.
func (c *Conn) NewPane(ctx context.Context, n NewPane) (Pane, error) {
	return call[Pane](ctx, c, http.MethodPost, "/v1/panes", n)
}

// Peek returns what a pane shows.
func (c *Conn) Peek(ctx context.Context, p Peek) (Peeked, error) {
	return call[Peeked](ctx, c, http.MethodPost, "/v1/panes/peek", p)
}

// Send types keys or a text into a pane.
func (c *Conn) Send(ctx context.Context, s Send) error {
	return c.do(ctx, "/v1/panes/send", s)
}

// Focus makes attached clients show a pane.
func (c *Conn) Focus(ctx context.Context, t Target) error {
	return c.do(ctx, "/v1/panes/focus", t)
}

// Reset takes back what a program left switched on in its pane.
func (c *Conn) Reset(ctx context.Context, t Target) error {
	return c.do(ctx, "/v1/panes/reset", t)
}

// Rename names a pane or a tab.
func (c *Conn) Rename(ctx context.Context, r Rename) error {
	return c.do(ctx, "/v1/panes/rename", r)
}

// Resize changes the size of a pane.
func (c *Conn) Resize(ctx context.Context, r Resize) error {
	return c.do(ctx, "/v1/panes/resize", r)
}

// ClosePane ends a pane and everything in it.
func (c *Conn) ClosePane(ctx context.Context, p Close) error {
	return c.do(ctx, "/v1/panes/close", p)
}

// Detach ends clients and nothing else.
func (c *Conn) Detach(ctx context.Context, d Detach) error {
	return c.do(ctx, "/v1/clients/detach", d)
}

// Status tells how the server is.
func (c *Conn) Status(ctx context.Context) (Status, error) {
	return call[Status](ctx, c, http.MethodGet, "/v1/server", nil)
}

// Stop ends the server with everything in it, and returns when nobody listens
// on the socket any more.
func (c *Conn) Stop(ctx context.Context) error {
	err := c.do(ctx, "/v1/server/stop", struct{}{})
	var refused *Error
	if errors.Is(err, ErrNoServer) || errors.As(err, &refused) || ctx.Err() != nil {
		return err
	}
	// A server that was gone before it had answered has done what it was asked.
	return c.Gone(ctx)
}

// Gone returns when nobody listens on the socket any more.
func (c *Conn) Gone(ctx context.Context) error {
	c.Close()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := c.dial(ctx)
		if errors.Is(err, ErrNoServer) {
			return nil
		}
		if err == nil {
			conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the server to stop: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// do calls a verb whose answer says nothing more than that it was done.
func (c *Conn) do(ctx context.Context, path string, body any) error {
	_, err := call[json.RawMessage](ctx, c, http.MethodPost, path, body)
	return err
}

// call sends one request and decodes its answer. Fields that this build does
// not know are skipped, so that a newer server can be talked to.
func call[Resp any](ctx context.Context, c *Conn, method, path string, body any) (Resp, error) {
	var resp Resp
	var payload io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return resp, err
		}
		payload = bytes.NewReader(b)
	}
	r, err := c.roundTrip(ctx, method, path, payload)
	if err != nil {
		return resp, err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer))
	if err != nil {
		return resp, fmt.Errorf("read the server's answer: %w", err)
	}
	if err := json.Unmarshal(b, &resp); err != nil {
		return resp, fmt.Errorf("the server's answer to %s: %w", path, err)
	}
	return resp, nil
}

// roundTrip sends one request; an answer that is an error becomes one.
func (c *Conn) roundTrip(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	r, err := c.http.Do(req)
	if err != nil {
		return nil, plain(err)
	}
	if r.StatusCode/100 != 2 {
		defer r.Body.Close()
		return nil, answerError(r)
	}
	return r, nil
}

// request makes one request, in the name of the pane that the caller runs in.
func (c *Conn) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://deck"+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set(TokenHeader, c.token)
	}
	return req, nil
}

// plain takes off what net/http wraps around an error: a person has no use for
// a method and a made-up URL.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	// What net/http says of a connection that ends before a request is on its way
	// has no name outside of it.
	unused := err != nil && err.Error() == "http: server closed idle connection"
	if unused || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// answerError makes an error of an answer that is not a success.
func answerError(r *http.Response) error {
	b, _ := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	e := &Error{}
	if err := json.Unmarshal(b, e); err == nil && e.Message != "" {
		return e
	}
	if e.Code != "" {
		return &Error{Code: e.Code, Message: strings.ReplaceAll(e.Code, "_", " ")}
	}
	return &Error{Code: CodeInternal, Message: "the server answered " + strings.ToLower(r.Status)}
}
