package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	bleve "github.com/blevesearch/bleve_index_api"
	bolt "go.etcd.io/bbolt"
)

// Check is one thing that doctor looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"`
	Fixed  bool   `json:"fixed,omitempty"`
}

// doctor collects checks.
type doctor struct {
	s      *Store
	fix    bool
	checks []Check
}

// add records a check. repair is run where something is wrong and it is to be fixed; nil: it cannot be.
func (d *doctor) add(name string, problem, fine string, repair func() error) {
	c := Check{Name: name, OK: problem == "", Detail: problem}
	if c.OK {
		c.Detail = fine
	}
	if !c.OK && d.fix && repair != nil {
		if err := repair(); err != nil {
			c.Detail += "; it cannot be repaired: " + err.Error()
		} else {
			c.Fixed = true
		}
	}
	d.checks = append(d.checks, c)
}

// Doctor looks the whole memory over, and with fix repairs what it can. The
// error says that looking itself was not possible.
func (s *Store) Doctor(ctx context.Context, fix bool) ([]Check, error) {
	d := &doctor{s: s, fix: fix && !s.readOnly.Load()}
	d.file(ctx)
	d.permissions()
	if err := d.contents(ctx); err != nil {
		return d.checks, err
	}
	d.index(ctx)
	d.aliases()
	d.redaction(ctx)
	d.leftovers()
	d.backups()
	return d.checks, nil
}

// file checks every page of memory.db.
func (d *doctor) file(ctx context.Context) {
	s, problem := d.s, ""
	if err := s.checkFile(); err != nil {
		problem = err.Error()
	}
	d.add("file", problem, s.path(fileName), func() error { return s.mendFile(ctx) })
	free, size := s.air()
	d.add("space", "", fmt.Sprintf("%d of %d KB free", free>>10, size>>10), nil)
}

// checkFile reads every page and follows all that leads to one.
func (s *Store) checkFile() error {
	if err := s.view(readAll(s.path(fileName))); err != nil {
		return err
	}
	s.mu.Lock() // no writer may be at work meanwhile
	defer s.mu.Unlock()
	if s.db == nil {
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	}
	return guard(func() error {
		return s.db.View(func(tx *bolt.Tx) error {
			var first error
			for err := range tx.Check() {
				first = firstError(first, err)
			}
			return first
		})
	})
}

// mendFile takes the newest backup for a file that cannot be read. In one that can, what is
// wrong is how its pages hang together, and they are written anew.
func (s *Store) mendFile(ctx context.Context) error {
	if err := s.reopen(); err != nil {
		return err
	}
	if s.checkFile() == nil {
		return nil
	}
	if _, err := s.Compact(ctx); err != nil {
		return err
	}
	return s.checkFile()
}

// reopen opens memory.db anew, which puts a damaged one aside and takes the newest backup.
func (s *Store) reopen() error {
	s.mu.Lock()
	old := s.db
	s.db = nil
	if old != nil {
		_ = guard(old.Close)
	}
	err := s.openFile()
	s.mu.Unlock()
	notify(s.index.rebuild)
	return err
}

func (d *doctor) permissions() {
	var open []string
	_ = filepath.WalkDir(d.s.opt.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		// The index's own files are readable, inside a folder that is not.
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && (e.IsDir() || filepath.Dir(path) == d.s.opt.Dir) {
			open = append(open, path)
		}
		return nil
	})
	d.add("permissions", problemIf(len(open) > 0, "others can read "+strings.Join(open, ", ")), "only you can read it", func() error {
		var errs []error
		for _, p := range open {
			mode := fs.FileMode(0o600)
			if info, err := os.Stat(p); err == nil && info.IsDir() {
				mode = 0o700
			}
			errs = append(errs, os.Chmod(p, mode))
		}
		return errors.Join(errs...)
	})
}

func problemIf(bad bool, text string) string {
	if bad {
		return text
	}
	return ""
}

