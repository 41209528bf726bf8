package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// maxMessage is the longest text that is sent to an agent, in bytes.
const maxMessage = 64 << 10

// The kinds of messages.
const (
	kindTell    = "tell"
	kindPrompt  = "prompt"
	kindHandoff = "handoff"
	kindDone    = "done"
	kindClash   = "clash"
	kindAsk     = "ask" // what a sub-agent needs
)

// tell puts a text into the inbox of a pane's agent.
func (l *loop) tell(ctx context.Context, c caller, r wire.Tell) (wire.Message, error) {
	text := cleanMessage(r.Text)
	switch {
	case text == "":
		return wire.Message{}, invalid("nothing to say: the text is empty")
	case len(text) > maxMessage:
		return wire.Message{}, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("the text is longer than %d bytes", maxMessage),
			Hint: "write it to a file and name the file"}
	case r.Timeout < 0:
		return wire.Message{}, invalid("invalid timeout: %d", r.Timeout)
	}
	return call(ctx, l, func() (wire.Message, error) {
		p, err := l.find(r.Target, c)
		if err != nil {
			return wire.Message{}, err
		}
		m := lifecycle.Message{ID: l.newMessageID(), Kind: kindTell, Text: text}
		if r.Timeout > 0 {
			m.Until = time.Now().Add(millis(r.Timeout))
		}
		if l.panes[c.pane] == p {
			return wire.Message{}, invalid("can't tell %s: it is this pane", p.nick)
		}
		if from := l.agentCalling(c); from != nil {
			if ok, loop := l.traffic.Allow(string(from.id), string(p.id), time.Now()); !ok {
				err := tooMany(from, p, loop)
				l.note(c, "tell", p, err)
				return wire.Message{}, err
			}
			m.From, m.Text = string(from.id), letter(from, text)
		}
		l.note(c, "tell", p, nil)
		return l.mailTo(p, m)
	})
}

// tooMany is the answer to agents that write to each other without end.
func tooMany(from, to *pane, loop bool) error {
	why := fmt.Sprintf("%s has written to %s too often", from.nick, to.nick)
	if loop {
		why = from.nick + " and " + to.nick + " only answer each other"
	}
	return &wire.Error{Code: wire.CodeTooMany, Message: why, Hint: "a person who types into one of them lets them go on"}
}

// newMessageID returns an id that no other message has.
func (l *loop) newMessageID() string { return "m_" + l.newID() }

// mailTo puts a message into the inbox of a pane's agent and begins to deliver it.
func (l *loop) mailTo(p *pane, m lifecycle.Message) (wire.Message, error) {
	if st := p.status(); st.Agent == "" {
		return wire.Message{}, noAgent(p)
	}
	return l.mailFor(p, m)
}

// mailFor puts a message into the inbox of a pane whose agent may not be there yet.
func (l *loop) mailFor(p *pane, m lifecycle.Message) (wire.Message, error) {
	now := time.Now()
	if err := p.agent.mail.box.Put(m, now); errors.Is(err, lifecycle.ErrInboxFull) {
		return wire.Message{}, &wire.Error{Code: wire.CodeInboxFull, Message: "too many messages wait for " + p.nick,
			Hint: "deck inbox " + p.nick + " lists them"}
	}
	l.deliver(p)
	l.posted(p)
	for _, w := range p.agent.mail.box.Waiting() {
		if w.ID == m.ID {
			m = w
		}
	}
	return l.message(p, m, now), nil
}

// message is a message as verbs and events tell of it.
func (l *loop) message(p *pane, m lifecycle.Message, now time.Time) wire.Message {
	from := "a person"
	if m.From != "" {
		from = m.From
		if q := l.panes[layout.PaneID(m.From)]; q != nil {
			from = q.nick
		}
	}
	return wire.Message{ID: m.ID, Pane: string(p.id), Nick: p.nick, Kind: m.Kind, From: from, Text: m.Text,
		Post: string(m.Post), Why: string(m.Why), AgeMillis: max(now.Sub(m.Sent).Milliseconds(), 0)}
}

// letter is a text from one agent to another as it is typed: who sends it, how to
// answer, and where their words begin and end. The delimiter is made here, so
// that no text can pretend to end before it does.
func letter(from *pane, text string) string {
	return fenced(fmt.Sprintf("Message from %s, another agent and not the user. Answer with: deck tell %s \"...\"", who(from), from.nick), text)
}

// fenced puts an agent's words below a line of deck's own, between delimiters that
// are made here.
func fenced(head, text string) string {
	fence := randomToken()[:8]
	return fmt.Sprintf("%s\n<message-%s>\n%s\n</message-%s>", head, fence, text, fence)
}

// who names a pane and its agent.
func who(p *pane) string {
	if st := p.status(); st.Agent != "" {
		return p.nick + " (" + st.Agent + ")"
	}
	return p.nick
}

// listInbox lists what waits for the agents of all panes, or of one.
func (l *loop) listInbox(ctx context.Context, c caller, r ofTarget) ([]wire.Message, error) {
	return call(ctx, l, func() ([]wire.Message, error) {
		panes := l.inOrder()
		if r.Target != "" {
			p, err := l.find(r.Target, c)
			if err != nil {
				return nil, err
			}
			panes = []*pane{p}
		}
		out, now := []wire.Message{}, time.Now()
		for _, p := range panes {
			for _, m := range p.agent.mail.box.Waiting() {
				out = append(out, l.message(p, m, now))
			}
		}
		return out, nil
	})
}

// ofTarget is the query of lists that can be of one pane.
type ofTarget struct {
	Target string `json:"target"`
}

// dropMessage is a person's word that a message is not to be delivered; an agent
// may take back what it sent.
func (l *loop) dropMessage(ctx context.Context, c caller, r wire.DropMessage) (wire.Done, error) {
	return call(ctx, l, func() (wire.Done, error) {
		for _, p := range l.panes {
			for _, m := range p.agent.mail.box.Waiting() {
				if m.ID != r.ID {
					continue
				}
				if q := l.agentCalling(c); q != nil && string(q.id) != m.From {
					return wire.Done{}, &wire.Error{Code: wire.CodeForbidden, Message: "an agent can drop only its own messages"}
				}
				if !p.agent.mail.box.Drop(m.ID, lifecycle.WhyPerson) {
					return wire.Done{}, invalid("can't drop %s: it is on its way to %s", m.ID, p.nick)
				}
				l.posted(p)
				l.deliver(p)
				return wire.Done{Count: 1}, nil
			}
		}
		return wire.Done{}, &wire.Error{Code: wire.CodeMessageNotFound, Message: "can't find message: " + cleanText(r.ID, maxLabel),
			Hint: "deck inbox lists those that wait"}
	})
}
