package term

import "time"

// quiet is how long a program must not have written before its history is
// compressed: what is compressed while it writes would slow it down.
const quiet = 10 * time.Second

// cooling is when a pane's history is compressed; guarded by Pane.mu.
type cooling struct {
	timer *time.Timer // not nil: it will be looked at
	seen  uint64      // the generation when it was looked at last
}

// coolLater sees to it that a history that grew is compressed once the program
// is quiet; mu is held. A pane with nothing to compress has no timer.
func (p *Pane) coolLater() {
	if c := &p.cooling; c.timer == nil && !p.stopped && p.em.Compressible() {
		c.seen, c.timer = p.em.Generation(), time.AfterFunc(quiet, p.cool)
	}
}

// cool compresses the history where the program was quiet, block by block, so
// that nobody waits for the emulator longer than for one.
func (p *Pane) cool() {
	for more := true; more; {
		p.locked(func() { more = p.coolOne() })
	}
}

// coolOne compresses one block, and reports whether there are more; mu is held.
func (p *Pane) coolOne() bool {
	c := &p.cooling
	if p.stopped {
		return false
	}
	if gen := p.em.Generation(); gen != c.seen {
		c.seen = gen
		c.timer.Reset(quiet)
		return false
	}
	p.em.Compress()
	if !p.em.Compressible() {
		c.timer = nil
		return false
	}
	return true
}

// stayWarm ends it; mu is held.
func (p *Pane) stayWarm() {
	if p.cooling.timer != nil {
		p.cooling.timer.Stop()
	}
}
