package memory

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// exportFormat is what the first line of an export says it is.
const exportFormat = "deck-memory"

// header is the first line of an export.
type header struct {
	Format     string    `json:"format"`
	Schema     int       `json:"schema"`
	Store      string    `json:"store_id"`
	ExportedAt time.Time `json:"exported_at"`
	Count      int       `json:"count"`
}

// record is one line of an export after the first: one of these is set.
type record struct {
	Project  *Project  `json:"project,omitempty"`
	Note     *Note     `json:"note,omitempty"`
	Task     *Task     `json:"task,omitempty"`
	Event    *Event    `json:"event,omitempty"`
	Relation *Relation `json:"relation,omitempty"`
	Handoff  *Handoff  `json:"handoff,omitempty"`
}

// ExportOptions narrow an export.
type ExportOptions struct {
	Project ID // empty: all
	Since   time.Time
}

// Export writes the memory as JSON, one record a line, sorted by id so that two
// exports differ where the memory does. Everything passes the redaction
// again: a rule may be newer than a text. It returns how many records were written.
// They are put together in a file without a name first: w may take as long as it
// likes, and nobody else waits for it.
func (s *Store) Export(ctx context.Context, w io.Writer, o ExportOptions) (int, error) {
	f, err := s.scratch()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer f.Close()
	n, err := s.exportTo(ctx, f, o)
	if err != nil {
		return 0, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	_, err = io.Copy(w, f)
	return n, err
}

// scratch opens an empty file that is gone when it is closed.
func (s *Store) scratch() (*os.File, error) {
	dir := s.opt.Dir
	if s.readOnly.Load() {
		dir = ""
	}
	f, err := os.CreateTemp(dir, "export-*.tmp")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (s *Store) exportTo(ctx context.Context, w io.Writer, o ExportOptions) (int, error) {
	n := 0
	out := bufio.NewWriterSize(w, 1<<16)
	err := s.view(func(tx *bolt.Tx) error {
		h := header{Format: exportFormat, Schema: schema, Store: storeID(tx), ExportedAt: s.now()}
		count := func(record) error { h.Count++; return nil }
		if err := s.records(ctx, tx, o, count); err != nil {
			return err
		}
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(h); err != nil {
			return err
		}
		return s.records(ctx, tx, o, func(r record) error {
			n++
			s.scrub(r)
			return enc.Encode(r)
		})
	})
	if err == nil {
		err = out.Flush()
	}
	return n, err
}

// records calls f with each record of an export: projects first, since the others name them.
func (s *Store) records(ctx context.Context, tx *bolt.Tx, o ExportOptions, f func(record) error) error {
	var list []Project
	err := each(tx.Bucket(bucketProjects), []byte(o.Project), false, func(p Project) bool {
		list = append(list, p)
		return true
	})
	for i := range list {
		if err == nil {
			err = f(record{Project: &list[i]})
		}
	}
	if err != nil {
		return err
	}
	fresh := func(t time.Time) bool { return !t.Before(o.Since) }
	mine := func(id ID) bool { return o.Project == "" || id == o.Project }
	var stop error
	send := func(use bool, r record) bool {
		if use {
			stop = f(r)
		}
		if stop == nil {
			stop = ctx.Err()
		}
		return stop == nil
	}
	own := []byte(o.Project)
	steps := []func() error{
		func() error {
			return each(tx.Bucket(bucketItems), nil, false, func(n Note) bool {
				return send(mine(n.Project) && fresh(n.Updated), record{Note: &n})
			})
		},
		func() error {
			return each(tx.Bucket(bucketTasks), own, false, func(t Task) bool { return send(fresh(t.Updated), record{Task: &t}) })
		},
		func() error {
			return each(tx.Bucket(bucketEvents), own, false, func(e Event) bool { return send(fresh(e.At), record{Event: &e}) })
		},
		func() error {
			return each(tx.Bucket(bucketRelations), own, false, func(r Relation) bool { return send(true, record{Relation: &r}) })
		},
		func() error {
			return each(tx.Bucket(bucketHandoffs), own, false, func(h Handoff) bool { return send(fresh(h.Updated), record{Handoff: &h}) })
		},
	}
	for _, step := range steps {
		if err := step(); err != nil || stop != nil {
			return firstError(err, stop)
		}
	}
	return nil
}

// lines reads an import: a first line that may be a header, then records.
func lines(r io.Reader, f func(number int, line []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(slices.DeleteFunc(slices.Clone(line), func(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' })) > 0 {
			if err := f(n, line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