// contents checks that each note can be read and is listed where it should be.
func (d *doctor) contents(ctx context.Context) error {
	var notes, broken, lost, strays int
	err := d.s.view(func(tx *bolt.Tx) error {
		list, hash, short := tx.Bucket(bucketByProject), tx.Bucket(bucketHash), tx.Bucket(bucketShort)
		err := tx.Bucket(bucketItems).ForEach(func(k, v []byte) error {
			notes++
			var n Note
			if json.Unmarshal(v, &n) != nil || n.ID != ID(k) {
				broken++
				return nil
			}
			if _, err := projectOf(tx, n.Project); err != nil {
				strays++
			}
			if key := byProjectKey(n); hash.Get([]byte(wording(n))) == nil || ID(short.Get([]byte(n.Short))) != n.ID || !has(list, key) {
				lost++
			}
			return ctx.Err()
		})
		lost += abs(list.Stats().KeyN - (notes - broken))
		return err
	})
	if err != nil {
		return err
	}
	d.add("notes", problemIf(broken > 0, fmt.Sprintf("%d of %d notes cannot be read", broken, notes)), fmt.Sprintf("%d notes", notes), nil)
	d.add("lists", problemIf(lost > 0, fmt.Sprintf("%d notes are not listed as they should be", lost)), "every note is listed once", func() error {
		return d.s.update(ctx, relist)
	})
	d.add("projects", problemIf(strays > 0, fmt.Sprintf("%d notes belong to no project", strays)), "every note belongs to a project", nil)
	return nil
}

func has(b *bolt.Bucket, key []byte) bool {
	k, _ := b.Cursor().Seek(key)
	return string(k) == string(key)
}

func abs(n int) int { return max(n, -n) }

