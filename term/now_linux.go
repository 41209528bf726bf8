package term

import (
	"syscall"
	"unsafe"
)

// readNow and writeNow read and write what can be without waiting. The runtime
// is not told of a system call that never blocks: it would wake a thread of its
// own to watch it, which costs more than the call, for each piece that a program
// writes and for each key. b is not empty.
func readNow(fd uintptr, b []byte) (int, error)  { return now(syscall.SYS_READ, fd, b) }
func writeNow(fd uintptr, b []byte) (int, error) { return now(syscall.SYS_WRITE, fd, b) }

func now(call, fd uintptr, b []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
