package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// reportTime is how long a report may take. It is made in the middle of an
// agent's work, which must not wait for a server that hangs.
const reportTime = 3 * time.Second

// reportable are the states that a report can give, and reasons those that
// needs-input and blocked can have. Whether they fit is the server's to say.
var (
	reportable = []lifecycle.State{lifecycle.Working, lifecycle.NeedsInput, lifecycle.Idle, lifecycle.Blocked, lifecycle.Done, lifecycle.Unknown}
	reasons    = []string{lifecycle.Approval, lifecycle.Question, lifecycle.Authentication, lifecycle.Handoff,
		lifecycle.Limit, lifecycle.ToolError, lifecycle.ExternalWait, lifecycle.Unexplained}
)

// agentReportCmd is "deck agent report".
func agentReportCmd(a *app) *cobra.Command {
	var r lifecycle.Report
	var meta lifecycle.Meta
	c := &cobra.Command{
		Use:   "report STATE --source SOURCE --agent AGENT",
		Short: "tell deck what the agent of this pane is doing",
		Long: `Tell deck what the agent of this pane is doing. It works inside a pane only.
STATE is one of ` + stateWords(reportable) + `;
the last takes back what the source has said. A SOURCE is integration:NAME,
custom:NAME, native:NAME or manifest:NAME. "deck schema agent-report" has more.`,
		Example: `  deck agent report working --source custom:ci --agent claude --detail "make"
  deck agent report blocked --reason limit --source custom:ci --agent claude`,
		Args:              exactly("state"),
		ValidArgsFunction: firstArg(completeStates(reportable)),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.State = lifecycle.State(args[0])
			switch {
			case r.Source == "":
				return &usageError{"missing --source", "it says who reports, as in custom:build"}
			case r.Agent == "":
				return &usageError{"missing --agent", "it is the name of the agent in this pane, as in claude"}
			case cmd.Flags().Changed("ttl-ms") && r.TTLMillis == 0:
				return usagef("not a time to believe a report: 0 ms")
			}
			if meta.Title != "" || meta.StateLabel != "" {
				r.Meta = &meta
			}
			return a.report(cmd.Context(), r)
		},
	}
	f := c.Flags()
	f.StringVar(&r.Source, "source", "", "who reports, as in custom:build")
	f.StringVar(&r.Agent, "agent", "", "the `agent` it is about")
	f.StringVar(&r.Reason, "reason", "", "the `reason` of needs-input or blocked")
	f.StringVar(&r.Detail, "detail", "", "a `text` of at most 120 characters")
	f.StringVar(&r.Request, "request", "", "what a person is asked, in one `line`")
	f.StringVar(&r.Tool, "tool", "", "the `tool` at work")
	f.StringVar(&meta.Title, "title", "", "a `title` for people to read")
	f.StringVar(&meta.StateLabel, "label", "", "a `word` to show for the state")
	f.Int64Var(&r.TTLMillis, "ttl-ms", 0, "believe it for `N` ms; 30000 without")
	f.Int64Var(&r.Seq, "seq", 0, "the report's `number`; one with a lower number is dropped")
	_ = c.RegisterFlagCompletionFunc("reason", cobra.FixedCompletions(reasons, cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"source", "agent", "detail", "request", "tool", "title", "label", "ttl-ms", "seq"} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return c
}

// report sends a report for the pane that this runs in, to its server and no
// other.
func (a *app) report(ctx context.Context, r lifecycle.Report) error {
	socket, err := a.socket()
	if err != nil {
		return err
	}
	token := a.env.get("DECK_REPORT_TOKEN")
	if own := a.env.get("DECK_SOCKET"); token == "" || own == "" || !samePath(own, socket) {
		return &hintedError{errors.New("this is no pane of deck: DECK_SOCKET and DECK_REPORT_TOKEN name none"),
			"a report is about the pane it is made in"}
	}
	c := wire.Open(socket, token)
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, reportTime)
	defer cancel()
	got, err := c.Report(ctx, r)
	var refused *wire.Error
	switch {
	case errors.As(err, &refused) && wire.HTTPStatus(refused.Code) == 422:
		return &hintedError{err, `"deck schema agent-report" says what a report may be`}
	case err != nil:
		return err
	case got.Dropped != "":
		return fmt.Errorf("the report was dropped: %s", got.Dropped)
	}
	return nil
}
