package server

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"deck/term/wire"
)

// diffOf returns a change of a file as rows of a unified diff without its
// heading.
func diffOf(e wire.AgentEdit) []string {
	text := string(diff.Diff("old", terminated(e.Old), "new", terminated(e.New)))
	// "diff old new", "--- old", "+++ new"
	for range 3 {
		_, text, _ = strings.Cut(text, "\n")
	}
	rows := []string{}
	for _, row := range strings.Split(cleanLines(text), "\n") {
		if row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// terminated is a text whose last row ends, so that a diff has no word about that.
func terminated(s string) []byte {
	if s == "" || strings.HasSuffix(s, "\n") {
		return []byte(s)
	}
	return []byte(s + "\n")
}
