package memory

import (
	"slices"
	"strings"

	bleve "github.com/blevesearch/bleve_index_api"
)

// clause is one thing a query looks for: a term, or what may have been meant by it.
type clause struct {
	forms  []form
	weight float64
	extra  bool // a bonus: a note is not worse for lacking it
}

// form is a term of the index and how much of the clause's worth it has.
type form struct {
	term  string
	worth float64
}

const (
	guessWorth  = 0.6 // of a word that is not in the index, for those that resemble it
	joinedWorth = 0.7 // of two words written as one
	minGuess    = 4   // letters of a word that is guessed at
	twoEdits    = 8   // letters of a word that may have two slips
	maxGuesses  = 12
)

// words are the tokens of a query, each once, in its order.
func words(text string) []lexeme {
	var out []lexeme
	for _, t := range tokens(text) {
		if !slices.ContainsFunc(out, func(o lexeme) bool { return o.term == t.term }) {
			out = append(out, t)
		}
	}
	return out[:min(len(out), maxWords)]
}

// maxWords is how many terms of a query count.
const maxWords = 64

// clauses looks the words of a query up: what the index knows is looked for as
// it is, and only for what it does not know words are guessed, by their
// beginning or by slips of the finger. Two neighbours also count where they are written as one.
func clauses(r bleve.IndexReader, list []lexeme) ([]clause, error) {
	var out []clause
	before, last := lexeme{}, -1 // the plain word before, and its clause
	for _, t := range list {
		term, err := knownForm(r, t)
		if err != nil {
			return nil, err
		}
		c := clause{weight: 1, extra: t.whole}
		if term != "" {
			c.forms = []form{{term, 1}}
		} else if t.whole {
			continue
		} else if c.forms, err = guesses(r, t.word); err != nil {
			return nil, err
		}
		out = append(out, c)
		if t.whole {
			continue
		}
		here := len(out) - 1
		if last >= 0 && before.end < t.start {
			forms, err := joined(r, before.word+t.word)
			if err != nil {
				return nil, err
			}
			out[last].forms = append(out[last].forms, forms...)
			out[here].forms = append(out[here].forms, forms...)
		}
		before, last = t, here
	}
	return out, nil
}

// knownForm is the form of a word that the index knows, if it knows one: its
// stem, or as it was typed, as the whole of a name is kept (maxIdleConns).
func knownForm(r bleve.IndexReader, t lexeme) (string, error) {
	for _, term := range []string{t.term, t.word} {
		if term == "" {
			continue
		}
		if n, err := frequency(r, term); err != nil || n > 0 {
			return term, err
		}
	}
	return "", nil
}

// joined are the forms of two words written as one that the index has.
func joined(r bleve.IndexReader, word string) (out []form, err error) {
	if len(word) < minGuess {
		return nil, nil
	}
	for _, term := range slices.Compact([]string{stem(word), word}) {
		n, err := frequency(r, term)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			out = append(out, form{term, joinedWorth})
		}
	}
	return out, nil
}

// guesses are the stems of words of the index that a word may have been meant to be.
func guesses(r bleve.IndexReader, word string) ([]form, error) {
	if len(word) < minGuess {
		return nil, nil
	}
	type guess struct {
		stem  string
		count uint64
	}
	var list []guess
	take := func(d bleve.FieldDict, err error) error {
		if err != nil {
			return err
		}
		defer d.Close()
		for n := 0; n < 500; n++ {
			e, err := d.Next()
			if err != nil || e == nil {
				return err
			}
			list = append(list, guess{stem(e.Term), e.Count})
		}
		return nil
	}
	if err := take(r.FieldDictPrefix(fieldWord, []byte(word))); err != nil {
		return nil, err
	}
	if fuzzy, ok := r.(bleve.IndexReaderFuzzy); ok && len(word) > minGuess {
		edits := 1
		if len(word) >= twoEdits {
			edits = 2
		}
		if err := take(fuzzy.FieldDictFuzzy(fieldWord, word, edits, word[:1])); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b guess) int { return int(b.count) - int(a.count) })
	var out []form
	for _, g := range list {
		if len(out) < maxGuesses && !slices.ContainsFunc(out, func(f form) bool { return f.term == g.stem }) {
			out = append(out, form{g.stem, guessWorth})
		}
	}
	return out, nil
}

// plain are the words of a query as a person reads them.
func plain(list []lexeme) []string {
	var out []string
	for _, t := range list {
		w := t.word
		if t.whole {
			w = t.term
		}
		bare := t.whole && !strings.ContainsAny(w, glue)
		if !bare && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
