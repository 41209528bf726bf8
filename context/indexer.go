package memory

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	bolt "go.etcd.io/bbolt"
)

const (
	// indexPause is how long the index waits for more writes after one, unless someone reads.
	indexPause = 20 * time.Millisecond
	// indexBatch is how many changes are brought in at once.
	indexBatch = 1000
	// retryAfter is the pause after the index could not be built, as on a full disk.
	retryAfter = 30 * time.Second
	// openWait is how long a search waits for an index that is being opened, and
	// lagWait for one that has to take in the last writes.
	openWait = time.Second
	lagWait  = 200 * time.Millisecond
)

// indexer keeps the index equal to the store. Its loop is the only one that writes to the index.
type indexer struct {
	s       *Store
	applied atomic.Uint64 // the log sequence the index has on disk
	wakeup  chan struct{}
	urgent  chan struct{} // someone waits
	rebuild chan struct{} // asked for
	asked   atomic.Uint64 // how often
	done    atomic.Uint64 // up to which of these it was tried

	mu      sync.RWMutex
	index   *index        // guarded by mu; nil while there is none
	opening bool          // guarded by mu; it will be there in a moment
	news    chan struct{} // guarded by mu; closed at every change of the above and of applied
}

func newIndexer(s *Store) *indexer {
	return &indexer{s: s, wakeup: make(chan struct{}, 1), urgent: make(chan struct{}, 1), rebuild: make(chan struct{}, 1),
		opening: true, news: make(chan struct{})}
}

