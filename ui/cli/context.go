package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/hooks"
	"deck/term/wire"
)

// hookTime is how long the start of an agent may wait for its project's memory.
const hookTime = 2 * time.Second

// hookBytes is as much as agents show of what a hook prints at their start.
const hookBytes = 2000

// contextCmd is "deck context".
func contextCmd(a *app) *cobra.Command {
	var r wire.GetContext
	var hook string
	var asJSON bool
	c := &cobra.Command{
		Use:   "context [flags] [PROJECT]",
		Short: "print what whoever begins to work on the project should know",
		Long: `Print what whoever begins to work on the project should know: the task and
what comes next, decisions, knowledge, hand-offs, the state of the checkout,
events. The least important is left out first, and how much that was is said.

With --hook it is printed as the hook of an agent's start wants it, within ` + fmt.Sprint(hookBytes) + `
bytes and 2 s; whatever goes wrong, the exit status is 0.`,
		Example: `  deck context
  deck context api -q "retries of the client"
  deck context --hook claude`,
		Args:              atMostOne,
		ValidArgsFunction: firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) error {
			if hook != "" {
				return a.contextHook(cmd.Context(), hook)
			}
			if r.Tokens < 100 || r.Tokens > 100000 {
				return usagef("not a budget: %d tokens", r.Tokens)
			}
			var err error
			if r.Place, err = place(strings.Join(args, "")); err != nil {
				return err
			}
			return a.context(cmd.Context(), r, asJSON)
		},
	}
	f := c.Flags()
	f.StringVarP(&r.Query, "query", "q", "", "bring up what answers these `words` first")
	f.IntVar(&r.Tokens, "tokens", 1500, "the budget, an estimate")
	f.StringVar(&hook, "hook", "", "print it for the hook of this `agent`")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("query", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("tokens", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("hook", cobra.FixedCompletions(agentNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) context(ctx context.Context, r wire.GetContext, asJSON bool) error {
	got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Context, error) { return c.Context(ctx, r) })
	if errors.Is(err, errSandbox) {
		got, err = a.contextOffline(r.Place, 0, err)
	}
	if err != nil {
		return err
	}
	a.notices(got.Notices)
	switch {
	case asJSON:
		return printJSON(a.stdout, got)
	case got.Text == "":
		_, err = fmt.Fprintln(a.stderr, "deck: nothing is known of this folder yet; deck remember, discover, decide and task update begin")
		return err
	}
	_, err = fmt.Fprint(a.stdout, lines(got.Text))
	return err
}

// contextHook prints the context as the start of an agent's session wants it. An
// agent must not notice what goes wrong.
func (a *app) contextHook(ctx context.Context, agent string) error {
	g, ok := hooks.Lookup(agent)
	if !ok {
		return &usageError{"unknown agent: " + agent, "it is one of " + strings.Join(agentNames(), ", ")}
	}
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	r := wire.GetContext{Bytes: hookBytes}
	var err error
	if r.Place, err = place(""); err != nil {
		return nil //nolint:nilerr // an agent must not notice
	}
	got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Context, error) { return c.Context(ctx, r) })
	if errors.Is(err, errSandbox) {
		got, err = a.contextOffline(r.Place, hookBytes, err)
	}
	if err == nil && got.Text != "" {
		_, _ = a.stdout.Write(g.StartContext(lines(got.Text)))
	}
	return nil
}

// resumeCmd is "deck resume".
func resumeCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "resume [PROJECT]",
		Short: "tell what was going on in the project, and what comes next",
		Example: `  deck resume
  deck resume api`,
		Args:              atMostOne,
		ValidArgsFunction: firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.projectPage(cmd.Context(), strings.Join(args, ""), asJSON, (*app).printResume)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// printResume prints where the work stands.
func (a *app) printResume(page wire.ProjectPage) error {
	p := a.pen()
	var b strings.Builder
	title := p.bold(clean(page.Project.Name))
	if page.Branch != "" {
		title += "  " + clean(page.Branch)
	}
	fmt.Fprintln(&b, title)
	a.writeTasks(&b, p, page)
	for i, h := range page.Handoffs {
		if i == 0 {
			fmt.Fprintln(&b, p.dim("handed over:"))
		}
		fmt.Fprintf(&b, "  %s  %s  %s\n", ago(h.Updated), author(h.From), shorten(oneLine(h.Title+" "+h.Text), 100))
	}
	a.writeEvents(&b, p, page.Events)
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// writeTasks writes a project's tasks, that of this checkout first.
func (a *app) writeTasks(b *strings.Builder, p pen, page wire.ProjectPage) {
	switch {
	case page.Task != nil:
		a.writeTask(b, p, *page.Task, "")
	case len(page.Tasks) == 0:
		fmt.Fprintln(b, "no task; deck task update --task TEXT sets one")
	}
	for _, t := range page.Tasks {
		a.writeTask(b, p, t, "in "+a.tilde(clean(t.Checkout)))
	}
}

// writeTask writes a task with what is known of it.
func (a *app) writeTask(b *strings.Builder, p pen, t wire.Task, where string) {
	head := oneLine(t.Status)
	for _, s := range []string{ago(t.Updated), author(t.Author), where} {
		if s != "" {
			head = strings.TrimPrefix(head+", "+s, ", ")
		}
	}
	task := t.Task
	if strings.TrimSpace(task) == "" {
		task = "(no text)"
	}
	fmt.Fprintf(b, "%s%s %s\n", p.dim("task: "), strings.TrimRight(lines(task), "\n"), p.dim("("+head+")"))
	for _, row := range [][2]string{{"step", t.Step}, {"next", t.Next}, {"tests", t.Tests}, {"error", t.Error}} {
		if row[1] != "" {
			fmt.Fprintf(b, "%s%s\n", p.dim(row[0]+": "), oneLine(row[1]))
		}
	}
}

// writeEvents writes what happened last.
func (a *app) writeEvents(b *strings.Builder, p pen, events []wire.ProjectEvent) {
	for i, e := range events {
		if i == 0 {
			fmt.Fprintln(b, p.dim("last:"))
		}
		fmt.Fprintf(b, "  %s  %s  %s  %s\n", ago(e.At), clean(e.Kind), author(e.Author), shorten(oneLine(e.Text), 100))
	}
}

// author is who wrote something, for people.
func author(w wire.Author) string {
	switch {
	case w.Nick != "":
		return clean(w.Nick)
	case w.Agent != "":
		return clean(w.Agent)
	}
	return "a person"
}
