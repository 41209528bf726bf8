package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/wire"
)

// hookedPane is an agent at work, as its hooks see the server: by a socket and the
// pane's token.
type hookedPane struct {
	wire.Pane
	t             testing.TB
	socket        string
	token         string
	person, agent *wire.Conn
	mail          *wire.Watch
	seen          []string // what became of messages
}

func newHookedPane(t *testing.T) *hookedPane {
	t.Helper()
	socket := startServer(t)
	p, token := tokenPane(t, socket, "claude")
	h := &hookedPane{Pane: p, t: t, socket: socket, token: token, person: wire.Open(socket, ""), agent: wire.Open(socket, token)}
	t.Cleanup(h.person.Close)
	t.Cleanup(h.agent.Close)
	var err error
	ctx, stop := context.WithTimeout(t.Context(), soon)
	t.Cleanup(stop)
	if h.mail, err = h.person.Events(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.mail.Close() })
	h.report(lifecycle.Working, 1)
	return h
}

func (h *hookedPane) report(s lifecycle.State, seq int64) {
	h.t.Helper()
	r := lifecycle.Report{Source: "integration:claude", Agent: "claude", State: s, Session: "s1", Seq: seq, TTLMillis: 100_000}
	if got, err := h.agent.Report(h.t.Context(), r); err != nil || got.Dropped != "" {
		h.t.Fatal(got, err)
	}
}

func (h *hookedPane) tell(text string) {
	h.t.Helper()
	if _, err := h.person.Tell(h.t.Context(), wire.Tell{Target: h.ID, Text: text}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hookedPane) take(t wire.AgentTake, write func(string) error) (string, bool) {
	h.t.Helper()
	text := ""
	t.Agent = "claude"
	took, err := h.agent.TakeOffer(h.t.Context(), t, func(s string) error {
		text = s
		if write != nil {
			return write(s)
		}
		return nil
	})
	if err != nil && write == nil {
		h.t.Fatal(err)
	}
	return text, took
}

// until waits for a message that came to a stage.
func (h *hookedPane) until(want string) {
	h.t.Helper()
	for {
		e, _, err := h.mail.Next()
		if err != nil {
			h.t.Fatalf("waited in vain for %s: %v, %q", want, err, h.seen)
		}
		if e.Mail == nil {
			continue
		}
		got := strings.TrimSpace(e.Mail.Post + " " + e.Mail.Why)
		if h.seen = append(h.seen, got); got == want {
			return
		}
	}
}

func TestAHookTakesWhatWaitsForABusyAgent(t *testing.T) {
	h := newHookedPane(t)
	if text, took := h.take(wire.AgentTake{Session: "s1", Seq: 2}, nil); took || text != "" {
		t.Errorf("an empty inbox gave %q", text)
	}
	h.tell("first\nsecond line")
	h.tell("another")
	for name, at := range map[string]wire.AgentTake{"another session": {Session: "s2", Seq: 3}} {
		if text, took := h.take(at, nil); took || text != "" {
			t.Errorf("%s was given %q", name, text)
		}
	}
	text, took := h.take(wire.AgentTake{Session: "s1", Seq: 4}, nil)
	const head = "A message from the user, who sent it through deck:\n"
	if d := cmp.Diff(head+"first\nsecond line\n\n"+head+"another", text); d != "" || !took {
		t.Errorf("took %v: %s", took, d)
	}
	if in, err := h.person.Inbox(t.Context(), h.ID); err != nil || len(in) > 0 {
		t.Errorf("%v waits, %v", in, err)
	}
	// The end of the turn shows that it was a part of that.
	if err := h.agent.TellEvent(t.Context(), wire.AgentEvent{Agent: "claude", Session: "s1", Seq: 5, Ended: true}); err != nil {
		t.Fatal(err)
	}
	h.until("confirmed")
	if d := cmp.Diff([]string{"queued", "held busy", "queued", "held hook", "held hook", "delivered hook", "delivered hook", "confirmed"}, h.seen); d != "" {
		t.Error(d)
	}
}

func TestWhatAHookDidNotTellWaitsAgain(t *testing.T) {
	h := newHookedPane(t)
	h.tell("hello")
	if _, took := h.take(wire.AgentTake{Session: "s1", Seq: 2}, func(string) error { return errors.New("broken pipe") }); took {
		t.Error("taken all the same")
	}
	h.until("queued")
	h.until("held hook")
	h.until("queued")
	if text, took := h.take(wire.AgentTake{Session: "s1", Seq: 3}, nil); !took || !strings.HasSuffix(text, "\nhello") {
		t.Errorf("%q, %v", text, took)
	}
}

// TestAHookThatDiesGivesItBack hangs up in the middle, as the kernel does for one
// that is killed.
func TestAHookThatDiesGivesItBack(t *testing.T) {
	h := newHookedPane(t)
	h.tell("hello")
	for _, rest := range []string{"", `{"took":false}`, `{"to`, "nonsense\n"} {
		c, err := net.Dial("unix", h.socket)
		if err != nil {
			t.Fatal(err)
		}
		body := `{"agent":"claude","agent_session_id":"s1"}`
		_, err = fmt.Fprintf(c, "POST /v1/agent-offers HTTP/1.1\r\nHost: deck\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s", wire.TokenHeader, h.token, len(body), body)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("%q: %v %v", rest, resp, err)
		}
		h.until("held hook")
		_, _ = c.Write([]byte(rest))
		c.Close()
		h.until("queued")
	}
	if _, took := h.take(wire.AgentTake{Session: "s1"}, nil); !took {
		t.Error("it is gone")
	}
}

