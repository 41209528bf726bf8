//go:build !linux

package wire

import "syscall"

func readNow(fd uintptr, b []byte) (int, error)  { return syscall.Read(int(fd), b) }
func writeNow(fd uintptr, b []byte) (int, error) { return syscall.Write(int(fd), b) }

// waiting reports whether there may be something to read.
func waiting(uintptr) bool { return true }
