package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	bleve "github.com/blevesearch/bleve_index_api"
)

// weights of the ranking by words.
type weights struct {
	title      float64 // of a word in the title, beside being in the note
	saturation float64 // k1 of BM25: how soon a repeated word adds nothing
	length     float64 // b of BM25: how much a long note counts as diluted
	usual      float64 // tokens of a note that is neither long nor short
	coverage   float64 // exponent of the share of the query's words that a note has
}

var ranks = weights{title: 0.25, saturation: 1.1, length: 0.7, usual: 60, coverage: 1}

// candidate is a note that has words of a query: by its number in the index,
// or by its id where it was found without one.
type candidate struct {
	doc   int
	id    ID
	score float64
}

// ranking collects the scores of all notes that have a word of the query,
// by their number in the index.
type ranking struct {
	r     bleve.IndexReader
	notes float64
	total float64 // weight of the clauses a note should have
	turn  int32
	cells []cell
	docs  []int
}

// cell is what is known of one note.
type cell struct {
	score float32
	found float32 // weight of the clauses it has
	best  float32 // of the forms of the clause that is being added
	turn  int32   // the clause best belongs to
}

// rank scores all notes that have a word of the query and that pass the filter.
func rank(r bleve.IndexReader, list []clause, f filter) ([]candidate, error) {
	n, err := r.DocCount()
	if err != nil {
		return nil, err
	}
	k := &ranking{r: r, notes: float64(n)}
	for _, c := range list {
		if err := k.add(c); err != nil {
			return nil, err
		}
	}
	out := make([]candidate, 0, len(k.docs))
	for _, doc := range k.docs {
		if c := k.cells[doc]; f.has(doc) {
			out = append(out, candidate{doc: doc, score: float64(c.score) * covered(float64(c.found), k.total)})
		}
	}
	return out, nil
}

// covered is the factor for having found of total.
func covered(found, total float64) float64 {
	if total == 0 {
		return 1
	}
	// A note that has nothing but a bonus still counts a little.
	return math.Pow(max(found/total, 0.1), ranks.coverage)
}

// idf is what a term is worth that count of notes have.
func idf(count, notes float64) float64 {
	return math.Log(1 + (max(notes-count, 0)+0.5)/(count+0.5))
}

// add scores one clause. Of its forms the best counts for each note.
func (k *ranking) add(c clause) error {
	if !c.extra {
		k.total += c.weight
	}
	k.turn++
	var touched []int
	for _, f := range c.forms {
		worth := c.weight * f.worth
		var rare float64
		err := postings(k.r, fieldAll, f.term, true, func(count, doc int, freq, length float64) {
			if doc >= len(k.cells) {
				k.cells = append(k.cells, make([]cell, max(doc+1, 2*len(k.cells), 1024)-len(k.cells))...)
			}
			cell := &k.cells[doc]
			if cell.turn == 0 {
				k.docs = append(k.docs, doc)
			}
			if cell.turn != k.turn {
				cell.turn, cell.best = k.turn, 0
				touched = append(touched, doc)
			}
			rare = idf(float64(count), k.notes)
			tf := freq * (ranks.saturation + 1) / (freq + ranks.saturation*(1-ranks.length+ranks.length*length/ranks.usual))
			cell.best = max(cell.best, float32(worth*rare*tf))
		})
		if err != nil {
			return err
		}
		err = postings(k.r, fieldTitle, f.term, false, func(_, doc int, _, _ float64) {
			if doc < len(k.cells) {
				k.cells[doc].score += float32(ranks.title * worth * rare)
			}
		})
		if err != nil {
			return err
		}
	}
	for _, doc := range touched {
		cell := &k.cells[doc]
		cell.score += cell.best
		if !c.extra {
			cell.found += float32(c.weight)
		}
	}
	return nil
}

// postings calls f with each note that has a term: how many there are, the
// note's number, and with detail how often it has it and its length in tokens.
func postings(r bleve.IndexReader, field, term string, detail bool, f func(count, doc int, freq, length float64)) error {
	p, err := r.TermFieldReader(context.Background(), []byte(term), field, detail, detail, false)
	if err != nil {
		return err
	}
	defer p.Close()
	count := int(p.Count())
	var d bleve.TermFieldDoc
	for {
		next, err := p.Next(&d)
		if err != nil || next == nil {
			return err
		}
		length := 0.0
		if d.Norm > 0 {
			length = 1 / (d.Norm * d.Norm)
		}
		f(count, int(binary.BigEndian.Uint64(d.ID)), float64(d.Freq), length)
	}
}

// frequency is how many notes have a term.
func frequency(r bleve.IndexReader, term string) (uint64, error) {
	p, err := r.TermFieldReader(context.Background(), []byte(term), fieldAll, false, false, false)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	return p.Count(), nil
}

// best are the n candidates with the highest scores that keep lets through, the highest first.
func best(list []candidate, n int, keep func(candidate) bool) []candidate {
	var out []candidate
	less := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc), cmp.Compare(a.id, b.id))
	}
	for _, c := range list {
		if len(out) == n && less(c, out[n-1]) >= 0 || !keep(c) {
			continue
		}
		i, _ := slices.BinarySearchFunc(out, c, less)
		out = slices.Insert(out, i, c)
		if len(out) > n {
			out = out[:n]
		}
	}
	return out
}

// filter says which notes of the index a search may see.
type filter struct {
	allow []bool // nil: all
	deny  []bool
}

func (f filter) has(doc int) bool {
	return (f.allow == nil || doc < len(f.allow) && f.allow[doc]) && (doc >= len(f.deny) || !f.deny[doc])
}

// only narrows the filter to the notes that have one of these values.
func (f *filter) only(r bleve.IndexReader, field string, values ...string) error {
	set, err := marked(r, field, values)
	if err != nil {
		return err
	}
	if f.allow != nil {
		for i := range set {
			set[i] = set[i] && i < len(f.allow) && f.allow[i]
		}
	}
	f.allow = set
	return nil
}

// without takes the notes out that have one of these values.
func (f *filter) without(r bleve.IndexReader, field string, values ...string) error {
	set, err := marked(r, field, values)
	if err != nil {
		return err
	}
	for i, in := range f.deny {
		if in && i < len(set) {
			set[i] = true
		} else if in {
			set = append(set, make([]bool, i+1-len(set))...)
			set[i] = true
		}
	}
	f.deny = set
	return nil
}

// count is how many of all notes pass.
func (f filter) count(all int) int {
	n := 0
	if f.allow == nil {
		for _, d := range f.deny {
			if d {
				n++
			}
		}
		return all - n
	}
	for i := range f.allow {
		if f.has(i) {
			n++
		}
	}
	return n
}

func marked(r bleve.IndexReader, field string, values []string) ([]bool, error) {
	set := []bool{}
	for _, v := range values {
		err := postings(r, field, v, false, func(_, doc int, _, _ float64) {
			if doc >= len(set) {
				set = append(set, make([]bool, max(doc+1, 2*len(set))-len(set))...)
			}
			set[doc] = true
		})
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}
