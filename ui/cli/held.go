package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// isHandle reports whether a target is the handle of an agent.
func isHandle(target string) bool { return strings.HasPrefix(target, "ag_") }

// agentHeldCmd is "deck agent held".
func agentHeldCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "held",
		Short: "list the agents that were started for prompts",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			rows, err := c.HeldAgents(cmd.Context())
			return printRows(a, asJSON, rows, err, "agent was started for prompts", a.heldTable)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) heldTable(held []wire.Held) *table {
	t := &table{head: []string{"HANDLE", "NICK", "PANE", "AGENT", "STATE", "PROMPT"}}
	for _, h := range held {
		t.add(h.Handle, h.Nick, h.Pane, h.Agent, a.signOf(lifecycle.State(h.State))+because(h.Reason), h.Prompt)
	}
	return t
}

// heldStatus prints one agent behind a handle.
func (a *app) heldStatus(ctx context.Context, c *wire.Conn, handle string, asJSON bool) error {
	h, err := c.HeldAgent(ctx, handle)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, h)
	}
	t := &table{}
	for _, row := range [][2]string{
		{"handle", h.Handle}, {"nick", h.Nick}, {"pane", h.Pane}, {"agent", h.Agent}, {"generation", strconv.FormatUint(h.Generation, 10)},
		{"state", a.signOf(lifecycle.State(h.State))}, {"reason", h.Reason}, {"request", h.Request.Summary}, {"gone", h.Gone}, {"prompt", h.Prompt},
	} {
		if row[1] != "" {
			t.add(row[0], row[1])
		}
	}
	return t.print(a.stdout)
}
