package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	bleve "github.com/blevesearch/bleve_index_api"
	bolt "go.etcd.io/bbolt"
)

const (
	usualHits = 10
	maxHits   = 1000
	// pool is how many of the best by words are weighed by project, age and
	// state: so many of all, and so many of the asker's project.
	pool = 50
)

// Factors on what the words are worth.
const (
	sameProject    = 1.5
	relatedProject = 1.2
	recency        = 0.1 // at most, halved every 30 days
	phrase         = 0.3 // at most, for words that stand side by side as in the query
	verified       = 1.05
	maxFactor      = sameProject * (1 + recency) * (1 + phrase) * verified
)

// asked is a query and what it needs of the store.
type asked struct {
	Query
	list    []lexeme
	related map[ID]bool
	hidden  map[ID]bool // private projects of others
	names   map[ID]string
	now     time.Time
}

// Search finds the notes that answer a query best. It sees everything that was written before it was called.
func (s *Store) Search(ctx context.Context, q Query) (Result, error) {
	a, err := s.ask(q)
	if err != nil {
		return Result{}, err
	}
	if len(a.list) == 0 {
		return s.literal(a)
	}
	res := Result{Words: plain(a.list)}
	var found []candidate
	ok, err := s.index.use(ctx, func(x *index) error {
		return x.read(func(r bleve.IndexReader) (err error) {
			found, res.Searched, err = a.lookUp(r)
			return err
		})
	})
	if err != nil && ctx.Err() != nil {
		return Result{}, err
	}
	if err != nil {
		s.opt.Log.Error("the index failed a search", "err", err)
		notify(s.index.rebuild)
	}
	if err != nil || !ok {
		res.Scan = true
		if found, res.Searched, err = s.scan(ctx, a); err != nil {
			return Result{}, err
		}
	}
	res.Hits, err = s.weigh(a, found)
	return res, err
}

// ask readies a query.
func (s *Store) ask(q Query) (*asked, error) {
	if q.N <= 0 {
		q.N = usualHits
	}
	q.N = min(q.N, maxHits)
	q.Text = clean(q.Text)
	if len(q.Text) > MaxText {
		q.Text = strings.ToValidUTF8(q.Text[:MaxText], "")
	}
	a := &asked{Query: q, list: words(q.Text), related: map[ID]bool{}, hidden: map[ID]bool{}, names: map[ID]string{}, now: s.now()}
	err := s.view(func(tx *bolt.Tx) error {
		if q.Project != "" {
			if _, err := projectOf(tx, q.Project); err != nil {
				return err
			}
			rel, err := relationsOf(tx, q.Project)
			if err != nil {
				return err
			}
			for _, r := range rel {
				a.related[r.Project], a.related[r.Other] = true, true
			}
		}
		return each(tx.Bucket(bucketProjects), nil, false, func(p Project) bool {
			a.names[p.ID] = p.Name
			if p.Private && p.ID != q.Project {
				a.hidden[p.ID] = true
			}
			return true
		})
	})
	return a, err
}

// sees reports whether a note may be in the answer.
func (a *asked) sees(n Note) bool {
	return (a.All || !n.leftOut()) && !a.hidden[n.Project] && (!a.Only || n.Project == a.Project) &&
		(len(a.Kinds) == 0 || slices.Contains(a.Kinds, n.Kind)) && !n.Updated.Before(a.Since)
}

