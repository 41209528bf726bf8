package server

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"deck/lifecycle"
	"deck/term/wire"
)

// maxAsks is how many requests of one agent are kept; the oldest go first.
const maxAsks = 8

// ask is a request of an agent to a person as its hook told it; owned by the
// loop but for its content, which is not changed.
type ask struct {
	wire.AgentAsk
	serial                 int // tells it from the others of its agent
	agent, session, helper string
	blocks                 bool                  // the agent draws no dialog before it is answered
	answer                 chan wire.AgentAnswer // of one; nil: the hook does not wait
}

// addAsk keeps a request.
func (l *loop) addAsk(p *pane, a *ask) {
	p.agent.askSerial++
	a.serial = p.agent.askSerial
	asks := append(p.agent.asks, a)
	for len(asks) > maxAsks {
		asks[0].end(wire.AgentAnswer{})
		asks = asks[1:]
	}
	p.agent.asks = asks
}

// end answers a hook that waits.
func (a *ask) end(answer wire.AgentAnswer) {
	if a.answer != nil {
		a.answer <- answer
	}
}

// dropAsk forgets a request, whose hook has gone. It reports whether it was
// still there.
func (l *loop) dropAsk(p *pane, a *ask) bool {
	i := slices.Index(p.agent.asks, a)
	if i >= 0 {
		p.agent.asks = slices.Delete(p.agent.asks, i, i+1)
	}
	return i >= 0
}

// overTime is how long an agent asks nothing before it is taken to be over with
// what it asked: its words on different ways overtake each other.
const overTime = time.Second

// releaseAsks lets go of requests of an agent that does not ask any more, if it
// does not after a moment either.
func (l *loop) releaseAsks(p *pane) {
	if len(p.agent.asks) == 0 {
		return
	}
	last := p.agent.askSerial
	time.AfterFunc(overTime, func() {
		l.post(func() {
			if p.status().State == lifecycle.NeedsInput {
				return
			}
			p.agent.asks = slices.DeleteFunc(p.agent.asks, func(a *ask) bool {
				if a.serial <= last {
					a.end(wire.AgentAnswer{})
				}
				return a.serial <= last
			})
		})
	})
}

// endAsks lets an agent's own dialogs decide.
func (l *loop) endAsks(p *pane) {
	for _, a := range p.agent.asks {
		a.end(wire.AgentAnswer{})
	}
	p.agent.asks = nil
}

// decideAsk answers a hook that waits, and tells the agent's state: no agent
// has a hook for that.
func (l *loop) decideAsk(p *pane, a *ask, allow bool) error {
	if a.answer == nil || !l.dropAsk(p, a) {
		return requestChanged(p.nick)
	}
	answer := wire.AgentAnswer{Decision: wire.DecisionDeny}
	if allow {
		answer.Decision = wire.DecisionAllow
	}
	a.end(answer)
	e, _ := p.agent.life.Reported(lifecycle.Report{Source: "integration:" + a.agent, Agent: a.agent, State: lifecycle.Working,
		Session: a.session, Helper: a.helper}, time.Now())
	l.follow(p, e)
	return nil
}

// fitting returns the request that a dialog is about, the newest where there are
// several: one that waits rather than one that is only known.
func fitting(asks []*ask, d reading) *ask {
	var known *ask
	for _, a := range slices.Backward(asks) {
		switch {
		case d.found && !a.blocks && !a.shownIn(d):
		case a.answer != nil:
			return a
		case known == nil:
			known = a
		}
	}
	return known
}

// shownIn reports whether a dialog shows what the request is about: the name of
// the file and the first row that is new in it, or the first row of the text. A
// request that looks much like it is another one.
func (a *ask) shownIn(d reading) bool {
	screen := packed(strings.Join(d.Text, ""))
	for _, e := range a.Edits {
		if name := packed(filepath.Base(e.Path)); name != "" && strings.Contains(screen, name) && strings.Contains(screen, firstNew(e)) {
			return true
		}
	}
	for line := range strings.Lines(a.Text) {
		if text := packed(line); text != "" {
			return len(a.Edits) == 0 && strings.Contains(screen, text)
		}
	}
	return false
}

// firstNew is the first row that a change adds, packed.
func firstNew(e wire.AgentEdit) string {
	for _, row := range diffOf(e) {
		if text, ok := strings.CutPrefix(row, "+"); ok && packed(text) != "" {
			return packed(text)
		}
	}
	return ""
}

// packed is a text without what a program may break its rows at.
func packed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
