package server

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"deck/lifecycle/detect"
	"deck/term"
)

const (
	// settleTime lets a program that has just begun to draw come to an end of it.
	settleTime = 25 * time.Millisecond
	// sightRest is the least time between two looks at one screen.
	sightRest = 100 * time.Millisecond
	// heldRest is how long a synchronized update is waited for.
	heldRest = 25 * time.Millisecond
	// maxLooking is how many screens are judged at the same time.
	maxLooking = 2
)

// optics is what all eyes share.
type optics struct {
	rules atomic.Pointer[detect.Set]
	slots chan struct{}
	log   *slog.Logger
}

func newOptics(log *slog.Logger) *optics {
	return &optics{slots: make(chan struct{}, maxLooking), log: log}
}

// set returns the screen rules that are in force.
func (o *optics) set() *detect.Set {
	if s := o.rules.Load(); s != nil {
		return s
	}
	return detect.Builtin()
}

// subject is what a screen is looked at for. It is a value: the loop makes a new
// one when anything of it changes.
type subject struct {
	agent      string
	generation uint64 // of the agent
	progress   int    // state of its progress bar (OSC 9;4)
	percent    int
	shell      bool // a shell's prompt was the last that a shell marked
}

// sight is what a look at a screen came to.
type sight struct {
	subject subject
	gen     uint64 // of the pane's output
	typed   uint64 // what had been typed before it
	detect.Reading
}

// eyes follow what the agent of one pane shows. They look after output, some
// times a second at most, and once more after the last of it: an idle pane costs
// nothing, and one without an agent a glance at a flag.
type eyes struct {
	o     *optics
	saw   func(*term.Pane, sight)
	on    atomic.Pointer[subject] // nil: there is nothing to look for
	armed atomic.Bool             // a look is due

	looking sync.Mutex // held during a look
	last    seen       // guarded by looking

	mu      sync.Mutex
	pane    *term.Pane  // guarded by mu
	timer   *time.Timer // guarded by mu
	looked  time.Time   // guarded by mu
	stroke  stroke      // guarded by mu: the last key that was told
	stopped bool        // guarded by mu
}

// seen is what a look depends on; one that would see the same is left out.
type seen struct {
	subject *subject
	gen     uint64
	title   string
	typed   uint64
	rules   *detect.Set
}

// newEyes returns eyes that tell saw what they saw, from a goroutine of their
// own.
func newEyes(o *optics, saw func(*term.Pane, sight)) *eyes { return &eyes{o: o, saw: saw} }

// bind says which terminal is looked at.
func (e *eyes) bind(t *term.Pane) {
	e.mu.Lock()
	e.pane = t
	e.mu.Unlock()
}

// attend says what to look for, nil for nothing. The next look is due.
func (e *eyes) attend(s *subject) {
	e.on.Store(s)
	e.output()
}

// output says that the pane's program wrote something. Any goroutine.
func (e *eyes) output() {
	if e.on.Load() == nil || e.armed.Load() || !e.armed.CompareAndSwap(false, true) {
		return
	}
	e.arm(settleTime)
}

// arm makes a look come after a while, later where the last was a moment ago.
func (e *eyes) arm(after time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped {
		return
	}
	after = max(after, sightRest-time.Since(e.looked))
	if e.timer == nil {
		e.timer = time.AfterFunc(after, e.look)
		return
	}
	e.timer.Reset(after)
}

// stop ends them; a look that is under way is told to nobody.
func (e *eyes) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stopped = true
	if e.timer != nil {
		e.timer.Stop()
	}
}

// look runs on a timer's goroutine. It is disarmed first: output that comes
// while it looks asks for another look.
func (e *eyes) look() {
	e.armed.Store(false)
	defer func() {
		if p := recover(); p != nil {
			logPanic(e.o.log, "screen rules failed", p)
		}
	}()
	e.looking.Lock()
	defer e.looking.Unlock()
	e.o.slots <- struct{}{}
	defer func() { <-e.o.slots }()
	e.mu.Lock()
	t, stopped := e.pane, e.stopped
	e.mu.Unlock()
	s, rules := e.on.Load(), e.o.set()
	if t == nil || s == nil || stopped {
		return
	}
	typed := t.Typed()
	v := t.View()
	if v.Held {
		if e.armed.CompareAndSwap(false, true) {
			e.arm(heldRest)
		}
		return
	}
	e.mu.Lock()
	e.looked = time.Now()
	e.mu.Unlock()
	now := seen{s, v.Generation, v.Title, typed, rules}
	if now == e.last {
		return
	}
	e.last = now
	_, found := s.read(rules, v)
	e.saw(t, sight{subject: *s, gen: v.Generation, typed: typed, Reading: found})
}

// sighted takes what eyes saw.
func (l *loop) sighted(p *pane, t *term.Pane, s sight) {
	a := &p.agent
	if p.term != t || l.panes[p.id] != p || s.subject.generation != a.generation || a.sought == nil {
		return
	}
	a.mail.looked(s)
	for _, f := range a.saw(s.Reading, s.gen, time.Now()) {
		l.follow(p, f)
	}
	l.deliver(p)
}

// attend makes a pane's eyes look for what there is to see of its agent.
func (l *loop) attend(p *pane) {
	a := &p.agent
	st := a.life.Status()
	if st.Agent == "" || st.Exited {
		a.sought = nil
	} else {
		s := a.subject(st.Agent, a.generation)
		a.sought = &s
	}
	p.watch.eyes.attend(a.sought)
}