// lookUp finds the best by words: of all notes, and of those of the asker's project.
func (a *asked) lookUp(r bleve.IndexReader) ([]candidate, int, error) {
	f, err := a.filter(r)
	if err != nil {
		return nil, 0, err
	}
	n, err := r.DocCount()
	if err != nil {
		return nil, 0, err
	}
	list, err := clauses(r, a.list)
	if err != nil {
		return nil, 0, err
	}
	all, err := rank(r, list, f)
	if err != nil {
		return nil, 0, err
	}
	size := max(pool, a.N)
	out := best(all, size, func(candidate) bool { return true })
	if a.Project != "" && !a.Only {
		own, err := marked(r, fieldProject, []string{string(a.Project)})
		if err != nil {
			return nil, 0, err
		}
		for _, c := range best(all, size, func(c candidate) bool { return c.doc < len(own) && own[c.doc] }) {
			if !slices.ContainsFunc(out, func(o candidate) bool { return o.doc == c.doc }) {
				out = append(out, c)
			}
		}
	}
	for i := range out {
		id, err := r.ExternalID(bleve.IndexInternalID(binary.BigEndian.AppendUint64(nil, uint64(out[i].doc))))
		if err != nil {
			return nil, 0, err
		}
		out[i].id = ID(id)
	}
	return out, f.count(int(n)), nil
}

func (a *asked) filter(r bleve.IndexReader) (f filter, err error) {
	if a.Only {
		err = f.only(r, fieldProject, string(a.Project))
	}
	if err == nil && len(a.Kinds) > 0 {
		var kinds []string
		for _, k := range a.Kinds {
			kinds = append(kinds, string(k))
		}
		err = f.only(r, fieldKind, kinds...)
	}
	if err == nil && !a.Since.IsZero() {
		var days []string
		if days, err = daysSince(r, a.Since); err == nil {
			err = f.only(r, fieldDay, days...)
		}
	}
	if err == nil && !a.All {
		err = f.without(r, fieldDead, "y")
	}
	var hidden []string
	for id := range a.hidden {
		hidden = append(hidden, string(id))
	}
	if err == nil && len(hidden) > 0 {
		err = f.without(r, fieldProject, hidden...)
	}
	return f, err
}

// daysSince are the days of the index that are not before t.
func daysSince(r bleve.IndexReader, t time.Time) (out []string, err error) {
	d, err := r.FieldDictRange(fieldDay, []byte(t.UTC().Format(dayFormat)), []byte("99999999"))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for {
		e, err := d.Next()
		if err != nil || e == nil {
			return out, err
		}
		out = append(out, e.Term)
	}
}

