package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// race is one prompt given to several agents, as its file has it and as --json
// prints it.
type race struct {
	ID      string    `json:"id"`
	Prompt  string    `json:"prompt"`
	Dir     string    `json:"dir"`  // top of the checkout that it was started in
	Base    string    `json:"base"` // commit that every runner began with
	Check   string    `json:"check,omitempty"`
	Adopted string    `json:"adopted,omitempty"` // the runner whose work was taken
	Runners []*runner `json:"runners"`
}

// runner is one agent of a race.
type runner struct {
	Name    string   `json:"name"`
	Agent   string   `json:"agent,omitempty"`   // of deck's, or a definition
	Command []string `json:"command,omitempty"` // of an agent that has no name with deck
	Branch  string   `json:"branch"`
	Path    string   `json:"path,omitempty"` // of its worktree
	Handle  string   `json:"handle,omitempty"`
	Pane    string   `json:"pane,omitempty"`
	Nick    string   `json:"nick,omitempty"`
	Prompt  string   `json:"prompt,omitempty"` // its handle
	State   string   `json:"state"`            // stateStarting, that of its agent, or the outcome of its prompt
	Over    bool     `json:"over"`             // nothing more comes of it
	Why     string   `json:"why,omitempty"`
	Files   int      `json:"files"`
	Added   int      `json:"added"` // lines
	Removed int      `json:"removed"`
	Check   string   `json:"check,omitempty"`        // running, ok, or how it failed
	Output  string   `json:"check_output,omitempty"` // path of what the check printed
}

// stateStarting is the state of a runner before its prompt.
const stateStarting = "starting"

// leave ends the runners that nobody starts any more: the command that did is gone.
func (r *race) leave() {
	for _, u := range r.Runners {
		if !u.Over && u.Prompt == "" {
			u.State, u.Why, u.Over = "failed", "its start was broken off", true
		}
		if u.Check == checkRuns {
			u.Check = ""
		}
	}
}

// finished reports whether a runner came to an end with something to adopt, as far
// as the check can tell.
func (r *runner) finished() bool {
	return r.Over && (r.State == "done" || r.State == "idle") && (r.Check == "" || r.Check == checkOK)
}

// What a check says that has no exit status to tell.
const (
	checkRuns = "running"
	checkOK   = "ok"
)

// runnerName is what a runner can be called: it becomes part of a branch.
var runnerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)

// maxRunners is how many agents can be in a race.
const maxRunners = 12

// runners makes runners of what -a says: names of agents or of definitions, or
// NAME=COMMAND. The same name again gets a number.
func runners(id string, agents []string) ([]*runner, error) {
	var out []*runner
	for _, a := range agents {
		name, command, isCommand := strings.Cut(strings.TrimSpace(a), "=")
		r := &runner{Name: name, State: stateStarting}
		if r.Agent = name; isCommand {
			r.Agent = ""
			if r.Command = strings.Fields(command); len(r.Command) == 0 {
				return nil, usagef("no command: %s", a)
			}
		}
		if !runnerName.MatchString(name) {
			return nil, usagef("not a name for an agent of a race: %s", name)
		}
		for n := 2; slices.ContainsFunc(out, func(o *runner) bool { return o.Name == r.Name }); n++ {
			r.Name = fmt.Sprintf("%s-%d", name, n)
		}
		r.Branch = "race/" + id + "/" + r.Name
		out = append(out, r)
	}
	if len(out) < 2 || len(out) > maxRunners {
		return nil, &usageError{fmt.Sprintf("a race is between 2 and %d agents", maxRunners), "-a claude,codex,gemini"}
	}
	return out, nil
}

func newRaceID() string {
	var b [3]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func (a *app) raceFolder() string { return a.stateFile("races") }

// saveRace keeps a race, so that another command can go on with it.
func (a *app) saveRace(r *race) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.raceFolder(), 0o700); err != nil {
		return fmt.Errorf("can't keep the race: %w", err)
	}
	f, err := os.CreateTemp(a.raceFolder(), ".new-*")
	if err != nil {
		return fmt.Errorf("can't keep the race: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(a.raceFolder(), r.ID+".json"))
	}
	if err != nil {
		return fmt.Errorf("can't keep the race: %w", err)
	}
	return nil
}

var raceID = regexp.MustCompile(`^[0-9a-f]{6}$`)

// loadRace reads a race by its id.
func (a *app) loadRace(id string) (*race, error) {
	unknown := &hintedError{fmt.Errorf("no such race: %s", id), "deck race ls lists them"}
	if !raceID.MatchString(id) {
		return nil, unknown
	}
	text, err := os.ReadFile(filepath.Join(a.raceFolder(), id+".json"))
	if err != nil {
		return nil, unknown
	}
	var r race
	if err := json.Unmarshal(text, &r); err != nil || r.ID != id {
		return nil, fmt.Errorf("can't read the race %s: its file is broken", id)
	}
	return &r, nil
}

// openRace reads a race by its id, to go on with it.
func (a *app) openRace(ctx context.Context, id string) (*race, error) {
	r, err := a.loadRace(id)
	if err == nil {
		a.locate(ctx, r)
	}
	return r, err
}

// races are those that are kept, the newest last.
func (a *app) races() []*race {
	files, _ := os.ReadDir(a.raceFolder())
	slices.SortFunc(files, func(x, y os.DirEntry) int {
		i, err1 := x.Info()
		j, err2 := y.Info()
		if err1 != nil || err2 != nil {
			return 0
		}
		return i.ModTime().Compare(j.ModTime())
	})
	var out []*race
	for _, f := range files {
		if id, ok := strings.CutSuffix(f.Name(), ".json"); ok {
			if r, err := a.loadRace(id); err == nil {
				out = append(out, r)
			}
		}
	}
	return out
}

// of finds a runner by its name.
func (r *race) of(name string) (*runner, error) {
	var names []string
	for _, u := range r.Runners {
		if u.Name == name {
			return u, nil
		}
		names = append(names, u.Name)
	}
	return nil, &hintedError{fmt.Errorf("no such agent in the race: %s", name), "it is one of " + strings.Join(names, ", ")}
}
