package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

func projectOf(tx *bolt.Tx, id ID) (Project, error) {
	p, found, err := get[Project](tx.Bucket(bucketProjects), []byte(id))
	if err != nil {
		return p, err
	}
	if !found {
		return p, &LookupError{Err: ErrNotFound, What: "project", Name: string(id)}
	}
	return p, nil
}

// Found says how a place became a project.
type Found struct {
	Made  bool   `json:"made,omitempty"`  // it was not known
	Moved string `json:"moved,omitempty"` // it was known at this path, which is gone
	// Twin is the name of a project with the same remote or root commit whose folder is
	// still there: perhaps a second clone of it.
	Twin string `json:"twin,omitempty"`
}

// Project finds the project of a place, and makes it if make is set. Readers
// and writers ask here alone, so that both mean the same.
func (s *Store) Project(ctx context.Context, place Place, make bool) (p Project, f Found, err error) {
	err = s.view(func(tx *bolt.Tx) (err error) {
		p, err = knownPlace(tx, place)
		return err
	})
	if !errors.Is(err, ErrNotFound) {
		return p, f, err
	}
	var twin Project
	_ = s.view(func(tx *bolt.Tx) error { twin = twinOf(tx, place); return nil })
	gone := twin.ID != "" && !anyExists(twin.Paths)
	if !gone {
		f.Twin = twin.Name
	}
	if !gone && !make {
		return p, f, err
	}
	err = s.update(ctx, func(tx *bolt.Tx) (err error) {
		if p, err = knownPlace(tx, place); err == nil {
			return nil
		}
		if gone {
			if p, err = projectOf(tx, twin.ID); err != nil {
				return err
			}
			f.Moved = first(p.Paths)
			return s.addPath(tx, &p, place)
		}
		f.Made = true
		now := s.now()
		p = Project{ID: s.ids.make(now), Name: freeName(tx, path.Base(projectFolder(place.Key)), place.Key), Created: now, Updated: now}
		return s.addPath(tx, &p, place)
	})
	return p, f, err
}

// projectFolder is the folder a key names a project after: that of a repository is above its .git.
func projectFolder(key string) string {
	key = filepath.ToSlash(key)
	if base := path.Base(key); base == ".git" || base == ".bare" {
		return path.Dir(key)
	}
	return strings.TrimSuffix(key, ".git")
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

func anyExists(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		_, err := os.Stat(p)
		return !errors.Is(err, fs.ErrNotExist)
	})
}

// knownPlace finds the deepest project that is known around a place.
func knownPlace(tx *bolt.Tx, place Place) (Project, error) {
	alias := tx.Bucket(bucketAlias)
	for _, key := range place.keys() {
		if id := alias.Get([]byte("path:" + key)); id != nil {
			return projectOf(tx, ID(id))
		}
	}
	return Project{}, &LookupError{Err: ErrNotFound, What: "project", Name: place.Key}
}

// twinOf finds a project that has the same history as a place.
func twinOf(tx *bolt.Tx, place Place) Project {
	alias := tx.Bucket(bucketAlias)
	for _, key := range []string{"remote:" + place.Remote, "root:" + place.Root} {
		if strings.HasSuffix(key, ":") {
			continue
		}
		if p, err := projectOf(tx, ID(alias.Get([]byte(key)))); err == nil && (place.Root == "" || p.Root == "" || place.Root == p.Root) {
			return p
		}
	}
	return Project{}
}

// addPath gives a project a place's path, remote and root commit, and stores it.
func (s *Store) addPath(tx *bolt.Tx, p *Project, place Place) error {
	p.Paths = slices.Insert(slices.DeleteFunc(p.Paths, func(o string) bool { return o == place.Key }), 0, place.Key)
	if p.Remote == "" {
		p.Remote = line(place.Remote, maxLine)
	}
	if p.Root == "" {
		p.Root = place.Root
	}
	p.Updated = s.now()
	return putProject(tx, *p)
}

