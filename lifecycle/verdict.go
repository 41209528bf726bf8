package lifecycle

// Verdict is what the screen says about an agent: the rule that matched and
// what follows from it. The zero Verdict is no opinion, which is not idle.
type Verdict struct {
	State   State
	Reason  string // of needs-input or blocked, as on the wire
	Rule    string // the id of the rule that matched
	Matched string // the text it matched, for explaining; cleaned when shown
	Request string // a one-line summary of what is asked, where the rule finds one
	Tool    string // the tool it is asked for, where the rule finds one
	Draft   string // what is typed in its input line and not sent, empty where that would be no prompt
	Ended   bool   // of a state at rest: the agent says itself that its turn is over
	Hold    bool   // the screen is of a kind that says nothing (a pager, a picker): keep what is known
}

// None reports whether v is no opinion.
func (v Verdict) None() bool { return v.State == "" && !v.Hold }
