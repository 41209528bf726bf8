//go:build !linux

package term

import "golang.org/x/sys/unix"

// readNow reads what is there without waiting.
func readNow(fd uintptr, buf []byte) (int, error) { return unix.Read(int(fd), buf) }
