package term

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// StartError says why a program could not be run, in a sentence for a person.
type StartError struct {
	Message string
	Err     error
}

// Error returns the sentence.
func (e *StartError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// run opens the PTY and starts the program as the leader of a session of its
// own, with the PTY as its terminal.
func (p *Pane) run() error {
	s := &p.spec
	if len(s.Argv) == 0 {
		return &StartError{Message: "no command"}
	}
	if fi, err := os.Stat(s.Dir); s.Dir != "" && (err != nil || !fi.IsDir()) {
		return &StartError{Message: "no such folder: " + s.Dir, Err: err}
	}
	path, err := lookPath(s.Argv[0], s.Env, s.Dir)
	if err != nil {
		return err
	}
	master, tty, err := openPTY()
	if err != nil {
		return &StartError{Message: "no terminal for " + s.Argv[0] + ": " + err.Error(), Err: err}
	}
	defer tty.Close()
	p.pty = master
	if err := p.setSize(p.now); err != nil {
		p.log.Warn("terminal size not set", "err", err)
	}
	defaultSignals()
	p.cmd = &exec.Cmd{Path: path, Args: s.Argv, Env: s.Env, Dir: s.Dir,
		Stdin: tty, Stdout: tty, Stderr: tty,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true}}
	if err := p.cmd.Start(); err != nil {
		master.Close()
		p.pty, p.cmd = nil, nil
		return &StartError{Message: fmt.Sprintf("can't run %s: %v", s.Argv[0], cause(err)), Err: err}
	}
	return nil
}

// openPTY returns a PTY whose master waits in the runtime's poller: a read or
// a write that is under way ends when it is closed, and none takes a thread.
func openPTY() (master, tty *os.File, err error) {
	m, tty, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	fd, err := unix.FcntlInt(m.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		tty.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), "pty"), tty, nil
}

// setSize tells the PTY its size; the program gets SIGWINCH if it changed.
func (p *Pane) setSize(s size) error {
	ws := unix.Winsize{Col: uint16(s.cols), Row: uint16(s.rows),
		Xpixel: uint16(min(s.cols*s.cellW, 1<<16-1)), Ypixel: uint16(min(s.rows*s.cellH, 1<<16-1))}
	return p.control(func(fd int) error { return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &ws) })
}

// control runs f with the master's descriptor.
func (p *Pane) control(f func(fd int) error) error {
	if p.pty == nil {
		return os.ErrClosed
	}
	conn, err := p.pty.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := conn.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// lookPath finds a program as a shell in dir with this environment would.
func lookPath(name string, env []string, dir string) (string, error) {
	if strings.Contains(name, "/") {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		switch fi, err := os.Stat(path); {
		case err != nil:
			return "", &StartError{Message: "command not found: " + name, Err: err}
		case fi.IsDir():
			return "", &StartError{Message: "can't run " + name + ": is a folder"}
		case fi.Mode()&0o111 == 0:
			return "", &StartError{Message: "can't run " + name + ": permission denied"}
		}
		return path, nil
	}
	for _, d := range filepath.SplitList(pathOf(env)) {
		if d == "" {
			d = "."
		}
		path := filepath.Join(d, name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if fi, err := os.Stat(path); err == nil && !fi.IsDir() && fi.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", &StartError{Message: "command not found: " + name}
}

// pathOf returns the PATH of an environment, or a usual one.
func pathOf(env []string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], "PATH="); ok {
			return v
		}
	}
	return "/usr/local/bin:/usr/bin:/bin"
}

// cause strips the operation from an error of the os package: the sentence
// names the program already.
func cause(err error) error {
	if pe, ok := err.(*os.PathError); ok { //nolint:errorlint // only the outermost
		return pe.Err
	}
	return err
}
