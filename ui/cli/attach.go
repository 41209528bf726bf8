package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// attachOptions are the flags of "deck attach".
type attachOptions struct {
	session  string
	readOnly bool
	open     bool     // --new
	command  []string // after --new
	nest     bool
	relay    bool
}

// attachCmd is "deck attach". It takes a command only after --new, so that a
// mistyped verb is not run in a pane.
func attachCmd(a *app) *cobra.Command {
	var o attachOptions
	c := &cobra.Command{
		Use:   "attach [flags] [-- CMD...]",
		Short: "open the screen, as deck alone does",
		Example: `  deck attach -s work              show the session "work"
  deck attach --new -- htop        open htop in a new tab and show it
  deck attach --read-only          look, and type nothing by mistake`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && !o.open {
				return &usageError{"too many arguments: " + args[0], "a command needs --new before it"}
			}
			o.command = args
			return a.attach(cmd.Context(), o)
		},
	}
	c.Flags().SetInterspersed(false)
	a.sessionFlag(c, &o.session, "the `session` to show; the one last used without")
	c.Flags().BoolVar(&o.readOnly, "read-only", false, "no key reaches a program")
	c.Flags().BoolVar(&o.open, "new", false, "open a pane first, with CMD or a shell")
	c.Flags().BoolVar(&o.nest, "nest", false, "even inside a pane of the same deck")
	c.Flags().BoolVar(&o.relay, "relay", false, "the server leaves the terminal to deck; slower")
	return c
}

// attach stands between this terminal and the server until either ends it.
func (a *app) attach(ctx context.Context, o attachOptions) error {
	socket, err := a.socket()
	if err != nil {
		return err
	}
	tty, err := openTerminal(a.stdin, a.stdout, a.env.get("TERM"))
	if err != nil {
		return err
	}
	tty.kept = o.relay
	if a.inside(socket) && !o.nest {
		return &hintedError{fmt.Errorf("this is a pane of deck already (%s)", a.paneName()),
			`other commands work here; "deck attach --nest" opens the screen all the same`}
	}
	conn, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	hello, err := a.attachHello(o, tty)
	if err != nil {
		return err
	}
	exit, err := attachTo(ctx, conn, tty, hello)
	if err != nil {
		return err
	}
	return a.farewell(exit, o.session)
}

// attachHello is what the server is told of this terminal.
func (a *app) attachHello(o attachOptions, tty *terminal) (wire.Attach, error) {
	dir, err := os.Getwd()
	if err != nil {
		return wire.Attach{}, fmt.Errorf("this folder: %w", err)
	}
	h := wire.Attach{
		Protocol: wire.Protocol, Version: wire.Version,
		Session: o.session, ReadOnly: o.readOnly,
		Dir: dir, Env: a.env.ofTerminal(), PaneEnv: a.env,
		TTY: tty.name(), PID: os.Getpid(), Size: tty.size(),
	}
	if o.open {
		h.New = &wire.NewPane{Session: o.session, Dir: dir, Command: o.command, Env: a.env, Focus: true}
	}
	return h, nil
}

// terminalVariables tell what a terminal can do, by what it is called and what
// a person wishes of it.
var terminalVariables = []string{
	"TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR",
	"LANG", "LC_ALL", "LC_CTYPE", "SSH_CONNECTION", "SSH_TTY", "VTE_VERSION",
	"KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "WEZTERM_PANE", "TMUX", "STY",
}

// ofTerminal picks the variables that are about the terminal.
func (e environment) ofTerminal() map[string]string {
	m := map[string]string{}
	for _, name := range terminalVariables {
		if v := e.get(name); v != "" {
			m[name] = v
		}
	}
	return m
}

// paneName is what the pane that this process runs in is called.
func (a *app) paneName() string {
	if nick := a.env.get("DECK_NICK"); nick != "" {
		return nick
	}
	return a.env.get("DECK_PANE_ID")
}

// farewell says why the screen is gone.
func (a *app) farewell(e wire.Exit, session string) error {
	if e.Reason == "error" {
		if e.Message == "" {
			e.Message = "the server ended the connection"
		}
		fmt.Fprintf(a.stderr, "deck: %s\n", oneLine(e.Message))
		return exitError(max(e.Code, 1))
	}
	message := e.Message
	if message == "" {
		message = defaultFarewell(e.Reason, session)
	}
	fmt.Fprintf(a.stderr, "[%s]\n", oneLine(message))
	if e.Code != 0 {
		return exitError(e.Code)
	}
	return nil
}

// defaultFarewell is what to say where the server said nothing: an older one.
func defaultFarewell(reason, session string) string {
	switch {
	case reason == "detached" && session != "":
		return "detached (from session " + session + ")"
	case reason == "closed":
		return "exited"
	case reason == "stopped":
		return "server stopped"
	}
	return reason
}
