package server

import (
	"testing"

	"deck/term/wire"
)

func TestEventsBeginWithASnapshotAndMissNothing(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "sleep 1000")
	s, err := l.subscribe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.unsubscribe(s)
	first := <-s.events
	if first.Type != "snapshot" || len(first.Panes) != 1 || first.Panes[0].ID != p.ID {
		t.Fatalf("first %+v", first)
	}
	q := open(t, l, "sleep 1000")
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: q.ID}); err != nil {
		t.Fatal(err)
	}
	seq := first.Seq
	for e := range s.events {
		if e.Seq != seq+1 {
			t.Errorf("%d came after %d", e.Seq, seq)
		}
		seq = e.Seq
		if e.Type == "pane_closed" && e.ID == q.ID {
			break
		}
	}
}

func TestASlowReaderIsCutOffWithAWord(t *testing.T) {
	l := testLoop(t)
	s, err := l.subscribe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * maxBehind {
		l.post(func() { l.emit(wire.Event{Type: "layout"}) })
	}
	if _, err := l.counts(t.Context()); err != nil {
		t.Fatal(err)
	}
	var last wire.Event
	n := 0
	for e := range s.events {
		last = e
		n++
	}
	if last.Type != "lost" || last.Message == "" || n != maxBehind {
		t.Errorf("%d events, the last %+v", n, last)
	}
	l.unsubscribe(s)
	if _, err := l.counts(t.Context()); err != nil {
		t.Fatal(err)
	}
}
