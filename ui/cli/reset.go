package cli

import (
	"github.com/spf13/cobra"

	"deck/term/wire"
)

// resetCmd is "deck reset": what a person does after a program died and left
// its pane with the mouse or without a cursor.
func resetCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "reset PANE",
		Short: "take back what a program that died left switched on",
		Long: `Take back what a program that died left switched on in its pane: the mouse, the
alternate screen, key encodings, a hidden cursor. Text and history stay.`,
		Example:           "  deck reset build",
		Args:              exactly("pane"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			return c.Reset(cmd.Context(), wire.Target{Target: args[0]})
		},
	}
}
