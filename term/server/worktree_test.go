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
	"golang.org/x/sys/unix"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

func TestParseWorktrees(t *testing.T) {
	t.Parallel()
	text := "worktree /a b/repo\x00HEAD 1\x00branch refs/heads/main\x00\x00worktree /w/x\n\x00HEAD 1\x00detached\x00\x00" +
		"worktree /w/y\x00HEAD 2\x00branch refs/heads/f/y\x00prunable gitdir file points to non-existent location\x00\x00"
	want := []wire.Worktree{{Path: "/a b/repo", Branch: "main", Head: "1", Main: true}, {Path: "/w/x\n", Head: "1"}, {Path: "/w/y", Branch: "f/y", Head: "2", Missing: true}}
	if diff := cmp.Diff(want, parseWorktrees(text)); diff != "" {
		t.Error(diff)
	}
	if got := parseWorktrees(""); got != nil {
		t.Error(got)
	}
	// A bare repository is no checkout, and none of its worktrees is the repository.
	want = []wire.Worktree{{Path: "/w/x", Branch: "x", Head: "1"}}
	if diff := cmp.Diff(want, parseWorktrees("worktree /r.git\x00bare\x00\x00worktree /w/x\x00HEAD 1\x00branch refs/heads/x\x00\x00")); diff != "" {
		t.Error(diff)
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
	top := testRepository(t)
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

// testRepository makes a repository with one commit.
func testRepository(t *testing.T) (top string) {
	t.Helper()
	top = filepath.Join(resolved(t.TempDir()), "repo")
	gitIn(t, ".", "init", "--quiet", "-b", "main", top)
	gitIn(t, top, "commit", "--quiet", "--allow-empty", "-m", "x")
	return top
}

// gitIn runs git with nobody's configuration.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %s", args, out)
	}
	return string(out)
}

// TestAWorktreeIsMadeWhole when whoever asked for it goes away in the middle: half of
// it would be taken for the worktree the next time.
func TestAWorktreeIsMadeWhole(t *testing.T) {
	top := testRepository(t)
	began, goes := filepath.Join(top, "..", "began"), filepath.Join(top, "..", "goes")
	if err := unix.Mkfifo(goes, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{".gitattributes": "slow filter=slow\n", "slow": "1\n", ".gitignore": ".env\n", ".env": "2\n", ".deck/worktree-include": ".env\n"} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, top, "add", ".")
	gitIn(t, top, "commit", "--quiet", "-m", "files")
	gitIn(t, top, "config", "filter.slow.smudge", fmt.Sprintf("echo >%q; read x <%q; cat", began, goes))
	l := testLoop(t)
	ctx, leave := context.WithCancel(t.Context())
	made := make(chan error, 1)
	go func() {
		_, err := l.worktree(ctx, top, "x", nil)
		made <- err
	}()
	eventually(t, "the checkout to begin", func() bool {
		_, err := os.Stat(began)
		return err == nil
	})
	leave()
	if err := os.WriteFile(goes, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	<-made
	path := filepath.Join(top+".worktrees", "x")
	if got := gitIn(t, path, "status", "--porcelain"); got != "" {
		t.Errorf("half of it is there:\n%s", got)
	}
	if b, err := os.ReadFile(filepath.Join(path, ".env")); string(b) != "2\n" {
		t.Errorf("what git does not bring: %q, %v", b, err)
	}
	if list := gitIn(t, top, "worktree", "list", "--porcelain"); strings.Contains(list, "locked") {
		t.Errorf("it is locked:\n%s", list)
	}
}

// TestIncludesThatFailed are copied the next time, and nothing is left of half a file.
func TestIncludesThatFailed(t *testing.T) {
	t.Parallel()
	top := testRepository(t)
	include := filepath.Join(top, includeFile)
	if err := os.MkdirAll(filepath.Dir(include), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(top, ".env"), "1")
	write(include, "../x\n")
	l := testLoop(t)
	if _, err := l.worktree(t.Context(), top, "x", nil); err == nil {
		t.Fatal("what can't be copied is no error")
	}
	write(include, ".env\n")
	path, err := l.worktree(t.Context(), top, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(path, ".env")); string(b) != "1" {
		t.Errorf("%q, %v", b, err)
	}
	// A third start copies nothing any more.
	if err := os.Remove(filepath.Join(path, ".env")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.worktree(t.Context(), top, "x", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path, ".env")); err == nil {
		t.Error("it was copied once more")
	}
}

// TestAMissingWorktree is forgotten alone: the others may be on a disk that comes
// back, and with commits that nothing else leads to it stays.
func TestAMissingWorktree(t *testing.T) {
	t.Parallel()
	top := testRepository(t)
	dir := filepath.Dir(top)
	gitIn(t, top, "worktree", "add", "--quiet", "-b", "gone", "../gone")
	gitIn(t, top, "worktree", "add", "--quiet", "-b", "away", "../away")
	gitIn(t, top, "worktree", "add", "--quiet", "--detach", "../loose")
	gitIn(t, filepath.Join(dir, "loose"), "commit", "--quiet", "--allow-empty", "-m", "work")
	for _, name := range []string{"gone", "away", "loose"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, name+"-moved")); err != nil {
			t.Fatal(err)
		}
	}
	l := testLoop(t)
	if _, err := l.removeWorktree(t.Context(), caller{}, wire.RemoveWorktree{Dir: top, Worktree: "gone"}); err != nil {
		t.Fatal(err)
	}
	list := gitIn(t, top, "worktree", "list")
	if strings.Contains(list, "/gone ") || !strings.Contains(list, "/away ") || !strings.Contains(list, "/loose ") {
		t.Errorf("left:\n%s", list)
	}
	if _, err := l.removeWorktree(t.Context(), caller{}, wire.RemoveWorktree{Dir: top, Worktree: "../loose"}); codeOf(err) != wire.CodeHasWork {
		t.Errorf("its commit is nowhere else: %v", err)
	}
}

