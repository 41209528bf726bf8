package realtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"deck/hooks/realtest/mock"
	"deck/term/wire"
)

// patience is how long anything may take before it counts as never.
const patience = 60 * time.Second

// lab is one agent's world: a home, a project, a model service and a server of
// deck.
type lab struct {
	prog                     program
	root, home, project, log string
	deck                     string
	env                      []string
	model                    *httptest.Server
	asks                     *record[mock.Ask]
	hook                     atomic.Pointer[func(mock.Ask)]
	words                    int  // that prompts had so far
	led                      bool // what the agent asks at its first start is answered

	conn   *wire.Conn
	stop   context.CancelFunc
	events *record[wire.Event]
	term   *terminal
}

// newLab installs an agent and makes its world. What cannot be installed is a
// skip.
func newLab(t *testing.T, deck string, p program) *lab {
	t.Helper()
	node, err := install(t.Context(), nodePackage, nodeVersion)
	if err == nil {
		var bin string
		if bin, err = install(t.Context(), p.pkg, p.version); err == nil {
			node = bin + ":" + node
		}
	}
	if err != nil {
		file(row{agent: p.name, scenario: "install", outcome: "skip", note: firstLine(err.Error())})
		t.Skipf("cannot be installed: %v", err)
	}
	root, err := os.MkdirTemp("", "deck") // a socket's path has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	l := &lab{prog: p, root: root, home: root + "/home", project: root + "/home/project", log: root + "/log", deck: deck, asks: newRecord[mock.Ask]()}
	l.model = httptest.NewServer(&mock.Server{Before: func(a mock.Ask) {
		l.asks.add(a)
		if f := l.hook.Load(); f != nil {
			(*f)(a)
		}
	}})
	t.Cleanup(l.model.Close)
	l.env = []string{"PATH=" + node + ":" + os.Getenv("PATH"), "HOME=" + l.home, "XDG_RUNTIME_DIR=" + root + "/run", "SHELL=/bin/sh",
		"TERM=xterm-256color", "LANG=C.UTF-8", "NO_PROXY=127.0.0.1"}
	for _, e := range p.env {
		l.env = append(l.env, l.fill(e))
	}
	l.write(t, "run/.keep", "")
	l.write(t, "home/project/hello.txt", "hello world\n")
	for name, text := range p.files {
		l.write(t, "home/"+name, l.fill(text))
	}
	l.serve(t)
	t.Cleanup(func() { l.leave(t) })
	return l
}

func firstLine(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }

func (l *lab) fill(s string) string {
	return strings.NewReplacer("$URL", l.model.URL, "$DIR", l.project, "$LOG", l.log).Replace(s)
}

func (l *lab) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(l.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs deck as a person does in the project.
func (l *lab) run(args ...string) ([]byte, error) {
	cmd := exec.Command(l.deck, args...)
	cmd.Env, cmd.Dir = l.env, l.project
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("deck %s: %w: %s", strings.Join(args, " "), err, talk.Bytes())
	}
	return out.Bytes(), nil
}

// open opens a pane with a verb and returns what that prints.
func (l *lab) open(args ...string) (wire.Pane, error) {
	var p wire.Pane
	out, err := l.run(args...)
	if err == nil {
		err = json.Unmarshal(out, &p)
	}
	return p, err
}

// serve starts a server, with a pane that keeps it, and watches it.
func (l *lab) serve(t *testing.T) {
	t.Helper()
	if _, err := l.run("new", "-n", "keeper", "--", "cat"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	l.conn, l.stop, l.events = wire.Open(l.socket(), ""), stop, newRecord[wire.Event]()
	w, err := l.conn.Events(ctx)
	if err != nil {
		t.Fatal(err)
	}
	events := l.events
	go func() {
		defer w.Close()
		for {
			e, _, err := w.Next()
			if err != nil {
				return
			}
			events.add(e)
		}
	}()
	l.attach(t, cols, rows)
}

// The size of a terminal that has room.
const cols, rows = 124, 40

// attach gives the lab a terminal of a size, in place of the one it has.
func (l *lab) attach(t *testing.T, cols, rows int) {
	t.Helper()
	if l.term != nil {
		l.term.close()
	}
	var err error
	if l.term, err = attach(t.Context(), l.conn, cols, rows); err != nil {
		t.Fatal(err)
	}
	if _, err := l.term.shots.wait(t.Context(), time.Time{}, func(s string) bool { return strings.TrimSpace(s) != "" }); err != nil {
		t.Fatal(err)
	}
	// Another window has the focus, so that nothing counts as seen.
	if err := l.term.stream.Input([]byte("\x1b[O")); err != nil {
		t.Fatal(err)
	}
}

// socket is where deck's server listens.
func (l *lab) socket() string { return l.root + "/run/deck/default.sock" }

// mute puts a socket in the server's place that takes calls and answers none,
// until answers is called.
func (p *pane) mute() (answers func()) {
	aside := p.socket() + ".aside"
	if err := os.Rename(p.socket(), aside); err != nil {
		p.t.Error(err)
		return func() {}
	}
	quiet, err := net.Listen("unix", p.socket())
	if err != nil {
		p.t.Error(err)
	}
	answers = sync.OnceFunc(func() {
		if quiet != nil {
			_ = quiet.Close()
		}
		if err := os.Rename(aside, p.socket()); err != nil {
			p.t.Error(err)
		}
	})
	p.t.Cleanup(answers)
	return answers
}

// server is the process of deck's server.
func (p *pane) server() int {
	p.t.Helper()
	h, err := p.conn.Hello(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return h.PID
}

// leave ends the server and what runs in it.
func (l *lab) leave(t *testing.T) {
	t.Helper()
	if l.term != nil {
		l.term.close()
	}
	l.stop()
	if _, err := l.run("server", "stop"); err != nil {
		t.Log(err)
	}
	l.conn.Close()
}
