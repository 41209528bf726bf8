package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

const (
	readSize = 16 << 10 // bytes of one read, which is fed under one lock
	// holdLimit ends a synchronized update that its program does not end.
	holdLimit = 200 * time.Millisecond
)

// read is the pane's reader: it alone waits for the program to write.
func (p *Pane) read() {
	defer close(p.drained)
	r, err := newReader(p.pty)
	if err != nil {
		p.log.Error("pane not read", "pid", p.PID(), "err", err)
		return
	}
	var m meter
	for {
		b, err := r.next()
		if err != nil {
			// EIO: nobody has the other side open any more.
			return
		}
		flood := m.count(len(b), p.spec.Pace)
		p.feed(b)
		if !flood {
			// Who draws this goes first: to look for more takes a good part of an echo's
			// time, and mostly finds nothing. In a flood it would wake a thread in vain.
			runtime.Gosched()
		}
		if p.spec.Output != nil {
			p.spec.Output()
		}
		if flood {
			p.spec.Pace.yield(p)
		}
	}
}

// reader reads a descriptor that waits in the runtime's poller.
type reader struct {
	conn syscall.RawConn
	buf  []byte
	n    int
	err  error
	once func(fd uintptr) bool // a closure made once: reading allocates nothing
}

func newReader(f *os.File) (*reader, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	r := &reader{conn: conn, buf: make([]byte, readSize)}
	r.once = func(fd uintptr) bool {
		r.n, r.err = readNow(fd, r.buf)
		return !errors.Is(r.err, syscall.EAGAIN)
	}
	return r, nil
}

// next waits for bytes, which are valid until the next call.
func (r *reader) next() ([]byte, error) {
	for {
		if err := r.conn.Read(r.once); err != nil {
			return nil, err
		}
		switch {
		case errors.Is(r.err, syscall.EINTR):
		case r.err != nil:
			return nil, r.err
		case r.n == 0:
			return nil, io.EOF
		default:
			return r.buf[:r.n], nil
		}
	}
}

// feed gives the emulator bytes of the program.
func (p *Pane) feed(b []byte) { p.locked(func() { p.em.Write(b) }) }

// locked changes the emulator and sends what follows on its way: replies,
// events, wake-ups. A panic in the emulator costs this pane its screen and
// nothing else.
func (p *Pane) locked(change func()) {
	changed, events := p.change(change)
	if changed {
		p.wakeAll()
	}
	if events {
		p.notify()
	}
}

// change runs f under the lock and collects what came of it. Replies are queued
// under the same lock: their order is that of the queries, whoever caused them.
func (p *Pane) change(f func()) (changed, events bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.gen.Load()
	func() {
		defer p.recovered()
		f()
	}()
	if replies := p.em.TakeReplies(nil); len(replies) > 0 {
		p.out.put(replies, maxReplies)
	}
	if more := p.em.TakeEvents(); len(more) > 0 {
		p.eventMu.Lock()
		p.events = keepEvents(p.events, more)
		p.eventMu.Unlock()
		events = true
	}
	p.holdOrRelease()
	p.coolLater()
	p.publish()
	return p.gen.Load() != before, events
}

// recovered replaces an emulator that panicked. What was on the screen may be
// what broke it, so nothing of it is kept, and none of it is logged.
func (p *Pane) recovered() {
	r := recover()
	if r == nil {
		return
	}
	p.log.Error("emulator panicked", "pid", p.PID(), "panic", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
	s := p.spec
	s.Cols, s.Rows, s.CellW, s.CellH, s.Colors = p.now.cols, p.now.rows, p.now.cellW, p.now.cellH, p.now.colors
	p.base = p.gen.Load() + 1
	p.em = newEmulator(s)
	p.redrawn = p.base + p.em.Generation()
}

// publish makes the newest generation and modes known; mu is held.
func (p *Pane) publish() {
	modes := p.em.Modes()
	if m := keyModes(modes); m != *p.modes.Load() {
		p.modes.Store(&m)
	}
	if modes.Reverse != p.reverse {
		p.reverse, p.redrawn = modes.Reverse, p.base+p.em.Generation()
	}
	if !p.held {
		p.gen.Store(p.base + p.em.Generation())
	}
}

// holdOrRelease follows mode 2026; mu is held.
func (p *Pane) holdOrRelease() {
	sync := p.em.Modes().Sync
	switch {
	case sync && !p.held && !p.stopped:
		p.held = true
		p.hold = time.AfterFunc(holdLimit, p.letGo)
	case !sync:
		p.release()
	}
}

// release ends a hold; mu is held.
func (p *Pane) release() {
	if p.hold != nil {
		p.hold.Stop()
	}
	p.held, p.hold = false, nil
}

// letGo shows a synchronized update that took too long.
func (p *Pane) letGo() {
	p.locked(func() {
		if p.held {
			p.em.ReleaseSync()
		}
	})
}

// oneLine makes a sentence safe to show in one row.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
