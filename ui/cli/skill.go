package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"deck/hooks"
)

// skillRow is a line of "deck skill status --json".
type skillRow struct {
	Agent   string      `json:"agent"`
	Title   string      `json:"title"`
	State   hooks.State `json:"state"`
	Removed bool        `json:"removed,omitempty"` // by a person: only its name brings it back
	Path    string      `json:"path"`
	Error   string      `json:"error,omitempty"` // why State is unreadable
}

// skillCmd is "deck skill". It asks no server.
func skillCmd(a *app) *cobra.Command {
	c := group("skill", "teach agents deck's commands", skillInstallCmd(a), skillStatusCmd(a))
	c.Long = `Teach agents deck's commands: to start other agents, to prompt and wait,
to say and hand over something, and to use the project's memory.

An agent that has skills gets one of its own; the others a marked part at the
end of their global instructions.`
	return c
}

func skillInstallCmd(a *app) *cobra.Command {
	var remove, dry bool
	c := &cobra.Command{
		Use:   "install [flags] [AGENT...]",
		Short: "write deck's skill where agents find it, or take it out",
		Long: `Write deck's skill for all agents that are found, else for those named. Nothing
else in their files changes; --remove takes it out to the last byte, and then
only the agent's name brings it back. A text that somebody has edited is left
as it is.`,
		Example: `  deck skill install --dry-run    show what would change
  deck skill install claude codex
  deck skill install --remove`,
		ValidArgsFunction: taught.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			if remove {
				return a.removeSkill(args, dry)
			}
			return a.installSkill(args, dry)
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "take it out")
	c.Flags().BoolVar(&dry, "dry-run", false, "write nothing, print the difference")
	return c
}

func (a *app) installSkill(args []string, dry bool) error {
	chosen, err := taught.named(args)
	if err != nil {
		return err
	}
	site, err := a.site()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		if chosen = a.found(chosen); len(chosen) == 0 {
			return &hintedError{errors.New("can't find an agent with skills or instructions on PATH"), "name one to write its files all the same"}
		}
		chosen = slices.DeleteFunc(chosen, func(g hooks.Agent) bool {
			if !g.SkillRemoved(site) {
				return false
			}
			fmt.Fprintf(a.stderr, "deck: %s is left out: its skill was removed; its name brings it back\n", g.Name)
			return true
		})
	}
	return a.editAgents(chosen, dry, site, hooks.Agent.TeachSkill, said{
		same: "has it already", edited: "installed in", gone: "removed",
		note: "agents that run already notice when they are started again",
	})
}

func (a *app) removeSkill(args []string, dry bool) error {
	chosen, err := taught.named(args)
	if err != nil {
		return err
	}
	site, err := a.site()
	if err != nil {
		return err
	}
	w := said{edited: "removed from", gone: "removed", none: "no agent has it"}
	if len(args) > 0 {
		w.same = "has none"
	} else {
		// Of the others nothing was taken out that could be remembered.
		chosen = slices.DeleteFunc(chosen, func(g hooks.Agent) bool {
			s, err := g.SkillState(site)
			return err == nil && s == hooks.StateMissing
		})
	}
	return a.editAgents(chosen, dry, site, hooks.Agent.RemoveSkill, w)
}

func skillStatusCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status [flags] [AGENT...]",
		Short: "say which agents have deck's skill",
		Example: `  deck skill status
  deck skill status --json | jq -r '.[] | select(.state == "outdated").agent'`,
		ValidArgsFunction: taught.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			chosen, err := taught.named(args)
			if err != nil {
				return err
			}
			return a.skillStatus(chosen, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) skillStatus(chosen []hooks.Agent, asJSON bool) error {
	site, err := a.site()
	if err != nil {
		return err
	}
	var errs []error
	rows := []skillRow{}
	t := &table{head: []string{"AGENT", "SKILL", "FILE"}}
	for _, g := range chosen {
		r := skillRow{Agent: g.Name, Title: g.Title, Path: g.SkillPath(site), Removed: g.SkillRemoved(site)}
		if r.State, err = g.SkillState(site); err != nil {
			r.Error = err.Error()
			errs = append(errs, err)
		}
		word := string(r.State)
		switch {
		case r.State == hooks.StateMissing && r.Removed:
			word = "removed"
		case r.State == hooks.StateMissing && !a.onPath(g):
			r.State = hooks.StateAbsent
			word = string(r.State)
		}
		rows = append(rows, r)
		t.add(r.Agent, word, a.tilde(r.Path))
	}
	if asJSON {
		err = printJSON(a.stdout, rows)
	} else {
		err = t.print(a.stdout)
	}
	return errors.Join(append(errs, err)...)
}

// stateFile is a file of deck's state folder that belongs to no server.
func (a *app) stateFile(name string) string {
	dir := a.env.get("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.env.get("HOME"), ".local", "state")
	}
	return filepath.Join(dir, "deck", name)
}
