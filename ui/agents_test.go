package ui

import (
	"fmt"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
)

// noon is what time it is in the tests.
var noon = time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)

// tenAgents has agents of two projects in every state, and a shell: two tabs
// of the one, one of the other.
func tenAgents() State {
	s := State{Session: "main", Sessions: []string{"main"}, Clients: 1}
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	request := func(id, tool, text string) lifecycle.Request {
		return lifecycle.Request{ID: id, Tool: tool, Summary: text}
	}
	for _, p := range []struct {
		tab, nick, agent, project, branch string
		status                            lifecycle.Status
	}{
		{"t1", "ada", "alpha", "deck", "main", lifecycle.Status{State: lifecycle.Working, Since: ago(12 * time.Minute), Tool: "Bash", Detail: "go test ./..."}},
		{"t1", "bob", "alpha", "deck", "fix-parser", lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Approval, Since: ago(2 * time.Minute),
			Request: request("1-1", "Bash", "rm -rf build && make install")}},
		{"t1", "cleo", "beta", "deck", "main", lifecycle.Status{State: lifecycle.NeedsInput, Reason: lifecycle.Question, Since: ago(41 * time.Second),
			Request: request("2-1", "", "Which of the two tables should hold \x1b[31mthe index?\u202e")}},
		{"t2", "dan", "beta", "deck", "main", lifecycle.Status{State: lifecycle.Done, Since: ago(7 * time.Minute), Detail: "The tests pass."}},
		{"t2", "eve", "gamma", "deck", "main", lifecycle.Status{State: lifecycle.Idle, Since: ago(3 * time.Hour), Background: true}},
		{"t2", "finn", "gamma", "deck", "main", lifecycle.Status{State: lifecycle.Working, Since: ago(26 * time.Minute), Stale: true, Progress: 40}},
		{"t3", "gwen", "alpha", "site", "redesign", lifecycle.Status{State: lifecycle.Blocked, Reason: lifecycle.Gate, Since: ago(9 * time.Minute),
			Request: request("7-1", "", "publish release 1.2 to the registry")}},
		{"t3", "hal", "alpha", "site", "redesign", lifecycle.Status{State: lifecycle.Dead, Since: ago(50 * time.Hour), Detail: "killed by signal 9", Exited: true}},
		{"t3", "ida", "beta", "site", "redesign", lifecycle.Status{State: lifecycle.Unknown, Since: ago(4 * time.Second)}},
		{"t3", "theodora", "beta", "site", "redesign", lifecycle.Status{State: lifecycle.Blocked, Reason: lifecycle.Limit, Since: ago(20 * time.Hour), Detail: "usage limit until 15:00"}},
		{"t3", "kim", "", "site", "redesign", lifecycle.Status{}},
	} {
		id := layout.PaneID(fmt.Sprintf("p%d", len(s.Panes)+1))
		q := Pane{ID: id, Tab: TabID(p.tab), Nick: p.nick, Agent: p.agent, Program: p.agent, Dir: "~/src/" + p.project,
			Project: p.project, Branch: p.branch, Status: p.status}
		q.Status.Agent = p.agent
		if p.agent == "" {
			q.Program = "bash"
		}
		s.Panes = append(s.Panes, q)
		if i := len(s.Tabs) - 1; i < 0 || s.Tabs[i].ID != q.Tab {
			s.Tabs = append(s.Tabs, Tab{ID: q.Tab, Name: map[string]string{"t1": "parser", "t2": "tests", "t3": "web"}[p.tab], Root: layout.Leaf(id)})
		} else {
			s.Tabs[i].Root = s.Tabs[i].Root.Split(s.Panes[len(s.Panes)-2].ID, layout.Down, id)
		}
	}
	return s
}

// newAgents is a world of ten agents at noon.
func newAgents(t testing.TB, w, h int, settings Settings) *world {
	t.Helper()
	wd := newWorld(t, w, h, tenAgents(), settings)
	wd.Update(ClockMsg{noon})
	return wd
}
