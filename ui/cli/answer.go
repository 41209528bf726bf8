package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// answerCmd is "deck answer".
func answerCmd(a *app) *cobra.Command {
	var r wire.Answer
	var asJSON bool
	c := &cobra.Command{
		Use:        "answer AGENT [flags] [KEY...]",
		Short:      "answer what an agent asks, or print it",
		SuggestFor: []string{"approve", "deny", "reply"},
		Long: `Answer what an agent asks. Without an answer it prints the whole request, its
options and its id.

An option is taken as the dialog takes it: through the agent's hook where that
waits, else by keys. A KEY is the name of one (Enter, Down, Escape) or a single
character; they are pressed one at a time. Nothing is pressed when the request
has changed: from the one of --request, or between two keys.`,
		Example: `  deck answer bob               what does it ask?
  deck answer bob --option 1    take the first option
  deck answer bob --request 1-2-9c01d2aa --option 2
  deck answer bob Down Enter`,
		Args:              atLeast("agent"),
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Target, r.Keys = args[0], args[1:]
			option := cmd.Flags().Changed("option")
			switch {
			case option && r.Option < 1:
				return usagef("not an option: %d", r.Option)
			case option && len(r.Keys) > 0:
				return &usageError{"an option and keys exclude each other", helpHint(cmd)}
			case !option && len(r.Keys) == 0:
				return a.asked(cmd.Context(), r, asJSON)
			}
			return a.answer(cmd.Context(), r, asJSON)
		},
	}
	f := c.Flags()
	f.IntVarP(&r.Option, "option", "o", 0, "take the `nth` option")
	f.StringVar(&r.Request, "request", "", "only this request, by its `id`")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("option", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("request", cobra.NoFileCompletions)
	return c
}

// answer says nothing when it was done.
func (a *app) answer(ctx context.Context, r wire.Answer, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	got, err := c.Answer(ctx, r)
	if err != nil || !asJSON {
		return err
	}
	return printJSON(a.stdout, got)
}

// asked prints what an agent asks.
func (a *app) asked(ctx context.Context, r wire.Answer, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	got, err := c.Asked(ctx, wire.Target{Target: r.Target})
	switch {
	case err != nil:
		return err
	case r.Request != "" && r.Request != got.Request:
		return &wire.Error{Code: wire.CodeRequestChanged, Message: "the request of " + got.Nick + " has changed"}
	case asJSON:
		return printJSON(a.stdout, got)
	}
	_, err = fmt.Fprint(a.stdout, askedText(got))
	return err
}

// askedText is a request for a person: what it is about as the agent's hook
// told it, else as the dialog is drawn, and below it the options.
func askedText(q wire.Asked) string {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(clean(fmt.Sprintf(format, args...)) + "\n") }
	line("%s (%s): %s", q.Nick, q.Agent, strings.TrimSuffix(cmp.Or(q.Reason, "input")+" "+q.Tool, " "))
	line("request %s", q.Request)
	line("")
	for _, e := range q.Edits {
		line("%s", e.Path)
		for _, row := range e.Diff {
			line("%s", row)
		}
	}
	switch {
	case q.Text != "":
		for row := range strings.Lines(q.Text) {
			line("%s", row)
		}
	case len(q.Edits) == 0:
		for _, row := range q.Rows {
			line("%s", row)
		}
	}
	line("")
	for i, o := range q.Options {
		mark := " "
		if o.Chosen {
			mark = "*"
		}
		line("%s %d  %s", mark, i+1, o.Text)
		if o.Note != "" {
			line("     %s", o.Note)
		}
	}
	if len(q.Options) == 0 {
		line("its options cannot be told from the screen: answer with keys, or in its pane")
	}
	return b.String()
}
