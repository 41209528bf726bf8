package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// worktreeCmd is "deck worktree".
func worktreeCmd(a *app) *cobra.Command {
	c := group("worktree", "list and remove the checkouts of a repository", worktreeListCmd(a), worktreeRemoveCmd(a))
	c.Long = `List and remove the checkouts of a repository.

"deck new --worktree BRANCH" and "deck start --worktree BRANCH" make one beside
the repository, in REPO.worktrees/BRANCH, or use the one that there is. What
.deck/worktree-include lists, a path or pattern a line, is copied into a new
one; .deck/worktree-setup is run in it, once a person trusts it (deck trust).`
	return c
}

// worktreeFlag is --worktree. An empty branch is refused: it is a variable that is
// not set, and what was to be apart would be done here.
func worktreeFlag(c *cobra.Command, branch *string) {
	c.Flags().Func("worktree", "in the worktree of this `branch`, made if there is none", func(name string) error {
		if *branch = name; name == "" {
			return errors.New("no branch is named")
		}
		return nil
	})
	_ = c.RegisterFlagCompletionFunc("worktree", cobra.NoFileCompletions)
}

func worktreeListCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "ls",
		Short: "list the checkouts of this repository, and the work in them",
		Example: `  deck worktree ls
  deck worktree ls --json | jq -r '.[] | select(.uncommitted > 0).path'`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.worktrees(cmd.Context(), asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) worktrees(ctx context.Context, asJSON bool) error {
	dir, err := folder("")
	if err != nil {
		return err
	}
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	list, err := c.Worktrees(ctx, dir)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, list)
	}
	t := &table{head: []string{"BRANCH", "UNCOMMITTED", "UNPUSHED", "PANES", "PATH"}}
	for _, w := range list {
		path := a.tilde(w.Path)
		if w.Missing {
			path += " (missing)"
		}
		t.add(w.Branch, strconv.Itoa(w.Uncommitted), strconv.Itoa(w.Unpushed), strings.Join(w.Panes, ","), path)
	}
	return t.print(a.stdout)
}

func worktreeRemoveCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "rm BRANCH|PATH",
		Short: "remove a checkout that has no work in it",
		Long: `Remove a checkout. One with files that are not committed, or with commits that
neither a remote nor another branch has, stays, and so does one that a pane
works in. The branch stays in any case.`,
		Example: "  deck worktree rm retries",
		Args:    exactly("branch or path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := folder("")
			if err != nil {
				return err
			}
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			w, err := c.RemoveWorktree(cmd.Context(), wire.RemoveWorktree{Dir: dir, Worktree: args[0]})
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, w)
			}
			_, err = fmt.Fprintf(a.stderr, "deck: removed: %s\n", clean(a.tilde(w.Path)))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print what was removed as JSON")
	return c
}
