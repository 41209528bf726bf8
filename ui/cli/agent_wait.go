package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// outcomeTimeout is a wait whose time was up.
const outcomeTimeout = "timeout"

// waitOptions are the flags of "deck agent wait".
type waitOptions struct {
	until   []string
	timeout time.Duration
	json    bool
}

// agentWaitCmd is "deck agent wait".
func agentWaitCmd(a *app) *cobra.Command {
	var o waitOptions
	c := &cobra.Command{
		Use:   "wait [flags] AGENT --until STATE",
		Short: "wait until an agent is in a state",
		Long: `Wait until an agent is in one of some states; not at all if it is already. It
is the agent that runs in the pane at the start, or the first one to come.
States are ` + stateWords(states) + `.
Who waits for idle is content with done.

Exit status: 0 reached, 2 not in time, 3 the agent ended or another one took
its place.`,
		Example: `  deck agent wait anna --until idle
  deck agent wait anna --until needs-input --until done --timeout 1h && notify`,
		Args:              exactly("agent"),
		ValidArgsFunction: a.completeAgent,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.agentWait(cmd.Context(), args[0], o) },
	}
	f := c.Flags()
	f.StringSliceVar(&o.until, "until", nil, "the `state` to wait for; may be said more than once")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "how long; 0 is for ever")
	f.BoolVar(&o.json, "json", false, "print the outcome and the agent as JSON")
	_ = c.RegisterFlagCompletionFunc("until", completeStates(states))
	_ = c.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return c
}

// agentWait asks once: the server answers when the wait is over.
func (a *app) agentWait(ctx context.Context, target string, o waitOptions) error {
	w := wire.AgentWait{Target: target, Timeout: o.timeout.Milliseconds()}
	switch {
	case len(o.until) == 0:
		return &usageError{"missing --until", "a state is one of " + stateWords(states)}
	case o.timeout < 0 || o.timeout > 0 && w.Timeout == 0:
		return usagef("not a time to wait: %s", o.timeout)
	}
	for _, s := range o.until {
		if !slices.Contains(states, lifecycle.State(s)) {
			return &usageError{"unknown state: " + s, "it is one of " + stateWords(states)}
		}
		w.Until = append(w.Until, lifecycle.State(s))
	}
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	got, err := c.WaitAgent(ctx, w)
	if err != nil {
		return err
	}
	if o.json {
		err = printJSON(a.stdout, got)
	} else {
		_, err = fmt.Fprintln(a.stdout, oneLine(waitLine(got)))
	}
	if err != nil {
		return err
	}
	switch got.Outcome {
	case string(lifecycle.Reached):
		return nil
	case outcomeTimeout:
		return exitError(2)
	case string(lifecycle.Exited), string(lifecycle.Replaced):
		return exitError(3)
	}
	return fmt.Errorf("unknown outcome of a wait: %s", got.Outcome)
}

// waitLine says what came of a wait.
func waitLine(w wire.AgentWaited) string {
	line := w.Agent.Nick + " " + string(w.Agent.State) + because(w.Agent.Reason)
	switch w.Outcome {
	case string(lifecycle.Reached):
		return line
	case string(lifecycle.Replaced):
		return w.Outcome + ": " + w.Agent.Nick + " runs " + w.Agent.Agent
	}
	return w.Outcome + ": " + line
}