func notify(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

func (x *indexer) wake() { notify(x.wakeup) }

// set changes what searches see.
func (x *indexer) set(f func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f()
	close(x.news)
	x.news = make(chan struct{})
}

func (x *indexer) loop() {
	defer x.drop()
	takeStandardLog(x.s.opt.Log)
	if x.s.readOnly.Load() {
		x.set(func() { x.opening = false })
		return
	}
	err := x.open()
	if err != nil && x.small() {
		// Sooner built than searched without.
		x.s.opt.Log.Info("the index is built anew", "err", err)
		err = x.build()
	}
	x.set(func() { x.opening = false })
	built := false // and not yet seen to work
	for {
		if err != nil {
			x.s.opt.Log.Warn("the index is built anew", "err", err)
			err, built = x.build(), true
		}
		if err == nil {
			err = x.catchUp()
		}
		switch {
		case x.closing():
			return
		case err == nil:
			built = false
			err = x.wait()
		case built:
			x.s.opt.Log.Error("the index cannot be built", "err", err)
			x.drop()
			x.pause()
		}
	}
}

// anew has the index built, and returns when that is done.
func (x *indexer) anew(ctx context.Context) error {
	want := x.asked.Add(1)
	notify(x.rebuild)
	for {
		x.mu.RLock()
		news, idx := x.news, x.index
		x.mu.RUnlock()
		if x.done.Load() >= want {
			if idx == nil {
				return errIndex
			}
			return nil
		}
		select {
		case <-news:
		case <-x.s.closed:
			return errIndex
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// small reports whether an index of the store is built in less time than a search would wait for it.
func (x *indexer) small() bool {
	n := 0
	_ = x.s.view(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucketItems).Cursor()
		for k, _ := c.First(); k != nil && n <= indexBatch; k, _ = c.Next() {
			n++
		}
		return nil
	})
	return n <= indexBatch
}

func (x *indexer) closing() bool {
	select {
	case <-x.s.closed:
		return true
	default:
		return false
	}
}

// wait returns when there is something to do, and an error when the index is to be built anew.
func (x *indexer) wait() error {
	select {
	case <-x.s.closed:
		return nil
	case <-x.rebuild:
		return errIndex
	case <-x.wakeup:
	}
	select {
	case <-x.s.closed:
	case <-x.urgent:
	case <-time.After(indexPause):
	}
	return nil
}

// pause waits before the next attempt to build the index.
func (x *indexer) pause() {
	select {
	case <-x.s.closed:
	case <-x.rebuild:
	case <-time.After(retryAfter):
	}
}

// drop takes the index away from searches and closes it.
func (x *indexer) drop() {
	var old *index
	x.set(func() { old, x.index = x.index, nil })
	if old != nil {
		old.close()
	}
}

// open opens the index that is there, if it belongs to the store and the log still
// has all that it lacks.
func (x *indexer) open() error {
	dir := x.s.path(indexDir)
	x.sweep()
	if _, err := os.Stat(filepath.Join(dir, "root.bolt")); err != nil {
		return err
	}
	idx, err := openIndex(dir)
	if err != nil {
		return err
	}
	st, err := idx.stamp()
	if err == nil {
		err = x.s.view(func(tx *bolt.Tx) error { return fits(tx, st) })
	}
	if err != nil {
		idx.close()
		return err
	}
	x.applied.Store(st.Seq)
	x.set(func() { x.index = idx })
	return nil
}

// sweep removes what a build that was killed left behind.
func (x *indexer) sweep() {
	left, _ := filepath.Glob(x.s.path("scorch-offline-build*"))
	for _, dir := range append(left, x.s.path(indexDir+".new"), x.s.path(indexDir+".old")) {
		_ = os.RemoveAll(dir)
	}
}

// fits reports whether an index with this stamp can be brought up to date from the log.
func fits(tx *bolt.Tx, st stamp) error {
	log := tx.Bucket(bucketLog)
	switch {
	case st.Store != storeID(tx), st.Version != thisVersion(), st.Seq > log.Sequence():
		return errIndex
	case st.Seq == log.Sequence():
		return nil
	}
	k, _ := log.Cursor().First()
	if k == nil || binary.BigEndian.Uint64(k) > st.Seq+1 {
		return errIndex
	}
	return nil
}

// catchUp brings in what the log has after the index's sequence.
func (x *indexer) catchUp() error {
	for !x.closing() {
		if !x.index.intact() {
			return errIndex
		}
		notes, st, err := x.pending()
		if err != nil || st.Seq == x.applied.Load() {
			return err
		}
		if err := x.index.apply(notes, st); err != nil {
			return err
		}
		x.set(func() { x.applied.Store(st.Seq) })
	}
	return nil
}

// pending are the next changed notes, and the stamp of an index that has them.
func (x *indexer) pending() (notes map[ID]*Note, st stamp, err error) {
	notes = map[ID]*Note{}
	st.Seq = x.applied.Load()
	err = x.s.view(func(tx *bolt.Tx) error {
		st.Store, st.Version = storeID(tx), thisVersion()
		c := tx.Bucket(bucketLog).Cursor()
		n := 0
		for k, v := c.Seek(seqKey(st.Seq + 1)); k != nil && n < indexBatch; k, v = c.Next() {
			st.Seq = binary.BigEndian.Uint64(k)
			n++
			note, err := noteOf(tx, ID(v))
			if err != nil {
				notes[ID(v)] = nil
				continue
			}
			notes[ID(v)] = &note
		}
		return nil
	})
	return notes, st, err
}

// build makes a new index of the whole store beside the old one, and puts it in
// its place. Searches read the store meanwhile if the old one is gone.
func (x *indexer) build() error {
	asked := x.asked.Load()
	defer x.set(func() { x.done.Store(asked) })
	x.drop()
	x.applied.Store(0)
	x.sweep()
	fresh := x.s.path(indexDir + ".new")
	st, err := x.fill(fresh)
	if err != nil {
		return err
	}
	dir := x.s.path(indexDir)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return err
	}
	idx, err := openIndex(dir)
	if err != nil {
		return err
	}
	x.set(func() {
		x.index = idx
		x.applied.Store(st.Seq)
	})
	return nil
}

// fill writes all notes into a new index.
func (x *indexer) fill(dir string) (st stamp, err error) {
	empty := true
	err = x.s.view(func(tx *bolt.Tx) error {
		st = stamp{Store: storeID(tx), Version: thisVersion(), Seq: tx.Bucket(bucketLog).Sequence()}
		k, _ := tx.Bucket(bucketItems).Cursor().First()
		empty = k == nil
		return nil
	})
	if err != nil {
		return st, err
	}
	if empty {
		idx, err := openIndex(dir)
		if err != nil {
			return st, err
		}
		defer idx.close()
		return st, idx.apply(nil, st)
	}
	data, err := json.Marshal(st)
	if err != nil {
		return st, err
	}
	b, err := scorch.NewBuilder(map[string]any{
		"path": dir, "buildPathPrefix": x.s.opt.Dir, "batchSize": indexBatch,
		"internal": map[string][]byte{string(stampKey): data},
	})
	if err != nil {
		return st, err
	}
	if err := x.fillNotes(b); err != nil {
		return st, err
	}
	return st, guard(b.Close)
}

// fillNotes reads the notes in short transactions, so that writers need not
// keep old pages for it. What changes meanwhile is in the log.
func (x *indexer) fillNotes(b *scorch.Builder) error {
	var last []byte
	for {
		var notes []Note
		err := x.s.view(func(tx *bolt.Tx) error {
			c := tx.Bucket(bucketItems).Cursor()
			k, v := c.Seek(last)
			for ; k != nil && len(notes) < indexBatch; k, v = c.Next() {
				var n Note
				if json.Unmarshal(v, &n) == nil && n.ID == ID(k) {
					notes = append(notes, n)
				}
				last = append(append([]byte(nil), k...), 0)
			}
			return nil
		})
		if err != nil || len(notes) == 0 {
			return err
		}
		for _, n := range notes {
			if x.closing() {
				return errIndex
			}
			var doc bleve.Document = documentOf(n)
			if err := guard(func() error { return b.Index(doc) }); err != nil {
				return err
			}
		}
	}
}

// use runs f with the index once it has everything that was written before the
// call. It reports false where there is no index, or where it does not come up to date in time.
func (x *indexer) use(ctx context.Context, f func(*index) error) (bool, error) {
	want := x.s.seq.Load()
	limit := time.NewTimer(lagWait)
	defer limit.Stop()
	for first := true; ; first = false {
		x.mu.RLock()
		idx, opening, news := x.index, x.opening, x.news
		if idx != nil && x.applied.Load() >= want {
			defer x.mu.RUnlock()
			return true, f(idx)
		}
		x.mu.RUnlock()
		if idx == nil && !opening {
			return false, nil
		}
		if first && opening {
			limit.Reset(openWait)
		}
		notify(x.urgent)
		select {
		case <-news:
		case <-limit.C:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// reach waits until the index has everything that was written before the call, as long as
// there is hope.
func (x *indexer) reach(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for want := x.s.seq.Load(); ; {
		x.mu.RLock()
		news, there := x.news, x.index != nil || x.opening
		x.mu.RUnlock()
		if !there || x.applied.Load() >= want {
			return
		}
		notify(x.urgent)
		select {
		case <-news:
		case <-x.s.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// peek runs f with the index as it is, if there is one.
func (x *indexer) peek(f func(*index) error) (bool, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.index == nil {
		return false, nil
	}
	return true, f(x.index)
}
