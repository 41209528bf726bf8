package term

import (
	"sync"
	"time"
)

// resizeRest is how long a pane keeps a size before it takes the next: a
// window that is dragged sends hundreds, and each makes a program redraw.
const resizeRest = 30 * time.Millisecond

// resizer holds the newest size that was asked for.
type resizer struct {
	mu         sync.Mutex
	cols, rows int         // guarded by mu: wanted
	done       [2]int      // guarded by mu: in force
	timer      *time.Timer // guarded by mu: not nil while a size rests
	stopped    bool        // guarded by mu
}

// Resize asks for a size in cells, at least 1×1. It returns at once; the
// newest size wins.
func (p *Pane) Resize(cols, rows int) {
	r := &p.size
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cols, r.rows = clampSize(cols, rows)
	if r.timer == nil && !r.stopped && [2]int{r.cols, r.rows} != r.done {
		r.timer = time.AfterFunc(0, p.applySize)
	}
}

// maxSide bounds a pane's size; TIOCSWINSZ has 16 bits.
const maxSide = 2000

func clampSize(cols, rows int) (int, int) {
	return min(max(cols, 1), maxSide), min(max(rows, 1), maxSide)
}

// applySize puts the newest size in force and looks again after a rest.
func (p *Pane) applySize() {
	r := &p.size
	r.mu.Lock()
	want := [2]int{r.cols, r.rows}
	if r.stopped || want == r.done {
		r.timer = nil
		r.mu.Unlock()
		return
	}
	r.done = want
	r.mu.Unlock()
	p.resize(want[0], want[1])
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		r.timer = time.AfterFunc(resizeRest, p.applySize)
	}
}

// resize changes the emulator first and the PTY under the same lock, so that
// nothing written for the new size meets the old grid.
func (p *Pane) resize(cols, rows int) {
	p.locked(func() {
		p.cols, p.rows = cols, rows
		p.em.Resize(cols, rows)
		p.redrawn = p.base + p.em.Generation()
		if p.pty != nil {
			_ = p.setSize(cols, rows)
		}
	})
}

func (r *resizer) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	if r.timer != nil {
		r.timer.Stop()
	}
}
