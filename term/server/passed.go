package server

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"deck/term/wire"
)

// passed is a terminal whose descriptor a client gave away: the server reads and
// draws it itself, which saves a key and its echo the way through another
// process. The client stays, and keeps the terminal's size and modes.
//
// The server must not touch the terminal once another job has it: the client
// may have been stopped without a word.
type passed struct {
	file   *os.File
	now    *wire.Prompt // of file
	keeper *keeper
	modes  *unix.Termios // as they are to be in the end
	taken  *unix.Termios // as its client made them for deck
}

// takeTerminal returns the terminal that came with a hello, or says why it is
// not used. The file is closed then.
func takeTerminal(f *os.File, a wire.Attach, pid int) (*passed, error) {
	t, err := checkTerminal(f, a, pid)
	if err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

func checkTerminal(f *os.File, a wire.Attach, pid int) (*passed, error) {
	if a.Termios == nil {
		return nil, errors.New("its modes are not known")
	}
	// A file that is not in the poller would keep a thread, and hold up its client.
	if err := f.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	t := &passed{file: f, modes: a.Termios}
	err := t.onFile(func(fd int) (err error) {
		if t.taken, err = unix.IoctlGetTermios(fd, getTermios); err != nil {
			return err
		}
		// Only for a process's own terminal does the system tell this one. It would
		// stop a server that reads it in the background.
		if _, own := unix.IoctlGetInt(fd, unix.TIOCGPGRP); own == nil {
			return errors.New("it is the server's own")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.now, err = wire.NewPrompt(f); err != nil {
		return nil, err
	}
	if t.keeper, err = keeperOf(pid, f); err != nil {
		return nil, err
	}
	return t, nil
}

// onFile calls f with the descriptor, which stays a non-blocking one.
func (t *passed) onFile(f func(fd int) error) error {
	conn, err := t.file.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := conn.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// errAway is a terminal that is another job's for a while.
var errAway = errors.New("another job has the terminal")

// read waits for what the terminal says, and takes nothing that is typed for
// another job.
func (t *passed) read(p []byte) (int, error) {
	n, err := t.now.ReadIf(p, t.keeper.takes)
	if errors.Is(err, wire.ErrNotRead) || errors.Is(err, os.ErrDeadlineExceeded) {
		err = errAway
	}
	return n, err
}

// write writes what the terminal takes at once. It reports false where it is
// another job's.
func (t *passed) write(p []byte) (n int, ours bool) {
	if !t.keeper.draws() {
		return 0, false
	}
	return t.now.WriteNow(p), true
}

const (
	// giveBackTime is how long a terminal may take to accept what gives it back.
	giveBackTime = 500 * time.Millisecond
	// answerTime is how long it may take to answer what it was asked.
	answerTime = time.Second
)

// restore undoes what the server did to the terminal. What a terminal that has
// stalled did not take is dropped.
func (t *passed) restore(leave []byte) {
	_ = t.file.SetWriteDeadline(time.Now().Add(giveBackTime))
	if _, err := t.file.Write(leave); errors.Is(err, os.ErrDeadlineExceeded) {
		t.drop(flushOutput)
		_ = t.file.SetWriteDeadline(time.Now().Add(giveBackTime))
		_, _ = t.file.Write(leave)
	}
	_ = t.file.SetWriteDeadline(time.Time{})
}

// drain reads the answers that the terminal still owes, unless another job has
// it: they would be typed into whatever reads it next. owes is given what comes.
func (t *passed) drain(owes func([]byte) bool) {
	_ = t.file.SetReadDeadline(time.Now().Add(answerTime))
	buf := make([]byte, 512)
	for owed := owes(nil); owed; {
		n, err := t.read(buf)
		if err != nil {
			if t.keeper.holds() {
				t.drop(flushInput)
			}
			return
		}
		owed = owes(buf[:n])
	}
}

// noteModes remembers the modes that its client has made for deck.
func (t *passed) noteModes() {
	_ = t.onFile(func(fd int) error {
		m, err := unix.IoctlGetTermios(fd, getTermios)
		if err == nil {
			t.taken = m
		}
		return err
	})
}

// drop empties one of the terminal's queues.
func (t *passed) drop(queue int) {
	_ = t.onFile(func(fd int) error { return unix.IoctlSetInt(fd, flushRequest, queue) })
}

// resetModes puts the modes back for a client that was killed, unless somebody
// else has changed them since: then they are a shell's by now.
func (t *passed) resetModes() {
	_ = t.onFile(func(fd int) error {
		if m, err := unix.IoctlGetTermios(fd, getTermios); err != nil || *m != *t.taken {
			return err
		}
		_ = unix.IoctlSetInt(fd, flushRequest, flushInput)
		return unix.IoctlSetTermios(fd, setTermios, t.modes)
	})
}

// close lets go of the terminal; it would not be gone before.
func (t *passed) close() {
	t.file.Close()
	t.keeper.close()
}
