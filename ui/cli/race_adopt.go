package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

func raceDiffCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "diff ID [AGENT [AGENT]]",
		Short: "compare what the agents of a race have changed",
		Long: `Compare what the agents of a race have changed, committed or not: a line for
each file, with a column for each agent. With one AGENT its whole change is
printed, with two the difference between theirs.`,
		Example: `  deck race diff 3fa2c1
  deck race diff 3fa2c1 claude
  deck race diff 3fa2c1 claude codex`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 3 {
				return exactly("race", "agent", "agent")(cmd, args)
			}
			return atLeast("race")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.openRace(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.raceFiles(cmd.Context(), r)
			}
			return a.racePatch(cmd.Context(), r, args[1:])
		},
	}
}

// raceFiles prints a row for each file that somebody has changed.
func (a *app) raceFiles(ctx context.Context, r *race) error {
	t := &table{head: []string{"FILE"}}
	cells := map[string][]string{}
	var errs []error
	for i, u := range r.Runners {
		t.head = append(t.head, u.Name)
		list, err := a.changes(ctx, r, u)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", u.Name, err))
		}
		for _, c := range list {
			if cells[c.path] == nil {
				cells[c.path] = make([]string, len(r.Runners))
			}
			cells[c.path][i] = fmt.Sprintf("+%d -%d", c.added, c.removed)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(cells)) {
		t.add(append([]string{path}, cells[path]...)...)
	}
	return errors.Join(append(errs, t.print(a.stdout))...)
}

// racePatch prints the change of a runner, or the difference between two.
func (a *app) racePatch(ctx context.Context, r *race, names []string) error {
	trees := []string{r.Base}
	for _, name := range names {
		u, err := r.of(name)
		if err != nil {
			return err
		}
		if u.Path == "" {
			return fmt.Errorf("%s has no worktree", name)
		}
		tree, err := a.treeOf(ctx, u.Path)
		if err != nil {
			return err
		}
		trees = append(trees, tree)
	}
	if len(trees) == 3 {
		trees = trees[1:]
	}
	patch, err := a.git(ctx, r.Dir, nil, "diff", "--no-color", "--no-ext-diff", trees[0], trees[1])
	if err != nil {
		return err
	}
	for line := range strings.Lines(patch) {
		if _, err := fmt.Fprintln(a.stdout, cleanKeepingTabs(line)); err != nil {
			return err
		}
	}
	return nil
}

// cleanKeepingTabs is clean for text in which tabs mean something.
func cleanKeepingTabs(s string) string {
	parts := strings.Split(s, "\t")
	for i, p := range parts {
		parts[i] = clean(p)
	}
	return strings.Join(parts, "\t")
}

