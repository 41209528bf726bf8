package memory

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// damages are what can happen to a file.
var damages = map[string]func(data []byte) []byte{
	"half of it is gone":   func(d []byte) []byte { d = bytes.TrimRight(d, "\x00"); return d[:len(d)/2/4096*4096] },
	"its end is gone":      func(d []byte) []byte { d = bytes.TrimRight(d, "\x00"); return d[:len(d)-5000] },
	"it is empty":          func([]byte) []byte { return nil },
	"it is something else": func([]byte) []byte { return []byte(strings.Repeat("not a database\n", 2000)) },
	"it is all zeroes":     func(d []byte) []byte { return make([]byte, len(d)) },
	"a page is garbage": func(d []byte) []byte {
		r := rand.New(rand.NewSource(1))
		for page := 2 * 4096; page+4096 <= len(d); page += 4096 {
			if flags := binary.LittleEndian.Uint16(d[page+8:]); flags == 1 || flags == 2 { // a branch or a leaf
				r.Read(d[page : page+4096])
			}
		}
		return d
	},
}

// damage makes memory.db of a closed store what f returns, as if long ago.
func damage(t testing.TB, dir string, f func([]byte) []byte) {
	t.Helper()
	path := filepath.Join(dir, fileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f(data), 0o600); err != nil {
		t.Fatal(err)
	}
	ago := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, ago, ago); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedFileIsPutAsideAndTheBackupTakesItsPlace(t *testing.T) {
	t.Parallel()
	for name, f := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const count = 300
			var texts strings.Builder
			for i := range count {
				fmt.Fprintf(&texts, `{"text":"fact %d about %s"}`+"\n", i, strings.Repeat("apples ", 20))
			}
			dir := t.TempDir()
			s := openTest(t, dir)
			p := project(t, s, "shop")
			if _, err := s.Import(t.Context(), strings.NewReader(texts.String()), ImportOptions{Project: p}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Backup(t.Context()); err != nil {
				t.Fatal(err)
			}
			remember(t, s, p, "after the backup")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			damage(t, dir, f)
			s = openTest(t, dir)
			if said := strings.Join(s.Notices(), "\n"); !strings.Contains(said, "damaged") || !strings.Contains(said, ".bad-") || !strings.Contains(said, "backup") {
				t.Errorf("notices: %q", said)
			}
			if bad, _ := filepath.Glob(filepath.Join(dir, "memory.db.bad-*")); len(bad) != 1 {
				t.Errorf("put aside: %v", bad)
			}
			if n := indexed(t, s); int(n) != count {
				t.Errorf("%d notes of %d", n, count)
			}
			if res := search(t, s, Query{Text: "fact 299"}); len(res.Hits) == 0 || res.Scan {
				t.Errorf("%+v", res)
			}
			remember(t, s, p, "and it goes on")
		})
	}
}

func TestADamagedFileWithoutABackup(t *testing.T) {
	t.Parallel()
	dir, _ := filled(t, "red apples")
	if err := os.RemoveAll(filepath.Join(dir, backupDir)); err != nil {
		t.Fatal(err)
	}
	damage(t, dir, damages["a page is garbage"])
	s := openTest(t, dir)
	if said := strings.Join(s.Notices(), "\n"); !strings.Contains(said, "no backup") {
		t.Errorf("notices: %q", said)
	}
	remember(t, s, project(t, s, "shop"), "a new beginning")
}

func TestADamagedBackupIsPassedOver(t *testing.T) {
	t.Parallel()
	dir, _ := filled(t, "red apples")
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, backupDir, backupName(time.Now().Add(time.Hour).UTC())), []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	damage(t, dir, damages["it is all zeroes"])
	s = openTest(t, dir)
	if n := indexed(t, s); n != 1 {
		t.Errorf("%d notes: %q", n, s.Notices())
	}
}

func TestAnotherProcessHoldsTheFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, dir)
	remember(t, s, project(t, s, "shop"), "red apples")
	if _, err := Open(Options{Dir: dir, Wait: 50 * time.Millisecond}); !errors.Is(err, ErrInUse) {
		t.Errorf("%v", err)
	}
	if bad, _ := filepath.Glob(filepath.Join(dir, "*.bad-*")); len(bad) > 0 {
		t.Errorf("put aside: %v", bad)
	}
}

func TestANewerStoreIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir, _ := filled(t, "red apples")
	path := filepath.Join(dir, fileName)
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Put(metaSchema, fmt.Append(nil, schema+1)) })
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	before, _ := os.ReadFile(path)
	if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrNewer) {
		t.Errorf("%v", err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the file changed")
	}
}

func TestAForeignDatabaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := bolt.Open(filepath.Join(dir, fileName), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("mine")); return err })
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
}

func TestWhatCannotBeAFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink("/dev/null", filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a link: %v", err)
	}
}
