package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func spooled(op, text string) Spooled {
	body, _ := json.Marshal(map[string]string{"text": text})
	return Spooled{Op: ID(op), At: noon, Verb: "remember", Body: body}
}

// drained drains a checkout and answers the operations in order.
func drained(t *testing.T, top string) []string {
	t.Helper()
	var ops []string
	if _, _, err := Drain(top, func(w Spooled) error { ops = append(ops, string(w.Op)); return nil }); err != nil {
		t.Fatal(err)
	}
	return ops
}

func TestSpoolIsDrainedOnceInOrder(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	if got := drained(t, top); got != nil {
		t.Errorf("out of nothing came %q", got)
	}
	for _, op := range []string{"a", "b", "c"} {
		if err := Spool(top, spooled(op, "text"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, drained(t, top)); diff != "" {
		t.Error(diff)
	}
	if got := drained(t, top); got != nil {
		t.Errorf("drained again: %q", got)
	}
}

// TestSpoolLosesNothing writes from many sides while the server drains.
func TestSpoolLosesNothing(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	const writers, each = 8, 40
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := Spool(top, spooled(fmt.Sprint(w, "-", i), strings.Repeat("x", 200)), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	seen := map[string]int{}
	for more := true; more; {
		select {
		case <-finished:
			more = false
		default:
		}
		for _, op := range drained(t, top) {
			seen[op]++
		}
	}
	for op, n := range seen {
		if n != 1 {
			t.Errorf("%s came %d times", op, n)
		}
	}
	if len(seen) != writers*each {
		t.Errorf("%d of %d came", len(seen), writers*each)
	}
}

func TestDrainStopsAndComesAgain(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	for _, op := range []string{"a", "b"} {
		if err := Spool(top, spooled(op, "x"), nil); err != nil {
			t.Fatal(err)
		}
	}
	down := errors.New("down")
	if n, _, err := Drain(top, func(w Spooled) error {
		if w.Op == "b" {
			return down
		}
		return nil
	}); !errors.Is(err, down) || n != 1 {
		t.Errorf("%d done: %v", n, err)
	}
	if err := Spool(top, spooled("c", "x"), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, drained(t, top)); diff != "" {
		t.Error(diff)
	}
}

// TestDrainSkipsWhatIsNoWrite has lines as a killed writer or a stranger leaves them.
func TestDrainSkipsWhatIsNoWrite(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	good, _ := json.Marshal(Spooled{V: 1, Op: "a", Verb: "task", Body: []byte(`{}`)})
	writeFile(t, filepath.Join(top, Folder, spoolFile), "{\"v\":1,\"op\":\"x\n"+string(good)+"\n{\"v\":2,\"op\":\"n\",\"verb\":\"task\"}\n\x00\n"+strings.Repeat("y", MaxSpoolLine+1)+"\n")
	var ops []ID
	n, bad, err := Drain(top, func(w Spooled) error { ops = append(ops, w.Op); return nil })
	if n != 1 || bad != 4 || err != nil || len(ops) != 1 || ops[0] != "a" {
		t.Errorf("%d done, %d bad, %q: %v", n, bad, ops, err)
	}
	if _, err := os.Lstat(filepath.Join(top, Folder, spoolDrain)); !os.IsNotExist(err) {
		t.Error("the drained file is still there")
	}
}

func TestSpoolHoldsNoSecret(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	if err := Spool(top, spooled("a", "use "+vendorToken), nil); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(top, Folder, spoolFile))
	if err != nil || strings.Contains(string(b), vendorToken) || !strings.Contains(string(b), "[REDACTED:github]") {
		t.Errorf("%q %v", b, err)
	}
}

func TestSpoolHasABound(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	if err := Spool(top, spooled("a", strings.Repeat("long words ", MaxSpoolLine/10)), nil); err == nil {
		t.Error("a line of any length is taken")
	}
	writeFile(t, filepath.Join(top, Folder, spoolFile), strings.Repeat("\n", maxSpool))
	if err := Spool(top, spooled("a", "x"), nil); !errors.Is(err, ErrSpoolFull) {
		t.Errorf("got %v", err)
	}
	if err := Spool(top, Spooled{Op: "a", Verb: "task", Body: []byte("{")}, nil); err == nil {
		t.Error("a body that is no JSON is taken")
	}
}

// TestASpoolThatIsNoneKeepsNobodyWaiting has what an agent in a sandbox can put there.
func TestASpoolThatIsNoneKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path string) error{
		"pipe":   func(p string) error { return unix.Mkfifo(p, 0o600) },
		"folder": func(p string) error { return os.MkdirAll(filepath.Join(p, "more"), 0o700) },
		"link":   func(p string) error { return os.Symlink("STATE.md", p) },
		"large":  func(p string) error { return os.WriteFile(p, make([]byte, maxSpool+1), 0o600) },
	} {
		for _, file := range []string{spoolFile, spoolDrain} {
			top := tempDir(t)
			writeFile(t, filepath.Join(top, Folder, "STATE.md"), "")
			if err := put(filepath.Join(top, Folder, file)); err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _, _ = Drain(top, func(Spooled) error { return nil })
			}()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatalf("a %s as %s is waited for", name, file)
			}
			if file == spoolFile {
				continue
			}
			if err := Spool(top, spooled("a", "x"), nil); err != nil {
				t.Error(err)
			}
			if got := drained(t, top); len(got) != 1 {
				t.Errorf("behind a %s comes %q", name, got)
			}
		}
	}
}

func TestASpoolThatIsHeldKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	if err := Spool(top, spooled("a", "x"), nil); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(top, Folder, spoolFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	apply := func(Spooled) error { return nil }
	if _, _, err := Drain(top, apply); !errors.Is(err, ErrSpoolHeld) {
		t.Errorf("drain: %v", err)
	}
	if err := Spool(top, spooled("b", "x"), nil); !errors.Is(err, ErrSpoolHeld) {
		t.Errorf("spool: %v", err)
	}
	f.Close()
	if diff := cmp.Diff([]string{"a"}, drained(t, top)); diff != "" {
		t.Error(diff)
	}
}

// TestASpoolThatIsFullIsDrained has one that is as long as a spool can be.
func TestASpoolThatIsFullIsDrained(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	line, _ := json.Marshal(Spooled{V: 1, Op: "b", At: noon, Verb: "task", Body: []byte(`{}`)})
	writeFile(t, filepath.Join(top, Folder, spoolFile), strings.Repeat("\n", maxSpool-len(line)))
	if err := Spool(top, Spooled{Op: "b", At: noon, Verb: "task", Body: []byte(`{}`)}, nil); !errors.Is(err, ErrSpoolFull) {
		t.Errorf("got %v", err)
	}
	if _, _, err := Drain(top, func(Spooled) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestHalfALineIsTakenBack writes where there is room for a part of a line, in a process
// whose files may not grow.
func TestHalfALineIsTakenBack(t *testing.T) {
	const where = "SPOOL_IN"
	if top := os.Getenv(where); top != "" {
		if err := Spool(top, spooled("b", strings.Repeat("b ", 1000)), nil); err == nil {
			t.Error("there was room for all of it")
		}
		return
	}
	top := tempDir(t)
	if err := Spool(top, spooled("a", strings.Repeat("a ", 200)), nil); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `ulimit -f 1; exec "$0" -test.run '^TestHalfALineIsTakenBack$'`, os.Args[0])
	cmd.Env = append(os.Environ(), where+"="+top)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := Spool(top, spooled("c", "c"), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "c"}, drained(t, top)); diff != "" {
		t.Error(diff)
	}
}

func TestASpoolKeepsToTheRulesOfTheConfiguration(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	rules, err := NewRedactor(RedactRules{Patterns: map[string]string{"bird": "bluebird"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := Spool(top, spooled("a", "the bluebird sings"), rules); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(top, Folder, spoolFile)); err != nil || strings.Contains(string(b), "bluebird") {
		t.Errorf("%q %v", b, err)
	}
}

// FuzzDrain gives a spool any content: what is no write is counted, and nothing is left.
func FuzzDrain(f *testing.F) {
	f.Add([]byte("{\"v\":1,\"op\":\"a\",\"verb\":\"task\",\"body\":{}}\n{"))
	f.Add([]byte("\n\n[]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		top := t.TempDir()
		writeFile(t, filepath.Join(top, Folder, spoolFile), string(text))
		_, _, err := Drain(top, func(w Spooled) error {
			if w.V != 1 || w.Op == "" || w.Verb == "" {
				t.Errorf("%+v", w)
			}
			return nil
		})
		entries, _ := os.ReadDir(filepath.Join(top, Folder))
		if err != nil || len(entries) != 0 {
			t.Errorf("%v, %d files left", err, len(entries))
		}
	})
}
