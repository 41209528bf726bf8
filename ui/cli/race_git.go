package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// gitTime is how long git may take for one thing of a race.
const gitTime = 2 * time.Minute

// gitEnd is how long it may take to end when it is asked to.
const gitEnd = 5 * time.Second

// git runs git in a folder, with variables besides this process's own, and returns
// what it prints.
func (a *app) git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	for _, kv := range a.env {
		// Those would lead it to another repository or index.
		if !strings.HasPrefix(kv, "GIT_DIR=") && !strings.HasPrefix(kv, "GIT_WORK_TREE=") && !strings.HasPrefix(kv, "GIT_INDEX_FILE=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0"), env...)
	// One that is killed would leave its locks, and a merge half done.
	cmd.Dir, cmd.WaitDelay, cmd.Cancel = dir, gitEnd, func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	switch {
	case err == nil:
		return string(out), nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("git %s took too long", args[0])
	}
	text := strings.TrimSpace(said.String() + "\n" + string(out))
	if text == "" {
		text = err.Error()
	}
	return "", fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(text, "fatal: "))
}

// treeOf is the tree of everything that is in a worktree and not ignored,
// committed or not. The worktree's own index stays as it is.
func (a *app) treeOf(ctx context.Context, path string) (string, error) {
	dir, err := os.MkdirTemp("", "deck-race-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	for _, args := range [][]string{{"read-tree", "HEAD"}, {"add", "--all"}} {
		if _, err := a.git(ctx, path, index, args...); err != nil {
			return "", err
		}
	}
	tree, err := a.git(ctx, path, index, "write-tree")
	return strings.TrimSpace(tree), err
}

// change is what a runner has changed of a file.
type change struct {
	path           string
	added, removed int
}

// changes are a runner's since the race began.
func (a *app) changes(ctx context.Context, r *race, u *runner) ([]change, error) {
	if u.Path == "" {
		return nil, errors.New("it has no worktree")
	}
	tree, err := a.treeOf(ctx, u.Path)
	if err != nil {
		return nil, err
	}
	out, err := a.git(ctx, u.Path, nil, "diff", "--numstat", "--no-renames", "-z", r.Base, tree)
	if err != nil {
		return nil, err
	}
	return parseNumstat(out), nil
}

// parseNumstat reads what "git diff --numstat -z" prints: added, removed and path,
// with "-" for the lines of binary files.
func parseNumstat(text string) []change {
	var out []change
	for line := range strings.SplitSeq(text, "\x00") {
		f := strings.SplitN(line, "\t", 3)
		if len(f) < 3 {
			continue
		}
		c := change{path: f[2]}
		c.added, _ = strconv.Atoi(f[0])
		c.removed, _ = strconv.Atoi(f[1])
		out = append(out, c)
	}
	return out
}

// measure counts what a runner has changed.
func (a *app) measure(ctx context.Context, r *race, u *runner) {
	list, err := a.changes(ctx, r, u)
	if err != nil {
		return // its worktree is gone; what was counted before stands
	}
	u.Files, u.Added, u.Removed = len(list), 0, 0
	for _, c := range list {
		u.Added += c.added
		u.Removed += c.removed
	}
}

// checkTime is how long a check may take.
const checkTime = 15 * time.Minute

// check runs the check of a race in a runner's worktree. It is the person's own
// command line, and a shell's.
func (a *app) check(ctx context.Context, r *race, u *runner) (result, output string) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	output = filepath.Join(a.raceFolder(), r.ID+"-"+u.Name+".check")
	f, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return "not run: " + err.Error(), ""
	}
	defer f.Close()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", r.Check)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = u.Path, a.env, f, f, time.Second
	// What the shell has started ends with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return checkOK, output
	case ctx.Err() != nil:
		return "took too long", output
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return fmt.Sprintf("exit %d", exit.ExitCode()), output
	}
	return err.Error(), output
}