// TestManyHooksTakeEachOnce has hooks come at the same time, of which every other
// one fails.
func TestManyHooksTakeEachOnce(t *testing.T) {
	h := newHookedPane(t)
	const n = 40
	for i := range n {
		h.tell(fmt.Sprintf("<%d>", i))
	}
	var mu sync.Mutex
	var got []string
	for len(got) < n {
		var hooks sync.WaitGroup
		for i := range 8 {
			hooks.Go(func() {
				_, _ = h.agent.TakeOffer(context.Background(), wire.AgentTake{Agent: "claude", Session: "s1"}, func(text string) error {
					if i%2 == 0 {
						return errors.New("it dies")
					}
					mu.Lock()
					defer mu.Unlock()
					for line := range strings.Lines(text) {
						if line[0] == '<' {
							got = append(got, strings.TrimSpace(line))
						}
					}
					return nil
				})
			})
		}
		hooks.Wait()
	}
	for i := range n {
		if got[i] != fmt.Sprintf("<%d>", i) {
			t.Fatalf("told %v", got)
		}
	}
	if len(got) != n {
		t.Errorf("%d of %d: %v", len(got), n, got)
	}
}

// TestWhatAHookMayTell has it decided by the kind of a message and the hook's place
// in the turn.
func TestWhatAHookMayTell(t *testing.T) {
	l := testLoop(t)
	h, _ := startTypist(t, l, 60_000, 5)
	p, err := call(t.Context(), l, func() (*pane, error) { return l.find(h.Pane, caller{}) })
	if err != nil {
		t.Fatal(err)
	}
	s := follow(t, l)
	if _, err := l.submit(t.Context(), caller{}, wire.SubmitPrompt{Handle: h.Handle, Text: "work"}); err != nil {
		t.Fatal(err)
	}
	untilMail(t, s, lifecycle.Delivered)
	got := func(ends bool) string {
		t.Helper()
		id, text, err := l.offer(t.Context(), p.id, wire.AgentTake{Agent: "claude", Ends: ends})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call(t.Context(), l, func() (none, error) { l.offerOver(p.id, id, false, ends); return none{}, nil }); err != nil {
			t.Fatal(err)
		}
		return text
	}
	mail := func(kind, text string) {
		t.Helper()
		if _, err := call(t.Context(), l, func() (wire.Message, error) {
			return l.mailTo(p, lifecycle.Message{ID: l.newMessageID(), Kind: kind, From: kind, Text: text})
		}); err != nil {
			t.Fatal(err)
		}
	}
	mail(kindHandoff, "a task")
	mail(kindClash, "a note")
	if text := got(false); text != "a note" {
		t.Errorf("behind a tool: %q", text)
	}
	if text := got(true); text != "" {
		t.Errorf("at the end of a turn whose answer is waited for: %q", text)
	}
	if _, err := call(t.Context(), l, func() (none, error) {
		_, err := l.handles.Close(h.Handle, "", time.Now())
		return none{}, err
	}); err != nil {
		t.Fatal(err)
	}
	id, text, err := l.offer(t.Context(), p.id, wire.AgentTake{Agent: "claude", Ends: true})
	if _, err := call(t.Context(), l, func() (none, error) { l.offerOver(p.id, id, true, true); return none{}, nil }); err != nil {
		t.Fatal(err)
	}
	mail(kindClash, "another note")
	if text := got(true); text != "" {
		t.Errorf("at the end of a turn that went on before: %q", text)
	}
	tell(t, l, h.Pane, wire.AgentEvent{Agent: "claude", Ended: true})
	if text := got(true); text != "another note" {
		t.Errorf("at the end of the turn after: %q", text)
	}
	if text != "a task\n\na note" || id == "" || err != nil {
		t.Errorf("at the end of another turn: %q, %v", text, err)
	}
}

// untilMail waits for a message to come to a stage.
func untilMail(t testing.TB, s *subscription, want lifecycle.Post) {
	t.Helper()
	deadline := time.After(soon)
	for {
		select {
		case e := <-s.events:
			if e.Mail != nil && e.Mail.Post == string(want) {
				return
			}
		case <-deadline:
			t.Fatalf("no message was %s", want)
		}
	}
}
