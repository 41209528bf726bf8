package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// cutMark ends a text that was longer than is kept.
const cutMark = "\n[cut at 8000 characters]"

// idemFor is how long an operation's answer is kept for a caller that asks again.
const idemFor = 7 * 24 * time.Hour

// Remember stores a draft. It is the only way in for a text: secrets are taken
// out, then the wording is compared with what the project knows, and the same
// again answers the note that is there. What only resembles another is stored,
// and the verdict names the other.
func (s *Store) Remember(ctx context.Context, d Draft) (Note, Verdict, error) {
	n, v, err := s.compose(d)
	if err != nil {
		return Note{}, Verdict{}, err
	}
	v.Similar = s.similar(n)
	err = s.update(ctx, func(tx *bolt.Tx) error {
		if old, found, err := get[ID](tx.Bucket(bucketIdem), []byte(d.Op)); d.Op != "" && found && err == nil {
			if n, err = noteOf(tx, old); err != nil {
				return err
			}
			v = Verdict{Known: true}
			return nil
		}
		if _, err := projectOf(tx, n.Project); err != nil {
			return err
		}
		n, v.Known, err = s.store(tx, n)
		if err != nil {
			return err
		}
		if d.Op != "" {
			if err := s.keepAnswer(tx, d.Op, n.ID); err != nil {
				return err
			}
		}
		return s.addEvent(tx, Event{Project: n.Project, Checkout: n.Checkout, Kind: verb(n.Kind, v.Known), Text: line(n.Head(), maxTitle),
			Note: n.ID, Author: n.Author, At: s.now()})
	})
	if err != nil {
		return Note{}, Verdict{}, err
	}
	if v.Known {
		v.Similar = nil
		s.scrub(record{Note: &n})
	}
	return n, v, nil
}

// verb is what an event calls the storing of a note.
func verb(k Kind, known bool) string {
	switch {
	case known:
		return "repeat"
	case k == Decision:
		return "decide"
	case k == Discovery:
		return "discover"
	}
	return "remember"
}

// compose makes a note of a draft, without an id: cleaned, without secrets, within the limits.
func (s *Store) compose(d Draft) (Note, Verdict, error) {
	found := map[string]bool{}
	redact := func(text string) string { return s.redact(text, found) }
	kind, status := d.Kind, d.Status
	if kind == "" {
		kind = Fact
	}
	if _, err := ParseKind(string(kind)); err != nil {
		return Note{}, Verdict{}, err
	}
	if status == "" {
		status = New
	}
	if _, err := ParseStatus(string(status)); err != nil {
		return Note{}, Verdict{}, err
	}
	now := s.now()
	n := Note{
		V: 1, Project: d.Project, Kind: kind, Status: status,
		Type:     redactedLine(d.Type, maxTag, redact),
		Title:    redactedLine(d.Title, maxTitle, redact),
		Tags:     tags(d.Tags, redact),
		Files:    sources(d.Files, redact),
		Author:   d.Author,
		Checkout: line(d.Checkout, maxLine),
		Branch:   redactedLine(d.Branch, maxTitle, redact),
		Created:  now, Updated: now, Seen: 1,
	}
	var v, w bool
	n.Text, v = cut(redact(clean(d.Text)), MaxText, cutMark)
	n.Reason, w = cut(redact(clean(d.Reason)), MaxText, cutMark)
	if n.Text == "" && n.Title == "" {
		return Note{}, Verdict{}, ErrEmpty
	}
	if status != New {
		n.VerifiedAt = now
	}
	out := Verdict{Cut: v || w, Redacted: slices.Sorted(maps.Keys(found))}
	for _, f := range d.Files {
		if p := line(f.Path, len(f.Path)); Sensitive(p) {
			out.Secret = append(out.Secret, line(p, maxLine))
		}
	}
	return n, out, nil
}

// store puts a note in, or finds the one that says the same in this project.
// It reports which of both.
func (s *Store) store(tx *bolt.Tx, n Note) (Note, bool, error) {
	key := []byte(wording(n))
	if id := tx.Bucket(bucketHash).Get(key); id != nil {
		old, err := noteOf(tx, ID(id))
		if err == nil {
			return again(tx, old, n)
		}
	}
	n.ID = s.ids.make(n.Created)
	return n, false, insert(tx, n, &n)
}