// TestARemovedWorktreeLeavesFoldersOfPeople as they are; it is found by a path that
// begins here, and in a bare repository too.
func TestARemovedWorktreeLeavesFoldersOfPeople(t *testing.T) {
	t.Parallel()
	top := testRepository(t)
	dir := filepath.Dir(top)
	bare := filepath.Join(dir, "bare.git")
	gitIn(t, dir, "clone", "--quiet", "--bare", top, bare)
	gitIn(t, bare, "worktree", "add", "--quiet", "-b", "x", filepath.Join(dir, "own", "x"))
	l := testLoop(t)
	if _, err := l.removeWorktree(t.Context(), caller{}, wire.RemoveWorktree{Dir: filepath.Join(dir, "own", "x"), Worktree: "../x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "own")); err != nil {
		t.Errorf("a folder that deck did not make: %v", err)
	}
}

// An agent can't say of another one's pane that it leaves.
func TestAWorktreeOfAnIdleAgent(t *testing.T) {
	top := testRepository(t)
	l := testLoop(t)
	agent := func(n *wire.NewPane) { n.Agent = "someone" }
	boss, other := open(t, l, "read x", agent), open(t, l, "read x", agent)
	path, err := l.worktree(t.Context(), top, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call(t.Context(), l, func() (none, error) {
		p := l.panes[layout.PaneID(other.ID)]
		p.dir, p.reports = path, path
		p.agent.life.Reported(lifecycle.Report{Source: "integration:x", Agent: "someone", State: lifecycle.Idle}, time.Now())
		return none{}, nil
	}); err != nil {
		t.Fatal(err)
	}
	r := wire.RemoveWorktree{Dir: top, Worktree: "x", Leaving: []string{other.ID}}
	if _, err := l.removeWorktree(t.Context(), caller{pane: layout.PaneID(boss.ID)}, r); codeOf(err) != wire.CodeInUse {
		t.Errorf("by another agent: %v", err)
	}
	if _, err := l.removeWorktree(t.Context(), caller{}, r); err != nil {
		t.Errorf("by a person: %v", err)
	}
}
