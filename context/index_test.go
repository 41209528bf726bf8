package memory

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// records collects log lines.
type logLines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// filled makes a folder with a store of some notes, closed and indexed.
func filled(t testing.TB, texts ...string) (dir string, notes []Note) {
	t.Helper()
	dir = t.TempDir()
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	p := project(t, s, "shop")
	for _, text := range texts {
		notes = append(notes, remember(t, s, p, text))
	}
	settle(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, notes
}

// reopened opens a folder again and checks that the index finds each note.
func reopened(t testing.TB, dir string, notes []Note) (*Store, string) {
	t.Helper()
	var lines logLines
	s := openWith(t, Options{Dir: dir, Log: slog.New(slog.NewTextHandler(&lines, nil))})
	if n := indexed(t, s); int(n) != len(notes) {
		t.Fatalf("%d notes in the index of %d", n, len(notes))
	}
	for _, n := range notes {
		res := search(t, s, Query{Text: n.Text})
		if res.Scan || len(res.Hits) == 0 || res.Hits[0].ID != n.ID {
			t.Errorf("%q is not found, scan %v", n.Text, res.Scan)
		}
	}
	return s, lines.String()
}

func TestAnIndexIsUsedAgain(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples", "green pears")
	_, said := reopened(t, dir, notes)
	if strings.Contains(said, "built anew") {
		t.Error(said)
	}
}

func TestAnIndexThatLagsCatchesUp(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples", "green pears")
	old := filepath.Join(t.TempDir(), "index")
	if err := os.CopyFS(old, os.DirFS(filepath.Join(dir, indexDir))); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	notes = append(notes, remember(t, s, notes[0].Project, "blue plums"))
	// The log is cut up to what the index has on disk, so the older index still fits.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, indexDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, filepath.Join(dir, indexDir)); err != nil {
		t.Fatal(err)
	}
	if _, said := reopened(t, dir, notes); strings.Contains(said, "built anew") {
		t.Error(said)
	}
}

func TestAForeignIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples", "green pears")
	other, _ := filled(t, "one", "two", "three")
	if err := os.RemoveAll(filepath.Join(dir, indexDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, indexDir), os.DirFS(filepath.Join(other, indexDir))); err != nil {
		t.Fatal(err)
	}
	if _, said := reopened(t, dir, notes); !strings.Contains(said, "built anew") {
		t.Error("nothing was said")
	}
}

// TestADamagedIndexIsBuiltAnew damages each file of an index in each way.
func TestADamagedIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	damages := map[string]func(data []byte) []byte{
		"cut":     func(d []byte) []byte { return d[:min(len(d)/2, 9000)] },
		"empty":   func([]byte) []byte { return nil },
		"zeroes":  func(d []byte) []byte { return make([]byte, len(d)) },
		"garbage": func(d []byte) []byte { copy(d[len(d)/2:], strings.Repeat("garbage", 4)); return d },
	}
	for _, pattern := range []string{"*.zap", "root.bolt"} {
		for name, damage := range damages {
			t.Run(pattern+" "+name, func(t *testing.T) {
				t.Parallel()
				if pattern == "root.bolt" && name == "garbage" {
					t.Skip("an unused page")
				}
				dir, notes := filled(t, "red apples", "green pears", "blue plums")
				files, _ := filepath.Glob(filepath.Join(dir, indexDir, pattern))
				if len(files) == 0 {
					t.Fatal("no file")
				}
				for _, file := range files {
					data, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, damage(data), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				// scorch may fall back to an older state, which the log completes.
				reopened(t, dir, notes)
			})
		}
		t.Run(pattern+" missing", func(t *testing.T) {
			t.Parallel()
			dir, notes := filled(t, "red apples", "green pears", "blue plums")
			files, _ := filepath.Glob(filepath.Join(dir, indexDir, pattern))
			for _, file := range files {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			reopened(t, dir, notes)
		})
	}
}

func TestAnIndexThatGoesWhileItIsUsedIsBuiltAnew(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples")
	s, _ := reopened(t, dir, notes)
	if err := os.RemoveAll(filepath.Join(dir, indexDir)); err != nil {
		t.Fatal(err)
	}
	notes = append(notes, remember(t, s, notes[0].Project, "yellow lemons"))
	if res := search(t, s, Query{Text: "lemons"}); len(res.Hits) != 1 {
		t.Errorf("%+v", res)
	}
	if n := indexed(t, s); int(n) != len(notes) {
		t.Errorf("%d notes in the index", n)
	}
	if _, err := os.Stat(filepath.Join(dir, indexDir, "root.bolt")); err != nil {
		t.Error(err)
	}
}

func TestForgottenNotesLeaveTheIndex(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples", "green pears")
	s, _ := reopened(t, dir, notes)
	if n, err := s.Forget(t.Context(), notes[0].Project); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if n := indexed(t, s); n != 0 {
		t.Errorf("%d notes in the index", n)
	}
	if res := search(t, s, Query{Text: "apples"}); len(res.Hits) != 0 || res.Searched != 0 {
		t.Errorf("%+v", res)
	}
	if _, err := s.Note(string(notes[0].ID)); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestTheLogIsCut(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples")
	s, _ := reopened(t, dir, notes)
	for i := range 5 {
		remember(t, s, notes[0].Project, strings.Repeat("x", i+3))
		settle(t, s)
	}
	left := 0
	_ = s.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketLog).ForEach(func(_, _ []byte) error { left++; return nil })
	})
	if left > 1 {
		t.Errorf("%d entries are left", left)
	}
}

func TestBleveWritesToTheLog(t *testing.T) {
	t.Parallel()
	var lines logLines
	w := logWriter{slog.New(slog.NewTextHandler(&lines, nil))}
	if n, err := w.Write([]byte("bleve is\nunhappy\n")); n != 17 || err != nil || !strings.Contains(lines.String(), `said="bleve is unhappy"`) {
		t.Errorf("%d %v %s", n, err, lines.String())
	}
}

func TestOneNoteThatCannotBeReadCostsItself(t *testing.T) {
	t.Parallel()
	dir, notes := filled(t, "red apples", "green pears")
	s, _ := reopened(t, dir, notes)
	err := s.update(t.Context(), func(tx *bolt.Tx) error {
		if err := tx.Bucket(bucketItems).Put([]byte(notes[0].ID), []byte("{")); err != nil {
			return err
		}
		return logNote(tx, notes[0].ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.Notes(Listing{Project: notes[0].Project}); err != nil || len(list) != 1 {
		t.Errorf("%d notes, %v", len(list), err)
	}
	if res := search(t, s, Query{Text: "green pears"}); len(res.Hits) != 1 {
		t.Errorf("%+v", res)
	}
	checks, err := s.Doctor(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.Name == "notes" && c.OK {
			data, _ := json.Marshal(checks)
			t.Errorf("doctor did not see it: %s", data)
		}
	}
}
