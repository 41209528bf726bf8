package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// projectsCmd is "deck projects".
func projectsCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "projects",
		Short: "list the projects that something is known of",
		Example: `  deck projects
  deck projects --json | jq -r '.[].name'`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			rows, err := remembering(ctx, a, func(c *wire.Conn) ([]wire.Project, error) { return c.Projects(ctx) })
			return printRows(a, asJSON, rows, err, "project", a.projectTable)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) projectTable(projects []wire.Project) *table {
	t := &table{head: []string{"PROJECT", "NOTES", "CHANGED", "PRIVATE", "FOLDER"}}
	for _, p := range projects {
		private, at := "", ""
		if p.Private {
			private = "private"
		}
		if len(p.Paths) > 0 {
			at = a.tilde(strings.TrimSuffix(p.Paths[0], "/.git"))
		}
		t.add(p.Name, strconv.Itoa(p.Notes), ago(p.Updated), private, at)
	}
	return t
}

// projectCmd is "deck project". A word that is no verb of its own is a project's name.
func projectCmd(a *app) *cobra.Command {
	var asJSON, private bool
	c := &cobra.Command{
		Use:   "project [flags] [NAME | COMMAND]",
		Short: "show what is known of a project, or change what it is",
		Long: `Show what is known of a project; without NAME it is that of this folder. A
private project keeps its notes out of what others recall; --private=false lets
them in again.`,
		Example: `  deck project
  deck project api --private`,
		DisableFlagsInUseLine: true,
		Args:                  atMostOne,
		ValidArgsFunction:     firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "")
			if cmd.Flags().Changed("private") {
				return a.changeProject(cmd.Context(), name, wire.ChangeProject{Private: &private}, asJSON)
			}
			return a.projectPage(cmd.Context(), name, asJSON, (*app).printProject)
		},
	}
	c.Flags().BoolVar(&private, "private", false, "keep it out of what others recall")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.AddCommand(projectLinkCmd(a), projectRenameCmd(a), projectForgetCmd(a))
	return c
}

func (a *app) projectPage(ctx context.Context, name string, asJSON bool, print func(*app, wire.ProjectPage) error) error {
	at, err := place(name)
	if err != nil {
		return err
	}
	page, err := remembering(ctx, a, func(c *wire.Conn) (wire.ProjectPage, error) { return c.ProjectPage(ctx, at) })
	if errors.Is(err, errSandbox) && !asJSON {
		got, err := a.contextOffline(at, 0, err)
		if err == nil {
			_, err = fmt.Fprint(a.stdout, lines(got.Text))
		}
		return err
	}
	if err != nil {
		return err
	}
	a.notices(page.Notices)
	if asJSON {
		return printJSON(a.stdout, page)
	}
	return print(a, page)
}

// printProject prints a project's page.
func (a *app) printProject(page wire.ProjectPage) error {
	p := a.pen()
	var b strings.Builder
	title := p.bold(clean(page.Project.Name)) + "  " + plural(page.Project.Notes, "note")
	if page.Project.Private {
		title += "  private"
	}
	fmt.Fprintln(&b, title)
	for _, path := range page.Project.Paths {
		fmt.Fprintln(&b, p.dim("folder: ")+a.tilde(clean(strings.TrimSuffix(path, "/.git"))))
	}
	if page.Project.Remote != "" {
		fmt.Fprintln(&b, p.dim("remote: ")+clean(page.Project.Remote))
	}
	for _, r := range page.Relations {
		fmt.Fprintf(&b, "%s%s %s %s\n", p.dim("relation: "), clean(r.Project), clean(r.Type), clean(r.Other))
	}
	if page.Task != nil {
		a.writeTask(&b, p, *page.Task, "")
	}
	for _, t := range page.Tasks {
		a.writeTask(&b, p, t, "in "+a.tilde(clean(t.Checkout)))
	}
	for i, n := range page.Decisions {
		if i == 0 {
			fmt.Fprintln(&b, p.dim("decisions:"))
		}
		fmt.Fprintf(&b, "  %s  %s  %s\n", clean(n.Short), ago(n.Updated), shorten(head(n), 100))
	}
	a.writeEvents(&b, p, page.Events)
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

func (a *app) changeProject(ctx context.Context, name string, r wire.ChangeProject, asJSON bool) (err error) {
	if r.Place, err = place(name); err != nil {
		return err
	}
	p, err := remembering(ctx, a, func(c *wire.Conn) (wire.Project, error) { return c.ChangeProject(ctx, r) })
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, p)
	}
	return a.projectTable([]wire.Project{p}).print(a.stdout)
}

// projectLinkCmd is "deck project link".
func projectLinkCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "link NAME",
		Short: "make this folder a part of a project",
		Long: `Make this folder a part of a project: it was moved, or is another clone of the
same repository. Below the top of a repository it is that folder alone, with
what is in it. What was known under the folder's own project stays there.`,
		Example:           "  cd ~/src/app-2 && deck project link app",
		Args:              exactly("name"),
		ValidArgsFunction: firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeProject(cmd.Context(), args[0], wire.ChangeProject{Link: true}, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// projectRenameCmd is "deck project rename".
func projectRenameCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "rename OLD NEW",
		Short:             "give a project another name",
		Args:              exactly("old name", "new name"),
		ValidArgsFunction: firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeProject(cmd.Context(), args[0], wire.ChangeProject{Name: args[1]}, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// projectForgetCmd is "deck project forget".
func projectForgetCmd(a *app) *cobra.Command {
	var asJSON, yes bool
	c := &cobra.Command{
		Use:               "forget [flags] NAME",
		Short:             "remove a project and everything that it knows",
		Long:              "Remove a project and everything that it knows. Backups keep it for a while.",
		Example:           "  deck project forget old-app --yes",
		Args:              exactly("name"),
		ValidArgsFunction: firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if !yes {
				return &usageError{"this can't be undone", "add --yes to forget " + args[0]}
			}
			got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Forgotten, error) {
				return c.ForgetProject(ctx, wire.Place{Project: args[0]})
			})
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, got)
			}
			_, err = fmt.Fprintf(a.stdout, "forgot %s with %s\n", clean(got.Project), plural(got.Notes, "note"))
			return err
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do it")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// relations are the ways in which projects are related.
var relations = []string{"related-to", "depends-on", "uses-pattern", "shares-database-with"}

// relateCmd is "deck relate".
func relateCmd(a *app) *cobra.Command {
	var r wire.Relate
	var project string
	var asJSON bool
	c := &cobra.Command{
		Use:   "relate [flags] PROJECT",
		Short: "tie this project to another, whose notes then count for more here",
		Example: `  deck relate api --as depends-on
  deck relate shop --as shares-database-with`,
		Args:              exactly("project"),
		ValidArgsFunction: firstArg(a.completeProject),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r.Other = args[0]
			if r.Place, err = place(project); err != nil {
				return err
			}
			ctx := cmd.Context()
			got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Relation, error) { return c.Relate(ctx, r) })
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, got)
			}
			_, err = fmt.Fprintf(a.stdout, "%s %s %s\n", clean(got.Project), clean(got.Type), clean(got.Other))
			return err
		},
	}
	c.Flags().StringVar(&r.As, "as", "", "`how`: "+strings.Join(relations[:2], ", ")+", "+relations[2]+",\n"+relations[3]+"; without it "+relations[0])
	c.Flags().StringVar(&project, "project", "", "tie this `project` instead of this folder's")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(relations, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	return c
}
