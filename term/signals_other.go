//go:build !linux

package term

import (
	"os/signal"
	"syscall"
)

func ignored(s syscall.Signal) bool { return signal.Ignored(s) }
