package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// offerRoute is where an agent's hook takes what waits for the agent, to tell it
// with its answer.
const offerRoute = "POST /v1/agent-offers"

const (
	// maxOffer is as much as a hook is given at once, in bytes: agents cut what is
	// longer than 10 000 characters.
	maxOffer = 8 << 10
	// offerTime is after which a hook counts as gone that has not said what it did:
	// it has stopped itself, or its agent has, long before.
	offerTime = 10 * time.Second
)

// offers takes POST /v1/agent-offers. Where something waits, the connection is the
// offer's alone, and tells what became of it: a hook that is gone without a word has
// told its agent nothing, since agents do not read what a hook has printed that they
// stopped or that failed.
func (s *server) offers(w http.ResponseWriter, r *http.Request, pane layout.PaneID, t wire.AgentTake) {
	id, text, err := s.loop.offer(r.Context(), pane, t)
	if err != nil {
		answerError(w, err)
		return
	}
	if id == "" {
		answer(w, http.StatusOK, none{})
		return
	}
	over := func(took bool) { s.loop.post(func() { s.loop.offerOver(pane, id, took, t.Ends) }) }
	if !s.enter() {
		over(false)
		return
	}
	defer s.clients.Done()
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		over(false)
		return
	}
	defer conn.Close() // after the loop knows: what the hook tells next comes behind it
	over(s.hand(conn, rw, text))
}

// hand gives a hook a text and reports whether it says that it told it.
func (s *server) hand(conn net.Conn, r io.Reader, text string) bool {
	defer context.AfterFunc(s.ctx, func() { conn.Close() })()
	_ = conn.SetDeadline(time.Now().Add(offerTime))
	_, err := fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: %s\r\nConnection: Upgrade\r\n\r\n", wire.UpgradeOffer)
	if err == nil {
		err = json.NewEncoder(conn).Encode(wire.AgentOffer{Text: text})
	}
	var told wire.AgentTook
	return err == nil && json.NewDecoder(r).Decode(&told) == nil && told.Took
}

// offer gives out what waits for the agent of a pane, as one text, and the id that
// the offer goes by. Nothing is where a turn ends that somebody waits for the answer
// of, which another would take the place of, or one that went on before: two agents
// that write to each other would never come to rest.
func (l *loop) offer(ctx context.Context, id layout.PaneID, t wire.AgentTake) (offer, text string, err error) {
	err = l.ofAgent(context.WithoutCancel(ctx), id, t.Agent, func(p *pane) {
		if at := p.status().Session; at != "" && t.Session != at || t.Ends && (p.agent.mail.goesOn || l.prompted(p)) {
			return
		}
		name := "of_" + l.newID()
		var texts []string
		for _, m := range p.agent.mail.box.Offer(name, t.Seq, maxOffer, func(m lifecycle.Message) bool { return byHook(m, t.Ends) }) {
			texts = append(texts, toldBy(m))
		}
		if len(texts) > 0 {
			offer, text = name, strings.Join(texts, "\n\n")
		}
		l.posted(p)
	})
	return offer, text, err
}

// byHook reports whether a hook may tell a message. A prompt is submitted as a
// person does it, and a task is not begun in the middle of another. Agents give what
// hooks say less weight than what is typed, so a person's words are typed where the
// turn ends anyway.
func byHook(m lifecycle.Message, ends bool) bool {
	switch m.Kind {
	case kindPrompt:
		return false
	case kindHandoff:
		return ends && m.From != ""
	}
	return !ends || m.From != ""
}

// toldBy is a message as a hook tells it. What is typed is taken for the user's,
// what a hook says is not.
func toldBy(m lifecycle.Message) string {
	if m.Kind == kindTell && m.From == "" {
		return "A message from the user, who sent it through deck:\n" + m.Text
	}
	return m.Text
}

// prompted reports whether a pane's agent works on a prompt whose answer somebody
// waits for.
func (l *loop) prompted(p *pane) bool {
	for _, h := range l.handles.Agents("") {
		if pr, err := l.handles.Prompt(h.Last, ""); h.Pane == string(p.id) && err == nil && pr.Open() && !pr.Sent.IsZero() {
			return true
		}
	}
	return false
}

// offerOver follows what a hook did with what it was offered.
func (l *loop) offerOver(id layout.PaneID, offer string, took, ends bool) {
	p := l.panes[id]
	if p == nil {
		return
	}
	if took {
		p.agent.mail.goesOn = p.agent.mail.goesOn || ends
		p.agent.mail.box.Took(offer)
	} else {
		p.agent.mail.box.Returned(offer)
	}
	l.posted(p)
	if p.term != nil {
		l.deliver(p)
	}
}
