package lifecycle

import "time"

// guessTTL is how long what is only guessed is believed.
const guessTTL = 10 * time.Second

// Agent is all that is known about the agent of one pane. Everything that
// happens is told to it, with the time; it answers with what follows. The zero
// value is a pane without an agent. It is owned by one goroutine.
//
// Times may go back: an Agent's own clock stands still then and goes on from
// where it was.
type Agent struct {
	name       string // empty: none
	generation uint64
	claims     []claim
	threads    []thread // in which order reports came, per source
	session    string   // native, as last reported
	resume     []string
	meta       *Meta

	gate     gate
	exited   bool
	finished bool // it ended well with a result nobody has looked at
	exit     string
	missed   int // times in a row that the census did not find it

	gen     uint64  // the pane's output, as far as told
	looked  uint64  // the output that the last verdict was about
	seen    Verdict // the last one
	held    held
	sent    string // the draft that an Enter sent last
	strokes strokes
	typed   time.Time // last key
	stopped time.Time // when it was seen that a key had stopped a turn; zero: not since the last Enter
	output  time.Time // last output
	burst   time.Time // since when output keeps coming; zero: it does not

	watched  bool  // a person looks at the pane
	begun    bool  // it was given something to do; before, what it does is starting
	unseen   bool  // a turn ran whose end nobody has looked at
	was      State // the last decided state, before gates and looks
	guessed  bool  // it is taken to work on a prompt that nothing shows yet
	requests uint64
	status   Status
	clock    time.Time
	skew     time.Duration // what is added to the caller's time
}

// gate is a decision that a person has to take.
type gate struct {
	pending bool
	text    string
	by      string
}

// Status is what was concluded from the last thing told.
func (a *Agent) Status() Status {
	st := a.status
	if st.State == "" {
		st.State = Unknown
	}
	if !st.Since.IsZero() {
		st.Since = st.Since.Add(-a.skew)
	}
	return st
}

// Resume is what starts the agent's native session again: the session's id and
// the arguments, both empty if not reported.
func (a *Agent) Resume() (session string, argv []string) { return a.session, a.resume }

// Appeared tells that an agent of that name is in the pane's foreground. A
// generation unlike the last one is another agent: nothing said about the old
// one counts for it. What a program said in-band just before its name was known
// is its own.
func (a *Agent) Appeared(name string, generation uint64, now time.Time) Effects {
	now = a.at(now)
	if generation != a.generation || name != a.name {
		early := a.name == ""
		*a = Agent{name: name, generation: generation, claims: a.claims, gen: a.gen, looked: a.looked, typed: a.typed,
			output: a.output, watched: a.watched, requests: a.requests, status: a.status, clock: a.clock, skew: a.skew}
		a.drop(func(c *claim) bool { return !early || c.from != fromProgram || now.Sub(c.at) > guessTTL })
	}
	a.missed = 0
	return a.settle(now)
}

// Exited tells that the agent's process ended: clean is an exit code of 0, how
// is for people ("exit 1", "killed by signal 9"). It is dead at once, unless it
// had finished and nobody has looked yet.
func (a *Agent) Exited(clean bool, how string, now time.Time) Effects {
	now = a.at(now)
	if a.name != "" && !a.exited {
		a.finished = clean && a.status.State == Done
		a.exited, a.exit = true, Clean(how, MaxDetail)
		a.drop(func(c *claim) bool { return c.from != fromReport })
	}
	return a.settle(now)
}

// Census tells whether a look at all processes found the agent. Two misses in a
// row are its death: one look may come between two processes of a program that
// replaces itself.
func (a *Agent) Census(found bool, now time.Time) Effects {
	a.missed++
	if found {
		a.missed = 0
	}
	if a.missed >= 2 {
		return a.Exited(false, "gone", now)
	}
	return a.settle(a.at(now))
}

// Dismiss forgets a dead agent; it does nothing to a living one.
func (a *Agent) Dismiss(now time.Time) Effects {
	now = a.at(now)
	if a.exited {
		a.forget()
	}
	return a.settle(now)
}

// Restarted tells that the pane's program was started anew in a new terminal:
// nothing of the old one is left.
func (a *Agent) Restarted(now time.Time) Effects {
	now = a.at(now)
	a.forget()
	a.gen, a.looked = 0, 0
	return a.settle(now)
}

