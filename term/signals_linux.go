package term

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// ignored reports whether this process ignores s. The runtime tells only of
// some signals, the kernel of all.
func ignored(s syscall.Signal) bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return signal.Ignored(s)
	}
	for line := range strings.Lines(string(status)) {
		if hex, ok := strings.CutPrefix(line, "SigIgn:"); ok {
			mask, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			return err == nil && mask&(1<<(s-1)) != 0
		}
	}
	return signal.Ignored(s)
}
