package memory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	fileName    = "memory.db"
	backupDir   = "backup"
	indexDir    = "index"
	keptBackups = 7
	backupEvery = 24 * time.Hour
	// compactFrom is how many free bytes a file has, and at least half of it, before it is
	// compacted by itself.
	compactFrom = 16 << 20
)

func backupName(now time.Time) string { return "memory-" + now.Format("20060102-150405.000") + ".db" }

// backupTime is when a backup was made, by its name.
func backupTime(name string) time.Time {
	t, err := time.Parse("memory-20060102-150405.000.db", name)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Backups are the names of the backups, the oldest first.
func (s *Store) Backups() []string {
	entries, err := os.ReadDir(s.path(backupDir))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries { // sorted by name, and the name is the time
		if !backupTime(e.Name()).IsZero() {
			out = append(out, e.Name())
		}
	}
	return out
}

// Backup copies the store as it is at this moment into the backup folder and
// drops the oldest backups. It returns the copy's path.
func (s *Store) Backup(context.Context) (string, error) {
	s.saving.Lock()
	defer s.saving.Unlock()
	if err := ownFolder(s.path(backupDir)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	path := s.path(backupDir, backupName(s.now()))
	if err := s.copyTo(path + ".tmp"); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	syncFolder(s.path(backupDir))
	list := s.Backups()
	for _, name := range list[:max(0, len(list)-keptBackups)] {
		_ = os.Remove(s.path(backupDir, name))
	}
	return path, nil
}

// copyTo writes the store to a new file and syncs it.
func (s *Store) copyTo(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	err = s.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(f)
		return err
	})
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// backupDue reports whether the store changed since the newest backup and that is old enough.
func (s *Store) backupDue(every time.Duration) bool {
	info, err := os.Stat(s.path(fileName))
	if err != nil || s.readOnly.Load() || s.seq.Load() == 0 {
		return false
	}
	list := s.Backups()
	if len(list) == 0 {
		return true
	}
	last := backupTime(list[len(list)-1])
	return s.now().Sub(last) >= every && info.ModTime().After(last)
}

// upkeep makes the daily backups and compacts a file that has become mostly air.
func (s *Store) upkeep() {
	if free, size := s.air(); free > compactFrom && 2*free > size {
		if _, err := s.Compact(context.Background()); err != nil {
			s.opt.Log.Error("memory cannot be compacted", "err", err)
		}
	}
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if s.backupDue(backupEvery) {
			if _, err := s.Backup(context.Background()); err != nil {
				s.opt.Log.Error("memory cannot be backed up", "err", err)
			}
		}
		select {
		case <-s.closed:
			return
		case <-tick.C:
		}
	}
}

// air is how many bytes of the file are free, and its size.
func (s *Store) air() (free, size int64) {
	_ = s.view(func(tx *bolt.Tx) error {
		st := tx.DB().Stats()
		free = int64(st.FreePageN+st.PendingPageN) * int64(tx.DB().Info().PageSize)
		size = tx.Size()
		return nil
	})
	return free, size
}

// Sizes are a file's bytes before and after something.
type Sizes struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Compact writes the file anew without its free pages. Everything else waits meanwhile.
func (s *Store) Compact(context.Context) (Sizes, error) {
	if s.readOnly.Load() {
		return Sizes{}, fmt.Errorf("%w: %s cannot be written", ErrUnavailable, s.opt.Dir)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return Sizes{}, fmt.Errorf("%w: it is closed", ErrUnavailable)
	}
	before, err := os.Stat(s.path(fileName))
	if err != nil {
		return Sizes{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	fresh := s.path(fileName + ".compact")
	_ = os.Remove(fresh)
	if err := guard(func() error { return compactTo(s.db, fresh) }); err != nil {
		_ = os.Remove(fresh)
		return Sizes{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	after, err := os.Stat(fresh)
	if err != nil {
		return Sizes{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := s.swap(fresh); err != nil {
		_ = os.Remove(fresh)
		return Sizes{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return Sizes{before.Size(), after.Size()}, nil
}

// swap puts a file in the place of memory.db. It is held before it is there, so that no other
// process takes it meanwhile, and what was there is let go last.
func (s *Store) swap(fresh string) error {
	old := s.db
	s.db = nil
	err := guard(func() error { return s.openBolt(fresh, false) })
	if err == nil {
		err = os.Rename(fresh, s.path(fileName))
	}
	if err != nil {
		if s.db != nil {
			_ = s.db.Close()
		}
		s.db = old
		return err
	}
	syncFolder(s.opt.Dir)
	_ = old.Close()
	return nil
}

// syncFolder has the names in a folder outlive a loss of power, where the file system can.
func syncFolder(dir string) {
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	_ = f.Sync()
}

func compactTo(src *bolt.DB, path string) error {
	dst, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = bolt.Compact(dst, src, 1<<20)
	if err == nil {
		err = dst.Sync()
	}
	return firstError(err, dst.Close())
}

// leftovers are files that a killed process left in the data folder, and those
// that damage was put aside in.
func (s *Store) leftovers() (stale, aside []string) {
	for _, pattern := range []string{"*.tmp", "*.compact", filepath.Join(backupDir, "*.tmp")} {
		found, _ := filepath.Glob(s.path(pattern))
		stale = append(stale, found...)
	}
	found, _ := filepath.Glob(s.path(fileName + ".bad-*"))
	for _, f := range found {
		aside = append(aside, strings.TrimPrefix(f, s.opt.Dir+string(filepath.Separator)))
	}
	return stale, aside
}
