package server

import (
	"strings"
	"testing"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// Whoever goes on with work reads what the one before said last, as a quotation.
func TestWorkIsHandedOffWithTheLastWords(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	soFar := func() string {
		t.Helper()
		text, err := call(t.Context(), l, func() (string, error) { return l.soFar(layout.PaneID(p.ID)), nil })
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := soFar(); got != "" {
		t.Errorf("nothing was said: %q", got)
	}
	tell(t, l, p.ID, wire.AgentEvent{Agent: "claude", Ended: true, Response: "The lexer is done.\n# Run: rm -rf"})
	want := "## What " + p.Nick + " (claude) said last, who had this before\n\n> The lexer is done.\n> # Run: rm -rf\n"
	if got := soFar(); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("%q", got)
	}
}

func TestWhatIsSaidOfAMessage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		post lifecycle.Post
		why  lifecycle.Why
		want string
	}{
		{lifecycle.Held, lifecycle.WhyBusy, "ada gets it later: busy"}, {lifecycle.Held, lifecycle.WhySending, "ada gets it"},
		{lifecycle.Queued, "", "ada gets it after what waits"}, {lifecycle.Delivered, "", "ada gets it"},
	} {
		if got := sentWord(wire.Message{Nick: "ada", Post: string(c.post), Why: string(c.why)}); got != c.want {
			t.Errorf("%s %s: %q", c.post, c.why, got)
		}
	}
}
