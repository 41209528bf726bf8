package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"deck/hooks"
	"deck/term/wire"
)

// Where a definition is from.
const (
	fromProject = "project"
	fromUser    = "user"
)

// definedIn is a folder of definitions.
type definedIn struct {
	top, dir, from string
}

// definitionFolders are those that count for a folder, the nearer first. A
// project's are those of the checkout that the folder is in.
func (l *loop) definitionFolders(dir string) []definedIn {
	var out []definedIn
	if top := checkoutOf(dir); top != "" {
		out = append(out, definedIn{top, filepath.Join(top, ".deck", "agents"), fromProject})
	}
	if l.o.definitions != "" {
		// People link their own configuration from elsewhere.
		out = append(out, definedIn{"/", l.o.definitions, fromUser})
	}
	return out
}

// checkoutOf is the top of the checkout that a folder is in, empty outside of one.
func checkoutOf(dir string) string {
	for d := dir; filepath.IsAbs(d); d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	return ""
}

// definition reads the definition of a name as it is at this moment. It looks at
// files and runs outside of the loop.
func (l *loop) definition(dir, name string) (hooks.Definition, error) {
	shown := cleanText(name, maxLabel)
	if !hooks.IsDefinitionName(name) {
		return hooks.Definition{}, &wire.Error{Code: wire.CodeNoDefinition, Message: "not a name of an agent: " + shown}
	}
	for _, in := range l.definitionFolders(dir) {
		d, _, err := l.readDefinition(in, name)
		if errors.Is(err, errNoFile) {
			continue
		}
		return d, err
	}
	return hooks.Definition{}, &wire.Error{Code: wire.CodeNoDefinition, Message: "unknown agent: " + shown,
		Hint: "deck start --list lists those that can be started"}
}

// readDefinition reads one file. Its content is looked at before it was trusted,
// since nothing is done with it.
func (l *loop) readDefinition(in definedIn, name string) (hooks.Definition, wire.Definition, error) {
	path := filepath.Join(in.dir, name+".md")
	w := wire.Definition{Name: name, Path: path, From: in.from}
	text, err := readOwn(in.top, path, hooks.MaxDefinition)
	if errors.Is(err, errNoFile) {
		return hooks.Definition{}, w, err
	}
	if err != nil {
		return hooks.Definition{}, w, &wire.Error{Code: wire.CodeBadDefinition, Message: fmt.Sprintf("can't use %s: %s", cleanText(path, maxText), cleanText(err.Error(), maxText))}
	}
	d, err := hooks.ParseDefinition(name, path, text)
	w.Description, w.Agent, w.Model, w.Tools = cleanText(d.Description, maxText), d.Agent.Name, d.Model, d.Tools
	w.Trusted = in.from == fromUser || l.trusts.has(text)
	if err != nil {
		return d, w, &wire.Error{Code: wire.CodeBadDefinition, Message: cleanText(err.Error(), maxText)}
	}
	if w.Told = toldFirst; d.Agent.TakesSystem() {
		w.Told = toldArgument
	}
	if !w.Trusted {
		return d, w, notTrusted(path)
	}
	return d, w, nil
}

// How the prompt of a definition reaches its agent.
const (
	toldArgument = "argument"
	toldFirst    = "first-prompt"
)

// maxDefinitions is how many of a folder are listed.
const maxDefinitions = 200

// listDefinitions lists what can be started in a folder. A project's definition
// hides the user's own of the same name, as it does at a start.
func (l *loop) listDefinitions(_ context.Context, _ caller, r ofDir) ([]wire.Definition, error) {
	if !filepath.IsAbs(r.Dir) {
		return nil, invalid("not an absolute path: %s", cleanText(r.Dir, maxText))
	}
	out := []wire.Definition{}
	for _, in := range l.definitionFolders(r.Dir) {
		files, _ := os.ReadDir(in.dir)
		for _, f := range files {
			name, ok := strings.CutSuffix(f.Name(), ".md")
			if !ok || len(out) == maxDefinitions || slices.ContainsFunc(out, func(w wire.Definition) bool { return w.Name == name }) {
				continue
			}
			w, err := wire.Definition{Name: cleanText(name, maxLabel), Path: filepath.Join(in.dir, f.Name()), From: in.from}, error(nil)
			if hooks.IsDefinitionName(name) {
				_, w, err = l.readDefinition(in, name)
			} else {
				err = invalid("not a name of an agent, or that of one that deck knows: %s", w.Name)
			}
			if err != nil {
				w.Error = err.Error()
			}
			out = append(out, w)
		}
	}
	return out, nil
}

// ofDir is the query of lists that are about a folder.
type ofDir struct {
	Dir string `json:"dir"`
}

// define makes the start of a definition one of its agent, and returns what the
// agent is to be told with its first prompt.
func (l *loop) define(r *wire.StartAgent) (first string, err error) {
	if r.Launch != nil || len(r.Command) > 0 {
		return "", invalid("an agent is started by one name")
	}
	d, err := l.definition(r.Dir, r.Definition)
	if err != nil {
		return "", err
	}
	r.Launch = &wire.Launch{Agent: d.Agent.Name, Args: r.Args, Model: d.Model, Tools: d.Tools}
	if r.Model != "" {
		r.Launch.Model = r.Model
	}
	if r.Name == "" {
		r.Name = d.Name
	}
	if d.Agent.TakesSystem() {
		r.Launch.System = d.Prompt
		return "", nil
	}
	return d.Prompt, nil
}
