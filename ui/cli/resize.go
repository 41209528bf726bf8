package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// sides are the ways a border can be moved.
var sides = []string{"left", "right", "up", "down"}

// resizeCmd is "deck resize".
func resizeCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:        "resize PANE (COLSxROWS | left|right|up|down [CELLS])",
		Short:      "change the size of a pane",
		SuggestFor: []string{"resize-pane"},
		Long: `Change the size of a pane: give it an exact size, or move its border. A pane
that a client shows gets that client's size again when somebody uses it there.`,
		Example: `  deck resize build 120x40
  deck resize build right 10`,
		Args:              atLeast("pane", "size"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := parseResize(args)
			if err != nil {
				return err
			}
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			return c.Resize(cmd.Context(), r)
		},
	}
}

// parseResize reads PANE and what to do with it.
func parseResize(args []string) (r wire.Resize, err error) {
	r.Target = args[0]
	rest := args[2:]
	if slices.Contains(sides, args[1]) {
		r.Side, r.Cells = args[1], 1
		if len(rest) > 0 {
			if r.Cells, err = strconv.Atoi(rest[0]); err != nil || r.Cells < 1 || r.Cells > maxSide {
				return r, usagef("not a number of cells: %s", rest[0])
			}
			rest = rest[1:]
		}
	} else if r.Cols, r.Rows, err = parseSize(args[1]); err != nil {
		return r, &usageError{"not a size or a side: " + args[1], "a size is COLSxROWS; a side is " + strings.Join(sides, ", ")}
	}
	if len(rest) > 0 {
		return r, usagef("too many arguments: %s", strings.Join(rest, " "))
	}
	return r, nil
}
