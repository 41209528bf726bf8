package cli

import "golang.org/x/sys/unix"

// How a terminal's queues are emptied: ioctl TCFLSH.
const (
	flushRequest = unix.TCFLSH
	flushInput   = unix.TCIFLUSH
	flushOutput  = unix.TCOFLUSH
)
