package term

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// drainLimit is how long an exit may go unnoticed because children of the
// program still hold its terminal.
const drainLimit = 100 * time.Millisecond

// Exit is how a program ended.
type Exit struct {
	Code   int    // its exit status; 128+n after signal n; 127 if it was never started
	Signal int    // the signal that killed it, else 0
	Reason string // why it could not be started, else empty
}

// String returns it in words: "exit 0", "killed by signal 9".
func (e Exit) String() string {
	switch {
	case e.Reason != "":
		return e.Reason
	case e.Signal != 0:
		return fmt.Sprintf("killed by signal %d", e.Signal)
	}
	return fmt.Sprintf("exit %d", e.Code)
}

// Exited returns a channel that is closed once the program has ended and what
// it wrote has been read.
func (p *Pane) Exited() <-chan struct{} { return p.exited }

// Ended returns how the program ended, and false while it runs.
func (p *Pane) Ended() (Exit, bool) {
	select {
	case <-p.exited:
		return p.exit, true
	default:
		return Exit{}, false
	}
}

// wait reaps the program.
func (p *Pane) wait() {
	awaitExit(p.PID())
	err := p.cmd.Wait()
	p.remnant.Store(p.hasRemnant())
	p.reaped.Store(true)
	limit := time.NewTimer(drainLimit)
	defer limit.Stop()
	select {
	case <-p.drained:
	case <-limit.C:
	}
	p.exit = exitOf(err)
	close(p.exited)
	p.wakeAll()
	p.notify()
}

// exitOf reads what Wait returned. Anything but an exit status is a fault of the
// system, told in its own words.
func exitOf(err error) Exit {
	if err == nil {
		return Exit{}
	}
	var ee *exec.ExitError
	if errors.As(err, &ee) {
		if ws, ok := ee.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			return Exit{Code: 128 + int(ws.Signal()), Signal: int(ws.Signal())}
		}
		return Exit{Code: ee.ExitCode()}
	}
	return Exit{Code: 1, Reason: err.Error()}
}
