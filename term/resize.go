package term

import (
	"sync"
	"time"

	"deck/term/screen"
)

// resizeRest is how long a pane keeps a size before it takes the next: a
// window that is dragged sends hundreds, and each makes a program redraw.
const resizeRest = 30 * time.Millisecond

// resizer holds the newest size that was asked for.
type resizer struct {
	mu         sync.Mutex
	want, done size        // guarded by mu: asked for, and in force
	timer      *time.Timer // guarded by mu: not nil while a size rests
	stopped    bool        // guarded by mu
}

// size is a pane's size in cells, and that of a cell in pixels, 0 if unknown,
// and what else depends on the terminal that shows it.
type size struct {
	cols, rows, cellW, cellH int
	colors                   Colors
}

// Colors are those of a terminal: its own, and the first of its palette. What is
// screen.Default is not known.
type Colors struct {
	Fg, Bg, Cursor screen.Color
	Palette        [16]screen.Color
}

// Resize asks for a size in cells, at least 1×1. It returns at once; the
// newest size wins.
func (p *Pane) Resize(cols, rows int) {
	cols, rows = clampSize(cols, rows)
	p.wantSize(func(s *size) { s.cols, s.rows = cols, rows })
}

// SetCell says how big a cell is in pixels, 0 if that is not known.
func (p *Pane) SetCell(w, h int) {
	w, h = min(max(w, 0), maxCell), min(max(h, 0), maxCell)
	p.wantSize(func(s *size) { s.cellW, s.cellH = w, h })
}

// SetColors says what colours the terminal has, for programs that ask.
func (p *Pane) SetColors(c Colors) { p.wantSize(func(s *size) { s.colors = c }) }

// ResetModes takes back what the program switched on: for the shell that a
// program left behind when it died.
func (p *Pane) ResetModes() { p.locked(func() { p.em.ResetModes() }) }

// wantSize changes what is wanted. The change is made by a timer even when none
// has to rest: reflowing a long history takes longer than a caller may wait.
func (p *Pane) wantSize(change func(*size)) {
	r := &p.size
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.want)
	if r.timer == nil && !r.stopped && r.want != r.done {
		r.timer = time.AfterFunc(0, p.applySize)
	}
}

// The bounds of a pane's size; TIOCSWINSZ has 16 bits for pixels too.
const (
	maxSide = 2000
	maxCell = 256
)

// clampSize brings a size that came from outside within bounds.
func clampSize(cols, rows int) (int, int) {
	return min(max(cols, 1), maxSide), min(max(rows, 1), maxSide)
}

// applySize puts the newest size in force and looks again after a rest.
func (p *Pane) applySize() {
	r := &p.size
	r.mu.Lock()
	want := r.want
	if r.stopped || want == r.done {
		r.timer = nil
		r.mu.Unlock()
		return
	}
	r.done = want
	r.mu.Unlock()
	p.resize(want)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		r.timer = time.AfterFunc(resizeRest, p.applySize)
	}
}

// resize changes the emulator first and the PTY under the same lock, so that
// nothing written for the new size meets the old grid.
func (p *Pane) resize(s size) {
	p.locked(func() {
		if p.now.colors != s.colors {
			setColors(p.em, s.colors)
		}
		same := p.now.cols == s.cols && p.now.rows == s.rows && p.now.cellW == s.cellW && p.now.cellH == s.cellH
		p.now = s
		if same {
			return
		}
		p.em.SetPixels(s.cellW, s.cellH)
		p.em.Resize(s.cols, s.rows)
		p.redrawn = p.base + p.em.Generation()
		if p.pty != nil {
			_ = p.setSize(s)
		}
	})
}

// stop lets no size in any more.
func (r *resizer) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	if r.timer != nil {
		r.timer.Stop()
	}
}
