package lifecycle

import (
	"slices"
	"time"
)

// The limits of what agents write to each other.
const (
	trafficWindow = 10 * time.Minute
	maxOneWay     = 30 // messages of one to another in the window
	maxToAndFro   = 10 // of each of two to the other: by then they only keep each other going
)

// Traffic counts messages between agents, to stop two that answer each other
// without end. The zero value has counted none.
type Traffic struct {
	sent map[route][]time.Time
}

type route struct{ from, to string }

// Allow reports whether one more message may go, and counts it if so. loop says
// that the two have written to each other too often, else it was one way.
func (t *Traffic) Allow(from, to string, now time.Time) (ok, loop bool) {
	there, back := t.recent(route{from, to}, now), t.recent(route{to, from}, now)
	switch {
	case len(there) >= maxToAndFro && len(back) >= maxToAndFro:
		return false, true
	case len(there) >= maxOneWay:
		return false, false
	}
	if t.sent == nil {
		t.sent = map[route][]time.Time{}
	}
	t.sent[route{from, to}] = append(there, now)
	return true, false
}

// Forget tells that a person took part in a pane, or that it is gone: what was
// written to and from it counts no more.
func (t *Traffic) Forget(pane string) {
	for r := range t.sent {
		if r.from == pane || r.to == pane {
			delete(t.sent, r)
		}
	}
}

// recent returns what was sent in the window, and forgets the rest.
func (t *Traffic) recent(r route, now time.Time) []time.Time {
	kept := slices.DeleteFunc(t.sent[r], func(at time.Time) bool { return now.Sub(at) >= trafficWindow })
	if len(kept) == 0 {
		delete(t.sent, r)
		return nil
	}
	t.sent[r] = kept
	return kept
}
