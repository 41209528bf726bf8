package server

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	memory "deck/context"
	"deck/term/wire"
)

// lookTime is how long the files of notes may be looked at for one answer; those
// that were not looked at by then are told without.
const lookTime = 500 * time.Millisecond

// checkoutOf is where the files of a note are looked at: the asker's checkout for a
// note of its project, else the one it was written in.
func (s *standing) checkoutOf(n memory.Note) string {
	if n.Project == s.project.ID && s.place.Dir != "" {
		return s.place.Checkout
	}
	return n.Checkout
}

// look compares a note's files with the checkout.
func (a *archive) look(ctx context.Context, s *standing, n memory.Note) []memory.State {
	if len(n.Files) == 0 || s.checkoutOf(n) == "" {
		return nil
	}
	return a.sources.Look(ctx, n.Files, s.checkoutOf(n))
}

// recall finds notes.
func (a *archive) recall(ctx context.Context, _ caller, r wire.Recall) (wire.Recalled, error) {
	s, err := a.stand(ctx, r.Place, false)
	if err != nil {
		return wire.Recalled{}, err
	}
	a.visit(s)
	q := memory.Query{Text: r.Query, Project: s.project.ID, Checkout: s.place.Checkout, Only: r.Only, All: r.All, N: r.N}
	if r.Only {
		if err := s.needed(); err != nil {
			return wire.Recalled{}, err
		}
	}
	if q.Kinds, err = parseKinds(r.Kinds); err != nil {
		return wire.Recalled{}, err
	}
	if q.Since, err = parseTime(r.Since); err != nil {
		return wire.Recalled{}, err
	}
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	looked := map[memory.ID][]memory.State{}
	q.Fresh = func(n memory.Note) (string, float64) {
		looked[n.ID] = a.look(limited, &s, n)
		word, factor := memory.Sum(looked[n.ID])
		return string(word), factor
	}
	got, err := s.store.Search(ctx, q)
	if err != nil {
		return wire.Recalled{}, memoryError(err)
	}
	out := wire.Recalled{Hits: []wire.Hit{}, Searched: got.Searched, Words: got.Words, Literal: got.Literal, Scan: got.Scan,
		Project: s.project.Name, Notices: s.notices}
	for _, h := range got.Hits {
		out.Hits = append(out.Hits, wireHit(h, looked[h.ID]))
	}
	return out, nil
}

