package ui

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
)

// newLauncher is a world in which the list of agents is open.
func newLauncher(t testing.TB, w, h int) *world {
	t.Helper()
	wd := newAgents(t, w, h, Settings{}).press("C-a", "A")
	wd.Update(LaunchersMsg{From: "p1", Agents: []Launcher{
		{Name: "alpha", Title: "Alpha Code", Last: noon.Add(-2 * time.Hour)}, {Name: "beta", Title: "Beta"}}})
	wd.host.takeAsked()
	wd.draw()
	return wd
}

func TestAnAgentIsStartedWhereTheKeySays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		want Request
	}{
		{[]string{"Enter"}, Launch{Agent: "alpha", At: "p1", Place: "tab"}},
		{[]string{"j", "|"}, Launch{Agent: "beta", At: "p1", Place: "right"}},
		{[]string{"Down", "Down", "-"}, Launch{Agent: "beta", At: "p1", Place: "down"}},
		{[]string{"r"}, Launch{Agent: "alpha", At: "p1", Place: "tab", Resume: true}},
		{[]string{"j", "r"}, nil},
		{[]string{"Escape"}, nil},
	} {
		w := newLauncher(t, 80, 24).press(c.keys...)
		var want []Request
		if c.want != nil {
			want = []Request{c.want}
		}
		if diff := cmp.Diff(want, w.host.takeAsked()); diff != "" {
			t.Errorf("%v: %s", c.keys, diff)
		}
	}
	w := newLauncher(t, 80, 24)
	r := w.over.(*launcher).rect(layout.Rect{W: 80, H: 24})
	w.click(r.X+4, r.Y+2)
	if diff := cmp.Diff([]Request{Launch{Agent: "beta", At: "p1", Place: "tab"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestAnEmptyListStartsNothing(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{}).press("C-a", "A", "Enter", "r")
	w.Update(LaunchersMsg{From: "p1"})
	w.press("Enter", "|", "j", "r")
	if diff := cmp.Diff([]Request{ListAgents{"p1"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

// An agent that has a session is asked about; what ends again and again, too.
func TestRestartAsksWhatIsNotPlain(t *testing.T) {
	t.Parallel()
	ended := func(resumes bool, why string) State {
		s := threePanes()
		s.Panes[0].Ended, s.Panes[0].Exit, s.Panes[0].Resumes, s.Panes[0].Loops = true, "exit 1", resumes, why
		return s
	}
	for _, c := range []struct {
		resumes bool
		why     string
		keys    []string
		want    []Request
	}{
		{true, "", []string{"Enter"}, []Request{Restart{Pane: "p1"}}},
		{true, "", []string{"f"}, []Request{Restart{Pane: "p1", Fresh: true}}},
		{true, "", []string{"n"}, nil},
		{true, "ended 3 times", []string{"f"}, []Request{Restart{Pane: "p1", Fresh: true, Force: true}}},
		{false, "ended 3 times", []string{"n"}, nil},
		{false, "ended 3 times", []string{"y"}, []Request{Restart{Pane: "p1", Force: true}}},
	} {
		w := newWorld(t, 80, 24, ended(c.resumes, c.why), Settings{}).press("C-a", "R")
		if asked := w.host.takeAsked(); asked != nil || w.over == nil {
			t.Errorf("%+v: asked at once: %v", c, asked)
		}
		w.draw()
		if diff := cmp.Diff(c.want, w.press(c.keys...).host.takeAsked()); diff != "" || w.over != nil {
			t.Errorf("%+v: %s", c, diff)
		}
	}
}

// otherSession has agents in another session too, and a sub-agent.
func otherSession() State {
	s := tenAgents()
	for i := range s.Panes {
		s.Panes[i].Session = s.Session
	}
	s.Panes[2].For = "ada"
	far := Pane{ID: "q1", Nick: "zoe", Agent: "beta", Session: "notes", Project: "notes",
		Status: lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Question, Since: noon.Add(-time.Hour), Request: lifecycle.Request{ID: "9-1", Summary: "Which week?"}}}
	idle := Pane{ID: "q2", Nick: "yuki", Agent: "beta", Session: "notes", Status: lifecycle.Status{State: lifecycle.Idle}}
	s.Others = []Pane{far, idle}
	return s
}

func newOthers(t testing.TB, w, h int) *world {
	t.Helper()
	wd := newWorld(t, w, h, otherSession(), Settings{})
	wd.Update(ClockMsg{noon})
	return wd
}

func TestTheListHasAllSessionsAndSubAgentsLast(t *testing.T) {
	t.Parallel()
	w := newOthers(t, 80, 24).press("C-a", "i")
	if got, want := listed(w.Model), "zoe bob theodora gwen dan hal cleo"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.draw()
	w.press("Enter")
	if diff := cmp.Diff([]Request{SwitchSession{Session: "notes", Pane: "q1"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	there := State{Session: "notes", Sessions: []string{"main", "notes"}, Tabs: []Tab{{ID: "t9", Root: layout.Leaf("q0").Split("q0", layout.Right, "q1")}},
		Panes: []Pane{shell("q0", "t9", "xavi"), agent("q1", "t9", "zoe", "beta", lifecycle.NeedsInput)}}
	w.Update(StateMsg{there})
	if w.where.focus() != "q1" {
		t.Errorf("focus %q", w.where.focus())
	}
}

func TestWhoWorksIsAsOldAsTheTurn(t *testing.T) {
	t.Parallel()
	p := agent("p1", "t1", "ada", "beta", lifecycle.Working)
	p.Status.Since, p.Turn = noon.Add(-time.Minute), noon.Add(-time.Hour)
	if got := age(since(p), noon); got != "1h" {
		t.Errorf("the turn is %s old", got)
	}
	p.Status.State = lifecycle.NeedsInput
	if got := age(since(p), noon); got != "1m" {
		t.Errorf("the question is %s old", got)
	}
	for text, want := range map[string]string{"42": "42% ctx", "7%": "7% ctx", "": "", "many": "", "-1": "", "101": ""} {
		p.Status.Meta = &lifecycle.Meta{Tokens: map[string]string{"context": text}}
		if got := contextUsed(p); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