func raceAdoptCmd(a *app) *cobra.Command {
	var keep bool
	c := &cobra.Command{
		Use:   "adopt ID AGENT",
		Short: "merge what an agent of a race has done into this branch",
		Long: `Merge what an agent of a race has done into the branch that is checked out
here. What it has not committed is committed in its worktree first. Then the
agents of the race are closed, and worktrees are removed that have no work in
them; those of the others stay.`,
		Example: "  deck race adopt 3fa2c1 claude",
		Args:    exactly("race", "agent"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.openRace(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			u, err := r.of(args[1])
			if err != nil {
				return err
			}
			if err := a.adopt(cmd.Context(), r, u); err != nil || keep {
				return err
			}
			return a.tidyRace(cmd.Context(), r)
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "close no agents and remove no worktrees")
	return c
}

// adopt merges a runner's branch. What cannot be merged is taken back.
func (a *app) adopt(ctx context.Context, r *race, u *runner) error {
	if u.Path == "" {
		return fmt.Errorf("%s has no worktree", u.Name)
	}
	dir, err := folder("")
	if err != nil {
		return err
	}
	here, err1 := a.git(ctx, dir, nil, "rev-parse", "--path-format=absolute", "--git-common-dir")
	there, err2 := a.git(ctx, u.Path, nil, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if here != there {
		return &hintedError{errors.New("the race is of another repository"), "go to " + r.Dir + " first"}
	}
	if a.merging(ctx, dir) {
		return &hintedError{errors.New("a merge is open here: nothing was done"), "end it first: git commit, or git merge --abort"}
	}
	branch, err := a.commitAll(ctx, r, u)
	if err != nil {
		return err
	}
	if err := a.merge(ctx, dir, branch); err != nil {
		return err
	}
	r.Adopted = u.Name
	fmt.Fprintf(a.stderr, "deck: merged: %s\n", clean(branch))
	return a.saveRace(r)
}

// commitAll commits what a runner has not, and returns the branch with its work: the
// agent may have gone to another one than it was given, or to none.
func (a *app) commitAll(ctx context.Context, r *race, u *runner) (branch string, err error) {
	changed, err := a.git(ctx, u.Path, nil, "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if changed != "" {
		if _, err := a.git(ctx, u.Path, nil, "add", "--all"); err != nil {
			return "", err
		}
		if _, err := a.git(ctx, u.Path, nil, "commit", "--quiet", "-m", raceMessage(r.Prompt)); err != nil {
			return "", err
		}
	}
	if branch, err = a.git(ctx, u.Path, nil, "symbolic-ref", "--quiet", "--short", "HEAD"); err != nil {
		branch, err = a.git(ctx, u.Path, nil, "rev-parse", "HEAD")
	}
	return strings.TrimSpace(branch), err
}

// merging reports whether a merge has begun in a checkout and not ended.
func (a *app) merging(ctx context.Context, dir string) bool {
	_, err := a.git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "MERGE_HEAD")
	return err == nil
}

// merge merges a branch, where no merge is open. One that fails is taken back.
func (a *app) merge(ctx context.Context, dir, branch string) error {
	if _, err := a.git(ctx, dir, nil, "merge-base", "--is-ancestor", branch, "HEAD"); err == nil {
		return fmt.Errorf("there is nothing to merge: all of %s is here already", branch)
	}
	_, err := a.git(ctx, dir, nil, "merge", "--no-edit", "--quiet", branch)
	if err == nil {
		return nil
	}
	if a.merging(ctx, dir) {
		if _, failed := a.git(ctx, dir, nil, "merge", "--abort"); failed != nil {
			return errors.Join(err, failed)
		}
	}
	return &hintedError{err, "nothing was changed here; git merge " + branch + " merges it by hand"}
}

// raceMessage is the message of a commit for what an agent has left uncommitted: the
// first line of the prompt.
func raceMessage(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	if rs := []rune(line); len(rs) > 70 {
		line = string(rs[:69]) + "…"
	}
	return line
}

// tidyRace removes the worktrees in which nothing would be lost and nobody works,
// which the server looks at, and closes the agents of a race. In this order, since a
// server may end with its last pane.
func (a *app) tidyRace(ctx context.Context, r *race) error {
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, u := range r.Runners {
		if u.Path == "" {
			continue
		}
		if _, err := c.RemoveWorktree(ctx, wire.RemoveWorktree{Dir: r.Dir, Worktree: u.Path, Leaving: []string{u.Pane}}); err != nil {
			fmt.Fprintf(a.stderr, "deck: kept: %s\n", oneLine(err.Error()))
			continue
		}
		u.Path = ""
		fmt.Fprintf(a.stderr, "deck: removed the worktree of %s\n", u.Name)
	}
	for _, u := range r.Runners {
		if u.Handle == "" {
			continue
		}
		if err := c.ReleaseAgent(ctx, wire.Release{Handle: u.Handle, Force: true}); err != nil {
			fmt.Fprintf(a.stderr, "deck: %s is not closed: %s\n", u.Name, oneLine(err.Error()))
		}
	}
	return a.saveRace(r)
}