func parseKinds(words []string) (kinds []memory.Kind, err error) {
	for _, w := range words {
		k, err := memory.ParseKind(w)
		if err != nil {
			return nil, memoryError(err)
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, invalid("not a time: %s", cleanText(s, maxLabel))
	}
	return t, nil
}

// remember stores a fact, a discovery or a decision.
func (a *archive) remember(ctx context.Context, c caller, r wire.Remember) (wire.Remembered, error) {
	kind, err := memory.ParseKind(cmp.Or(r.Kind, string(memory.Fact)))
	if err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	if strings.TrimSpace(r.Title+r.Text) == "" {
		return wire.Remembered{}, memoryError(memory.ErrEmpty)
	}
	op := memory.ID("")
	if r.Op != "" {
		if op, err = memory.ParseID(r.Op); err != nil {
			return wire.Remembered{}, memoryError(err)
		}
	}
	s, err := a.stand(ctx, r.Place, true)
	if err != nil {
		return wire.Remembered{}, err
	}
	files, err := a.cite(ctx, &s, r.Files)
	if err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	d := draft(s, r, a.who(ctx, c))
	d.Kind, d.Files, d.Op = kind, files, op
	n, v, err := s.store.Remember(ctx, d)
	if err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	a.touch(s)
	return a.remembered(ctx, &s, n, v)
}

// draft is a request's note, without kind and files, which have to be looked at.
func draft(s standing, r wire.Remember, by memory.Author) memory.Draft {
	return memory.Draft{Project: s.project.ID, Type: r.Type, Title: r.Title, Text: r.Text, Reason: r.Reason, Tags: r.Tags, Author: by,
		Checkout: s.place.Checkout, Branch: s.place.Branch}
}

// remembered tells of a note that was written.
func (a *archive) remembered(ctx context.Context, s *standing, n memory.Note, v memory.Verdict) (wire.Remembered, error) {
	all, err := namesOf(s.store)
	if err != nil {
		return wire.Remembered{}, err
	}
	out := wire.Remembered{Note: wireNote(n, all[n.Project], a.look(ctx, s, n)), Known: v.Known, Cut: v.Cut, Redacted: v.Redacted,
		Notices: s.notices}
	for _, o := range v.Similar {
		out.Similar = append(out.Similar, wire.SimilarNote{ID: string(o.ID), Short: o.Short, Head: o.Head, Score: o.Score})
	}
	return out, nil
}

// cite makes sources of the files that somebody named, as they are at this moment.
func (a *archive) cite(ctx context.Context, s *standing, files []string) ([]memory.Source, error) {
	var out []memory.Source
	for _, f := range files {
		if s.place.Dir == "" {
			return nil, invalid("can't cite file: %s: it is in no checkout of project %s", cleanText(f, maxText), cleanText(s.project.Name, maxLabel))
		}
		src, err := memory.ParseSource(f, s.place.Dir, s.place.Checkout)
		if err != nil {
			return nil, err
		}
		src.Commit = s.place.Commit
		if src, err = a.sources.Cite(ctx, src, s.place.Checkout); err != nil {
			return nil, err
		}
		out = append(out, src)
	}
	return out, nil
}

// listNotes lists a project's notes.
func (a *archive) listNotes(ctx context.Context, _ caller, r wire.ListNotes) ([]wire.Note, error) {
	s, err := a.stand(ctx, r.Place, false)
	if err != nil {
		return nil, err
	}
	a.visit(s)
	kinds, err := parseKinds(r.Kinds)
	if err != nil {
		return nil, err
	}
	if err := s.needed(); err != nil {
		return nil, err
	}
	list, err := s.store.Notes(memory.Listing{Project: s.project.ID, Kinds: kinds, Live: !r.All, N: max(r.N, 0)})
	if err != nil {
		return nil, memoryError(err)
	}
	return a.lookAll(ctx, &s, list), nil
}

// lookAll tells of notes of the standing's project, with how their files stand.
func (a *archive) lookAll(ctx context.Context, s *standing, list []memory.Note) []wire.Note {
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	out := []wire.Note{}
	for _, n := range list {
		out = append(out, wireNote(n, s.project.Name, a.look(limited, s, n)))
	}
	return out
}

// findNote tells of one note.
func (a *archive) findNote(ctx context.Context, _ caller, r wire.FindNote) (wire.Note, error) {
	s, n, err := a.note(ctx, r.Place, r.ID)
	if err != nil {
		return wire.Note{}, err
	}
	all, err := namesOf(s.store)
	if err != nil {
		return wire.Note{}, err
	}
	return wireNote(n, all[n.Project], a.look(ctx, &s, n)), nil
}

// note finds a note of any project.
func (a *archive) note(ctx context.Context, p wire.Place, id string) (standing, memory.Note, error) {
	s, err := a.stand(ctx, p, false)
	if err != nil {
		return s, memory.Note{}, err
	}
	if strings.TrimSpace(id) == "" {
		return s, memory.Note{}, invalid("the id of a note is missing")
	}
	n, err := s.store.Note(id)
	return s, n, memoryError(err)
}

// verify records what somebody concluded about a note. That it holds is said of its
// files as they are at this moment, which makes it fresh again.
func (a *archive) verify(ctx context.Context, c caller, r wire.VerifyNote) (wire.Remembered, error) {
	status, err := memory.ParseStatus(cmp.Or(r.Status, string(memory.Verified)))
	if err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	s, n, err := a.note(ctx, r.Place, r.ID)
	if err != nil {
		return wire.Remembered{}, err
	}
	var files []memory.Source
	if status == memory.Verified || status == memory.Reviewed {
		files = a.citeAgain(ctx, &s, n)
	}
	if n, err = s.store.Verify(ctx, n.ID, status, s.place.Commit, files, a.who(ctx, c)); err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	a.touchNote(s, n)
	return a.remembered(ctx, &s, n, memory.Verdict{})
}

// citeAgain are a note's sources as they stand: what moved is cited where it is,
// and what is missing no more. nil leaves them as they were.
func (a *archive) citeAgain(ctx context.Context, s *standing, n memory.Note) []memory.Source {
	checkout := s.checkoutOf(n)
	if len(n.Files) == 0 || checkout == "" {
		return nil
	}
	out := []memory.Source{}
	states := a.sources.Look(ctx, n.Files, checkout)
	for _, src := range n.Files {
		for _, st := range states {
			if st.Source.Path != src.Path || st.Source.Lines != src.Lines || st.Now == "" {
				continue
			}
			if at, err := memory.ParseSource(st.Now, checkout, checkout); err == nil {
				src.Path, src.Lines = at.Path, at.Lines
			}
		}
		if s.place.Checkout == checkout {
			src.Commit = s.place.Commit
		}
		again, err := a.sources.Cite(ctx, memory.Source{Path: src.Path, Lines: src.Lines, Commit: src.Commit}, checkout)
		if errors.Is(err, memory.ErrSource) && src.Lines != "" { // the file is shorter than it was
			again, err = a.sources.Cite(ctx, memory.Source{Path: src.Path, Commit: src.Commit}, checkout)
		}
		if err == nil {
			out = append(out, again)
		} else {
			s.notices = append(s.notices, "cited no more: "+cleanText(src.Path, maxText))
		}
	}
	return out
}

// supersede puts a newer note in the place of an older one.
func (a *archive) supersede(ctx context.Context, c caller, r wire.SupersedeNote) (wire.Remembered, error) {
	s, old, err := a.note(ctx, r.Place, r.ID)
	if err != nil {
		return wire.Remembered{}, err
	}
	by, err := s.store.Note(r.By)
	if err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	if old, err = s.store.Supersede(ctx, old.ID, by.ID, a.who(ctx, c)); err != nil {
		return wire.Remembered{}, memoryError(err)
	}
	a.touchNote(s, old)
	return a.remembered(ctx, &s, old, memory.Verdict{})
}
