package cli

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"deck/term/wire"
)

// pen writes for people: with colour on a terminal that can, else plainly.
type pen struct{ colour bool }

// pen returns the pen for stdout.
func (a *app) pen() pen {
	f, ok := a.stdout.(*os.File)
	return pen{ok && term.IsTerminal(int(f.Fd())) && a.env.get("NO_COLOR") == "" && a.env.get("TERM") != "dumb"}
}

func (p pen) style(sgr, s string) string {
	if !p.colour || s == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (p pen) bold(s string) string { return p.style("1", s) }
func (p pen) dim(s string) string  { return p.style("2", s) }
func (p pen) warn(s string) string { return p.style("33", s) }

// hit marks what was looked for.
func (p pen) hit(s string) string {
	if !p.colour {
		return "*" + s + "*"
	}
	return p.style("1;32", s)
}

// snippet is a part of a note as one line, with the hits marked.
func (p pen) snippet(s wire.Snippet) string {
	var b strings.Builder
	at := 0
	for _, m := range s.Marks {
		if m[0] < at || m[1] < m[0] || m[1] > len(s.Text) {
			continue // not of this text
		}
		b.WriteString(clean(s.Text[at:m[0]]))
		b.WriteString(p.hit(clean(s.Text[m[0]:m[1]])))
		at = m[1]
	}
	b.WriteString(clean(s.Text[at:]))
	return b.String()
}

// title is a hit's title, with the words marked that were looked for.
func (p pen) title(h wire.Hit) string {
	title := oneLine(h.Title)
	low := strings.ToLower(title)
	if len(low) != len(title) {
		return p.bold(title) // letters whose small ones are longer: places would not be the same
	}
	s := wire.Snippet{Text: title}
	for at := 0; at < len(low); {
		next, end := len(low), len(low)
		for _, w := range h.Why.Words {
			if i := strings.Index(low[at:], w); w != "" && i >= 0 && (at+i < next || at+i == next && at+i+len(w) > end) {
				next, end = at+i, at+i+len(w)
			}
		}
		if next < len(low) {
			s.Marks = append(s.Marks, [2]int{next, end})
		}
		at = end
	}
	if len(s.Marks) == 0 {
		return p.bold(title)
	}
	return p.snippet(s)
}

// ago is how long ago a time was.
func ago(t time.Time) string {
	if d := time.Since(t); d >= time.Minute {
		return age(d.Milliseconds()) + " ago"
	}
	return "just now"
}

// about is the line above a note: what it is called, what it is, whose, how old and
// how it stands.
func (p pen) about(n wire.Note) string {
	kind := n.Kind
	if n.Type != "" {
		kind += "/" + n.Type
	}
	parts := []string{p.bold(clean(n.Short)), clean(kind), clean(n.Project), ago(n.Updated), p.standing(n)}
	if who := cmp.Or(n.Author.Nick, n.Author.Agent); who != "" {
		parts = append(parts, "by "+clean(who))
	}
	return strings.Join(parts, "  ")
}

// standing is a note's status, and what is to be doubted about it.
func (p pen) standing(n wire.Note) string {
	s := clean(n.Status)
	if !n.VerifiedAt.IsZero() {
		s += " " + ago(n.VerifiedAt)
		if n.VerifiedCommit != "" {
			s += " at " + clean(n.VerifiedCommit[:min(len(n.VerifiedCommit), 7)])
		}
	}
	switch {
	case n.SupersededBy != "":
		s += ", " + p.warn("superseded")
	case n.Stale:
		s += ", " + p.warn("stale: "+clean(n.Freshness))
	case n.Freshness != "":
		s += ", " + clean(n.Freshness)
	}
	return s
}

// files lists what a note is about.
func (p pen) files(n wire.Note) string {
	var list []string
	for _, f := range n.Files {
		s := clean(f.Path)
		if f.Lines != "" {
			s += ":" + clean(f.Lines)
		}
		switch {
		case f.Now != "":
			s += " (now " + clean(f.Now) + ")"
		case f.Freshness != "" && f.Freshness != "fresh":
			s += " (" + clean(f.Freshness) + ")"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

// head is the first line of a note.
func head(n wire.Note) string {
	return oneLine(cmp.Or(n.Title, firstLine(n.Text)))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// whole prints all of a note.
func (a *app) whole(n wire.Note) error {
	p := a.pen()
	var b strings.Builder
	fmt.Fprintln(&b, p.about(n))
	if n.Title != "" {
		fmt.Fprintln(&b, p.bold(oneLine(n.Title)))
	}
	fmt.Fprint(&b, lines(n.Text))
	if n.Reason != "" {
		fmt.Fprint(&b, "because: "+lines(n.Reason))
	}
	var also []string
	for _, who := range n.Also {
		also = append(also, author(who))
	}
	for _, row := range [][2]string{
		{"also said by", strings.Join(also, ", ")}, {"files", p.files(n)}, {"tags", clean(strings.Join(n.Tags, ", "))}, {"id", clean(n.ID)}, {"ref", clean(n.Ref)},
		{"branch", clean(n.Branch)}, {"superseded by", clean(n.SupersededBy)},
	} {
		if row[1] != "" {
			fmt.Fprintln(&b, p.dim(row[0]+": ")+row[1])
		}
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// lines cleans a text of several lines, which ends with one.
func lines(s string) string {
	if s == "" {
		return ""
	}
	var b strings.Builder
	for l := range strings.Lines(s) {
		b.WriteString(clean(strings.ReplaceAll(l, "\t", "    ")))
		b.WriteByte('\n')
	}
	return b.String()
}

// noteTable has one row per note.
func noteTable(notes []wire.Note) *table {
	t := &table{head: []string{"ID", "KIND", "AGE", "STATUS", "BY", "TEXT"}}
	for _, n := range notes {
		t.add(n.Short, n.Kind, ago(n.Updated), pen{}.standing(n), cmp.Or(n.Author.Nick, n.Author.Agent), shorten(head(n), 100))
	}
	return t
}

// shorten cuts a line.
func shorten(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}

// plural counts things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
