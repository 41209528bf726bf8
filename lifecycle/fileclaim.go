package lifecycle

import (
	"maps"
	"slices"
	"time"
)

// FileClaim is how long a file is a pane's that its agent has changed.
const FileClaim = 10 * time.Minute

// maxClaimed is how many files are claimed at a time; the oldest claim goes first.
const maxClaimed = 4096

// FileClaims knows which panes' agents have changed which files of late. No agent
// has to ask for a file: changing it is the claim. It has no clock and is owned by
// one goroutine; the zero value is empty.
type FileClaims struct {
	files  map[string]*claimed
	shared map[string]bool // files that several panes have a claim on
	next   time.Time       // no claim ends before; zero: there is none
}

// claimed is a file that somebody has changed.
type claimed struct {
	by   map[string]time.Time // pane → when it changed the file last
	told map[[2]string]bool   // pairs of panes of which the second was told
}

// Touch takes that a pane's agent has changed a file, and returns the panes that
// have a claim on it, of those with which this one has not clashed over it before.
func (f *FileClaims) Touch(pane, path string, now time.Time) []string {
	if f.files == nil {
		f.files, f.shared = map[string]*claimed{}, map[string]bool{}
	}
	f.Expire(now)
	if f.next.IsZero() {
		f.next = now.Add(FileClaim)
	}
	c := f.files[path]
	if c == nil {
		f.make(path)
		c = f.files[path]
	}
	c.by[pane] = now
	var others []string
	for other := range c.by {
		pair := [2]string{min(pane, other), max(pane, other)}
		if other != pane && !c.told[pair] {
			c.told[pair] = true
			others = append(others, other)
		}
	}
	if len(c.by) > 1 {
		f.shared[path] = true
	}
	slices.Sort(others)
	return others
}

// make makes room for one more file.
func (f *FileClaims) make(path string) {
	if len(f.files) >= maxClaimed {
		oldest, at := "", time.Time{}
		for p, c := range f.files {
			if last := c.last(); oldest == "" || last.Before(at) {
				oldest, at = p, last
			}
		}
		delete(f.files, oldest)
		delete(f.shared, oldest)
	}
	f.files[path] = &claimed{by: map[string]time.Time{}, told: map[[2]string]bool{}}
}

func (c *claimed) last() time.Time {
	return slices.MaxFunc(slices.Collect(maps.Values(c.by)), time.Time.Compare)
}

// With returns the panes that have changed a file which this one has changed, too,
// while both claims hold.
func (f *FileClaims) With(pane string, now time.Time) []string {
	found := map[string]bool{}
	for path := range f.shared {
		c := f.files[path]
		if at, ok := c.by[pane]; !ok || now.Sub(at) >= FileClaim {
			continue
		}
		for other, at := range c.by {
			if other != pane && now.Sub(at) < FileClaim {
				found[other] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Expire drops what holds no longer, and reports whether that was anything.
func (f *FileClaims) Expire(now time.Time) bool {
	if f.next.IsZero() || now.Before(f.next) {
		return false
	}
	return f.drop(func(_ string, at time.Time) bool { return now.Sub(at) >= FileClaim })
}

// Forget drops the claims of a pane that is gone.
func (f *FileClaims) Forget(pane string) {
	f.drop(func(p string, _ time.Time) bool { return p == pane })
}

func (f *FileClaims) drop(which func(pane string, at time.Time) bool) (dropped bool) {
	f.next = time.Time{}
	for path, c := range f.files {
		for pane, at := range c.by {
			if !which(pane, at) {
				if end := at.Add(FileClaim); f.next.IsZero() || end.Before(f.next) {
					f.next = end
				}
				continue
			}
			dropped = true
			delete(c.by, pane)
			// A clash that is over can come again.
			maps.DeleteFunc(c.told, func(pair [2]string, _ bool) bool { return pair[0] == pane || pair[1] == pane })
		}
		switch len(c.by) {
		case 0:
			delete(f.files, path)
			delete(f.shared, path)
		case 1:
			delete(f.shared, path)
		}
	}
	return dropped
}

// Next is when the next claim may end, zero where there is none.
func (f *FileClaims) Next() time.Time { return f.next }
