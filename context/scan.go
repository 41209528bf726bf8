package memory

import (
	"context"
	"encoding/json"
	"math/bits"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// eachNote calls f with every note until it returns false. It reads in short
// transactions, so that a slow reader holds nobody up.
func (s *Store) eachNote(f func(Note) bool) error {
	var last []byte
	for {
		var notes []Note
		err := s.view(func(tx *bolt.Tx) error {
			c := tx.Bucket(bucketItems).Cursor()
			k, v := c.Seek(last)
			for ; k != nil && len(notes) < 1000; k, v = c.Next() {
				var n Note
				if json.Unmarshal(v, &n) == nil && n.ID == ID(k) {
					notes = append(notes, n)
				}
				last = append(append(last[:0:0], k...), 0)
			}
			return nil
		})
		if err != nil || len(notes) == 0 {
			return err
		}
		for _, n := range notes {
			if !f(n) {
				return nil
			}
		}
	}
}

// scan finds the best by words without the index: which of the words each note has anywhere,
// counted and weighed as the index would.
func (s *Store) scan(ctx context.Context, a *asked) ([]candidate, int, error) {
	type row struct {
		id   ID
		own  bool
		has  uint64
		head uint64 // in the title
	}
	var rows []row
	var counts [maxWords]float64
	searched := 0
	err := s.eachNote(func(n Note) bool {
		if !a.sees(n) {
			return true
		}
		searched++
		all, head := strings.ToLower(searchable(n)), strings.ToLower(n.Title)
		r := row{id: n.ID, own: n.Project == a.Project}
		for i, t := range a.list {
			if beginsWord(all, t.term) {
				r.has |= 1 << i
				counts[i]++
				if strings.Contains(head, t.term) {
					r.head |= 1 << i
				}
			}
		}
		if r.has != 0 {
			rows = append(rows, r)
		}
		return ctx.Err() == nil
	})
	if err != nil || ctx.Err() != nil {
		return nil, 0, firstError(err, ctx.Err())
	}
	own := map[ID]bool{}
	list := make([]candidate, len(rows))
	for i, r := range rows {
		list[i] = candidate{id: r.id}
		for j := range a.list {
			if r.has&(1<<j) != 0 {
				list[i].score += idf(counts[j], float64(searched))
			}
			if r.head&(1<<j) != 0 {
				list[i].score += ranks.title * idf(counts[j], float64(searched))
			}
		}
		list[i].score *= covered(float64(bits.OnesCount64(r.has)), float64(len(a.list)))
		own[r.id] = r.own
	}
	size := max(pool, a.N)
	out := best(list, size, func(candidate) bool { return true })
	taken := map[ID]bool{}
	for _, c := range out {
		taken[c.id] = true
	}
	for _, c := range best(list, size, func(c candidate) bool { return own[c.id] }) {
		if !taken[c.id] {
			out = append(out, c)
		}
	}
	return out, searched, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// beginsWord reports whether a word of text begins with term.
func beginsWord(text, term string) bool {
	for i := 0; ; {
		j := strings.Index(text[i:], term)
		if j < 0 {
			return false
		}
		i += j
		if i == 0 || !wordRune(rune(text[i-1])) || len(term) >= 5 {
			return true
		}
		i += len(term)
	}
}
