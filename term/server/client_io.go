package server

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// read takes frames off the socket until it ends. Its two buffers go round
// between it and the client's goroutine. Keys of a terminal that was passed do
// not come this way.
func (c *client) read(r io.Reader) {
	buf := make([]byte, 0, 4<<10)
	if c.tty == nil {
		c.spare <- make([]byte, 0, 4<<10)
	}
	for {
		t, payload, err := wire.ReadFrame(r, buf)
		if err != nil {
			c.gone <- err
			return
		}
		buf = payload
		switch t {
		case wire.FrameInput:
			if c.tty != nil {
				continue
			}
			select {
			case c.input <- payload:
			case <-c.done:
				return
			}
			select {
			case buf = <-c.spare:
			case <-c.done:
				return
			}
		case wire.FrameSize:
			var s wire.Size
			if json.Unmarshal(payload, &s) == nil {
				c.box.size(s)
			}
		case wire.FrameRelease:
			c.box.release()
		}
	}
}

// maxChunk keeps what one frame of the stream carries small enough for a relay
// to pass on without holding much.
const maxChunk = 32 << 10

// send writes a frame as far as the socket takes it at once, and reports
// whether that was all of it; what is left over is the writer's. A frame is
// small and the socket seldom full, so that a key's echo needs no other
// goroutine.
func (c *client) send(frame []byte) bool {
	if c.tty != nil {
		return c.show(frame)
	}
	c.out = c.out[:0]
	for len(frame) > 0 {
		n := min(len(frame), maxChunk)
		c.out = append(c.out, byte(wire.FrameOutput))
		c.out = binary.BigEndian.AppendUint32(c.out, uint32(n))
		c.out = append(c.out, frame[:n]...)
		frame = frame[n:]
	}
	n := c.writeNow(c.out)
	if n < len(c.out) {
		c.finish(c.out[n:])
		return false
	}
	c.screen.Accepted(time.Now())
	return true
}

// finish has the writer write what is left of a frame.
func (c *client) finish(rest []byte) {
	c.writing = true
	c.rest <- rest
}

// writeNow writes what the socket takes without waiting. The writer must be
// idle. An error shows when the rest is written.
func (c *client) writeNow(p []byte) int {
	if c.now == nil {
		return 0
	}
	return c.now.WriteNow(p)
}

// write sends what did not fit into the socket or the terminal, and waits for
// it as long as that takes.
func (c *client) write() {
	to := io.Writer(c.conn)
	if c.tty != nil {
		to = c.tty.file
	}
	for rest := range c.rest {
		_, err := to.Write(rest)
		c.wrote <- err
	}
}

// leaveTime is how long a terminal may take to accept its last bytes.
const leaveTime = 2 * time.Second

// leave gives the terminal back and says why. A terminal that does not take the
// rest of its frame in time gets neither: its relay restores it alone.
func (c *client) leave(exit wire.Exit, written <-chan struct{}) {
	if c.tty != nil {
		c.leaveTerminal(exit, written)
		return
	}
	_ = c.conn.SetDeadline(time.Now().Add(leaveTime))
	<-written
	if exit.Reason == "gone" {
		return
	}
	if c.screen != nil {
		_ = wire.WriteFrame(c.conn, wire.FrameOutput, c.screen.Leave())
		c.collect()
	}
	c.say(exit)
}

// collect takes the answers that a terminal behind a relay still owes: once the
// relay has heard of the end they would be typed into whatever reads it next.
func (c *client) collect() {
	late := time.NewTimer(answerTime)
	defer late.Stop()
	c.giveBuffer()
	for owed := c.owes(nil); owed; {
		select {
		case c.lent = <-c.input:
			owed = c.owes(c.lent)
			c.giveBuffer()
		case err := <-c.gone:
			c.log.Debug("stream ended before its terminal had answered", "err", err)
			return
		case <-late.C:
			return
		}
	}
}

// say sends the last frame.
func (c *client) say(exit wire.Exit) {
	text, err := json.Marshal(exit)
	if err != nil {
		return
	}
	c.tell(wire.FrameExit, text)
}

