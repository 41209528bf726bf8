// Package reporter is what agents' hooks run: it reads what the agent tells,
// says it to the server whose pane the agent is in, and is gone. It exists apart
// from the command line so that a program with nothing else in it can start in a
// moment: an agent waits for some of its hooks at every step.
package reporter

import (
	"context"
	"errors"
	"io"
	"time"

	"deck/hooks"
	"deck/lifecycle"
	"deck/term/wire"
)

const (
	// deadline is how long all of it may take, whatever the server does. A
	// request that a person answers from deck takes longer.
	deadline = 200 * time.Millisecond
	// maxPayload is what is kept of a payload, in bytes.
	maxPayload = 1 << 20
	// grace is how much longer than a server may hold a request its answer is
	// waited for.
	grace = 2 * time.Second
)

// Run reports one event of an agent. It fails open and in silence: whatever
// goes wrong, the agent must not notice. Outside of a pane it does nothing.
func Run(agent, event string, stdin io.Reader, stdout io.Writer, getenv func(string) string) {
	seq := order()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	defer func() { _ = recover() }()
	run(ctx, seq, agent, event, stdin, stdout, getenv)
}

// run does it until ctx ends; only an answer is waited for beyond that.
func run(ctx context.Context, seq int64, agent, event string, stdin io.Reader, stdout io.Writer, getenv func(string) string) {
	body, whole := read(ctx, stdin)
	a, known := hooks.Lookup(agent)
	socket, token := getenv("DECK_SOCKET"), getenv("DECK_REPORT_TOKEN")
	if !known || socket == "" || token == "" {
		return
	}
	c := wire.Open(socket, token)
	defer c.Close()
	o, unusable := translate(a, event, body, whole)
	if unusable != "" {
		_ = c.TellEvent(ctx, wire.AgentEvent{Agent: agent, Unusable: unusable})
		return
	}
	s := &sender{conn: c, agent: agent, seq: seq, outcome: o}
	if o.Started && a.TakesContext() && getenv(hooks.ContextEnv) != "" {
		defer remind(c, a, stdout)
	}
	// What keeps a turn from its end comes before the end is told; what a tool's end
	// brings about, after.
	if o.Ended && s.take(ctx, stdout) {
		s.outcome = o.GoesOn()
	}
	waits := o.Reply != nil && getenv(hooks.AnswerEnv) != ""
	told := s.tell(ctx, waits)
	if told && !o.Ended {
		s.take(ctx, stdout)
	}
	if !told || !waits {
		return
	}
	wait, cancel := context.WithTimeout(context.Background(), o.Wait+grace)
	defer cancel()
	got, err := c.AskPerson(wait, s.request())
	if err == nil && got.Decision != "" {
		_, _ = stdout.Write(o.Reply(hooks.Answer{Allow: got.Decision == wire.DecisionAllow, Message: got.Message}))
	}
}

// translate says what an event means, or why nothing can be made of it.
func translate(a hooks.Agent, event string, body []byte, whole bool) (o hooks.Outcome, unusable string) {
	if !whole {
		return o, wire.UnusableLength
	}
	o, err := a.Translate(event, body)
	switch {
	case errors.Is(err, hooks.ErrNotJSON):
		return o, wire.UnusableText
	case err != nil:
		return o, wire.UnusableEvent
	}
	return withUsage(a, o), ""
}

// sender says the outcome of one event.
type sender struct {
	conn    *wire.Conn
	agent   string
	seq     int64
	outcome hooks.Outcome
}

// tell says the states, and what else there is at the same time, and reports
// whether the server took it. A request that the hook waits for is told when it
// does.
func (s *sender) tell(ctx context.Context, waits bool) bool {
	e, some := s.event()
	if s.outcome.Ask != nil && !waits {
		a := s.ask()
		e.Ask, some = &a, true
	}
	told := make(chan bool, 1)
	go func() { told <- !some || s.conn.TellEvent(ctx, e) == nil }()
	taken := s.report(ctx)
	return <-told && taken
}

// take prints what waits for the agent where its hook can tell that, and reports
// whether it did.
func (s *sender) take(ctx context.Context, stdout io.Writer) bool {
	o := s.outcome
	if o.Tell == nil {
		return false
	}
	t := wire.AgentTake{Agent: s.agent, Session: s.main().Session, Seq: s.seq, Ends: o.Ended}
	took, _ := s.conn.TakeOffer(ctx, t, func(text string) error {
		_, err := stdout.Write(o.Tell(text))
		return err
	})
	return took
}

// report says the states.
func (s *sender) report(ctx context.Context) bool {
	for i, r := range s.outcome.Reports {
		r.Seq = s.seq + int64(i)
		got, err := s.conn.Report(ctx, r)
		if err != nil || got.Dropped == wire.DropOutsider || got.Dropped == lifecycle.DropSession {
			return false
		}
	}
	return true
}

// main is the report that names the session, and the helper, of the event.
func (s *sender) main() lifecycle.Report {
	if len(s.outcome.Reports) == 0 {
		return lifecycle.Report{}
	}
	return s.outcome.Reports[0]
}

// read reads a payload to its end, so that who writes it is not held up, and
// keeps as much as is looked at. It gives up with ctx.
func read(ctx context.Context, r io.Reader) (body []byte, whole bool) {
	type payload struct {
		body  []byte
		whole bool
	}
	done := make(chan payload, 1)
	go func() {
		body, _ := io.ReadAll(io.LimitReader(r, maxPayload))
		rest, err := io.Copy(io.Discard, r)
		done <- payload{body, rest == 0 && err == nil}
	}()
	select {
	case p := <-done:
		return p.body, p.whole
	case <-ctx.Done():
		return nil, true
	}
}
