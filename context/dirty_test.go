package memory

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirtyAsksGit(t *testing.T) {
	t.Parallel()
	top := repository(t, tempDir(t))
	writeFile(t, filepath.Join(top, "a.go"), "package changed\n")
	writeFile(t, filepath.Join(top, "new file.txt"), "x")
	writeFile(t, filepath.Join(top, ".env"), "x")
	run := func(ctx context.Context, dir string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		return cmd.Output()
	}
	want := []string{"M a.go", "?? new file.txt"}
	if diff := cmp.Diff(want, Dirty(context.Background(), place(t, top), run)); diff != "" {
		t.Error(diff)
	}
}

// TestDirtyRunsNoFilter has git compare a file that is as long as it was, for which it
// runs what the configuration names.
func TestDirtyRunsNoFilter(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"evil", "e.v=il"} {
		top := repository(t, tempDir(t))
		ran := filepath.Join(top, ".git", "ran")
		run := func(ctx context.Context, dir string, args ...string) ([]byte, error) {
			cmd := exec.CommandContext(ctx, "git", args...)
			cmd.Dir = dir
			return cmd.Output()
		}
		for _, key := range []string{"clean", "process"} {
			if _, err := run(t.Context(), top, "config", "filter."+name+"."+key, "touch "+ran+"; cat"); err != nil {
				t.Fatal(err)
			}
		}
		old, err := os.ReadFile(filepath.Join(top, "a.go"))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(top, ".gitattributes"), "*.go filter="+name+"\n")
		writeFile(t, filepath.Join(top, "a.go"), strings.ToUpper(string(old)))
		got := Dirty(t.Context(), place(t, top), run)
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("the filter %s has run", name)
		}
		if want := name == "evil"; slices.Contains(got, "M a.go") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDirtyWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	asked := 0
	run := func(context.Context, string, ...string) ([]byte, error) { asked++; return nil, errors.New("too slow") }
	if got := Dirty(context.Background(), Place{Git: true}, run); got != nil || asked != 1 {
		t.Errorf("got %q, asked %d times", got, asked)
	}
	if got := Dirty(context.Background(), Place{}, run); got != nil || asked != 1 {
		t.Errorf("git was asked about what is not its own: %q", got)
	}
}

func TestParseStatus(t *testing.T) {
	t.Parallel()
	out := " M a.go\x00R  new.go\x00old.go\x00?? \x1b[31mred\x00x\x00D  gone.go\x00?? certs/a.pem\x00"
	want := []string{"M a.go", "R new.go", "?? red", "D gone.go"}
	if diff := cmp.Diff(want, parseStatus(out)); diff != "" {
		t.Error(diff)
	}
	if n := len(parseStatus(strings.Repeat("?? x\x00", 5000))); n != 200 {
		t.Errorf("%d files", n)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("R  a\x00b\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		for _, line := range parseStatus(s) {
			if strings.ContainsAny(line, "\x00\x1b") {
				t.Errorf("%q", line)
			}
		}
	})
}
