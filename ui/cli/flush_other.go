//go:build !linux

package cli

import "golang.org/x/sys/unix"

// How a terminal's modes are asked for and its queues emptied: ioctl TIOCFLUSH, whose argument is
// FREAD or FWRITE.
const (
	getTermios   = unix.TIOCGETA
	flushRequest = unix.TIOCFLUSH
	flushInput   = 1
	flushOutput  = 2
)