// forget leaves a pane without an agent, whose generations go on.
func (a *Agent) forget() {
	*a = Agent{generation: a.generation, gen: a.gen, looked: a.looked, watched: a.watched, requests: a.requests,
		status: a.status, clock: a.clock, skew: a.skew}
}

// Reported applies a valid report, or says why it is dropped.
func (a *Agent) Reported(r Report, now time.Time) (Effects, Drop) {
	now = a.at(now)
	if a.name == "" || a.exited {
		return a.settle(now), DropNoAgent
	}
	if why := a.admit(r, now); why != "" {
		return a.settle(now), why
	}
	if r.Confirm && a.status.State != r.State && a.shown() != r.State {
		return a.settle(now), DropUnconfirmed
	}
	remember := a.remember(r)
	if r.State != "" {
		c := claim{key: key{fromReport, r.Source, r.Helper}, state: r.State, reason: r.Reason, detail: Clean(r.Detail, MaxDetail),
			request: Clean(r.Request, MaxRequest), tool: Clean(r.Tool, MaxDetail), background: r.Background,
			session: r.Session, until: now.Add(r.TTL())}
		if c.state.asks() && c.reason == "" {
			c.reason = Unexplained
		}
		if c.state == Done && c.helper == "" && a.stops(now) {
			c.state = Idle // the end that a stop key asked for
		}
		if old := a.find(c.key); r.Confirm && old != nil && old.state == c.state {
			c.reason, c.detail, c.request, c.tool = old.reason, old.detail, old.request, old.tool // no other request
		}
		a.put(c, now)
	}
	e := a.settle(now)
	e.Remember = remember
	return e, ""
}

// remember keeps what a report says besides the state, and returns what is new
// about the native session.
func (a *Agent) remember(r Report) *Resume {
	if r.Meta != nil && (a.meta == nil || !a.meta.equal(r.Meta)) {
		a.meta = r.Meta.clean()
	}
	if r.Helper != "" || r.Session == "" || r.Session == a.session && r.Resume == nil {
		return nil
	}
	if r.Session != a.session {
		a.resume = nil
	}
	a.session = r.Session
	if r.Resume != nil {
		a.resume = append([]string(nil), r.Resume...)
	}
	return &Resume{Agent: a.name, Session: a.session, Argv: a.resume}
}

// GateRequested holds the agent until a person decides; text is what they
// decide on, by is who asks.
func (a *Agent) GateRequested(text, by string, now time.Time) Effects {
	now = a.at(now)
	if a.name != "" {
		a.gate = gate{true, Clean(text, MaxRequest), Clean(by, MaxDetail)}
		a.requests++
	}
	return a.settle(now)
}

// GateClosed tells that the gate was approved or rejected.
func (a *Agent) GateClosed(now time.Time) Effects {
	now = a.at(now)
	a.gate = gate{}
	return a.settle(now)
}

// Watch tells whether a person looks at the pane. While they do, a turn's end
// is seen at once.
func (a *Agent) Watch(on bool, now time.Time) Effects {
	now = a.at(now)
	a.watched = on
	return a.settle(now)
}

// Seen tells that a person has looked, or said that they need not.
func (a *Agent) Seen(now time.Time) Effects {
	now = a.at(now)
	a.unseen = false
	return a.settle(now)
}

// Tick tells nothing but the time. It is due at Deadline.
func (a *Agent) Tick(now time.Time) Effects { return a.settle(a.at(now)) }

// at is the caller's time on the agent's own clock, which never goes back.
func (a *Agent) at(now time.Time) time.Time {
	t := now.Add(a.skew)
	if t.Before(a.clock) {
		a.skew += a.clock.Sub(t)
		t = a.clock
	}
	a.clock = t
	return t
}

func (m *Meta) equal(n *Meta) bool {
	if m.Title != n.Title || m.DisplayAgent != n.DisplayAgent || m.StateLabel != n.StateLabel || len(m.Tokens) != len(n.Tokens) {
		return false
	}
	for k, v := range m.Tokens {
		if w, ok := n.Tokens[k]; !ok || v != w {
			return false
		}
	}
	return true
}

func (m *Meta) clean() *Meta {
	c := &Meta{Title: Clean(m.Title, maxMeta), DisplayAgent: Clean(m.DisplayAgent, maxMeta), StateLabel: Clean(m.StateLabel, maxMeta)}
	for k, v := range m.Tokens {
		if c.Tokens == nil {
			c.Tokens = map[string]string{}
		}
		c.Tokens[k] = Clean(v, maxMeta)
	}
	return c
}