// weigh loads the candidates and sorts them by what they are worth to who asks.
func (s *Store) weigh(a *asked, found []candidate) ([]Hit, error) {
	hits := []Hit{}
	keep := a.N
	if a.Fresh != nil {
		keep = 3 * a.N
	}
	slices.SortFunc(found, func(x, y candidate) int { return cmp.Compare(y.score, x.score) })
	var scores []float64 // of the best so far, the lowest first
	err := s.view(func(tx *bolt.Tx) error {
		for _, c := range found {
			if len(scores) == keep && c.score*maxFactor < scores[0] {
				break // neither this nor what follows can be among them
			}
			// What is gone since the index was asked is no hit.
			if n, err := noteOf(tx, c.id); err == nil && a.sees(n) {
				h := a.hit(n, c.score)
				hits = append(hits, h)
				i, _ := slices.BinarySearch(scores, h.Score)
				scores = slices.Insert(scores, i, h.Score)
				scores = scores[max(0, len(scores)-keep):]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	order := func(x, y Hit) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(y.ID, x.ID)) }
	slices.SortFunc(hits, order)
	if a.Fresh != nil {
		hits = hits[:min(len(hits), keep)]
		for i := range hits {
			h := &hits[i]
			h.Freshness, h.Why.Fresh = a.Fresh(h.Note)
			h.Score *= h.Why.Fresh
		}
		slices.SortFunc(hits, order)
	}
	hits = hits[:min(len(hits), a.N)]
	for i := range hits {
		h := &hits[i]
		s.scrub(record{Note: &h.Note})
		h.Snippet, h.Why.Words = snippet(h.Note, a.list)
		h.Score = round(h.Score)
	}
	return hits, nil
}

func round(f float64) float64 { return math.Round(f*1000) / 1000 }

// hit weighs one note.
func (a *asked) hit(n Note, text float64) Hit {
	w := Why{Project: 1, Status: statusFactor(n), Fresh: 1}
	w.Text = round(text * (1 + phrase*sideBySide(n, a.list)))
	switch {
	case a.Project != "" && n.Project == a.Project:
		w.Project = sameProject
	case a.related[n.Project]:
		w.Project = relatedProject
	}
	days := max(a.now.Sub(n.Updated).Hours()/24, 0)
	w.Recency = round(1 + recency*math.Exp2(-days/30))
	return Hit{Note: n, ProjectName: a.names[n.Project], Why: w, Score: w.Text * w.Project * w.Recency * w.Status}
}

func statusFactor(n Note) float64 {
	switch {
	case n.SupersededBy != "":
		return 0.7
	case n.Status == Invalidated:
		return 0.85
	case n.Status == Stale:
		return 0.9
	case n.Status == Verified:
		return verified
	case n.Status == Reviewed:
		return 1.02
	}
	return 1
}

// sideBySide is the share of the query's neighbouring words that are neighbours in the note.
func sideBySide(n Note, list []lexeme) float64 {
	var text string
	pairs, have := 0, 0
	var before lexeme
	for _, t := range list {
		if t.whole {
			continue
		}
		if before.term != "" {
			if pairs++; text == "" {
				text = strings.ToLower(n.Title + "\n" + n.Text + "\n" + n.Reason)
			}
			if neighbours(text, before.term, t.term) {
				have++
			}
		}
		before = t
	}
	if pairs == 0 {
		return 0
	}
	return float64(have) / float64(pairs)
}

// neighbours reports whether a word that begins with b follows one that begins
// with a, at most a stop word and some signs apart.
func neighbours(text, a, b string) bool {
	for i := 0; ; {
		j := strings.Index(text[i:], a)
		if j < 0 {
			return false
		}
		i += j + len(a)
		rest := strings.TrimLeftFunc(text[i:min(len(text), i+40+len(b))], wordRune)
		gap := strings.TrimLeftFunc(rest, func(r rune) bool { return !wordRune(r) })
		if len(rest)-len(gap) <= 3 && strings.HasPrefix(gap, b) {
			return true
		}
	}
}

// literal looks for a query that has no word in it as it stands.
func (s *Store) literal(a *asked) (Result, error) {
	text := strings.Join(strings.Fields(a.Text), " ")
	if text == "" {
		return Result{}, fmt.Errorf("%w: a query needs a word", ErrInvalid)
	}
	res := Result{Words: []string{text}, Literal: true, Hits: []Hit{}}
	err := s.eachNote(func(n Note) bool {
		if !a.sees(n) {
			return true
		}
		res.Searched++
		if strings.Contains(strings.ToLower(searchable(n)), strings.ToLower(text)) {
			h := a.hit(n, 1)
			h.Why.Words = []string{text}
			res.Hits = append(res.Hits, h)
		}
		return true
	})
	slices.SortFunc(res.Hits, func(x, y Hit) int { return cmp.Or(cmp.Compare(y.Score, x.Score), y.Updated.Compare(x.Updated)) })
	res.Hits = res.Hits[:min(len(res.Hits), a.N)]
	for i := range res.Hits {
		h := &res.Hits[i]
		s.scrub(record{Note: &h.Note})
		all, marks := searchable(h.Note), [][2]int(nil)
		if m, ok := indexFold(all, text); ok {
			marks = [][2]int{m}
		}
		h.Snippet = window(all, marks)
	}
	return res, err
}

// indexFold is where a text has another in letters of any case. Those of another case can
// take more or fewer bytes, so places are counted in the text as it is.
func indexFold(text, other string) (m [2]int, ok bool) {
	var low strings.Builder
	at := make([]int, 0, len(text)+1) // of each byte of low, where its letter is in text
	for i, r := range text {
		n, _ := low.WriteRune(unicode.ToLower(r))
		for range n {
			at = append(at, i)
		}
	}
	at = append(at, len(text))
	other = strings.ToLower(other)
	i := strings.Index(low.String(), other)
	if i < 0 {
		return m, false
	}
	return [2]int{at[i], at[i+len(other)]}, true
}
