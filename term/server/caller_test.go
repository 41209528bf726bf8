package server

import (
	"bufio"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A program in a pane cannot get out of it by letting its parent end.
func TestAProcessWithoutAParentIsKnownByItsSession(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("/bin/sh", "-c", "(sleep 1000 & echo $!); read line")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	ids := newIdentities()
	if pane, ok := ids.ofProcess(pid); ok {
		t.Errorf("in pane %q before there was one", pane)
	}
	ids.add("p1", cmd.Process.Pid, "")
	if pane, ok := ids.ofProcess(pid); !ok || pane != "p1" {
		t.Errorf("in pane %q, %v, want p1", pane, ok)
	}
}
