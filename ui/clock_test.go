package ui

import (
	"strings"
	"testing"
	"time"

	"deck/lifecycle"
)

func TestAge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{-time.Hour, "now"}, {0, "now"}, {9 * time.Second, "now"}, {10 * time.Second, "10s"}, {59 * time.Second, "50s"}, {time.Minute, "1m"},
		{59*time.Minute + 59*time.Second, "59m"}, {time.Hour, "1h"}, {24 * time.Hour, "1d"}, {9000 * time.Hour, "99d"},
	} {
		if got := age(noon.Add(-c.d), noon); got != c.want {
			t.Errorf("%v: %q, want %q", c.d, got, c.want)
		}
	}
	if age(time.Time{}, noon) != "" || age(noon, time.Time{}) != "" {
		t.Error("an age of nothing")
	}
}

// one is a state with one agent, working since some time.
func one(since time.Duration) State {
	s := oneShell()
	s.Panes[0].Agent, s.Panes[0].Status = "alpha", lifecycle.Status{State: lifecycle.Working, Since: noon.Add(-since)}
	return s
}

func TestTheClockGoesAsFastAsAgesDo(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}
	for _, c := range []struct {
		state State
		want  time.Duration // 0: it stands
	}{
		{oneShell(), 0}, {one(0), 10 * time.Second}, {one(13 * time.Second), 7 * time.Second}, {one(59 * time.Second), 2 * time.Second},
		{one(5 * time.Minute), time.Minute}, {one(330 * time.Second), 30 * time.Second}, {one(5 * time.Hour), time.Hour},
	} {
		cl, _ := newTerminal(t, c.state, env, "")
		_, wait := cl.Frame(noon.Add(time.Second))
		if c.want == 0 && wait < 24*time.Hour || c.want > 0 && wait != c.want-time.Second {
			t.Errorf("waits %v, want %v", wait, c.want)
		}
	}
}

func TestAnAgeIsDrawnWhenItIsAnother(t *testing.T) {
	t.Parallel()
	cl, _ := newTerminal(t, one(0), map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, "")
	cl.Tick(noon.Add(9 * time.Second))
	if got := written(cl, noon.Add(9*time.Second)); got != "" {
		t.Errorf("too early: %q", got)
	}
	at := noon.Add(10 * time.Second)
	cl.Tick(at)
	if got := written(cl, at); !strings.Contains(got, "10s") {
		t.Errorf("no age in %q", got)
	}
	for range 20 {
		_, wait := cl.Frame(at)
		at = at.Add(wait)
		cl.Tick(at)
		written(cl, at)
	}
	if text := plain(cl.canvas); !strings.Contains(text, "16m") {
		t.Errorf("after %v:\n%s", at.Sub(noon), text)
	}
}

// The model's time may be an hour old when ages count in hours.
func TestASnoozeBeginsWhenTheKeyIsPressed(t *testing.T) {
	t.Parallel()
	s := one(5 * time.Hour)
	s.Panes[0].Status.State = lifecycle.NeedsInput
	cl, _ := newTerminal(t, s, map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, "")
	at := noon.Add(40 * time.Minute)
	for _, key := range []string{"\x01", "i", "s"} {
		cl.Input([]byte(key), at)
		written(cl, at)
	}
	if text := plain(cl.canvas); !strings.Contains(text, "snoozed 10m") {
		t.Errorf("not snoozed for ten minutes:\n%s", text)
	}
	for end := at.Add(snoozeFor); at.Before(end); {
		_, wait := cl.Frame(at)
		at = at.Add(max(wait, time.Second))
		cl.Tick(at)
		written(cl, at)
		if at.After(end.Add(2 * time.Minute)) {
			t.Fatal("nobody wakes")
		}
	}
	if list := cl.model.waitingList(); !list[0].snoozed.IsZero() {
		t.Errorf("still snoozed at %v", at.Sub(noon))
	}
}
