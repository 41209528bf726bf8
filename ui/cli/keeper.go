package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"deck/term/wire"
)

// keeper stays with a terminal that the server reads and draws itself: it tells
// sizes, hears signals, keeps the modes, and gives the terminal back where the
// server cannot.
type keeper struct {
	*attachment
	released chan struct{} // capacity 1: the server gave the terminal back
	gone     chan struct{} // closed when the server says nothing more
	left     bool          // the server need not be asked for the terminal
	late     bool          // the terminal may still answer what the server asked
}

// releaseTime is how long a server may take to give a terminal back; it waits
// for one that has stalled and for one that owes answers.
const releaseTime = 2 * time.Second

func newKeeper(a *attachment) *keeper {
	a.tty.unwatch()
	return &keeper{attachment: a, released: make(chan struct{}, 1), gone: make(chan struct{})}
}

// run waits until something ends it.
func (k *keeper) run(ctx context.Context, signals <-chan os.Signal, told wire.Size) (wire.Exit, error) {
	var aside sync.WaitGroup
	defer func() {
		k.giveBack()
		k.stream.Close()
		aside.Wait()
		k.tty.close()
	}()
	aside.Go(func() { k.guard(k.hear) })
	aside.Go(func() { k.guard(func() { k.sizes(told) }) })
	defer close(k.winch)
	return k.listen(ctx, signals, k.pause, k.resume)
}

// abandon ends an attach that has not come about for the client. The server may
// have taken the terminal already.
func (a *attachment) abandon() {
	if a.stream != nil {
		defer a.stream.Close()
	}
	if a.tty == nil {
		return
	}
	defer a.tty.close()
	switch {
	case a.tty.saved == nil: // it was not made ready
	case a.stream != nil && a.stream.Took():
		k := newKeeper(a)
		go k.guard(k.hear)
		k.giveBack()
	default:
		a.tty.leave(&sync.Mutex{})
		a.tty.restore(true)
	}
}

// hear reads what the server says.
func (k *keeper) hear() {
	defer close(k.gone)
	for {
		t, p, err := k.stream.Read()
		if err != nil {
			k.end(ending{err: fmt.Errorf("%w: %w", errLost, err)})
			return
		}
		switch t {
		case wire.FrameRelease:
			notify(k.released)
		case wire.FrameExit:
			notify(k.released) // it has let go of the terminal before
			var e wire.Exit
			if err := json.Unmarshal(p, &e); err != nil {
				err = fmt.Errorf("the server's last words: %w", err)
				k.end(ending{err: err})
				return
			}
			k.end(ending{exit: e})
			return
		}
	}
}

// release asks the server for the terminal, and takes it where the server does
// not answer.
func (k *keeper) release() {
	if k.left {
		return
	}
	k.left = true
	go func() { _ = k.stream.Release() }() // may wait for a server that does not read
	select {
	case <-k.released:
		return
	case <-k.gone:
		select {
		case <-k.released:
			return
		default:
		}
	case <-time.After(releaseTime):
		k.tty.dropOutput()
	}
	k.tty.leave(&sync.Mutex{})
	k.late = true
}

// giveBack makes the terminal what it was. Every way out leads through here.
func (k *keeper) giveBack() {
	k.release()
	k.tty.restore(k.late)
}

// pause gives the terminal back and stops this process, as a shell's job
// control wants it; resume goes on.
func (k *keeper) pause() {
	k.release()
	k.tty.restore(k.late)
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
}

// resume takes the terminal again after the process was stopped, by pause or by
// somebody else. The server undoes what it finds of its own.
func (k *keeper) resume() {
	k.left, k.late = false, false
	select {
	case <-k.released:
	default:
	}
	k.again()
}
