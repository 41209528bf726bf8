package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// agentsCmd is "deck agents".
func agentsCmd(a *app) *cobra.Command {
	var all, asJSON bool
	c := &cobra.Command{
		Use:   "agents",
		Short: "list the agents and what they are doing",
		Example: `  deck agents             who works, who waits for you and for what
  deck agents --all       panes without an agent, too
  deck agents --json | jq -r '.[] | select(.state == "needs-input").nick'`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.agents(cmd.Context(), all, asJSON) },
	}
	c.Flags().BoolVarP(&all, "all", "a", false, "panes without an agent, too")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// agents prints the list. As with "deck ls", none is an answer.
func (a *app) agents(ctx context.Context, all, asJSON bool) error {
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	rows, err := c.Agents(ctx, "", all)
	return printRows(a, asJSON, rows, err, "agent", a.agentTable)
}
