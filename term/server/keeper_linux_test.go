package server

import (
	"os/exec"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func TestWhoHasATerminal(t *testing.T) {
	t.Parallel()
	const tty = 136<<8 | 5
	for _, c := range []struct {
		name, stat string
		want       bool
	}{
		{"in the foreground", "10 (deck) S 1 10 9 34821 10 4194304", true},
		{"running", "10 (deck) R 1 10 9 34821 10 4194304", true},
		{"a name like a field", "10 (a) T 1 (b) S 1 10 9 34821 10 0", true},
		{"stopped", "10 (deck) T 1 10 9 34821 10 0", false},
		{"gone", "10 (deck) Z 1 10 9 34821 10 0", false},
		{"in the background", "10 (deck) S 1 10 9 34821 9 0", false},
		{"nobody in the foreground", "10 (deck) S 1 10 9 34821 -1 0", false},
		{"controlled by another", "10 (deck) S 1 10 9 34822 9 0", true},
		{"controlled by none", "10 (deck) S 1 10 9 0 -1 0", true},
		{"debugged", "10 (deck) t 1 10 9 34821 10 0", true},
		{"nothing", "", false},
		{"half of it", "10 (deck) S", false},
	} {
		if got := hasTerminal([]byte(c.stat), tty); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func FuzzWhoHasATerminal(f *testing.F) {
	f.Add([]byte("10 (deck) S 1 10 9 34821 10 4194304"), uint64(34821))
	f.Fuzz(func(_ *testing.T, stat []byte, tty uint64) { hasTerminal(stat, tty) })
}

// TestAKeeperThatIsStopped has no terminal until it goes on, and one that is gone
// has none.
func TestAKeeperThatIsStopped(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	cmd := exec.Command("cat")
	cmd.Stdin = slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k, err := keeperOf(cmd.Process.Pid, slave)
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	signal := func(s unix.Signal, flags int) {
		t.Helper()
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if _, err := unix.Wait4(cmd.Process.Pid, nil, flags, nil); err != nil {
			t.Fatal(err)
		}
	}
	signal(unix.SIGSTOP, unix.WUNTRACED)
	// An hour ahead stays a moment ago, however slow the machine is.
	k.seen.Store(int64(time.Since(k.began) + time.Hour))
	if !k.takes() || !k.draws() {
		t.Error("what was seen a moment ago was asked again")
	}
	k.seen.Store(longAgo)
	k.took.Store(int64(time.Since(k.began) + time.Hour))
	if !k.draws() {
		t.Error("the echo of a key is not drawn")
	}
	if k.takes() {
		t.Error("it is stopped and what is typed is for it")
	}
	if k.draws() || k.holds() {
		t.Error("it was seen to be stopped and is drawn on")
	}
	if _, err := keeperOf(cmd.Process.Pid, slave); err == nil {
		t.Error("a client that is stopped passes a terminal")
	}
	signal(unix.SIGCONT, unix.WCONTINUED)
	if !k.holds() {
		t.Error("it goes on and has no terminal")
	}
	signal(unix.SIGKILL, 0)
	if k.holds() {
		t.Error("it is gone and has the terminal")
	}
	_ = cmd.Process.Release()
}
