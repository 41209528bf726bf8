package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
	"deck/ui/paint"

	"github.com/google/go-cmp/cmp"
)

// listRows is what the list shows, row by row.
func (w *world) listRows() []string {
	c, _, _ := w.draw()
	var rows []string
	for _, line := range strings.Split(plain(c), "\n")[w.geo.side.Y : w.geo.side.Y+w.geo.side.H] {
		rows = append(rows, strings.TrimRight(string([]rune(line)[:sidebarWidth-1]), " "))
	}
	return rows
}

func TestTenAgentsAreAllInViewAndWhoAsksSaysWhatFor(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{nil, {"C-a", "S"}} {
		w := newAgents(t, 80, 24, Settings{}).press(order...)
		text := strings.Join(w.listRows(), "\n")
		for _, p := range w.state.Panes {
			if !strings.Contains(text, " "+p.Nick) {
				t.Errorf("%v: no %s in\n%s", order, p.Nick, text)
			}
			if asking(p) && !strings.Contains(text, reason(p.Status)+": ") {
				t.Errorf("%v: %s does not say what for\n%s", order, p.Nick, text)
			}
		}
	}
}

func TestTheSidebarScrollsAndFoldsItsRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 10, everyState(), Settings{})
	// The headings of tabs give way first.
	if n := len(w.sideRows()); n != 9 {
		t.Errorf("%d rows", n)
	}
	w.mouseAt(keys.Mouse{X: 3, Y: 3, Button: keys.WheelDown})
	if w.side.top != 1 {
		t.Errorf("scrolled to %d", w.side.top)
	}
	w.click(3, 8)
	if w.where.focus() != "p9" {
		t.Errorf("focus %s", w.where.focus())
	}
}

// Who wants a person is told of out of view too, and the focus is in view.
func TestAListThatIsTooLongSaysWhoIsOutOfView(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 10, Settings{})
	rows := w.listRows()
	if got := rows[len(rows)-1]; !strings.HasSuffix(got, " ■3v") {
		t.Errorf("last row %q", got)
	}
	w.Update(FocusMsg{"p10"})
	if rows = w.listRows(); !strings.HasSuffix(rows[0], " ▲3^") || !strings.Contains(strings.Join(rows, "\n"), "▌■ theodora") {
		t.Errorf("rows %q", rows)
	}
	top := w.side.top
	w.mouseAt(keys.Mouse{X: 3, Y: 3, Button: keys.WheelUp})
	if w.listRows(); w.side.top >= top {
		t.Error("the wheel does not scroll away from the focus")
	}
}

func TestAClickOnAHeadingGoesToItsTab(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{})
	rows := w.listRows()
	for y, r := range rows {
		if strings.HasPrefix(r, " 2 tests") {
			w.click(3, w.geo.side.Y+y)
		}
	}
	if w.where.tab() != "t2" {
		t.Errorf("tab %s", w.where.tab())
	}
	if w.click(3, w.geo.side.Y); w.where.tab() != "t2" {
		t.Error("a project's heading goes somewhere")
	}
}

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s           string
		first, rest string
	}{
		{"one two three", "one two", "three"}, {"onetwothree four", "onetwoth", "ree four"}, {"one twoo", "one twoo", ""},
		{"日本語日本語", "日本語日", "本語"}, {"", "", ""},
	} {
		first, rest := splitWords(c.s, 8)
		if first != c.first || rest != c.rest {
			t.Errorf("%q: %q, %q", c.s, first, rest)
		}
	}
}

// What an agent sends is text on every surface, whatever it is made of.
func TestRequestsAreDrawnAsPlainText(t *testing.T) {
	t.Parallel()
	evil := "a\x1b[31m\u202eb\u2066\u200f\x07\u009b2J\nc"
	s := tenAgents()
	for i := range s.Panes {
		p := &s.Panes[i]
		p.Project, p.Branch = evil, evil
		p.Status.Request.Summary, p.Status.Request.Tool, p.Status.Detail, p.Status.Tool = evil, evil, evil, evil
		p.Status.Meta = &lifecycle.Meta{DisplayAgent: evil, StateLabel: evil, Title: evil}
	}
	for _, size := range [][2]int{{200, 50}, {60, 20}} {
		w := newWorld(t, size[0], size[1], s, Settings{})
		w.Update(AlertMsg{s.Panes[1]})
		w.press("C-a", "i")
		c, _, title := w.draw()
		if text := plain(c) + title; strings.ContainsAny(text, "\x1b\x07\u009b\u202e\u2066\u200f") {
			t.Errorf("%q", text)
		}
		for _, r := range w.host.takeAsked() {
			if n, ok := r.(Notify); ok && strings.ContainsAny(n.Title+n.Text, "\x1b\x07\u009b\u202e\u2066\u200f\n") {
				t.Errorf("%+q", n.Title+n.Text)
			}
		}
		if m := w.sum().Message; strings.ContainsAny(m, "\x1b\x07\u009b\u202e\u2066\u200f\n") {
			t.Errorf("%q", m)
		}
	}
}

