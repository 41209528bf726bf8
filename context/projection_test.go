package memory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProjections(t *testing.T) {
	t.Parallel()
	in := day()
	leak := known(1, Fact, "", "# not a heading\nthe admin password is Tr0ub4dor&3x")
	gone := known(4, Decision, "withdrawn", "x")
	gone.Status = Invalidated
	in.Notes = append(in.Notes, leak, gone)
	in.Task.Updated = noon
	got := map[string]string{}
	for _, f := range Projections(in, builtIn) {
		got[f.Name] = strings.TrimPrefix(f.Text, projected)
	}
	want := map[string]string{
		"TASK.md": "# Task\n\nMake the parser faster.\n",
		"STATE.md": "# State of app\n\n- Branch: feature/x\n- Status: in progress\n- Step: 2 of 3\n- Next: measure\n- Updated: 2026-03-04 12:00 UTC\n" +
			"\n## Handed over\n\n- ada to bob: Finish the table of states.\n",
		"DECISIONS.md": "# Decisions of app\n\n## DK050 bbolt is the truth\n\nThe index is a cache. It is rebuilt when it is missing.\n\nBecause: one file, no daemon\n\n_decision, verified, 2026-03-02_\n",
		"MEMORY.md": "# Knowledge of app\n\n## FK001 not a heading\n\n\\# not a heading\nthe admin password is [REDACTED:password]\n\n_fact, new, 2026-03-04_\n" +
			"\n## DK002 make test needs LANG=C.UTF-8.\n\nmake test needs LANG=C.UTF-8.\n\n_discovery, new, 2026-03-04_\n" +
			"\n## FK003 The parser keeps its state in a table of 16 rows.\n\nThe parser keeps its state in a table of 16 rows.\n\n_fact, new, 2026-03-04, (parse.go:10-20)_\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestProjectionsHaveABound(t *testing.T) {
	t.Parallel()
	in := PackageInput{Project: "x", Now: noon}
	for i := range 100 {
		in.Notes = append(in.Notes, known(i, Fact, "", strings.Repeat("text ", 400)))
	}
	text := Projections(in, builtIn)[2].Text
	if len(text) > maxProjection || !strings.Contains(text, " notes did not fit.\n") || !strings.Contains(text, "FK000") {
		t.Errorf("%d bytes, ends %q", len(text), text[len(text)-60:])
	}
}

func TestWriteProjections(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	files := []File{{"STATE.md", "one\n"}, {"TASK.md", "two\n"}}
	if err := WriteProjections(top, files); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(filepath.Join(top, Folder, "STATE.md"))
	files[1].Text = "three\n"
	if err := WriteProjections(top, files); err != nil {
		t.Fatal(err)
	}
	got, err := ReadProjections(top)
	if diff := cmp.Diff(files, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if after, _ := os.Stat(filepath.Join(top, Folder, "STATE.md")); !os.SameFile(before, after) {
		t.Error("a file that did not change was written")
	}
	entries, _ := os.ReadDir(filepath.Join(top, Folder))
	var names []string
	for _, e := range entries {
		info, _ := e.Info()
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{".gitignore", "STATE.md", "TASK.md"}, names); diff != "" {
		t.Error(diff)
	}
	if info, _ := os.Stat(filepath.Join(top, Folder)); info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestGitIgnoresTheFolder(t *testing.T) {
	t.Parallel()
	top := repository(t, tempDir(t))
	if err := WriteProjections(top, []File{{"STATE.md", "x"}}); err != nil {
		t.Fatal(err)
	}
	if out := git(t, top, "status", "--porcelain"); out != "" {
		t.Errorf("git sees %q", out)
	}
	own := filepath.Join(top, Folder, ".gitignore")
	writeFile(t, own, "!agents\n")
	if err := WriteProjections(top, []File{{"STATE.md", "y"}}); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(own); string(b) != "!agents\n" {
		t.Errorf("a person's file became %q", b)
	}
}

// TestProjectionsStayInTheirFolder puts links in the way: nothing outside is
// written, and nothing outside is read.
func TestProjectionsStayInTheirFolder(t *testing.T) {
	t.Parallel()
	top, outside := tempDir(t), tempDir(t)
	target := filepath.Join(outside, "precious")
	writeFile(t, target, "keep")
	folder := filepath.Join(top, Folder)
	for _, to := range []string{outside, filepath.Join(top, "src"), target} {
		if err := os.Symlink(to, folder); err != nil {
			t.Fatal(err)
		}
		if err := WriteProjections(top, []File{{"STATE.md", "x"}}); !errors.Is(err, ErrProjection) {
			t.Errorf("link to %s: %v", to, err)
		}
		if err := Spool(top, Spooled{Op: "1", Verb: "remember", Body: []byte(`{}`)}, nil); !errors.Is(err, ErrProjection) {
			t.Errorf("link to %s: %v", to, err)
		}
		os.Remove(folder)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"STATE.md", "spool", "spool-draining"} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := ReadProjections(top); len(got) != 0 || err != nil {
		t.Errorf("read %+v %v", got, err)
	}
	if err := WriteProjections(top, []File{{"STATE.md", "x"}}); err != nil {
		t.Error(err)
	}
	if err := Spool(top, Spooled{Op: "1", Verb: "remember", Body: []byte(`{}`)}, nil); err == nil {
		t.Error("a link was spooled to")
	}
	if _, _, err := Drain(top, func(Spooled) error { return nil }); err == nil {
		t.Error("a link was drained")
	}
	if b, _ := os.ReadFile(target); string(b) != "keep" {
		t.Errorf("outside became %q", b)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "a file")
	if err := WriteProjections(top, nil); !errors.Is(err, ErrProjection) {
		t.Errorf("a file in the folder's place: %v", err)
	}
}

func TestProjectionsMayLieInAFolderOfTheirs(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	file := []File{{"handoffs/one.md", "do it\n"}}
	if err := WriteProjections(dir, file); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, Folder, "handoffs", "one.md")); err != nil || string(b) != "do it\n" {
		t.Errorf("%q, %v", b, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, Folder, "handoffs")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, Folder, "handoffs")); err != nil {
		t.Fatal(err)
	}
	if err := WriteProjections(dir, file); !errors.Is(err, ErrProjection) {
		t.Errorf("through a link: %v", err)
	}
	if list, _ := os.ReadDir(outside); len(list) > 0 {
		t.Errorf("written outside: %v", list)
	}
}
