package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

func TestBackupsAreKeptForAWhile(t *testing.T) {
	t.Parallel()
	now := corpusDay
	s := openWith(t, Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	remember(t, s, project(t, s, "shop"), "red apples")
	for range keptBackups + 3 {
		now = now.Add(time.Hour)
		path, err := s.Backup(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := readable(path); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
	}
	list := s.Backups()
	if len(list) != keptBackups || backupTime(list[0]).After(backupTime(list[1])) {
		t.Errorf("%v", list)
	}
}

func TestCompactingKeepsEverything(t *testing.T) {
	t.Parallel()
	s, p := furnished(t)
	var big strings.Builder
	for i := range 600 {
		fmt.Fprintf(&big, `{"project":"ballast","text":"%d %s"}`+"\n", i, strings.Repeat("stone ", 50))
	}
	importText(t, s, big.String())
	if _, err := s.Forget(t.Context(), named(t, s, "ballast")); err != nil {
		t.Fatal(err)
	}
	before := export(t, s, ExportOptions{})
	size, err := s.Compact(t.Context())
	if err != nil || size.After >= size.Before/2 {
		t.Errorf("%+v %v", size, err)
	}
	if after := export(t, s, ExportOptions{}); body(after) != body(before) {
		t.Error("something changed")
	}
	settle(t, s)
	remember(t, s, p, "written afterwards")
	if res := search(t, s, Query{Text: "written afterwards", Project: p}); res.Scan || len(res.Hits) == 0 {
		t.Errorf("%+v", res)
	}
	if info, err := os.Stat(s.path(fileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// TestWhoWaitsForTheMemoryNeverGetsAnOldFile compacts while another process would open it.
func TestWhoWaitsForTheMemoryNeverGetsAnOldFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, dir)
	p := project(t, s, "shop")
	opened := make(chan error, 1)
	go func() {
		other, err := Open(Options{Dir: dir, Wait: 300 * time.Millisecond})
		if err == nil {
			other.Close()
		}
		opened <- err
	}()
	for i := 0; ; i++ {
		select {
		case err := <-opened:
			if !errors.Is(err, ErrInUse) {
				t.Errorf("two have the memory: %v", err)
			}
			return
		default:
		}
		if _, err := s.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Note(remember(t, s, p, fmt.Sprint("note ", i)).Short); err != nil || n.Project != p {
			t.Fatalf("%+v %v", n, err)
		}
	}
}

func TestBackupsDoNotMeet(t *testing.T) {
	t.Parallel()
	s := openWith(t, Options{Dir: t.TempDir(), Now: func() time.Time { return corpusDay }})
	remember(t, s, project(t, s, "shop"), "red apples")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.Backup(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// problems are the names of the checks that are not fine.
func problems(t testing.TB, s *Store, fix bool) (out []string) {
	t.Helper()
	settle(t, s)
	checks, err := s.Doctor(t.Context(), fix)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !c.OK && !c.Fixed {
			out = append(out, c.Name+": "+c.Detail)
		}
	}
	return out
}

func TestDoctorFindsAndRepairs(t *testing.T) {
	t.Parallel()
	s, p := furnished(t)
	if _, err := s.Backup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if bad := problems(t, s, false); len(bad) > 0 {
		t.Fatal(bad)
	}
	n, err := s.Note("l06")
	if err != nil {
		t.Fatal(err)
	}
	secret := "AKIA" + "QX7TYUIZPASDFGH2"
	err = s.update(t.Context(), func(tx *bolt.Tx) error {
		for _, err := range []error{
			tx.Bucket(bucketByProject).Delete(byProjectKey(n)),
			tx.Bucket(bucketShort).Delete([]byte(n.Short)),
			tx.Bucket(bucketAlias).Put([]byte("name:ghost"), []byte("01ARZ3NDEKTSV4RRFFQ69G5FAV")),
			put(tx.Bucket(bucketItems), []byte(n.ID), func() Note { m := n; m.Text += " " + secret; return m }()),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"x.tmp", filepath.Join(backupDir, "y.db.tmp")} {
		if err := os.WriteFile(s.path(f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(s.path(fileName), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := strings.Join(problems(t, s, false), "\n")
	for _, name := range []string{"lists", "names", "secrets", "leftovers", "permissions"} {
		if !strings.Contains(bad, name+": ") {
			t.Errorf("%s is not among\n%s", name, bad)
		}
	}
	if left := problems(t, s, true); len(left) > 0 {
		t.Errorf("not repaired: %v", left)
	}
	if left := problems(t, s, false); len(left) > 0 {
		t.Errorf("still wrong: %v", left)
	}
	if got, err := s.Note(n.Short); err != nil || strings.Contains(got.Text, secret) {
		t.Errorf("%+v %v", got, err)
	}
	if list, err := s.Notes(Listing{Project: p, Kinds: []Kind{Fact}}); err != nil || len(list) != 7 {
		t.Errorf("%d facts, %v", len(list), err)
	}
}

// TestDoctorTakesSecretsOutOfAllThatIsStored has them where a rule came too late.
func TestDoctorTakesSecretsOutOfAllThatIsStored(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	word := "bluebird says"
	remember(t, s, p, word)
	for _, err := range []error{
		s.AddEvent(t.Context(), Event{Project: p, Text: word}),
		second(s.UpdateTask(t.Context(), TaskUpdate{Project: p, Task: &word, Status: &word, Branch: word})),
		second(s.PutHandoff(t.Context(), Handoff{Project: p, Title: word, Text: word})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	rules, err := NewRedactor(RedactRules{Patterns: map[string]string{"bird": "bluebird"}})
	if err != nil {
		t.Fatal(err)
	}
	s.SetRedact(rules)
	if bad := strings.Join(problems(t, s, false), "\n"); !strings.Contains(bad, "secrets: something looks like a secret in 7 records") {
		t.Errorf("found: %s", bad)
	}
	problems(t, s, true)
	for _, b := range [][]byte{bucketItems, bucketTasks, bucketEvents, bucketHandoffs} {
		err := s.view(func(tx *bolt.Tx) error {
			return tx.Bucket(b).ForEach(func(_, v []byte) error {
				if strings.Contains(string(v), "bluebird") {
					t.Errorf("%s: %s", b, v)
				}
				return nil
			})
		})
		if err != nil {
			t.Error(err)
		}
	}
	if bad := problems(t, s, false); len(bad) > 0 {
		t.Error(bad)
	}
}

// TestDoctorMendsWhatCanBeRead has a page that is neither in use nor free.
func TestDoctorMendsWhatCanBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, dir)
	n := remember(t, s, project(t, s, "shop"), "the moon is far")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	loseFreePage(t, filepath.Join(dir, fileName))
	s = openTest(t, dir)
	if bad := problems(t, s, false); len(bad) == 0 || !strings.HasPrefix(bad[0], "file: ") {
		t.Fatalf("%q", bad)
	}
	if bad := problems(t, s, true); len(bad) > 0 {
		t.Errorf("not repaired: %q", bad)
	}
	if bad := problems(t, s, false); len(bad) > 0 {
		t.Errorf("still wrong: %q", bad)
	}
	if got, err := s.Note(n.Short); err != nil || got.Text != n.Text {
		t.Errorf("%+v %v", got, err)
	}
}

// loseFreePage takes a page out of a file's list of free ones.
func loseFreePage(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	at := func(offset int64, size int) []byte {
		b := make([]byte, size)
		if _, err := f.ReadAt(b, offset); err != nil {
			t.Fatal(err)
		}
		return b
	}
	const freelist, txid = 48, 64 // in a meta page
	page := int64(os.Getpagesize())
	meta := int64(0)
	if binary.NativeEndian.Uint64(at(page+txid, 8)) > binary.NativeEndian.Uint64(at(txid, 8)) {
		meta = page
	}
	list := int64(binary.NativeEndian.Uint64(at(meta+freelist, 8))) * page
	count := binary.NativeEndian.Uint16(at(list+10, 2))
	if count == 0 {
		t.Fatal("no page is free")
	}
	if _, err := f.WriteAt(binary.NativeEndian.AppendUint16(nil, count-1), list+10); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorRestoresTheBackupOfADamagedFile(t *testing.T) {
	t.Parallel()
	s, p := furnished(t)
	if _, err := s.Backup(t.Context()); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	f, err := os.OpenFile(s.path(fileName), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := f.Stat()
	if _, err := f.WriteAt([]byte(strings.Repeat("garbage!", int(info.Size()-8192)/8)), 8192); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := s.Note("l06"); err == nil {
		t.Error("a damaged file can be read")
	}
	checks, _ := s.Doctor(t.Context(), true)
	if len(checks) == 0 || checks[0].Name != "file" || !checks[0].Fixed {
		t.Fatalf("%+v", checks)
	}
	if n, err := s.Note("l06"); err != nil || n.Project != p {
		t.Errorf("%+v %v", n, err)
	}
	if n := indexed(t, s); n != 39 {
		t.Errorf("%d notes in the index", n)
	}
}
