package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// repository is a git repository as one of its folders leads to it.
type repository struct {
	top       string // of the checkout that the folder is in
	worktrees []wire.Worktree
}

// main is the repository's own checkout, another one where that is bare.
func (r repository) main() string { return r.worktrees[0].Path }

// repositoryOf finds the repository of a folder and its worktrees.
func repositoryOf(ctx context.Context, dir string) (repository, error) {
	if !filepath.IsAbs(dir) {
		return repository{}, invalid("not an absolute path: %s", cleanText(dir, maxText))
	}
	top, err := git(ctx, gitLook, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		if _, missing := os.Stat(dir); missing == nil && checkoutOf(dir) == "" {
			return repository{}, &wire.Error{Code: wire.CodeNoRepository, Message: "not in a git repository: " + cleanText(dir, maxText)}
		}
		return repository{}, err
	}
	r := repository{top: strings.TrimRight(top, "\n")}
	list, err := git(ctx, gitLook, dir, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return repository{}, err
	}
	if r.worktrees = parseWorktrees(list); len(r.worktrees) == 0 {
		return repository{}, &wire.Error{Code: wire.CodeNoRepository, Message: "the repository has no checkout: " + cleanText(dir, maxText)}
	}
	return r, nil
}

// parseWorktrees reads what "git worktree list --porcelain -z" prints: lines that
// end with NUL, an empty one after each worktree; the repository's own comes first.
func parseWorktrees(text string) []wire.Worktree {
	var out []wire.Worktree
	first := true // the repository itself, which is no checkout where it is bare
	for block := range strings.SplitSeq(text, "\x00\x00") {
		var w wire.Worktree
		bare := false
		for line := range strings.SplitSeq(block, "\x00") {
			key, value, _ := strings.Cut(line, " ")
			switch key {
			case "worktree":
				w.Path = value
			case "HEAD":
				w.Head = value
			case "branch":
				w.Branch = strings.TrimPrefix(value, "refs/heads/")
			case "prunable":
				w.Missing = true
			case "bare":
				bare = true
			}
		}
		if w.Path != "" && !bare {
			w.Main = first
			out = append(out, w)
		}
		first = false
	}
	return out
}

// workIn counts what is in a worktree and nowhere else.
func workIn(ctx context.Context, main string, w *wire.Worktree) error {
	dir := w.Path
	if w.Missing {
		dir = main // its folder may be on a disk that comes back
	} else {
		changed, err := git(ctx, gitLook, dir, "status", "--porcelain", "-z", "--untracked-files=all")
		if err != nil {
			return err
		}
		w.Uncommitted = strings.Count(changed, "\x00")
	}
	if strings.Trim(w.Head, "0") == "" {
		return nil // nothing was committed yet
	}
	args := []string{"rev-list", "--count", w.Head, "--not", "--remotes"}
	if w.Branch != "" {
		args = append(args, "--exclude="+w.Branch)
	}
	count, err := git(ctx, gitLook, dir, append(args, "--branches")...)
	if err != nil {
		return err
	}
	w.Unpushed, err = strconv.Atoi(strings.TrimSpace(count))
	return err
}

// listWorktrees lists the checkouts of the repository of a folder.
func (l *loop) listWorktrees(ctx context.Context, _ caller, r ofDir) ([]wire.Worktree, error) {
	repo, err := repositoryOf(ctx, r.Dir)
	if err != nil {
		return nil, err
	}
	for i := range repo.worktrees {
		if err := workIn(ctx, repo.main(), &repo.worktrees[i]); err != nil {
			return nil, err
		}
	}
	return call(ctx, l, func() ([]wire.Worktree, error) {
		for i := range repo.worktrees {
			l.workers(&repo.worktrees[i], nil)
		}
		return repo.worktrees, nil
	})
}

