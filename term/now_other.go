//go:build !linux

package term

import "golang.org/x/sys/unix"

// readNow and writeNow read and write what can be without waiting.
func readNow(fd uintptr, b []byte) (int, error)  { return unix.Read(int(fd), b) }
func writeNow(fd uintptr, b []byte) (int, error) { return unix.Write(int(fd), b) }
