package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// configCmd is "deck config". Checking needs no server: a person does it
// before the server reads the file again.
func configCmd(a *app) *cobra.Command {
	check := &cobra.Command{
		Use:   "check [FILE]",
		Short: "say what is wrong with the configuration",
		Example: `  deck config check
  deck config check ./config.toml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly("file")(cmd, args)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			path := a.backend.configPath()
			if len(args) == 1 {
				path = args[0]
			}
			if err := a.backend.checkConfig(path); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.stdout, "%s: ok\n", path)
			return err
		},
	}
	path := &cobra.Command{
		Use:     "path",
		Short:   "print where the configuration is read from",
		Example: `  $EDITOR "$(deck config path)"`,
		Args:    exactly(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, a.backend.configPath())
			return err
		},
	}
	return group("config", "check the configuration", check, path)
}
