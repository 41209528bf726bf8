package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// startLimit is how long anything may take that is not measured.
const startLimit = 20 * time.Second

// The marks that pane programs draw. They occur in no corpus and in nothing that
// either multiplexer draws by itself, so that seeing one in the text that reaches
// the terminal is seeing it drawn, however the rest is drawn.
const (
	ready = '@' // the program is there
	mark  = '^' // what it was to do is done
)

// keys are typed and echoed: like the marks, nobody else draws them.
const keys = "`\\^"

// terminal is what a person would sit at: a PTY with a client of a multiplexer
// in it, read all the time and answering what a terminal answers.
type terminal struct {
	pty  *os.File
	cmd  *exec.Cmd
	link *link // nil: the terminal is beside the client
	gone chan struct{}

	mu    sync.Mutex
	scan  scanner   // guarded by mu
	bytes int64     // guarded by mu: received
	last  time.Time // guarded by mu: of the newest bytes
	want  byte      // guarded by mu: the mark that is waited for, 0 for none
	seen  chan time.Time
}

// openTerminal starts a client in a new terminal, which may be at the far end of
// a link. It expects the first program's mark.
func openTerminal(l *link, cols, rows int, dir string, argv []string) (*terminal, error) {
	t := &terminal{cmd: exec.Command(argv[0], argv[1:]...), link: l,
		gone: make(chan struct{}), seen: make(chan time.Time, 1), last: time.Now(), want: ready}
	t.cmd.Env, t.cmd.Dir = environment(dir), dir
	f, err := pty.StartWithSize(t.cmd, winsize(cols, rows))
	if err != nil {
		return nil, err
	}
	t.pty = f
	if l != nil {
		l.open(t)
	}
	go t.read()
	return t, nil
}

func winsize(cols, rows int) *pty.Winsize {
	return &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows), X: uint16(8 * cols), Y: uint16(16 * rows)}
}

func (t *terminal) read() {
	defer close(t.gone)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.pty.Read(buf)
		if n > 0 {
			if t.link != nil {
				t.link.down(buf[:n])
			} else {
				t.show(buf[:n], time.Now())
			}
		}
		if err != nil {
			return
		}
	}
}

// show is the terminal taking bytes in.
func (t *terminal) show(p []byte, now time.Time) {
	var replies []string
	t.mu.Lock()
	t.bytes += int64(len(p))
	t.last = now
	t.scan.feed(p, func(text []byte) {
		if t.want != 0 && bytes.IndexByte(text, t.want) >= 0 {
			t.want = 0
			t.seen <- now
		}
	}, func(seq []byte) {
		if a := answers[string(seq)]; a != "" {
			replies = append(replies, a)
		}
	})
	t.mu.Unlock()
	for _, a := range replies {
		t.send(a)
	}
}

// send is the terminal saying something, a key for instance.
func (t *terminal) send(s string) {
	if t.link != nil {
		t.link.up(s)
		return
	}
	_, _ = t.pty.WriteString(s)
}

// expect begins to wait for a mark, before what makes it appear is done.
func (t *terminal) expect(mark byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.seen:
	default:
	}
	t.want = mark
}

var errUnseen = errors.New("what was waited for is not drawn")

// when returns the moment at which the mark that is expected was drawn.
func (t *terminal) when(limit time.Duration) (time.Time, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case at := <-t.seen:
		return at, nil
	case <-t.gone:
		return time.Time{}, errors.New("the client ended")
	case <-timer.C:
		return time.Time{}, errUnseen
	}
}

// wait waits until the mark that is expected is drawn.
func (t *terminal) wait(limit time.Duration) error {
	_, err := t.when(limit)
	return err
}

// received counts the bytes that came so far.
func (t *terminal) received() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes
}

// settle waits until nothing came for a while.
func (t *terminal) settle(quiet, limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(quiet / 10) {
		t.mu.Lock()
		idle := time.Since(t.last)
		t.mu.Unlock()
		if idle > quiet {
			return
		}
	}
}

// resize gives the terminal another size, as a window manager does.
func (t *terminal) resize(cols, rows int) error { return pty.Setsize(t.pty, winsize(cols, rows)) }

// close takes the terminal away, which ends its client.
func (t *terminal) close() {
	_ = t.cmd.Process.Signal(syscall.SIGHUP)
	select {
	case <-t.gone:
	case <-time.After(2 * time.Second):
		_ = t.cmd.Process.Kill()
	}
	t.pty.Close()
	_ = t.cmd.Wait()
}
