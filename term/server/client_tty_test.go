package server

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"deck/term/vt"
	"deck/term/wire"
)

// passedTTY is a real terminal that a client gave to the server: an emulator at
// its other end shows what comes and answers.
type passedTTY struct {
	*terminal
	master, slave *os.File
	before        *unix.Termios
	heard         chan wireDown // what the server told the client
	all           *strings.Builder
}

type wireDown struct {
	t wire.FrameType
	p string
}

// passTerminal attaches one that runs command in a new tab. A stalled one shows
// nothing until watch.
func passTerminal(t *testing.T, socket string, command ...string) *passedTTY {
	t.Helper()
	p := openPassed(t, socket, command...)
	p.watch()
	return p
}

func openPassed(t *testing.T, socket string, command ...string) *passedTTY {
	t.Helper()
	blocking, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	// A read of a terminal's end that waits in the system would keep it open.
	fd, err := unix.FcntlInt(blocking.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	blocking.Close()
	master := os.NewFile(uintptr(fd), "terminal")
	p := &passedTTY{terminal: &terminal{t: t, fed: make(chan struct{}, 1), em: vt.New(80, 24, vt.Options{})},
		master: master, slave: slave, heard: make(chan wireDown, 16), all: &strings.Builder{}}
	p.before = modesOf(t, slave)
	own, err := os.OpenFile(slave.Name(), os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	a := wire.Attach{Protocol: wire.Protocol, Dir: "/", Size: wire.Size{Cols: 80, Rows: 24},
		Env:     map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"},
		PaneEnv: []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SHELL=/bin/sh"}}
	if len(command) > 0 {
		a.New = &wire.NewPane{Command: command, Focus: true}
	}
	conn := wire.Open(socket, "")
	t.Cleanup(conn.Close)
	p.stream, err = conn.AttachPassing(t.Context(), a, func(a *wire.Attach) (*os.File, error) {
		a.Termios = p.before
		_, err := term.MakeRaw(int(slave.Fd()))
		return own, err
	})
	own.Close()
	if err != nil {
		t.Fatal(err)
	}
	if !p.stream.Took() {
		t.Skip("terminals stay with their clients here")
	}
	ended := make(chan struct{})
	go func() { defer close(ended); p.hear() }()
	t.Cleanup(func() { p.stream.Close(); <-ended; slave.Close(); master.Close() })
	return p
}

// hear takes what the server tells the client.
func (p *passedTTY) hear() {
	for {
		kind, payload, err := p.stream.Read()
		if err != nil {
			return
		}
		p.mu.Lock()
		if kind == wire.FrameExit {
			p.exit = &wire.Exit{}
			p.err = json.Unmarshal(payload, p.exit)
		}
		p.mu.Unlock()
		p.heard <- wireDown{kind, string(payload)}
		select {
		case p.fed <- struct{}{}:
		default:
		}
	}
}

// watch is the terminal itself.
func (p *passedTTY) watch() {
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := p.master.Read(buf)
			if err != nil {
				return
			}
			p.mu.Lock()
			p.em.Write(buf[:n])
			p.all.Write(buf[:n])
			replies := p.em.TakeReplies(nil)
			p.mu.Unlock()
			_, _ = p.master.Write(replies)
			select {
			case p.fed <- struct{}{}:
			default:
			}
		}
	})
	p.t.Cleanup(func() { p.slave.Close(); p.master.Close(); wg.Wait() })
}

func (p *passedTTY) types(keys string) {
	p.t.Helper()
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// told waits for a frame to the client.
func (p *passedTTY) told(kind wire.FrameType) {
	p.t.Helper()
	select {
	case d := <-p.heard:
		if d.t != kind {
			p.t.Fatalf("the client is told %q %s, want %q", d.t, d.p, kind)
		}
	case <-time.After(patience):
		p.t.Fatalf("the client is not told %q", kind)
	}
}

// left waits until the terminal was given back: its screen and modes are those
// of one that nobody used.
func (p *passedTTY) left() {
	p.t.Helper()
	p.until("end of deck's modes", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		fresh := vt.New(80, 24, vt.Options{}).Modes()
		m := p.em.Modes()
		m.CellW, m.CellH, m.AltScroll = fresh.CellW, fresh.CellH, fresh.AltScroll
		return m == fresh && p.em.Cursor().Visible
	})
}

// reads returns what whoever reads the terminal next gets.
func (p *passedTTY) reads(n int) string {
	p.t.Helper()
	got := make([]byte, n)
	if _, err := io.ReadFull(p.slave, got); err != nil {
		p.t.Fatal(err)
	}
	return string(got)
}

