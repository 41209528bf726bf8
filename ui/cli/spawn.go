package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// spawnOptions are the flags of "deck spawn" that are not the request itself.
type spawnOptions struct {
	agent, model, split string
	json                bool
}

// spawnCmd is "deck spawn".
func spawnCmd(a *app) *cobra.Command {
	var s wire.Spawn
	var o spawnOptions
	c := &cobra.Command{
		Use:   "spawn [flags] TASK [-- ARGS...]",
		Short: "start an agent with a task",
		Long: `Start an agent with a task, beside this pane and without the keyboard. The task
is written to .deck/handoffs/ID.md, with what the project remembers, and the
agent is sent to it; "-" reads it from stdin. Prints the task's id and the
agent's nick. When the agent says "deck done ID", you are told, or whoever
gave the task.

Without --agent it is one of the caller's own kind, or a command after "--". An
agent that an agent has started starts none itself.`,
		Example: `  deck spawn "write the tests of parser.go"
  deck spawn --agent codex --model small --split right "review the last commit"
  deck spawn --agent claude - < task.md
  deck spawn --worktree retries "retry what fails with 503"`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			task, rest, err := taskOf(cmd, args)
			if err != nil {
				return err
			}
			s.Task = task
			return a.spawn(cmd.Context(), s, o, rest)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.agent, "agent", "a", "", "which `agent`, or a definition")
	f.StringVar(&o.model, "model", "", "its `model`: small, medium, large, auto, or a name")
	worktreeFlag(c, &s.Worktree)
	f.StringVar(&o.split, "split", "", "beside or below this pane: `right` or down")
	f.StringVarP(&s.Name, "name", "n", "", "a `name` for the pane")
	f.StringVar(&s.Dir, "cwd", "", "the `folder` to start in; this one without")
	f.BoolVar(&o.json, "json", false, "print the task as JSON")
	_ = c.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions(agentNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("split", cobra.FixedCompletions([]string{"right", "down"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("model", cobra.FixedCompletions([]string{"small", "medium", "large", "auto"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// taskOf takes the task from the arguments, and what stands after "--".
func taskOf(cmd *cobra.Command, args []string) (task string, rest []string, err error) {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	if err := exactly("task")(cmd, args[:dash]); err != nil {
		return "", nil, err
	}
	return args[0], args[dash:], nil
}

func (a *app) spawn(ctx context.Context, s wire.Spawn, o spawnOptions, rest []string) (err error) {
	switch {
	case o.agent == "" && len(rest) > 0 && o.model != "":
		return usagef("--model needs an agent")
	case o.agent == "" && len(rest) > 0:
		s.Command = rest
	case o.agent == "" && o.model != "":
		s.Launch = &wire.Launch{Model: tierOf(o.model)}
	case slices.Contains(agentNames(), o.agent):
		s.Launch = &wire.Launch{Agent: o.agent, Args: rest, Model: tierOf(o.model)}
	case o.agent != "":
		s.Definition, s.Args, s.Model = o.agent, rest, tierOf(o.model)
	}
	if s.Place, err = placeOf(o.split, ""); err != nil {
		return err
	}
	if s.Dir, err = folder(s.Dir); err != nil {
		return err
	}
	if s.Task, err = a.textOf(s.Task); err != nil {
		return err
	}
	s.Env = a.env
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	h, err := c.Spawn(ctx, s)
	if err != nil {
		return err
	}
	return a.handed(h, o.json, h.ID+" "+h.To)
}

// tierOf is a model as the server takes it; an agent's own choice is no name.
func tierOf(model string) string {
	if model == "auto" {
		return ""
	}
	return model
}

// textOf is a text from the arguments, or from stdin for "-".
func (a *app) textOf(arg string) (string, error) {
	if arg == "-" {
		return readText(a.stdin)
	}
	return arg, nil
}

// handed tells what became of a task.
func (a *app) handed(h wire.Handed, asJSON bool, line string) error {
	if asJSON {
		return printJSON(a.stdout, h)
	}
	a.notices(h.Notices)
	for _, rule := range h.Redacted {
		_, _ = fmt.Fprintf(a.stderr, "deck: left out of the task, since it looks like a secret: %s\n", oneLine(rule))
	}
	if line == "" {
		return nil
	}
	_, err := fmt.Fprintln(a.stdout, oneLine(line))
	return err
}

// handoffCmd is "deck handoff".
func handoffCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "handoff AGENT TASK",
		Short: "give a task to an agent that runs",
		Long: `Give a task to an agent that runs. It is written to .deck/handoffs/ID.md in the
folder where that works, with what the project remembers, and the agent is sent
to it once its input line is free; "-" reads it from stdin. Prints the task's
id. When the agent says "deck done ID", whoever gave the task is told.`,
		Example: `  deck handoff anna "the parser is yours: make its tests pass"
  deck handoff anna - < task.md`,
		Args:              exactly("agent", "task"),
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			task, err := a.textOf(args[1])
			if err != nil {
				return err
			}
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			h, err := c.HandOver(cmd.Context(), wire.NewHandoff{Target: args[0], Task: task})
			if err != nil {
				return err
			}
			return a.handed(h, asJSON, h.ID)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the task as JSON")
	return c
}

// doneCmd is "deck done".
func doneCmd(a *app) *cobra.Command {
	var f wire.FinishHandoff
	var asJSON bool
	c := &cobra.Command{
		Use:   "done [flags] TASK [SUMMARY]",
		Short: "tell what came of a task",
		Long: `Tell what came of a task, by its id. Whoever gave it is told, and the project
remembers it. "-" reads the summary from stdin.`,
		Example: `  deck done h_9k3x2a "all tests pass; the grammar is in docs/grammar.md"
  deck done --failed h_9k3x2a "it needs a token that I don't have"`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return exactly("task")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.ID = args[0]; len(args) > 1 {
				if f.Summary, err = a.textOf(args[1]); err != nil {
					return err
				}
			}
			f.Cwd, _ = os.Getwd()
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			h, err := c.FinishHandoff(cmd.Context(), f)
			if err != nil {
				return err
			}
			return a.handed(h, asJSON, "")
		},
	}
	c.Flags().BoolVar(&f.Failed, "failed", false, "it could not be done")
	c.Flags().BoolVar(&asJSON, "json", false, "print the task as JSON")
	return c
}

// handoffsCmd is "deck handoffs".
func handoffsCmd(a *app) *cobra.Command {
	var all, asJSON bool
	c := &cobra.Command{
		Use:   "handoffs",
		Short: "list the tasks that were given to agents",
		Example: `  deck handoffs          those that are open
  deck handoffs --all    those that are over, too, of this folder's project`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			cwd, _ := os.Getwd()
			rows, err := c.Handoffs(cmd.Context(), cwd, all)
			return printRows(a, asJSON, rows, err, "task is open", handoffTable)
		},
	}
	c.Flags().BoolVarP(&all, "all", "a", false, "those that are over, too")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func handoffTable(rows []wire.Handed) *table {
	t := &table{head: []string{"ID", "STATE", "FROM", "TO", "AGE", "TASK", "RESULT"}}
	for _, h := range rows {
		t.add(h.ID, h.State, h.From, h.To, age(h.AgeMillis), oneLine(h.Task), oneLine(h.Summary))
	}
	return t
}
