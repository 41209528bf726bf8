package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"deck/hooks"
)

// agentSet is the agents that a verb can do something for.
type agentSet struct {
	has func(hooks.Agent) bool
	// lacks and instead are what is said of an agent that is not one of them.
	lacks, instead string
}

var (
	// hooked are the agents whose settings can have hooks.
	hooked = agentSet{hooks.Agent.CanInstall, "has no hooks that deck knows", "deck reads its screen instead"}
	// taught are the agents that have a place for a skill.
	taught = agentSet{hooks.Agent.CanLearn, "has no place for a skill that deck knows", ""}
)

// all are the agents of the set.
func (s agentSet) all() []hooks.Agent {
	return slices.DeleteFunc(hooks.Agents(), func(g hooks.Agent) bool { return !s.has(g) })
}

// named are those of these names, all without any.
func (s agentSet) named(names []string) ([]hooks.Agent, error) {
	all := s.all()
	if len(names) == 0 {
		return all, nil
	}
	chosen := make([]hooks.Agent, 0, len(names))
	for _, n := range names {
		i := slices.IndexFunc(all, func(g hooks.Agent) bool { return g.Name == n })
		if i < 0 {
			return nil, s.refuse(n)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// refuse is the error of a name that is none of the set's.
func (s agentSet) refuse(name string) error {
	if g, ok := hooks.Lookup(name); ok {
		return &usageError{g.Title + " " + s.lacks, s.instead}
	}
	known := []string{}
	for _, g := range s.all() {
		known = append(known, g.Name)
	}
	return &usageError{"unknown agent: " + name, "it is one of " + strings.Join(known, ", ")}
}

// complete offers the names that are not there yet.
func (s agentSet) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, g := range s.all() {
		if !slices.Contains(args, g.Name) {
			names = append(names, g.Name+"\t"+g.Title)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// found leaves those of the agents whose program is on PATH.
func (a *app) found(agents []hooks.Agent) []hooks.Agent {
	return slices.DeleteFunc(agents, func(g hooks.Agent) bool { return !a.onPath(g) })
}

// onPath reports whether an agent's program is found.
func (a *app) onPath(g hooks.Agent) bool {
	found := hooks.Installed(a.env.get("PATH"), executable)
	return slices.ContainsFunc(found, func(f hooks.Agent) bool { return f.Name == g.Name })
}