// relist writes the lists of notes anew from the notes themselves.
func relist(tx *bolt.Tx) error {
	for _, name := range [][]byte{bucketByProject, bucketHash, bucketShort, bucketRef} {
		if err := tx.DeleteBucket(name); err != nil {
			return err
		}
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	var notes []Note
	if err := each(tx.Bucket(bucketItems), nil, false, func(n Note) bool { notes = append(notes, n); return true }); err != nil {
		return err
	}
	short := tx.Bucket(bucketShort)
	for _, n := range notes {
		if owner := short.Get([]byte(n.Short)); n.Short != "" && owner == nil {
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
			if err := save(tx, n); err != nil {
				return err
			}
			continue
		}
		if err := insert(tx, n, &n); err != nil {
			return err
		}
	}
	return nil
}

// ownSamples is how many notes are looked for by their own words.
const ownSamples = 50

// index compares the index with the store.
func (d *doctor) index(ctx context.Context) {
	problem, fine := d.indexProblem(ctx)
	d.add("index", problem, fine, func() error { return d.s.index.anew(ctx) })
}

func (d *doctor) indexProblem(ctx context.Context) (problem, fine string) {
	var want int
	var some []Note
	_ = d.s.view(func(tx *bolt.Tx) error {
		items := tx.Bucket(bucketItems)
		want = items.Stats().KeyN
		step, i := max(want/ownSamples, 1), 0
		return each(items, nil, false, func(n Note) bool {
			if i%step == 0 && len(some) < ownSamples {
				some = append(some, n)
			}
			i++
			return true
		})
	})
	var have uint64
	missed := 0
	ok, err := d.s.index.use(ctx, func(x *index) error {
		if err := x.check(); err != nil {
			return err
		}
		return x.read(func(r bleve.IndexReader) (err error) {
			if have, err = r.DocCount(); err != nil {
				return err
			}
			for _, n := range some {
				if found, err := ownWords(r, n); err != nil || !found {
					missed++
				}
			}
			return nil
		})
	})
	switch {
	case err != nil:
		return err.Error(), ""
	case !ok:
		return "there is none at the moment; searches read the store itself", ""
	case int(have) != want:
		return fmt.Sprintf("it has %d notes of %d", have, want), ""
	case missed > 0:
		return fmt.Sprintf("%d of %d notes are not found by their own words", missed, len(some)), ""
	}
	return "", fmt.Sprintf("%d notes, %d of them found by their own words", have, len(some))
}

// ownWords reports whether a note is found by its rarest words.
func ownWords(r bleve.IndexReader, n Note) (bool, error) {
	list, err := rareTerms(r, wordSet(n))
	if err != nil || len(list) == 0 {
		return err == nil, err
	}
	id, err := r.InternalID(string(n.ID))
	if err != nil || id == nil {
		return false, err
	}
	all, err := rank(r, list, filter{})
	return slices.ContainsFunc(all, func(c candidate) bool { return uint64(c.doc) == id.Value() }), err
}

// aliases finds names and paths that lead to no project, and projects whose folders are all gone.
func (d *doctor) aliases() {
	var dead []string
	var gone []string
	_ = d.s.view(func(tx *bolt.Tx) error {
		_ = tx.Bucket(bucketAlias).ForEach(func(k, v []byte) error {
			if _, err := projectOf(tx, ID(v)); err != nil {
				dead = append(dead, string(k))
			}
			return nil
		})
		return each(tx.Bucket(bucketProjects), nil, false, func(p Project) bool {
			if len(p.Paths) > 0 && !anyExists(p.Paths) {
				gone = append(gone, p.Name)
			}
			return true
		})
	})
	fine := "every name leads to a project"
	if len(gone) > 0 {
		fine += "; the folder is gone of " + strings.Join(gone, ", ")
	}
	d.add("names", problemIf(len(dead) > 0, strings.Join(dead, ", ")+" lead to no project"), fine, func() error {
		return d.s.update(context.Background(), func(tx *bolt.Tx) error {
			for _, k := range dead {
				if err := tx.Bucket(bucketAlias).Delete([]byte(k)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// redaction looks for secrets that a newer rule knows.
func (d *doctor) redaction(ctx context.Context) {
	var found []record
	err := d.s.view(func(tx *bolt.Tx) error {
		return d.s.records(ctx, tx, ExportOptions{}, func(r record) error {
			if len(d.s.scrub(r)) > 0 {
				found = append(found, r)
			}
			return nil
		})
	})
	if err != nil {
		d.add("secrets", err.Error(), "", nil)
		return
	}
	problem := problemIf(len(found) > 0, "something looks like a secret in "+counted(len(found), "record"))
	d.add("secrets", problem, "none", func() error {
		return d.s.update(ctx, func(tx *bolt.Tx) error {
			for _, r := range found {
				if err := d.s.rescrub(tx, r); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// rescrub takes the secrets out of what is stored under a record's key.
func (s *Store) rescrub(tx *bolt.Tx, r record) error {
	switch {
	case r.Note != nil:
		n, err := noteOf(tx, r.Note.ID)
		if err != nil {
			return err
		}
		clean := n
		s.scrub(record{Note: &clean})
		clean.Updated = s.now()
		return rewrite(tx, n, clean)
	case r.Task != nil:
		return mend(tx.Bucket(bucketTasks), taskKey(*r.Task), func(t *Task) { s.scrub(record{Task: t}) })
	case r.Event != nil:
		return mend(tx.Bucket(bucketEvents), eventKey(*r.Event), func(e *Event) { s.scrub(record{Event: e}) })
	case r.Handoff != nil:
		return mend(tx.Bucket(bucketHandoffs), handoffKey(*r.Handoff), func(h *Handoff) { s.scrub(record{Handoff: h}) })
	}
	return nil
}

// mend changes a value that is there.
func mend[T any](b *bolt.Bucket, key []byte, f func(*T)) error {
	v, found, err := get[T](b, key)
	if err != nil || !found {
		return err
	}
	f(&v)
	return put(b, key, v)
}

func (d *doctor) leftovers() {
	stale, aside := d.s.leftovers()
	fine := "none"
	if len(aside) > 0 {
		fine = "kept: " + strings.Join(aside, ", ")
	}
	d.add("leftovers", problemIf(len(stale) > 0, strings.Join(stale, ", ")), fine, func() error {
		var errs []error
		for _, p := range stale {
			errs = append(errs, os.Remove(p))
		}
		return errors.Join(errs...)
	})
}

func (d *doctor) backups() {
	list := d.s.Backups()
	if len(list) == 0 {
		d.add("backups", problemIf(d.s.seq.Load() > 0, "there is none"), "none is needed yet", func() error {
			_, err := d.s.Backup(context.Background())
			return err
		})
		return
	}
	last := list[len(list)-1]
	err := readable(d.s.path(backupDir, last))
	problem := ""
	if err != nil {
		problem = last + ": " + err.Error()
	}
	d.add("backups", problem, fmt.Sprintf("%d, the newest %s", len(list), last), func() error {
		if err := os.Remove(d.s.path(backupDir, last)); err != nil {
			return err
		}
		_, err := d.s.Backup(context.Background())
		return err
	})
}

// readable reads a whole file of bbolt.
func readable(path string) error {
	return guard(func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: lagWait})
		if err != nil {
			return err
		}
		defer db.Close()
		return db.View(readAll(path))
	})
}