func modesOf(t *testing.T, f *os.File) *unix.Termios {
	t.Helper()
	m, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAPassedTerminal: keys and frames do not go through the client, and after
// the end the terminal is read by nobody.
func TestAPassedTerminal(t *testing.T) {
	socket := startServer(t)
	p := passTerminal(t, socket, "cat")
	p.sees("cat")
	p.types("hello\r")
	p.sees("hello")
	p.types("\x01d")
	p.told(wire.FrameExit)
	p.left()
	p.types("later")
	if got := p.reads(5); got != "later" {
		t.Errorf("the next reader gets %q", got)
	}
	p.exits("detached", "main")
}

// TestAPassedTerminalOfAKilledClient is given back by the server, modes and all.
func TestAPassedTerminalOfAKilledClient(t *testing.T) {
	socket := startServer(t)
	p := passTerminal(t, socket, "cat")
	p.sees("cat")
	p.stream.Close()
	p.left()
	noClients(t, socket)
	if got := modesOf(t, p.slave); *got != *p.before {
		t.Errorf("the modes are %+v, want %+v", *got, *p.before)
	}
}

// TestModesThatAShellHasSetStay: a shell that was quicker than the server keeps
// the modes in which it edits a line.
func TestModesThatAShellHasSetStay(t *testing.T) {
	socket := startServer(t)
	p := passTerminal(t, socket, "cat")
	p.sees("cat")
	shell := modesOf(t, p.slave)
	shell.Lflag |= unix.ISIG
	if err := unix.IoctlSetTermios(int(p.slave.Fd()), setTermios, shell); err != nil {
		t.Fatal(err)
	}
	p.stream.Close()
	p.left()
	noClients(t, socket)
	if *modesOf(t, p.slave) != *shell {
		t.Error("the shell's modes are gone")
	}
}

// noClients waits until the server has forgotten every client.
func noClients(t *testing.T, socket string) {
	t.Helper()
	conn := wire.Open(socket, "")
	defer conn.Close()
	for late := time.Now().Add(patience); ; {
		all, err := conn.Clients(t.Context())
		switch {
		case err != nil:
			t.Fatal(err)
		case len(all) == 0:
			return
		case time.Now().After(late):
			t.Fatalf("clients are left: %+v", all)
		}
	}
}

// TestAPassedTerminalIsReleasedAndTakenAgain, as a client does that is stopped
// and continued.
func TestAPassedTerminalIsReleasedAndTakenAgain(t *testing.T) {
	socket := startServer(t)
	p := passTerminal(t, socket, "cat")
	p.sees("cat")
	for _, word := range []string{"one", "two", "three"} {
		if err := p.stream.Release(); err != nil {
			t.Fatal(err)
		}
		p.told(wire.FrameRelease)
		p.left()
		p.types("shell")
		if got := p.reads(5); got != "shell" {
			t.Errorf("the shell gets %q", got)
		}
		if err := p.stream.Resize(wire.Size{Cols: 80, Rows: 24, Fresh: true}); err != nil {
			t.Fatal(err)
		}
		p.types(word + "\r")
		p.sees(word)
	}
	if err := p.stream.Release(); err != nil {
		t.Fatal(err)
	}
	p.told(wire.FrameRelease)
	raw := modesOf(t, p.slave)
	p.stream.Close()
	noClients(t, socket)
	if *modesOf(t, p.slave) != *raw {
		t.Error("the modes of a terminal that was given back are changed")
	}
}

// TestAPassedTerminalThatIsTakenAgainUnasked: a client that was stopped without
// a word says so when it goes on.
func TestAPassedTerminalThatIsTakenAgainUnasked(t *testing.T) {
	socket := startServer(t)
	p := passTerminal(t, socket, "cat")
	p.sees("cat")
	p.mu.Lock()
	p.all.Reset()
	p.mu.Unlock()
	if err := p.stream.Resize(wire.Size{Cols: 80, Rows: 24, Fresh: true}); err != nil {
		t.Fatal(err)
	}
	p.until("a way out and in again", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		_, after, out := strings.Cut(p.all.String(), "\x1b[?1049l")
		return out && strings.Contains(after, "\x1b[?1049h")
	})
	p.types("again\r")
	p.sees("again")
}

// TestAPassedTerminalThatIsGone ends its client.
func TestAPassedTerminalThatIsGone(t *testing.T) {
	socket := startServer(t)
	p := passTerminal(t, socket, "cat")
	p.sees("cat")
	p.master.Close()
	p.exits("error", "the terminal is gone")
	noClients(t, socket)
}

// TestAPassedTerminalThatStalls costs its own frames, and is given back as soon
// as it goes on.
func TestAPassedTerminalThatStalls(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 80, 24, "yes", strings.Repeat("y", 60))
	a.sees("yyy")
	p := openPassed(t, socket)
	b := attachTerminal(t, socket, 80, 24, "cat")
	b.sees("2 cat*")
	for _, key := range []string{"one", "two", "three"} {
		b.types(key + "\r")
		b.sees(key)
	}
	conn := wire.Open(socket, "")
	defer conn.Close()
	if err := conn.Detach(t.Context(), wire.Detach{All: true}); err != nil {
		t.Fatal(err)
	}
	p.told(wire.FrameExit)
	p.watch()
	p.left()
}

// TestFilesThatAreNoPassedTerminal stay with the client.
func TestFilesThatAreNoPassedTerminal(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	modes := modesOf(t, slave)
	open := func(flags int) *os.File {
		fd, err := unix.Open(slave.Name(), flags|unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		return os.NewFile(uintptr(fd), "passed")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for name, c := range map[string]struct {
		file  *os.File
		modes *unix.Termios
		pid   int
	}{
		"no terminal":         {r, modes, os.Getpid()},
		"one that would wait": {open(0), modes, os.Getpid()},
		"unknown modes":       {open(unix.O_NONBLOCK), nil, os.Getpid()},
		"unknown client":      {open(unix.O_NONBLOCK), modes, 0},
	} {
		if p, err := takeTerminal(c.file, wire.Attach{Termios: c.modes}, c.pid); err == nil {
			t.Errorf("%s: taken", name)
			p.close()
		}
		if c.file.Close() == nil {
			t.Errorf("%s: left open", name)
		}
	}
}
