package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// taskCmd is "deck task". Without a verb it shows the task.
func taskCmd(a *app) *cobra.Command {
	var project string
	var asJSON bool
	c := &cobra.Command{
		Use:   "task [flags] [COMMAND]",
		Short: "what is being done in this checkout",
		Long:  "Show what is being done in this checkout, and in the others of its project.",
		Example: `  deck task
  deck task update started --task "rate limits"`,
		DisableFlagsInUseLine: true,
		Args:                  noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.projectPage(cmd.Context(), project, asJSON, (*app).printTasks)
		},
	}
	c.Flags().StringVar(&project, "project", "", "of this `project` instead of this folder's")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, as deck resume does")
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	c.AddCommand(taskUpdateCmd(a))
	return c
}

// printTasks prints the task of this checkout, and those of others.
func (a *app) printTasks(page wire.ProjectPage) error {
	var b strings.Builder
	a.writeTasks(&b, a.pen(), page)
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// taskUpdateCmd is "deck task update".
func taskUpdateCmd(a *app) *cobra.Command {
	var task, step, next, tests, failure, project string
	var asJSON bool
	c := &cobra.Command{
		Use:   "update [flags] [STATUS]",
		Short: "record the task, how far it is and what comes next",
		Long: `Record the task of this checkout, how far it is and what comes next. What is
not said stays as it was; an empty value is taken out; another --task begins a
new one. STATUS is a word or two of your own: "in progress", blocked, done.`,
		Example: `  deck task update started --task "rate limits" --next "write the middleware"
  deck task update --tests "2 of 31 fail" --error "TestBurst: got 429"
  deck task update done`,
		Args:              atMostOne,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			r := wire.UpdateTask{}
			for _, f := range []struct {
				name string
				to   **string
				from *string
			}{{"task", &r.Task, &task}, {"step", &r.Step, &step}, {"next", &r.Next, &next}, {"tests", &r.Tests, &tests}, {"error", &r.Error, &failure}} {
				if cmd.Flags().Changed(f.name) {
					*f.to = f.from
				}
			}
			if len(args) > 0 {
				r.Status = &args[0]
			}
			if r == (wire.UpdateTask{}) {
				return &usageError{"nothing to change", "give a STATUS, --task, --step, --next, --tests or --error"}
			}
			var err error
			if r.Place, err = place(project); err != nil {
				return err
			}
			return a.updateTask(cmd.Context(), r, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&task, "task", "", "what is to be done, a `text`")
	f.StringVar(&step, "step", "", "the `step` it is at")
	f.StringVar(&next, "next", "", "the next `action`")
	f.StringVar(&tests, "tests", "", "how the `tests` are")
	f.StringVar(&failure, "error", "", "the `error` that is in the way")
	f.StringVar(&project, "project", "", "of this `project` instead of this folder's")
	f.BoolVar(&asJSON, "json", false, "print the task as JSON")
	for _, name := range []string{"task", "step", "next", "tests", "error"} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	return c
}

func (a *app) updateTask(ctx context.Context, r wire.UpdateTask, asJSON bool) error {
	t, err := remembering(ctx, a, func(c *wire.Conn) (wire.Task, error) { return c.UpdateTask(ctx, r) })
	if errors.Is(err, errSandbox) {
		return a.spooled(r.Place, err, func() error { return a.backend.spoolTask(a.env.get("DECK_PANE_ID"), r) })
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(a.stdout, t)
	}
	var b strings.Builder
	a.writeTask(&b, a.pen(), t, "")
	_, err = fmt.Fprint(a.stdout, b.String())
	return err
}
