package lifecycle

import (
	"slices"
	"time"
)

// Key is a kind of key that was typed into a pane.
type Key uint8

// The kinds that mean something to an agent.
const (
	KeyOther Key = iota
	KeyEnter
	KeyEsc
	KeyCtrlC
	KeyDigit
	KeyText
)

// stroke is a key that may explain what the screen shows next.
type stroke struct {
	at  time.Time
	gen uint64 // the pane's output by then
	ok  bool
}

// before reports whether the screen of output gen is one after the key.
func (s stroke) before(gen uint64) bool { return s.ok && s.gen < gen }

// strokes are the last keys of each meaning.
type strokes struct {
	stop   stroke // Esc, Ctrl-C
	enter  stroke
	touch  stroke // any key while a dialog was shown
	answer stroke // one that can choose in it
	wrote  bool   // something was typed since the last Enter
}

// held is a verdict that waits before it counts. An agent that is seen at work,
// or asking, draws nothing of it for a moment between two steps.
type held struct {
	verdict Verdict
	due     time.Time // zero: none
}

const (
	// second is after which a second look decides: the longest such moment that
	// was seen of a real agent at work took 450 ms.
	second   = 600 * time.Millisecond
	patience = 10 * time.Second // how long a stop key may take
	reaction = 10 * time.Second // how long an agent may take to show that it works on a prompt; its first one takes it longest
	echoed   = time.Second      // how long a prompt that was sent may still be drawn as a draft
	late     = time.Second      // how much later than the key a report about the dialog may come, or about a stop that was seen
)

// The rules of a screen's claim that evidence made.
const (
	ruleAnswered = "deck:answered" // a dialog went after a key
	ruleEntered  = "deck:entered"  // a prompt was sent; the screen does not show it yet
)

// Key tells that a key went into the pane when it had drawn gen; 0 is as far as
// was told by Output. What the key brought about may have been told before it.
func (a *Agent) Key(k Key, gen uint64, now time.Time) Effects {
	now = a.at(now)
	a.typed = now
	s := stroke{now, a.gen, true}
	if gen > 0 {
		s.gen = min(gen, a.gen)
	}
	if a.shown() == NeedsInput {
		a.strokes.touch = s
		if k == KeyEnter || k == KeyDigit || k == KeyText {
			a.strokes.answer = s
		}
	}
	switch k {
	case KeyEsc, KeyCtrlC:
		a.strokes.stop = s
	case KeyEnter:
		a.strokes.enter, a.strokes.stop, a.stopped = s, stroke{}, time.Time{}
		a.begun = a.begun || a.status.State != NeedsInput
		a.entered(now)
		a.strokes.wrote = false
	default:
		a.strokes.wrote = true
	}
	if !a.held.due.IsZero() && s.before(a.looked) {
		a.look(a.held.verdict, now)
	}
	return a.settle(now)
}

// entered takes it that an agent at rest works on the draft that an Enter sends,
// until its screen says what becomes of it.
func (a *Agent) entered(now time.Time) {
	if !a.strokes.wrote || a.seen.Draft == "" || !a.shown().rests() {
		return
	}
	a.sent = a.seen.Draft
	a.held = held{a.seen, now.Add(reaction)}
	a.show(Verdict{State: Working, Rule: ruleEntered}, now)
}

// unsent reports whether what was taken for a prompt turns out to be none: it is
// still a draft, or the key opened a view.
func (a *Agent) unsent(v Verdict, now time.Time) bool {
	c := a.find(a.screenKey())
	if c == nil || c.rule != ruleEntered {
		return false
	}
	enter := a.strokes.enter
	return v.Hold || v.Draft == a.sent && enter.before(a.looked) && now.Sub(enter.at) >= echoed
}

// Screen tells what the screen rules say about the pane's screen, of output
// gen. A verdict about an older screen than the last one is passed over.
func (a *Agent) Screen(v Verdict, gen uint64, now time.Time) Effects {
	now = a.at(now)
	if gen < a.looked || a.name == "" || a.exited {
		return a.settle(now)
	}
	a.looked, a.gen = gen, max(a.gen, gen)
	if v.State == Done {
		v.State = Idle // whether somebody has looked is not on the screen
	}
	a.seen = v
	a.look(v, now)
	return a.settle(now)
}

