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
)

// procs follows how much the server has to do. A nil one does nothing.
type procs struct {
	set  func(int) int // runtime.GOMAXPROCS
	last atomic.Int64  // nanoseconds since began: the newest reason to be busy
	high atomic.Bool   // written under mu

	began time.Time
	mu    sync.Mutex
	timer *time.Timer // guarded by mu
	most  int
}

// newProcs returns procs that are busy. A nil set leaves the runtime alone.
func newProcs(set func(int) int) *procs {
	if set == nil {
		return nil
	}
	p := &procs{set: set, began: time.Now(), most: max(set(0), mostProcs)}
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
	p.set(p.most)
	p.timer = time.AfterFunc(busyFor, p.calm)
}

// calm is called when the server may have come to rest.
func (p *procs) calm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := busyFor - (time.Since(p.began) - time.Duration(p.last.Load())); left > 0 {
		p.timer.Reset(left)
		return
	}
	p.high.Store(false)
	p.set(calmProcs)
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
