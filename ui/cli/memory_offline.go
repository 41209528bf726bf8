package cli

import (
	"fmt"
	"strings"

	"deck/term/wire"
)

// offlineFiles are the projections, the most important first.
var offlineFiles = []string{"TASK.md", "STATE.md", "DECISIONS.md", "MEMORY.md"}

// spooled keeps a write that the server did not get, and says where.
func (a *app) spooled(at wire.Place, why error, keep func() error) error {
	err := ownFolder(at)
	if err == nil {
		err = keep()
	}
	if err != nil {
		return fmt.Errorf("%w; and it can't be kept for it: %w", why, err)
	}
	fmt.Fprintln(a.stderr, "deck: "+errSandbox.Error()+": kept in .deck/spool until it looks there")
	return nil
}

// ownFolder is an error where a request is about a project by its name: only the server
// knows where that is, and what lies in this folder is of its own project.
func ownFolder(at wire.Place) error {
	if at.Project != "" {
		return fmt.Errorf("only the server knows project %s", clean(at.Project))
	}
	return nil
}

// offline reads the projections of a folder's project and says so.
func (a *app) offline(of wire.Place, why error) (map[string]string, error) {
	if err := ownFolder(of); err != nil {
		return nil, fmt.Errorf("%w: %w", why, err)
	}
	files, at, err := a.backend.projections(of.Cwd)
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%w, and it has left nothing in .deck", why)
	}
	fmt.Fprintf(a.stderr, "deck: %s: answered from .deck, written %s\n", errSandbox, ago(at))
	return files, nil
}

// contextOffline is the projections one after the other, cut to a number of bytes where
// there is one.
func (a *app) contextOffline(of wire.Place, limit int, why error) (wire.Context, error) {
	files, err := a.offline(of, why)
	if err != nil {
		return wire.Context{}, err
	}
	var b strings.Builder
	for _, name := range offlineFiles {
		for l := range strings.Lines(files[name]) {
			if strings.HasPrefix(l, "<!--") {
				continue
			}
			if limit > 0 && b.Len()+len(l) > limit {
				return wire.Context{Text: b.String(), LeftOut: 1}, nil
			}
			b.WriteString(l)
		}
	}
	return wire.Context{Text: b.String()}, nil
}

// notesOffline finds the notes of some kinds in the projections.
func (a *app) notesOffline(of wire.Place, only []string, why error) ([]wire.Note, error) {
	files, err := a.offline(of, why)
	if err != nil {
		return nil, err
	}
	notes := []wire.Note{}
	for _, name := range []string{"DECISIONS.md", "MEMORY.md"} {
		for _, part := range strings.Split("\n"+files[name], "\n## ")[1:] {
			n := projectedNote(part)
			for _, k := range only {
				if k == n.Kind {
					notes = append(notes, n)
				}
			}
			if len(only) == 0 {
				notes = append(notes, n)
			}
		}
	}
	return notes, nil
}

// projectedNote reads a note as its projection has it: a heading of id and title, the
// text, and a last line of kind, status, day and files.
func projectedNote(part string) (n wire.Note) {
	heading, text, _ := strings.Cut(part, "\n")
	n.Short, n.Title, _ = strings.Cut(heading, " ")
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, "\n_"); i >= 0 {
		about := strings.Split(strings.Trim(text[i:], "\n_"), ", ")
		text = strings.TrimSpace(text[:i])
		n.Kind = about[0]
		if len(about) > 1 {
			n.Status = strings.ToUpper(about[1])
		}
	}
	n.ID, n.Text = n.Short, text
	return n
}

// recallOffline finds the notes of the projections that have the most words of a query.
func (a *app) recallOffline(r wire.Recall, why error) (wire.Recalled, error) {
	notes, err := a.notesOffline(r.Place, r.Kinds, why)
	if err != nil {
		return wire.Recalled{}, err
	}
	got := wire.Recalled{Hits: []wire.Hit{}, Searched: len(notes), Words: strings.Fields(strings.ToLower(r.Query)), Scan: true}
	for have := len(got.Words); have > 0; have-- {
		for _, n := range notes {
			if h := offlineHit(n, got.Words); len(h.Why.Words) == have && len(got.Hits) < r.N {
				got.Hits = append(got.Hits, h)
			}
		}
	}
	return got, nil
}

// offlineHit weighs a note by how many words it has.
func offlineHit(n wire.Note, words []string) wire.Hit {
	h := wire.Hit{Note: n, Snippet: wire.Snippet{Text: shorten(oneLine(n.Text), 200)}}
	text := strings.ToLower(n.Title + "\n" + n.Text)
	for _, w := range words {
		if strings.Contains(text, w) {
			h.Why.Words = append(h.Why.Words, w)
		}
	}
	h.Why.Text = float64(len(h.Why.Words)) / float64(len(words))
	h.Score = h.Why.Text
	return h
}