// look lets a verdict on the newest screen count, at once or held.
func (a *Agent) look(v Verdict, now time.Time) {
	if a.unsent(v, now) {
		a.show(a.held.verdict, now)
	}
	switch to := a.evidence(v, now); {
	case v.Hold:
		a.held = held{}
	case to == Working && v.State != Working:
		a.show(Verdict{State: Working, Rule: ruleAnswered}, now)
		a.hold(v, now)
	case to == "" && a.lingers(v):
		a.hold(v, now)
	default:
		a.held = held{}
		a.show(v, now)
	}
}

// evidence draws what keys and screen say together, changes the claims that
// they overtake and returns the state that follows, empty for nothing.
func (a *Agent) evidence(v Verdict, now time.Time) State {
	s, gen := a.strokes, a.looked
	switch {
	case v.Hold || v.State == NeedsInput || v.State == Blocked:
		return ""
	case v.State == Idle && s.stop.before(gen) && now.Sub(s.stop.at) <= patience:
		a.strokes, a.unseen, a.stopped = strokes{}, false, now
		a.answer(answered{from: []State{Working, NeedsInput}, to: Idle, note: "stopped at the keyboard", until: s.stop.at.Add(late)})
		return Idle
	case s.answer.before(gen), s.touch.before(gen) && v.State == Working:
		// A refusal may be worked on for a moment before the turn is over.
		a.strokes = strokes{stop: s.stop}
		a.answer(answered{from: []State{NeedsInput}, to: Working, note: "answered at the keyboard", until: s.touch.at.Add(late)})
		return Working
	case s.enter.before(gen) && v.State == Working:
		a.strokes.enter = stroke{}
		a.answer(answered{from: []State{Idle, Done}, to: Working, note: "a prompt was entered", until: s.enter.at.Add(late)})
		return Working
	}
	return ""
}

// stops reports whether what ends now may have been stopped at the keyboard, or
// was just seen to be.
func (a *Agent) stops(now time.Time) bool {
	return a.strokes.stop.ok && now.Sub(a.strokes.stop.at) <= patience || !a.stopped.IsZero() && now.Sub(a.stopped) <= late
}

// outlives reports whether c is a sign of work on a turn that was stopped: a title
// takes its time to change, and some agents work on a refusal for a moment. No
// other turn begins without an Enter so soon.
func (a *Agent) outlives(c *claim) bool {
	return c.level() && !a.stopped.IsZero() && c.at.Sub(a.stopped) <= patience
}

// answered is what overtakes claims: those in one of the states from, said not
// after until, are in state to from then on.
type answered struct {
	from  []State
	to    State
	note  string
	until time.Time
	hooks bool // of the agent's hooks only
}

// answer applies e to reports. What a program says in-band it corrects by
// itself. A helper that rests does not begin to work by a prompt.
func (a *Agent) answer(e answered) {
	for i := range a.claims {
		c := &a.claims[i]
		if c.from != fromReport || c.at.After(e.until) || e.hooks && !c.hooked() || c.helper != "" && c.state.rests() {
			continue
		}
		if slices.Contains(e.from, c.state) {
			c.state, c.reason, c.request, c.answered, c.note = e.to, "", "", true, e.note
		}
	}
}

// lingers reports whether what the screen showed stands for a moment although v
// shows nothing of it. A key that explains the change decides at once, and so
// does an agent that says that its turn is over, unless a key has just set it to
// work: then that may be of before.
func (a *Agent) lingers(v Verdict) bool {
	if !v.None() && !v.State.rests() {
		return false
	}
	switch a.shown() {
	case Working:
		return !v.Ended || a.find(a.screenKey()).keyed()
	case NeedsInput:
		return !a.strokes.touch.before(a.looked)
	}
	return false
}

func (a *Agent) hold(v Verdict, now time.Time) {
	if a.held.due.IsZero() {
		a.held.due = now.Add(second)
	}
	a.held.verdict = v
}

// screenKey is the key of the screen's own claim.
func (a *Agent) screenKey() key { return key{from: fromScreen, source: "manifest:" + a.name} }

// shown is the state that the screen's claim has.
func (a *Agent) shown() State {
	if c := a.find(a.screenKey()); c != nil {
		return c.state
	}
	return ""
}

func (a *Agent) show(v Verdict, now time.Time) {
	c := claim{key: a.screenKey(), state: v.State, reason: v.Reason, request: Clean(v.Request, MaxRequest), tool: Clean(v.Tool, MaxDetail),
		rule: v.Rule, matched: Clean(v.Matched, MaxRequest)}
	c.answered = c.keyed()
	if c.state.asks() && c.reason == "" {
		c.reason = Unexplained
	}
	a.put(c, now)
	a.find(c.key).gen = a.looked
}
