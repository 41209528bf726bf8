package lifecycle

import "slices"

// Outcome is where a wait stands.
type Outcome string

// The outcomes of a wait.
const (
	Pending  Outcome = ""
	Reached  Outcome = "reached"
	Exited   Outcome = "exited"   // the agent ended in another state
	Replaced Outcome = "replaced" // another agent took its place
)

// Wait is for one agent to come into one of some states. It is pinned to the
// generation it is first checked against, or to the first agent to come.
type Wait struct {
	Until      []State
	Generation uint64 // 0: not pinned yet
}

// Check compares the wait with a status. A state that holds already is reached.
// Who waits for idle is content with done, which is idle unseen.
func (w *Wait) Check(st Status) Outcome {
	if w.Generation == 0 {
		if st.Agent == "" {
			return Pending
		}
		w.Generation = st.Generation
	}
	switch {
	case st.Generation != w.Generation:
		return Replaced
	case slices.Contains(w.Until, st.State), st.State == Done && slices.Contains(w.Until, Idle):
		return Reached
	case st.Exited || st.Agent == "":
		return Exited
	}
	return Pending
}
