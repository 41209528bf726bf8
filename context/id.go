package memory

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// crockford is the alphabet of ULIDs: no letter that reads like another.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// minShort is how many letters follow the kind's letter in a short id.
const minShort = 4

// newID makes an id of the time t.
func newID(t time.Time) ID {
	return ID(ulid.MustNew(ulid.Timestamp(t), rand.Reader).String())
}

// firstID is before all ids of the time t.
func firstID(t time.Time) ID {
	var u ulid.ULID
	_ = u.SetTime(ulid.Timestamp(t)) // what is too far ahead for an id has none before it
	return ID(u.String())
}

// ids makes ids that are in the order in which they were made, also those of one
// millisecond, as long as the clock does not go back.
type ids struct {
	mu      sync.Mutex
	newest  uint64                 // guarded by mu: milliseconds
	entropy *ulid.MonotonicEntropy // guarded by mu
}

func newIDs() *ids { return &ids{entropy: ulid.Monotonic(rand.Reader, 0)} }

// make makes one of the time t. What is of an earlier time, as imports are, is not in
// the way of those that are made now.
func (m *ids) make(t time.Time) ID {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := ulid.Timestamp(t)
	if now < m.newest {
		return newID(t)
	}
	m.newest = now
	return ID(ulid.MustNew(now, m.entropy).String())
}

// ParseID reads a whole id.
func ParseID(s string) (ID, error) {
	id, err := ulid.ParseStrict(s)
	if err != nil {
		return "", fmt.Errorf("%w: id %q", ErrInvalid, s)
	}
	return ID(id.String()), nil
}

// Time is when the id was made, to the millisecond.
func (id ID) Time() time.Time {
	u, err := ulid.ParseStrict(string(id))
	if err != nil {
		return time.Time{}
	}
	return ulid.Time(u.Time()).UTC()
}

// letter begins the short ids of a kind.
func (k Kind) letter() string {
	switch k {
	case Decision:
		return "D"
	case Discovery:
		return "X"
	default:
		return "F"
	}
}

// shortID is the first short id of a note that is not taken.
func shortID(k Kind, id ID, taken func(string) bool) string {
	sum := sha256.Sum256([]byte(id))
	letters := k.letter() + base32.NewEncoding(crockford).WithPadding(base32.NoPadding).EncodeToString(sum[:])
	for n := 1 + minShort; n < len(letters); n++ {
		if !taken(letters[:n]) {
			return letters[:n]
		}
	}
	return letters
}

// typedID is what a person may have meant by the letters of an id.
func typedID(s string) string {
	return strings.NewReplacer("O", "0", "I", "1", "L", "1", "U", "V").Replace(strings.ToUpper(strings.TrimSpace(s)))
}

// LookupError says that an id or a name fits no note or project, or several.
type LookupError struct {
	Err  error    // ErrNotFound or ErrAmbiguous
	What string   // "note" or "project"
	Name string   // what was asked for
	Near []string // what fits or nearly fits, a few of them
}

// Error names what was asked for.
func (e *LookupError) Error() string {
	if e.Err == ErrAmbiguous { //nolint:errorlint // a kind of its own, never wrapped
		return fmt.Sprintf("more than one %s begins with %s: %s", e.What, e.Name, strings.Join(e.Near, ", "))
	}
	return fmt.Sprintf("no such %s: %s", e.What, e.Name)
}

// Hint is a sentence for the person, or empty.
func (e *LookupError) Hint() string {
	if e.Err == ErrNotFound && len(e.Near) > 0 { //nolint:errorlint // a kind of its own, never wrapped
		return "did you mean " + strings.Join(e.Near, " or ") + "?"
	}
	return ""
}

// Unwrap gives ErrNotFound or ErrAmbiguous.
func (e *LookupError) Unwrap() error { return e.Err }

// oneEdit reports whether a and b are one inserted, removed, changed or swapped letter apart.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
