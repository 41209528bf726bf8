package lifecycle

import (
	"cmp"
	"slices"
	"time"
)

// Explanation is how a status came about: every claim, and which one won.
type Explanation struct {
	Status   Status        `json:"status"`
	Why      string        `json:"why"`
	Claims   []ClaimView   `json:"claims"` // the highest source first
	Held     *HeldView     `json:"held,omitempty"`
	Sessions []SessionView `json:"sessions,omitempty"`
	Next     int64         `json:"next_ms,omitempty"` // until time alone changes something; 0: never
}

// ClaimView is one claim as it is explained.
type ClaimView struct {
	Source     string `json:"source"`
	Channel    string `json:"channel"`             // report, in-band, signal, screen or activity
	Helper     string `json:"helper_id,omitempty"` // about this sub-agent
	State      State  `json:"state"`
	Reason     string `json:"reason,omitempty"`
	Detail     string `json:"detail,omitempty"`
	Request    string `json:"request,omitempty"`
	Tool       string `json:"tool,omitempty"`
	Rule       string `json:"rule,omitempty"`
	Matched    string `json:"matched,omitempty"`
	Session    string `json:"agent_session_id,omitempty"`
	Age        int64  `json:"age_ms"`
	Expires    int64  `json:"expires_ms,omitempty"` // from now; 0: stands, negative: ran out so long ago
	Background bool   `json:"background,omitempty"`
	Won        bool   `json:"won"`
	Why        string `json:"why"`
}

// HeldView is a verdict that does not count yet.
type HeldView struct {
	State State  `json:"state"`
	Rule  string `json:"rule,omitempty"`
	In    int64  `json:"in_ms"`
}

// SessionView is how far a source's reports have come.
type SessionView struct {
	Source  string `json:"source"`
	Session string `json:"agent_session_id,omitempty"`
	Seq     int64  `json:"seq"`
}

// channels are the names of the ways on which claims come.
var channels = [...]string{fromReport: "report", fromProgram: "in-band", fromSignal: "signal", fromScreen: "screen", fromActivity: "activity"}

// Explain tells how the status at now comes about. It changes nothing.
func (a *Agent) Explain(now time.Time) Explanation {
	now = now.Add(a.skew)
	if now.Before(a.clock) {
		now = a.clock
	}
	d := a.decide(now)
	x := Explanation{Status: a.Status(), Why: a.why(d), Claims: []ClaimView{}}
	order := make([]*claim, 0, len(a.claims))
	for i := range a.claims {
		order = append(order, &a.claims[i])
	}
	slices.SortStableFunc(order, func(p, q *claim) int {
		return cmp.Or(cmp.Compare(q.rank(), p.rank()), q.at.Compare(p.at))
	})
	for _, c := range order {
		x.Claims = append(x.Claims, a.view(c, d, now))
	}
	if !a.held.due.IsZero() {
		x.Held = &HeldView{orUnknown(a.held.verdict.State), a.held.verdict.Rule, a.held.due.Sub(now).Milliseconds()}
	}
	for i := range a.threads {
		t := &a.threads[i]
		v := SessionView{Source: t.source, Session: t.session}
		if m := t.mark(t.session, ""); m != nil {
			v.Seq = m.seq
		}
		x.Sessions = append(x.Sessions, v)
	}
	if at, ok := a.Deadline(); ok {
		x.Next = at.Add(a.skew).Sub(now).Milliseconds()
	}
	return x
}

// why says what decided.
func (a *Agent) why(d decision) string {
	switch {
	case a.gate.pending:
		return "a gate waits for a person"
	case a.exited && a.finished && a.unseen:
		return "it finished and ended; nobody has looked"
	case a.exited:
		return "its process ended"
	case a.name == "":
		return "there is no agent"
	case d.claim == nil:
		return "nobody has an opinion"
	}
	return d.why
}

// view is one claim, and why it won or did not: the first ground that holds, in
// the order in which decide looks.
func (a *Agent) view(c *claim, d decision, now time.Time) ClaimView {
	v := ClaimView{Source: c.source, Channel: channels[c.from], Helper: c.helper, State: orUnknown(c.state), Reason: c.reason,
		Detail: c.detail, Request: c.request, Tool: c.tool, Rule: c.rule, Matched: c.matched, Session: c.session,
		Age: now.Sub(c.at).Milliseconds(), Background: c.background, Won: c == d.claim && !a.gate.pending && !a.exited && a.name != ""}
	if !c.until.IsZero() {
		v.Expires = c.until.Sub(now).Milliseconds()
		if v.Expires == 0 {
			v.Expires = -1
		}
	}
	switch {
	case v.Won:
		v.Why = d.why
	case a.gate.pending || a.exited || a.name == "":
		v.Why = a.why(d)
	case !c.opinion():
		v.Why = "no opinion"
	case c.expired(now):
		v.Why = "ran out"
	case c.helper != "":
		v.Why = "about a helper"
	case now.Before(a.underway(c)):
		v.Why = "may have been overtaken on its way"
	case d.why == whyLoan && c.rank() > d.claim.rank():
		v.Why = "lent its place to the screen"
	case d.claim.helper != "":
		v.Why = d.why
	case c.rank() < d.claim.rank():
		v.Why = "lower source than " + d.claim.source
	default:
		v.Why = "older than what " + d.claim.source + " says"
	}
	if c.note != "" {
		v.Why = c.note + "; " + v.Why
	}
	return v
}

// orUnknown reads an absent state as it is read everywhere.
func orUnknown(s State) State {
	if s == "" {
		return Unknown
	}
	return s
}