// workers names the panes that work in a worktree, without those that are about to
// be closed and at rest.
func (l *loop) workers(w *wire.Worktree, leaving []string) {
	for _, p := range l.inOrder() {
		if st := p.status().State; slices.Contains(leaving, string(p.id)) && (st == lifecycle.Idle || st == lifecycle.Done || st == lifecycle.Dead) {
			continue
		}
		if rel, err := filepath.Rel(w.Path, p.cwd()); err == nil && filepath.IsLocal(rel) && !p.ended {
			w.Panes = append(w.Panes, p.nick)
		}
	}
}

// removeWorktree removes a worktree, if nothing in it would be lost and nobody
// works there. Its branch stays.
func (l *loop) removeWorktree(ctx context.Context, c caller, r wire.RemoveWorktree) (wire.Worktree, error) {
	repo, err := repositoryOf(ctx, r.Dir)
	if err != nil {
		return wire.Worktree{}, err
	}
	path := r.Worktree
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Dir, path)
	}
	i := slices.IndexFunc(repo.worktrees, func(w wire.Worktree) bool {
		return r.Worktree != "" && (w.Branch == r.Worktree || w.Path == path || w.Path == resolved(path))
	})
	if i < 0 {
		return wire.Worktree{}, &wire.Error{Code: wire.CodeNoWorktree, Message: "can't find worktree: " + cleanText(r.Worktree, maxText), Hint: "deck worktree ls lists them"}
	}
	w := repo.worktrees[i]
	if err := workIn(ctx, repo.main(), &w); err != nil {
		return w, err
	}
	if _, err := call(ctx, l, func() (none, error) { l.workers(&w, l.closable(c, r.Leaving)); return none{}, nil }); err != nil {
		return w, err
	}
	if err := removable(w); err != nil {
		return w, err
	}
	common, err := git(ctx, gitLook, r.Dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return w, err
	}
	// Without --force git looks once more itself. Where the folder is gone already it
	// forgets this one; "worktree prune" would forget those on a disk that is away, too.
	if _, err := git(ctx, gitWrite, strings.TrimRight(common, "\n"), "worktree", "remove", "--", w.Path); err != nil {
		return w, err
	}
	folder, err := call(ctx, l, func() (string, error) { return l.config.Worktrees, nil })
	if dir := filepath.Dir(w.Path); err == nil && dir == filepath.Dir(worktreePath(repo.main(), folder, w.Branch)) {
		_ = os.Remove(dir) // the folder of worktrees, if this was the last
	}
	return w, nil
}

// closable are those of the panes that a caller may close: of others it can't say
// that they leave.
func (l *loop) closable(c caller, leaving []string) []string {
	q := l.agentCalling(c)
	return slices.DeleteFunc(slices.Clone(leaving), func(id string) bool {
		p := l.panes[layout.PaneID(id)]
		return p == nil || q != nil && p.opener != q.id
	})
}

// removable reports what keeps a worktree from being removed.
func removable(w wire.Worktree) error {
	name := cleanText(w.Path, maxText)
	switch {
	case w.Main:
		return invalid("it is the repository itself: %s", name)
	case w.Uncommitted > 0:
		return &wire.Error{Code: wire.CodeHasWork, Message: fmt.Sprintf("there is work in %s: files not committed: %d", name, w.Uncommitted),
			Hint: "commit it, or throw it away in the worktree"}
	case w.Unpushed > 0:
		return &wire.Error{Code: wire.CodeHasWork, Message: fmt.Sprintf("there is work in %s: commits that are nowhere else: %d", name, w.Unpushed),
			Hint: "merge or push its branch first"}
	case len(w.Panes) > 0:
		return &wire.Error{Code: wire.CodeInUse, Message: "in use by " + strings.Join(w.Panes, ", ") + ": " + name, Hint: "deck close closes a pane"}
	}
	return nil
}

// enter makes the worktree that a new pane asks for its folder. Until done is called
// the server does not end for want of panes: the last one may be closed meanwhile.
func (l *loop) enter(ctx context.Context, n *wire.NewPane) (done func(), err error) {
	if n.Worktree == "" {
		return func() {}, nil
	}
	l.post(func() { l.coming++ })
	done = func() { l.post(func() { l.coming--; l.endIfEmpty() }) }
	env := n.Env
	if len(env) == 0 {
		env = l.o.env
	}
	if n.Dir, err = l.worktree(ctx, n.Dir, n.Worktree, env); err != nil {
		done()
		return nil, err
	}
	n.Worktree = ""
	return done, nil
}

