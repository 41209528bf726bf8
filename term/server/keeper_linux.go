package server

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// How a terminal's modes are read and set, and its queues emptied.
const (
	getTermios   = unix.TCGETS
	setTermios   = unix.TCSETS
	flushRequest = unix.TCFLSH
	flushInput   = unix.TCIFLUSH
	flushOutput  = unix.TCOFLUSH
)

// keeper is the client process that stays with a terminal that it passed. Any
// goroutine may ask it: the file is read from its beginning each time, into a
// buffer of the caller's.
type keeper struct {
	stat *os.File // /proc/PID/stat, which names no other process even if the number is used again
	fd   uintptr  // of stat
	tty  uint64   // the terminal

	began time.Time
	seen  atomic.Int64 // nanoseconds since began: when it had the terminal last
	took  atomic.Int64 // the same: when a key was last taken for deck
}

// keeperOf returns the process of a client with a terminal, or an error where
// the system tells nothing of it.
func keeperOf(pid int, tty *os.File) (*keeper, error) {
	info, err := tty.Stat()
	if err != nil {
		return nil, err
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok || pid <= 0 {
		return nil, fmt.Errorf("nothing is known of process %d", pid)
	}
	f, err := os.Open(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	k := &keeper{stat: f, fd: f.Fd(), tty: sys.Rdev, began: time.Now()}
	if !k.holds() {
		f.Close()
		return nil, fmt.Errorf("process %d does not have it", pid)
	}
	return k, nil
}

// holds reports whether the client has the terminal: it is neither stopped nor
// gone, and in the foreground where the terminal controls it. It takes 5 µs.
func (k *keeper) holds() bool {
	var buf [512]byte
	// The system does not wait for anything here, so the runtime need not know.
	n, _, errno := syscall.RawSyscall6(syscall.SYS_PREAD64, k.fd, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0, 0)
	if errno != 0 || !hasTerminal(buf[:n], k.tty) {
		k.seen.Store(longAgo)
		k.took.Store(longAgo)
		return false
	}
	k.seen.Store(int64(time.Since(k.began)))
	return true
}

// What was true a moment ago is not asked again, which costs as much as the rest
// of a frame.
const (
	// drawMoment is longer than an echo takes and shorter than any shell: a frame
	// that comes so late to a terminal does no harm.
	drawMoment = 2 * time.Millisecond
	// keyMoment is shorter than it takes a person to see that the terminal is
	// another job's, and to type for that.
	keyMoment = 30 * time.Millisecond

	longAgo = math.MinInt64 / 2
)

// takes reports whether what is typed is meant for deck.
func (k *keeper) takes() bool {
	if !k.within(&k.seen, keyMoment) && !k.holds() {
		return false
	}
	k.took.Store(int64(time.Since(k.began)))
	return true
}

// draws reports whether a frame may be drawn: also the echo of a key that was
// taken.
func (k *keeper) draws() bool {
	return k.within(&k.took, drawMoment) || k.within(&k.seen, drawMoment) || k.holds()
}

func (k *keeper) within(at *atomic.Int64, moment time.Duration) bool {
	return time.Since(k.began)-time.Duration(at.Load()) < moment
}

// hasTerminal reads /proc/PID/stat, whose fields behind the program's name are
// state, parent, group, session, terminal and the terminal's foreground group
// (proc_pid_stat(5)).
func hasTerminal(stat []byte, tty uint64) bool {
	var field [6][]byte
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	for i := range field {
		rest = bytes.TrimLeft(rest, " ")
		field[i], rest, _ = bytes.Cut(rest, []byte(" "))
	}
	state, group, terminal, foreground := field[0], field[2], field[4], field[5]
	if len(state) != 1 || bytes.ContainsAny(state, "TZX") {
		return false
	}
	// Another terminal's foreground says nothing about this one.
	number, err := strconv.ParseUint(string(terminal), 10, 32)
	return err == nil && (number != tty || bytes.Equal(group, foreground))
}

func (k *keeper) close() { k.stat.Close() }
