package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// panes is what an attached client asks of the loop. None of it waits.
type panes interface {
	attach(wire.Attach, sink) (id string, err error)
	detach(id string)
	sized(id string, s wire.Size)
	request(id string, r ui.Request)
	screen(layout.PaneID) ui.Screen
	input(client string, pane layout.PaneID, tok ui.Token)
	watch(client string, panes []layout.PaneID, wake chan<- struct{})
}

// client is one attached terminal. Its goroutine drives the screen's model and
// decides when to draw; readers and a writer beside it are the only ones that
// wait for the socket or the terminal, so one that stalls stops nothing but its
// frames.
type client struct {
	id     string
	conn   net.Conn
	now    *wire.Prompt // of conn; nil where it is no descriptor
	tty    *passed      // nil: the client relays
	log    *slog.Logger
	loop   panes
	box    *inbox
	rows   chan struct{}  // of one: a visible pane changed
	input  chan []byte    // from the reader
	spare  chan []byte    // buffers on their way back to the reader
	rest   chan []byte    // to the writer: what was not taken at once
	wrote  chan error     // from the writer, one for each rest
	msgs   chan tea.Msg   // what commands came to
	gone   chan error     // of one: the end of the stream
	hung   chan error     // of one: the end of the terminal
	again  chan struct{}  // of one: the terminal is to be read again
	parked chan struct{}  // the terminal's reader does not read; closed: it has ended
	done   chan struct{}  // closed when the client's goroutine ends
	aside  sync.WaitGroup // the readers

	// Owned by the client's goroutine.
	screen   *ui.Client
	visible  []layout.PaneID
	timer    *time.Timer
	typed    []byte    // what is given to the screen next, of lent
	lent     []byte    // the reader's buffer; nil: it has it
	busy     int       // commands that run
	out      []byte    // a frame on its way; the writer has it until wrote says so
	writing  bool      // the writer has something
	withheld bool      // the frame on its way waits until the terminal is deck's again
	released bool      // the terminal was given back
	sized    time.Time // of the newest size that was applied
	pending  *wire.Size
	session  string // shown
	leaving  *wire.Exit
}

func newClient(conn net.Conn, loop panes, log *slog.Logger) *client {
	return &client{
		conn: conn, now: promptOf(conn), log: log, loop: loop, box: newInbox(),
		rows: make(chan struct{}, 1), input: make(chan []byte), spare: make(chan []byte, 2),
		rest: make(chan []byte, 1), wrote: make(chan error, 1), msgs: make(chan tea.Msg),
		gone: make(chan error, 1), hung: make(chan error, 1), again: make(chan struct{}, 1), parked: make(chan struct{}),
		done: make(chan struct{}), timer: time.NewTimer(time.Hour),
	}
}

// promptOf returns what reads and writes a connection without delay, nil where
// there is no such thing.
func promptOf(conn net.Conn) *wire.Prompt {
	if c, ok := conn.(syscall.Conn); ok {
		if now, err := wire.NewPrompt(c); err == nil {
			return now
		}
	}
	return nil
}

// run serves the terminal until it detaches, goes away, or the context ends. It
// returns when nothing of the client is left.
func (c *client) run(ctx context.Context, r io.Reader, a wire.Attach, o ui.ClientOptions) {
	defer c.timer.Stop()
	defer c.aside.Wait()
	defer c.conn.Close()
	defer close(c.done)
	id, err := c.loop.attach(a, c.box)
	if err != nil {
		if c.tty != nil {
			c.tty.close()
		}
		c.say(wire.Exit{Reason: "error", Message: asWireError(err).Message, Code: 1})
		return
	}
	c.id = id
	defer c.loop.detach(id)
	c.log = c.log.With("client", id)
	c.log.Info("client attached", "pid", a.PID, "cols", a.Size.Cols, "rows", a.Size.Rows, "passed", c.tty != nil)
	c.aside.Go(func() { c.read(r) })
	if c.tty != nil {
		c.aside.Go(c.readTerminal)
	}
	written := make(chan struct{})
	go func() { defer close(written); c.write() }()
	exit := c.serve(ctx, o)
	close(c.rest)
	c.leave(exit, written)
	c.log.Info("client gone", "reason", exit.Reason)
}

