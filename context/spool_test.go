package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if err := Spool(top, spooled(op, "text")); err != nil {
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
				if err := Spool(top, spooled(fmt.Sprint(w, "-", i), strings.Repeat("x", 200))); err != nil {
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
		if err := Spool(top, spooled(op, "x")); err != nil {
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
	if err := Spool(top, spooled("c", "x")); err != nil {
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
	if err := Spool(top, spooled("a", "use "+vendorToken)); err != nil {
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
	if err := Spool(top, spooled("a", strings.Repeat("long words ", MaxSpoolLine/10))); err == nil {
		t.Error("a line of any length is taken")
	}
	writeFile(t, filepath.Join(top, Folder, spoolFile), strings.Repeat("\n", maxSpool))
	if err := Spool(top, spooled("a", "x")); !errors.Is(err, ErrSpoolFull) {
		t.Errorf("got %v", err)
	}
	if err := Spool(top, Spooled{Op: "a", Verb: "task", Body: []byte("{")}); err == nil {
		t.Error("a body that is no JSON is taken")
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
