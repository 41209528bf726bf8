package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/server"
)

// explainFlags are the flags of "deck agent explain".
type explainFlags struct {
	server.ExplainOptions
	asJSON bool
}

func agentExplainCmd(a *app) *cobra.Command {
	f := explainFlags{}
	f.At = -1
	c := &cobra.Command{
		Use:   "explain [flags] [AGENT]",
		Short: "say how an agent's state comes about",
		Long: `Say how an agent's state comes about: everything that is claimed about it,
since when and for how long, what won and why, and which rule matched what.

With --file it is about a saved screen instead: as text, or an asciicast
(version 2 or 3) that is followed, with its keys and in its own time, up to the
moment --at, or to a marker that it has shortly before that. That is how rules
are debugged.`,
		Example: `  deck agent explain anna
  deck peek anna > s.txt && deck agent explain --file s.txt --agent claude
  deck agent explain --file session.cast --at 12.5 --agent codex --json`,
		Args:              atMostOne,
		ValidArgsFunction: a.completeAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed
			switch {
			case f.File == "" && (given("agent") || given("at") || given("exact") || given("screen-only")):
				return &usageError{"missing --file", "it is a screen as text or a recording"}
			case f.File == "":
				return a.explainAgent(cmd.Context(), args, f.asJSON)
			case len(args) > 0:
				return &usageError{"AGENT and --file exclude each other", helpHint(cmd)}
			case f.Agent == "":
				return &usageError{"missing --agent", "it is the name of a program, as in --agent claude"}
			case f.At < 0 && given("at"):
				return usagef("not a moment: %v", f.At)
			}
			return a.explainFile(f)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.File, "file", "", "the saved screen or recording, `FILE`")
	fl.StringVar(&f.Agent, "agent", "", "the `AGENT` whose rules apply")
	fl.Float64Var(&f.At, "at", -1, "the moment of a recording; -1 is its end")
	fl.BoolVar(&f.Exact, "exact", false, "the very moment of --at, whatever markers there are")
	fl.BoolVar(&f.ScreenOnly, "screen-only", false, "leave title, progress bar and in-band status out")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("agent", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("at", cobra.NoFileCompletions)
	return c
}

func (a *app) explainFile(f explainFlags) error {
	e, faults, err := server.ExplainFile(f.ExplainOptions)
	if err != nil {
		return err
	}
	for _, fault := range faults {
		fmt.Fprintf(a.stderr, "deck: ignored: %s\n", clean(fault.Error()))
	}
	if f.asJSON {
		return printJSON(a.stdout, e)
	}
	t := table{head: []string{"SOURCE", "STATE", "REASON", "RULE", "TEXT"}}
	for _, s := range []struct {
		name string
		f    *server.Finding
	}{{"in-band", e.InBand}, {"title", e.Native}, {"screen", e.Screen}} {
		if s.f == nil {
			continue
		}
		state := string(s.f.State)
		if s.f.Hold {
			state = "hold"
		}
		t.add(s.name, state, s.f.Reason, s.f.Rule, s.f.Matched)
	}
	line := slices.DeleteFunc([]string{string(e.State), e.Reason, e.Tool, e.Request}, func(s string) bool { return s == "" })
	switch {
	case e.Source != "" && e.Rule != "":
		line = append(line, "("+e.Source+", rule "+e.Rule+")")
	case e.Source != "":
		line = append(line, "("+e.Source+")")
	}
	if _, err := fmt.Fprintln(a.stdout, clean(strings.Join(line, " "))); err != nil || len(t.rows) == 0 {
		return err
	}
	return t.print(a.stdout)
}
