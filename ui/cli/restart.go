package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// restartCmd is "deck restart".
func restartCmd(a *app) *cobra.Command {
	var r wire.Restart
	var asJSON bool
	c := &cobra.Command{
		Use:        "restart [flags] PANE",
		Short:      "run an ended pane's program again",
		SuggestFor: []string{"respawn-pane", "resume"},
		Long: `Run an ended pane's program again in its place. An agent goes on with its
session, where it has one that is still there.

What has failed three times within ten seconds is not started again without
--force. Prints the pane's id and nick.`,
		Example: `  deck restart anna             the agent goes on where it was
  deck restart --fresh anna     it begins a new session`,
		Args:              exactly("pane"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Target = args[0]
			return a.restart(cmd.Context(), r, asJSON)
		},
	}
	f := c.Flags()
	f.BoolVar(&r.Fresh, "fresh", false, "an agent begins a new session")
	f.BoolVar(&r.Force, "force", false, "although it has just failed again and again")
	f.BoolVar(&asJSON, "json", false, "print the pane as JSON")
	return c
}

func (a *app) restart(ctx context.Context, r wire.Restart, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	got, err := c.Restart(ctx, r)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(a.stdout, got)
	}
	switch {
	case got.Note != "":
		fmt.Fprintf(a.stderr, "deck: %s begins anew: %s\n", oneLine(got.Nick), oneLine(got.Note))
	case got.Resumed != "":
		fmt.Fprintf(a.stderr, "deck: %s goes on with session %s\n", oneLine(got.Nick), oneLine(got.Resumed))
	}
	_, err = fmt.Fprintf(a.stdout, "%s %s\n", got.ID, got.Nick)
	return err
}
