package server

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// maxSocketPath is the most bytes of a socket's path: sun_path without its NUL.
const maxSocketPath = 103

// peerOf asks the system who is at the other end of a socket.
func peerOf(c *net.UnixConn) (uid, pid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var inner error
	err = raw.Control(func(fd uintptr) {
		var cred *unix.Xucred
		cred, inner = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		if inner != nil {
			return
		}
		uid = int(cred.Uid)
		pid, inner = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	})
	if err == nil {
		err = inner
	}
	return uid, pid, err
}

// parentOf returns the parent of a process, 0 where it is gone.
func parentOf(pid int) int {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0
	}
	return int(info.Eproc.Ppid)
}

// residentBytes returns 0: there is no cheap way to ask.
func residentBytes() uint64 { return 0 }

func duplicate(from, to int) error { return unix.Dup2(from, to) }

// sinceBoot returns 0: hooks do not tell when they were started.
func sinceBoot() time.Duration { return 0 }
