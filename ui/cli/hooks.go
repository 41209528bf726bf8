package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"deck/hooks"
)

// hookRow is a line of "deck hooks status --json".
type hookRow struct {
	Agent    string      `json:"agent"`
	Title    string      `json:"title"`
	State    hooks.State `json:"state"`
	Version  int         `json:"version,omitempty"` // mark of the entries, 0 without any
	Settings string      `json:"settings"`          // path of the file
	Error    string      `json:"error,omitempty"`   // why State is unreadable
}

// hooksCmd is "deck hooks". It asks no server.
func hooksCmd(a *app) *cobra.Command {
	c := group("hooks", "let agents tell deck what they do, wherever they are started", hooksStatusCmd(a), hooksInstallCmd(a), hooksUninstallCmd(a))
	c.Long = `Let agents tell deck what they do, wherever they are started.

An agent that deck starts ("deck new --agent claude") is told so for that
start, and none of its settings are changed. One that you type into a shell
has to find deck in its own settings: "deck hooks install" writes that, and
"deck hooks uninstall" takes it out to the last byte. Outside of deck these
hooks do nothing.`
	return c
}

func hooksStatusCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status [flags] [AGENT...]",
		Short: "say which agents' settings have deck's hooks",
		Example: `  deck hooks status
  deck hooks status --json | jq -r '.[] | select(.state == "outdated").agent'`,
		ValidArgsFunction: hooked.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			chosen, err := hooked.named(args)
			if err != nil {
				return err
			}
			return a.hooksStatus(chosen, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) hooksStatus(chosen []hooks.Agent, asJSON bool) error {
	site, err := a.site()
	if err != nil {
		return err
	}
	var errs []error
	rows := []hookRow{}
	t := &table{head: []string{"AGENT", "HOOKS", "SETTINGS"}}
	for _, g := range chosen {
		r := hookRow{Agent: g.Name, Title: g.Title, Settings: g.SettingsPath(site)}
		r.State, r.Version, err = g.HookState(site)
		if err != nil {
			r.Error = err.Error()
			errs = append(errs, err)
		}
		if r.State == hooks.StateMissing && !a.onPath(g) {
			r.State = hooks.StateAbsent
		}
		rows = append(rows, r)
		t.add(r.Agent, string(r.State), a.tilde(r.Settings))
	}
	if asJSON {
		err = printJSON(a.stdout, rows)
	} else {
		err = t.print(a.stdout)
	}
	return errors.Join(append(errs, err)...)
}

func hooksInstallCmd(a *app) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "install [flags] [AGENT...]",
		Short: "write deck's hooks into agents' settings",
		Long: `Write deck's hooks into agents' settings: of all agents that are found, else of
those named. Other people's hooks, comments, order and indentation stay. A file
that can't be read is left as it is.`,
		Example: `  deck hooks install --dry-run    show what would change
  deck hooks install claude`,
		ValidArgsFunction: hooked.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			chosen, err := hooked.named(args)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if chosen = a.found(chosen); len(chosen) == 0 {
					return &hintedError{errors.New("can't find an agent with hooks on PATH"), "name one to write its settings all the same"}
				}
			}
			site, err := a.site()
			if err != nil {
				return err
			}
			return a.editAgents(chosen, dry, site, hooks.Agent.Install, said{
				same: "has them already", edited: "installed in", gone: "removed",
				note: "agents that run already notice when they are started again", of: hooks.Agent.InstallNote,
			})
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "write nothing, print the difference")
	return c
}

func hooksUninstallCmd(a *app) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use:   "uninstall [flags] [AGENT...]",
		Short: "take deck's hooks out of agents' settings",
		Example: `  deck hooks uninstall --dry-run
  deck hooks uninstall gemini`,
		ValidArgsFunction: hooked.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			chosen, err := hooked.named(args)
			if err != nil {
				return err
			}
			site, err := a.site()
			if err != nil {
				return err
			}
			w := said{edited: "removed from", gone: "removed", none: "no settings have any"}
			if len(args) > 0 {
				w.same = "has none"
			}
			return a.editAgents(chosen, dry, site, hooks.Agent.Uninstall, w)
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "write nothing, print the difference")
	return c
}

// said is what is said of an agent, by what happened to its file: nothing, a
// change, its end; and where none had anything.
type said struct {
	same, edited, gone, note, none string
	of                             func(hooks.Agent) string // what else a person has to know; nil: nothing
}

// editAgents changes the files of every agent that it can, and fails if it could
// not all.
func (a *app) editAgents(chosen []hooks.Agent, dry bool, site hooks.Site, edit func(hooks.Agent, hooks.Site, bool) ([]hooks.Change, error), words said) error {
	var errs []error
	changed := false
	for _, g := range chosen {
		changes, err := edit(g, site, dry)
		if err != nil {
			errs = append(errs, err)
		} else if len(changes) == 0 && words.same != "" {
			fmt.Fprintf(a.stderr, "deck: %s %s\n", g.Name, words.same)
		}
		for _, c := range changes {
			changed = true
			if dry {
				a.printDiff(c)
				continue
			}
			word := words.edited
			if c.After == nil {
				word = words.gone
			}
			fmt.Fprintf(a.stdout, "%s: %s %s\n", g.Name, word, clean(a.tilde(c.Path)))
		}
		if words.of != nil && words.of(g) != "" && !dry && len(changes) > 0 {
			fmt.Fprintf(a.stderr, "deck: %s: %s\n", g.Name, words.of(g))
		}
	}
	switch {
	case len(errs) > 0 && changed:
		return errors.Join(errs...)
	case len(errs) > 0:
		return &hintedError{errors.Join(errs...), "nothing was changed"}
	case !changed && words.same == "":
		fmt.Fprintln(a.stderr, "deck: "+words.none)
	case changed && !dry && words.note != "":
		fmt.Fprintln(a.stderr, "deck: "+words.note)
	}
	return nil
}

// printDiff prints a change as a unified diff, without what could act on a
// terminal.
func (a *app) printDiff(c hooks.Change) {
	from, to := c.Path, c.Path
	if c.Before == nil {
		from = os.DevNull
	}
	if c.After == nil {
		to = os.DevNull
	}
	d := string(diff.Diff(from, c.Before, to, c.After))
	for line := range strings.Lines(d) {
		fmt.Fprintln(a.stdout, cleanKeepingTabs(line))
	}
}

// site is where this person's agents keep their settings, and the path under
// which hooks find deck.
func (a *app) site() (hooks.Site, error) {
	if !filepath.IsAbs(a.env.get("HOME")) {
		return hooks.Site{}, errors.New("can't find the agents' settings: HOME is not set to a folder")
	}
	self, err := os.Executable()
	if err != nil {
		return hooks.Site{}, fmt.Errorf("can't tell where deck is: %w", err)
	}
	return hooks.Site{Home: a.env.get("HOME"), Getenv: a.env.get, Reporter: a.stablePath(self), Removed: a.stateFile("skill-removed")}, nil
}

// stablePath is deck's path as the person finds it on PATH, which is often a link
// that goes on leading to deck when a newer one takes this one's place. The small
// program that does nothing but report is preferred where it lies beside it.
func (a *app) stablePath(self string) string {
	for _, dir := range filepath.SplitList(a.env.get("PATH")) {
		if p := filepath.Join(dir, "deck"); filepath.IsAbs(p) && samePath(p, self) {
			self = p
			break
		}
	}
	if small := filepath.Join(filepath.Dir(self), "deck-hook"); executable(small) {
		return small
	}
	return self
}

// executable reports whether a path leads to a program.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&fs.ModePerm&0o111 != 0
}
