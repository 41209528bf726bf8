package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"deck/term/wire"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// stage is a relay between a pseudo-terminal and a server, both held by a test.
type stage struct {
	own      *os.File // of tty
	t        testing.TB
	master   *os.File
	tty      *terminal
	before   *term.State
	signals  chan os.Signal
	conn     net.Conn       // the server's end
	received *wire.Receiver // of conn
	up       chan wireUp    // frames of the client
	stop     func()         // the server listens no more
	result   chan ending    // of the relay
	screen   *bytes.Buffer  // guarded by mu; all that the terminal got
	mu       sync.Mutex
	got      chan struct{} // capacity 1: the terminal got something
}

type wireUp struct {
	t wire.FrameType
	p string
}

// newStage attaches a terminal of 80×24 to a server that says nothing yet and
// knows nothing of terminals that are passed.
func newStage(t testing.TB) *stage {
	t.Helper()
	return newStageOf(t, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
}

// newStageOf is newStage with what the server answers.
func newStageOf(t testing.TB, answer string) *stage {
	t.Helper()
	s, l, conn := openStage(t)
	s.attach(l, conn, answer)
	return s
}

// openStage is a terminal and a server that wait for each other.
func openStage(t testing.TB) (*stage, net.Listener, *wire.Conn) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	_ = pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24})
	s := &stage{t: t, master: master, signals: make(chan os.Signal), up: make(chan wireUp, 64),
		result: make(chan ending, 1), screen: &bytes.Buffer{}, got: make(chan struct{}, 1)}
	if s.tty, err = openTerminal(slave, slave, "xterm-256color"); err != nil {
		t.Fatal(err)
	}
	s.own = s.tty.own
	if s.before, err = term.GetState(int(slave.Fd())); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s.stop = func() { l.Close() }
	conn := wire.Open(path, "")
	t.Cleanup(func() { l.Close(); conn.Close(); slave.Close(); master.Close() })
	return s, l, conn
}

// attach attaches the terminal.
func (s *stage) attach(l net.Listener, conn *wire.Conn, answer string) {
	s.t.Helper()
	go func() {
		exit, err := attachWith(context.Background(), conn, s.tty, wire.Attach{Size: s.tty.size()}, s.signals)
		s.result <- ending{exit, err}
	}()
	s.accept(l, answer)
	s.t.Cleanup(func() { s.conn.Close() })
}

// accept answers the attach and begins to read what the client sends.
func (s *stage) accept(l net.Listener, answer string) {
	s.t.Helper()
	conn, err := l.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	s.conn = conn
	r := bufio.NewReader(conn)
	if _, err := http.ReadRequest(r); err != nil {
		s.t.Fatal(err)
	}
	s.received = &wire.Receiver{Conn: conn.(*net.UnixConn)}
	r = bufio.NewReader(s.received)
	_, _ = io.WriteString(conn, answer)
	go func() {
		defer close(s.up)
		for {
			t, p, err := wire.ReadFrame(r, nil)
			if err != nil {
				return
			}
			s.up <- wireUp{t, string(p)}
		}
	}()
	if f := s.next(); f.t != wire.FrameHello {
		s.t.Fatalf("first frame %+v", f)
	}
}

// TestAttachEndsItsOtherConnections: an idle one wakes client and server when
// its time is up.
func TestAttachEndsItsOtherConnections(t *testing.T) {
	t.Parallel()
	s, l, conn := openStage(t)
	asked := make(chan error, 1)
	go func() { _, err := conn.Hello(t.Context()); asked <- err }()
	first, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	r := bufio.NewReader(first)
	if _, err := http.ReadRequest(r); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(first, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	s.attach(l, conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the first connection: %v", err)
	}
	s.exit(wire.Exit{Reason: "detached"})
	s.end()
}

// watch collects what the terminal gets; a stage without it is a terminal that
// has stalled.
func (s *stage) watch() {
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := s.master.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.screen.Write(buf[:n])
			s.mu.Unlock()
			notify(s.got)
		}
	}()
}

// shows waits until the terminal got a text.
func (s *stage) shows(text string) {
	s.t.Helper()
	late := time.After(patience)
	for {
		s.mu.Lock()
		all := s.screen.String()
		s.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-s.got:
		case <-late:
			s.t.Fatalf("the terminal got %q, not %q", all, text)
		}
	}
}

func (s *stage) next() wireUp {
	s.t.Helper()
	select {
	case f := <-s.up:
		return f
	case <-time.After(patience):
		s.t.Fatal("the client sends nothing")
	}
	return wireUp{}
}