// insert stores a note that is new, gives it its short id, and puts the result in out.
func insert(tx *bolt.Tx, n Note, out *Note) error {
	short := tx.Bucket(bucketShort)
	n.Short = shortID(n.Kind, n.ID, func(s string) bool { return short.Get([]byte(s)) != nil })
	if err := short.Put([]byte(n.Short), []byte(n.ID)); err != nil {
		return err
	}
	if err := tx.Bucket(bucketHash).Put([]byte(wording(n)), []byte(n.ID)); err != nil {
		return err
	}
	if n.Ref != "" {
		if err := tx.Bucket(bucketRef).Put(refKey(n.Ref, n.Project), []byte(n.ID)); err != nil {
			return err
		}
	}
	*out = n
	return save(tx, n)
}

func refKey(ref string, project ID) []byte { return []byte(ref + "\x00" + string(project)) }

// save writes a note whose keys are in place, and tells the index.
func save(tx *bolt.Tx, n Note) error {
	items, list := tx.Bucket(bucketItems), tx.Bucket(bucketByProject)
	if old, found, err := get[Note](items, []byte(n.ID)); found && err == nil {
		if err := list.Delete(byProjectKey(old)); err != nil {
			return err
		}
	}
	if err := put(items, []byte(n.ID), n); err != nil {
		return err
	}
	if err := list.Put(byProjectKey(n), nil); err != nil {
		return err
	}
	return logNote(tx, n.ID)
}

// maxAlso is how many of those who said the same a note names.
const maxAlso = 8

// again is what remembering the same words does: the note is seen once more,
// and learns the files and tags it did not have, and who else says so.
func again(tx *bolt.Tx, old, n Note) (Note, bool, error) {
	old.Seen++
	old.LastSeen = n.Created
	old.Tags = tags(append(old.Tags, n.Tags...), asItIs)
	// The newer source of a place stands for the older one.
	old.Files = sources(append(slices.Clone(n.Files), old.Files...), asItIs)
	who := func(a Author) bool { return a.Agent == n.Author.Agent && a.Nick == n.Author.Nick }
	if !who(old.Author) && !slices.ContainsFunc(old.Also, who) && len(old.Also) < maxAlso {
		old.Also = append(old.Also, n.Author)
	}
	return old, true, save(tx, old)
}

// keepAnswer remembers what an operation answered, and forgets the answers that are old.
func (s *Store) keepAnswer(tx *bolt.Tx, op, id ID) error {
	idem := tx.Bucket(bucketIdem)
	oldest := []byte(firstID(s.now().Add(-idemFor)))
	c := idem.Cursor()
	for k, _ := c.First(); k != nil && string(k) < string(oldest); k, _ = c.Next() {
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return put(idem, []byte(op), id)
}

// Verify records what someone concluded about a note. files replaces its
// sources when it is not nil: what they hold at this moment is what is verified.
func (s *Store) Verify(ctx context.Context, id ID, status Status, commit string, files []Source, by Author) (Note, error) {
	if _, err := ParseStatus(string(status)); err != nil {
		return Note{}, err
	}
	return s.change(ctx, id, "verify", by, func(_ *bolt.Tx, n *Note) error {
		n.Status, n.VerifiedAt, n.VerifiedCommit, n.Updated = status, s.now(), line(commit, maxTag), s.now()
		if files != nil {
			n.Files = sources(files, func(p string) string { return s.redact(p, map[string]bool{}) })
		}
		return nil
	})
}

// Supersede says that a newer note takes the place of an older one.
func (s *Store) Supersede(ctx context.Context, old, newer ID, by Author) (Note, error) {
	return s.change(ctx, old, "supersede", by, func(tx *bolt.Tx, n *Note) error {
		other, err := noteOf(tx, newer)
		if err != nil {
			return err
		}
		if other.ID == n.ID || other.SupersededBy == n.ID {
			return fmt.Errorf("%w: a note cannot be superseded by itself", ErrInvalid)
		}
		n.SupersededBy, n.Updated = other.ID, s.now()
		return nil
	})
}

// change loads a note, lets f alter it, and stores it with an event.
func (s *Store) change(ctx context.Context, id ID, kind string, by Author, f func(*bolt.Tx, *Note) error) (n Note, err error) {
	err = s.update(ctx, func(tx *bolt.Tx) error {
		if n, err = noteOf(tx, id); err != nil {
			return err
		}
		if err := f(tx, &n); err != nil {
			return err
		}
		if err := save(tx, n); err != nil {
			return err
		}
		text := n.Head()
		if n.SupersededBy == "" {
			text = string(n.Status) + " " + text
		}
		text = line(text, maxTitle)
		return s.addEvent(tx, Event{Project: n.Project, Kind: kind, Text: text, Note: n.ID, Author: by, At: s.now()})
	})
	s.scrub(record{Note: &n})
	return n, err
}
