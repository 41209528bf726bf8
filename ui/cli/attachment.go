package cli

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"syscall"

	"deck/term/wire"
)

// attachment is a terminal and the server that it is attached to.
type attachment struct {
	tty    *terminal
	stream *wire.Stream
	ended  chan ending   // the first one counts
	winch  chan struct{} // capacity 1: the size is to be sent
	fresh  atomic.Bool   // the server is to draw everything again
}

// ending is why an attachment ends.
type ending struct {
	exit wire.Exit
	err  error
}

// listen hears signals until something ends the attachment.
func (a *attachment) listen(ctx context.Context, signals <-chan os.Signal, pause, resume func()) (wire.Exit, error) {
	notify(a.winch)
	for {
		select {
		case e := <-a.ended:
			return e.exit, e.err
		case <-ctx.Done():
			return wire.Exit{}, ctx.Err()
		case s := <-signals:
			switch s {
			case syscall.SIGWINCH:
				notify(a.winch)
			case syscall.SIGTSTP:
				pause()
			case syscall.SIGCONT:
				resume()
			default:
				return wire.Exit{}, bySignal(s)
			}
		}
	}
}

// again takes the terminal after a stop, and has everything drawn anew.
func (a *attachment) again() {
	if err := a.tty.raw(); err != nil {
		a.end(ending{err: err})
		return
	}
	a.fresh.Store(true)
	notify(a.winch)
}

// sizes sends the newest size after each wake. It has a goroutine of its own
// because a server that does not read must not stop signals from being heard.
func (a *attachment) sizes(told wire.Size) {
	for range a.winch {
		z := a.tty.size()
		z.Fresh = a.fresh.Swap(false)
		if z == told {
			continue
		}
		if err := a.stream.Resize(z); err != nil {
			continue
		}
		told = z
		told.Fresh = false
	}
}

// bySignal is the error of a client that a signal ended.
func bySignal(s os.Signal) error { return fmt.Errorf("ended by a signal: %s", s) }

// notify wakes whoever waits on a channel of one.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// end ends the attachment; only the first reason is heard.
func (a *attachment) end(e ending) {
	select {
	case a.ended <- e:
	default:
	}
}

// guard runs one of the goroutines: a fault in it must not leave the terminal
// raw.
func (a *attachment) guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			a.end(ending{err: fmt.Errorf("bug: %v: %s", p, debug.Stack())})
		}
	}()
	f()
}
