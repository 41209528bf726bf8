package term

import "sync"

const (
	maxInput   = 32 << 20 // bytes that may wait for a program that does not read
	maxReplies = 1 << 20  // beyond this much waiting, replies are dropped
	writeSize  = 64 << 10 // bytes of one write
	keepBuffer = 1 << 20  // a larger buffer is given back once it is empty
)

// outbox is what waits to be written to a program: bounded, and never in the
// way of whoever fills it.
type outbox struct {
	mu      sync.Mutex
	pending []byte        // guarded by mu
	size    int           // guarded by mu: pending and what is being written
	closed  bool          // guarded by mu
	typed   uint64        // guarded by mu: how often a person or a verb typed
	wake    chan struct{} // capacity 1
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

// put queues a copy of b and reports whether there was room for it under the
// limit; all of it is queued or nothing.
func (o *outbox) put(b []byte, limit int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.size+len(b) > limit {
		return false
	}
	o.pending = append(o.pending, b...)
	o.size += len(b)
	o.signal()
	return true
}

// turn says whose input is given.
type turn struct {
	typed bool   // somebody types it: it counts
	only  bool   // it is given only if nobody has typed
	after uint64 // this count
}

// give is put for bytes that somebody waits for: as much of them as goes at once
// is written by now, which must not wait, unless others are before them.
func (o *outbox) give(b []byte, limit int, t turn, now func([]byte) int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case t.only && o.typed != t.after:
		return ErrTyped
	case o.closed || o.size+len(b) > limit:
		return ErrFull
	case t.typed:
		o.typed++
	}
	if o.size == 0 {
		b = b[now(b):]
	}
	if len(b) > 0 {
		o.pending = append(o.pending, b...)
		o.size += len(b)
		o.signal()
	}
	return nil
}

// count returns how often somebody typed.
func (o *outbox) count() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.typed
}

// signal wakes the writer; one value is enough however much was put.
func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// take waits for something to write and exchanges it for the empty buffer
// spare. It returns false when the outbox was closed.
func (o *outbox) take(spare []byte) ([]byte, bool) {
	for {
		o.mu.Lock()
		if o.closed {
			o.mu.Unlock()
			return nil, false
		}
		if len(o.pending) > 0 {
			out := o.pending
			if cap(spare) > keepBuffer {
				spare = nil
			}
			o.pending = spare[:0]
			o.mu.Unlock()
			return out, true
		}
		o.mu.Unlock()
		<-o.wake
	}
}

// wrote makes room for n more bytes.
func (o *outbox) wrote(n int) {
	o.mu.Lock()
	o.size -= n
	o.mu.Unlock()
}

// close drops what waits and ends the writer.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.signal()
}

// writeNow writes what the program's terminal takes at once, and returns how
// much that was. Nobody else may be writing.
func (p *Pane) writeNow(b []byte) int {
	n := 0
	conn, err := p.pty.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Write(func(fd uintptr) bool {
		n, _ = writeNow(fd, b)
		return true
	})
	return max(n, 0)
}

// write is the pane's writer: it alone waits for the program to read. What
// cannot be written because the program is gone is dropped.
func (p *Pane) write() {
	defer close(p.written)
	var spare []byte
	for {
		buf, ok := p.out.take(spare)
		if !ok {
			return
		}
		for rest := buf; len(rest) > 0; {
			n := min(len(rest), writeSize)
			_, _ = p.pty.Write(rest[:n])
			p.out.wrote(n)
			rest = rest[n:]
		}
		spare = buf
	}
}
