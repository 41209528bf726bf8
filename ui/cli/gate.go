package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// The decisions about a gate.
const (
	gateApproved = "approved"
	gateRejected = "rejected"
)

// gateCmd is "deck gate".
func gateCmd(a *app) *cobra.Command {
	return group("gate", "hold an agent until a person decides", gateRequestCmd(a), gateDecideCmd(a, "approve", "let an agent go on", (*wire.Conn).ApproveGate),
		gateDecideCmd(a, "reject", "refuse what an agent asks for", (*wire.Conn).RejectGate), gateListCmd(a))
}

// gateRequestCmd is "deck gate request".
func gateRequestCmd(a *app) *cobra.Command {
	var g wire.GateRequest
	var wait time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "request [flags] [AGENT]",
		Short: "hold an agent until a person approves or rejects",
		Long: `Hold an agent until a person approves or rejects; without AGENT it is that of
this pane. Prints the gate's id.

Exit status with --wait: 0 approved, 1 rejected, 2 not decided in time.`,
		Example: `  deck gate request -m "deploy to production?" --wait 1h && ./deploy
  deck gate request -m "read this first" anna`,
		Args:              atMostOne,
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.Wait = wait.Milliseconds(); wait < 0 || cmd.Flags().Changed("wait") && g.Wait == 0 {
				return usagef("not a time to wait: %s", wait)
			}
			if len(args) > 0 {
				g.Target = args[0]
			} else if _, err := a.ownPane(nil); err != nil {
				return err
			}
			return a.gateRequest(cmd.Context(), g, asJSON)
		},
	}
	c.Flags().StringVarP(&g.Text, "message", "m", "", "the `text` that the person decides on")
	c.Flags().DurationVar(&wait, "wait", 0, "wait so long for the decision")
	c.Flags().BoolVar(&asJSON, "json", false, "print the gate as JSON")
	_ = c.RegisterFlagCompletionFunc("message", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("wait", cobra.NoFileCompletions)
	return c
}

func (a *app) gateRequest(ctx context.Context, g wire.GateRequest, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	got, err := c.RequestGate(ctx, g)
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		err = printJSON(a.stdout, got)
	case g.Wait == 0:
		_, err = fmt.Fprintln(a.stdout, oneLine(got.ID))
	case got.Decision == "":
		_, err = fmt.Fprintln(a.stdout, outcomeTimeout)
	default:
		_, err = fmt.Fprintln(a.stdout, oneLine(got.Decision))
	}
	switch {
	case err != nil || g.Wait == 0 || got.Decision == gateApproved:
		return err
	case got.Decision == gateRejected:
		return exitError(1)
	}
	return exitError(2)
}

// gateDecideCmd is "deck gate approve" or "deck gate reject".
func gateDecideCmd(a *app, verb, short string, decide func(*wire.Conn, context.Context, wire.GateDecision) (wire.Gate, error)) *cobra.Command {
	var d wire.GateDecision
	var asJSON bool
	c := &cobra.Command{
		Use:               verb + " [flags] AGENT",
		Short:             short,
		Example:           "  deck gate " + verb + " anna",
		Args:              exactly("agent"),
		ValidArgsFunction: a.completeGate,
		RunE: func(cmd *cobra.Command, args []string) error {
			d.Target = args[0]
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			got, err := decide(c, cmd.Context(), d)
			if err != nil || !asJSON {
				return err
			}
			return printJSON(a.stdout, got)
		},
	}
	c.Flags().StringVar(&d.ID, "id", "", "only this gate: refused when another one is pending")
	c.Flags().BoolVar(&asJSON, "json", false, "print the gate as JSON")
	_ = c.RegisterFlagCompletionFunc("id", cobra.NoFileCompletions)
	return c
}

// gateListCmd is "deck gate list".
func gateListCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "list the gates that wait for a person",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			rows, err := c.Gates(cmd.Context())
			return printRows(a, asJSON, rows, err, "gate", gateTable)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func gateTable(gates []wire.Gate) *table {
	t := &table{head: []string{"NICK", "AGENT", "ID", "AGE", "BY", "TEXT"}}
	for _, g := range gates {
		t.add(g.Nick, g.Agent, g.ID, age(g.AgeMillis), g.By, g.Text)
	}
	return t
}
