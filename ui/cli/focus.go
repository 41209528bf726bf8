package cli

import (
	"github.com/spf13/cobra"

	"deck/term/wire"
)

// focusCmd is "deck focus": what a script does to show a person something.
func focusCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "focus PANE",
		Short:             "show a pane to attached clients",
		SuggestFor:        []string{"select", "select-pane"},
		Example:           "  deck focus build",
		Args:              exactly("pane"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			return c.Focus(cmd.Context(), wire.Target{Target: args[0]})
		},
	}
}
