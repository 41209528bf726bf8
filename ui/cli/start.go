package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// startOptions are the flags of "deck start" that are not the request itself.
type startOptions struct {
	split string
	model string
	ready time.Duration
	json  bool
	list  bool
}

// startCmd is "deck start".
func startCmd(a *app) *cobra.Command {
	var s wire.StartAgent
	var o startOptions
	c := &cobra.Command{
		Use:   "start [flags] AGENT [-- ARGS...]",
		Short: "start an agent for prompts, and print its handle",
		Long: `Start an agent that stays until it is closed, and wait until it is ready; print
its handle, for deck prompt, read and close, and its nick. It gets no task and
no keyboard; a start that fails leaves nothing behind. With no AGENT but a
command after "--" that is the agent.

AGENT can be a definition, too: .deck/agents/NAME.md of the checkout or
agents/NAME.md beside deck's configuration, Markdown that is the agent's part
to play. Keys between two lines "---" above it say which agent, and perhaps
model, tools and description. A person has to trust one of a project first:
deck trust.`,
		Example: `  a=$(deck start claude | cut -d' ' -f1)
  p=$(deck prompt $a "why does the parser test fail?")
  deck wait $p && deck close $a
  deck start --split right codex -- --search
  deck start --list                      the definitions that there are
  deck start reviewer                    .deck/agents/reviewer.md
  deck start --worktree retries claude   in a checkout of its own`,
		ValidArgsFunction: cobra.FixedCompletions(agentNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.list {
				return a.definitions(cmd.Context(), s.Dir, args, o.json)
			}
			if err := o.agent(&s, args, cmd.ArgsLenAtDash()); err != nil {
				return err
			}
			return a.start(cmd.Context(), s, o)
		},
	}
	f := c.Flags()
	f.StringVarP(&s.Name, "name", "n", "", "a `name` for the pane")
	f.StringVar(&o.split, "split", "", "beside or below the current pane: `right` or down")
	f.StringVar(&s.At, "at", "", "split this `pane` instead of the current one")
	f.StringVar(&s.Dir, "cwd", "", "the `folder` to start in; this one without")
	worktreeFlag(c, &s.Worktree)
	f.StringVar(&o.model, "model", "", "its `model`: small, medium, large, or a name of its own")
	f.DurationVar(&o.ready, "ready", time.Minute, "how long it may take to be ready")
	f.BoolVar(&o.list, "list", false, "start nothing, list the definitions")
	f.BoolVar(&o.json, "json", false, "print the agent, or the list, as JSON")
	a.sessionFlag(c, &s.Session, "the `session` to open it in, made if there is none")
	_ = c.RegisterFlagCompletionFunc("split", cobra.FixedCompletions([]string{"right", "down"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("at", a.completeTarget)
	_ = c.RegisterFlagCompletionFunc("model", cobra.FixedCompletions([]string{"small", "medium", "large"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// agent says what is started. dash is how many arguments stand before "--", -1
// without one.
func (o startOptions) agent(s *wire.StartAgent, args []string, dash int) error {
	switch {
	case dash == 0 && len(args) > 0:
		s.Command = args
	case len(args) == 0:
		return &usageError{"missing agent", "one of " + strings.Join(agentNames(), ", ")}
	case len(args) > 1 && dash != 1:
		return &usageError{"unexpected argument: " + args[1], `arguments of the agent stand after "--"`}
	case !slices.Contains(agentNames(), args[0]):
		s.Definition, s.Args, s.Model = args[0], args[1:], o.model
	default:
		s.Launch = &wire.Launch{Agent: args[0], Args: args[1:], Model: o.model}
	}
	if o.model != "" && len(s.Command) > 0 {
		return usagef("--model needs an agent")
	}
	return nil
}

// start starts an agent with this folder and this environment.
func (a *app) start(ctx context.Context, s wire.StartAgent, o startOptions) error {
	if s.Ready = o.ready.Milliseconds(); s.Ready <= 0 {
		return usagef("not a time to wait: %s", o.ready)
	}
	place, err := placeOf(o.split, s.At)
	if err != nil {
		return err
	}
	s.Place = place
	if s.Dir, err = folder(s.Dir); err != nil {
		return err
	}
	s.Env = a.env
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	h, err := c.StartAgent(ctx, s)
	switch {
	case err != nil:
		return err
	case o.json:
		return printJSON(a.stdout, h)
	}
	if h.Told == "first-prompt" {
		fmt.Fprintf(a.stderr, "deck: %s takes no system prompt as an argument: its definition comes with its first prompt\n", h.Agent)
	}
	_, err = fmt.Fprintln(a.stdout, oneLine(h.Handle+" "+h.Nick))
	return err
}

// placeOf is where a new pane goes, by the flags.
func placeOf(split, at string) (string, error) {
	switch {
	case split != "" && split != "right" && split != "down":
		return "", &usageError{"not a direction to split: " + split, "a split goes right or down"}
	case split == "" && at != "":
		return "right", nil
	case split == "":
		return "tab", nil
	}
	return split, nil
}
