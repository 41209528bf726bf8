package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// waiting returns how many waits the loop has for a pane.
func waiting(t testing.TB, l *loop, id string) int {
	t.Helper()
	n, err := call(context.Background(), l, func() (int, error) { return len(l.panes[layout.PaneID(id)].agent.waits), nil })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// untilWaiting waits until that many wait; each look is a turn of the loop.
func untilWaiting(t testing.TB, l *loop, id string, n int) {
	t.Helper()
	for deadline := time.Now().Add(soon); waiting(t, l, id) != n; {
		if time.Now().After(deadline) {
			t.Fatalf("%d wait, want %d", waiting(t, l, id), n)
		}
	}
}

func TestAThousandWaitersAreWokenOnceEach(t *testing.T) {
	socket := startServer(t)
	conn := wire.Open(socket, "")
	defer conn.Close()
	p, token := tokenPane(t, socket, "claude")
	const n = 1000
	outcomes := make(chan string, 2*n)
	var ready, wg sync.WaitGroup
	ready.Add(n)
	for range n {
		wg.Go(func() {
			ready.Done()
			got, err := conn.WaitAgent(t.Context(), wire.AgentWait{Target: p.ID, Until: []lifecycle.State{lifecycle.Done, lifecycle.Idle}})
			if err != nil {
				outcomes <- err.Error()
				return
			}
			outcomes <- got.Outcome + " " + string(got.Agent.State)
		})
	}
	ready.Wait()
	mine := wire.Open(socket, token)
	defer mine.Close()
	for _, s := range []lifecycle.State{lifecycle.Working, lifecycle.NeedsInput, lifecycle.Working, lifecycle.Done} {
		if _, err := mine.Report(t.Context(), said(s, "")); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	close(outcomes)
	count := 0
	for o := range outcomes {
		count++
		if o != "reached done" {
			t.Fatalf("a wait came to %s", o)
		}
	}
	if count != n {
		t.Errorf("%d answers", count)
	}
}

func TestTheOutcomesOfAWait(t *testing.T) {
	l := testLoop(t)
	agent := script(t, "claude", "read x; exit ${x:-0}\n")
	p := open(t, l, "set -m; "+agent+"; "+agent+"; read y")
	s := follow(t, l)
	untilStatus(t, s, p.ID, "the agent", func(a wire.Agent) bool { return a.Agent == "claude" })
	wait := func(ctx context.Context, timeout int64, until ...lifecycle.State) (wire.AgentWaited, error) {
		return l.waitAgent(ctx, caller{}, wire.AgentWait{Target: p.ID, Until: until, Timeout: timeout})
	}
	outcome := func(want string, got wire.AgentWaited, err error) {
		t.Helper()
		if err != nil || got.Outcome != want || got.Agent.Pane != p.ID {
			t.Errorf("waited for %s, got %+v, %v", want, got, err)
		}
	}
	got, err := wait(t.Context(), 0, lifecycle.Unknown)
	outcome("reached", got, err)
	report(t, l, p.ID, said(lifecycle.Idle, ""))
	got, err = wait(t.Context(), 0, lifecycle.Working, lifecycle.Idle)
	outcome("reached", got, err)
	got, err = wait(t.Context(), 1, lifecycle.Dead)
	outcome("timeout", got, err)
	gone, leave := context.WithCancel(t.Context())
	both := make(chan error, 2)
	go func() { _, err := wait(gone, 0, lifecycle.Dead); both <- err }()
	untilWaiting(t, l, p.ID, 1)
	leave()
	if err := <-both; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that went away gets %v", err)
	}
	untilWaiting(t, l, p.ID, 0)
	// The agent ends, and another one takes its place.
	answers := make(chan string, 2)
	waitFor := func(until lifecycle.State) {
		go func() {
			got, err := wait(t.Context(), 0, until)
			if err != nil {
				answers <- err.Error()
				return
			}
			answers <- got.Outcome
		}()
		untilWaiting(t, l, p.ID, 1)
	}
	waitFor(lifecycle.Dead)
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	if o := <-answers; o != "replaced" && o != "exited" {
		t.Errorf("after the agent's end: %s", o)
	}
	untilStatus(t, s, p.ID, "the next agent", func(a wire.Agent) bool { return a.Agent == "claude" && a.Generation == 2 })
	waitFor(lifecycle.Idle)
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"3", "Enter"}}); err != nil {
		t.Fatal(err)
	}
	if o := <-answers; o != "exited" {
		t.Errorf("after the agent's failure: %s", o)
	}
	got, err = wait(t.Context(), 0, lifecycle.Dead)
	outcome("reached", got, err)
	for _, bad := range []wire.AgentWait{{Target: p.ID}, {Target: p.ID, Until: []lifecycle.State{"happy"}},
		{Target: p.ID, Until: waitStates, Timeout: -1}, {Target: "nobody", Until: waitStates}} {
		if _, err := l.waitAgent(t.Context(), caller{}, bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestAPaneThatIsClosedEndsItsWaitsAndGates(t *testing.T) {
	l := testLoop(t)
	open(t, l, "read x")
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	waited, gated := make(chan string, 1), make(chan error, 1)
	go func() {
		got, _ := l.waitAgent(t.Context(), caller{}, wire.AgentWait{Target: p.ID, Until: []lifecycle.State{lifecycle.Done}})
		waited <- got.Outcome
	}()
	untilWaiting(t, l, p.ID, 1)
	s := follow(t, l)
	go func() {
		_, err := l.requestGate(t.Context(), caller{}, wire.GateRequest{Target: p.ID, Wait: 1 << 62})
		gated <- err
	}()
	untilStatus(t, s, p.ID, "the gate", is(lifecycle.Blocked))
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: p.ID}); err != nil {
		t.Fatal(err)
	}
	if o := <-waited; o != "exited" {
		t.Errorf("waited for %s", o)
	}
	wantCode(t, <-gated, wire.CodeNoAgent, p.Nick)
}

