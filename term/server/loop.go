package server

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"deck/lifecycle"
	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

const (
	// flushRest is the least time between two snapshots of the state.
	flushRest = 10 * time.Millisecond
	// stopLimit is how long a stopping server waits for its panes beyond their
	// grace.
	stopLimit = 2 * time.Second
)

// loopOptions is what the loop is given by the process around it. None of the
// functions may wait for the loop; reload runs outside of it.
type loopOptions struct {
	log         *slog.Logger
	version     string
	socket      string
	env         []string // the server's environment, for panes that nobody gave one
	config      config
	ids         *identities
	state       string                               // beginning of the paths of what is kept, empty: nothing is
	definitions string                               // folder of the user's own definitions of agents, empty: none
	reporter    string                               // program that the hooks of agents call, empty: none
	grace       time.Duration                        // between SIGHUP and SIGKILL; 0: two seconds
	reload      func() (c config, faults, err error) // reads configuration and rules again; nil: cannot
	empty       func()                               // the last session went; nil: stay
	flood       func()                               // a program writes a lot; nil: nobody wants to know
	wrote       func()                               // a program wrote something; the same
	memory      *archive                             // what the screens of clients ask; nil: there is none
	teams       teams                                // what gives agents tasks; nil: nobody does
	happened    func(happening)                      // for its project to remember; nil: nobody remembers
	ended       func(dir string)                     // a turn of an agent that works there has ended; nil: nobody wants to know
}

// loop owns sessions, tabs and panes. One goroutine runs it; everything
// reaches it as a message, and it never waits for anything but the next one.
type loop struct {
	o      loopOptions
	log    *slog.Logger
	ids    *identities
	mail   queue
	pace   *term.Pace
	eyes   *optics // what the panes' eyes share
	trusts trusts  // files of projects that may be used

	audit auditor // what was done to panes, and by whom

	// index is the panes' screens for those who draw and type: replaced whole
	// by the loop, read by anybody.
	index atomic.Pointer[map[layout.PaneID]*paneScreen]
	ended chan struct{} // closed when run returns

	unusable atomic.Int64 // payloads of hooks that were of no use

	// Everything below is owned by the loop.
	config    config
	panes     map[layout.PaneID]*pane
	tabs      map[ui.TabID]*tab
	sessions  []*session
	clients   map[string]*attached
	order     []*attached // as they came
	subs      map[*subscription]struct{}
	nicks     nickBook
	seq       uint64
	dirty     bool // something below a session changed
	flushed   time.Time
	leaving   []*term.Pane // closed, perhaps not gone yet
	tabSerial int
	lived     bool                 // a session had a pane
	coming    int                  // panes whose worktree is being made
	files     lifecycle.FileClaims // which agents have changed what
	// lastColors are those of the terminal that told them last.
	lastColors term.Colors
	turns      lifecycle.Coalescer                   // changes of agents that are to be announced
	due        time.Time                             // when an agent's state changes by time alone; zero: never
	traffic    lifecycle.Traffic                     // messages between agents
	grants     map[pair]grant                        // what persons allowed agents
	handoffs   []*handoff                            // tasks that were given, as they came
	handles    lifecycle.Registry                    // of agents that were started, and of prompts
	watchers   map[string]map[chan struct{}]struct{} // who waits for a prompt
	countAt    time.Time                             // of the next census; zero: nobody is to be counted
	natives    natives
}

// newLoop returns a loop that takes messages and does nothing until it runs.
func newLoop(o loopOptions) *loop {
	if o.log == nil {
		o.log = slog.New(slog.DiscardHandler)
	}
	if o.ids == nil {
		o.ids = newIdentities()
	}
	if o.wrote == nil {
		o.wrote = func() {}
	}
	if o.grace == 0 {
		o.grace = 2 * time.Second
	}
	l := &loop{o: o, log: o.log, ids: o.ids, config: o.config, pace: &term.Pace{Flood: o.flood},
		mail: queue{wake: make(chan struct{}, 1)}, ended: make(chan struct{}),
		panes: map[layout.PaneID]*pane{}, tabs: map[ui.TabID]*tab{},
		clients: map[string]*attached{}, subs: map[*subscription]struct{}{}, watchers: map[string]map[chan struct{}]struct{}{},
		grants: map[pair]grant{}, audit: auditor{log: o.log}}
	if o.state != "" {
		l.audit.path = o.state + ".audit.jsonl"
	}
	l.eyes, l.turns.Window = newOptics(o.log), turnWindow
	if o.state != "" {
		l.trusts.path = o.state + ".trusted"
	}
	l.index.Store(&map[layout.PaneID]*paneScreen{})
	l.recall()
	return l
}

