package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"deck/lifecycle/detect"
	"deck/term"
)

// dialogTime is how long a dialog, or what a key does to it, is waited for.
const dialogTime = 2 * time.Second

// reading is the dialog of a pane at one moment.
type reading struct {
	detect.Dialog
	found bool
	print string // of what it says, whichever option is chosen; empty where none is found
}

// chosen is the option that Enter takes, -1 for none.
func (r reading) chosen() int {
	for i, o := range r.Options {
		if o.Chosen {
			return i
		}
	}
	return -1
}

// reader reads the dialog of one pane, outside of the loop.
type dialogReader struct {
	t     *term.Pane
	agent string
	rules *detect.Set
	wake  chan struct{}
}

func newDialogReader(t *term.Pane, agent string, rules *detect.Set) *dialogReader {
	r := &dialogReader{t: t, agent: agent, rules: rules, wake: make(chan struct{}, 1)}
	t.Watch(r.wake)
	return r
}

// close ends it.
func (r *dialogReader) close() { r.t.Unwatch(r.wake) }

// read returns what there is, and false while it is half painted.
func (r *dialogReader) read() (reading, bool) {
	v := r.t.View()
	if v.Held {
		return reading{}, false
	}
	sc := screenOf(v)
	d, found := r.rules.Dialog(r.agent, &sc)
	if !found {
		return reading{}, true
	}
	return reading{d, true, printOf(d)}, true
}

// until reads until a condition holds, and reports whether it did in time.
func (r *dialogReader) until(ctx context.Context, limit time.Duration, ok func(reading) bool) (reading, bool) {
	over := time.NewTimer(limit)
	defer over.Stop()
	last := reading{}
	for {
		now, whole := r.read()
		var again <-chan time.Time
		if whole {
			if last = now; ok(now) {
				return now, true
			}
		} else {
			again = time.After(heldRest)
		}
		select {
		case <-r.wake:
		case <-again:
		case <-over.C:
			return last, false
		case <-ctx.Done():
			return last, false
		}
	}
}

// printOf is the same for as long as a dialog asks the same.
func printOf(d detect.Dialog) string {
	h := sha256.New()
	for _, row := range d.Text {
		fmt.Fprintf(h, "%q\n", row)
	}
	for _, o := range d.Options {
		fmt.Fprintf(h, "%d %q %q\n", o.Number, o.Text, o.Note)
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}
