package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"deck/term/wire"
)

// app is one run of the command line: its streams, its environment, and the
// flags that every verb takes.
type app struct {
	stdin          *os.File
	stdout, stderr io.Writer
	env            environment
	backend        backend

	server  string // -L: a name, or a socket's path
	verbose bool   // -v
}

// environment is a process's variables as KEY=VALUE; the last of a name holds.
type environment []string

// get returns a variable's value, empty where it is not set.
func (e environment) get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(e[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// socket returns the path of the socket that this run is about.
func (a *app) socket() (string, error) {
	name := a.server
	if name == "" {
		name = a.env.get("DECK_SOCKET")
	}
	return a.backend.socketPath(name)
}

// inside says whether this process runs in a pane of the server at a socket.
// A token is only ever shown to the server that gave it out.
func (a *app) inside(socket string) bool {
	own := a.env.get("DECK_SOCKET")
	return a.env.get("DECK_PANE_ID") != "" && own != "" && samePath(own, socket)
}

// samePath reports whether two paths lead to the same socket, by name or by
// what lies there.
func samePath(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// dial returns the server at the socket; it may not be running.
func (a *app) dial() (*wire.Conn, string, error) {
	socket, err := a.socket()
	if err != nil {
		return nil, "", err
	}
	token := ""
	if a.inside(socket) {
		token = a.env.get("DECK_REPORT_TOKEN")
	}
	return wire.Open(socket, token), socket, nil
}

// ensure returns a server that runs, started where there was none, and that
// speaks what this build speaks.
func (a *app) ensure(ctx context.Context) (*wire.Conn, error) {
	c, socket, err := a.dial()
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		if err := a.backend.ensure(ctx, socket, a.verbose); err != nil {
			return nil, err
		}
		// The one that was found may have been about to end, with its last pane.
		err := a.greet(ctx, c)
		if tries == maxEnsure || !isEnding(err) {
			return c, err
		}
		if err := a.gone(ctx, c); err != nil {
			return nil, err
		}
	}
}

// isEnding reports whether an error is that of a server that ends or has ended.
func isEnding(err error) bool {
	var e *wire.Error
	return errors.Is(err, wire.ErrNoServer) || errors.Is(err, wire.ErrGone) || errors.As(err, &e) && e.Code == wire.CodeStopping
}

// gone waits for the end of a server that ends.
func (a *app) gone(ctx context.Context, c *wire.Conn) error {
	limited, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	return c.Gone(limited)
}

// maxEnsure is how often a server is started in place of one that has just ended.
const maxEnsure = 3

// running returns the server at the socket for verbs that make no sense
// without one.
func (a *app) running(ctx context.Context) (*wire.Conn, error) {
	c, _, err := a.dial()
	if err != nil {
		return nil, err
	}
	return c, a.greet(ctx, c)
}

// helloTime is how long a server may take to say who it is. It asks nobody for
// that, so one that takes longer hangs.
const helloTime = 10 * time.Second

// greet says hello and refuses a server that this build cannot talk to.
func (a *app) greet(ctx context.Context, c *wire.Conn) error {
	limited, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	h, err := c.Hello(limited)
	switch {
	case errors.Is(err, wire.ErrNoServer):
		return &hintedError{err, `"deck" starts one`}
	case errors.Is(err, context.DeadlineExceeded):
		return &hintedError{errors.New("the server does not answer"), `"deck server log" may tell why`}
	case err != nil:
		return err
	}
	if err := h.Check(); err != nil {
		return err
	}
	if a.verbose {
		fmt.Fprintf(a.stderr, "deck: server %s, process %d, socket %s\n", h.Version, h.PID, h.Socket)
	}
	return nil
}

// folder returns a folder as the server needs it: absolute, and there.
func folder(dir string) (string, error) {
	if dir == "" {
		return os.Getwd()
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("no such folder: %s", dir)
	}
	return abs, nil
}

// parseSize reads COLSxROWS.
func parseSize(s string) (cols, rows int, err error) {
	c, r, ok := strings.Cut(s, "x")
	cols, err1 := strconv.Atoi(c)
	rows, err2 := strconv.Atoi(r)
	if !ok || err1 != nil || err2 != nil || cols < 1 || rows < 1 || cols > maxSide || rows > maxSide {
		return 0, 0, &usageError{"not a size: " + s, "a size is COLUMNSxROWS, as in 120x40"}
	}
	return cols, rows, nil
}

// maxSide is the longest side of a pane that a person can ask for, in cells.
const maxSide = 10000
