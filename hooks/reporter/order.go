package reporter

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	// tick is the unit of start times in /proc, in nanoseconds.
	tick = 10_000_000
	// maxPID is the greatest number of a process, times the reports of one.
	maxPID, reportsEach = 1 << 22, 2
)

// order is the order among hooks of an agent that run beside each other, as it
// started them: the one that was started first may well be the last to get a
// processor. Later is more; 0 is none.
func order() int64 {
	if stat, err := os.ReadFile("/proc/self/stat"); err == nil {
		if at, ok := startOf(stat); ok {
			return place(at, os.Getpid())
		}
	}
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return 0
	}
	return t.Nano()
}

// place is the number of a process that was started in a tick. Within one tick
// numbers of processes go up.
func place(ticks int64, pid int) int64 { return ticks*tick + int64(pid%maxPID)*reportsEach }

// startOf returns when a process was started, in ticks since the machine was
// (proc_pid_stat(5), field 22). The name in the second field may hold anything.
func startOf(stat []byte) (ticks int64, ok bool) {
	const after = 22 - 3 // fields from the third one on
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= after {
		return 0, false
	}
	n, err := strconv.ParseInt(string(fields[after]), 10, 64)
	return n, err == nil && n > 0
}
