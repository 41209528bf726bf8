// Package lifecycle says what an agent is doing. It exists as the single place
// that decides a status: everything that is known comes in as values, time
// included, and every surface shows the value that comes out. It is pure: no
// clock, no files, no network.
package lifecycle

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

// Status is what deck concludes about one agent.
type Status struct {
	State  State  `json:"state"`
	Reason string `json:"reason,omitempty"`
	Source string `json:"source,omitempty"`
}
