package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"deck/term/wire"
)

// terminal is what the person sits at: where keys come from and where the
// screen is drawn.
type terminal struct {
	in, out *os.File
	term    string       // the TERM variable
	saved   *term.State  // as it was found; nil before raw
	own     *os.File     // in, opened again to be waited for; nil where that is not possible
	now     *wire.Prompt // of own
	same    bool         // in and out are one terminal: own can be drawn on
	kept    bool         // it is not given to the server
	wake    [2]*os.File  // a pipe; a byte in it ends a read
}

// openTerminal returns the terminal of a process's streams, or a usageError
// where they are none that deck can draw on.
func openTerminal(stdin *os.File, stdout io.Writer, name string) (*terminal, error) {
	out, ok := stdout.(*os.File)
	switch {
	case stdin == nil || !term.IsTerminal(int(stdin.Fd())):
		return nil, usagef("not a terminal: stdin; deck needs one to open its screen")
	case !ok || !term.IsTerminal(int(out.Fd())):
		return nil, usagef("not a terminal: stdout; deck needs one to open its screen")
	case name == "dumb":
		return nil, usagef("not a terminal that can be drawn on: TERM is dumb")
	}
	t := &terminal{in: stdin, out: out, term: name}
	var err error
	if t.wake[0], t.wake[1], err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	if t.own = openAgain(stdin); t.own != nil {
		if t.now, err = wire.NewPrompt(t.own); err != nil {
			return nil, fmt.Errorf("open the terminal again: %w", err)
		}
		t.same = same(stdin, out)
	}
	return t, nil
}

// openAgain opens a terminal a second time, or returns nil. A description of
// its own can be waited for without keeping a thread in the kernel, and without
// changing how anybody else reads the terminal.
func openAgain(in *os.File) *os.File {
	// Inside a container the terminal's name may be that of another one.
	f, err := os.OpenFile(ownPath(in), os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	if !same(in, f) || f.SetReadDeadline(time.Time{}) != nil {
		f.Close()
		return nil
	}
	return f
}

// ownPath is where the system has one of this process's files, if it has such a
// place.
func ownPath(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// same reports whether two files are one.
func same(a, b *os.File) bool {
	x, err1 := a.Stat()
	y, err2 := b.Stat()
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// raw gives every key to deck as it is typed.
func (t *terminal) raw() error {
	s, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("take over the terminal: %w", err)
	}
	if t.saved == nil {
		t.saved = s
	}
	return nil
}

// pass is for wire.Conn.AttachPassing: it makes the terminal ready for a server
// that reads and draws it itself. One that could not be opened again, as after a
// change of the user, stays here.
func (t *terminal) pass(a *wire.Attach) (*os.File, error) {
	if t == nil || t.own == nil || !t.same || t.kept {
		return nil, nil
	}
	m, err := unix.IoctlGetTermios(int(t.in.Fd()), getTermios)
	if err != nil {
		return nil, fmt.Errorf("take over the terminal: %w", err)
	}
	if err := t.raw(); err != nil {
		return nil, err
	}
	a.Termios = m
	return t.own, nil
}

// restore puts the terminal's modes back as raw found them. Where answers of the
// terminal may come late, what was typed and not read is dropped: they would
// show up as text.
func (t *terminal) restore(late bool) {
	if t == nil || t.saved == nil {
		return
	}
	_ = term.Restore(int(t.in.Fd()), t.saved)
	if late {
		_ = unix.IoctlSetInt(int(t.in.Fd()), flushRequest, flushInput)
	}
}

// dropOutput forgets what the terminal has not taken yet, so that a stalled
// one holds nobody up.
func (t *terminal) dropOutput() { _ = unix.IoctlSetInt(int(t.out.Fd()), flushRequest, flushOutput) }

// size returns the terminal's size; 80×24 where it does not know.
func (t *terminal) size() wire.Size {
	w, err := unix.IoctlGetWinsize(int(t.out.Fd()), unix.TIOCGWINSZ)
	if err != nil || w.Col == 0 || w.Row == 0 {
		return wire.Size{Cols: 80, Rows: 24}
	}
	return wire.Size{Cols: int(w.Col), Rows: int(w.Row), XPixel: int(w.Xpixel), YPixel: int(w.Ypixel)}
}

// name returns the terminal's device, empty where the system does not tell.
func (t *terminal) name() string {
	name, err := os.Readlink(ownPath(t.in))
	if err != nil {
		return ""
	}
	return name
}

// read waits for keys. After stopReading it returns io.EOF, and leaves what is
// typed to whoever reads the terminal next.
func (t *terminal) read(p []byte) (int, error) {
	if t.own == nil {
		return t.poll(p)
	}
	n, err := t.now.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}

// poll is read where the terminal could not be opened again, as after a change
// of the user.
func (t *terminal) poll(p []byte) (int, error) {
	fds := []unix.PollFd{
		{Fd: int32(t.in.Fd()), Events: unix.POLLIN},
		{Fd: int32(t.wake[0].Fd()), Events: unix.POLLIN},
	}
	for {
		_, err := unix.Poll(fds, -1)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return 0, err
		case fds[1].Revents != 0:
			return 0, io.EOF
		}
		n, err := unix.Read(int(t.in.Fd()), p)
		switch {
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EAGAIN):
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.ErrUnexpectedEOF
		}
		return n, nil
	}
}

// stopReading ends a read that waits, and every one after it.
func (t *terminal) stopReading() {
	if t.own != nil {
		_ = t.own.SetReadDeadline(time.Now())
	}
	_, _ = t.wake[1].Write([]byte{0})
}

// unwatch gives up waiting for the terminal, which another process does: each
// key, and each frame that the terminal takes, would wake this one too.
func (t *terminal) unwatch() {
	if t.own != nil {
		t.own.Close()
		t.own, t.now = nil, nil
	}
}

// close gives back what read needed. No read may be under way.
func (t *terminal) close() {
	t.unwatch()
	t.wake[0].Close()
	t.wake[1].Close()
}
