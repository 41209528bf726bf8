package server

import (
	"errors"
	"os"
	"time"

	"deck/term/wire"
)

// take makes a terminal that came with the hello the client's, where that is
// possible; else the client relays.
func (c *client) take(f *os.File, a wire.Attach, pid int) {
	t, err := takeTerminal(f, a, pid)
	if err != nil {
		c.log.Info("terminal not taken", "pid", pid, "err", err)
		return
	}
	c.tty = t
	c.tell(wire.FrameTaken, nil)
}

// readTerminal reads a terminal that was passed, into one buffer: it reads on
// when the last bytes were dealt with.
func (c *client) readTerminal() {
	defer close(c.parked)
	buf := make([]byte, 16<<10)
	for {
		n, err := c.tty.read(buf)
		switch {
		case errors.Is(err, errAway):
			if !c.park() {
				return
			}
		case err != nil:
			c.hung <- err
			return
		default:
			select {
			case c.input <- buf[:n]:
			case <-c.done:
				return
			}
			select {
			case <-c.spare:
			case <-c.done:
				return
			}
		}
	}
}

// park waits until the terminal is to be read again, and reports false where
// it never is.
func (c *client) park() bool {
	for {
		select {
		case c.parked <- struct{}{}:
		case <-c.again:
			return true
		case <-c.done:
			return false
		}
	}
}

// show draws a frame on a terminal that was passed, as far as it takes it at
// once. While it is not deck's the frame counts as on its way.
func (c *client) show(frame []byte) bool {
	if c.released {
		c.withheld = true
		return false
	}
	n, ours := c.tty.write(frame)
	switch {
	case !ours:
		c.withheld = true
		return false
	case n < len(frame):
		c.out = append(c.out[:0], frame[n:]...)
		c.finish(c.out)
		return false
	}
	c.screen.Accepted(time.Now())
	return true
}

// withdraw stops reading and drawing a terminal, and gives it back as it was.
// last is given what was read before.
func (c *client) withdraw(last func([]byte)) {
	if c.writing {
		_ = c.tty.file.SetWriteDeadline(time.Now().Add(giveBackTime))
		if err := <-c.wrote; err != nil {
			c.log.Debug("frame cut", "err", err)
		}
		c.writing, c.withheld = false, true
	}
	c.stopReading(last)
	if c.released || c.screen == nil {
		return
	}
	if c.withheld {
		c.screen.Dropped()
	}
	c.tty.restore(c.screen.Leave())
}

// stopReading returns when the reader has stopped. last is given what it had
// read.
func (c *client) stopReading(last func([]byte)) {
	select {
	case <-c.again:
	default:
	}
	_ = c.tty.file.SetReadDeadline(time.Now())
	for {
		c.giveBuffer()
		select {
		case c.lent = <-c.input:
			last(c.lent)
		case <-c.parked:
			return
		}
	}
}

// release gives the terminal to a client that asks for it, as it does before
// it is stopped and before it ends.
func (c *client) release(now time.Time) {
	if c.tty == nil {
		return
	}
	for len(c.typed) > 0 {
		c.typing(now)
	}
	c.withdraw(func(p []byte) { c.screen.Input(p, now) })
	c.tty.drain(c.owes)
	c.released = true
	c.tell(wire.FrameRelease, nil)
}

// owes tells whether answers are missing. A screen that failed may fail again.
func (c *client) owes(p []byte) (more bool) {
	defer func() {
		if v := recover(); v != nil {
			logPanic(c.log, "client failed", v)
		}
	}()
	return c.screen != nil && c.screen.Owes(p, time.Now())
}

// takeAgain goes on with a terminal that was released, or that another job had.
func (c *client) takeAgain(now time.Time) {
	if c.tty == nil {
		return
	}
	c.withdraw(func(p []byte) { c.screen.Input(p, now) })
	c.tty.noteModes()
	c.released = false
	if c.withheld {
		c.withheld = false
		c.screen.Accepted(now)
	}
	_ = c.tty.file.SetReadDeadline(time.Time{})
	c.again <- struct{}{}
}

// leaveTerminal ends a client whose terminal was passed. That of one that was
// killed is given back as completely as the client would have done it. Nothing
// is read any more when the client hears of the end, or it would be lost to
// whatever reads the terminal next.
func (c *client) leaveTerminal(exit wire.Exit, written <-chan struct{}) {
	_ = c.tty.file.SetWriteDeadline(time.Now().Add(giveBackTime))
	<-written
	if c.writing && <-c.wrote != nil {
		c.withheld = true
	}
	c.writing = false
	c.withdraw(func(p []byte) { c.owes(p) })
	gone := exit.Reason == "gone"
	if !c.released {
		c.tty.drain(c.owes)
	}
	if gone && !c.released {
		c.tty.resetModes()
	}
	c.tty.close()
	if !gone {
		c.say(exit)
	}
}
