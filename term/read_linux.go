package term

import (
	"syscall"
	"unsafe"
)

// readNow reads what is there without waiting. The runtime is not told of a
// system call that never blocks: it would wake a thread of its own to watch it,
// which costs more than the read, for each piece that a program writes.
func readNow(fd uintptr, buf []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
