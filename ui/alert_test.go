package ui

import (
	"strings"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"

	"github.com/google/go-cmp/cmp"
)

func TestAlertsTellOnceAndNotOfWhatIsLookedAt(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{})
	bob := w.state.Panes[1]
	w.Update(AlertMsg{bob})
	want := []Request{Notify{Title: "bob needs-input", Text: "approval: Bash: rm -rf build && make install"}}
	if diff := cmp.Diff(want, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(w.notice.text, "bob needs-input: approval") || !strings.Contains(w.notice.text, "C-a N") {
		t.Errorf("notice %q", w.notice.text)
	}
	w.Update(AlertMsg{bob})
	bob.Status.Detail = "said again"
	w.Update(AlertMsg{bob})
	if asked := w.host.takeAsked(); asked != nil {
		t.Errorf("the same matter again: %v", asked)
	}
	w.press("C-a", "N")
	w.host.takeAsked()
	bob.Status.Request.ID = "1-2"
	w.Update(AlertMsg{bob})
	if asked := w.host.takeAsked(); asked != nil {
		t.Errorf("told of what is looked at: %v", asked)
	}
	w.Update(TokenMsg{keys.Token{Kind: keys.FocusOut}})
	w.host.takeAsked()
	bob.Status.Request.ID = "1-3"
	w.Update(AlertMsg{bob})
	if asked := w.host.takeAsked(); len(asked) != 1 {
		t.Errorf("the terminal itself is not looked at: %v", asked)
	}
}

func TestAlertSettings(t *testing.T) {
	t.Parallel()
	state := func(s lifecycle.State) Pane {
		return Pane{ID: "p9", Nick: "ida", Agent: "beta", Status: lifecycle.Status{State: s, Since: noon}}
	}
	for _, c := range []struct {
		name   string
		alerts Alerts
		pane   Pane
		asks   bool
		bell   bool
		notice bool
	}{
		{"question", Alerts{}, state(lifecycle.NeedsInput), true, false, true},
		{"blocked", Alerts{}, state(lifecycle.Blocked), true, false, true},
		{"done by default", Alerts{}, state(lifecycle.Done), false, false, false},
		{"done", Alerts{States: []lifecycle.State{lifecycle.Done}}, state(lifecycle.Done), true, false, true},
		{"chosen states", Alerts{States: []lifecycle.State{lifecycle.Done}}, state(lifecycle.Blocked), false, false, false},
		{"no states", Alerts{States: []lifecycle.State{}}, state(lifecycle.NeedsInput), false, false, false},
		{"off", Alerts{Off: true}, state(lifecycle.NeedsInput), false, false, false},
		{"bell", Alerts{BellOnly: true}, state(lifecycle.NeedsInput), true, true, true},
		{"quiet", Alerts{QuietFrom: 11 * 60, QuietTo: 13 * 60}, state(lifecycle.NeedsInput), false, false, true},
	} {
		w := newAgents(t, 80, 24, Settings{Alerts: c.alerts})
		w.Update(AlertMsg{c.pane})
		asked := w.host.takeAsked()
		if len(asked) == 1 != c.asks || c.asks && asked[0].(Notify).Bell != c.bell {
			t.Errorf("%s: asked %v", c.name, asked)
		}
		if (w.notice.text != "") != c.notice {
			t.Errorf("%s: notice %q", c.name, w.notice.text)
		}
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	at := func(h, m int) time.Time { return time.Date(2026, 3, 5, h, m, 0, 0, time.UTC) }
	night, lunch := Alerts{QuietFrom: 22 * 60, QuietTo: 7*60 + 30}, Alerts{QuietFrom: 12 * 60, QuietTo: 13 * 60}
	for _, c := range []struct {
		a    Alerts
		now  time.Time
		want bool
	}{
		{night, at(21, 59), false}, {night, at(22, 0), true}, {night, at(0, 0), true}, {night, at(7, 29), true}, {night, at(7, 30), false},
		{lunch, at(11, 59), false}, {lunch, at(12, 0), true}, {lunch, at(13, 0), false},
		{Alerts{}, at(0, 0), false}, {night, time.Time{}, false},
	} {
		if got := c.a.quiet(c.now); got != c.want {
			t.Errorf("%d to %d at %v: %v", c.a.QuietFrom, c.a.QuietTo, c.now, got)
		}
	}
}

// newTerminal is a client of a terminal that is what env and replies say.
func newTerminal(t *testing.T, s State, env map[string]string, replies string) (*Client, time.Time) {
	t.Helper()
	c := NewClient(&fakeHost{screens: map[layout.PaneID]*fakeScreen{}}, ClientOptions{Env: env, W: 100, H: 24})
	c.Input([]byte(replies), noon)
	c.Update(StateMsg{s}, noon)
	written(c, noon)
	return c, noon.Add(time.Second)
}

// written is what a client writes at a time.
func written(c *Client, now time.Time) string {
	f, _ := c.Frame(now)
	text := string(f)
	if f != nil {
		c.Accepted(now)
	}
	return text
}

func TestAnAlertIsWrittenAsTheTerminalTakesIt(t *testing.T) {
	t.Parallel()
	evil := tenAgents().Panes[1]
	evil.Status.Request.Summary = "x\x1b]0;evil\a\u202e"
	for _, c := range []struct{ replies, want string }{
		{"\x1bP>|kitty(0.40)\x1b\\", "\x1b]99;i=deck:p=body;approval: Bash: x]0;evil\x1b\\"},
		{"\x1bP>|ghostty 1.2\x1b\\", "\x1b]777;notify;bob needs-input;approval: Bash: x]0;evil\x1b\\"},
		{"\x1bP>|WezTerm 2026\x1b\\", "\x1b]9;bob needs-input: approval: Bash: x]0;evil\x1b\\"},
		{"", "\a"},
	} {
		cl, now := newTerminal(t, tenAgents(), map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, c.replies)
		cl.Update(AlertMsg{evil}, now)
		if got := written(cl, now); !strings.Contains(got, c.want) || strings.Contains(got, "\x1b]0;evil") {
			t.Errorf("%q: no %q in %q", c.replies, c.want, got)
		}
	}
	cl, now := newTerminal(t, tenAgents(), map[string]string{"TERM": "xterm-kitty", "LANG": "C.UTF-8"}, "")
	cl.Update(SettingsMsg{Settings{Alerts: Alerts{BellOnly: true}}}, now)
	cl.Update(AlertMsg{evil}, now)
	if got := written(cl, now); !strings.Contains(got, "\a") || strings.Contains(got, "\x1b]99") {
		t.Errorf("bell only: %q", got)
	}
}
