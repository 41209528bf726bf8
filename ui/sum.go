package ui

import (
	"deck/lifecycle"
	"deck/ui/paint"
)

// kinds are the reasons that the program status protocol has a word for. A gate
// is a permission that deck asks for.
var kinds = map[string]string{
	lifecycle.Approval: "permission", lifecycle.Gate: "permission",
	lifecycle.Question: "question", lifecycle.Authentication: "auth",
}

// sum is what the client's terminal is told of all agents together: the one
// that needs a person most speaks for them, and after it who works, has a
// result, or rests.
func (m *Model) sum() paint.Status {
	panes := m.state.All()
	counts := tally(panes)
	first := Pane{}
	for _, p := range panes {
		if asking(p) && (first.ID == "" || compareNeed(p, first) < 0) {
			first = p
		}
	}
	count := func(s lifecycle.State) int {
		return counts[urgency(Pane{Agent: "-", Status: lifecycle.Status{State: s}})]
	}
	switch {
	case first.ID != "":
		s := paint.Status{State: "blocked", Message: clean(joinedBy(": ", first.Nick, asked(first.Status)))}
		if s.Kind = kinds[first.Status.Reason]; first.Status.Reason == lifecycle.ToolError {
			s.State = "error"
		}
		return s
	case count(lifecycle.Working) > 0:
		return paint.Status{State: "working"}
	case count(lifecycle.Done) > 0:
		return paint.Status{State: "done"}
	case count(lifecycle.Idle) > 0:
		return paint.Status{State: "idle"}
	}
	return paint.Status{}
}
