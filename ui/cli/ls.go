package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// lsOptions are the flags of "deck ls".
type lsOptions struct {
	session                 string
	sessions, clients, json bool
}

// lsCmd is "deck ls".
func lsCmd(a *app) *cobra.Command {
	var o lsOptions
	c := &cobra.Command{
		Use:        "ls",
		Aliases:    []string{"list"},
		Short:      "list the panes",
		SuggestFor: []string{"ps", "list-panes", "list-sessions"},
		Example: `  deck ls                 all panes
  deck ls -s work         those of one session
  deck ls --clients       who is looking
  deck ls --json          for a script`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := exclusive(cmd, "session", "sessions", "clients"); err != nil {
				return err
			}
			return a.list(cmd.Context(), o)
		},
	}
	a.sessionFlag(c, &o.session, "only the panes of this `session`")
	c.Flags().BoolVar(&o.sessions, "sessions", false, "list the sessions instead")
	c.Flags().BoolVar(&o.clients, "clients", false, "list the attached clients instead")
	c.Flags().BoolVar(&o.json, "json", false, "print JSON")
	return c
}

// list prints one of the three lists. It starts a server where none runs: an
// empty list is the right answer then, and not an error.
func (a *app) list(ctx context.Context, o lsOptions) error {
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	switch {
	case o.sessions:
		rows, err := c.Sessions(ctx)
		return printRows(a, o.json, rows, err, "session", sessionTable)
	case o.clients:
		rows, err := c.Clients(ctx)
		return printRows(a, o.json, rows, err, "client", a.clientTable)
	}
	rows, err := c.Panes(ctx, o.session)
	return printRows(a, o.json, rows, err, "pane", a.paneTable)
}

// printRows prints a list as JSON or as a table. An empty table is nothing on
// stdout and a word on stderr.
func printRows[T any](a *app, asJSON bool, rows []T, err error, noun string, draw func([]T) *table) error {
	switch {
	case err != nil:
		return err
	case asJSON && rows == nil:
		return printJSON(a.stdout, []T{})
	case asJSON:
		return printJSON(a.stdout, rows)
	case len(rows) == 0:
		_, err := fmt.Fprintf(a.stderr, "deck: no %s\n", noun)
		return err
	}
	return draw(rows).print(a.stdout)
}

// paneTable has one row per pane, in the order of sessions, tabs and layouts.
// The nick is first because it is what other verbs take.
func (a *app) paneTable(panes []wire.Pane) *table {
	t := &table{head: []string{"NICK", "ID", "NAME", "SESSION", "TAB", "PROGRAM", "STATE", "SIZE", "FOLDER"}}
	for _, p := range panes {
		t.add(p.Nick, p.ID, p.Name, p.Session, strconv.Itoa(p.TabIndex)+":"+p.TabName,
			p.Program, paneState(p), size(p.Cols, p.Rows), a.tilde(p.Dir))
	}
	return t
}

// paneState is one word or two on how a pane's program is.
func paneState(p wire.Pane) string {
	switch {
	case p.Ended && p.Exit != "":
		return "ended: " + p.Exit
	case p.Ended:
		return "ended: exit " + strconv.Itoa(p.ExitCode)
	case p.Agent == "":
		return "running"
	case p.Status.Reason != "":
		return string(p.Status.State) + ": " + p.Status.Reason
	case p.Status.State == "":
		return string(lifecycle.Unknown)
	}
	return string(p.Status.State)
}

// sessionTable has one row per session.
func sessionTable(sessions []wire.Session) *table {
	t := &table{head: []string{"SESSION", "TABS", "PANES", "CLIENTS"}}
	for _, s := range sessions {
		t.add(s.Name, strconv.Itoa(s.Tabs), strconv.Itoa(s.Panes), strconv.Itoa(s.Clients))
	}
	return t
}

// clientTable has one row per attached client.
func (a *app) clientTable(clients []wire.Client) *table {
	t := &table{head: []string{"CLIENT", "SESSION", "TERMINAL", "TYPE", "SIZE", "PANE", "SINCE"}}
	for _, c := range clients {
		tty := c.TTY
		if c.ReadOnly {
			tty += " (read-only)"
		}
		t.add(c.ID, c.Session, tty, c.Term, size(c.Cols, c.Rows), c.Pane, clock(c.Since))
	}
	return t
}

// size is a size as people write it.
func size(cols, rows int) string { return fmt.Sprintf("%dx%d", cols, rows) }

// clock shortens a time of the wire to what a person reads, in local time.
func clock(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.Local().Format("Jan 2 15:04")
}

// tilde shortens the home folder.
func (a *app) tilde(dir string) string {
	home := strings.TrimSuffix(a.env.get("HOME"), "/")
	if rest, ok := strings.CutPrefix(dir, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return dir
}
