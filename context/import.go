package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// foreign is a plain record from elsewhere.
type foreign struct {
	ID      string   `json:"id"`
	Project string   `json:"project"`
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Reason  string   `json:"reason"`
	Tags    []string `json:"tags"`
	Files   []string `json:"files"`
	TS      string   `json:"ts"`
	Status  string   `json:"status"`
}

// ImportOptions say how to import.
type ImportOptions struct {
	DryRun  bool
	Project ID // of plain records that name none; empty: they are refused
}

// Imported says what an import did, or would do.
type Imported struct {
	Records  int      `json:"records"`
	New      int      `json:"new"`
	Changed  int      `json:"changed"`
	Same     int      `json:"same"`     // there already, the same or newer
	Redacted int      `json:"redacted"` // records a secret was taken out of
	Cut      int      `json:"cut"`
	Projects []string `json:"projects,omitempty"` // that were made
}

// made counts new projects, each once: where nothing is stored the next record of one finds
// none either.
func (i *Imported) made(names ...string) {
	for _, name := range names {
		if !slices.Contains(i.Projects, name) {
			i.Projects = append(i.Projects, name)
		}
	}
}

// importBatch is how many records share a transaction.
const importBatch = 500

// importWait is how long an import waits for the index, so that what comes next finds everything.
const importWait = time.Minute

// Import reads an export of deck, or plain records of notes, one JSON object a
// line. All of it is read and checked before anything is stored. A record that is there
// is changed only by a newer one, and nothing is ever removed.
func (s *Store) Import(ctx context.Context, r io.Reader, o ImportOptions) (Imported, error) {
	steps, err := s.readImport(r, o)
	if err != nil {
		return Imported{}, err
	}
	done := Imported{Records: len(steps)}
	if !o.DryRun && s.backupDue(time.Hour) {
		if _, err := s.Backup(ctx); err != nil {
			return Imported{}, err
		}
	}
	for len(steps) > 0 {
		n := min(importBatch, len(steps))
		var part Imported
		err := s.update(ctx, func(tx *bolt.Tx) error {
			part = Imported{}
			for _, step := range steps[:n] {
				if err := step(tx, &part, o.DryRun); err != nil {
					return err
				}
			}
			return nil
		})
		done.New, done.Changed, done.Same = done.New+part.New, done.Changed+part.Changed, done.Same+part.Same
		done.Redacted, done.Cut = done.Redacted+part.Redacted, done.Cut+part.Cut
		done.made(part.Projects...)
		if err != nil {
			return done, err
		}
		steps = steps[n:]
	}
	s.index.reach(ctx, importWait)
	return done, nil
}

// importStep stores one record, or only counts it.
type importStep func(tx *bolt.Tx, count *Imported, dry bool) error

// readImport reads and checks everything.
func (s *Store) readImport(r io.Reader, o ImportOptions) ([]importStep, error) {
	var steps []importStep
	plain := true
	err := lines(r, func(number int, line []byte) error {
		if number == 1 {
			var h header
			if err := json.Unmarshal(line, &h); err != nil {
				return fmt.Errorf("%w: line 1: %w", ErrForeign, err)
			}
			if h.Format != "" {
				plain = false
				return h.check()
			}
		}
		var step importStep
		var err error
		if plain {
			step, err = s.readForeign(line, o)
		} else {
			step, err = s.readRecord(line)
		}
		if err != nil {
			return fmt.Errorf("%w: line %d: %w", ErrForeign, number, err)
		}
		steps = append(steps, step)
		return nil
	})
	if err == nil && len(steps) == 0 && plain {
		return nil, fmt.Errorf("%w: it is empty", ErrForeign)
	}
	return steps, err
}

func (h header) check() error {
	if h.Format != exportFormat {
		return fmt.Errorf("%w: it says it is %q", ErrForeign, line(h.Format, maxTag))
	}
	if h.Schema > schema || h.Schema < 1 {
		return fmt.Errorf("%w: it has schema %d, and this deck knows %d", ErrForeign, h.Schema, schema)
	}
	return nil
}

// readForeign checks a plain record.
func (s *Store) readForeign(data []byte, o ImportOptions) (importStep, error) {
	var f foreign
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	d := Draft{Project: o.Project, Title: f.Title, Text: f.Text, Reason: f.Reason, Tags: f.Tags, Kind: Kind(strings.ToLower(f.Kind))}
	for _, p := range f.Files {
		name, lines := splitLines(p)
		d.Files = append(d.Files, Source{Path: name, Lines: lines})
	}
	name := line(f.Project, maxTag)
	if name == "" && o.Project == "" {
		return nil, fmt.Errorf("%w: it names no project, and --project gives none", ErrInvalid)
	}
	status, err := foreignStatus(f.Status)
	if err != nil {
		return nil, err
	}
	at, err := foreignTime(f.TS)
	if err != nil {
		return nil, err
	}
	n, v, err := s.compose(d)
	if err != nil {
		return nil, err
	}
	n.Ref, n.Status = line(f.ID, maxLine), status
	if !at.IsZero() {
		n.Created, n.Updated = at, at
	}
	return func(tx *bolt.Tx, count *Imported, dry bool) error {
		if len(v.Redacted) > 0 {
			count.Redacted++
		}
		if v.Cut {
			count.Cut++
		}
		return s.storeForeign(tx, n, name, count, dry)
	}, nil
}

