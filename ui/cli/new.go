package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"deck/hooks"
	"deck/term/wire"
)

// newOptions are the flags of "deck new" that are not the request itself.
type newOptions struct {
	tab         bool
	split, size string
	json        bool
	launch      wire.Launch
}

// newCmd is "deck new". Flags end at the first word that is none, so that
// those of the command need no "--" before them.
func newCmd(a *app) *cobra.Command {
	var n wire.NewPane
	var o newOptions
	c := &cobra.Command{
		Use:        "new [flags] [--] [CMD...]",
		Short:      "open a pane and run a command or an agent in it",
		SuggestFor: []string{"run", "new-window", "split-window", "new-session"},
		Long: `Open a pane and run a command in it, else a shell. The keyboard stays where it
is. Prints the new pane's id and nick; either names it afterwards.

With --agent an agent is started that tells deck what it does; what follows are
its own arguments. None of its settings are changed.`,
		Example: `  deck new                             a shell in a new tab
  deck new -n build -- make -j4        "build" can be said instead of the nick
  deck new --split right --focus vim   beside the current pane, and go there
  deck new --agent claude              an agent, in a new tab
  deck new --agent codex --resume      it goes on with its last session here
  deck new --as claude -- ./wrapper    what looks like a wrapper is claude
  deck new --worktree retries --agent claude    in a checkout of its own`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(exclusive(cmd, "tab", "split"), exclusive(cmd, "tab", "at"), exclusive(cmd, "agent", "as")); err != nil {
				return err
			}
			if err := o.agent(&n, args); err != nil {
				return err
			}
			return a.newPane(cmd.Context(), n, o)
		},
	}
	f := c.Flags()
	f.SetInterspersed(false)
	f.StringVarP(&n.Name, "name", "n", "", "a `name` for the pane")
	f.BoolVar(&o.tab, "tab", false, "in a tab of its own (the default)")
	f.StringVar(&o.split, "split", "", "beside or below the current pane: `right` or down")
	f.StringVar(&n.At, "at", "", "split this `pane` instead of the current one")
	f.StringVar(&n.Dir, "cwd", "", "the `folder` to start in; this one without")
	worktreeFlag(c, &n.Worktree)
	f.StringVar(&o.size, "size", "", "`COLSxROWS` until somebody looks at it")
	f.StringVar(&n.Agent, "as", "", "the `agent` that the command is, if deck cannot tell")
	f.StringVar(&o.launch.Agent, "agent", "", "start this `agent`")
	f.StringVar(&o.launch.Model, "model", "", "its `model`: small, medium, large, or a name of its own")
	f.BoolVar(&o.launch.Resume, "resume", false, "the agent goes on with its last session in the folder")
	f.BoolVar(&n.Sandboxed, "sandboxed", false, "its programs may report to deck and nothing else")
	f.BoolVar(&n.Focus, "focus", false, "show it to attached clients")
	f.BoolVar(&o.json, "json", false, "print the pane as JSON")
	a.sessionFlag(c, &n.Session, "the `session` to open it in, made if there is none")
	_ = c.RegisterFlagCompletionFunc("split", cobra.FixedCompletions([]string{"right", "down"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("at", a.completeTarget)
	_ = c.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions(agentNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("model", cobra.FixedCompletions([]string{"small", "medium", "large"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// agentNames are the agents that can be started by name.
func agentNames() []string {
	var names []string
	for _, g := range hooks.Agents() {
		names = append(names, g.Name)
	}
	return names
}

// agent says what is run: a command, or an agent with its arguments.
func (o newOptions) agent(n *wire.NewPane, args []string) error {
	switch {
	case o.launch.Agent != "":
		o.launch.Args = args
		n.Launch = &o.launch
	case o.launch.Resume || o.launch.Model != "":
		return usagef("--resume and --model need --agent")
	default:
		n.Command = args
	}
	return nil
}

// newPane opens a pane with this folder and this environment, as if its
// command had been run here.
func (a *app) newPane(ctx context.Context, n wire.NewPane, o newOptions) error {
	var err error
	if n.Place, err = placeOf(o.split, n.At); err != nil {
		return err
	}
	if o.size != "" {
		if n.Cols, n.Rows, err = parseSize(o.size); err != nil {
			return err
		}
	}
	if n.Dir, err = folder(n.Dir); err != nil {
		return err
	}
	n.Env = a.env
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	p, err := c.NewPane(ctx, n)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(a.stdout, p)
	}
	_, err = fmt.Fprintf(a.stdout, "%s %s\n", p.ID, p.Nick)
	return err
}
