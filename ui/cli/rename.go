package cli

import (
	"github.com/spf13/cobra"

	"deck/term/wire"
)

// renameCmd is "deck rename".
func renameCmd(a *app) *cobra.Command {
	var r wire.Rename
	c := &cobra.Command{
		Use:        "rename [--tab] PANE NAME",
		Short:      "name a pane or its tab",
		SuggestFor: []string{"rename-pane", "rename-window"},
		Long:       "Name a pane or its tab. An empty name takes it back.",
		Example: `  deck rename anna build
  deck rename --tab anna work
  deck rename build ''`,
		Args:              exactly("pane", "name"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Target, r.Name = args[0], args[1]
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			return c.Rename(cmd.Context(), r)
		},
	}
	c.Flags().BoolVar(&r.Tab, "tab", false, "name the tab that the pane is in")
	return c
}
