package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// reconnectTries is how often a lost event stream is taken up again before the
// server counts as gone; the pauses between them add up to about 3 s.
const reconnectTries = 5

// eventsCmd is "deck events".
func eventsCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "events",
		Short: "print what changes, as it changes",
		Long: `Print what changes, as it changes: first everything there is, then each change.
When the connection is lost it is taken up again, with everything first.`,
		Example: `  deck events
  deck events --json | jq 'select(.type == "status").agent.state'`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.events(cmd.Context(), asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return c
}

// events prints the stream until the server is gone.
func (a *app) events(ctx context.Context, asJSON bool) error {
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	tries := 0
	for {
		var printed bool
		printed, err = a.watch(ctx, c, asJSON)
		if ctx.Err() != nil {
			return nil
		}
		var out *outputError
		if errors.As(err, &out) {
			return out.err
		}
		if printed {
			tries = 0
		}
		if tries++; tries > reconnectTries {
			return fmt.Errorf("the server is gone: %w", err)
		}
		if errors.Is(err, wire.ErrNoServer) && tries > 1 {
			return errors.New("the server stopped")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(tries*tries) * 50 * time.Millisecond):
		}
	}
}

// outputError is an error of stdout, which ends the verb.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }

// watch prints one connection's events and says whether there were any.
func (a *app) watch(ctx context.Context, c *wire.Conn, asJSON bool) (printed bool, err error) {
	w, err := c.Events(ctx)
	if err != nil {
		return false, err
	}
	defer w.Close()
	for {
		e, line, err := w.Next()
		if err != nil {
			return printed, err
		}
		if !asJSON {
			line = []byte(a.eventLine(e))
		}
		if _, err := a.stdout.Write(line); err != nil {
			return printed, &outputError{err}
		}
		printed = true
	}
}

// eventLine is an event for a person: a line, and one for each agent there is
// when everything comes first.
func (a *app) eventLine(e wire.Event) string {
	what := e.ID
	switch {
	case e.Type == "snapshot":
		what = fmt.Sprintf("%d panes, %d agents", len(e.Panes), len(e.Agents))
	case e.File != "":
		what = fmt.Sprintf("%s  %s  with %s", e.ID, a.tilde(e.File), strings.Join(e.With, ", "))
	case e.Agent != nil:
		what = a.agentLine(*e.Agent)
	case e.Pane != nil:
		p := e.Pane
		what = strings.Join([]string{p.Nick, p.ID, p.Program, paneState(*p), a.tilde(p.Dir)}, "  ")
	case e.Message != "":
		what = e.Message
	case e.Client != "":
		what = e.Client + "  " + e.Session
	case what == "":
		what = e.Session
	}
	t, err := time.Parse(time.RFC3339, e.Time)
	at := e.Time
	if err == nil {
		at = t.Local().Format(time.TimeOnly)
	}
	line := oneLine(at+" "+e.Type) + "  " + clean(what) + "\n"
	for _, g := range e.Agents {
		line += oneLine(at+" status") + "  " + clean(a.agentLine(g)) + "\n"
	}
	return line
}

// agentLine is what an agent is doing, in one line.
func (a *app) agentLine(g wire.Agent) string {
	words := []string{g.Nick, g.Agent, a.signOf(g.State) + because(g.Reason), aboutWhat(g)}
	if g.Source != "" {
		words = append(words, "("+g.Source+")")
	}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), "  ")
}
