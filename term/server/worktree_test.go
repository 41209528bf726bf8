package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/wire"
)

func TestParseWorktrees(t *testing.T) {
	t.Parallel()
	text := "worktree /a b/repo\x00HEAD 1\x00branch refs/heads/main\x00\x00worktree /w/x\n\x00HEAD 1\x00detached\x00\x00" +
		"worktree /w/y\x00HEAD 1\x00branch refs/heads/f/y\x00prunable gitdir file points to non-existent location\x00\x00"
	want := []wire.Worktree{{Path: "/a b/repo", Branch: "main", Main: true}, {Path: "/w/x\n"}, {Path: "/w/y", Branch: "f/y", Missing: true}}
	if diff := cmp.Diff(want, parseWorktrees(text)); diff != "" {
		t.Error(diff)
	}
	if got := parseWorktrees(""); got != nil {
		t.Error(got)
	}
}

func TestWorktreePath(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"{repo}.worktrees", "retries", "/src/deck.worktrees/retries"},
		{"{repo}.worktrees", "a/b/c", "/src/deck.worktrees/a-b-c"},
		{"/trees/{repo}", "x", "/trees/deck/x"},
		{"../trees", "x", "/trees/x"},
	} {
		if got := worktreePath("/src/deck", c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// What an include file lists stays within both folders, and overwrites nothing.
func TestCopyIncluded(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		".env":                 "",
		"sub":                  "",
		"*.local\n\n# comment": "",
		"none":                 "",
		"link":                 "",
		"../outside":           "line 1: not a path in the checkout: ../outside",
		"/etc/passwd":          "line 1: not a path in the checkout: /etc/passwd",
		".env\n.git/config":    "line 2: not a path in the checkout: .git/config",
		".":                    "line 1: not a path in the checkout: .",
		"repo":                 "line 1: a repository within is not copied: repo/.git",
		"[":                    "line 1: syntax error in pattern",
		"leads/secret":         "",
	} {
		top, path, other := t.TempDir(), t.TempDir(), t.TempDir()
		files := map[string]string{".deck/worktree-include": pattern, ".env": "1", "sub/a/b": "2", "x.local": "3", "repo/.git/x": "4"}
		for name, text := range files {
			file := filepath.Join(top, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(other, "secret"), []byte("s"), 0o600); err != nil {
			t.Fatal(err)
		}
		for name, to := range map[string]string{"link": filepath.Join(other, "secret"), "leads": other} {
			if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(path, "x.local"), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := copyIncluded(top, path)
		if got := errText(err); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
		if b, _ := os.ReadFile(filepath.Join(path, "x.local")); string(b) != "mine" {
			t.Errorf("%q: a file was overwritten: %s", pattern, b)
		}
		for _, name := range []string{"link", "leads/secret", "secret"} {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
				t.Errorf("%q: %s was copied", pattern, name)
			}
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A setup that does not end takes what it has started with it.
func TestSetupEnds(t *testing.T) {
	t.Parallel()
	s := setup{path: script(t, "setup", "echo began\nsleep 600 & echo $! >pid\nwait\n")}
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.run(ctx, dir, []string{"PATH=/usr/bin:/bin"}) }()
	eventually(t, "the setup to begin", func() bool {
		b, _ := os.ReadFile(filepath.Join(dir, "pid"))
		return strings.HasSuffix(string(b), "\n")
	})
	stop()
	select {
	case err := <-ran:
		if err == nil {
			t.Error("it was cut short, and that is no error")
		}
	case <-time.After(soon):
		t.Fatal("it does not end")
	}
	pid, _ := os.ReadFile(filepath.Join(dir, "pid"))
	untilGone(t, "/proc/"+strings.TrimSpace(string(pid))+"/cwd")
}

// A server does not end with its last pane while another one's worktree is being
// made; it does where that comes to nothing.
func TestAWorktreeKeepsTheServer(t *testing.T) {
	empty := make(chan struct{})
	l := testLoop(t, func(o *loopOptions) { o.empty = func() { close(empty) } })
	p := open(t, l, "read x")
	if _, err := call(t.Context(), l, func() (none, error) { l.coming++; return none{}, nil }); err != nil {
		t.Fatal(err)
	}
	closeNow(t, l, p.ID)
	if _, err := call(t.Context(), l, func() (none, error) { return none{}, nil }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-empty:
		t.Fatal("the server ends")
	default:
	}
	l.post(func() { l.coming-- })
	if _, err := l.newPane(t.Context(), caller{}, wire.NewPane{Dir: t.TempDir(), Worktree: "x"}); err == nil {
		t.Error("a worktree of no repository was made")
	}
	select {
	case <-empty:
	case <-time.After(soon):
		t.Error("the server does not end")
	}
}

// TestWorktreesAreMadeAtTheSameTime makes many of one repository at once.
func TestWorktreesAreMadeAtTheSameTime(t *testing.T) {
	t.Parallel()
	top := filepath.Join(t.TempDir(), "repo")
	for _, args := range [][]string{{"init", "--quiet", top}, {"-C", top, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "x"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	const many = 8
	errs := make(chan error, many)
	for i := range many {
		go func() {
			branch := fmt.Sprint("b", i)
			_, err := repositoryOf(t.Context(), top)
			if err == nil {
				err = addWorktree(t.Context(), top, filepath.Join(top+".worktrees", branch), branch)
			}
			if err == nil {
				_, err = repositoryOf(t.Context(), top)
			}
			errs <- err
		}()
	}
	for range many {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
