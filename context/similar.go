package memory

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	bleve "github.com/blevesearch/bleve_index_api"
	bolt "go.etcd.io/bbolt"
)

const (
	rarest      = 12  // words by which a note that says nearly the same is looked for
	nearEnough  = 0.6 // share of common words from which notes are named as similar
	mostSimilar = 3
)

// similar are the notes of the same project that say nearly the same as n. They are
// named, never merged: two notes that differ in a number or a name say different things.
// It waits for nothing: what was written a moment ago may be missing.
func (s *Store) similar(n Note) []Similar {
	mine := wordSet(n)
	var found []candidate
	ok, err := s.index.peek(func(x *index) error {
		return x.read(func(r bleve.IndexReader) error {
			terms, err := rareTerms(r, mine)
			if err != nil {
				return err
			}
			var f filter
			if err := f.only(r, fieldProject, string(n.Project)); err != nil {
				return err
			}
			all, err := rank(r, terms, f)
			if err != nil {
				return err
			}
			found = best(all, 5, func(candidate) bool { return true })
			for i := range found {
				id, err := r.ExternalID(bleve.NewIndexInternalID(nil, uint64(found[i].doc)))
				if err != nil {
					return err
				}
				found[i].id = ID(id)
			}
			return nil
		})
	})
	if !ok || err != nil {
		return nil
	}
	var out []Similar
	_ = s.view(func(tx *bolt.Tx) error {
		for _, c := range found {
			o, err := noteOf(tx, c.id)
			if err != nil || !o.Live() || wording(o) == wording(n) {
				continue
			}
			if share := overlap(mine, wordSet(o)); share >= nearEnough {
				s.scrub(record{Note: &o})
				out = append(out, Similar{ID: o.ID, Short: o.Short, Head: o.Head(), Score: round(share)})
			}
		}
		return nil
	})
	slices.SortFunc(out, func(a, b Similar) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), mostSimilar)]
}

// wordSet is the set of words of a note; what is a number or a name is marked by true.
func wordSet(n Note) map[string]bool {
	set := map[string]bool{}
	text := n.Title + "\n" + n.Text + "\n" + n.Reason
	for _, t := range tokens(text) {
		set[t.term] = set[t.term] || exact(text[t.start:t.end])
	}
	return set
}

// exact reports whether a word is a number or a name of code, which makes another statement when it differs.
func exact(word string) bool {
	for i, r := range word {
		if unicode.IsDigit(r) || i > 0 && unicode.IsUpper(r) || strings.ContainsRune("_/.", r) {
			return true
		}
	}
	return false
}

// overlap is the share of words two notes have in common, 0 where they differ in a number or a name.
func overlap(a, b map[string]bool) float64 {
	common := 0
	for t, name := range a {
		_, in := b[t]
		if in {
			common++
		} else if name {
			return 0
		}
	}
	for t, name := range b {
		if _, in := a[t]; !in && name {
			return 0
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// rareTerms are the words of a note that fewest others have.
func rareTerms(r bleve.IndexReader, set map[string]bool) ([]clause, error) {
	type term struct {
		text  string
		count uint64
	}
	var list []term
	for t := range set {
		n, err := frequency(r, t)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			list = append(list, term{t, n})
		}
	}
	slices.SortFunc(list, func(a, b term) int { return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.text, b.text)) })
	var out []clause
	for _, t := range list[:min(len(list), rarest)] {
		out = append(out, clause{forms: []form{{t.text, 1}}, weight: 1})
	}
	return out, nil
}
