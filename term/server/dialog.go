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

const (
	// drawTime is how long a dialog is waited for that is not drawn yet: the hook
	// of an agent may be earlier.
	drawTime = 600 * time.Millisecond
	// keyTime is how long a dialog may take to show what a key did.
	keyTime = 2 * time.Second
)

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

// maxSettle is how long a screen that does not come to rest is waited for.
const maxSettle = 200 * time.Millisecond

// until reads until a condition holds, and reports whether it did in time. A
// dialog may be drawn in several writes: what is read has been so for a moment.
func (r *dialogReader) until(ctx context.Context, limit time.Duration, ok func(reading) bool) (reading, bool) {
	over, rest := time.NewTimer(limit), time.NewTimer(settleTime)
	defer over.Stop()
	defer rest.Stop()
	for begun := time.Now(); ; {
		select {
		case <-r.wake:
			if begun.IsZero() {
				begun = time.Now()
			}
			if time.Since(begun) < maxSettle {
				rest.Reset(settleTime)
			}
			continue
		case <-rest.C:
			now, whole := r.read()
			switch {
			case !whole:
				rest.Reset(heldRest)
			case ok(now):
				return now, true
			default:
				begun = time.Time{}
			}
			continue
		case <-over.C:
		case <-ctx.Done():
		}
		now, _ := r.read()
		return now, false
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
