package lifecycle

import (
	"cmp"
	"strconv"
	"time"
)

const (
	loanAge = 2 * time.Second        // how old a claim is before the screen may overrule it
	transit = 300 * time.Millisecond // how long a hook's report may be on its way
)

// Effects is what follows from something told.
type Effects struct {
	Status   Status
	Changed  bool    // Status is not what it was
	Alert    State   // NeedsInput, Blocked or Done if it was just entered, else empty; Done not before background work ended
	Outcome  State   // what a turn came to if it just did: Idle, Done, NeedsInput, Blocked or Dead
	Remember *Resume // a native session to store
}

// Resume is what starts a native session again.
type Resume struct {
	Agent   string
	Session string
	Argv    []string // may be empty
}

// decision is the claim that decides, and why.
type decision struct {
	claim *claim // nil: none
	why   string
	stale bool
	works bool // a helper or a task works beside
}

// Reasons for explaining.
const (
	whyHighest  = "highest source with an opinion"
	whyLoan     = "the screen shows what waits for a person and is newer"
	whyKept     = "ran out, and nothing better than a guess is newer"
	whyQuestion = "a helper asks"
	whyHelper   = "a helper works on"
)

// decide is the order of claims: the best one that has not run out, unless the
// screen borrows its place. What the agent's hooks said last gives way to the
// screen when it has run out, not to a guess. Helpers count beside all that.
func (a *Agent) decide(now time.Time) decision {
	d := decision{claim: a.best(now), why: whyHighest}
	if s := a.loan(d.claim, now); s != nil {
		d = decision{claim: s, why: whyLoan}
	}
	if d.claim == nil || d.claim.from == fromActivity {
		if k := a.kept(); k != nil {
			d = decision{claim: k, why: whyKept, stale: true}
		}
	}
	for i := range a.claims {
		c := &a.claims[i]
		if c.helper == "" || !c.speaks(now) {
			continue
		}
		d.works = d.works || c.state == Working
		switch {
		case c.state == NeedsInput && (d.claim == nil || d.claim.state != NeedsInput):
			d.claim, d.why, d.stale = c, whyQuestion, false
		case c.state == Working && c.from == fromReport && (d.claim == nil || d.claim.state.rests()):
			d.claim, d.why, d.stale = c, whyHelper, false
		}
	}
	return d
}

// best is the claim about the agent itself with the highest rank, and of equal
// ranks the newest. Next to hooks that have a say, in-band words rank as high as
// they: the two are one voice.
func (a *Agent) best(now time.Time) *claim {
	voice := rankProgram
	for i := range a.claims {
		if c := &a.claims[i]; c.helper == "" && c.hooked() && !c.answered && c.speaks(now) {
			voice = rankIntegration
		}
	}
	var best *claim
	high := 0
	for i := range a.claims {
		c := &a.claims[i]
		if c.helper != "" || !c.speaks(now) || now.Before(a.underway(c)) || a.beside(c) {
			continue
		}
		rank := c.rank()
		if c.from == fromProgram {
			rank = voice
		}
		if rank > high || rank == high && !c.at.Before(best.at) {
			best, high = c, rank
		}
	}
	return best
}

// beside reports whether c says that the program works and means what goes on
// after a turn: its hooks said last that the turn is over and tasks are left.
func (a *Agent) beside(c *claim) bool {
	if c.from != fromProgram || c.state != Working {
		return false
	}
	var last *claim
	for i := range a.claims {
		if h := &a.claims[i]; h.helper == "" && h.hooked() && (last == nil || !h.at.Before(last.at)) {
			last = h
		}
	}
	return last != nil && last.state.rests() && last.background && !last.answered
}

// underway returns until when a hook's report has to wait because it may have
// been overtaken on its way: it says working right after the program itself
// said that it asks, or that its turn is over. A turn that begins so soon after
// another the program tells itself.
func (a *Agent) underway(c *claim) time.Time {
	if c.state != Working || !c.hooked() {
		return time.Time{}
	}
	w := a.find(key{fromProgram, ownStatus, ""})
	if w == nil || w.state != NeedsInput && !w.state.rests() {
		return time.Time{}
	}
	if after := c.at.Sub(w.at); after < 0 || after >= transit {
		return time.Time{}
	}
	if w.state.rests() {
		return c.until
	}
	return c.at.Add(transit)
}

// loan returns the screen's claim if it may stand in for c: see lendable. It is
// computed anew each time, so c is back as soon as it does not hold.
func (a *Agent) loan(c *claim, now time.Time) *claim {
	if s := a.lendable(c); s != nil && now.Sub(c.at) >= loanAge {
		return s
	}
	return nil
}

// lendable returns the screen's claim if it asks for a person, c does not, and
// the pane has drawn since c was said.
func (a *Agent) lendable(c *claim) *claim {
	s := a.find(a.screenKey())
	if s == nil || c == nil || s == c || !s.state.asks() || c.state == NeedsInput || c.state == s.state || s.gen <= c.gen {
		return nil
	}
	return s
}

// kept is the newest claim of an integration, though it has run out.
func (a *Agent) kept() *claim {
	var kept *claim
	for i := range a.claims {
		if c := &a.claims[i]; c.helper == "" && c.hooked() && c.opinion() && (kept == nil || !c.at.Before(kept.at)) {
			kept = c
		}
	}
	return kept
}

