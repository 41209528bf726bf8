package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

// MaxText is how many characters of a text are kept.
const MaxText = 8000

// Options say where a store is and what it needs from outside.
type Options struct {
	Dir    string           // the data folder; made with mode 0700
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: nothing is logged
	Redact *Redactor        // what takes secrets out of texts; nil: the rules that are built in
	// Wait is how long Open waits for another process to let go of the folder; 0 means 2 s.
	Wait time.Duration
}

// Store is an open memory. All its methods may be called at the same time.
type Store struct {
	opt   Options
	rules atomic.Pointer[Redactor]

	mu       sync.RWMutex // guards db, which compaction and restoring swap
	db       *bolt.DB
	notices  []string // guarded by mu; what was found and done at the opening, for people
	readOnly atomic.Bool

	ids    *ids
	seq    atomic.Uint64 // the newest log sequence that is committed
	writes chan *txn
	closed chan struct{} // nothing new is begun
	ended  chan struct{} // nothing is written any more
	once   sync.Once
	wg     sync.WaitGroup
	index  *indexer
	saving sync.Mutex // one backup at a time
}

// txn is a change that waits for its transaction.
type txn struct {
	change func(*bolt.Tx) error
	done   chan error
}

// maxWrites is how many waiting changes share one transaction, and one fsync.
const maxWrites = 256

// Open opens the memory in a folder, making what is missing. A file that cannot be read
// is put aside and the newest backup takes its place; Notices says so. The
// index opens in the background, and until then searches read the store itself.
func Open(opt Options) (*Store, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Wait == 0 {
		opt.Wait = 2 * time.Second
	}
	s := &Store{opt: opt, ids: newIDs(), writes: make(chan *txn, maxWrites), closed: make(chan struct{}), ended: make(chan struct{})}
	s.SetRedact(opt.Redact)
	if err := ownFolder(opt.Dir); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := s.openFile(); err != nil {
		return nil, err
	}
	s.index = newIndexer(s)
	s.wg.Go(s.commitLoop)
	s.wg.Go(s.index.loop)
	s.wg.Go(s.upkeep)
	return s, nil
}

// Close ends the store after what is under way is done. The index need not be
// up to date: the next Open goes on where it stopped.
func (s *Store) Close() error {
	s.once.Do(func() { close(s.closed) })
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	err := s.db.Close()
	s.db = nil
	return err
}

// Notices are sentences for the person about what Open found and did: damage
// that was put aside, a backup that was restored, a folder that cannot be written.
func (s *Store) Notices() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.notices)
}

// ownFolder makes a folder that only its owner can read.
func ownFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		// A folder on a file system that cannot be written stays as it is.
		_ = os.Chmod(dir, 0o700)
	}
	return nil
}

func (s *Store) path(elem ...string) string {
	return filepath.Join(append([]string{s.opt.Dir}, elem...)...)
}

// now is the time in UTC, to the millisecond as ids have it.
func (s *Store) now() time.Time { return s.opt.Now().UTC().Truncate(time.Millisecond) }

// SetRedact changes what takes secrets out of the texts that come from now on;
// nil is the rules that are built in.
func (s *Store) SetRedact(r *Redactor) {
	if r == nil {
		r = builtIn
	}
	s.rules.Store(r)
}

// Redactor is what takes secrets out of texts at present.
func (s *Store) Redactor() *Redactor { return s.rules.Load() }

// redact takes the secrets out of a text and adds the names of the rules to found.
func (s *Store) redact(text string, found map[string]bool) string {
	out, list := s.rules.Load().Redact(text)
	for _, f := range list {
		found[f.Rule] = true
	}
	return out
}

// guard runs f, which touches mapped files, and makes an error of a panic: bbolt
// panics where a page is not what it should be, and a file that was cut
// faults when it is read.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return f()
}

// view runs f in a reading transaction.
func (s *Store) view(f func(*bolt.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	}
	return guard(func() error { return s.db.View(f) })
}

// update runs change in a writing transaction, together with those of others
// that wait at the same time, and returns when it is on the disk. A change that
// returns an error must not have changed anything.
func (s *Store) update(ctx context.Context, change func(*bolt.Tx) error) error {
	if s.readOnly.Load() {
		return fmt.Errorf("%w: %s cannot be written", ErrUnavailable, s.opt.Dir)
	}
	w := &txn{change, make(chan error, 1)}
	select {
	case <-s.closed:
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	default:
	}
	select {
	case s.writes <- w:
	case <-s.closed:
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.done:
		return err
	case <-s.ended:
	}
	select {
	case err := <-w.done:
		return err
	default:
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	}
}

// commitLoop is the only one that writes. It takes what waits, so that
// many writers share an fsync and one alone waits for nobody. bbolt's own Batch
// would run them in a goroutine where a panic ends the process.
func (s *Store) commitLoop() {
	defer close(s.ended)
	for {
		select {
		case <-s.closed:
			return
		case w := <-s.writes:
			batch := []*txn{w}
			for more := true; more && len(batch) < maxWrites; {
				select {
				case w := <-s.writes:
					batch = append(batch, w)
				default:
					more = false
				}
			}
			s.commit(batch)
		}
	}
}

func (s *Store) commit(batch []*txn) {
	errs := make([]error, len(batch))
	var seq uint64
	s.mu.RLock()
	err := guard(func() error {
		if s.db == nil {
			return errors.New("it is closed")
		}
		return s.db.Update(func(tx *bolt.Tx) error {
			for i, w := range batch {
				errs[i] = w.change(tx)
			}
			log := tx.Bucket(bucketLog)
			seq = log.Sequence()
			return cutLog(log, s.index.applied.Load())
		})
	})
	s.mu.RUnlock()
	if err != nil && !errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err == nil && seq > s.seq.Load() {
		s.seq.Store(seq)
		s.index.wake()
	}
	for i, w := range batch {
		if errs[i] == nil {
			errs[i] = err
		}
		w.done <- errs[i]
	}
}
