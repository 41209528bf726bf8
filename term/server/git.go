package server

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"deck/term/wire"
)

// How long git may take: to look at something, and to write a checkout.
const (
	gitLook  = 20 * time.Second
	gitWrite = 5 * time.Minute
	gitEnd   = 5 * time.Second // to end when it is asked to
)

// gitTurn lets one git write at a time, and none read meanwhile: a worktree that is
// half made is an error to every other git in the repository.
var gitTurn sync.RWMutex

// git runs git in a folder and returns what it prints. It asks nobody anything and
// runs no hook; variables that would lead it to another repository are not passed
// on. It waits and runs outside of the loop.
func git(ctx context.Context, limit time.Duration, dir string, args ...string) (string, error) {
	if limit == gitWrite {
		ctx = context.WithoutCancel(ctx) // whoever asked may go away; half a checkout passes for a whole one
		gitTurn.Lock()
		defer gitTurn.Unlock()
	} else {
		gitTurn.RLock()
		defer gitTurn.RUnlock()
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
	cmd.Env = gitEnv()
	cmd.Dir, cmd.WaitDelay = dir, gitEnd
	// It takes back what it has begun if it is asked to end, with those that it has
	// started. What ends the server's own group does not end it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	switch {
	case err == nil:
		return string(out), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", &wire.Error{Code: wire.CodeGit, Message: "there is no git on the server's PATH"}
	case errors.Is(ctx.Err(), context.Canceled):
		return "", ctx.Err()
	case ctx.Err() != nil:
		return "", &wire.Error{Code: wire.CodeGit, Message: "git " + args[0] + " took too long"}
	}
	return string(out), &wire.Error{Code: wire.CodeGit, Message: "git " + args[0] + ": " + reasonOf(said.String(), err.Error())}
}

// reasonOf is why git failed: what it said first is the cause, what it said last is
// what came of it.
func reasonOf(said, or string) string {
	last := lastLine(said, or)
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	first = cleanText(strings.TrimPrefix(strings.TrimPrefix(first, "error: "), "fatal: "), maxText)
	if first == "" || first == last {
		return last
	}
	return first + "; " + last
}

// gitEnv is the environment without what would lead git to another repository, or have
// it ask somebody.
func gitEnv() (env []string) {
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_ALL=") {
			env = append(env, kv)
		}
	}
	return append(env, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
}

// lastLine is the last line of what a program said, clean; else what else there is
// to say.
func lastLine(text, or string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if s := cleanText(strings.TrimPrefix(lines[len(lines)-1], "fatal: "), maxText); s != "" {
		return s
	}
	return or
}
