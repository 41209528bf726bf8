package memory

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"time"

	bolt "go.etcd.io/bbolt"
)

// schema is the version of the layout below.
const schema = 1

// The buckets of memory.db. Keys are text, and joined without separators where all but
// the last part have a fixed length.
var (
	bucketMeta      = []byte("meta")       // schema, store, created → text
	bucketProjects  = []byte("projects")   // project → Project
	bucketAlias     = []byte("alias")      // "path:…", "remote:…", "root:…", "name:…" → project
	bucketItems     = []byte("items")      // note → Note
	bucketByProject = []byte("by_project") // project + kind + inverted time + note → nothing
	bucketHash      = []byte("hash")       // project + kind + hash of the normal wording → note
	bucketShort     = []byte("short")      // short id → note
	bucketRef       = []byte("ref")        // foreign id + NUL + project → note
	bucketTasks     = []byte("tasks")      // project + checkout + NUL + task → Task
	bucketEvents    = []byte("events")     // project + event → Event
	bucketRelations = []byte("relations")  // project + other project + type → Relation
	bucketHandoffs  = []byte("handoffs")   // project + hand-off → Handoff
	bucketIdem      = []byte("idem")       // operation → note, kept for a week
	bucketLog       = []byte("log")        // sequence → note; cut up to what the index has
)

var buckets = [][]byte{bucketMeta, bucketProjects, bucketAlias, bucketItems, bucketByProject, bucketHash, bucketShort, bucketRef,
	bucketTasks, bucketEvents, bucketRelations, bucketHandoffs, bucketIdem, bucketLog}

var (
	metaSchema  = []byte("schema")
	metaStore   = []byte("store")
	metaCreated = []byte("created")
)

// migrations[n] takes a store from schema n+1 to n+2, in the transaction that says so.
var migrations = []func(*bolt.Tx) error{}

// prepare makes the buckets of a new store and brings an older one up to date.
func prepare(tx *bolt.Tx, now time.Time) error {
	version, err := schemaOf(tx)
	if err != nil {
		return err
	}
	for _, name := range buckets {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	meta := tx.Bucket(bucketMeta)
	if version == 0 {
		if err := meta.Put(metaCreated, []byte(now.Format(time.RFC3339))); err != nil {
			return err
		}
		if err := meta.Put(metaStore, []byte(newID(now))); err != nil {
			return err
		}
		version = schema
	}
	for ; version < schema; version++ {
		if err := migrations[version-1](tx); err != nil {
			return fmt.Errorf("migrate memory from schema %d: %w", version, err)
		}
	}
	return meta.Put(metaSchema, fmt.Append(nil, schema))
}

// schemaOf is the schema a file was written with, 0 for an empty one.
func schemaOf(tx *bolt.Tx) (int, error) {
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return 0, fmt.Errorf("%w: it is no memory of deck", ErrForeign)
		}
		return 0, nil
	}
	var version int
	if _, err := fmt.Sscan(string(meta.Get(metaSchema)), &version); err != nil || version < 1 {
		return 0, fmt.Errorf("%w: it has no schema", ErrForeign)
	}
	if version > schema {
		return 0, fmt.Errorf("%w: schema %d, and this one knows %d", ErrNewer, version, schema)
	}
	return version, nil
}

// storeID tells stores apart. It changes when a backup takes a store's place,
// so that the index of what was there before is foreign.
func storeID(tx *bolt.Tx) string { return string(tx.Bucket(bucketMeta).Get(metaStore)) }

func put(b *bolt.Bucket, key []byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.Put(key, data)
}

func get[T any](b *bolt.Bucket, key []byte) (v T, found bool, err error) {
	data := b.Get(key)
	if data == nil {
		return v, false, nil
	}
	err = json.Unmarshal(data, &v)
	return v, true, err
}

// each decodes the values whose keys begin with prefix, in the order of the
// keys or from the last to the first, until f returns false.
func each[T any](b *bolt.Bucket, prefix []byte, backward bool, f func(T) bool) error {
	c := b.Cursor()
	next, k, v := c.Next, []byte(nil), []byte(nil)
	if backward {
		next = c.Prev
		k, v = seekLast(c, prefix)
	} else {
		k, v = c.Seek(prefix)
	}
	for ; k != nil && hasPrefix(k, prefix); k, v = next() {
		var t T
		// One value that cannot be read costs itself alone; doctor counts them.
		if json.Unmarshal(v, &t) == nil && !f(t) {
			return nil
		}
	}
	return nil
}

// seekLast finds the last key that begins with prefix, or the one before where it would be.
func seekLast(c *bolt.Cursor, prefix []byte) (k, v []byte) {
	end := append([]byte(nil), prefix...)
	if after, _ := c.Seek(append(end, 0xff)); after == nil {
		return c.Last()
	}
	return c.Prev()
}

func hasPrefix(k, prefix []byte) bool {
	return len(k) >= len(prefix) && string(k[:len(prefix)]) == string(prefix)
}

// byProjectKey sorts a project's notes of one kind from the newest to the oldest.
func byProjectKey(n Note) []byte {
	k := append([]byte(n.Project), n.Kind.letter()...)
	k = binary.BigEndian.AppendUint64(k, math.MaxInt64-uint64(n.Updated.UnixMilli()))
	return append(k, n.ID...)
}

func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

// logNote says that a note changed, for the index.
func logNote(tx *bolt.Tx, id ID) error {
	log := tx.Bucket(bucketLog)
	seq, err := log.NextSequence()
	if err != nil {
		return err
	}
	return log.Put(seqKey(seq), []byte(id))
}

// cutLog removes what the index has already, a bounded part at a time.
func cutLog(log *bolt.Bucket, applied uint64) error {
	c := log.Cursor()
	n := 0
	for k, _ := c.First(); k != nil && binary.BigEndian.Uint64(k) <= applied && n < 2000; k, _ = c.Next() {
		if err := c.Delete(); err != nil {
			return err
		}
		n++
	}
	return nil
}
