package server

import (
	"slices"
	"time"

	"deck/lifecycle"
	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// agentEvent follows what a program told its terminal about itself.
func (l *loop) agentEvent(p *pane, e term.Event) {
	f, look := p.agent.told(e, time.Now())
	l.follow(p, f)
	if look {
		l.attend(p)
	}
}

// restartAgent forgets what was known of a pane's program, which is started
// anew.
func (l *loop) restartAgent(p *pane) {
	a := &p.agent
	a.death.stop()
	a.pid, a.death, a.counted, a.left, a.drawn, a.shell, a.progress = 0, nil, false, false, 0, false, term.ProgressEvent{}
	l.follow(p, a.life.Restarted(time.Now()))
}

// leaveAgent ends what waits for the agent of a pane that is closed.
func (l *loop) leaveAgent(p *pane) {
	p.agent.death.stop()
	l.endWaits(p)
	l.takeBack(p)
	l.dropGate(p)
	l.endAsks(p)
}

// strokeRest is the time in which keys that mean the same are told once.
const strokeRest = 100 * time.Millisecond

// felt tells the loop of a token that goes into a pane, before it does. It may
// be called from any goroutine, and is cheap for panes without an agent.
func (l *loop) felt(id layout.PaneID, s *paneScreen, tok ui.Token) {
	if k := term.PressOf(tok); k != term.PressNone {
		l.pressed(id, s, k)
	}
}

// sent tells the loop of what a verb types into a pane, before it does.
func (l *loop) sent(id layout.PaneID, r wire.Send) {
	s, ok := (*l.index.Load())[id]
	if !ok {
		return
	}
	presses := term.PressesOf(r.Keys)
	if r.Paste && r.Literal != "" {
		presses = append(presses, term.PressText)
	} else {
		presses = append(presses, term.PressesOfText(r.Literal)...)
	}
	if slices.Contains(presses, term.PressEnter) {
		s.looked.typed([]byte("\r"))
	}
	l.pressed(id, s, presses...)
}

// pressed tells the loop of keys for an agent, with the output that was there
// when they were pressed.
func (l *loop) pressed(id layout.PaneID, s *paneScreen, presses ...term.Press) {
	e := s.looked.eyes
	if e.on.Load() == nil {
		return
	}
	gen := s.Generation()
	for _, k := range presses {
		if !e.repeats(k, gen) {
			l.post(func() { l.keyed(id, s.Pane, keyKinds[k], gen) })
		}
	}
}

// keyKinds are the kinds of keys as an agent's state is told them.
var keyKinds = map[term.Press]lifecycle.Key{
	term.PressOther: lifecycle.KeyOther, term.PressEnter: lifecycle.KeyEnter, term.PressEsc: lifecycle.KeyEsc,
	term.PressCtrlC: lifecycle.KeyCtrlC, term.PressDigit: lifecycle.KeyDigit, term.PressText: lifecycle.KeyText,
}

// stroke is a key that was told to the loop.
type stroke struct {
	kind term.Press
	gen  uint64
	at   time.Time
}

// repeats reports whether a key says nothing that was not told a moment ago.
func (e *eyes) repeats(k term.Press, gen uint64) bool {
	now := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	last := e.stroke
	if (k == term.PressText || k == term.PressOther) && last.kind == k && now.Sub(last.at) < strokeRest {
		return true
	}
	e.stroke = stroke{k, gen, now}
	return false
}

// keyed follows a key that a pane's agent got.
func (l *loop) keyed(id layout.PaneID, t *term.Pane, k lifecycle.Key, gen uint64) {
	if p := l.panes[id]; p != nil && p.term == t {
		p.agent.mail.pressedKey(k, p.status(), time.Now())
		l.traffic.Forget(string(id))
		l.follow(p, p.agent.life.Key(k, gen, time.Now()))
	}
}
