package cli

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"deck/term/wire"
)

// demoOptions are the flags of "deck demo".
type demoOptions struct {
	session  string
	detached bool
	json     bool
	speed    float64
}

// demoCmd is "deck demo".
func demoCmd(a *app) *cobra.Command {
	var o demoOptions
	c := &cobra.Command{
		Use:   "demo",
		Short: "open a tab of four sample agents, to see what deck does with them",
		Long: `Open a tab of four sample agents: small programs of deck's own that draw what
agents draw, work for a while, ask, and end. They run and write nothing.
At a terminal the screen opens as well.`,
		Example: `  deck demo                 look at it
  deck demo -d              only open the tab
  deck agents               what they are doing`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), o) },
	}
	a.sessionFlag(c, &o.session, "the `session` to open the tab in")
	c.Flags().BoolVarP(&o.detached, "detached", "d", false, "do not open the screen")
	c.Flags().BoolVar(&o.json, "json", false, "print the panes as JSON; the screen stays shut")
	a.speedFlag(c, &o.speed)
	return c
}

// speedFlag adds the scale of time of the sample agents. It is a variable, too,
// since panes inherit those.
func (a *app) speedFlag(c *cobra.Command, p *float64) {
	preset := 1.0
	if v, err := strconv.ParseFloat(a.env.get("DECK_DEMO_SPEED"), 64); err == nil && v > 0 {
		preset = v
	}
	c.Flags().Float64Var(p, "speed", preset, "how many times as fast")
}

// demoPlaces are where the four agents go: two rows of two.
var demoPlaces = []struct {
	role, place string
	at          int // the pane that is split
}{
	{roleStatus, "tab", 0},
	{roleScreen, "right", 0},
	{roleReport, "down", 0},
	{roleDies, "down", 1},
}

// demo opens the tab, and the screen where there is a terminal to draw on.
func (a *app) demo(ctx context.Context, o demoOptions) error {
	if o.speed <= 0 {
		return usagef("not a speed: %v", o.speed)
	}
	panes, err := a.openDemo(ctx, o)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(a.stdout, panes)
	}
	socket, err := a.socket()
	if err != nil {
		return err
	}
	if !o.detached && !a.inside(socket) && a.atTerminal() {
		return a.attach(ctx, attachOptions{session: panes[0].Session})
	}
	for _, p := range panes {
		if _, err := fmt.Fprintf(a.stdout, "%s %s\n", p.ID, p.Nick); err != nil {
			return err
		}
	}
	return nil
}

// openDemo opens the four panes.
func (a *app) openDemo(ctx context.Context, o demoOptions) ([]wire.Pane, error) {
	dir, err := folder("")
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	c, err := a.ensure(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var panes []wire.Pane
	for i, d := range demoPlaces {
		n := wire.NewPane{Session: o.session, Place: d.place, Dir: dir, Env: a.env, Agent: demoAgentName, Focus: i == 0,
			Command: []string{exe, demoVerb, "--speed", strconv.FormatFloat(o.speed, 'g', -1, 64), d.role}}
		if i > 0 {
			n.At = panes[d.at].ID
		}
		p, err := c.NewPane(ctx, n)
		if err != nil {
			return nil, err
		}
		panes = append(panes, p)
		if i == 0 {
			if err := c.Rename(ctx, wire.Rename{Target: p.ID, Name: "demo", Tab: true}); err != nil {
				return nil, err
			}
		}
	}
	return panes, nil
}

// atTerminal says whether the screen can be opened here.
func (a *app) atTerminal() bool {
	out, ok := a.stdout.(*os.File)
	return ok && a.stdin != nil && term.IsTerminal(int(a.stdin.Fd())) && term.IsTerminal(int(out.Fd()))
}

// demoAgentCmd is "deck demo-agent", one of the sample agents. It is hidden: a
// person opens all of them with "deck demo", and tests open one.
func demoAgentCmd(a *app) *cobra.Command {
	var speed float64
	roles := []string{roleStatus, roleScreen, roleReport, roleDies}
	c := &cobra.Command{
		Use:    demoVerb + " (" + strings.Join(roles, "|") + ") [STEP...]",
		Short:  "be a sample agent",
		Hidden: true,
		Long: `Be a sample agent. "status" says in-band what it does, "report" through deck's
socket, "screen" and "dies" let their screens be read. What it does is a list
of steps: ` + strings.Join(demoSteps, ", ") + `. Steps
can be typed into it as well; any other line is a turn of work.
DECK_DEMO_SPEED is the speed where none is said.`,
		Example: `  deck new -n robot -- deck demo-agent screen ask done
  deck send robot 1                    approve what it asks`,
		Args:      atLeast("role"),
		ValidArgs: roles,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := newDemo(args[0], args[1:])
			switch {
			case err != nil:
				return err
			case speed <= 0:
				return usagef("not a speed: %v", speed)
			}
			return a.runDemo(cmd.Context(), d, speed)
		},
	}
	a.speedFlag(c, &speed)
	return c
}
