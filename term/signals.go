package term

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// shellSignals are those that a process may inherit as ignored, from nohup or
// from a shell without job control, and that a program in a pane must not.
var shellSignals = []syscall.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGALRM, syscall.SIGTERM,
	syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCHLD,
	syscall.SIGWINCH,
}

var signalsOnce sync.Once

// defaultSignals sees to it that children start with default dispositions. A
// signal that is handled is reset by exec, one that is ignored is not: so the
// ignored ones get a channel that nobody reads.
func defaultSignals() {
	signalsOnce.Do(func() {
		unread := make(chan os.Signal, 1)
		for _, s := range shellSignals {
			if ignored(s) {
				signal.Notify(unread, s)
			}
		}
	})
}
