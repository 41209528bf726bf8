package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// How long and how many events of a project are kept.
const (
	eventsFor = 90 * 24 * time.Hour
	maxEvents = 2000
)

// Stored reports whether an event is that a note was stored, of which the note itself tells.
func (e Event) Stored() bool {
	switch e.Kind {
	case "remember", "discover", "decide", "repeat":
		return true
	}
	return false
}

// AddEvent records that something happened in a project.
func (s *Store) AddEvent(ctx context.Context, e Event) error {
	found := map[string]bool{}
	redact := func(t string) string { return s.redact(t, found) }
	e.Text, e.Kind, e.Checkout = redactedLine(e.Text, maxLine, redact), line(e.Kind, maxTag), line(e.Checkout, maxLine)
	if e.At.IsZero() {
		e.At = s.now()
	}
	return s.update(ctx, func(tx *bolt.Tx) error {
		if _, err := projectOf(tx, e.Project); err != nil {
			return err
		}
		return s.addEvent(tx, e)
	})
}

func eventKey(e Event) []byte { return []byte(e.Project + e.ID) }

func handoffKey(h Handoff) []byte { return []byte(h.Project + h.ID) }

// addEvent stores an event whose text is clean and short, and drops those that are too old.
func (s *Store) addEvent(tx *bolt.Tx, e Event) error {
	b := tx.Bucket(bucketEvents)
	prefix := []byte(e.Project)
	e.ID = s.ids.make(e.At)
	oldest := string(e.Project) + string(firstID(e.At.Add(-eventsFor)))
	c := b.Cursor()
	for k, _ := c.Seek(prefix); k != nil && hasPrefix(k, prefix) && string(k) < oldest; k, _ = c.Seek(prefix) {
		if err := c.Delete(); err != nil {
			return err
		}
	}
	if err := put(b, eventKey(e), e); err != nil {
		return err
	}
	return trimEvents(tx, e.Project)
}

// trimEvents drops the oldest events of a project that has too many.
func trimEvents(tx *bolt.Tx, project ID) error {
	b := tx.Bucket(bucketEvents)
	n := 0
	c := b.Cursor()
	for k, _ := c.Seek([]byte(project)); k != nil && hasPrefix(k, []byte(project)); k, _ = c.Next() {
		n++
	}
	for ; n > maxEvents; n-- {
		c.Seek([]byte(project))
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return nil
}

// Events are a project's last events, the newest first, at most limit (0: all).
// A checkout's name keeps those of other checkouts out.
func (s *Store) Events(project ID, checkout string, limit int) (out []Event, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		return each(tx.Bucket(bucketEvents), []byte(project), true, func(e Event) bool {
			if checkout == "" || e.Checkout == "" || e.Checkout == checkout {
				s.scrub(record{Event: &e})
				out = append(out, e)
			}
			return limit == 0 || len(out) < limit
		})
	})
	return out, err
}

// RelationTypes are the ways a project can relate to another.
var RelationTypes = []string{RelatedTo, DependsOn, UsesPattern, SharesDatabaseWith}

func relationKey(r Relation) []byte {
	return []byte(string(r.Project) + string(r.Other) + r.Type)
}

// Relate ties a project to another. It is no error if they are tied so already.
func (s *Store) Relate(ctx context.Context, project, other ID, kind string, by Author) (Relation, error) {
	if !slices.Contains(RelationTypes, kind) {
		return Relation{}, fmt.Errorf("%w: relation %q (related-to, depends-on, uses-pattern, shares-database-with)", ErrInvalid, kind)
	}
	if project == other {
		return Relation{}, fmt.Errorf("%w: a project is not related to itself", ErrInvalid)
	}
	r := Relation{Project: project, Type: kind, Other: other, Created: s.now()}
	err := s.update(ctx, func(tx *bolt.Tx) error {
		if _, err := projectOf(tx, project); err != nil {
			return err
		}
		o, err := projectOf(tx, other)
		if err != nil {
			return err
		}
		old, found, err := get[Relation](tx.Bucket(bucketRelations), relationKey(r))
		if found && err == nil {
			r = old
			return nil
		}
		if err := put(tx.Bucket(bucketRelations), relationKey(r), r); err != nil {
			return err
		}
		return s.addEvent(tx, Event{Project: project, Kind: "relate", Text: kind + " " + o.Name, Author: by, At: s.now()})
	})
	return r, err
}

// Relations are the ties of a project, its own and those others have to it.
func (s *Store) Relations(project ID) (out []Relation, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		out, err = relationsOf(tx, project)
		return err
	})
	return out, err
}

func relationsOf(tx *bolt.Tx, project ID) (out []Relation, err error) {
	err = each(tx.Bucket(bucketRelations), nil, false, func(r Relation) bool {
		if r.Project == project || r.Other == project {
			out = append(out, r)
		}
		return true
	})
	return out, err
}

// PutHandoff stores what one agent left for the next, or changes the one of that id. A
// new one is an event of its project.
func (s *Store) PutHandoff(ctx context.Context, h Handoff) (Handoff, error) {
	found := map[string]bool{}
	redact := func(t string) string { return s.redact(t, found) }
	h.Title, h.To, h.Status = redactedLine(h.Title, maxTitle, redact), line(h.To, maxTag), line(h.Status, maxTag)
	h.Checkout, h.Branch = line(h.Checkout, maxLine), redactedLine(h.Branch, maxTitle, redact)
	h.Text, _ = cut(redact(clean(h.Text)), MaxText, cutMark)
	h.Files = paths(h.Files, redact)
	if h.Text == "" && h.Title == "" {
		return h, ErrEmpty
	}
	err := s.update(ctx, func(tx *bolt.Tx) error {
		if _, err := projectOf(tx, h.Project); err != nil {
			return err
		}
		h.Updated = s.now()
		if h.ID == "" {
			h.ID = s.ids.make(h.Updated)
		}
		old, known, err := get[Handoff](tx.Bucket(bucketHandoffs), handoffKey(h))
		if err != nil {
			return err
		}
		if h.Created = h.Updated; known {
			h.Created = old.Created
		}
		if err := put(tx.Bucket(bucketHandoffs), handoffKey(h), h); err != nil || known {
			return err
		}
		text := line(h.Title+" "+firstLine(h.Text, maxTitle), maxTitle)
		return s.addEvent(tx, Event{Project: h.Project, Checkout: h.Checkout, Kind: "handoff", Text: text, Author: h.From, At: h.Updated})
	})
	return h, err
}

// Handoffs are a project's hand-offs, the newest first, at most limit (0: all).
func (s *Store) Handoffs(project ID, limit int) (out []Handoff, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		return each(tx.Bucket(bucketHandoffs), []byte(project), true, func(h Handoff) bool {
			s.scrub(record{Handoff: &h})
			out = append(out, h)
			return limit == 0 || len(out) < limit
		})
	})
	return out, err
}
