package cli

import (
	"errors"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"deck/term/wire"
)

// taking is the answer of a server that takes terminals.
const taking = "HTTP/1.1 101 Switching Protocols\r\n" + wire.PassHeader + ": 1\r\n\r\n"

// newPassedStage attaches a terminal that the server takes, and draws on it.
func newPassedStage(t *testing.T) *stage {
	t.Helper()
	s := newStageOf(t, taking)
	if s.received.File == nil {
		t.Skip("a terminal cannot be opened again here")
	}
	t.Cleanup(func() { s.received.File.Close() })
	s.watch()
	// A new size is what a client sends when it knows that the terminal is taken.
	_ = pty.Setsize(s.master, &pty.Winsize{Cols: 100, Rows: 30})
	if err := wire.WriteFrame(s.conn, wire.FrameTaken, nil); err != nil {
		t.Fatal(err)
	}
	if got := s.next(); got.t != wire.FrameSize {
		t.Fatalf("%+v", got)
	}
	if _, err := s.received.File.WriteString("\x1b[?1049h\x1b[?1002hhello\x1b[38;2;1"); err != nil {
		t.Fatal(err)
	}
	s.shows("hello")
	return s
}

// drawn returns what the terminal got.
func (s *stage) drawn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

// TestKeeperEndsWithTheServersWords: the server gave the terminal back, and the
// client undoes only what it did itself. What is typed stays for the shell.
func TestKeeperEndsWithTheServersWords(t *testing.T) {
	t.Parallel()
	s := newPassedStage(t)
	if _, err := s.master.WriteString("ls\n"); err != nil {
		t.Fatal(err)
	}
	s.exit(wire.Exit{Reason: "detached", Message: "detached"})
	if e := s.end(); e.err != nil || e.exit.Reason != "detached" {
		t.Errorf("%+v", e)
	}
	if all := s.drawn(); strings.Contains(all, "\x1b[?1049l") {
		t.Errorf("given back twice: %q", all)
	}
	fds := []unix.PollFd{{Fd: int32(s.tty.in.Fd()), Events: unix.POLLIN}}
	if n, _ := unix.Poll(fds, -1); n != 1 {
		t.Error("what was typed is gone")
	}
}

// TestKeeperDoesNotWaitForTheTerminal: each key would wake it, for nothing.
func TestKeeperDoesNotWaitForTheTerminal(t *testing.T) {
	t.Parallel()
	s := newPassedStage(t)
	if _, err := s.own.Stat(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the terminal is still waited for: %v", err)
	}
	s.exit(wire.Exit{Reason: "detached"})
	if e := s.end(); e.err != nil {
		t.Error(e.err)
	}
}

// TestGarbageLiesWhileAClientIsAttached and no longer.
func TestGarbageLiesWhileAClientIsAttached(t *testing.T) {
	percent := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	before, limit := percent(), debug.SetMemoryLimit(-1)
	end := letGarbageLie()
	during, room := percent(), debug.SetMemoryLimit(-1)
	end()
	if during == before || room > clientMemory {
		t.Errorf("collected at %d %%, limit %d", during, room)
	}
	if after, now := percent(), debug.SetMemoryLimit(-1); after != before || now != limit {
		t.Errorf("afterwards at %d %%, limit %d", after, now)
	}
}

// TestKeeperOfAServerThatDies gives the terminal back itself.
func TestKeeperOfAServerThatDies(t *testing.T) {
	t.Parallel()
	s := newPassedStage(t)
	s.stop()
	s.conn.Close()
	if e := s.end(); e.err == nil || e.err.Error() != "the server died, and the programs in its panes with it" {
		t.Errorf("error %v", e.err)
	}
	s.shows(string(leave("xterm-256color")))
}

// TestKeeperEndedBySignal asks for the terminal first.
func TestKeeperEndedBySignal(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string]bool{"answered": true, "not answered": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newPassedStage(t)
			s.signals <- syscall.SIGTERM
			if got := s.next(); got.t != wire.FrameRelease {
				t.Fatalf("%+v", got)
			}
			if answers {
				if err := wire.WriteFrame(s.conn, wire.FrameRelease, nil); err != nil {
					t.Fatal(err)
				}
			}
			if e := s.end(); e.err == nil || e.err.Error() != "ended by a signal: terminated" {
				t.Errorf("error %v", e.err)
			}
			if !answers {
				s.shows("\x1b[?1049l")
			} else if all := s.drawn(); strings.Contains(all, "\x1b[?1049l") {
				t.Errorf("given back twice: %q", all)
			}
		})
	}
}

// TestAttachEndedBySignalAfterTheTerminalWasTaken: the server has it before the
// client knows.
func TestAttachEndedBySignalAfterTheTerminalWasTaken(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]bool{"and it is told": true, "and it is not told": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStageOf(t, taking)
			if s.received.File == nil {
				t.Skip("a terminal cannot be opened again here")
			}
			defer s.received.File.Close()
			s.watch()
			if told {
				_ = wire.WriteFrame(s.conn, wire.FrameTaken, nil)
			}
			s.signals <- syscall.SIGTERM
			if e := s.end(); e.err == nil || e.err.Error() != "ended by a signal: terminated" {
				t.Errorf("error %v", e.err)
			}
			s.shows("\x1b[?1049l")
		})
	}
}

// TestKeeperContinued makes the terminal raw again and has the server draw it.
func TestKeeperContinued(t *testing.T) {
	t.Parallel()
	s := newPassedStage(t)
	s.signals <- syscall.SIGCONT
	if got := s.next(); got.p != `{"cols":100,"rows":30,"fresh":true}` {
		t.Errorf("%+v", got)
	}
	s.exit(wire.Exit{Reason: "closed"})
	s.end()
}

// TestATerminalThatIsNotTaken is relayed: the server got it and did not want it.
func TestATerminalThatIsNotTaken(t *testing.T) {
	t.Parallel()
	s := newStageOf(t, taking)
	if s.received.File != nil {
		s.received.File.Close()
	}
	s.watch()
	s.output("hello")
	s.shows("hello")
	if _, err := s.master.WriteString("key"); err != nil {
		t.Fatal(err)
	}
	if got := s.next(); got != (wireUp{wire.FrameInput, "key"}) {
		t.Errorf("%+v", got)
	}
	s.exit(wire.Exit{Reason: "closed"})
	s.end()
}

// TestTerminalsThatAreKept: one that could not be opened again, and one that a
// person wants relayed.
func TestTerminalsThatAreKept(t *testing.T) {
	t.Parallel()
	for name, tty := range map[string]*terminal{"opened once": {same: true}, "another output": {own: nil}, "asked for": {same: true, kept: true}} {
		var a wire.Attach
		if f, err := tty.pass(&a); f != nil || err != nil || a.Termios != nil {
			t.Errorf("%s: passed %v, %v", name, f, err)
		}
	}
}
