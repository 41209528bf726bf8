package lifecycle

import (
	"strings"
	"time"
)

// Record is one report of the program status protocol (OSC 7501), valid and
// decoded. It has the fields of detect.Record, which converts to it.
type Record struct {
	ID       string // path of a child, its parts joined by "/"; empty is the program itself
	State    string // idle, working, blocked, done, error or clear
	Kind     string // of blocked: permission, question, auth, or not said
	App      string
	Title    string
	Message  string
	Progress int // percent, -1 where not said
}

// recordStates and recordKinds are what the protocol's words are here.
var (
	recordStates = map[string]State{"idle": Idle, "working": Working, "blocked": NeedsInput, "done": Done, "error": Blocked}
	recordKinds  = map[string]string{"permission": Approval, "question": Question, "auth": Authentication}
)

// InBand applies a record that the pane's program sent. It replaces its record
// whole and stands until another does. Whatever prints into a pane can forge
// one: it is a hint, and liveness overrides it.
func (a *Agent) InBand(r Record, now time.Time) Effects {
	now = a.at(now)
	if a.exited {
		return a.settle(now)
	}
	k := key{fromProgram, ownStatus, r.ID}
	old := a.find(k)
	asked := old != nil && old.state == NeedsInput
	state, known := recordStates[r.State]
	switch {
	case r.State == "clear":
		a.drop(func(c *claim) bool {
			return c.from == fromProgram && (r.ID == "" || c.helper == r.ID || strings.HasPrefix(c.helper, r.ID+"/"))
		})
	case known:
		a.put(r.claim(k, state), now)
	}
	if asked && r.ID == "" && state != NeedsInput {
		a.answer(answered{from: []State{NeedsInput}, to: state, note: "the program went on", until: now, hooks: true})
	}
	return a.settle(now)
}

func (r Record) claim(k key, state State) claim {
	c := claim{key: k, state: state, progress: max(r.Progress, 0)}
	text := r.Message
	if text == "" {
		text = r.Title
	}
	switch state {
	case NeedsInput:
		c.reason, c.request = Unexplained, Clean(text, MaxRequest)
		if why := recordKinds[r.Kind]; why != "" {
			c.reason = why
		}
	case Blocked:
		c.reason, c.detail = ToolError, Clean(text, MaxDetail)
	default:
		c.detail = Clean(text, MaxDetail)
	}
	return c
}

// PromptMark tells that a shell's prompt began (OSC 133;A): the program that
// said it works or waits does so no more.
func (a *Agent) PromptMark(now time.Time) Effects {
	now = a.at(now)
	a.burst = time.Time{}
	a.drop(func(c *claim) bool {
		switch c.from {
		case fromProgram, fromSignal:
			return c.state == Working || c.state == NeedsInput
		case fromActivity:
			return true
		}
		return false
	})
	return a.settle(now)
}

// Reset tells that the terminal was reset (RIS): the records are gone.
func (a *Agent) Reset(now time.Time) Effects {
	now = a.at(now)
	a.drop(func(c *claim) bool { return c.from == fromProgram || c.from == fromSignal })
	return a.settle(now)
}

// Signal applies a standing sign of the program, read already: name is "title"
// or "progress", an empty state is a sign that says nothing.
func (a *Agent) Signal(name string, state State, reason string, now time.Time) Effects {
	now = a.at(now)
	if !a.exited {
		if state.asks() && reason == "" {
			reason = Unexplained
		}
		a.put(claim{key: key{from: fromSignal, source: "native:" + name}, state: state, reason: reason}, now)
	}
	return a.settle(now)
}

// Guess applies a heuristic of that name, believed for ten seconds.
func (a *Agent) Guess(name string, state State, reason string, now time.Time) Effects {
	now = a.at(now)
	a.guess(name, state, reason, now)
	return a.settle(now)
}

func (a *Agent) guess(name string, state State, reason string, now time.Time) {
	if a.name != "" && !a.exited {
		a.put(claim{key: key{from: fromActivity, source: "heuristic:" + name}, state: state, reason: reason, until: now.Add(guessTTL)}, now)
	}
}

// Bell tells that the program rang. Right after a key it only refuses the key.
func (a *Agent) Bell(now time.Time) Effects {
	now = a.at(now)
	if !a.watched && now.Sub(a.typed) >= echo {
		a.guess("bell", NeedsInput, Unexplained, now)
	}
	return a.settle(now)
}

// Output that keeps coming is work; what follows a key within echo is its echo.
const (
	echo   = time.Second
	steady = time.Second     // how long it has to come
	lull   = 2 * time.Second // a pause that ends it
)

// Output tells that the pane's program drew; gen counts what it drew.
func (a *Agent) Output(gen uint64, now time.Time) Effects {
	now = a.at(now)
	a.gen = max(a.gen, gen)
	switch {
	case now.Sub(a.typed) < echo:
		a.burst = time.Time{}
	case a.burst.IsZero() || now.Sub(a.output) > lull:
		a.burst = now
	case now.Sub(a.burst) >= steady:
		if best := a.best(now); best == nil || best.rank() == rankActivity {
			a.guess("output", Working, "", now)
		}
	}
	a.output = now
	return a.settle(now)
}
