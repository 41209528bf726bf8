//go:build !linux

package term

// awaitExit leaves the waiting to os/exec.
func awaitExit(int) {}
