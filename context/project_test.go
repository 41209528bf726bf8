package memory

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// checkout is a repository in a folder.
func checkout(t testing.TB, dir string) Place {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return Place{Dir: dir, Key: filepath.Join(dir, ".git"), Checkout: dir, Git: true, Remote: "example.com/acme/app", Root: "0123abcd"}
}

func find(t testing.TB, s *Store, place Place) (Project, Found) {
	t.Helper()
	p, f, err := s.Project(t.Context(), place, true)
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

func TestAProjectIsMadeOnceAndFoundAgain(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	here := checkout(t, filepath.Join(t.TempDir(), "app"))
	if _, _, err := s.Project(t.Context(), here, false); !errors.Is(err, ErrNotFound) {
		t.Errorf("a reader made it: %v", err)
	}
	p, f := find(t, s, here)
	if !f.Made || p.Name != "app" {
		t.Errorf("%+v %+v", p, f)
	}
	// A worktree has another checkout and the same key.
	tree := here
	tree.Dir, tree.Checkout = "/elsewhere", "/elsewhere"
	if same, f := find(t, s, tree); same.ID != p.ID || f.Made {
		t.Errorf("%+v %+v", same, f)
	}
	if byName, err := s.ProjectNamed("APP"); err != nil || byName.ID != p.ID {
		t.Errorf("%+v %v", byName, err)
	}
}

func TestAMovedFolderIsLinkedAgain(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	root := t.TempDir()
	old := checkout(t, filepath.Join(root, "app"))
	p, _ := find(t, s, old)
	remember(t, s, p.ID, "red apples")
	if err := os.Rename(filepath.Join(root, "app"), filepath.Join(root, "moved")); err != nil {
		t.Fatal(err)
	}
	moved, f := find(t, s, checkout(t, filepath.Join(root, "moved")))
	if moved.ID != p.ID || f.Moved != old.Key || f.Made {
		t.Errorf("%+v %+v", moved, f)
	}
}

func TestASecondCloneIsAProjectOfItsOwnUntilItIsLinked(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	root := t.TempDir()
	p, _ := find(t, s, checkout(t, filepath.Join(root, "app")))
	clone := checkout(t, filepath.Join(root, "second", "app"))
	q, f := find(t, s, clone)
	if q.ID == p.ID || f.Twin != "app" || q.Name != "second-app" {
		t.Errorf("%+v %+v", q, f)
	}
	if _, err := s.Link(t.Context(), p.ID, clone); err != nil {
		t.Fatal(err)
	}
	if now, f := find(t, s, clone); now.ID != p.ID || f.Made {
		t.Errorf("%+v %+v", now, f)
	}
	if left, err := s.ProjectNamed("second-app"); err != nil || len(left.Paths) != 0 {
		t.Errorf("%+v %v", left, err)
	}
}

func TestOutsideOfGitTheDeepestKnownFolderCounts(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	root := t.TempDir()
	outer, _ := find(t, s, Place{Dir: root, Key: root, Checkout: root})
	below := filepath.Join(root, "a", "b")
	if p, f := find(t, s, Place{Dir: below, Key: below, Checkout: below}); p.ID != outer.ID || f.Made {
		t.Errorf("%+v %+v", p, f)
	}
	nested := checkout(t, filepath.Join(root, "nested"))
	if p, f := find(t, s, nested); p.ID == outer.ID || !f.Made {
		t.Errorf("a repository is its own: %+v %+v", p, f)
	}
}

func TestProjectsAreNamed(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p, q := project(t, s, "orchard"), project(t, s, "organ")
	if again := project(t, s, "Orchard"); again != p {
		t.Error("another case is another project")
	}
	for _, c := range []struct {
		name string
		want ID
		err  error
		hint string
	}{
		{"orch", p, nil, ""}, {string(q), q, nil, ""}, {"or", "", ErrAmbiguous, ""}, {"orchad", "", ErrNotFound, "did you mean orchard?"},
		{"zoo", "", ErrNotFound, ""}, {"", "", ErrNotFound, ""},
	} {
		got, err := s.ProjectNamed(c.name)
		var e *LookupError
		if got.ID != c.want || !errors.Is(err, c.err) || errors.As(err, &e) && e.Hint() != c.hint {
			t.Errorf("%q: %+v %v", c.name, got, err)
		}
	}
	if _, err := s.Rename(t.Context(), p, "Organ"); !errors.Is(err, ErrInvalid) {
		t.Errorf("a name twice: %v", err)
	}
	if _, err := s.Rename(t.Context(), p, "grove"); err != nil {
		t.Error(err)
	}
	if _, err := s.ProjectNamed("orchard"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the old name: %v", err)
	}
	remember(t, s, q, "red apples")
	list, err := s.Projects()
	if err != nil || len(list) != 2 || list[0].Name != "grove" || list[1].Notes != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := s.AddProject(t.Context(), " \x1b[0m"); !errors.Is(err, ErrInvalid) {
		t.Errorf("no name: %v", err)
	}
}

func TestTheDeepestKnownProjectWins(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	top := checkout(t, filepath.Join(t.TempDir(), "app"))
	app, _ := find(t, s, top)
	web, err := s.AddProject(t.Context(), "web")
	if err != nil {
		t.Fatal(err)
	}
	below := func(in Place, dir string) Place { in.Dir = filepath.Join(in.Checkout, dir); return in }
	if _, err := s.Link(t.Context(), web.ID, below(top, "ui/web")); err != nil {
		t.Fatal(err)
	}
	tree := top
	tree.Dir, tree.Checkout = "/elsewhere", "/elsewhere"
	for _, c := range []struct {
		name  string
		place Place
		want  Project
	}{
		{"the top", top, app}, {"above the folder", below(top, "ui"), app}, {"the folder", below(top, "ui/web"), web},
		{"in the folder", below(top, "ui/web/src"), web}, {"a worktree", tree, app}, {"in a worktree's", below(tree, "ui/web/src"), web},
	} {
		if p, f := find(t, s, c.place); p.ID != c.want.ID || f.Made {
			t.Errorf("%s: %s, made %v", c.name, p.Name, f.Made)
		}
	}
}
