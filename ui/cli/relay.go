package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"deck/term/wire"
)

// relayer moves bytes between a terminal and the server. It decides nothing
// about either, but it gives the terminal back on every way out.
type relayer struct {
	*attachment
	out   *outbox
	done  chan struct{} // closed when everything was written
	pen   sync.Mutex    // held to write to the terminal
	owed  atomic.Int32  // answers that the terminal owes to status requests
	paid  chan struct{} // capacity 1: owed went down
	quiet atomic.Bool   // input is read and not sent
	muted atomic.Bool   // output is dropped until the server enters again
	state atomic.Int32  // one of untouched, drawn, alternate
}

// What the server did to the terminal, as far as the relay can tell.
const (
	untouched = iota
	drawn     // it wrote something
	alternate // it switched to the alternate screen
)

// clientMemory is what a client may take: several times what it needs.
const clientMemory = 48 << 20

// letGarbageLie has nothing collected while there is room for it, and returns
// what ends that. A client that waits makes no garbage, but the runtime would
// wake every other minute to look for it.
func letGarbageLie() (end func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, clientMemory))
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}

// attachTo attaches a terminal and returns when either side ends it, the terminal
// as it was before.
func attachTo(ctx context.Context, conn *wire.Conn, tty *terminal, hello wire.Attach) (wire.Exit, error) {
	// One byte at a time wakes one goroutine after the other here. With a second
	// processor the runtime would wake a thread for each, to look for work that
	// there is not: measured, that is a fifth of a key's way to its echo. But one
	// that waits for keys inside the kernel would keep the only processor.
	if tty.own != nil {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	defer letGarbageLie()()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTSTP,
		syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT)
	defer signal.Stop(signals)
	return attachWith(ctx, conn, tty, hello, signals)
}

// attachWith is attachTo with the signals as an argument.
func attachWith(ctx context.Context, conn *wire.Conn, tty *terminal, hello wire.Attach, signals <-chan os.Signal) (wire.Exit, error) {
	attaching, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan os.Signal, 1)
	go watchAbort(attaching, signals, stopped, cancel)
	stream, err := conn.AttachPassing(attaching, hello, tty.pass)
	cancel()
	a := &attachment{tty: tty, stream: stream, ended: make(chan ending, 8), winch: make(chan struct{}, 1)}
	if s := <-stopped; s != nil {
		a.abandon()
		return wire.Exit{}, bySignal(s)
	}
	if err != nil {
		a.abandon()
		return wire.Exit{}, err
	}
	defer stream.Close()
	conn.Close() // what was asked before went another way, which would wake both ends once more
	var exit wire.Exit
	if stream.Took() {
		exit, err = newKeeper(a).run(ctx, signals, hello.Size)
	} else {
		exit, err = newRelayer(a).run(ctx, signals, hello.Size)
	}
	if errors.Is(err, errLost) {
		err = whyLost(ctx, conn)
	}
	return exit, err
}

func newRelayer(a *attachment) *relayer {
	return &relayer{attachment: a, out: newOutbox(), done: make(chan struct{}), paid: make(chan struct{}, 1)}
}

// errLost is a stream that ended without a word.
var errLost = errors.New("lost the server")

// whyTime is how long a server may take to answer, or to be gone.
const whyTime = 3 * time.Second

// whyLost says what became of a server that ended a stream without a word.
func whyLost(ctx context.Context, conn *wire.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, whyTime)
	defer cancel()
	_, err := conn.Hello(ctx)
	if errors.Is(err, wire.ErrGone) && conn.Gone(ctx) == nil {
		err = wire.ErrNoServer // it was about to end, and its socket the last of it
	}
	switch {
	case errors.Is(err, wire.ErrNoServer):
		return &hintedError{errors.New("the server died, and the programs in its panes with it"),
			`"deck server log" may tell why; "deck" starts a new one`}
	case err != nil:
		return fmt.Errorf("%w, and it does not answer: %w", errLost, err)
	}
	return &hintedError{errors.New("the server ended this connection"), `"deck" connects again`}
}

// watchAbort ends an attach that waits for the server when a person or the
// system wants the client gone. It sends exactly one value, nil for none.
func watchAbort(ctx context.Context, signals <-chan os.Signal, stopped chan<- os.Signal, cancel func()) {
	for {
		select {
		case s := <-signals:
			if s == syscall.SIGWINCH || s == syscall.SIGCONT || s == syscall.SIGTSTP {
				continue
			}
			stopped <- s
			cancel()
			return
		case <-ctx.Done():
			stopped <- nil
			return
		}
	}
}

// run moves bytes until something ends it.
func (r *relayer) run(ctx context.Context, signals <-chan os.Signal, told wire.Size) (wire.Exit, error) {
	if err := r.tty.raw(); err != nil {
		return wire.Exit{}, err
	}
	var aside sync.WaitGroup
	defer func() {
		r.giveBack()
		// A key or a size on its way to a server that does not read would hold
		// its goroutine for ever.
		r.stream.Close()
		aside.Wait()
		r.tty.close()
	}()
	aside.Go(func() { r.guard(r.keys) })
	aside.Go(func() { r.guard(r.frames) })
	aside.Go(func() { r.guard(func() { r.sizes(told) }) })
	go r.guard(r.draw) // may wait for a stalled terminal for ever
	defer close(r.winch)
	return r.listen(ctx, signals, r.pause, r.resume)
}
