package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// usage is what a process used since it started.
type usage struct {
	cpu     float64 // milliseconds
	wakeups float64 // times that one of its threads gave the processor up to wait
}

// usageOf adds up the threads of some processes. Threads that ended are not
// counted; neither multiplexer ends many.
func usageOf(pids ...int) (u usage, err error) {
	for _, pid := range pids {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		if err != nil || len(tasks) == 0 {
			return u, fmt.Errorf("no process %d", pid)
		}
		for _, task := range tasks {
			// The scheduler's own account is exact where ticks are too coarse.
			stat, _ := os.ReadFile(task + "/schedstat")
			if f := strings.Fields(string(stat)); len(f) > 0 {
				ns, _ := strconv.ParseFloat(f[0], 64)
				u.cpu += ns / 1e6
			}
			u.wakeups += statusField(task+"/status", "voluntary_ctxt_switches:")
		}
	}
	return u, nil
}

// memoryOf returns what of a process is in memory, in MB.
func memoryOf(pid int) (float64, error) {
	kb := statusField(fmt.Sprintf("/proc/%d/status", pid), "VmRSS:")
	if kb == 0 {
		return 0, errors.New("the system does not say how much memory a process has")
	}
	return kb / 1024, nil
}

// statusField reads a number from a status file of /proc, 0 where it is not.
func statusField(file, name string) float64 {
	text, _ := os.ReadFile(file)
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) > 1 && f[0] == name {
			v, _ := strconv.ParseFloat(f[1], 64)
			return v
		}
	}
	return 0
}
