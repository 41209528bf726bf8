package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// agentStatusCmd is "deck agent status".
func agentStatusCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status [flags] [AGENT]",
		Short: "print what an agent is doing, and who says so",
		Example: `  deck agent status anna
  deck agent status                        inside a pane: its own
  deck agent status ag_7f30c1a9e2d4        one that deck start has started
  deck agent status anna --json | jq -r .state`,
		Args:              atMostOne,
		ValidArgsFunction: a.completeAgent,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.agentStatus(cmd.Context(), args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// agentStatus prints one agent. It changes nothing: what is done and unseen
// stays so.
func (a *app) agentStatus(ctx context.Context, args []string, asJSON bool) error {
	target, err := a.ownPane(args)
	if err != nil {
		return err
	}
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if isHandle(target) {
		return a.heldStatus(ctx, c, target, asJSON)
	}
	rows, err := c.Agents(ctx, target, false)
	switch {
	case err != nil:
		return err
	case len(rows) == 0:
		return fmt.Errorf("no agent in pane: %s", target)
	case asJSON:
		return printJSON(a.stdout, rows[0])
	}
	return a.statusTable(rows[0]).print(a.stdout)
}

// statusTable has one row per thing that is known.
func (a *app) statusTable(r wire.Agent) *table {
	t := &table{}
	add := func(name, value string) {
		if value != "" {
			t.add(name, value)
		}
	}
	add("pane", r.Pane)
	add("nick", r.Nick)
	add("agent", r.Agent)
	add("generation", strconv.FormatUint(r.Generation, 10))
	add("state", a.signOf(r.State))
	add("reason", r.Reason)
	add("request", r.Request.Summary)
	add("tool", cmp.Or(r.Tool, r.Request.Tool))
	add("detail", r.Detail)
	if r.Progress > 0 {
		add("progress", strconv.Itoa(r.Progress)+" %")
	}
	add("source", r.Source)
	add("age", age(r.AgeMillis))
	add("stale", yes(r.Stale))
	add("background", yes(r.Background))
	add("session", r.SessionID)
	add("project", a.projectOf(r))
	for _, m := range metaRows(r.Meta) {
		add(m[0], m[1])
	}
	return t
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// metaRows are what a report gave for people to read.
func metaRows(m *lifecycle.Meta) [][2]string {
	if m == nil {
		return nil
	}
	rows := [][2]string{{"title", m.Title}, {"display", m.DisplayAgent}, {"label", m.StateLabel}}
	var tokens []string
	for _, k := range slices.Sorted(maps.Keys(m.Tokens)) {
		tokens = append(tokens, k+"="+m.Tokens[k])
	}
	return append(rows, [2]string{"tokens", strings.Join(tokens, " ")})
}
