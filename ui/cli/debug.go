package cli

import "github.com/spf13/cobra"

// debugCmd is "deck debug": what tests and bug reports need of the insides.
func debugCmd(a *app) *cobra.Command {
	var o screenOptions
	var size string
	screen := &cobra.Command{
		Use:   "screen --size COLSxROWS",
		Short: "run bytes through the emulator and print the screen as JSON",
		Long: `Run bytes through the emulator and print the screen as JSON. Stdin is a script,
one object a line: {"write": HEX} for a program's bytes, or {"resize": [COLS,
ROWS]}.`,
		Example: `  printf 'hello\033[31mred' | deck debug screen --size 80x24 --raw --no-cells`,
		Args:    exactly(),
		RunE: func(*cobra.Command, []string) error {
			var err error
			if o.cols, o.rows, err = parseSize(size); err != nil {
				return err
			}
			return a.backend.debugScreen(a.stdin, a.stdout, o)
		},
	}
	f := screen.Flags()
	f.StringVar(&size, "size", "80x24", "`COLSxROWS` at the start")
	f.BoolVar(&o.raw, "raw", false, "stdin is a program's bytes, not a script")
	f.BoolVar(&o.noCells, "no-cells", false, "leave the styles of the cells out")
	return group("debug", "look inside", screen)
}
