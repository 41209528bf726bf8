package cli

import (
	"io"
	"sync"
)

// maxWaiting is how many bytes may wait for the terminal before the server is
// made to wait. The server paces itself long before that where the terminal
// answers it, so that its last words are read behind one that has stalled;
// where it does not, more would only be seen later.
const maxWaiting = 32 << 10

// outbox holds what the terminal has not taken yet. One goroutine puts, one
// takes, so that a terminal that stalls does not keep the stream from being
// read.
type outbox struct {
	mu      sync.Mutex
	changed sync.Cond // of mu
	waiting []byte    // guarded by mu
	spare   []byte    // guarded by mu; takes turns with waiting
	taken   bool      // guarded by mu; what was taken last may not be written yet
	closed  bool      // guarded by mu; nothing more will be put
}

// newOutbox returns an outbox in which nothing waits.
func newOutbox() *outbox {
	o := &outbox{}
	o.changed.L = &o.mu
	return o
}

// put adds bytes, and waits while there are too many. After close it drops
// them.
func (o *outbox) put(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) > maxWaiting && !o.closed {
		o.changed.Wait()
	}
	if o.closed {
		return
	}
	o.waiting = append(o.waiting, p...)
	o.changed.Broadcast()
}

// idle reports whether everything that was put has been written. Only whoever
// puts can rely on that for longer.
func (o *outbox) idle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.waiting) == 0 && !o.taken
}

// drop forgets what waits.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = o.waiting[:0]
	o.changed.Broadcast()
}

// take returns everything that waits, valid until the next take. It waits for
// more, and returns io.EOF when no more will come.
func (o *outbox) take() ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.taken = false
	for len(o.waiting) == 0 {
		if o.closed {
			return nil, io.EOF
		}
		o.changed.Wait()
	}
	p := o.waiting
	o.waiting, o.spare, o.taken = o.spare[:0], p, true
	o.changed.Broadcast()
	return p, nil
}

// close says that nothing more will be put.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.changed.Broadcast()
}
