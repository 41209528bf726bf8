package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// usageTemplate is the usage of every verb: examples last, next to the prompt
// at which they will be tried.
const usageTemplate = `Usage: {{.UseLine}}
{{if .HasAvailableSubCommands}}
Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasExample}}
Examples:
{{.Example}}
{{end}}`

// helpTemplate is what a verb is for, then its usage.
const helpTemplate = `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}`

// helpHint says where the help of a command is.
func helpHint(cmd *cobra.Command) string {
	path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "deck"), " ")
	if path == "" {
		return `see "deck help"`
	}
	return `see "deck help ` + path + `"`
}

// flagError makes a usage error of a flag that could not be read.
func flagError(cmd *cobra.Command, err error) error {
	m, hint := err.Error(), helpHint(cmd)
	if name, ok := strings.CutPrefix(m, "unknown shorthand flag: "); ok {
		// The library says "'x' in -xyz"; the letter is what is unknown.
		m = "unknown flag: -" + strings.Trim(strings.SplitN(name, " ", 2)[0], "'")
	}
	if strings.HasPrefix(m, "unknown flag: ") && cmd.HasParent() && strings.Contains(cmd.Use, " ") {
		hint += "; words that begin with - come after --"
	}
	if value, rest, ok := strings.Cut(strings.TrimPrefix(m, "invalid argument "), " for "); ok && strings.HasPrefix(m, "invalid") {
		flag, _, _ := strings.Cut(rest, " flag: ")
		m = "not a value for " + strings.Trim(flag, `"`) + ": " + strings.Trim(value, `"`)
	}
	return &usageError{m, hint}
}

// exactly takes n arguments, which are named for the error.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return &usageError{"missing " + strings.Join(names[len(args):], " and "), helpHint(cmd)}
		}
		if len(args) > len(names) {
			return &usageError{"too many arguments: " + strings.Join(args[len(names):], " "), helpHint(cmd)}
		}
		return nil
	}
}

// atLeast takes the named arguments and any number more.
func atLeast(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= len(names) {
			return nil
		}
		return exactly(names...)(cmd, args)
	}
}

// exclusive refuses flags that contradict each other.
func exclusive(cmd *cobra.Command, names ...string) error {
	var given []string
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f != nil && f.Changed {
			given = append(given, "--"+n)
		}
	}
	if len(given) < 2 {
		return nil
	}
	return &usageError{strings.Join(given, " and ") + " exclude each other", helpHint(cmd)}
}
