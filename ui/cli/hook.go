package cli

import (
	"github.com/spf13/cobra"

	"deck/hooks/reporter"
)

// hookCmd is "deck hook", which agents' hooks call where the small program of
// the same purpose is not there. It never fails: an agent must not notice.
func hookCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "hook AGENT [EVENT]",
		Short:  "tell deck what an agent's hook was told; agents call it",
		Hidden: true,
		Long: `Tell deck what an agent's hook was told. Agents call it, with the payload on
stdin; outside of a pane of deck it does nothing. What waits for the agent it
prints in the agent's own form, where that hook can tell it something. It takes
200 ms at most, and 2 s more where it prints what a session begins with. Its
exit status is always 0.`,
		Example: `  echo '{"hook_event_name":"Stop"}' | deck hook claude`,
		Args:    atLeast("agent"),
		Run: func(_ *cobra.Command, args []string) {
			reporter.Run(args[0], append(args, "")[1], a.stdin, a.stdout, a.env.get)
		},
	}
}
