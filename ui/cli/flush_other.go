//go:build !linux

package cli

import "golang.org/x/sys/unix"

// How a terminal's queues are emptied: ioctl TIOCFLUSH, whose argument is
// FREAD or FWRITE.
const (
	flushRequest = unix.TIOCFLUSH
	flushInput   = 1
	flushOutput  = 2
)
