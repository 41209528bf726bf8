package server

import (
	"log/slog"
	"testing"
	"time"

	"deck/term"
)

// A pane that draws all the time is searched for processes ever less often, as
// long as nothing about it changes.
func TestCensusTrustsWhatStays(t *testing.T) {
	t.Parallel()
	c := newCensus(func(*term.Pane, finding) {}, newEyes(newOptics(slog.New(slog.DiscardHandler)), nil))
	c.looked = time.Now()
	same := finding{program: "make"}
	if !c.settle(same) {
		t.Error("the first finding is no news")
	}
	for _, want := range []time.Duration{2 * lookRest, 4 * lookRest, maxTrust, maxTrust} {
		if c.settle(same) {
			t.Error("the same finding is news")
		}
		if c.trust != want {
			t.Errorf("trusted for %v, want %v", c.trust, want)
		}
	}
	if !c.settle(finding{program: "vim"}) || c.trust != lookRest {
		t.Errorf("another program: trusted for %v, want %v", c.trust, lookRest)
	}
	c.typed([]byte("x\r"))
	if !c.until.IsZero() {
		t.Error("after Enter the last look is still trusted")
	}
	c.stop()
}