// worktree makes the worktree of a branch for the repository of a folder, or finds
// it, and returns its path. env is what its setup runs with. It waits and runs
// outside of the loop.
func (l *loop) worktree(ctx context.Context, dir, branch string, env []string) (string, error) {
	repo, err := repositoryOf(ctx, dir)
	if err != nil {
		return "", err
	}
	// What stands for another branch, as @ and @{-1} do, is no name for a new one.
	name, err := git(ctx, gitLook, repo.top, "check-ref-format", "--branch", branch)
	if err != nil || name != branch+"\n" || branch == "@" || strings.HasPrefix(branch, "-") {
		return "", invalid("not a name for a branch: %s", cleanText(branch, maxLabel))
	}
	i := slices.IndexFunc(repo.worktrees, func(w wire.Worktree) bool { return w.Branch == branch && !w.Missing })
	if i >= 0 && repo.worktrees[i].Main {
		return "", invalid("%s is checked out in the repository itself: %s", cleanText(branch, maxLabel), cleanText(repo.main(), maxText))
	}
	if i >= 0 {
		path := repo.worktrees[i].Path
		if err := furnish(ctx, repo.top, path, false); err != nil {
			return "", err
		}
		return path, l.setUp(ctx, repo, path, branch, env)
	}
	// What would not be trusted afterwards is said before anything is made.
	if _, err := l.setupOf(repo.top, repo.top); err != nil {
		return "", err
	}
	folder, err := call(ctx, l, func() (string, error) { return l.config.Worktrees, nil })
	if err != nil {
		return "", err
	}
	path := worktreePath(repo.main(), folder, branch)
	if _, err := os.Lstat(path); err == nil {
		return "", invalid("there is something already: %s", cleanText(path, maxText))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", &wire.Error{Code: wire.CodeGit, Message: cleanText(err.Error(), maxText), Hint: "worktrees in the configuration says where they go"}
	}
	if err := addWorktree(ctx, repo.top, path, branch); err != nil {
		_ = os.Remove(filepath.Dir(path)) // the folder of worktrees, if this would have been the first
		return "", err
	}
	if err := furnish(context.WithoutCancel(ctx), repo.top, path, true); err != nil {
		return "", err
	}
	return path, l.setUp(ctx, repo, path, branch, env)
}

// worktreePath is where the worktree of a branch goes. A branch with slashes is one
// folder, since a worktree must not be in another.
func worktreePath(main, folder, branch string) string {
	folder = strings.ReplaceAll(folder, "{repo}", filepath.Base(main))
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(filepath.Dir(main), folder)
	}
	return filepath.Join(folder, strings.ReplaceAll(branch, "/", "-"))
}

// addWorktree checks a branch out: one that there is, else one of the same name of
// the remote origin, else a new one from here.
func addWorktree(ctx context.Context, top, path, branch string) error {
	has := func(ref string) bool {
		_, err := git(ctx, gitLook, top, "show-ref", "--verify", "--quiet", ref)
		return err == nil
	}
	var args []string
	switch {
	case has("refs/heads/" + branch):
		args = []string{"worktree", "add", "--quiet", "--", path, branch}
	case has("refs/remotes/origin/" + branch):
		args = []string{"worktree", "add", "--quiet", "--track", "-b", branch, "--", path, "origin/" + branch}
	default:
		if _, err := git(ctx, gitLook, top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
			return &wire.Error{Code: wire.CodeGit, Message: "the repository has no commit to begin with"}
		}
		args = []string{"worktree", "add", "--quiet", "-b", branch, "--", path, "HEAD"}
	}
	_, err := git(ctx, gitWrite, top, args...)
	var e *wire.Error
	if errors.As(err, &e) {
		e.Hint = "deck worktree ls lists those that there are"
	}
	return err
}