// serve is the life of the client's goroutine. A panic in the screen's code
// costs this client its connection and nobody else anything.
func (c *client) serve(ctx context.Context, o ui.ClientOptions) (exit wire.Exit) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(c.log, "client failed", p)
			exit = wire.Exit{Reason: "error", Message: "a fault in deck; the server's log tells where", Code: 1}
		}
	}()
	c.screen = ui.NewClient(host{c}, o)
	for {
		c.step(time.Now())
		if c.leaving != nil {
			return *c.leaving
		}
		input, more := c.ready()
		rows := c.rows
		if !c.screen.Heeds() {
			rows = nil
		}
		select {
		case p := <-input:
			c.typed, c.lent = p, p
			c.typing(time.Now())
		case <-more:
			c.typing(time.Now())
		case <-rows:
			c.screen.Changed(time.Now())
		case <-c.box.wake:
			c.open(c.box.take(), time.Now())
		case msg := <-c.msgs:
			c.deliver(msg, time.Now())
		case err := <-c.wrote:
			c.writing = false
			c.accepted(err, time.Now())
		case <-c.timer.C:
			c.due(time.Now())
		case err := <-c.gone:
			for len(c.typed) > 0 {
				c.typing(time.Now())
			}
			c.log.Debug("client closed its end", "err", err)
			c.open(c.box.take(), time.Now())
			return wire.Exit{Reason: "gone"}
		case err := <-c.hung:
			c.log.Debug("terminal gone", "err", err)
			return wire.Exit{Reason: "error", Message: "the terminal is gone", Code: 1}
		case <-ctx.Done():
			return wire.Exit{Reason: "stopped", Message: "server stopped"}
		}
	}
}

// step follows every event: commands are started, the panes to watch named,
// and a frame is drawn if it is time.
func (c *client) step(now time.Time) {
	for _, cmd := range c.screen.Commands() {
		c.start(cmd)
	}
	c.watch()
	frame, wait := c.screen.Frame(now)
	if len(frame) > 0 && c.send(frame) {
		_, wait = c.screen.Frame(now)
	}
	if c.pending != nil {
		wait = min(wait, c.sized.Add(sizeRest).Sub(now))
	}
	c.timer.Reset(max(wait, 0))
}

// watch tells the loop which panes wake this client, when that changed.
func (c *client) watch() {
	visible := c.screen.Visible()
	same := len(visible) == len(c.visible)
	for i := 0; same && i < len(visible); i++ {
		same = visible[i] == c.visible[i]
	}
	if same {
		return
	}
	c.visible = append(c.visible[:0:0], visible...)
	c.loop.watch(c.id, c.visible, c.rows)
}

// sizeRest is how long a terminal's size is left alone after a change: while a
// window is dragged, programs are told often enough.
const sizeRest = 25 * time.Millisecond

// open takes what lay in the inbox. The state comes first: what follows may
// name panes that are new in it.
func (c *client) open(in letters, now time.Time) {
	if in.state != nil {
		c.session = in.state.Session
		c.screen.Update(ui.StateMsg{State: *in.state}, now)
	}
	if in.settings != nil {
		c.screen.Update(ui.SettingsMsg{Settings: *in.settings}, now)
	}
	if in.release {
		c.release(now)
	}
	if in.size != nil {
		in.size.Fresh = in.size.Fresh || c.pending != nil && c.pending.Fresh
		c.pending = in.size
		c.due(now)
	}
	if in.focus != "" {
		c.screen.Update(ui.FocusMsg{Pane: in.focus}, now)
	}
	for _, n := range in.notices {
		c.screen.Update(n, now)
	}
	for _, a := range in.alerts {
		c.screen.Update(a, now)
	}
	for _, r := range in.replies {
		c.screen.Update(r, now)
	}
	if in.clip != nil {
		c.screen.Copy(*in.clip)
	}
	if in.bell {
		c.screen.Ring()
	}
	if in.exit != nil {
		c.leaving = in.exit
	}
}

// due does what waited for its time.
func (c *client) due(now time.Time) {
	c.screen.Tick(now)
	if c.pending != nil && now.Sub(c.sized) >= sizeRest {
		c.loop.sized(c.id, *c.pending)
		c.screen.Resize(c.pending.Cols, c.pending.Rows, now)
		if c.pending.Fresh {
			c.takeAgain(now)
			c.screen.Reenter(now)
		}
		c.pending, c.sized = nil, now
	}
}

func (c *client) accepted(err error, now time.Time) {
	if err != nil {
		c.leaving = &wire.Exit{Reason: "gone"}
		return
	}
	c.screen.Accepted(now)
}
