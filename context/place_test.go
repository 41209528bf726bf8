package memory

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// git runs git with an environment of its own and answers what it prints.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"HOME=/nonexistent", "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c",
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main", "GIT_CONFIG_KEY_1=protocol.file.allow", "GIT_CONFIG_VALUE_1=always",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository makes one with a commit and answers its top.
func repository(t testing.TB, top string) string {
	t.Helper()
	if err := os.MkdirAll(top, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, top, "init", "-q")
	writeFile(t, filepath.Join(top, "a.go"), "package a\n")
	git(t, top, "add", ".")
	git(t, top, "commit", "-qm", "first")
	return top
}

func writeFile(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func place(t testing.TB, dir string) Place {
	t.Helper()
	p, err := FindPlace(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFindPlaceAgreesWithGit asks git the same questions.
func TestFindPlaceAgreesWithGit(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	main := repository(t, filepath.Join(root, "main"))
	git(t, main, "worktree", "add", "-q", "-b", "feature/x", filepath.Join(root, "wt"))
	git(t, main, "worktree", "add", "-q", "--detach", filepath.Join(root, "detached"))
	sub := repository(t, filepath.Join(root, "lib"))
	git(t, main, "submodule", "add", "-q", sub, "vendor/lib")
	nested := repository(t, filepath.Join(main, "tools", "nested"))
	git(t, root, "clone", "-q", "--bare", main, "bare.git")
	git(t, filepath.Join(root, "bare.git"), "worktree", "add", "-q", filepath.Join(root, "of-bare"), "main")
	packed := repository(t, filepath.Join(root, "packed"))
	git(t, packed, "pack-refs", "--all")
	writeFile(t, filepath.Join(main, "deep", "er", "x.go"), "package x\n")
	if err := os.Symlink(filepath.Join(main, "deep"), filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	dirs := []string{main, filepath.Join(main, "deep", "er"), filepath.Join(root, "wt"), filepath.Join(root, "detached"), filepath.Join(main, "vendor", "lib"), nested, filepath.Join(root, "of-bare"), packed, filepath.Join(root, "link", "er")}
	for _, dir := range dirs {
		got := place(t, dir)
		real, _ := filepath.EvalSymlinks(dir)
		common := git(t, real, "rev-parse", "--path-format=absolute", "--git-common-dir")
		want := Place{Dir: real, Git: true, Key: common, Checkout: git(t, real, "rev-parse", "--show-toplevel"), Branch: git(t, real, "branch", "--show-current"), Commit: git(t, real, "rev-parse", "HEAD")}
		got.Remote, got.Root = "", ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-git +deck):\n%s", dir, diff)
		}
	}
	if got := place(t, filepath.Join(root, "bare.git")); got.Key != filepath.Join(root, "bare.git") || !got.Git {
		t.Errorf("bare: %+v", got)
	}
	if a, b := place(t, main).Key, place(t, filepath.Join(root, "wt")).Key; a != b {
		t.Errorf("worktree has key %s, its repository %s", b, a)
	}
}

func TestFindPlaceBeforeTheFirstCommit(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	git(t, dir, "init", "-q", "-b", "trunk")
	if got := place(t, dir); got.Branch != "trunk" || got.Commit != "" || !got.Git {
		t.Errorf("%+v", got)
	}
}

func TestFindPlaceOutsideGit(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	writeFile(t, filepath.Join(dir, ".git"), "no repository\n")
	want := Place{Dir: dir, Key: dir, Checkout: dir}
	if diff := cmp.Diff(want, place(t, dir)); diff != "" {
		t.Error(diff)
	}
	if _, err := FindPlace(filepath.Join(dir, "missing")); err == nil {
		t.Error("a folder that is not there has a place")
	}
}

// TestWorktreeOfAMovedRepository keeps the key the repository had.
func TestWorktreeOfAMovedRepository(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	main := repository(t, filepath.Join(root, "main"))
	wt := filepath.Join(root, "wt")
	git(t, main, "worktree", "add", "-q", wt)
	before := place(t, wt).Key
	if err := os.Rename(main, filepath.Join(root, "moved")); err != nil {
		t.Fatal(err)
	}
	got := place(t, wt)
	if got.Key != before || !got.Git || got.Checkout != wt {
		t.Errorf("key was %s: %+v", before, got)
	}
	if moved := place(t, filepath.Join(root, "moved")); moved.Root == "" {
		t.Error("a repository that began here does not know its first commit")
	}
}

func TestNormalRemote(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"git@github.com:acme/app.git":             "github.com/acme/app",
		"https://github.com/acme/app":             "github.com/acme/app",
		"https://bot:pw@GitHub.com/acme/app.git/": "github.com/acme/app",
		"ssh://git@host.test:2222/~ops/x.git":     "host.test/ops/x",
		"https://u:p%zz@host.test/a/b.git":        "host.test/a/b",
		"host:path":                               "host/path",
		"/srv/git/app.git":                        "",
		"../app":                                  "",
		"file:///srv/git/app":                     "",
		`C:\src\app`:                              "",
		"":                                        "",
	} {
		if got := NormalRemote(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

func TestRemoteIsOriginOrTheFirst(t *testing.T) {
	t.Parallel()
	dir := repository(t, tempDir(t))
	git(t, dir, "remote", "add", "fork", "https://me:secret@host.test/me/app.git")
	if got := place(t, dir).Remote; got != "host.test/me/app" {
		t.Errorf("got %q", got)
	}
	git(t, dir, "remote", "add", "origin", "git@host.test:acme/app.git")
	if got := place(t, dir).Remote; got != "host.test/acme/app" {
		t.Errorf("got %q", got)
	}
}

// FuzzNormalRemote holds that no login is left, whatever the address.
func FuzzNormalRemote(f *testing.F) {
	f.Add("https", "user:pw", "host.test", "a/b.git")
	f.Add("ssh", "git", "host", "x")
	f.Fuzz(func(t *testing.T, scheme, login, host, path string) {
		login = "Zlogin" + strings.NewReplacer("/", "", ":", "", "@", "").Replace(login)
		if got := NormalRemote(scheme + "://" + login + "@" + host + "/" + path); !strings.Contains(host+path+scheme, "ogin") && strings.Contains(strings.ToLower(got), "zlogin") {
			t.Errorf("login in %q", got)
		}
	})
}

// FuzzFindPlace gives git's files any content: a place is found, and what it
// says is what such a thing can be.
func FuzzFindPlace(f *testing.F) {
	f.Add("ref: refs/heads/main\n", "[remote \"origin\"]\n\turl = git@h:a/b\n", "# pack-refs\n", "gitdir: ../x\n")
	f.Add("ref: ../../etc\n", "[remote \"\n", "0123456789012345678901234567890123456789 refs/heads/main\n", "gitdir:\n")
	f.Fuzz(func(t *testing.T, head, config, packed, dot string) {
		top := t.TempDir()
		for name, text := range map[string]string{"r/.git/HEAD": head, "r/.git/config": config, "r/.git/packed-refs": packed, "r/.git/objects/x": "", "r/.git/refs/x": "", "r/sub/.git": dot} {
			writeFile(t, filepath.Join(top, name), text)
		}
		for _, dir := range []string{"r", "r/sub"} {
			p, err := FindPlace(filepath.Join(top, dir))
			if err != nil {
				t.Fatal(err)
			}
			if p.Commit != commitHash(p.Commit) || p.Key == "" || strings.Contains(p.Remote, "@") && !strings.Contains(config, "@") {
				t.Errorf("%+v", p)
			}
		}
	})
}