func (s *stage) output(p string) {
	s.t.Helper()
	if err := wire.WriteFrame(s.conn, wire.FrameOutput, []byte(p)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) exit(e wire.Exit) {
	s.t.Helper()
	b, _ := json.Marshal(e)
	if err := wire.WriteFrame(s.conn, wire.FrameExit, b); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the relay and checks that the terminal is as it was.
func (s *stage) end() ending {
	s.t.Helper()
	select {
	case e := <-s.result:
		after, err := term.GetState(int(s.tty.in.Fd()))
		if err != nil {
			s.t.Fatal(err)
		}
		if *after != *s.before {
			s.t.Errorf("the terminal's modes are %+v, were %+v", after, s.before)
		}
		return e
	case <-time.After(patience):
		s.t.Fatal("the relay does not end")
	}
	return ending{}
}

func TestRelayPassesBytes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.watch()
	s.output("\x1b[?1049hhello")
	s.shows("hello")
	if _, err := s.master.WriteString("a\x1b[A\xff\x03"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("a\x1b[A\xff\x03", s.next().p); d != "" {
		t.Error(d)
	}
	s.output("bye\x1b[?1049l")
	s.exit(wire.Exit{Reason: "detached", Message: "detached"})
	e := s.end()
	if e.err != nil || e.exit.Reason != "detached" {
		t.Errorf("%+v", e)
	}
	s.shows("bye\x1b[?1049l")
	if all := s.screen.String(); strings.Contains(all, "\x1b[23;2t") {
		t.Errorf("given back twice: %q", all)
	}
}

// TestRelayOfTerminalThatOpensOnce: a terminal that cannot be opened again is
// read all the same, and is not read any more after the end.
func TestRelayOfTerminalThatOpensOnce(t *testing.T) {
	t.Parallel()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	tty, err := openTerminal(slave, slave, "")
	if err != nil {
		t.Fatal(err)
	}
	if tty.own == nil && tty.name() != "" {
		t.Error("the terminal is not opened again")
	}
	for range 2 {
		if err := tty.raw(); err != nil {
			t.Fatal(err)
		}
		if _, err := master.WriteString("x"); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 8)
		if n, err := tty.read(buf); n != 1 || err != nil {
			t.Errorf("read %d: %v", n, err)
		}
		tty.stopReading()
		if _, err := tty.read(buf); !errors.Is(err, io.EOF) {
			t.Errorf("read after the end: %v", err)
		}
		if tty.own != nil {
			tty.own.Close()
			tty.own = nil
			_, _ = tty.wake[0].Read(buf)
		}
	}
	tty.close()
}

func TestRelaySendsNewestSize(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.watch()
	if err := pty.Setsize(s.master, &pty.Winsize{Cols: 100, Rows: 30, X: 900, Y: 600}); err != nil {
		t.Fatal(err)
	}
	s.signals <- syscall.SIGWINCH
	want := wireUp{wire.FrameSize, `{"cols":100,"rows":30,"xpixel":900,"ypixel":600}`}
	if got := s.next(); got != want {
		t.Errorf("%+v", got)
	}
	s.exit(wire.Exit{Reason: "closed"})
	s.end()
}

func TestRelayServerDies(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.watch()
	s.output("\x1b[?1049h\x1b[?1002hhello\x1b[38;2;1")
	s.shows("hello")
	s.stop()
	s.conn.Close()
	e := s.end()
	if e.err == nil || e.err.Error() != "the server died, and the programs in its panes with it" {
		t.Errorf("error %v", e.err)
	}
	s.shows(string(leave("xterm-256color")))
}

func TestRelayEndedBySignal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.watch()
	s.output("\x1b[?1049hhello")
	s.shows("hello")
	s.signals <- syscall.SIGTERM
	if e := s.end(); e.err == nil || e.err.Error() != "ended by a signal: terminated" {
		t.Errorf("error %v", e.err)
	}
	s.shows("\x1b[?1049l")
}

// TestRelayOfStalledTerminal: a terminal that takes nothing keeps neither sizes
// from being told nor the end from being heard.
func TestRelayOfStalledTerminal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.output("\x1b[?1049h" + strings.Repeat("x", maxWaiting))
	_ = pty.Setsize(s.master, &pty.Winsize{Cols: 100, Rows: 30})
	s.signals <- syscall.SIGWINCH
	if got := s.next(); got.t != wire.FrameSize {
		t.Errorf("%+v", got)
	}
	s.exit(wire.Exit{Reason: "stopped"})
	if e := s.end(); e.err != nil || e.exit.Reason != "stopped" {
		t.Errorf("%+v", e)
	}
}

