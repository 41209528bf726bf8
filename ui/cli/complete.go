package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// completionTime is how long a completion may ask the server. A shell that
// hangs at Tab is worse than one that offers nothing.
const completionTime = 300 * time.Millisecond

// completeWith asks a running server for words; without one there are none.
func (a *app) completeWith(ask func(context.Context, *wire.Conn) []string) ([]string, cobra.ShellCompDirective) {
	c, _, err := a.dial()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	return ask(ctx, c), cobra.ShellCompDirectiveNoFileComp
}

// completeTarget offers the panes for the first argument.
func (a *app) completeTarget(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeWith(func(ctx context.Context, c *wire.Conn) []string {
		panes, err := c.Panes(ctx, "")
		if err != nil {
			return nil
		}
		words := make([]string, 0, len(panes))
		for _, p := range panes {
			words = append(words, cobra.CompletionWithDesc(clean(p.Nick), clean(p.Program+" in "+p.Dir)))
		}
		return words
	})
}

// completeSession offers the sessions as a flag's value.
func (a *app) completeSession(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.completeWith(func(ctx context.Context, c *wire.Conn) []string {
		sessions, err := c.Sessions(ctx)
		if err != nil {
			return nil
		}
		words := make([]string, 0, len(sessions))
		for _, s := range sessions {
			words = append(words, clean(s.Name))
		}
		return words
	})
}

// completeClient offers the attached clients for the first argument.
func (a *app) completeClient(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeWith(func(ctx context.Context, c *wire.Conn) []string {
		clients, err := c.Clients(ctx)
		if err != nil {
			return nil
		}
		words := make([]string, 0, len(clients))
		for _, cl := range clients {
			words = append(words, cobra.CompletionWithDesc(clean(cl.ID), clean(cl.Session+" at "+cl.TTY)))
		}
		return words
	})
}

// sessionFlag adds -s to a command.
func (a *app) sessionFlag(cmd *cobra.Command, p *string, usage string) {
	cmd.Flags().StringVarP(p, "session", "s", "", usage)
	_ = cmd.RegisterFlagCompletionFunc("session", a.completeSession)
}

// completeAgent offers the agents for the first argument.
func (a *app) completeAgent(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeWith(func(ctx context.Context, c *wire.Conn) []string {
		agents, err := c.Agents(ctx, "", false)
		if err != nil {
			return nil
		}
		words := make([]string, 0, len(agents))
		for _, g := range agents {
			words = append(words, cobra.CompletionWithDesc(clean(g.Nick), clean(g.Agent+" "+string(g.State))))
		}
		return words
	})
}

// completeGate offers the agents that a gate holds.
func (a *app) completeGate(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeWith(func(ctx context.Context, c *wire.Conn) []string {
		gates, err := c.Gates(ctx)
		if err != nil {
			return nil
		}
		words := make([]string, 0, len(gates))
		for _, g := range gates {
			words = append(words, cobra.CompletionWithDesc(clean(g.Nick), clean(g.Text)))
		}
		return words
	})
}

// completeStates offers states as a flag's value.
func completeStates(states []lifecycle.State) cobra.CompletionFunc {
	words := make([]string, 0, len(states))
	for _, s := range states {
		words = append(words, string(s))
	}
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// firstArg makes a completion one of the first argument alone.
func firstArg(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f(cmd, args, word)
	}
}
