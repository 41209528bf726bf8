package lifecycle

import "time"

// Result is what came of a prompt.
type Result string

// The results. A wait may also return while a prompt is open: NeedsInput and
// Blocked are then the state of its agent, and ResultTimeout is the wait's own.
const (
	ResultIdle       Result = "idle"        // the turn ended, and somebody looked
	ResultDone       Result = "done"        // the turn ended
	ResultNeedsInput Result = "needs-input" // open: a dialog waits
	ResultBlocked    Result = "blocked"     // open: the agent is blocked
	ResultTimeout    Result = "timeout"     // open: the time of the wait is up
	ResultCancelled  Result = "cancelled"   // the agent was closed first
	ResultFailed     Result = "failed"      // it did not get to the agent, or the agent ended
)

// Prompt is one submission to an agent, with what came of it. It is a value;
// the Registry owns the one that counts.
type Prompt struct {
	ID      string
	Agent   string // handle of the agent
	Owner   string // pane that asked; empty for a person
	Message string // id of the message that carries it
	Text    string // what is asked
	Asked   time.Time
	Sent    time.Time // when Enter sent it; zero: it waits
	Settled time.Time // zero: open
	Result  Result    // of a settled one
	Why     string    // of ResultFailed
	Post    Post      // how far its message is
	Held    Why       // what keeps it

	Response string // the agent's last words
	Source   string // where Response is from: hook, transcript or screen

	busy   time.Time // when the agent was last seen at work, or asking
	worked bool      // it was after the prompt was sent
}

// Open reports whether nothing came of it yet.
func (p Prompt) Open() bool { return p.Settled.IsZero() }

// Unanswered reports whether the turn has ended and its answer was not looked
// for yet.
func (p Prompt) Unanswered() bool {
	return (p.Result == ResultIdle || p.Result == ResultDone) && p.Source == ""
}

// Now is its result for somebody who waits, while its agent has a status; empty
// while there is none.
func (p Prompt) Now(st Status) Result {
	switch {
	case !p.Open() && p.Unanswered():
		return ""
	case !p.Open():
		return p.Result
	case p.worked && st.State == NeedsInput, p.Held == WhyDialog:
		return ResultNeedsInput
	case p.worked && st.State == Blocked, p.Held == WhyBlocked:
		return ResultBlocked
	}
	return ""
}

// posted follows the message that carries it.
func (p *Prompt) posted(m Message, now time.Time) {
	p.Post, p.Held = m.Post, ""
	switch m.Post {
	case Held:
		p.Held = m.Why
	case Delivered, Confirmed:
		if p.Sent.IsZero() {
			if p.Sent = m.Entered; p.Sent.IsZero() {
				p.Sent = now
			}
			p.worked = !p.busy.Before(p.Sent)
		}
	case Dropped:
		p.settle(ResultFailed, "not delivered: "+string(m.Why), now)
	}
}

// status follows the state of its agent. A prompt is settled by a rest that came
// after work that came after it was sent.
func (p *Prompt) status(st Status, now time.Time) {
	switch st.State {
	case Working, NeedsInput, Blocked:
		p.busy = now
		p.worked = p.worked || !p.Sent.IsZero()
	case Idle, Done:
		if p.worked {
			p.settle(Result(st.State), "", now)
		}
	}
}

// settle ends it, once.
func (p *Prompt) settle(o Result, why string, now time.Time) {
	if p.Open() {
		p.Settled, p.Result, p.Why = now, o, why
	}
}
