package server

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxArgv is how much of a command line is looked at.
const maxArgv = 4096

// processOf returns what /proc tells of the leader of a process group, or of
// another member where the leader has ended, as the first program of a
// pipeline may.
func processOf(group int) process {
	p, ok := readProcess(group)
	if !ok {
		if pid := memberOf(group); pid != 0 {
			p, _ = readProcess(pid)
		}
	}
	return p
}

// readProcess reads one process, and returns false for one that is gone or is a
// zombie, of which only the name is left.
func readProcess(pid int) (process, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	comm, err := readSmall(dir + "/comm")
	if err != nil {
		return process{}, false
	}
	p := process{comm: strings.TrimSuffix(string(comm), "\n")}
	if line, err := readSmall(dir + "/cmdline"); err == nil && len(line) > 0 {
		line = line[:min(len(line), maxArgv)]
		for _, arg := range bytes.Split(bytes.TrimRight(line, "\x00"), []byte{0}) {
			p.argv = append(p.argv, string(arg))
		}
	}
	p.dir, _ = os.Readlink(dir + "/cwd")
	return p, p.dir != "" || len(p.argv) > 0
}

// readSmall reads a file of /proc. It asks the system for less than os.ReadFile,
// which prepares every file to be waited for.
func readSmall(name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	b := make([]byte, 0, 512)
	for {
		b = slices.Grow(b, 512)
		n, err := unix.Read(fd, b[len(b):cap(b)])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return b, err
		}
		b = b[:len(b)+n]
	}
}

// memberOf returns a process of a group, 0 where there is none.
func memberOf(group int) int {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := readSmall("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) > 2 && f[0][0] != 'Z' && string(f[2]) == strconv.Itoa(group) {
			return pid
		}
	}
	return 0
}

const (
	maxRelatives = 32 // processes of a group that are looked at
	launchDepth  = 4  // of launchers that start each other
)

// relatives returns processes of a group besides its leader: those that the
// leader has started, and, where it may have siblings, those that its parent has.
func relatives(group int, siblings bool) []int {
	var found []int
	var walk func(pid, depth int)
	walk = func(pid, depth int) {
		for _, child := range childrenOf(pid) {
			if child == group || len(found) == maxRelatives || slices.Contains(found, child) || groupOf(child) != group {
				continue
			}
			found = append(found, child)
			if depth > 1 {
				walk(child, depth-1)
			}
		}
	}
	walk(group, launchDepth)
	if siblings {
		if parent := parentOf(group); parent > 1 {
			walk(parent, launchDepth)
		}
	}
	return found
}

// childrenOf returns the processes that a process has started, as far as the
// system tells.
func childrenOf(pid int) []int {
	at := "/proc/" + strconv.Itoa(pid)
	text, err := readSmall(at + "/task/" + strconv.Itoa(pid) + "/children")
	if err != nil {
		return nil
	}
	var pids []int
	for _, f := range bytes.Fields(text) {
		if n, err := strconv.Atoi(string(f)); err == nil {
			pids = append(pids, n)
		}
	}
	return pids
}

// statFields returns what /proc/PID/stat says after the name, from the state on,
// nil for a process that is gone. The name may hold anything.
func statFields(pid int) [][]byte {
	stat, err := readSmall("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
}

// groupOf returns the process group of a process, 0 where it is gone.
func groupOf(pid int) int {
	f := statFields(pid)
	if len(f) < 3 {
		return 0
	}
	n, _ := strconv.Atoi(string(f[2]))
	return n
}