// TestRelayContinued: after a stop the terminal is raw again, and nothing is
// drawn until the server has entered it again.
func TestRelayContinued(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.watch()
	s.output("\x1b[?1049hfirst")
	s.shows("first")
	if err := term.Restore(int(s.tty.in.Fd()), s.before); err != nil {
		t.Fatal(err)
	}
	s.signals <- syscall.SIGCONT
	if got := s.next(); got.p != `{"cols":80,"rows":24,"fresh":true}` {
		t.Errorf("%+v", got)
	}
	s.output("lost")
	s.output("lost too\x1b[?1049hsecond")
	s.shows("second")
	if all := s.screen.String(); strings.Contains(all, "lost") {
		t.Errorf("drawn before the terminal was entered: %q", all)
	}
	if now, err := unix.IoctlGetTermios(int(s.tty.in.Fd()), termiosRequest); err != nil || now.Lflag&unix.ICANON != 0 {
		t.Errorf("the terminal is not raw: %v", err)
	}
	s.exit(wire.Exit{Reason: "detached"})
	s.end()
}

// TestRelayWaitsForAnswers: what the terminal was asked and has not answered
// yet would be typed into the shell.
func TestRelayWaitsForAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.watch()
	s.output("\x1b[?1049hx\x1b[5n")
	s.shows("\x1b[5n")
	s.output("\x1b[?1049l")
	s.exit(wire.Exit{Reason: "detached"})
	s.shows("\x1b[?1049l")
	if _, err := s.master.WriteString("\x1b[0n"); err != nil {
		t.Fatal(err)
	}
	s.end()
	fds := []unix.PollFd{{Fd: int32(s.tty.in.Fd()), Events: unix.POLLIN}}
	if n, _ := unix.Poll(fds, 0); n != 0 {
		t.Error("the answer is left to whoever reads the terminal next")
	}
}

func TestRelayTerminalGone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.output("hello")
	if _, err := io.ReadFull(s.master, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	s.master.Close()
	select {
	case e := <-s.result:
		if e.err == nil || !strings.HasPrefix(e.err.Error(), "the terminal is gone") {
			t.Errorf("error %v", e.err)
		}
	case <-time.After(patience):
		t.Fatal("the relay does not end")
	}
}

// TestRelayFault: a fault in the relay itself gives the terminal back.
func TestRelayFault(t *testing.T) {
	t.Parallel()
	r := &relayer{attachment: &attachment{ended: make(chan ending, 1)}}
	r.guard(func() { panic("oops") })
	if e := <-r.ended; e.err == nil || !strings.HasPrefix(e.err.Error(), "bug: oops") {
		t.Errorf("error %v", e.err)
	}
}

func TestAttachEndedBySignalBeforeItBegan(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	signals := make(chan os.Signal, 1)
	signals <- syscall.SIGINT
	_, err = attachWith(t.Context(), wire.Open(path, ""), nil, wire.Attach{}, signals)
	if err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestOutboxKeepsOrder(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	want := bytes.Repeat([]byte("0123456789"), 100_000)
	go func() {
		for p := range slices.Chunk(want, 777) {
			o.put(p)
		}
		o.close()
	}()
	var got []byte
	for {
		p, err := o.take()
		if err != nil {
			break
		}
		got = append(got, p...)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%d bytes of %d, or in another order", len(got), len(want))
	}
}

// BenchmarkRelayEcho is a key's way from the terminal to the server and the
// echo's way back, with nothing between them but the relay.
func BenchmarkRelayEcho(b *testing.B) {
	s := newStage(b)
	go func() {
		for f := range s.up {
			if f.t == wire.FrameInput {
				_ = wire.WriteFrame(s.conn, wire.FrameOutput, []byte(f.p))
			}
		}
	}()
	buf := make([]byte, 64)
	for b.Loop() {
		if _, err := s.master.WriteString("x"); err != nil {
			b.Fatal(err)
		}
		if _, err := s.master.Read(buf); err != nil {
			b.Fatal(err)
		}
	}
	s.exit(wire.Exit{Reason: "detached"})
	s.end()
}

// BenchmarkEchoBare is the same without a relay: what a terminal and a socket cost.
func BenchmarkEchoBare(b *testing.B) {
	master, slave, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
		b.Fatal(err)
	}
	go func() { _, _ = io.Copy(slave, struct{ io.Reader }{slave}) }()
	buf := make([]byte, 64)
	for b.Loop() {
		if _, err := master.WriteString("x"); err != nil {
			b.Fatal(err)
		}
		if _, err := master.Read(buf); err != nil {
			b.Fatal(err)
		}
	}
	_ = slave.SetReadDeadline(time.Now())
	_, _ = master.WriteString("x")
}

// TestAServerThatDiesIsToldFromOneThatHangs dials one that is on its way out: its
// socket takes a connection, and closes with it.
func TestAServerThatDiesIsToldFromOneThatHangs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c, err := l.Accept(); err == nil {
			_ = c.Close()
		}
		_ = l.Close()
	}()
	err = whyLost(t.Context(), wire.Open(path, ""))
	<-ended
	if err == nil || !strings.HasPrefix(err.Error(), "the server died") {
		t.Errorf("error %v", err)
	}
}
