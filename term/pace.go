package term

import (
	"sync/atomic"
	"time"
)

// Pace is shared by the panes of a server. It remembers when a person last
// typed and into which pane, so that the others give way for a moment: a
// flooding neighbour would otherwise sit on the processor that the echo of the
// key needs.
type Pace struct {
	// Flood is called, often and by any goroutine, while a program writes much
	// at a time; nil where nobody wants to know.
	Flood func()

	last atomic.Int64 // nanoseconds since start
	pane atomic.Pointer[Pane]
}

const (
	yieldFor  = 60 * time.Millisecond // after a key
	yieldStep = 2 * time.Millisecond  // before each read of another pane

	floodTime  = 10 * time.Millisecond
	floodBytes = 32 << 10 // in a floodTime, are a flood
)

var start = time.Now()

// typed notes that a person just used a pane.
func (c *Pace) typed(p *Pane) {
	if c == nil {
		return
	}
	c.pane.Store(p)
	c.last.Store(int64(time.Since(start)))
}

// yield waits a little where another pane was typed into just before. It must
// be called without a lock.
func (c *Pace) yield(p *Pane) {
	if c == nil || c.pane.Load() == p {
		return
	}
	last := c.last.Load()
	if last != 0 && time.Since(start)-time.Duration(last) < yieldFor {
		time.Sleep(yieldStep)
	}
}

// meter tells a flood from what programs draw all day; one reader's.
type meter struct {
	since time.Time
	bytes int
}

// count counts what a reader got.
func (m *meter) count(n int, c *Pace) {
	if c == nil || c.Flood == nil {
		return
	}
	if m.bytes += n; m.bytes < floodBytes {
		return
	}
	now := time.Now()
	if now.Sub(m.since) < floodTime {
		c.Flood()
	}
	m.since, m.bytes = now, 0
}