// run is the loop. It ends with the context, after every pane has gone.
func (l *loop) run(ctx context.Context) {
	defer close(l.ended)
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			l.shutDown()
			return
		case <-l.mail.wake:
		case <-timer.C:
		}
		for _, f := range l.mail.take() {
			l.do(f)
		}
		l.do(l.tick)
		if l.dirty && time.Since(l.flushed) >= flushRest {
			l.do(l.flush)
		}
		if next := l.next(); next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(max(time.Until(next), 0))
		}
	}
}

// do carries out one message. A panic in it costs that message.
func (l *loop) do(f func()) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(l.log, "message failed", p)
		}
	}()
	f()
}

// post hands the loop a message and returns at once; false when it has ended.
func (l *loop) post(f func()) bool { return l.mail.put(f) }

// errStopping is what verbs say while the server ends.
var errStopping = &wire.Error{Code: wire.CodeStopping, Message: "the server is stopping"}

// call hands the loop a question and waits for the answer. The loop itself
// must not use it.
func call[T any](ctx context.Context, l *loop, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	got := make(chan answer, 1)
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if !l.post(func() {
		a := answer{err: errors.New("a fault in deck; its log tells where")}
		defer func() { got <- a }()
		a.value, a.err = f()
	}) {
		return none, errStopping
	}
	select {
	case a := <-got:
		return a.value, a.err
	case <-l.ended:
	}
	// What was asked may be what ended the loop: closing the last pane is. The
	// context is not waited for, since that ends then, too, and the loop is
	// always quick.
	select {
	case a := <-got:
		return a.value, a.err
	default:
		return none, errStopping
	}
}

// publish replaces the index.
func (l *loop) publish(change func(map[layout.PaneID]*paneScreen)) {
	next := maps.Clone(*l.index.Load())
	change(next)
	l.index.Store(&next)
}

// screen returns the emulator of a pane, nil when the pane is gone. It may be
// called from any goroutine.
func (l *loop) screen(id layout.PaneID) ui.Screen {
	if s, ok := (*l.index.Load())[id]; ok {
		return s
	}
	return nil
}

// input gives a token to the program of a pane. It may be called from any
// goroutine and does not wait.
func (l *loop) input(client string, id layout.PaneID, tok ui.Token) {
	s, ok := (*l.index.Load())[id]
	if !ok {
		return
	}
	s.looked.typed(tok.Raw)
	l.felt(id, s, tok)
	if err := s.Input(tok); errors.Is(err, term.ErrFull) {
		l.post(func() { l.notice(client, "input lost: "+err.Error(), true) })
	}
}

// shutDown ends every pane and tells everybody.
func (l *loop) shutDown() {
	defer func() {
		if err := sweepFiles(l.o.state); err != nil {
			l.log.Warn("generated files stay", "err", err)
		}
	}()
	for _, f := range l.mail.close() {
		l.do(f)
	}
	for _, a := range l.order {
		a.sink.exit(wire.Exit{Reason: "stopped", Message: "server stopped", Code: 0})
	}
	for _, p := range l.panes {
		if p.term == nil {
			continue // on its way; whoever starts it closes it
		}
		p.agent.death.stop()
		p.watch.stop()
		p.term.Close()
		l.leaving = append(l.leaving, p.term)
	}
	for s := range l.subs {
		s.end()
	}
	l.lastNatives()
	l.audit.flush()
	limit := time.NewTimer(l.o.grace + stopLimit)
	defer limit.Stop()
	for _, p := range l.leaving {
		select {
		case <-p.Done():
		case <-limit.C:
			l.log.Warn("panes outlive the server")
			return
		}
	}
}

// queue is what waits for the loop. It has no bound of its own: panes coalesce
// what they say, clients are served in turn, verbs wait for their answers.
type queue struct {
	mu      sync.Mutex
	waiting []func() // guarded by mu
	closed  bool     // guarded by mu
	wake    chan struct{}
}

// put adds a message; false when the loop has ended.
func (q *queue) put(f func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.waiting = append(q.waiting, f)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return true
}

// take returns everything that waits, in order.
func (q *queue) take() []func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	f := q.waiting
	q.waiting = nil
	return f
}

// close returns what is left; nothing is taken any more.
func (q *queue) close() []func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	f := q.waiting
	q.waiting = nil
	return f
}
