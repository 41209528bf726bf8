package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// allowCmd is "deck allow".
func allowCmd(a *app) *cobra.Command {
	var r wire.Allow
	var asJSON bool
	c := &cobra.Command{
		Use:   "allow [flags] [FROM TO]",
		Short: "let an agent act on a pane that it did not open",
		Long: `Let the agent FROM close, type into, answer or restart the pane TO, which it
did not open: once within ten minutes, or always. Without arguments it lists
what is allowed.

An agent may do so to the panes that it opened itself; for others the person at
the screen is asked, and where there is none it is refused.`,
		Example: `  deck allow anna build             the next act is allowed
  deck allow --always anna build    all of them
  deck allow --never anna build     none any more`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !r.Always && !r.Never {
				return nil
			}
			return exactly("from", "to")(cmd, args)
		},
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := exclusive(cmd, "always", "never"); err != nil {
				return err
			}
			if len(args) == 0 {
				return a.allowances(cmd.Context(), asJSON)
			}
			r.From, r.To = args[0], args[1]
			return a.allow(cmd.Context(), r, asJSON)
		},
	}
	c.Flags().BoolVar(&r.Always, "always", false, "as long as both panes are there")
	c.Flags().BoolVar(&r.Never, "never", false, "take it back")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) allow(ctx context.Context, r wire.Allow, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	got, err := c.Allow(ctx, r)
	if err != nil || !asJSON {
		return err
	}
	return printJSON(a.stdout, got)
}

func (a *app) allowances(ctx context.Context, asJSON bool) error {
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	rows, err := c.Allowances(ctx)
	return printRows(a, asJSON, rows, err, "agent is allowed to act on others", func(rows []wire.Allowed) *table {
		t := &table{head: []string{"FROM", "TO", "HOW OFTEN"}}
		for _, r := range rows {
			often := "once"
			if r.Always {
				often = "always"
			}
			t.add(r.From, r.To, often)
		}
		return t
	})
}

// auditCmd is "deck audit".
func auditCmd(a *app) *cobra.Command {
	var n int
	var asJSON bool
	c := &cobra.Command{
		Use:   "audit [flags]",
		Short: "list who did what to whom",
		Long: `List what agents and persons did to panes by deck's commands, or wanted to and
were refused: the newest last. What was typed or said is not kept. It is kept
in the state folder, of this user alone.`,
		Example: `  deck audit -n 20
  deck audit --json | jq -r '.[] | select(.refused).by.nick'`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 {
				return usagef("not a number of acts: %d", n)
			}
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			rows, err := c.Audit(cmd.Context(), n)
			return printRows(a, asJSON, rows, err, "act is known", auditTable)
		},
	}
	c.Flags().IntVarP(&n, "lines", "n", 100, "the last `n` acts")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("lines", cobra.NoFileCompletions)
	return c
}

func auditTable(rows []wire.Audited) *table {
	t := &table{head: []string{"TIME", "WHO", "DID", "TO", "REFUSED"}}
	for _, r := range rows {
		who := party(r.By)
		if r.Person {
			who = strings.TrimSpace("a person " + r.By.Nick)
		}
		t.add(localTime(r.Time), who, r.Verb, party(r.To), r.Code)
	}
	return t
}

// party names one side of what was done.
func party(p wire.Party) string {
	if p.Agent == "" {
		return p.Nick
	}
	return p.Nick + " (" + p.Agent + ")"
}

// localTime is a time of the server's as a person reads it.
func localTime(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.Local().Format("01-02 15:04:05")
}