// project is the one place that makes a status of what is known: gate, then
// death, then claims.
func (a *Agent) project(d decision, now time.Time) Status {
	st := Status{State: Unknown, Agent: a.name, Generation: a.generation, Session: a.session, Meta: a.meta, Exited: a.exited}
	switch {
	case a.gate.pending:
		st.State, st.Reason, st.Source, st.Detail = Blocked, Gate, "gate", a.gate.by
		st.Request.Summary = a.gate.text
	case a.exited && a.finished && a.unseen:
		st.State, st.Source, st.Detail = Done, "process", a.exit
	case a.exited:
		st.State, st.Source, st.Detail = Dead, "process", a.exit
	case a.name != "" && d.claim != nil:
		c := d.claim
		st.State, st.Source, st.Stale, st.Progress = c.state, c.source, d.stale, c.progress
		st.Background = (c.state.rests() || c.helper != "") && (d.works || c.background)
		a.describe(&st, c, now)
	}
	if st.State.rests() && !a.exited {
		st.State = Idle
		if a.unseen {
			st.State = Done
		}
	}
	if st.State == NeedsInput || a.gate.pending {
		st.Request.ID = strconv.FormatUint(a.generation, 10) + "-" + strconv.FormatUint(a.requests, 10)
	}
	return st
}

// describe takes the words of the deciding claim, and where it has none those
// of the newest other claim that says the same.
func (a *Agent) describe(st *Status, c *claim, now time.Time) {
	words := func(of func(*claim) string) string {
		text, at := of(c), time.Time{}
		for i := range a.claims {
			o := &a.claims[i]
			same := o.state == c.state && (o.helper == c.helper || c.state == NeedsInput) && !o.answered && o.speaks(now)
			if same && of(c) == "" && of(o) != "" && !o.at.Before(at) {
				text, at = of(o), o.at
			}
		}
		return text
	}
	st.Detail = words(func(c *claim) string { return c.detail })
	st.Tool = words(func(c *claim) string { return c.tool })
	st.Reason = words(func(c *claim) string {
		if c.reason == Unexplained {
			return ""
		}
		return c.reason
	})
	if st.State.asks() && st.Reason == "" {
		st.Reason = Unexplained
	}
	if st.State == NeedsInput {
		st.Request.Summary, st.Request.Tool = words(func(c *claim) string { return c.request }), st.Tool
		st.Request.Summary = cmp.Or(st.Request.Summary, st.Detail)
		st.Detail = cmp.Or(st.Detail, clip(st.Request.Summary, MaxDetail))
	}
}

// settle brings the status up to now and says what changed.
func (a *Agent) settle(now time.Time) Effects {
	if due := a.held.due; !due.IsZero() && !now.Before(due) {
		v := a.held.verdict
		a.held = held{}
		a.show(v, now)
	}
	d, guessed := a.decide(now), a.guessed
	a.turn(d)
	old, st := a.status, a.project(d, now)
	if st.State == NeedsInput && old.State != NeedsInput {
		a.requests++
		st = a.project(d, now)
	}
	if st.State == NeedsInput && old.State == NeedsInput && st.Reason == Unexplained && st.Generation == old.Generation {
		st.Reason = old.Reason // what goes away is not explained any more
	}
	st.Since = old.Since
	if st.State != old.State || st.Reason != old.Reason || st.Generation != old.Generation {
		st.Since = now
	}
	a.status = st
	e := Effects{Status: a.Status(), Changed: st != old && (old != Status{} || st != Status{State: Unknown, Since: now})}
	if st.Generation != old.Generation {
		old = Status{State: Unknown}
	}
	if st.calls() != old.calls() {
		e.Alert = st.calls()
	}
	if st.State == old.State {
		return e
	}
	ran := old.State == Working && (!guessed || st.State.asks()) || old.State.asks()
	if st.State == Dead || ran && (st.State.rests() || st.State.asks()) {
		e.Outcome = st.State
	}
	return e
}

// calls is the state that a person is alerted to, empty for one that they are
// not. A turn has not come to its end while work goes on beside it.
func (s Status) calls() State {
	if s.State.asks() || s.State == Done && !s.Background {
		return s.State
	}
	return ""
}

// turn keeps whether a turn has ended that nobody has looked at. One that
// somebody stopped, or that says itself that there is nothing to see, leaves
// nothing.
func (a *Agent) turn(d decision) {
	a.guessed = !a.exited && d.claim != nil && d.claim.rule == ruleEntered
	if !a.exited && d.claim != nil {
		switch c := d.claim; {
		case c.state == Working && !c.answered && !a.outlives(c):
			a.begun = a.begun || c.from == fromReport || c.from == fromScreen
			a.unseen = a.begun
		case c.state == Idle && c.explicit() && !a.was.rests():
			a.unseen = false
		}
		a.was = d.claim.state
	}
	if a.watched && (a.exited || a.was.rests()) {
		a.unseen = false
	}
}

// Deadline is when Tick is due, false if nothing will change by time alone.
func (a *Agent) Deadline() (time.Time, bool) {
	now := a.clock
	var next time.Time
	consider := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	consider(a.held.due)
	for i := range a.claims {
		c := &a.claims[i]
		if c.opinion() && !a.exited {
			consider(c.until)
			consider(a.underway(c))
		}
	}
	if best := a.best(now); a.lendable(best) != nil {
		consider(best.at.Add(loanAge))
	}
	return next.Add(-a.skew), !next.IsZero()
}
