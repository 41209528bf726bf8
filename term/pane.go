package term

import (
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"deck/term/keys"
	"deck/term/vt"
)

// Spec says what runs in a pane, and how.
type Spec struct {
	Argv         []string // the program and its arguments; looked up in the PATH of Env
	Dir          string   // the folder it starts in
	Env          []string // its whole environment
	Cols, Rows   int      // size in cells
	CellW, CellH int      // pixels of a cell, 0 if unknown
	Colors       Colors   // of the terminal that will show it, as far as known
	History      int      // rows of scrollback, 0 for none
	Version      string   // of deck, for programs that ask (XTVERSION)
	Generation   uint64   // where Generation starts; greater than that of the pane this one replaces
	Grace        time.Duration
	Pace         *Pace
	Log          *slog.Logger
	// Notify is called when there are events to take or the program ended,
	// Output after the program wrote something: both from goroutines of the
	// pane, which they must not hold up.
	Notify, Output func()
}

// Pane is one program on one PTY, with what it has drawn. All methods may be
// called from any goroutine, and none waits for the program. Those that look at
// the screen wait for the emulator's lock, a millisecond at most; the others do
// not.
type Pane struct {
	spec Spec
	log  *slog.Logger
	pty  *os.File // nil where nothing could be started
	cmd  *exec.Cmd
	out  *outbox
	size resizer

	mu      sync.Mutex
	em      *vt.Emulator // guarded by mu
	now     size         // guarded by mu: the emulator's size
	base    uint64       // guarded by mu: added to the emulator's generations
	redrawn uint64       // guarded by mu: the generation at which every row changed
	held    bool         // guarded by mu: inside a synchronized update
	hold    *time.Timer  // guarded by mu: ends it
	cooling cooling      // guarded by mu: compresses the history
	reverse bool         // guarded by mu: the whole screen is in reverse

	eventMu sync.Mutex
	events  []Event // guarded by eventMu

	watchMu  sync.Mutex
	watchers []chan<- struct{} // guarded by watchMu

	gen   atomic.Uint64
	modes atomic.Pointer[keys.Modes]

	exit    Exit          // written before exited is closed
	exited  chan struct{} // the program has ended
	drained chan struct{} // the reader has
	written chan struct{} // the writer has
	done    chan struct{} // nothing is left
	reaped  atomic.Bool
	remnant atomic.Bool // the program left processes behind
	closing sync.Once
	stopped bool // guarded by mu: no timer may start
}

// Start runs a program. It always returns a pane: where the program could not
// be run, the pane shows why, has ended, and the error is a *StartError.
func Start(s Spec) (*Pane, error) {
	s.Cols, s.Rows = clampSize(s.Cols, s.Rows)
	p := &Pane{spec: s, log: s.Log, base: s.Generation, out: newOutbox(),
		exited: make(chan struct{}), drained: make(chan struct{}),
		written: make(chan struct{}), done: make(chan struct{})}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.now = size{s.Cols, s.Rows, s.CellW, s.CellH, s.Colors}
	p.size.want, p.size.done = p.now, p.now
	p.em = newEmulator(s)
	p.modes.Store(&keys.Modes{})
	if err := p.run(); err != nil {
		p.feed([]byte("deck: " + oneLine(err.Error()) + "\r\n"))
		p.exit = Exit{Code: 127, Reason: oneLine(err.Error())}
		close(p.exited)
		return p, err
	}
	p.publish()
	go p.read()
	go p.write()
	go p.wait()
	return p, nil
}

// PID returns the program's process, which is also its session's number; 0 if
// it was never started.
func (p *Pane) PID() int {
	if p.cmd == nil || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Foreground returns the process group that has the terminal, 0 if unknown.
func (p *Pane) Foreground() int {
	group := 0
	_ = p.control(func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return group
}

// Size returns the pane's size in cells: the newest that was asked for.
func (p *Pane) Size() (cols, rows int) {
	p.size.mu.Lock()
	defer p.size.mu.Unlock()
	return p.size.want.cols, p.size.want.rows
}

// Modes returns what the program asked of keyboard and mouse.
func (p *Pane) Modes() keys.Modes { return *p.modes.Load() }

// Generation counts visible changes.
func (p *Pane) Generation() uint64 { return p.gen.Load() }

// TakeEvents returns the events since the last call.
func (p *Pane) TakeEvents() []Event {
	p.eventMu.Lock()
	defer p.eventMu.Unlock()
	e := p.events
	p.events = nil
	return e
}

// Watch makes wake, a channel of capacity 1, get a value whenever the pane has
// something new to draw.
func (p *Pane) Watch(wake chan<- struct{}) {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	p.watchers = append(p.watchers, wake)
}

// Unwatch undoes one Watch.
func (p *Pane) Unwatch(wake chan<- struct{}) {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	for i, w := range p.watchers {
		if w == wake {
			p.watchers = append(p.watchers[:i:i], p.watchers[i+1:]...)
			return
		}
	}
}

// wakeAll wakes who watches. A watcher that has not looked since the last time
// needs no second value, so nothing here waits.
func (p *Pane) wakeAll() {
	p.watchMu.Lock()
	defer p.watchMu.Unlock()
	for _, w := range p.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// notify calls Spec.Notify; no lock may be held.
func (p *Pane) notify() {
	if p.spec.Notify != nil {
		p.spec.Notify()
	}
}
