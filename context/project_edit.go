package memory

import (
	"context"
	"fmt"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// Link says that a place belongs to a project: a folder that moved, or a second
// clone, or one folder of a repository. What was known under the place's own
// project stays there.
func (s *Store) Link(ctx context.Context, id ID, place Place) (Project, error) {
	place = place.linked()
	return s.editProject(ctx, id, func(tx *bolt.Tx, p *Project) error {
		key := []byte("path:" + place.Key)
		alias := tx.Bucket(bucketAlias)
		if owner := alias.Get(key); owner != nil && ID(owner) != id {
			other, err := projectOf(tx, ID(owner))
			if err == nil {
				other.Paths = without(other.Paths, place.Key)
				if err := putProject(tx, other); err != nil {
					return err
				}
			}
			if err := alias.Put(key, []byte(id)); err != nil {
				return err
			}
		}
		return s.addPath(tx, p, place)
	})
}

func without(list []string, s string) []string {
	var out []string
	for _, o := range list {
		if o != s {
			out = append(out, o)
		}
	}
	return out
}

// Rename gives a project another name, which no other may have.
func (s *Store) Rename(ctx context.Context, id ID, name string) (Project, error) {
	name = line(name, maxTag)
	if name == "" {
		return Project{}, fmt.Errorf("%w: a project needs a name", ErrInvalid)
	}
	return s.editProject(ctx, id, func(tx *bolt.Tx, p *Project) error {
		alias := tx.Bucket(bucketAlias)
		if owner := alias.Get([]byte("name:" + strings.ToLower(name))); owner != nil && ID(owner) != id {
			return fmt.Errorf("%w: duplicate project: %s", ErrInvalid, name)
		}
		if err := alias.Delete([]byte("name:" + strings.ToLower(p.Name))); err != nil {
			return err
		}
		p.Name = name
		return putProject(tx, *p)
	})
}

// SetPrivate keeps a project's notes out of what other projects recall, or lets them in again.
func (s *Store) SetPrivate(ctx context.Context, id ID, private bool) (Project, error) {
	return s.editProject(ctx, id, func(tx *bolt.Tx, p *Project) error {
		p.Private = private
		return putProject(tx, *p)
	})
}

func (s *Store) editProject(ctx context.Context, id ID, f func(*bolt.Tx, *Project) error) (p Project, err error) {
	err = s.update(ctx, func(tx *bolt.Tx) error {
		if p, err = projectOf(tx, id); err != nil {
			return err
		}
		p.Updated = s.now()
		return f(tx, &p)
	})
	return p, err
}

// Forget removes a project and everything it knows, and says how many notes that were. Backups keep it.
func (s *Store) Forget(ctx context.Context, id ID) (notes int, err error) {
	err = s.update(ctx, func(tx *bolt.Tx) error {
		p, err := projectOf(tx, id)
		if err != nil {
			return err
		}
		if notes, err = forgetNotes(tx, id); err != nil {
			return err
		}
		for _, name := range [][]byte{bucketTasks, bucketEvents, bucketRelations, bucketHandoffs} {
			if err := deletePrefix(tx.Bucket(name), []byte(id)); err != nil {
				return err
			}
		}
		if err := deleteValues(tx.Bucket(bucketAlias), id); err != nil {
			return err
		}
		if err := forgetRelations(tx, id); err != nil {
			return err
		}
		return tx.Bucket(bucketProjects).Delete([]byte(p.ID))
	})
	return notes, err
}

// forgetNotes removes a project's notes and tells the index of each.
func forgetNotes(tx *bolt.Tx, project ID) (int, error) {
	var list []Note
	c := tx.Bucket(bucketByProject).Cursor()
	for k, _ := c.Seek([]byte(project)); k != nil && hasPrefix(k, []byte(project)); k, _ = c.Next() {
		if n, err := noteOf(tx, ID(k[len(k)-26:])); err == nil {
			list = append(list, n)
		}
	}
	for _, n := range list {
		for _, e := range []struct{ bucket, key []byte }{
			{bucketItems, []byte(n.ID)}, {bucketShort, []byte(n.Short)}, {bucketRef, refKey(n.Ref, project)},
		} {
			if err := tx.Bucket(e.bucket).Delete(e.key); err != nil {
				return 0, err
			}
		}
		if err := logNote(tx, n.ID); err != nil {
			return 0, err
		}
	}
	if err := deletePrefix(tx.Bucket(bucketHash), []byte(project)); err != nil {
		return 0, err
	}
	return len(list), deletePrefix(tx.Bucket(bucketByProject), []byte(project))
}

func deletePrefix(b *bolt.Bucket, prefix []byte) error {
	c := b.Cursor()
	for k, _ := c.Seek(prefix); k != nil && hasPrefix(k, prefix); k, _ = c.Seek(prefix) {
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return nil
}

func deleteValues(b *bolt.Bucket, id ID) error {
	var keys [][]byte
	_ = b.ForEach(func(k, v []byte) error {
		if string(v) == string(id) {
			keys = append(keys, append([]byte(nil), k...))
		}
		return nil
	})
	for _, k := range keys {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

func forgetRelations(tx *bolt.Tx, id ID) error {
	b := tx.Bucket(bucketRelations)
	var gone []Relation
	err := each(b, nil, false, func(r Relation) bool {
		if r.Other == id {
			gone = append(gone, r)
		}
		return true
	})
	for _, r := range gone {
		if err == nil {
			err = b.Delete(relationKey(r))
		}
	}
	return err
}