// storeForeign stores a plain record: under the same id it had elsewhere it changes the note that has it.
func (s *Store) storeForeign(tx *bolt.Tx, n Note, project string, count *Imported, dry bool) error {
	if project != "" {
		id := tx.Bucket(bucketAlias).Get([]byte("name:" + strings.ToLower(project)))
		if id == nil {
			count.made(project)
		}
		if id == nil && dry {
			count.New++
			return nil
		}
		p, err := s.addProject(tx, project)
		if err != nil {
			return err
		}
		n.Project = p.ID
	}
	old := Note{}
	if n.Ref != "" {
		if id := tx.Bucket(bucketRef).Get(refKey(n.Ref, n.Project)); id != nil {
			old, _ = noteOf(tx, ID(id))
		}
	}
	if old.ID != "" {
		if wording(old) == wording(n) || !n.Updated.After(old.Updated) {
			count.Same++
			return nil
		}
		count.Changed++
		if dry {
			return nil
		}
		return rewrite(tx, old, n)
	}
	if dry {
		if tx.Bucket(bucketHash).Get([]byte(wording(n))) != nil {
			count.Same++
		} else {
			count.New++
		}
		return nil
	}
	stored, known, err := s.store(tx, n)
	if err != nil {
		return err
	}
	if known {
		count.Same++
	} else {
		count.New++
	}
	if known && n.Ref != "" {
		return tx.Bucket(bucketRef).Put(refKey(n.Ref, n.Project), []byte(stored.ID))
	}
	return nil
}

// rewrite gives a note another text and keeps what it is known by.
func rewrite(tx *bolt.Tx, old, n Note) error {
	if err := tx.Bucket(bucketHash).Delete([]byte(wording(old))); err != nil {
		return err
	}
	n.ID, n.Short, n.Seen, n.Created = old.ID, old.Short, old.Seen, old.Created
	if n.Ref == "" {
		n.Ref = old.Ref
	}
	if err := tx.Bucket(bucketHash).Put([]byte(wording(n)), []byte(n.ID)); err != nil {
		return err
	}
	return save(tx, n)
}

func foreignStatus(s string) (Status, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "unverified":
		return New, nil
	}
	return ParseStatus(s)
}

// foreignTime reads a date or a time; a record without one has none.
func foreignTime(s string) (time.Time, error) {
	if s = strings.TrimSpace(s); s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			if t.Before(time.Unix(0, 0)) {
				return time.Time{}, nil
			}
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: time %q", ErrInvalid, s)
}

// readRecord checks a record of an export of deck.
func (s *Store) readRecord(data []byte) (importStep, error) {
	var r record
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&r); err != nil {
		return nil, err
	}
	for _, id := range r.ids() {
		if _, err := ParseID(string(id)); err != nil {
			return nil, err
		}
	}
	s.scrub(r)
	for _, field := range r.oneLiners() {
		*field = line(*field, maxLine)
	}
	switch {
	case r.Project != nil:
		return func(tx *bolt.Tx, c *Imported, dry bool) error { return s.storeProject(tx, *r.Project, c, dry) }, nil
	case r.Note != nil:
		n := *r.Note
		n.Title, _ = cut(n.Title, maxTitle, "…")
		n.Text, _ = cut(n.Text, MaxText, cutMark)
		if _, err := ParseKind(string(n.Kind)); err != nil {
			return nil, err
		}
		if _, err := ParseStatus(string(n.Status)); err != nil {
			return nil, err
		}
		return func(tx *bolt.Tx, c *Imported, dry bool) error { return s.storeNote(tx, n, c, dry) }, nil
	case r.Task != nil:
		return keep(bucketTasks, taskKey(*r.Task), *r.Task, func(t Task) time.Time { return t.Updated }), nil
	case r.Event != nil:
		return keep(bucketEvents, eventKey(*r.Event), *r.Event, func(e Event) time.Time { return e.At }), nil
	case r.Relation != nil:
		if !slices.Contains(RelationTypes, r.Relation.Type) {
			return nil, fmt.Errorf("%w: relation %q", ErrInvalid, r.Relation.Type)
		}
		return keep(bucketRelations, relationKey(*r.Relation), *r.Relation, func(r Relation) time.Time { return r.Created }), nil
	case r.Handoff != nil:
		return keep(bucketHandoffs, handoffKey(*r.Handoff), *r.Handoff, func(h Handoff) time.Time { return h.Updated }), nil
	}
	return nil, fmt.Errorf("%w: a record of a kind that is not known", ErrInvalid)
}