func TestTheTerminalIsToldTheSum(t *testing.T) {
	t.Parallel()
	state := func(states ...lifecycle.Status) State {
		s := oneShell()
		for i, st := range states {
			p := agent(s.Panes[0].ID+"-", "t1", "bob", "alpha", st.State)
			p.ID += s.Panes[i].ID
			p.Status = st
			s.Panes = append(s.Panes, p)
		}
		return s
	}
	working, idle, done := lifecycle.Status{State: lifecycle.Working}, lifecycle.Status{State: lifecycle.Idle}, lifecycle.Status{State: lifecycle.Done}
	for _, c := range []struct {
		state State
		want  paint.Status
	}{
		{state(), paint.Status{}},
		{state(lifecycle.Status{State: lifecycle.Unknown}), paint.Status{}},
		{state(idle), paint.Status{State: "idle"}},
		{state(idle, done), paint.Status{State: "done"}},
		{state(idle, done, working), paint.Status{State: "working"}},
		{state(working, lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Approval, Detail: "rm"}),
			paint.Status{State: "blocked", Kind: "permission", Message: "bob: approval: rm"}},
		{state(lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Question}), paint.Status{State: "blocked", Kind: "question", Message: "bob: question"}},
		{state(lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Authentication}), paint.Status{State: "blocked", Kind: "auth", Message: "bob: authentication"}},
		{state(lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Unexplained}), paint.Status{State: "blocked", Message: "bob"}},
		{state(lifecycle.Status{State: lifecycle.Blocked, Reason: lifecycle.ToolError, Detail: "no quota"}),
			paint.Status{State: "error", Message: "bob: tool error: no quota"}},
	} {
		w := newWorld(t, 80, 24, c.state, Settings{})
		if diff := cmp.Diff(c.want, w.frame.status); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOnlyATerminalThatAskedIsTold(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}
	cl, now := newTerminal(t, one(0), env, "")
	if got := written(cl, now); strings.Contains(got, "7501;state") {
		t.Errorf("told unasked: %q", got)
	}
	cl.Input([]byte("\x1b]7501;?\x1b\\"), now)
	if got := written(cl, now); !strings.Contains(got, "\x1b]7501;state=working:app=deck\x1b\\") {
		t.Errorf("not told: %q", got)
	}
	s := one(0)
	s.Panes[0].Title = "other"
	now = now.Add(time.Second)
	cl.Update(StateMsg{s}, now)
	if got := written(cl, now); got == "" || strings.Contains(got, "7501") {
		t.Errorf("told again: %q", got)
	}
	if got := string(cl.Leave()); !strings.Contains(got, "\x1b]7501;state=clear\x1b\\") {
		t.Errorf("left standing: %q", got)
	}
}

// TestTheSidebarFollowsTheFocus: the pane one is in is in the list's view, until
// a person scrolls it away.
func TestTheSidebarFollowsTheFocus(t *testing.T) {
	t.Parallel()
	s := State{Session: "main", Sessions: []string{"main"}, Clients: 1}
	for i := range 30 {
		id, tab := layout.PaneID(fmt.Sprintf("p%d", i)), TabID(fmt.Sprintf("t%d", i))
		s.Tabs = append(s.Tabs, Tab{ID: tab, Name: "sh", Root: layout.Leaf(id)})
		s.Panes = append(s.Panes, shell(id, tab, fmt.Sprintf("nick%02d", i)))
	}
	w := newWorld(t, 80, 12, s, Settings{})
	shows := func(nick string) bool {
		c, _, _ := w.draw()
		return slices.ContainsFunc(strings.Split(plain(c), "\n")[1:], func(row string) bool {
			return strings.Contains(string([]rune(row)[:sidebarWidth]), nick)
		})
	}
	for _, to := range []struct{ pane, nick string }{{"p20", "nick20"}, {"p29", "nick29"}, {"p3", "nick03"}, {"p0", "nick00"}, {"p12", "nick12"}} {
		w.Update(FocusMsg{layout.PaneID(to.pane)})
		if !shows(to.nick) {
			t.Errorf("%s is not in view", to.nick)
		}
	}
	w.scrollSidebar(-30)
	if shows("nick12") || !shows("nick00") {
		t.Error("the list cannot be scrolled away from the focused pane")
	}
}

// Agents that change the same files are marked with each other's nick.
func TestSidebarMarksClashes(t *testing.T) {
	t.Parallel()
	s := tenAgents()
	s.Panes[0].Clashes, s.Panes[3].Clashes = []string{"dan"}, []string{"ada"}
	rows := strings.Join(newWorld(t, 100, 60, s, Settings{}).listRows(), "\n")
	for _, want := range []string{"alpha ⇄dan", "beta ⇄ada"} {
		if !strings.Contains(rows, want) {
			t.Errorf("%q is missing:\n%s", want, rows)
		}
	}
}

// What waits for an agent is told with what keeps it; one that is stuck is for a
// person.
func TestMessagesThatWaitAreToldOnTheRow(t *testing.T) {
	t.Parallel()
	s := tenAgents()
	s.Panes[0].Waiting, s.Panes[0].Held = 2, "draft"
	m := newWorld(t, 100, 60, s, Settings{})
	if rows := strings.Join(m.listRows(), "\n"); !strings.Contains(rows, " 2 held: draft") {
		t.Errorf("nothing waits:\n%s", rows)
	}
	nick, before := s.Panes[0].Nick, listed(m.Model)
	if slices.Contains(strings.Fields(before), nick) {
		t.Fatalf("%s needs a person already: %s", nick, before)
	}
	s.Panes[0].Held = "stuck"
	m = newWorld(t, 100, 60, s, Settings{})
	if got := listed(m.Model); !slices.Contains(strings.Fields(got), nick) {
		t.Errorf("%s needs nobody: %s", nick, got)
	}
	if text := doing(s.Panes[0]); !strings.Contains(text, "Enter does not send it") {
		t.Errorf("it is said %q", text)
	}
}
