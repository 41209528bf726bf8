package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// helpCmd is "deck help". It knows "keys" besides the verbs, since a person at
// the screen has no verb to ask about.
func helpCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | keys]",
		Short: "explain a command, or list the keys",
		Example: `  deck help new
  deck help keys`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return helpTopics(cmd.Root(), args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "keys" {
				return a.helpKeys()
			}
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			target, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return &usageError{"unknown command: " + strings.Join(args, " "), `"deck help" lists the commands`}
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
	}
}

// helpTopics are the words that can follow those given.
func helpTopics(root *cobra.Command, args []string) []string {
	var words []string
	if len(args) == 0 {
		words = append(words, "keys")
	}
	cmd, rest, err := root.Find(args)
	if err != nil || len(rest) > 0 {
		return nil
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			words = append(words, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	return words
}

// helpKeys prints the table that the screen's own help is drawn from.
func (a *app) helpKeys() error {
	t := &table{head: []string{"KEY", "WHAT IT DOES"}}
	for _, k := range a.backend.keyTable() {
		t.add(k.key, k.help)
	}
	if _, err := fmt.Fprint(a.stdout, "Keys after the prefix key, C-a unless the configuration says otherwise:\n\n"); err != nil {
		return err
	}
	return t.print(a.stdout)
}
