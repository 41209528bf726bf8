package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// agentCmd is "deck agent": what there is to know about one agent.
func agentCmd(a *app) *cobra.Command {
	return group("agent", "what an agent is doing", agentStatusCmd(a), agentWaitCmd(a), agentReportCmd(a), agentExplainCmd(a), agentHeldCmd(a))
}

// states are those of an agent, in the order in which they are documented.
var states = []lifecycle.State{
	lifecycle.Unknown, lifecycle.Working, lifecycle.NeedsInput, lifecycle.Idle, lifecycle.Blocked, lifecycle.Done, lifecycle.Dead,
}

// stateWords joins states as people list them.
func stateWords(all []lifecycle.State) string {
	words := make([]string, 0, len(all))
	for _, s := range all {
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

// stateGlyphs stand before the word of a state, the same as at the screen: for
// a terminal with UTF-8, and for any other.
var stateGlyphs = map[lifecycle.State][2]string{
	lifecycle.Unknown: {"?", "?"}, lifecycle.Working: {"●", "*"}, lifecycle.NeedsInput: {"▲", "!"}, lifecycle.Idle: {"○", "o"},
	lifecycle.Blocked: {"■", "#"}, lifecycle.Done: {"✓", "+"}, lifecycle.Dead: {"×", "x"},
}

// signOf is a state as tables show it.
func (a *app) signOf(s lifecycle.State) string {
	s = cmp.Or(s, lifecycle.Unknown)
	g := stateGlyphs[s]
	if !a.env.utf8() {
		return g[1] + " " + string(s)
	}
	return g[0] + " " + string(s)
}

// utf8 says whether the locale's characters are UTF-8.
func (e environment) utf8() bool {
	locale := strings.ToLower(cmp.Or(e.get("LC_ALL"), e.get("LC_CTYPE"), e.get("LANG")))
	return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
}

// agentTable has one row per agent. What is asked of a person comes last, since
// it is the longest.
func (a *app) agentTable(rows []wire.Agent) *table {
	t := &table{head: []string{"STATE", "NICK", "AGENT", "AGE", "PROJECT", "REQUEST"}}
	for _, r := range rows {
		t.add(a.signOf(r.State)+because(r.Reason), r.Nick, r.Agent, age(r.AgeMillis), a.projectOf(r), aboutWhat(r))
	}
	return t
}

// because is a reason behind a state.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " " + reason
}

// projectOf is where an agent works, as people say it.
func (a *app) projectOf(r wire.Agent) string {
	name := a.tilde(cmp.Or(r.Project, r.Dir))
	if r.Branch != "" {
		name += " (" + r.Branch + ")"
	}
	return name
}

// aboutWhat is the most telling sentence about a status.
func aboutWhat(r wire.Agent) string {
	return cmp.Or(r.Request.Summary, r.Detail, r.Tool)
}

// age shortens a time in milliseconds to what a person reads.
func age(millis int64) string {
	d := time.Duration(millis) * time.Millisecond
	switch {
	case d < 0:
		return "-" + age(-millis)
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// ownPane is the target of a verb that was given none: the pane it runs in.
func (a *app) ownPane(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	socket, err := a.socket()
	if err != nil {
		return "", err
	}
	if a.inside(socket) {
		return a.env.get("DECK_PANE_ID"), nil
	}
	return "", &usageError{"missing agent", `"deck agents" lists them; inside a pane it is the pane's own`}
}

// atMostOne takes one argument or none.
func atMostOne(cmd *cobra.Command, args []string) error {
	return exactly(slices.Repeat([]string{"agent"}, min(len(args), 1))...)(cmd, args)
}
