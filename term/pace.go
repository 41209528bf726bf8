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
	floodBytes = 32 << 10               // in a floodTime, are a flood
	floodRest  = 100 * time.Millisecond // after it, one goes on
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

// yield waits a little where another pane was typed into just before; it is for
// those that flood. It must be called without a lock.
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
	until time.Time // how long there is a flood; zero: there is none
}

// count counts what a reader got, and reports whether it is part of a flood.
func (m *meter) count(n int, c *Pace) bool {
	if c == nil {
		return false
	}
	m.bytes += n
	full := m.bytes >= floodBytes
	if !full && m.until.IsZero() {
		return false
	}
	now := time.Now()
	if full {
		if now.Sub(m.since) < floodTime {
			m.until = now.Add(floodRest)
			if c.Flood != nil {
				c.Flood()
			}
		}
		m.since, m.bytes = now, 0
	}
	if !now.Before(m.until) {
		m.until = time.Time{}
	}
	return !m.until.IsZero()
}
