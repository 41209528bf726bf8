package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// peekCmd is "deck peek".
func peekCmd(a *app) *cobra.Command {
	var p wire.Peek
	var asJSON bool
	c := &cobra.Command{
		Use:        "peek [flags] PANE",
		Short:      "print what a pane shows",
		SuggestFor: []string{"capture-pane", "capture", "cat"},
		Example: `  deck peek build               the screen
  deck peek -n 20 build         its last 20 lines
  deck peek --history build     with all that scrolled off
  deck peek --ansi build        with colours`,
		Args:              exactly("pane"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := exclusive(cmd, "ansi", "json"); err != nil {
				return err
			}
			if cmd.Flags().Changed("lines") && p.Lines < 1 {
				return usagef("not a number of lines: %d", p.Lines)
			}
			p.Target = args[0]
			return a.peek(cmd.Context(), p, asJSON)
		},
	}
	f := c.Flags()
	f.IntVarP(&p.Lines, "lines", "n", 0, "only the last `N` lines that are not blank")
	f.BoolVar(&p.History, "history", false, "with the scrollback before the screen")
	f.BoolVar(&p.Ansi, "ansi", false, "with colours and styles as escape sequences")
	f.BoolVar(&asJSON, "json", false, "print JSON, with size, cursor and title")
	return c
}

// peek prints rows as the emulator has them: never raw bytes, so nothing in
// them acts on the terminal that this runs in.
func (a *app) peek(ctx context.Context, p wire.Peek, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	r, err := c.Peek(ctx, p)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(a.stdout, r)
	}
	// Blank rows at the bottom say nothing; a script that counts rows has --json.
	for len(r.Lines) > 0 && strings.TrimSpace(r.Lines[len(r.Lines)-1]) == "" {
		r.Lines = r.Lines[:len(r.Lines)-1]
	}
	w := bufio.NewWriter(a.stdout)
	for _, line := range r.Lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return w.Flush()
}
