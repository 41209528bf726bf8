package detect

import (
	"embed"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"deck/lifecycle"
)

//go:embed rules/*.toml
var files embed.FS

// Generic is the name of the rules for agents that have none of their own.
const Generic = "generic"

// Set is the rules of all agents. It is not changed once made, and safe for
// use by many goroutines.
type Set struct {
	byAgent map[string]func() *Rules
}

// Builtin returns the rules that deck comes with; a file is compiled when its
// agent is first asked for.
var Builtin = sync.OnceValue(func() *Set {
	s := &Set{byAgent: map[string]func() *Rules{}}
	names, err := files.ReadDir("rules")
	if err != nil {
		panic("bug: no rules: " + err.Error())
	}
	for _, n := range names {
		agent := strings.TrimSuffix(n.Name(), ".toml")
		s.byAgent[agent] = sync.OnceValue(func() *Rules { return builtinRules(agent) })
	}
	return s
})

func builtinRules(agent string) *Rules {
	text, err := files.ReadFile(path.Join("rules", agent+".toml"))
	if err != nil {
		panic("bug: rules of " + agent + ": " + err.Error())
	}
	r, err := Parse(agent, text)
	if err != nil {
		panic("bug: rules of " + agent + ": " + err.Error())
	}
	return r
}

// With returns the set with an agent's rules replaced by those of a file. With
// an error, a *RuleError, nothing is replaced.
func (s *Set) With(agent string, text []byte) (*Set, error) {
	r, err := Parse(agent, text)
	if err != nil {
		return s, err
	}
	out := &Set{byAgent: maps.Clone(s.byAgent)}
	out.byAgent[agent] = func() *Rules { return r }
	return out, nil
}

// Agents returns the names of the agents that have rules, sorted.
func (s *Set) Agents() []string { return slices.Sorted(maps.Keys(s.byAgent)) }

// rules returns those of an agent, else the generic ones.
func (s *Set) rules(agent string) *Rules {
	f, ok := s.byAgent[agent]
	if !ok {
		f = s.byAgent[Generic]
	}
	return f()
}

// Reading is what one look at a terminal tells.
type Reading struct {
	Native lifecycle.Verdict // from title and progress bar: what the agent says
	Screen lifecycle.Verdict // from the rows: what it draws
	// Composer is the agent's input line, Draft of Screen what of it is a prompt.
	Composer lifecycle.Composer
}

// Read evaluates an agent's rules on a screen. The rows decide nothing where no
// rule matches; then the generic rules are asked, unless the file says no. At a
// shell's prompt an agent that has rules is not there any more, whatever it left
// in the title.
func (s *Set) Read(agent string, sc *Screen) Reading {
	r := s.rules(agent)
	v := look(sc, r)
	out := Reading{Screen: r.verdict(v, false)}
	if !sc.Shell {
		out.Native = r.verdict(v, true)
	}
	if out.Screen.None() && r.generic && r.agent != Generic && !sc.Shell {
		g := s.rules(Generic)
		out.Screen = g.verdict(look(sc, g), false)
	}
	out.Composer = v.composer()
	if draft := out.Composer.Draft; !command(v.prompt.mark, draft) {
		out.Screen.Draft = draft
	}
	return out
}

// command reports whether a draft is for the agent's own screen or a shell, so
// that no turn follows from it.
func command(mark, draft string) bool {
	return strings.HasPrefix(draft, "/") || draft != "" && strings.IndexByte("!#$", draft[0]) >= 0 || mark == "!" || mark == "#" || mark == "$"
}

// Composer returns the state of an agent's input line.
func (s *Set) Composer(agent string, sc *Screen) lifecycle.Composer {
	return look(sc, s.rules(agent)).composer()
}
