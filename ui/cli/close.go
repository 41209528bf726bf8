package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// closeCmd is "deck close". Whether something keeps a pane open is the
// server's to say; --force only passes on that the person means it.
func closeCmd(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:        "close [--force] PANE|HANDLE...",
		Short:      "end panes and everything that runs in them",
		SuggestFor: []string{"kill", "rm", "kill-pane"},
		Example: `  deck close build
  deck close ag_7f30c1a9e2d4     an agent that deck start has started
  deck close --force build      whoever it belongs to`,
		Args:              atLeast("pane"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			// One that cannot be closed does not keep the others open.
			var errs []error
			for _, target := range args {
				if isHandle(target) {
					errs = append(errs, c.ReleaseAgent(cmd.Context(), wire.Release{Handle: target, Force: force}))
					continue
				}
				errs = append(errs, c.ClosePane(cmd.Context(), wire.Close{Target: target, Force: force}))
			}
			return errors.Join(errs...)
		},
	}
	c.Flags().BoolVar(&force, "force", false, "even where deck would rather ask")
	return c
}
