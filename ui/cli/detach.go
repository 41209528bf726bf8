package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// detachCmd is "deck detach".
func detachCmd(a *app) *cobra.Command {
	var d wire.Detach
	c := &cobra.Command{
		Use:        "detach [flags] [CLIENT]",
		Short:      "close a screen; the programs go on",
		SuggestFor: []string{"detach-client"},
		Long:       "Close a screen; the programs go on. Without a name it is the only one there is.",
		Example: `  deck detach              the only client
  deck detach --all        every client
  deck detach -s work      all that show the session "work"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactly("client")(cmd, args)
		},
		ValidArgsFunction: a.completeClient,
		RunE: func(cmd *cobra.Command, args []string) error {
			d.Client = strings.Join(args, "")
			return a.detach(cmd.Context(), d)
		},
	}
	a.sessionFlag(c, &d.Session, "all clients of this `session`")
	c.Flags().BoolVar(&d.All, "all", false, "all clients")
	return c
}

// detach asks the server to end clients. Two ways to say which would leave one
// of them unheard, so they are refused.
func (a *app) detach(ctx context.Context, d wire.Detach) error {
	ways := 0
	for _, given := range []bool{d.Client != "", d.Session != "", d.All} {
		if given {
			ways++
		}
	}
	if ways > 1 {
		return &usageError{"CLIENT, --session and --all exclude each other", `see "deck help detach"`}
	}
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if ways == 0 {
		if d.Client, err = onlyClient(ctx, c); err != nil {
			return err
		}
	}
	return c.Detach(ctx, d)
}

// onlyClient returns the client that is meant when none is named.
func onlyClient(ctx context.Context, c *wire.Conn) (string, error) {
	clients, err := c.Clients(ctx)
	if err != nil {
		return "", err
	}
	switch len(clients) {
	case 0:
		return "", errors.New("no client is attached")
	case 1:
		return clients[0].ID, nil
	}
	ids := make([]string, len(clients))
	for i, cl := range clients {
		ids[i] = cl.ID
	}
	return "", &hintedError{errors.New("several clients are attached: " + strings.Join(ids, ", ")),
		`name one, or "deck detach --all"`}
}
