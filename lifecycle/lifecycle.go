// Package lifecycle says what an agent is doing. It exists as the single place
// that decides a status: everything that is known comes in as values, time
// included, and every surface shows the value that comes out. It is pure: no
// clock, no files, no network.
package lifecycle

import "time"

// State is what an agent is doing, by its name on the wire.
type State string

// The states. Unknown is also what an absent one reads as.
const (
	Unknown    State = "unknown"
	Working    State = "working"
	NeedsInput State = "needs-input"
	Idle       State = "idle"
	Blocked    State = "blocked"
	Done       State = "done"
	Dead       State = "dead"
)

// The reasons of NeedsInput and Blocked. Gate is deck's own: nothing from
// outside can claim it.
const (
	Approval       = "approval"
	Question       = "question"
	Authentication = "authentication"
	Gate           = "gate"
	Handoff        = "handoff"
	Limit          = "limit"
	ToolError      = "tool_error"
	ExternalWait   = "external_wait"
	Unexplained    = "unknown"
)

// Status is what deck concludes about one agent. It is comparable: two
// statuses are the same if == says so.
type Status struct {
	State      State     `json:"state"`
	Reason     string    `json:"reason,omitempty"`           // of NeedsInput and Blocked
	Detail     string    `json:"detail,omitempty"`           // clean, at most MaxDetail characters
	Request    Request   `json:"request,omitzero"`           // what a person is asked, of NeedsInput and a gate
	Tool       string    `json:"tool,omitempty"`             // the tool at work
	Progress   int       `json:"progress,omitempty"`         // percent, 0 if not told
	Source     string    `json:"source,omitempty"`           // whose claim it is: "integration:claude", "process", "gate"
	Since      time.Time `json:"since,omitzero"`             // when State or Reason became this
	Stale      bool      `json:"stale,omitempty"`            // the claim ran out and nothing newer is known
	Background bool      `json:"background,omitempty"`       // helpers or tasks run beside the turn
	Exited     bool      `json:"exited,omitempty"`           // the program is gone
	Agent      string    `json:"agent,omitempty"`            // its name, empty while there is none
	Generation uint64    `json:"generation,omitempty"`       // counts the agents of the pane, from 1
	Session    string    `json:"agent_session_id,omitempty"` // the agent's own name of its session
	Meta       *Meta     `json:"meta,omitempty"`             // never changed after it was set
}

// Request is what a person is asked for. An answer is bound to its ID, which
// changes when the dialog does.
type Request struct {
	ID      string `json:"id"`
	Summary string `json:"summary,omitempty"` // one line, clean
	Tool    string `json:"tool,omitempty"`
}

// Meta is for presentation only: nothing is decided by it.
type Meta struct {
	Title        string            `json:"title,omitempty"`
	DisplayAgent string            `json:"display_agent,omitempty"`
	StateLabel   string            `json:"state_label,omitempty"`
	Tokens       map[string]string `json:"tokens,omitempty"`
}

// asks reports whether s waits for a person.
func (s State) asks() bool { return s == NeedsInput || s == Blocked }

// rests reports whether s is a turn's end.
func (s State) rests() bool { return s == Idle || s == Done }
