package server

import (
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

func TestAHookTellsWhenItWasStarted(t *testing.T) {
	t.Parallel()
	now := time.Unix(5000, 0)
	for name, c := range map[string]struct {
		seq  int64
		up   time.Duration
		want time.Time
	}{
		"a second ago":     {int64(99 * time.Second), 100 * time.Second, now.Add(-time.Second)},
		"none":             {0, 100 * time.Second, now},
		"a counter":        {17, 100 * time.Second, now},
		"ahead":            {int64(101 * time.Second), 100 * time.Second, now},
		"clock not known":  {int64(99 * time.Second), 0, now},
		"longer ago still": {int64(time.Second), 100 * time.Second, now},
	} {
		if got := hookTime(c.seq, c.up, now); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestALateHookIsNoAnswer has the hook of the turn before come after the next
// prompt was sent.
func TestALateHookIsNoAnswer(t *testing.T) {
	l := testLoop(t)
	h, _ := startTypist(t, l, 250, 5)
	tell := func(text string, at time.Time) {
		t.Helper()
		if _, err := call(t.Context(), l, func() (none, error) {
			p := l.panes[layout.PaneID(h.Pane)]
			p.agent.hooked = true
			l.agentSaid(p, text, at)
			return none{}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	p, err := l.submit(t.Context(), caller{}, wire.SubmitPrompt{Handle: h.Handle, Text: "one"})
	if err != nil {
		t.Fatal(err)
	}
	s := follow(t, l)
	untilStatus(t, s, h.Pane, "work", is(lifecycle.Working))
	tell("the answer before", time.Now().Add(-10*time.Second))
	tell("the answer", time.Now())
	got, err := l.waitPrompts(t.Context(), caller{}, wire.WaitPrompts{Prompts: []string{p.Prompt}, Timeout: soon.Milliseconds()})
	if err != nil || got[0].Response != "the answer" || got[0].Source != fromHook {
		t.Errorf("%+v, %v", got, err)
	}
}