// oneLiners are the fields of a record that a person sees in one line.
func (r record) oneLiners() []*string {
	author := func(a *Author) []*string { return []*string{&a.Agent, &a.Nick, &a.Session} }
	switch {
	case r.Project != nil:
		return []*string{&r.Project.Name, &r.Project.Remote, &r.Project.Root}
	case r.Note != nil:
		n := r.Note
		fields := append(author(&n.Author), &n.Title, &n.Type, &n.Ref, &n.Checkout, &n.Branch, &n.VerifiedCommit)
		n.Also = n.Also[:min(len(n.Also), maxAlso)]
		for i := range n.Also {
			fields = append(fields, author(&n.Also[i])...)
		}
		return fields
	case r.Task != nil:
		t := r.Task
		return append(author(&t.Author), &t.Checkout, &t.Branch, &t.Status, &t.Step, &t.Next, &t.Tests, &t.Error)
	case r.Event != nil:
		return append(author(&r.Event.Author), &r.Event.Checkout, &r.Event.Kind, &r.Event.Text)
	case r.Handoff != nil:
		h := r.Handoff
		return append(author(&h.From), &h.To, &h.Title, &h.Status, &h.Checkout, &h.Branch)
	}
	return nil
}

// ids are the ids a record cannot be without.
func (r record) ids() []ID {
	switch {
	case r.Project != nil:
		return []ID{r.Project.ID}
	case r.Note != nil:
		return []ID{r.Note.ID, r.Note.Project}
	case r.Task != nil:
		return []ID{r.Task.ID, r.Task.Project}
	case r.Event != nil:
		return []ID{r.Event.ID, r.Event.Project}
	case r.Relation != nil:
		return []ID{r.Relation.Project, r.Relation.Other}
	case r.Handoff != nil:
		return []ID{r.Handoff.ID, r.Handoff.Project}
	}
	return nil
}

// keep stores a value unless the one that is there is as new.
func keep[T any](bucket, key []byte, v T, at func(T) time.Time) importStep {
	return func(tx *bolt.Tx, c *Imported, dry bool) error {
		old, found, err := get[T](tx.Bucket(bucket), key)
		switch {
		case found && err == nil && !at(v).After(at(old)):
			c.Same++
			return nil
		case found:
			c.Changed++
		default:
			c.New++
		}
		if dry {
			return nil
		}
		return put(tx.Bucket(bucket), key, v)
	}
}

func (s *Store) storeProject(tx *bolt.Tx, p Project, c *Imported, dry bool) error {
	old, found, err := get[Project](tx.Bucket(bucketProjects), []byte(p.ID))
	if found && err == nil && !p.Updated.After(old.Updated) {
		c.Same++
		return nil
	}
	p.Name = line(p.Name, maxTag)
	if found {
		c.Changed++
	} else {
		c.New++
		if owner := tx.Bucket(bucketAlias).Get([]byte("name:" + strings.ToLower(p.Name))); owner != nil || p.Name == "" {
			p.Name = freeName(tx, p.Name, "")
		}
		c.made(p.Name)
	}
	if dry {
		return nil
	}
	if found && old.Name != p.Name {
		if err := tx.Bucket(bucketAlias).Delete([]byte("name:" + strings.ToLower(old.Name))); err != nil {
			return err
		}
	}
	return putProject(tx, p)
}

// storeNote stores a note of an export under the id it has there.
func (s *Store) storeNote(tx *bolt.Tx, n Note, c *Imported, dry bool) error {
	if _, err := projectOf(tx, n.Project); err != nil && !dry {
		// An export that was cut by hand lost its project; the note is worth keeping.
		now := s.now()
		if err := putProject(tx, Project{ID: n.Project, Name: freeName(tx, "imported", ""), Created: now, Updated: now}); err != nil {
			return err
		}
	}
	old, err := noteOf(tx, n.ID)
	if err == nil {
		if !n.Updated.After(old.Updated) {
			c.Same++
			return nil
		}
		c.Changed++
		if dry {
			return nil
		}
		n.Short = old.Short
		if err := tx.Bucket(bucketHash).Delete([]byte(wording(old))); err != nil {
			return err
		}
		if err := tx.Bucket(bucketHash).Put([]byte(wording(n)), []byte(n.ID)); err != nil {
			return err
		}
		return save(tx, n)
	}
	if tx.Bucket(bucketHash).Get([]byte(wording(n))) != nil {
		c.Same++
		return nil
	}
	c.New++
	if dry {
		return nil
	}
	return insert(tx, n, &n)
}