// tell sends a frame that fits into the socket, and waits for no client that
// has stopped to read.
func (c *client) tell(t wire.FrameType, payload []byte) {
	_ = c.conn.SetWriteDeadline(time.Now().Add(leaveTime))
	_ = wire.WriteFrame(c.conn, t, payload)
	_ = c.conn.SetWriteDeadline(time.Time{})
}

const (
	// inputStep is how much of what a terminal sent is looked at together: a key
	// takes a hundred times its bytes until it is dealt with.
	inputStep = 16 << 10
	// maxCommands may run when more input is taken. Keys start commands, and a
	// binary file that is pasted without brackets is full of keys.
	maxCommands = 500
)

// always is ready.
var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// ready returns where input may come from: from the reader, or from what it
// brought already, or from nowhere until commands have ended.
func (c *client) ready() (input <-chan []byte, more <-chan struct{}) {
	switch {
	case c.busy > maxCommands:
		return nil, nil
	case len(c.typed) > 0:
		return nil, always
	}
	return c.input, nil
}

// typing gives the screen a part of what was typed.
func (c *client) typing(now time.Time) {
	n := min(len(c.typed), inputStep)
	c.screen.Input(c.typed[:n], now)
	c.typed = c.typed[n:]
	if len(c.typed) == 0 {
		c.giveBuffer()
	}
}

// giveBuffer lets the reader have its buffer, and with it the next input. That
// of a terminal reads no sooner: what is typed behind the key that ends the
// client is not deck's.
func (c *client) giveBuffer() {
	if c.lent != nil {
		c.spare <- c.lent
		c.typed, c.lent = nil, nil
	}
}

// start runs a command of the model. Its goroutine ends with the client at the
// latest, or when the command does: a tick cannot be called back.
func (c *client) start(cmd tea.Cmd) {
	c.busy++
	go func() {
		var end commandEnded
		defer func() {
			if p := recover(); p != nil {
				logPanic(c.log, "command failed", p)
			}
			select {
			case c.msgs <- end:
			case <-c.done:
			}
		}()
		end.msg = cmd()
	}()
}

// commandEnded is the last word of a command; its message may be nil.
type commandEnded struct{ msg tea.Msg }

// deliver gives a command's message to the model, or starts the commands that
// it consists of.
func (c *client) deliver(msg tea.Msg, now time.Time) {
	if end, ok := msg.(commandEnded); ok {
		c.busy--
		msg = end.msg
	}
	if msg == nil {
		return
	}
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			c.start(cmd)
		}
		return
	}
	if cmds := sequence(msg); cmds != nil {
		c.start(func() tea.Msg { return c.inOrder(cmds) })
		return
	}
	c.screen.Update(msg, now)
}

// sequence returns the commands of a tea.Sequence, whose type has no name
// outside of Bubble Tea.
func sequence(msg tea.Msg) []tea.Cmd {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil
	}
	cmds := make([]tea.Cmd, v.Len())
	for i := range cmds {
		cmds[i], _ = v.Index(i).Interface().(tea.Cmd)
	}
	return cmds
}

// inOrder runs commands one after the other; the last message is its result.
func (c *client) inOrder(cmds []tea.Cmd) tea.Msg {
	var msg tea.Msg
	for _, cmd := range cmds {
		if msg != nil {
			select {
			case c.msgs <- msg:
			case <-c.done:
				return nil
			}
		}
		if msg = nil; cmd != nil {
			msg = cmd()
		}
	}
	return msg
}

// host is what a client's screen may ask for.
type host struct{ c *client }

func (h host) Screen(p layout.PaneID) ui.Screen      { return h.c.loop.screen(p) }
func (h host) Input(p layout.PaneID, token ui.Token) { h.c.loop.input(h.c.id, p, token) }

func (h host) Do(r ui.Request) {
	if _, ok := r.(ui.Detach); ok {
		h.c.leaving = &wire.Exit{Reason: "detached", Message: "detached (from session " + h.c.session + ")"}
		return
	}
	h.c.loop.request(h.c.id, r)
}
