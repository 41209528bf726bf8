package term

import (
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
)

// TestIgnoredSignalsAreNotInherited runs this test program as nohup and a
// shell's background do, with signals ignored.
func TestIgnoredSignalsAreNotInherited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `trap '' HUP INT QUIT TSTP TTIN TTOU PIPE; exec "$0" -test.run '^TestChildrenStartWithDefaultSignals$' -test.v`, self)
	cmd.Env = append(os.Environ(), "TERM_TEST_NOHUP=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if signal.Ignored(syscall.SIGHUP) {
		t.Error("this process ignores SIGHUP")
	}
}
