package server

import (
	memory "deck/context"
)

// redactConfig is the table of what memory takes for a secret beyond the rules that
// are built in.
type redactConfig struct {
	Rules map[string]string `toml:"rules"` // name → regular expression; its first group is the secret
	Allow []string          `toml:"allow"` // regular expressions of what is none
}

func (r redactConfig) rules() memory.RedactRules {
	return memory.RedactRules{Patterns: r.Rules, Allow: r.Allow}
}

// check finds rules that are none.
func (r redactConfig) check(fault func(table, key, format string, args ...any)) {
	for name, text := range r.Rules {
		if _, err := memory.NewRedactor(memory.RedactRules{Patterns: map[string]string{name: text}}); err != nil {
			fault("redact.rules", name, "%v", err)
		}
	}
	if _, err := memory.NewRedactor(memory.RedactRules{Allow: r.Allow}); err != nil {
		fault("redact", "allow", "%v", err)
	}
}