func TestAGateHoldsUntilAPersonDecides(t *testing.T) {
	l := testLoop(t)
	shell := open(t, l, "read x")
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	s := follow(t, l)
	inside := caller{pane: layout.PaneID(p.ID)}
	report(t, l, p.ID, said(lifecycle.Working, ""))
	if _, err := l.requestGate(t.Context(), caller{}, wire.GateRequest{Target: shell.ID}); err == nil {
		t.Error("a shell is held")
	}
	for _, approve := range []bool{true, false} {
		answer := make(chan wire.Gate, 1)
		go func() {
			g, err := l.requestGate(t.Context(), inside, wire.GateRequest{Text: "push to \x1b[31mmain", Wait: 1 << 40})
			if err != nil {
				t.Error(err)
			}
			answer <- g
		}()
		a := untilStatus(t, s, p.ID, "the gate", is(lifecycle.Blocked))
		if a.Reason != lifecycle.Gate || a.Source != "gate" || strings.ContainsRune(a.Request.Summary, 0x1b) || a.Request.ID == "" {
			t.Errorf("held as %+v", a)
		}
		if g, err := l.requestGate(t.Context(), inside, wire.GateRequest{Text: "push to \x1b[31mmain"}); err != nil || g.ID != a.Request.ID {
			t.Errorf("asked again: %+v, %v", g, err)
		}
		_, err := l.requestGate(t.Context(), inside, wire.GateRequest{Text: "something else"})
		wantCode(t, err, wire.CodeInvalid, "another gate")
		list, err := l.listGates(t.Context(), caller{}, none{})
		if err != nil || len(list) != 1 || list[0].ID != a.Request.ID || list[0].By != p.Nick || list[0].Decision != "" {
			t.Errorf("the gates are %+v, %v", list, err)
		}
		_, err = l.decideGate(t.Context(), caller{}, wire.GateDecision{Target: p.ID, ID: "other"}, true)
		wantCode(t, err, wire.CodeNoGate, p.Nick)
		if approve {
			g, err := l.decideGate(t.Context(), caller{}, wire.GateDecision{Target: p.ID, ID: a.Request.ID}, true)
			if err != nil || g.Decision != gateApproved {
				t.Errorf("decided %+v, %v", g, err)
			}
		} else if _, err := call(t.Context(), l, func() (int, error) {
			return 0, l.serve(&attached{}, ui.Gate{Pane: layout.PaneID(p.ID), Request: a.Request.ID})
		}); err != nil {
			t.Error(err)
		}
		if g := <-answer; g.Decision != decision(approve) || g.ID != a.Request.ID {
			t.Errorf("the asker is told %+v", g)
		}
		untilStatus(t, s, p.ID, "work", is(lifecycle.Working))
		_, err = l.decideGate(t.Context(), caller{}, wire.GateDecision{Target: p.ID}, true)
		wantCode(t, err, wire.CodeNoGate, p.Nick)
	}
	other := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "codex" })
	_, err := l.requestGate(t.Context(), inside, wire.GateRequest{Target: other.ID})
	wantCode(t, err, wire.CodeForbidden, "another one")
	if g, err := l.requestGate(t.Context(), caller{}, wire.GateRequest{Target: other.ID, Wait: 1}); err != nil || g.Decision != "" {
		t.Errorf("after its time a wait comes to %+v, %v", g, err)
	}
}
