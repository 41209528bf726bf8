//go:build !linux

package server

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// How a terminal's modes are read and set, and its queues emptied.
const (
	getTermios   = unix.TIOCGETA
	setTermios   = unix.TIOCSETA
	flushRequest = unix.TIOCFLUSH
	flushInput   = 1
	flushOutput  = 2
)

// keeper is the client process that stays with a terminal that it passed.
type keeper struct{}

// keeperOf fails: whether a process is stopped is not told cheaply here, so
// terminals stay with their clients.
func keeperOf(int, *os.File) (*keeper, error) { return nil, errors.New("not on this system") }

func (*keeper) holds() bool { return false }
func (*keeper) takes() bool { return false }
func (*keeper) draws() bool { return false }
func (*keeper) close()      {}
