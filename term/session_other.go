//go:build !linux

package term

import "syscall"

// sessionMembers returns the program's own process group, as a negative
// number, where it has members: systems without /proc tell no more cheaply.
func sessionMembers(sid int) []int {
	if sid > 0 && syscall.Kill(-sid, 0) == nil {
		return []int{-sid}
	}
	return nil
}
