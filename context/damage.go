package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// emptyFor is how long a new file may be empty while another process makes it.
const emptyFor = 10 * time.Second

// openFile opens memory.db. One that cannot be read is put aside, and the newest backup
// that can be read takes its place.
func (s *Store) openFile() error {
	err := s.tryOpen()
	if !errors.Is(err, ErrDamaged) {
		return err
	}
	bad := fmt.Sprintf("%s.bad-%s", fileName, s.now().Format("20060102-150405.000"))
	s.opt.Log.Error("memory is damaged", "err", err, "aside", bad)
	if err := os.Rename(s.path(fileName), s.path(bad)); err != nil {
		return fmt.Errorf("%w, and the file cannot be put aside: %w", ErrDamaged, err)
	}
	for _, name := range slices.Backward(s.Backups()) {
		if s.restore(name) == nil {
			s.notices = append(s.notices, fmt.Sprintf("memory was damaged: the file is kept as %s, and the backup %s took its place",
				s.path(bad), name))
			return nil
		}
	}
	s.notices = append(s.notices, fmt.Sprintf("memory was damaged and there is no backup: the file is kept as %s, and memory begins anew", s.path(bad)))
	return s.tryOpen()
}

// restore puts a copy of a backup in the place of memory.db, which is not there, and opens it.
func (s *Store) restore(backup string) error {
	data, err := os.ReadFile(s.path(backupDir, backup))
	if err != nil {
		return err
	}
	if err := writeSynced(s.path(fileName), data); err != nil {
		return err
	}
	if err := s.tryOpen(); err != nil {
		_ = os.Remove(s.path(fileName))
		return err
	}
	return guard(func() error {
		return s.db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket(bucketMeta).Put(metaStore, []byte(newID(s.now())))
		})
	})
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// tryOpen opens memory.db and reads all of it once. A folder that cannot be
// written is opened for reading.
func (s *Store) tryOpen() error {
	info, err := os.Lstat(s.path(fileName))
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no file", ErrUnavailable, s.path(fileName))
	}
	fresh := errors.Is(err, fs.ErrNotExist)
	if err == nil && info.Size() == 0 && s.opt.Now().Sub(info.ModTime()) > emptyFor {
		return fmt.Errorf("%w: the file is empty", ErrDamaged)
	}
	err = guard(func() error { return s.openBolt(s.path(fileName), false) })
	if isReadOnly(err) && !fresh {
		if err = guard(func() error { return s.openBolt(s.path(fileName), true) }); err == nil {
			s.readOnly.Store(true)
			s.notices = append(s.notices, s.opt.Dir+" cannot be written: memory can be read, and nothing is remembered")
		}
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("%w: %s", ErrInUse, s.path(fileName))
	case errors.Is(err, ErrNewer), errors.Is(err, ErrDamaged), errors.Is(err, ErrForeign):
		return err
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

func (s *Store) openBolt(path string, readOnly bool) (err error) {
	var db *bolt.DB
	defer func() {
		// A panic passes by here with the file open.
		if s.db == nil && db != nil {
			_ = db.Close()
		}
	}()
	db, err = openThere(path, &bolt.Options{
		Timeout:         s.opt.Wait,
		ReadOnly:        readOnly,
		FreelistType:    bolt.FreelistMapType,
		InitialMmapSize: 1 << 28, // so that a long reading does not hold up a growing file
	})
	if err != nil {
		return err
	}
	db.AllocSize = 1 << 20 // by how much the file grows
	if err := db.View(readAll(path)); err != nil {
		return err
	}
	if !readOnly {
		if err := s.migrate(db); err != nil {
			return err
		}
	}
	var seq uint64
	err = db.View(func(tx *bolt.Tx) error {
		if tx.Bucket(bucketLog) == nil {
			return fmt.Errorf("%w: it has no log", ErrDamaged)
		}
		seq = tx.Bucket(bucketLog).Sequence()
		return nil
	})
	if err != nil {
		return err
	}
	s.seq.Store(seq)
	s.db = db
	return nil
}

// maxOpens is how often a file may be replaced by its holder while one waits for it.
const maxOpens = 5

// openThere opens a file of bbolt. While the lock is waited for, its holder can put another
// file in its place, as compacting does; the one that is let go then is no memory any more.
func openThere(path string, o *bolt.Options) (*bolt.DB, error) {
	for range maxOpens {
		before, missing := os.Stat(path)
		db, err := bolt.Open(path, 0o600, o)
		if err != nil {
			return nil, err
		}
		after, err := os.Stat(path)
		if err == nil && (missing != nil || os.SameFile(before, after)) {
			return db, nil
		}
		_ = db.Close()
	}
	return nil, berrors.ErrTimeout
}

// migrate brings the schema up to date, after a backup of what was there.
func (s *Store) migrate(db *bolt.DB) error {
	version := 0
	err := db.View(func(tx *bolt.Tx) (err error) {
		version, err = schemaOf(tx)
		return err
	})
	if err != nil || version == schema {
		return err
	}
	if version > 0 {
		if err := ownFolder(s.path(backupDir)); err != nil {
			return err
		}
		err := db.View(func(tx *bolt.Tx) error { return tx.CopyFile(s.path(backupDir, backupName(s.now())), 0o600) })
		if err != nil {
			return err
		}
	}
	return db.Update(func(tx *bolt.Tx) error { return prepare(tx, s.now()) })
}

// readAll reads every page of a file that holds something, so that damage shows at
// once and not under a writer.
func readAll(path string) func(*bolt.Tx) error {
	return func(tx *bolt.Tx) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if size := tx.Size(); info.Size() < size {
			return fmt.Errorf("%w: the file has %d bytes of %d", ErrDamaged, info.Size(), size)
		}
		return tx.ForEach(func(_ []byte, b *bolt.Bucket) error { return readBucket(b) })
	}
}

func readBucket(b *bolt.Bucket) error {
	last := []byte(nil)
	return b.ForEach(func(k, v []byte) error {
		if last != nil && string(k) <= string(last) {
			return fmt.Errorf("%w: keys are out of order", ErrDamaged)
		}
		last = k
		if v == nil {
			if in := b.Bucket(k); in != nil {
				return readBucket(in)
			}
		}
		return nil
	})
}
