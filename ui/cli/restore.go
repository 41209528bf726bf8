package cli

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// How long the way out may take. A terminal that has stalled must not keep the
// client alive, and one that is far away may still owe an answer.
const (
	drainTime  = time.Second
	leaveTime  = 500 * time.Millisecond
	answerTime = 300 * time.Millisecond
)

// giveBack makes the terminal what it was. Every way out leads through here.
func (r *relayer) giveBack() {
	r.quiet.Store(true)
	r.out.close()
	select {
	case <-r.done:
	case <-time.After(drainTime):
		// What is dropped may have been the server's own way out.
		r.tty.dropOutput()
		r.state.CompareAndSwap(untouched, drawn)
	}
	r.leave()
	// An answer that is still on its way would be typed into the shell.
	late := time.After(answerTime)
	for r.owed.Load() > 0 {
		select {
		case <-r.paid:
			continue
		case <-late:
		}
		break
	}
	r.tty.stopReading()
	r.tty.restore(r.owed.Load() > 0)
}

// leave undoes what the server did to the terminal, unless the server has.
func (r *relayer) leave() {
	if r.state.Swap(untouched) == untouched {
		return
	}
	r.tty.leave(&r.pen)
}

// pause gives the terminal back and stops this process, as a shell's job
// control wants it; resume goes on.
func (r *relayer) pause() {
	r.undo()
	r.tty.restore(true)
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
}

// resume takes the terminal again after the process was stopped, by pause or
// by somebody else, and has everything drawn anew.
func (r *relayer) resume() {
	r.undo()
	r.owed.Store(0)
	r.again()
}

// undo leaves the terminal before the server enters it again. Until that comes
// output is dropped; it shows only where there is an alternate screen to enter.
func (r *relayer) undo() {
	if r.state.Load() == alternate {
		r.muted.Store(true)
	}
	r.out.drop()
	r.leave()
}

// leave gives the terminal back as it was found, where the server may not have.
// pen is held meanwhile.
func (t *terminal) leave(pen sync.Locker) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		pen.Lock()
		defer pen.Unlock()
		_, _ = t.out.Write(leave(t.term))
	}()
	select {
	case <-written:
	case <-time.After(leaveTime):
		t.dropOutput()
	}
}
