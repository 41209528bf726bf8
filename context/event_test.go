package memory

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

func TestOldEventsGo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := openWith(t, Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	p, q := project(t, s, "shop"), project(t, s, "bank")
	add := func(project ID, at time.Time) {
		t.Helper()
		if err := s.AddEvent(t.Context(), Event{Project: project, Kind: "test", Text: "x", At: at}); err != nil {
			t.Fatal(err)
		}
	}
	add(p, now.Add(-100*24*time.Hour))
	add(q, now.Add(-100*24*time.Hour))
	add(p, now)
	if list, err := s.Events(p, "", 0); err != nil || len(list) != 1 {
		t.Errorf("%d events, %v", len(list), err)
	}
	err := s.update(t.Context(), func(tx *bolt.Tx) error {
		for i := range maxEvents + 5 {
			if err := s.addEvent(tx, Event{Project: p, Kind: "test", Text: "y", At: now.Add(time.Duration(i) * time.Millisecond)}); err != nil {
				return err
			}
		}
		return nil
	})
	if list, _ := s.Events(p, "", 0); err != nil || len(list) != maxEvents {
		t.Errorf("%d events, %v", len(list), err)
	}
	if list, _ := s.Events(q, "", 0); len(list) != 1 {
		t.Errorf("the other project has %d events", len(list))
	}
}

// TestEventsOfOneMomentKeepTheirOrder, whatever is written of other times meanwhile.
func TestEventsOfOneMomentKeepTheirOrder(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := openWith(t, Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	p, q := project(t, s, "shop"), project(t, s, "bank")
	var want []string
	for i := range 20 {
		text := strconv.Itoa(i)
		want = append([]string{text}, want...)
		for _, e := range []Event{{Project: p, Text: text, At: now}, {Project: q, Text: text, At: now.Add(-time.Minute)}} {
			e.Kind = "test"
			if err := s.AddEvent(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := s.Events(p, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestProjectsRelate(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p, q := project(t, s, "shop"), project(t, s, "bank")
	for range 2 {
		if _, err := s.Relate(t.Context(), p, q, DependsOn, Author{}); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.Relations(q); err != nil || len(list) != 1 || list[0].Type != DependsOn {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := s.Relate(t.Context(), p, p, DependsOn, Author{}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	if _, err := s.Relate(t.Context(), p, q, "likes", Author{}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	if n, err := s.Forget(t.Context(), q); err != nil || n != 0 {
		t.Error(n, err)
	}
	if list, err := s.Relations(p); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestHandoffsAreKept(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	h, err := s.PutHandoff(t.Context(), Handoff{Project: p, Text: "tests are red", From: Author{Nick: "ada"}})
	if err != nil {
		t.Fatal(err)
	}
	h.Status = "taken"
	if _, err := s.PutHandoff(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Handoffs(p, 0); err != nil || len(list) != 1 || list[0].Status != "taken" || !list[0].Created.Equal(h.Created) {
		t.Errorf("%+v %v", list, err)
	}
	// One with an id of its caller's is new the first time; a change is no event.
	own := Handoff{ID: newID(h.Created), Project: p, Text: "more of it"}
	for range 2 {
		if own, err = s.PutHandoff(t.Context(), own); err != nil || own.Created.IsZero() {
			t.Fatal(own, err)
		}
	}
	events, err := s.Events(p, "", 0)
	n := 0
	for _, e := range events {
		if e.Kind == "handoff" {
			n++
		}
	}
	if err != nil || n != 2 {
		t.Errorf("%d events of two hand-offs, %v", n, err)
	}
}
