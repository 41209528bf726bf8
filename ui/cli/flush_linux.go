package cli

import "golang.org/x/sys/unix"

// How a terminal's modes are asked for and its queues emptied: ioctl TCFLSH.
const (
	getTermios   = unix.TCGETS
	flushRequest = unix.TCFLSH
	flushInput   = unix.TCIFLUSH
	flushOutput  = unix.TCOFLUSH
)
