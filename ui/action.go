package ui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"deck/term/keys"

	tea "charm.land/bubbletea/v2"
)

// action is something a person can do with a key after the prefix key. The
// which-key popup, the help, the key list of the documents and the tests all
// read the one table of them.
type action struct {
	name   string
	keys   []string // the default ones
	help   string
	group  string
	fold   *fold // what it shows as together with others
	writes bool  // changes what others see too: not for a read-only client
	repeat bool  // its key works again for a moment without the prefix
	run    func(*Model) tea.Cmd
}

// fold is how actions that differ in direction or number only show: as one
// line, as long as their keys are the default ones.
type fold struct{ keys, name, help string }

// The groups of actions, in the order in which they are shown.
const (
	groupPanes   = "panes"
	groupTabs    = "tabs"
	groupView    = "view"
	groupSession = "session"
	groupAgents  = "agents"
)

// actions is the table. It is a function because the actions themselves read
// it: the help does.
func actions() []action {
	return slices.Concat(paneActions(), sizeActions(), tabActions(), viewActions(), teamActions(), sessionActions())
}

// bindings are the keys after the prefix, as configured.
type bindings struct {
	prefix     keys.Key
	prefixName string
	keys       []boundKey
}

// boundKey is a key with what it does; name is how the person or the table
// wrote it.
type boundKey struct {
	key    keys.Key
	name   string
	action action
}

// defaultPrefix is the prefix key where none or a wrong one is configured.
const defaultPrefix = "C-a"

// bind applies the settings to the table. What it could not use it tells in
// one sentence, and works on without it.
func bind(s Settings) (bindings, string) {
	var problems []string
	b := bindings{prefixName: defaultPrefix}
	if s.Prefix != "" {
		b.prefixName = s.Prefix
	}
	var err error
	if b.prefix, err = parsePrefix(b.prefixName); err != nil {
		problems = append(problems, "prefix key: "+err.Error())
		b.prefixName = defaultPrefix
		b.prefix, _ = keys.Parse(defaultPrefix)
	}
	known := map[string]action{}
	for _, a := range actions() {
		known[a.name] = a
		for _, k := range a.keys {
			if key, err := keys.Parse(k); err == nil {
				b.keys = append(b.keys, boundKey{key, k, a})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		key, err := keys.Parse(name)
		a, ok := known[s.Keys[name]]
		switch {
		case err != nil:
			problems = append(problems, err.Error())
			continue
		case !ok && s.Keys[name] != "none":
			problems = append(problems, fmt.Sprintf("no such action: %s (key %s)", s.Keys[name], name))
			continue
		}
		// A key has one action: the configured one replaces the default.
		b.keys = slices.DeleteFunc(b.keys, func(k boundKey) bool { return key.Is(k.key) })
		if ok {
			b.keys = append(b.keys, boundKey{key, name, a})
		}
	}
	return b, strings.Join(problems, "; ")
}

// find returns the action of a key after the prefix. The prefix key itself, a
// second time, goes to the pane that was focused before.
func (b bindings) find(k keys.Key) (action, bool) {
	for _, bound := range b.keys {
		if k.Is(bound.key) {
			return bound.action, true
		}
	}
	return action{}, false
}

// keyOf returns the first key of an action, or its name where it has none.
func (b bindings) keyOf(name string) string {
	if names := b.keysOf(name); len(names) > 0 {
		return names[0]
	}
	return name
}

// entry is one line of a list of keys.
type entry struct{ keys, help, group, name string }

// entries returns the bound actions in the order of the table.
func (b bindings) entries() []entry {
	var list []entry
	shown := map[*fold]bool{}
	for _, a := range actions() {
		if a.fold != nil && b.asDefault(a.fold) {
			if !shown[a.fold] {
				list = append(list, entry{a.fold.keys, a.fold.help, a.group, a.fold.name})
			}
			shown[a.fold] = true
			continue
		}
		if names := b.keysOf(a.name); len(names) > 0 {
			list = append(list, entry{strings.Join(names, " "), a.help, a.group, a.name})
		}
	}
	return list
}

// keysOf returns all keys of an action.
func (b bindings) keysOf(name string) []string {
	var names []string
	for _, bound := range b.keys {
		if bound.action.name == name {
			names = append(names, bound.name)
		}
	}
	return names
}

// asDefault reports whether the actions of a fold have their default keys.
func (b bindings) asDefault(f *fold) bool {
	for _, a := range actions() {
		if a.fold == f && !slices.Equal(b.keysOf(a.name), a.keys) {
			return false
		}
	}
	return true
}

// ActionNames returns the names that a configuration may bind keys to.
func ActionNames() []string {
	var names []string
	for _, a := range actions() {
		names = append(names, a.name)
	}
	return names
}
