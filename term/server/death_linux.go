package server

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deathWatch waits for the end of a process that is no child of the server's.
type deathWatch struct{ file *os.File }

// watchDeath calls ended, from a goroutine of its own, when a process ends. The
// descriptor of the process waits in the runtime's poller, so that nothing runs
// until then. The error is errGone for a process that is not there; with any
// other one this system cannot do it.
func watchDeath(pid int, ended func(ending)) (*deathWatch, error) {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if errors.Is(err, unix.ESRCH) {
		return nil, errGone
	}
	if err != nil {
		return nil, err
	}
	w := &deathWatch{os.NewFile(uintptr(fd), "process")}
	conn, err := w.file.SyscallConn()
	if err != nil {
		w.file.Close()
		return nil, err
	}
	go func() {
		var e ending
		if conn.Read(func(fd uintptr) bool { return hasEnded(fd, pid, &e) }) == nil {
			ended(e)
		}
	}()
	return w, nil
}

// stop ends the watch; ended may be under way.
func (w *deathWatch) stop() {
	if w != nil {
		w.file.Close()
	}
}

// hasEnded reports whether a process has ended and how, as far as that is known.
// A zombie's status is in /proc; of one that was reaped the descriptor knows it,
// from Linux 6.15 on.
func hasEnded(fd uintptr, pid int, e *ending) bool {
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	if n, err := unix.Poll(poll, 0); err != nil || n == 0 {
		return false
	}
	status, ok := zombieStatus(pid)
	if !ok {
		status, ok = reapedStatus(fd)
	}
	if ok {
		ws := unix.WaitStatus(status)
		*e = ending{known: true, code: ws.ExitStatus()}
		if ws.Signaled() {
			e.signal, e.code = int(ws.Signal()), 128+int(ws.Signal())
		}
	}
	return true
}

// exitField is where /proc/PID/stat has the status, counted from the state.
const exitField = 49

func zombieStatus(pid int) (uint32, bool) {
	f := statFields(pid)
	if len(f) <= exitField || !bytes.Equal(f[0], []byte("Z")) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(f[exitField]), 10, 32)
	return uint32(n), err == nil
}

// pidfdInfo is struct pidfd_info of linux/pidfd.h in its first form.
type pidfdInfo struct {
	mask   uint64
	cgroup uint64
	ids    [11]uint32
	status int32
}

const (
	pidfdGetInfo  = 0xc040ff0b // PIDFD_GET_INFO: _IOWR(0xff, 11, 64 bytes)
	pidfdInfoExit = 1 << 3     // PIDFD_INFO_EXIT
)

func reapedStatus(fd uintptr) (uint32, bool) {
	info := pidfdInfo{mask: pidfdInfoExit}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, pidfdGetInfo, uintptr(unsafe.Pointer(&info)))
	return uint32(info.status), errno == 0 && info.mask&pidfdInfoExit != 0
}
