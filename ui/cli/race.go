package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// raceOptions are the flags of "deck race".
type raceOptions struct {
	agents  []string
	check   string
	timeout time.Duration
	json    bool
}

// raceCmd is "deck race".
func raceCmd(a *app) *cobra.Command {
	var o raceOptions
	c := &cobra.Command{
		Use:   "race PROMPT -a AGENT,AGENT...",
		Short: "give several agents the same prompt, each in a worktree of its own",
		Long: `Give several agents the same prompt, each in a worktree of its own that begins
with the last commit. A board shows how far each is, how much it has changed,
and what the check says, a command that is run in each worktree at its agent's
end. Then adopt the best. An AGENT is what deck start takes, or NAME=COMMAND.

The agents go on when this command is ended; "deck race show" goes on with it.
Exit status: 0 where one of them came through, with the check if there is one.`,
		Example: `  deck race "fix the parser" -a claude,codex,gemini --check "make test"
  deck race diff 3fa2c1            what each has changed, side by side
  deck race diff 3fa2c1 claude     the whole change of one
  deck race adopt 3fa2c1 claude    merge it into this branch`,
		Args: func(cmd *cobra.Command, args []string) error { return exactly("prompt")(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return a.race(ctx, args[0], o)
		},
	}
	f := c.Flags()
	f.StringSliceVarP(&o.agents, "agents", "a", nil, "the `agents`, with commas between")
	f.StringVar(&o.check, "check", "", "a `command` that says whether a result is good")
	f.DurationVar(&o.timeout, "timeout", raceTime, "how long it is watched")
	f.BoolVar(&o.json, "json", false, "print the race as JSON at its end")
	_ = c.RegisterFlagCompletionFunc("agents", cobra.FixedCompletions(agentNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("check", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	c.AddCommand(raceShowCmd(a), raceListCmd(a), raceDiffCmd(a), raceAdoptCmd(a))
	return c
}

// untilSignal is a context that ends when this process is told to end, so that a check
// is ended first.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
}

func (a *app) race(ctx context.Context, prompt string, o raceOptions) error {
	if strings.TrimSpace(prompt) == "" {
		return usagef("the prompt is empty")
	}
	r := &race{ID: newRaceID(), Prompt: prompt, Check: o.check}
	var err error
	if r.Runners, err = runners(r.ID, o.agents); err != nil {
		return err
	}
	dir, err := folder("")
	if err != nil {
		return err
	}
	top, err := a.git(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return fmt.Errorf("not in a git repository: %s", dir)
	}
	r.Dir = strings.TrimRight(top, "\n")
	base, err := a.git(ctx, r.Dir, nil, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return errors.New("the repository has no commit to begin with")
	}
	r.Base = strings.TrimSpace(base)
	if changed, err := a.git(ctx, r.Dir, nil, "status", "--porcelain"); err == nil && changed != "" {
		fmt.Fprintln(a.stderr, "deck: what is not committed here is not in the race")
	}
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := a.saveRace(r); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "deck: race %s: its agents are started\n", r.ID)
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	a.startRace(ctx, c, r)
	if err := a.saveRace(r); err != nil {
		return err
	}
	return a.followRace(ctx, c, r, o.json)
}

// followRace watches a race to its end and says what came of it.
func (a *app) followRace(ctx context.Context, c *wire.Conn, r *race, asJSON bool) error {
	err := a.watchRace(ctx, c, r)
	goesOn := "its agents go on; deck race show " + r.ID + " goes on with it"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = &hintedError{errors.New("the race takes longer than it may"), goesOn}
	} else if ctx.Err() != nil {
		err = &hintedError{errors.New("interrupted"), goesOn}
	}
	switch {
	case asJSON:
		err = errors.Join(err, printJSON(a.stdout, r))
	case !a.onTerminal():
		err = errors.Join(err, a.board(r).table().print(a.stdout))
	}
	if err != nil {
		return err
	}
	for _, u := range r.Runners {
		if u.finished() {
			fmt.Fprintf(a.stderr, "deck: deck race diff %s compares them; deck race adopt %s %s takes one\n", r.ID, r.ID, u.Name)
			return nil
		}
	}
	return errors.New("no agent came through")
}

func raceShowCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "show ID",
		Short:   "go on with watching a race",
		Example: "  deck race show 3fa2c1",
		Args:    exactly("race"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.openRace(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			r.leave()
			for _, u := range r.Runners {
				a.measure(cmd.Context(), r, u)
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return a.followRace(ctx, c, r, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the race as JSON at its end")
	return c
}

func raceListCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "ls",
		Short:   "list the races",
		Example: "  deck race ls",
		Args:    exactly(),
		RunE: func(*cobra.Command, []string) error {
			list := a.races()
			if asJSON {
				return printJSON(a.stdout, append([]*race{}, list...))
			}
			t := &table{head: []string{"RACE", "AGENTS", "ADOPTED", "REPOSITORY", "PROMPT"}}
			for _, r := range list {
				var names []string
				for _, u := range r.Runners {
					names = append(names, u.Name)
				}
				t.add(r.ID, strings.Join(names, ","), r.Adopted, a.tilde(r.Dir), oneLine(r.Prompt))
			}
			return t.print(a.stdout)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
