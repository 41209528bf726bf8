package cli

import (
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// table is what a verb prints for people: a row of headings, unless there are
// none, and rows below, each column as wide as its widest cell.
type table struct {
	head []string
	rows [][]string
}

// add adds a row. An empty cell becomes "-", so that columns can be counted by
// tools that split at blanks.
func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = clean(cells[i])
		if cells[i] == "" {
			cells[i] = "-"
		}
	}
	t.rows = append(t.rows, cells)
}

// print writes the table. Widths are those of a terminal, so that names in any
// script line up.
func (t *table) print(w io.Writer) error {
	all := t.rows
	if t.head != nil {
		all = append([][]string{t.head}, t.rows...)
	}
	width := map[int]int{}
	for _, r := range all {
		for i, c := range r {
			width[i] = max(width[i], ansi.StringWidth(c))
		}
	}
	var b strings.Builder
	for _, r := range all {
		for i, c := range r {
			b.WriteString(c)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", width[i]-ansi.StringWidth(c)+2))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printJSON writes a value for scripts. What is printed is the wire's shape.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// clean takes out what could act on a terminal or turn text around: programs
// choose their own titles, and folders can have any name.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, s)
}
