package hooks

import (
	"slices"
	"strings"
)

// options are the words of an agent's command line as far as starting it again
// needs them, each a list with blanks between.
type options struct {
	session string // flags that choose a session
	prompt  string // flags that give a prompt
	valued  string // flags that take a value, of all kinds
	words   bool   // words that are no flags are no prompt
}

// chooseSession reports whether the arguments say which session to use.
func (o options) chooseSession(args []string) bool { return has(args, o.session) }

// has reports whether one of the listed flags is among the arguments.
func has(args []string, list string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return isFlag(list, a) })
}

// flagsOf are the arguments of a first start that hold for a later one, too:
// flags and their values, without a prompt and without what chose a session. A
// word of which that is not known is taken for a value where it follows a flag
// and has no blanks.
func (o options) flagsOf(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			break
		}
		if !strings.HasPrefix(a, "-") {
			if o.words {
				kept = append(kept, a)
			}
			continue
		}
		word := []string{a}
		if i+1 < len(args) && !strings.Contains(a, "=") && o.takes(a, args[i+1]) {
			i++
			word = append(word, args[i])
		}
		if !isFlag(o.session+" "+o.prompt, a) {
			kept = append(kept, word...)
		}
	}
	return kept
}

// takes reports whether a word is the value of the flag before it.
func (o options) takes(flag, word string) bool {
	if strings.HasPrefix(word, "-") {
		return false
	}
	return isFlag(o.valued, flag) || !strings.ContainsAny(word, " \t\n")
}

// isFlag reports whether an argument is one of the listed flags, with or without a
// value behind "=".
func isFlag(list, arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains(strings.Fields(list), name)
}

// option returns a flag with its value, nothing for an empty value.
func option(name, value string) []string {
	if value == "" {
		return nil
	}
	return []string{name, value}
}

// word returns a positional argument, nothing for an empty one.
func word(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
