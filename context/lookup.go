package memory

import (
	"maps"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// noteOf loads a note.
func noteOf(tx *bolt.Tx, id ID) (Note, error) {
	n, found, err := get[Note](tx.Bucket(bucketItems), []byte(id))
	if err != nil {
		return Note{}, err
	}
	if !found {
		return Note{}, &LookupError{Err: ErrNotFound, What: "note", Name: string(id)}
	}
	return n, nil
}

// Note finds a note by its id, its short id, the beginning of either, or the
// id it had elsewhere.
func (s *Store) Note(id string) (n Note, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		key, err := findNote(tx, strings.TrimSpace(id))
		if err != nil {
			return err
		}
		n, err = noteOf(tx, key)
		return err
	})
	s.scrub(record{Note: &n})
	return n, err
}

// maxNear is how many ids an error names.
const maxNear = 5

func findNote(tx *bolt.Tx, name string) (ID, error) {
	typed := typedID(name)
	if id := tx.Bucket(bucketShort).Get([]byte(typed)); id != nil {
		return ID(id), nil
	}
	if tx.Bucket(bucketItems).Get([]byte(typed)) != nil {
		return ID(typed), nil
	}
	if id := byRef(tx, name); id != "" {
		return id, nil
	}
	ids, names := map[ID]bool{}, []string{}
	if len(typed) >= 2 {
		c := tx.Bucket(bucketShort).Cursor()
		for k, v := c.Seek([]byte(typed)); k != nil && hasPrefix(k, []byte(typed)) && len(names) < maxNear; k, v = c.Next() {
			ids[ID(v)], names = true, append(names, string(k))
		}
	}
	if len(typed) >= 10 {
		c := tx.Bucket(bucketItems).Cursor()
		for k, _ := c.Seek([]byte(typed)); k != nil && hasPrefix(k, []byte(typed)) && len(names) < maxNear; k, _ = c.Next() {
			ids[ID(k)], names = true, append(names, string(k))
		}
	}
	switch len(ids) {
	case 1:
		for id := range ids {
			return id, nil
		}
	case 0:
		return "", &LookupError{Err: ErrNotFound, What: "note", Name: name, Near: nearShort(tx, typed)}
	}
	return "", &LookupError{Err: ErrAmbiguous, What: "note", Name: name, Near: names}
}

// byRef finds the note that had an id elsewhere, if only one had.
func byRef(tx *bolt.Tx, ref string) (id ID) {
	prefix := []byte(ref + "\x00")
	c := tx.Bucket(bucketRef).Cursor()
	n := 0
	for k, v := c.Seek(prefix); k != nil && hasPrefix(k, prefix); k, v = c.Next() {
		id, n = ID(v), n+1
	}
	if ref == "" || n != 1 {
		return ""
	}
	return id
}

// nearShort are short ids that are one slip of the finger away.
func nearShort(tx *bolt.Tx, typed string) []string {
	var out []string
	c := tx.Bucket(bucketShort).Cursor()
	for k, _ := c.First(); k != nil && len(out) < 3; k, _ = c.Next() {
		if oneEdit(string(k), typed) {
			out = append(out, string(k))
		}
	}
	return out
}

// Listing says which notes of a project are listed.
type Listing struct {
	Project ID
	Kinds   []Kind // empty: all
	Live    bool   // only what still counts as knowledge
	N       int    // at most; 0: all
}

// Notes lists notes, the last changed first.
func (s *Store) Notes(l Listing) (out []Note, err error) {
	if len(l.Kinds) == 0 {
		l.Kinds = []Kind{Decision, Discovery, Fact}
	}
	err = s.view(func(tx *bolt.Tx) error {
		for _, k := range l.Kinds {
			prefix := append([]byte(l.Project), k.letter()...)
			c, n := tx.Bucket(bucketByProject).Cursor(), 0
			for key, _ := c.Seek(prefix); key != nil && hasPrefix(key, prefix) && (l.N == 0 || n < l.N); key, _ = c.Next() {
				if note, err := noteOf(tx, ID(key[len(key)-26:])); err == nil && (note.Live() || !l.Live) {
					out, n = append(out, note), n+1
				}
			}
		}
		return nil
	})
	slices.SortStableFunc(out, func(a, b Note) int { return b.Updated.Compare(a.Updated) })
	if l.N > 0 && len(out) > l.N {
		out = out[:l.N]
	}
	for i := range out {
		s.scrub(record{Note: &out[i]})
	}
	return out, err
}

// Counts is how many notes of each kind a project has, those that count no more among them.
func (s *Store) Counts(project ID) (map[Kind]int, error) {
	counts := map[Kind]int{}
	err := s.view(func(tx *bolt.Tx) error {
		for _, k := range []Kind{Decision, Discovery, Fact} {
			prefix := append([]byte(project), k.letter()...)
			c := tx.Bucket(bucketByProject).Cursor()
			for key, _ := c.Seek(prefix); key != nil && hasPrefix(key, prefix); key, _ = c.Next() {
				counts[k]++
			}
		}
		return nil
	})
	return counts, err
}

// Checkouts are the checkouts in which something was remembered for a project.
func (s *Store) Checkouts(project ID) ([]string, error) {
	seen := map[string]bool{}
	err := s.view(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucketByProject).Cursor()
		for key, _ := c.Seek([]byte(project)); key != nil && hasPrefix(key, []byte(project)); key, _ = c.Next() {
			if n, err := noteOf(tx, ID(key[len(key)-26:])); err == nil {
				seen[n.Checkout] = true
			}
		}
		return each(tx.Bucket(bucketTasks), []byte(project), false, func(t Task) bool { seen[t.Checkout] = true; return true })
	})
	delete(seen, "")
	return slices.Sorted(maps.Keys(seen)), err
}
