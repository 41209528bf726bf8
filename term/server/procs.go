package server

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// mostProcs is the least GOMAXPROCS of a server that has much to do. A
	// goroutine that floods holds its processor for up to 10 ms; with more of
	// them than there are cores, the kernel shares the cores out in finer pieces.
	mostProcs = 8
	// calmProcs is for the rest of the time: with a second one the runtime wakes a
	// thread for every goroutine that becomes ready, to look for work that there
	// is not. Measured, that is a fifth of a key's way to its echo and a third of
	// what panes cost that do little.
	calmProcs = 1
	// busyFor is how long a server stays busy after the last reason for it.
	busyFor = 2 * time.Second
	// quietFor is how long no program writes until a calm server rests.
	quietFor = 5 * time.Second
	// restEvery is the least time between the beginnings of two rests: each costs
	// a collection, and the runtime has one as often on its own.
	restEvery = 2 * time.Minute
	// stirFor is how long a rest goes on after its end: what ended it may be a key.
	stirFor = time.Second
)

// procs follows how much the server has to do. A nil one does nothing.
type procs struct {
	set  func(int) int // runtime.GOMAXPROCS
	heap collector
	last atomic.Int64 // nanoseconds since began: the newest reason to be busy
	high atomic.Bool  // written under mu

	stirred atomic.Bool // a program wrote since the timer last looked

	began   time.Time
	mu      sync.Mutex
	timer   *time.Timer // calls tick
	resting bool        // guarded by mu
	rested  time.Time   // guarded by mu: when the last rest began; zero: never
	most    int
}

// newProcs returns procs that are busy. A nil set leaves the runtime alone.
func newProcs(set func(int) int, heap collector) *procs {
	if set == nil {
		return nil
	}
	p := &procs{set: set, heap: heap, began: time.Now(), most: max(set(0), mostProcs)}
	p.timer = time.AfterFunc(busyFor, p.tick)
	p.busy()
	return p
}

// busy says that there is or may be much to do for a while. It is cheap where
// that is known already. Any goroutine.
func (p *procs) busy() {
	if p == nil {
		return
	}
	p.last.Store(int64(time.Since(p.began)))
	if p.high.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.high.Load() {
		return
	}
	p.high.Store(true)
	p.wake()
	p.set(p.most)
	p.timer.Reset(busyFor)
}

// stir says that a program wrote something. It is cheap where that is known
// already. Any goroutine.
func (p *procs) stir() {
	if p == nil || p.stirred.Load() || p.stirred.Swap(true) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.resting {
		p.timer.Reset(stirFor)
	}
}

// wake ends a rest; mu is held.
func (p *procs) wake() {
	if p.resting {
		p.resting = false
		p.heap.resume()
	}
}

// tick is called when the server may have come to rest.
func (p *procs) tick() {
	if p.mayRest() {
		p.heap.collect()
		p.rest()
	}
}

// mayRest takes the next step towards a rest, and reports whether that is the
// last one.
func (p *procs) mayRest() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	stirred := p.stirred.Swap(false)
	switch left := busyFor - (time.Since(p.began) - time.Duration(p.last.Load())); {
	case p.high.Load() && left > 0:
		p.timer.Reset(left)
	case p.high.Load():
		p.high.Store(false)
		p.set(calmProcs)
		p.timer.Reset(quietFor)
	case stirred || p.resting:
		p.wake()
		p.timer.Reset(quietFor)
	case !p.rested.IsZero() && time.Since(p.rested) < restEvery:
		p.timer.Reset(restEvery - time.Since(p.rested))
	default:
		return true
	}
	return false
}

// rest lets the garbage lie: there is none to speak of, but the runtime would
// wake every other minute to look for it. Nothing else wakes it then.
func (p *procs) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rested = time.Now()
	switch {
	case p.high.Load():
	case p.stirred.Load():
		p.timer.Reset(quietFor)
	default:
		p.resting = true
		p.heap.pause()
	}
}

// stop leaves the runtime busy.
func (p *procs) stop() {
	if p == nil {
		return
	}
	p.busy()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer.Stop()
}

// around makes every request a reason to be busy: some search long histories.
func (p *procs) around(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.busy()
		h.ServeHTTP(w, r)
	})
}
