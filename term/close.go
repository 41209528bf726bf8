package term

import (
	"syscall"
	"time"
)

// Close hangs up: everything in the pane's session gets SIGHUP, and what is
// left after the grace SIGKILL. It returns at once; see Done.
func (p *Pane) Close() { p.closing.Do(func() { go p.end() }) }

// Done returns a channel that is closed once Close has left nothing behind: no
// process, no descriptor, no goroutine.
func (p *Pane) Done() <-chan struct{} { return p.done }

// end is Close, in its order: the program first, while it can still be read
// and written, then the terminal, then the goroutines that wait on it.
func (p *Pane) end() {
	defer close(p.done)
	p.size.stop()
	if p.pty == nil {
		return
	}
	p.hangUp()
	p.out.close()
	p.pty.Close()
	<-p.written
	<-p.drained
	<-p.exited
	p.mu.Lock()
	p.stopped = true
	p.release()
	p.stayWarm()
	p.mu.Unlock()
}

// hangUp ends the session. The reader goes on meanwhile, so a program that
// writes its farewell is not held up by a full terminal.
func (p *Pane) hangUp() {
	p.signal(syscall.SIGHUP, syscall.SIGCONT)
	if p.gone(p.spec.Grace) {
		return
	}
	for range 50 {
		p.signal(syscall.SIGKILL)
		if p.gone(100 * time.Millisecond) {
			return
		}
	}
	p.log.Warn("processes outlive their pane", "session", p.PID())
}

// gone waits until no process is left in the session, limit at most.
func (p *Pane) gone(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	step := time.Millisecond
	for p.alive() {
		if time.Now().After(deadline) {
			return false
		}
		select {
		case <-p.exited:
			time.Sleep(step)
		case <-time.After(step):
		}
		step = min(2*step, 50*time.Millisecond)
	}
	return true
}

// alive reports whether the program or anything else of its session runs.
func (p *Pane) alive() bool { return !p.reaped.Load() || len(p.members()) > 0 }

// signal sends signals to every process of the session.
func (p *Pane) signal(signals ...syscall.Signal) {
	for _, pid := range p.members() {
		for _, s := range signals {
			_ = syscall.Kill(pid, s)
		}
	}
}

// members returns the processes of the pane's session. A session outlives its
// leader, and its number is not given out again while it does; once nothing
// was left of it, the number may be anybody's.
func (p *Pane) members() []int {
	sid := p.PID()
	if sid == 0 || p.reaped.Load() && !p.remnant.Load() {
		return nil
	}
	pids := sessionMembers(sid)
	if p.reaped.Load() {
		for _, pid := range pids {
			if pid == sid {
				return nil
			}
		}
	}
	return pids
}

// hasRemnant reports whether the program left processes behind.
func (p *Pane) hasRemnant() bool { return len(sessionMembers(p.PID())) > 0 }
