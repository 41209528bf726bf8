package server

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"deck/hooks"
	"deck/term"
)

const (
	// lookQuiet lets a program that has just begun to write become itself.
	lookQuiet = 150 * time.Millisecond
	// lookRest is the least time between two looks at one pane.
	lookRest = 500 * time.Millisecond
	// maxTrust is how long a look is relied on at most where the same program
	// has the foreground ever since: a pane that draws all the time is not
	// searched for processes all the time.
	maxTrust = 4 * time.Second
)

// finding is what a look at the processes of a pane found.
type finding struct {
	program string // in the foreground
	dir     string // its working folder
	agent   string // what it or who runs it is known as, empty for others
	pid     int    // of the agent
}

// census follows which program has the foreground of one pane. It looks after
// output and after Enter, never on its own: an idle pane costs nothing.
type census struct {
	found func(*term.Pane, finding)
	armed atomic.Bool // a look is due; cheap to ask for every output
	eyes  *eyes       // look at what the same pane shows

	mu      sync.Mutex
	pane    *term.Pane    // guarded by mu
	timer   *time.Timer   // guarded by mu
	looked  time.Time     // guarded by mu
	last    finding       // guarded by mu
	group   int           // guarded by mu: in the foreground at the last whole look
	trust   time.Duration // guarded by mu: how long that one is relied on
	until   time.Time     // guarded by mu: when that ends
	again   *time.Timer   // guarded by mu: looks then
	stopped bool          // guarded by mu
}

// newCensus returns a census that tells found what it found, from a goroutine of
// its own and only when that changed.
func newCensus(found func(*term.Pane, finding), e *eyes) *census {
	return &census{found: found, eyes: e}
}

// bind says which terminal is followed.
func (c *census) bind(t *term.Pane) {
	c.mu.Lock()
	c.pane = t
	c.mu.Unlock()
	c.eyes.bind(t)
}

// output says that the pane's program wrote something. Any goroutine.
func (c *census) output() {
	c.eyes.output()
	c.due()
}

// due makes a look due.
func (c *census) due() {
	if c.armed.Load() || !c.armed.CompareAndSwap(false, true) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		c.timer = time.AfterFunc(max(lookQuiet, lookRest-time.Since(c.looked)), c.look)
	}
}

// typed says that a person typed something. Any goroutine.
func (c *census) typed(raw []byte) {
	if bytes.IndexByte(raw, '\r') >= 0 {
		c.doubt()
		c.due()
	}
}

// stop ends it; a look that is under way finds nothing any more.
func (c *census) stop() {
	c.eyes.stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	for _, t := range []*time.Timer{c.timer, c.again} {
		if t != nil {
			t.Stop()
		}
	}
}

// doubt makes the next look a whole one.
func (c *census) doubt() {
	c.mu.Lock()
	c.trust, c.until = 0, time.Time{}
	c.mu.Unlock()
}

// trusted reports whether the last whole look still holds, as far as a glance at
// who has the foreground tells. Then another one is due when its time is up.
func (c *census) trusted(t *term.Pane) bool {
	group := t.Foreground()
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.until.Sub(c.looked)
	if c.stopped || group == 0 || group != c.group || left <= 0 {
		c.group = group
		return false
	}
	if c.again == nil {
		c.again = time.AfterFunc(left, c.look)
	} else {
		c.again.Reset(left)
	}
	return true
}

// settle takes a finding and reports whether it is news. Each that is not makes
// the next one wait longer.
func (c *census) settle(f finding) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f != c.last {
		c.trust = 0
	}
	news := f != c.last && !c.stopped
	c.last = f
	c.trust = min(max(2*c.trust, lookRest), maxTrust)
	c.until = c.looked.Add(c.trust)
	return news
}

// askRest is the least time between two looks that reports ask for.
const askRest = 50 * time.Millisecond

// ask looks at once, unless that was done a moment ago. It must not be called by
// the loop.
func (c *census) ask() {
	c.mu.Lock()
	late := time.Since(c.looked) >= askRest
	c.mu.Unlock()
	if late {
		c.doubt()
		c.look()
	}
}

// look runs on a timer's goroutine. It is disarmed first: output that comes while
// it reads /proc asks for another look.
func (c *census) look() {
	c.armed.Store(false)
	c.mu.Lock()
	t := c.pane
	c.looked = time.Now()
	c.mu.Unlock()
	if t == nil || c.trusted(t) {
		return
	}
	if f := inspect(t); c.settle(f) {
		c.found(t, f)
	}
}

// inspect looks at the processes of a pane.
func inspect(t *term.Pane) finding {
	group := t.Foreground()
	if group == 0 {
		group = t.PID()
	}
	if group == 0 {
		return finding{}
	}
	p := processOf(group)
	f := finding{program: cleanText(programName(p), maxLabel), dir: p.dir}
	f.agent, f.pid = agentAmong(group, p, t.PID())
	return f
}

// agentAmong returns the agent that has a pane's foreground, and its process. It
// is the leader of the foreground group, or whoever runs that: of a tool that an
// agent gave the foreground, and of an agent within an agent, the outermost
// counts, up to the pane's own program. Else it is a relative of the leader in
// the same group: what a launcher has started, or another part of a pipeline.
func agentAmong(group int, leader process, root int) (agent string, pid int) {
	if a := hooks.Recognize(leader.comm, leader.argv); a != "" {
		agent, pid = a, group
	}
	for at, n := group, 0; at != root && n < maxAncestry; n++ {
		if at = parentOf(at); at <= 1 {
			break
		}
		if p, ok := readProcess(at); ok {
			if a := hooks.Recognize(p.comm, p.argv); a != "" {
				agent, pid = a, at
			}
		}
	}
	if agent != "" {
		return agent, pid
	}
	for _, q := range relatives(group, group != root) {
		if p, ok := readProcess(q); ok {
			if a := hooks.Recognize(p.comm, p.argv); a != "" {
				return a, q
			}
		}
	}
	return "", 0
}

// process is what the system tells of one process.
type process struct {
	comm string   // its name, which Linux cuts after 15 bytes
	argv []string // as it was started, or as it calls itself
	dir  string   // its working folder
}

// programName is the name of a process as a person would say it: not the part
// that a process plays ("tmux: client"), and not the thread that node is in.
func programName(p process) string {
	name, _, _ := strings.Cut(p.comm, ": ")
	if name == "MainThread" {
		name = ""
	}
	if len(p.argv) > 0 {
		base, _, _ := strings.Cut(filepath.Base(p.argv[0]), ": ")
		if base = strings.TrimPrefix(base, "-"); name == "" || strings.HasPrefix(base, name) {
			name = base
		}
	}
	return strings.TrimPrefix(name, "-")
}

// workingDir returns the folder of the program in a pane's foreground, empty
// if unknown.
func workingDir(t *term.Pane) string {
	for _, pid := range []int{t.Foreground(), t.PID()} {
		if pid == 0 {
			continue
		}
		if p := processOf(pid); p.dir != "" {
			if fi, err := os.Stat(p.dir); err == nil && fi.IsDir() {
				return p.dir
			}
		}
	}
	return ""
}
