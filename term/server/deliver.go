package server

import (
	"errors"
	"strings"
	"time"

	"deck/hooks"
	"deck/lifecycle"
	"deck/term"
	"deck/term/wire"
)

// mailbox is what waits for the agent of a pane, and what its delivery goes by;
// owned by the loop.
type mailbox struct {
	box      lifecycle.Inbox
	composer lifecycle.Composer // at the last look
	gen      uint64             // the output it was about
	typed    uint64             // what had been typed by then
	keyAt    time.Time          // when somebody typed last
	unsent   bool               // since the last Enter
	enters   uint64             // how often they pressed it
	due      time.Time          // when delivery goes on by time alone; zero: when something happens
	working  bool               // delivery is under way
	goesOn   bool               // a hook has made its turn go on
}

// writeRest is how long a text waits that the program had no room for.
const writeRest = time.Second

// deliver brings what waits for a pane's agent on its way, as far as it can now.
func (l *loop) deliver(p *pane) {
	m := &p.agent.mail
	if m.working || m.box.Empty() {
		return
	}
	m.working = true
	defer func() { m.working = false }()
	for {
		now := time.Now()
		s := m.box.Next(l.desk(p), now)
		if s.Act == lifecycle.Stay {
			m.due = s.Due
			break
		}
		err := l.write(p, s)
		m.box.Wrote(err == nil, now)
		if errors.Is(err, term.ErrTyped) {
			m.due = time.Time{}
			break
		} else if err != nil {
			m.due = now.Add(writeRest)
			break
		}
	}
	l.wakeAt(m.due)
	l.posted(p)
	if !m.box.Empty() && m.typed != p.term.Typed() {
		// What was typed since may show nothing by itself.
		p.watch.eyes.output()
	}
}

// desk is what delivery goes by. The keys are those of the last look, so that
// whatever was typed since holds the hand that writes.
func (l *loop) desk(p *pane) lifecycle.Desk {
	m, st := &p.agent.mail, p.status()
	d := lifecycle.Desk{Agent: st.Agent != "" && !st.Exited, State: st.State, Composer: m.composer,
		Gen: m.gen, Keys: m.typed, KeyAt: m.keyAt, Unsent: m.unsent, Enters: m.enters}
	if st.Exited {
		d.Agent, d.State = true, lifecycle.Dead
	}
	if a, ok := hooks.Lookup(st.Agent); ok {
		d.Manner.Pause = a.Composer.Pause
	}
	return d
}

// write carries out a step, and tells the agent's state of the keys.
func (l *loop) write(p *pane, s lifecycle.Step) error {
	k, err, gen := lifecycle.KeyText, error(nil), p.term.Generation()
	if s.Act == lifecycle.Paste {
		err = p.term.PasteIf(s.Keys, pasteOf(p, s.Text))
	} else {
		k, err = lifecycle.KeyEnter, p.term.EnterIf(s.Keys)
	}
	if err == nil {
		l.follow(p, p.agent.life.Key(k, gen, time.Now()))
	}
	return err
}

// pasteOf is a text as it can be pasted. A program that did not ask to tell a
// paste from keys would take the end of a line for Enter.
func pasteOf(p *pane, text string) string {
	if p.term.Modes().BracketedPaste {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// posted tells everybody what became of messages.
func (l *loop) posted(p *pane) {
	for _, m := range p.agent.mail.box.Changes() {
		if id := l.handles.Posted(m, time.Now()); id != "" {
			l.wakePrompt(id)
			l.promptsFollow(p, p.status())
		}
		l.log.Info("message", "pane", string(p.id), "id", m.ID, "kind", m.Kind, "post", string(m.Post), "why", string(m.Why))
		l.change(p)
		w := l.message(p, m, time.Now())
		w.Text = ""
		l.emit(wire.Event{Type: "message", ID: string(p.id), Session: p.tab.session.name, Mail: &w})
	}
}

// held tells how many messages wait, and why the first is not typed; empty while
// it is.
func (m *mailbox) held() (n int, why string) {
	waiting := m.box.Waiting()
	if len(waiting) > 0 && waiting[0].Post == lifecycle.Held && waiting[0].Why != lifecycle.WhySending && waiting[0].Why != lifecycle.WhyHook {
		why = string(waiting[0].Why)
	}
	return len(waiting), why
}

// looked takes what a look at the screen says about the input line.
func (m *mailbox) looked(s sight) {
	m.composer, m.gen, m.typed = s.Composer, s.gen, s.typed
}

// replaced forgets what was seen of another program in the pane.
func (m *mailbox) replaced() {
	m.composer, m.gen, m.unsent = lifecycle.Composer{}, 0, false
	m.box.Replaced()
}

// pressedKey takes a key that somebody typed. What answers a dialog is not in the
// input line.
func (m *mailbox) pressedKey(k lifecycle.Key, st lifecycle.Status, now time.Time) {
	if k == lifecycle.KeyEnter {
		m.enters++
	}
	m.keyAt, m.unsent = now, k != lifecycle.KeyEnter && st.State != lifecycle.NeedsInput
}

// cleanMessage makes a text safe to type: what could be keys goes, ends of lines
// and tabs stay.
func cleanMessage(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case r < ' ' || r >= 0x7f && r < 0xa0 || bidiControl(r):
			return -1
		}
		return r
	}, text))
}
