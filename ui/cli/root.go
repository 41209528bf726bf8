package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// rootHelp is the page for someone who has just installed deck.
const rootHelp = `deck keeps programs running in panes: shells, editors, coding agents. They live
in a server of yours and go on when the terminal is closed.

The six commands to know:
  deck                  open the screen; starts whatever is needed
  deck new -- CMD       run a command in a new tab
  deck ls               list the panes
  deck peek PANE        print what a pane shows
  deck send PANE KEY    type into a pane
  deck detach           leave the screen; the programs go on

"deck agents" tells what each agent is doing; "deck demo" opens four samples.
"deck remember" and "deck recall" are a project's memory, and its agents'.

At the screen a command is the prefix key, C-a, and another key: C-a ? shows
all of them, C-a d leaves. "deck help keys" prints the list.
`

// newRoot makes the whole tree of verbs.
func newRoot(a *app) *cobra.Command {
	var o attachOptions
	root := &cobra.Command{
		Use:                   "deck [flags] [COMMAND]",
		DisableFlagsInUseLine: true,
		Short:                 "a terminal multiplexer for AI coding agents",
		Long:                  rootHelp,
		Args:                  noCommand,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableAutoGenTag:     true,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return a.attach(cmd.Context(), o) },
	}
	root.Flags().BoolVar(&o.nest, "nest", false, "open the screen even inside a pane of the same deck")
	root.PersistentFlags().StringVarP(&a.server, "server", "L", "", "use the server of this `name` or socket path")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "say what is going on; the server logs more")
	_ = root.RegisterFlagCompletionFunc("server", cobra.NoFileCompletions)
	root.AddCommand(verbs(a)...)
	root.AddCommand(memoryVerbs(a)...)
	root.SetHelpCommand(helpCmd(a))
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.SetFlagErrorFunc(flagError)
	return root
}

// verbs are all verbs but those of memory.
func verbs(a *app) []*cobra.Command {
	return []*cobra.Command{
		agentCmd(a),
		agentsCmd(a),
		allowCmd(a),
		answerCmd(a),
		attachCmd(a),
		auditCmd(a),
		closeCmd(a),
		completionCmd(a),
		configCmd(a),
		debugCmd(a),
		demoAgentCmd(a),
		demoCmd(a),
		detachCmd(a),
		doneCmd(a),
		eventsCmd(a),
		focusCmd(a),
		gateCmd(a),
		handoffCmd(a),
		handoffsCmd(a),
		hookCmd(a),
		hooksCmd(a),
		inboxCmd(a),
		lsCmd(a),
		newCmd(a),
		peekCmd(a),
		promptCmd(a),
		pruneCmd(a),
		raceCmd(a),
		readCmd(a),
		renameCmd(a),
		resetCmd(a),
		resizeCmd(a),
		restartCmd(a),
		schemaCmd(a),
		sendCmd(a),
		serverCmd(a),
		skillCmd(a),
		spawnCmd(a),
		startCmd(a),
		tellCmd(a),
		trustCmd(a),
		versionCmd(a),
		waitCmd(a),
		worktreeCmd(a),
	}
}

// noCommand refuses words that are no verb of a command with verbs.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	e := &usageError{message: "unknown command: " + args[0], hint: `"deck help" lists the commands`}
	if cmd.HasParent() {
		e.message = "unknown command: " + cmd.Name() + " " + args[0]
		e.hint = helpHint(cmd)
	}
	// Two letters off is a slip in a long word and another word among short ones.
	cmd.SuggestionsMinimumDistance = 1
	if len(args[0]) > 3 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if s := cmd.SuggestionsFor(args[0]); len(s) > 0 {
		e.hint = "did you mean " + strings.Join(s, ", ") + "?"
	}
	return e
}

// group makes a command that has only verbs below it.
func group(use, short string, verbs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use + " COMMAND", DisableFlagsInUseLine: true, Short: short, Args: noCommand, RunE: func(cmd *cobra.Command, _ []string) error {
		var names []string
		for _, v := range cmd.Commands() {
			names = append(names, v.Name())
		}
		return &usageError{"missing command after " + cmd.Name(), "it is one of " + strings.Join(names, ", ")}
	}}
	c.AddCommand(verbs...)
	return c
}
