package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRunners(t *testing.T) {
	t.Parallel()
	got, err := runners("3fa2c1", []string{"claude", " codex", "claude", "mine=./wrapper --fast", "go-reviewer", "go-reviewer"})
	if err != nil {
		t.Fatal(err)
	}
	want := []*runner{
		{Name: "claude", Agent: "claude", Branch: "race/3fa2c1/claude", State: "starting"},
		{Name: "codex", Agent: "codex", Branch: "race/3fa2c1/codex", State: "starting"},
		{Name: "claude-2", Agent: "claude", Branch: "race/3fa2c1/claude-2", State: "starting"},
		{Name: "mine", Branch: "race/3fa2c1/mine", State: "starting", Command: []string{"./wrapper", "--fast"}},
		{Name: "go-reviewer", Agent: "go-reviewer", Branch: "race/3fa2c1/go-reviewer", State: "starting"},
		{Name: "go-reviewer-2", Agent: "go-reviewer", Branch: "race/3fa2c1/go-reviewer-2", State: "starting"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range [][]string{nil, {"claude"}, {"claude", ""}, {"claude", "../x"}, {"claude", "-x"}, {"claude", "x="}, make([]string, 20)} {
		if _, err := runners("3fa2c1", bad); err == nil {
			t.Errorf("%q is a race", bad)
		}
	}
}

func TestParseNumstat(t *testing.T) {
	t.Parallel()
	got := parseNumstat("12\t3\ta b.go\x00-\t-\timage.png\x001\t0\twith\ttab\nand line\x00")
	want := []change{{"a b.go", 12, 3}, {"image.png", 0, 0}, {"with\ttab\nand line", 1, 0}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(change{})); diff != "" {
		t.Error(diff)
	}
	if got := parseNumstat(""); got != nil {
		t.Error(got)
	}
}

func TestRaceMessage(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"fix it":          "fix it",
		"\n fix it \nnow": "fix it ",
		"äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöü": "äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöü…",
	} {
		if got := raceMessage(prompt); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

func TestRaceStates(t *testing.T) {
	t.Parallel()
	r := &race{Check: "make"}
	for _, c := range []struct {
		u                         runner
		open, unchecked, finished bool
	}{
		{runner{State: "working"}, true, false, false},
		{runner{State: "failed", Over: true, Path: "/x"}, false, false, false},
		{runner{State: "done", Over: true, Path: "/x"}, true, true, true},
		{runner{State: "done", Over: true, Path: "/x", Check: checkRuns}, true, false, false},
		{runner{State: "idle", Over: true, Path: "/x", Check: checkOK}, false, false, true},
		{runner{State: "done", Over: true, Path: "/x", Check: "exit 2"}, false, false, false},
	} {
		r.Runners = []*runner{&c.u}
		if r.open() != c.open || r.unchecked(&c.u) != c.unchecked || c.u.finished() != c.finished {
			t.Errorf("%+v: open %v, unchecked %v, finished %v", c.u, r.open(), r.unchecked(&c.u), c.u.finished())
		}
	}
}

// A race whose command was ended has nothing that would be waited for without end.
func TestALeftRace(t *testing.T) {
	t.Parallel()
	r := &race{Check: "make", Runners: []*runner{{State: stateStarting}, {State: stateStarting, Handle: "ag_1"}, {State: "done", Over: true, Path: "/x", Check: checkRuns}}}
	r.leave()
	for i, u := range r.Runners[:2] {
		if !u.Over || u.State != "failed" || u.Why == "" {
			t.Errorf("%d: %+v", i, u)
		}
	}
	if u := r.Runners[2]; !r.unchecked(u) {
		t.Errorf("its check is not run again: %+v", u)
	}
}

// racing makes a repository with a race in it, of which the only agent has not begun.
func racing(t *testing.T) (a *app, r *race, said *bytes.Buffer) {
	t.Helper()
	dir, said := t.TempDir(), &bytes.Buffer{}
	env := environment{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	a = &app{stdout: said, stderr: said, env: env}
	r = &race{ID: "3fa2c1", Prompt: "fix it", Dir: filepath.Join(dir, "repo"),
		Runners: []*runner{{Name: "x", Branch: "race/3fa2c1/x", Path: filepath.Join(dir, "x"), State: "done", Over: true}}}
	gitIn(t, a, dir, "init", "--quiet", "-b", "main", r.Dir)
	put(t, r.Dir, "file", "1\n")
	gitIn(t, a, r.Dir, "add", ".")
	gitIn(t, a, r.Dir, "commit", "--quiet", "-m", "first")
	gitIn(t, a, r.Dir, "worktree", "add", "--quiet", "-b", r.Runners[0].Branch, r.Runners[0].Path)
	t.Chdir(r.Dir)
	return a, r, said
}

func gitIn(t *testing.T, a *app, dir string, args ...string) string {
	t.Helper()
	out, err := a.git(t.Context(), dir, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The command that has begun a race may have been ended before it kept where its
// worktrees are.
func TestTheWorktreesOfALeftRace(t *testing.T) {
	a, r, _ := racing(t)
	path := r.Runners[0].Path
	r.Runners[0].Path = ""
	if err := a.saveRace(r); err != nil {
		t.Fatal(err)
	}
	got, err := a.openRace(t.Context(), r.ID)
	if err != nil || got.Runners[0].Path != path {
		t.Errorf("%+v, %v", got.Runners[0], err)
	}
}

// TestAdoptDuringAMerge throws nothing of that away.
func TestAdoptDuringAMerge(t *testing.T) {
	a, r, _ := racing(t)
	gitIn(t, a, r.Dir, "checkout", "--quiet", "-b", "side")
	put(t, r.Dir, "file", "2\n")
	gitIn(t, a, r.Dir, "commit", "--quiet", "-am", "side")
	gitIn(t, a, r.Dir, "checkout", "--quiet", "main")
	put(t, r.Dir, "file", "3\n")
	gitIn(t, a, r.Dir, "commit", "--quiet", "-am", "main")
	if _, err := a.git(t.Context(), r.Dir, nil, "merge", "side"); err == nil {
		t.Fatal("no conflict")
	}
	put(t, r.Dir, "file", "by hand\n")
	put(t, r.Runners[0].Path, "new", "x\n")
	if err := a.adopt(t.Context(), r, r.Runners[0]); err == nil || !strings.Contains(err.Error(), "a merge is open here") {
		t.Errorf("%v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(r.Dir, "file")); string(b) != "by hand\n" {
		t.Errorf("what was resolved by hand is %q", b)
	}
	if !a.merging(t.Context(), r.Dir) {
		t.Error("the merge is gone")
	}
}

// TestAdoptWhatIsCheckedOut takes the work of an agent that went to a branch of its
// own, or to none, and says when there is none.
func TestAdoptWhatIsCheckedOut(t *testing.T) {
	a, r, said := racing(t)
	u := r.Runners[0]
	if err := a.adopt(t.Context(), r, u); err == nil || !strings.Contains(err.Error(), "nothing to merge") || r.Adopted != "" {
		t.Errorf("nothing was done, and that is %v", err)
	}
	for i, checkout := range [][]string{{"-b", "own"}, {"--detach"}} {
		gitIn(t, a, u.Path, append([]string{"checkout", "--quiet"}, checkout...)...)
		name := string(rune('a' + i))
		put(t, u.Path, name, "x\n")
		if err := a.adopt(t.Context(), r, u); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(r.Dir, name)); err != nil {
			t.Errorf("%v: %v\n%s", checkout, err, said)
		}
	}
}

// A check that is cut short takes what it has started with it.
func TestACheckEnds(t *testing.T) {
	a, r, _ := racing(t)
	if err := a.saveRace(r); err != nil {
		t.Fatal(err)
	}
	// Whoever writes to the pipe holds it open.
	pipe := filepath.Join(r.Runners[0].Path, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Check = "exec >pipe; echo began; sleep 600 & wait"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan string, 1)
	go func() {
		result, _ := a.check(ctx, r, r.Runners[0])
		done <- result
	}()
	f, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(f, make([]byte, len("began\n"))); err != nil {
		t.Fatal(err)
	}
	stop()
	if rest, err := io.ReadAll(f); err != nil {
		t.Errorf("what it has started goes on: %q, %v", rest, err)
	}
	if got := <-done; got == checkOK {
		t.Error("it was cut short, and that is ok")
	}
}
