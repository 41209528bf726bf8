package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"deck/term/wire"
)

// Files of a project that say how a new worktree gets what git does not bring.
const (
	includeFile = ".deck/worktree-include" // a pattern a line, of what is copied
	setupFile   = ".deck/worktree-setup"   // a program that is run, once a person trusts it
)

// Bounds of what is copied and run.
const (
	maxInclude      = 64 << 10
	maxIncludeFiles = 20000
	maxIncludeBytes = 2 << 30
	maxSetup        = 1 << 20
	setupTime       = 5 * time.Minute
)

// furnish copies what the include file lists into a worktree that deck has made,
// just now or before. As long as it has not done so a mark in git's folder of the
// worktree says that it is to be done.
func furnish(ctx context.Context, top, path string, now bool) error {
	dir, err := gitFolder(ctx, path)
	if err != nil {
		return err
	}
	mark := filepath.Join(dir, "deck-include")
	if now {
		err = os.WriteFile(mark, nil, 0o600)
	} else if _, err := os.Lstat(mark); err != nil {
		return nil
	}
	if err == nil {
		err = copyIncluded(top, path)
	}
	if err != nil {
		return &wire.Error{Code: wire.CodeGit, Message: cleanText(fmt.Sprintf("the worktree is there, but %s could not be followed: %v", includeFile, err), maxText),
			Hint: "it is tried again the next time; the worktree is " + cleanText(path, maxText)}
	}
	return os.Remove(mark)
}

// gitFolder is git's own folder of a checkout.
func gitFolder(ctx context.Context, path string) (string, error) {
	dir, err := git(ctx, gitLook, path, "rev-parse", "--absolute-git-dir")
	return strings.TrimRight(dir, "\n"), err
}

// copyIncluded copies what the include file of a checkout lists into a new
// worktree. Nothing leads out of either folder, and nothing is overwritten.
func copyIncluded(top, path string) error {
	text, err := readOwn(top, filepath.Join(top, includeFile), maxInclude)
	if errors.Is(err, errNoFile) {
		return nil
	}
	if err != nil {
		return err
	}
	from, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer to.Close()
	c := copier{from: from, to: to}
	line := 0
	for pattern := range strings.Lines(string(text)) {
		line++
		pattern = strings.TrimSuffix(strings.TrimSpace(pattern), "/")
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if err := c.copy(pattern); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return nil
}

// copier copies files between two folders.
type copier struct {
	from, to *os.Root
	files    int
	bytes    int64
}

// copy copies what matches a pattern, folders with all that is in them.
func (c *copier) copy(pattern string) error {
	if !filepath.IsLocal(pattern) || pattern == "." || pattern == ".git" || strings.HasPrefix(pattern, ".git/") {
		return fmt.Errorf("not a path in the checkout: %s", pattern)
	}
	found, err := fs.Glob(c.from.FS(), filepath.ToSlash(filepath.Clean(pattern)))
	if err != nil {
		return err
	}
	for _, name := range found {
		err := fs.WalkDir(c.from.FS(), name, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.Name() == ".git":
				return errors.New("a repository within is not copied: " + path)
			case d.Type().IsRegular():
				return c.file(path)
			}
			return nil // folders are made for their files; links and devices stay behind
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) file(path string) error {
	in, err := c.from.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	c.files++
	if c.bytes += info.Size(); c.files > maxIncludeFiles || c.bytes > maxIncludeBytes {
		return errors.New("it lists too much")
	}
	if err := c.to.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := c.to.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = c.to.Remove(path) // half of it would pass for the whole the next time
	}
	return err
}

// setup is the setup program of a worktree.
type setup struct {
	path string
	text []byte
}

// setupOf finds the setup program of a worktree: its own, else that of the checkout
// it was made from; nil where there is none. It has to be trusted.
func (l *loop) setupOf(top, path string) (*setup, error) {
	for _, dir := range []string{path, top} {
		file := filepath.Join(dir, setupFile)
		text, err := readOwn(dir, file, maxSetup)
		switch {
		case errors.Is(err, errNoFile):
			continue
		case err != nil:
			return nil, invalid("can't use %s: %v", cleanText(file, maxText), err)
		case !l.trusts.has(text):
			return nil, notTrusted(file)
		}
		return &setup{file, text}, nil
	}
	return nil, nil
}

// setUp runs the setup program of a worktree, unless this one has run there. That
// is remembered in git's folder of the worktree.
func (l *loop) setUp(ctx context.Context, repo repository, path, branch string, env []string) error {
	s, err := l.setupOf(repo.top, path)
	if s == nil {
		return err
	}
	dir, err := gitFolder(ctx, path)
	if err != nil {
		return err
	}
	mark := filepath.Join(dir, "deck-setup")
	if done, _ := os.ReadFile(mark); string(done) == sumOf(s.text) {
		return nil
	}
	if err := s.run(ctx, path, setupEnv(env, path, repo.top, branch)); err != nil {
		return &wire.Error{Code: wire.CodeGit, Message: "the worktree is there, but its setup failed: " + cleanText(err.Error(), maxText),
			Hint: "it runs again the next time; the worktree is " + cleanText(path, maxText)}
	}
	return writeWhole(mark, []byte(sumOf(s.text)))
}

// setupEnv is the environment of a setup program: the caller's, and where it is.
func setupEnv(base []string, path, top, branch string) []string {
	env := []string{"PWD=" + path, "DECK_CHECKOUT=" + top, "DECK_BRANCH=" + branch}
	for _, kv := range base {
		if name, _, ok := strings.Cut(kv, "="); ok && name != "PWD" && !isForeign(name) && !strings.HasPrefix(name, "GIT_") && !strings.ContainsRune(kv, 0) {
			env = append(env, kv)
		}
	}
	return env
}

// run runs the program, with all that it starts in a group of processes that ends
// with it.
func (s *setup) run(ctx context.Context, dir string, env []string) error {
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.path)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var said tail
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("it took longer than %s", setupTime)
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it is not executable")
	case err != nil:
		return fmt.Errorf("%w: %s", err, lastLine(string(said.kept), "it said nothing"))
	}
	return nil
}

// tail is a writer that keeps the end of what it is given.
type tail struct{ kept []byte }

// maxTail is how much that is, in bytes.
const maxTail = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b...)
	if n := len(t.kept) - maxTail; n > 0 {
		t.kept = bytes.Clone(t.kept[n:])
	}
	return len(b), nil
}
