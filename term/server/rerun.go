package server

import (
	"time"

	"deck/lifecycle/detect"
	"deck/term"
)

// castEpoch is when every recording begins, on its own clock.
var castEpoch = time.Unix(0, 0)

// rerun follows the agent of a recording as the server follows one in a pane:
// at the recording's times, and with nothing else that depends on time. The
// process is not in a recording: the agent is there from its begin.
type rerun struct {
	senses
	cast       *term.CastPlayer
	rules      *detect.Set
	agent      string
	screenOnly bool

	look   time.Duration // when the next look is due
	due    bool          // whether it is
	looked time.Duration // when the last one was
	last   glimpse
	screen detect.Screen  // of the last look
	found  detect.Reading // in it
}

// glimpse is what a look depends on.
type glimpse struct {
	subject
	gen   uint64
	title string
}

// run follows the agent to the recording's moment, and looks then.
func (r *rerun) run() {
	r.life.Appeared(r.agent, 1, castEpoch)
	r.looked = -sightRest
	for {
		at, more := r.cast.Next()
		if !more {
			break
		}
		r.until(at)
		r.step(at)
	}
	at := r.cast.At
	r.until(at)
	r.see(r.cast.Steady(), at)
	r.life.Tick(castEpoch.Add(at))
}

// step takes what happened at one time. A key was pressed before what it
// brought about was drawn.
func (r *rerun) step(at time.Duration) {
	now, gen := castEpoch.Add(at), r.cast.Generation()
	s := r.cast.Step()
	for _, k := range s.Presses {
		r.life.Key(keyKinds[k], gen, now)
	}
	look := s.Wrote
	for _, e := range s.Events {
		if r.screenOnly && speaks(e) {
			continue
		}
		_, anew := r.told(e, now)
		_, title := e.(term.TitleEvent)
		look = look || anew || title
	}
	if look && !r.due {
		r.look, r.due = max(at+settleTime, r.looked+sightRest), true
	}
}

// speaks reports whether an event is what a program says of itself, in contrast
// to what it draws.
func speaks(e term.Event) bool {
	switch e.(type) {
	case term.StatusEvent, term.ProgressEvent, term.TitleEvent, term.BellEvent:
		return true
	}
	return false
}

// until does what is due by time alone before at.
func (r *rerun) until(at time.Duration) {
	for {
		deadline, ok := r.life.Deadline()
		tick := deadline.Sub(castEpoch)
		switch {
		case r.due && r.look < at && (!ok || r.look <= tick):
			r.glance(r.look)
		case ok && tick < at:
			r.life.Tick(deadline)
		default:
			return
		}
	}
}

// glance is a look that was due; rows that are half painted are waited for.
func (r *rerun) glance(at time.Duration) {
	v := r.cast.View()
	if v.Held {
		r.look = at + heldRest
		return
	}
	r.due, r.looked = false, at
	r.see(v, at)
}

// see tells the agent's state of a view, if it is not the last one.
func (r *rerun) see(v term.View, at time.Duration) {
	if r.screenOnly {
		v.Title = ""
	}
	g := glimpse{r.subject(r.agent, 1), v.Generation, v.Title}
	if g == r.last {
		return
	}
	r.last = g
	r.screen, r.found = g.read(r.rules, v)
	r.saw(r.found, v.Generation, castEpoch.Add(at))
}
