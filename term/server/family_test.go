package server

import (
	"strings"
	"testing"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// family opens an agent and a sub-agent of it.
func family(t *testing.T, l *loop) (parent, child wire.Pane) {
	t.Helper()
	as := func(n *wire.NewPane) { n.Agent = "someone" }
	parent = open(t, l, "read x", as)
	child, err := l.newPane(t.Context(), caller{pane: layout.PaneID(parent.ID)},
		wire.NewPane{Agent: "someone", Command: []string{"/bin/sh", "-c", "read x"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return parent, child
}

func inboxOf(t *testing.T, l *loop, pane string) []wire.Message {
	t.Helper()
	rows, err := l.listInbox(t.Context(), caller{}, ofTarget{pane})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// What a sub-agent asks lies in its agent's inbox for as long as it asks it.
func TestAWordToAParentIsTakenBackOnceItIsSettled(t *testing.T) {
	l := testLoop(t)
	parent, child := family(t, l)
	asks := func(text string) lifecycle.Report {
		r := said(lifecycle.NeedsInput, lifecycle.Question)
		r.Source, r.Agent, r.Detail = "integration:someone", "someone", text
		return r
	}
	for _, text := range []string{"red or blue?", "left or right?"} {
		report(t, l, child.ID, asks(text))
		rows := inboxOf(t, l, parent.ID)
		if len(rows) != 1 || rows[0].Kind != kindAsk || rows[0].From != child.Nick || !strings.Contains(rows[0].Text, text) ||
			!strings.Contains(rows[0].Text, "deck answer "+child.Nick) {
			t.Fatalf("the parent's inbox: %+v", rows)
		}
		working := said(lifecycle.Working, "")
		working.Source, working.Agent = "integration:someone", "someone"
		report(t, l, child.ID, working)
		if rows := inboxOf(t, l, parent.ID); len(rows) != 0 {
			t.Fatalf("it still lies there: %+v", rows)
		}
	}
	report(t, l, child.ID, asks("here or there?"))
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: child.ID}); err != nil {
		t.Fatal(err)
	}
	if rows := inboxOf(t, l, parent.ID); len(rows) != 0 {
		t.Errorf("after its end: %+v", rows)
	}
}

// A gate is a person's to decide, whoever the agent belongs to.
func TestAGateOfASubAgentIsForAPerson(t *testing.T) {
	l := testLoop(t)
	parent, child := family(t, l)
	_, r := join(t, l)
	if _, err := l.requestGate(t.Context(), caller{}, wire.GateRequest{Target: child.ID, Text: "deploy?"}); err != nil {
		t.Fatal(err)
	}
	r.until(t, "the alert", func(r *recorder) bool { return len(r.alerts) == 1 && string(r.alerts[0].ID) == child.ID })
	if rows := inboxOf(t, l, parent.ID); len(rows) != 0 {
		t.Errorf("the parent is told: %+v", rows)
	}
}

// A shell that an agent opened is not a person's, not even when the agent is gone.
func TestWhatAnAgentOpenedIsNoPersons(t *testing.T) {
	l := testLoop(t)
	parent := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "someone" })
	other := open(t, l, "read x")
	shell, err := l.newPane(t.Context(), caller{pane: layout.PaneID(parent.ID)}, wire.NewPane{Command: []string{"/bin/sh", "-c", "read x"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	inside := caller{pane: layout.PaneID(shell.ID)}
	send := func() error {
		_, err := l.send(t.Context(), inside, wire.Send{Target: other.ID, Literal: "x"})
		return err
	}
	wantCode(t, send(), wire.CodeNotHuman, parent.Nick)
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: parent.ID}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, send(), wire.CodeNotHuman, shell.Nick)
}