// putProject stores a project and its aliases; an alias that another has stays with it.
func putProject(tx *bolt.Tx, p Project) error {
	alias := tx.Bucket(bucketAlias)
	keys := []string{"name:" + strings.ToLower(p.Name)}
	for _, path := range p.Paths {
		keys = append(keys, "path:"+path)
	}
	if p.Remote != "" {
		keys = append(keys, "remote:"+p.Remote)
	}
	if p.Root != "" {
		keys = append(keys, "root:"+p.Root)
	}
	for _, k := range keys {
		if alias.Get([]byte(k)) == nil {
			if err := alias.Put([]byte(k), []byte(p.ID)); err != nil {
				return err
			}
		}
	}
	return put(tx.Bucket(bucketProjects), []byte(p.ID), p)
}

// freeName is a name that no project has: the folder's, with its parent's before it or a number behind where it is taken.
func freeName(tx *bolt.Tx, base, key string) string {
	alias := tx.Bucket(bucketAlias)
	free := func(name string) bool { return alias.Get([]byte("name:"+strings.ToLower(name))) == nil }
	base = line(base, maxTag)
	if base == "" || base == "/" || base == "." {
		base = "project"
	}
	if free(base) {
		return base
	}
	if parent := path.Base(path.Dir(projectFolder(key))); key != "" && parent != "/" && parent != "." {
		if name := line(parent, maxTag) + "-" + base; free(name) {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s-%d", base, i); free(name) {
			return name
		}
	}
}

// ProjectNamed finds a project by its name, its id, the beginning of either, or one of its paths.
func (s *Store) ProjectNamed(name string) (p Project, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		p, err = namedProject(tx, strings.TrimSpace(name))
		return err
	})
	return p, err
}

func namedProject(tx *bolt.Tx, name string) (Project, error) {
	alias := tx.Bucket(bucketAlias)
	low := strings.ToLower(name)
	for _, key := range []string{"name:" + low, "path:" + name, "remote:" + name} {
		if id := alias.Get([]byte(key)); id != nil {
			return projectOf(tx, ID(id))
		}
	}
	if p, err := projectOf(tx, ID(strings.ToUpper(name))); err == nil {
		return p, nil
	}
	var fits, near []Project
	err := each(tx.Bucket(bucketProjects), nil, false, func(p Project) bool {
		other := strings.ToLower(p.Name)
		switch {
		case low != "" && strings.HasPrefix(other, low):
			fits = append(fits, p)
		case oneEdit(other, low) || len(low) >= 3 && strings.Contains(other, low):
			near = append(near, p)
		}
		return true
	})
	switch {
	case err != nil:
		return Project{}, err
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) > 1:
		return Project{}, &LookupError{Err: ErrAmbiguous, What: "project", Name: name, Near: names(fits)}
	}
	return Project{}, &LookupError{Err: ErrNotFound, What: "project", Name: name, Near: names(near)}
}

func names(ps []Project) []string {
	var out []string
	for _, p := range ps[:min(len(ps), maxNear)] {
		out = append(out, p.Name)
	}
	return out
}

// ProjectInfo is a project and how much is known of it.
type ProjectInfo struct {
	Project
	Notes int `json:"notes"`
}

// Projects lists all projects by name.
func (s *Store) Projects() (out []ProjectInfo, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		counts := map[ID]int{}
		c := tx.Bucket(bucketByProject).Cursor()
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			counts[ID(k[:26])]++
		}
		return each(tx.Bucket(bucketProjects), nil, false, func(p Project) bool {
			out = append(out, ProjectInfo{p, counts[p.ID]})
			return true
		})
	})
	slices.SortFunc(out, func(a, b ProjectInfo) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

// AddProject finds or makes the project of a name, for what comes from elsewhere and has no folder here.
func (s *Store) AddProject(ctx context.Context, name string) (p Project, err error) {
	name = line(name, maxTag)
	if name == "" {
		return p, fmt.Errorf("%w: a project needs a name", ErrInvalid)
	}
	err = s.update(ctx, func(tx *bolt.Tx) (err error) {
		p, err = s.addProject(tx, name)
		return err
	})
	return p, err
}

func (s *Store) addProject(tx *bolt.Tx, name string) (Project, error) {
	if id := tx.Bucket(bucketAlias).Get([]byte("name:" + strings.ToLower(name))); id != nil {
		return projectOf(tx, ID(id))
	}
	now := s.now()
	p := Project{ID: s.ids.make(now), Name: name, Created: now, Updated: now}
	return p, putProject(tx, p)
}
