package wire

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func readNow(fd uintptr, b []byte) (int, error)  { return now(syscall.SYS_READ, fd, b) }
func writeNow(fd uintptr, b []byte) (int, error) { return now(syscall.SYS_WRITE, fd, b) }

// now makes a system call that does not block. b is not empty.
func now(call, fd uintptr, b []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// waiting reports whether a terminal has something to read, or is gone.
func waiting(fd uintptr) bool {
	var n int32
	_, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, fd, unix.TIOCINQ, uintptr(unsafe.Pointer(&n)))
	return errno != 0 || n > 0
}
