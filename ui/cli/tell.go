package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// tellCmd is "deck tell".
func tellCmd(a *app) *cobra.Command {
	var t wire.Tell
	var timeout time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "tell AGENT TEXT",
		Short: "say something to an agent",
		Long: `Say something to an agent. TEXT is typed into its input line and sent, once the
line is empty and the agent's turn has ended. While it works, one whose hooks
can tell it something hears it after its next tool; what another agent says, at
the end of its turn, too. Until then it waits in its inbox. "-" reads the text
from stdin. What one agent tells another is marked with its name, so that it
can be answered.`,
		Example: `  deck tell anna "the API moved to v2, see docs/api.md"
  deck tell anna - < review.md`,
		Args:              exactly("agent", "text"),
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			if t.Timeout = timeout.Milliseconds(); timeout < 0 || cmd.Flags().Changed("timeout") && t.Timeout == 0 {
				return usagef("not a time to wait: %s", timeout)
			}
			t.Target, t.Text = args[0], args[1]
			if t.Text == "-" {
				var err error
				if t.Text, err = readText(a.stdin); err != nil {
					return err
				}
			}
			return a.tell(cmd.Context(), t, asJSON)
		},
	}
	c.Flags().DurationVar(&timeout, "timeout", 0, "drop it if it was not typed after so long")
	c.Flags().BoolVar(&asJSON, "json", false, "print the message as JSON")
	_ = c.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return c
}

func (a *app) tell(ctx context.Context, t wire.Tell, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	m, err := c.Tell(ctx, t)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, m)
	}
	if w := whyWaits[m.Why]; w != "" {
		_, _ = fmt.Fprintf(a.stderr, "deck: %s gets it later: %s\n", m.Nick, w)
	}
	_, err = fmt.Fprintln(a.stdout, m.ID)
	return err
}

// whyWaits says in words what keeps a message from an agent.
var whyWaits = map[string]string{
	"draft": "there is a draft in its input line", "typing": "somebody is typing", "dialog": "a dialog waits for an answer",
	"busy": "it is working", "blocked": "it is blocked", "dead": "it has ended", "no agent": "no agent runs there",
	"no input": "its input line is not to be seen", "stuck": "it is in its input line, and Enter does not send it",
}

// inboxCmd is "deck inbox".
func inboxCmd(a *app) *cobra.Command {
	var asJSON bool
	var drop string
	c := &cobra.Command{
		Use:   "inbox [AGENT]",
		Short: "list what waits to be said to agents",
		Example: `  deck inbox
  deck inbox --drop m_k3x9ab`,
		Args:              atMostOne,
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			if drop != "" {
				if len(args) > 0 {
					return usagef("--drop takes the id of a message and no agent")
				}
				return a.dropMessage(cmd.Context(), drop)
			}
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			target := ""
			if len(args) > 0 {
				target = args[0]
			}
			rows, err := c.Inbox(cmd.Context(), target)
			return printRows(a, asJSON, rows, err, "message", messageTable)
		},
	}
	c.Flags().StringVar(&drop, "drop", "", "take the message of this `id` out")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("drop", cobra.NoFileCompletions)
	return c
}

func (a *app) dropMessage(ctx context.Context, id string) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.DropMessage(ctx, wire.DropMessage{ID: id})
}

func messageTable(messages []wire.Message) *table {
	t := &table{head: []string{"ID", "TO", "FROM", "KIND", "STATE", "WHY", "AGE", "TEXT"}}
	for _, m := range messages {
		t.add(m.ID, m.Nick, m.From, m.Kind, m.Post, m.Why, age(m.AgeMillis), oneLine(m.Text))
	}
	return t
}
