package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// shells are those that cobra writes completions for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCmd is "deck completion". It replaces the one that cobra brings,
// whose help is longer than all of deck's.
func completionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion (" + strings.Join(shells, "|") + ")",
		Short: "print a script that completes deck's commands in a shell",
		Example: `  source <(deck completion bash)
  deck completion fish > ~/.config/fish/completions/deck.fish
  deck completion zsh > "${fpath[1]}/_deck"`,
		Args:      exactly("shell"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return &usageError{"unknown shell: " + args[0], "deck knows " + strings.Join(shells, ", ")}
		},
	}
}
