package server

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// menuScript is a program that asks with a menu, in the way of a kind of dialog:
// "number" is answered by a number at once, "move" moves to it, "arrows" has no
// numbers, "deaf" takes nothing. What was chosen it prints.
const menuScript = `
kind=$1; question=${2:-Do you want to run this command?}
stty raw -echo
at=0; set -- "Yes" "Yes, always" "No"
draw() {
	printf '\033[2J\033[H %s\r\n\r\n' "$question"
	i=0
	for o in "$@"; do
		if [ $i = $at ]; then printf ' ❯ '; else printf '   '; fi
		[ $kind = arrows ] || printf '%d. ' $((i+1))
		printf '%s\r\n' "$o"; i=$((i+1))
	done
	printf '\r\n Enter to select · Esc to cancel'
}
chosen() {
	printf '\033[2J\033[Hchosen %s after %d ms\r\n' "$1" $((($(date +%s%N) - born) / 1000000))
	stty sane; read x; exit
}
born=$(date +%s%N)
draw "$@"
while :; do
	k=$(dd bs=8 count=1 2>/dev/null)
	case $kind$k in
	deaf*) ;;
	number[1-3]) chosen $k ;;
	move[1-3]) at=$((k-1)); draw "$@" ;;
	*'[A'|*OA) at=$((at-1)); draw "$@" ;;
	*'[B'|*OB) at=$((at+1)); draw "$@" ;;
	*"$(printf '\r')") chosen $((at+1)) ;;
	*c) question="Something else?"; at=0; draw "$@" ;;
	esac
done
`

// menu opens a pane whose agent asks, and waits until it is seen to.
func menu(t testing.TB, l *loop, kind string, change ...func(*wire.NewPane)) wire.Pane {
	t.Helper()
	p := open(t, l, "", append([]func(*wire.NewPane){func(n *wire.NewPane) {
		n.Command, n.Agent = []string{script(t, "ask", menuScript), kind}, "someone"
	}}, change...)...)
	untilStatus(t, follow(t, l), p.ID, "the question", is(lifecycle.NeedsInput))
	return p
}

func TestAnOptionIsTakenAsItsDialogTakesIt(t *testing.T) {
	for _, kind := range []string{"number", "move", "arrows"} {
		for option := 1; option <= 3; option++ {
			t.Run(fmt.Sprint(kind, option), func(t *testing.T) {
				l := testLoop(t)
				client, _ := join(t, l)
				p := menu(t, l, kind)
				q, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
				if err != nil {
					t.Fatal(err)
				}
				got, err := l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Request: q.Request, Option: option})
				if err != nil || got.Via != "keys" || got.Request != q.Request {
					t.Fatalf("answered %+v, %v", got, err)
				}
				if st := concluded(t, l, p.ID); st.State == lifecycle.NeedsInput {
					t.Errorf("answered, and it is still %+v", st)
				}
				untilText(t, l, client, p.ID, fmt.Sprint("chosen ", option))
			})
		}
	}
}

// concluded is what is concluded of a pane's agent.
func concluded(t testing.TB, l *loop, id string) lifecycle.Status {
	t.Helper()
	st, err := call(t.Context(), l, func() (lifecycle.Status, error) { return l.panes[layout.PaneID(id)].status(), nil })
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestTheWholeRequestIsTold(t *testing.T) {
	l := testLoop(t)
	p := menu(t, l, "number")
	q, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	want := wire.Asked{Request: q.Request, Pane: p.ID, Nick: p.Nick, Agent: "someone", Reason: q.Reason, Tool: q.Tool,
		Rows:    []string{" Do you want to run this command?"},
		Options: []wire.AskedOption{{Text: "Yes", Chosen: true}, {Text: "Yes, always"}, {Text: "No"}}, Yes: 1, No: 3}
	if diff := cmp.Diff(want, q); diff != "" {
		t.Error(diff)
	}
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Option: 4})
	wantCode(t, err, wire.CodeInvalid, "offers 3 options")
	for _, r := range []wire.Answer{{Target: p.ID}, {Target: p.ID, Option: 1, Keys: []string{"y"}}, {Target: p.ID, Keys: []string{"rm -rf"}}} {
		_, err := l.answer(t.Context(), caller{}, r)
		wantCode(t, err, wire.CodeInvalid, "")
	}
}

// What was not shown is not answered: not an older request, and not one that
// came between two keys.
func TestARequestThatChangedIsNotAnswered(t *testing.T) {
	l := testLoop(t)
	client, r := join(t, l)
	p := menu(t, l, "arrows")
	q, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Keys: []string{"Down", "c", "Enter"}})
	wantCode(t, err, wire.CodeRequestChanged, "after 2 of 3 keys")
	untilText(t, l, client, p.ID, "Something else?")
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Request: q.Request, Option: 1})
	wantCode(t, err, wire.CodeRequestChanged, "nothing was pressed")
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Request: q.Request, Keys: []string{"Enter"}})
	wantCode(t, err, wire.CodeRequestChanged, "nothing was pressed")
	l.request(client, ui.Answer{Pane: layout.PaneID(p.ID), Request: q.Request, Option: 1})
	r.until(t, "the notice", func(r *recorder) bool {
		return len(r.notices) == 1 && strings.Contains(r.notices[0], "nothing was pressed")
	})
	if text := shows(t, l, p.ID); strings.Contains(text, "chosen") {
		t.Errorf("it shows %s", text)
	}
}

// Of two who answer the same request at the same time one presses its key.
func TestOneOfTwoAnswers(t *testing.T) {
	for name, r := range map[string]wire.Answer{"option": {Option: 1}, "keys": {Keys: []string{"1"}}} {
		t.Run(name, func(t *testing.T) {
			l := testLoop(t)
			p := menu(t, l, "number")
			q, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
			if err != nil {
				t.Fatal(err)
			}
			r.Target, r.Request = p.ID, q.Request
			term, _, err := l.terminal(t.Context(), caller{}, p.ID)
			if err != nil {
				t.Fatal(err)
			}
			before, errs := term.Typed(), make(chan error, 2)
			for range cap(errs) {
				go func() {
					_, err := l.answer(t.Context(), caller{}, r)
					errs <- err
				}()
			}
			first, second := <-errs, <-errs
			if first != nil {
				first, second = second, first
			}
			if got := term.Typed() - before; first != nil || second == nil || got != 1 {
				t.Errorf("%d keys, %v and %v", got, first, second)
			}
		})
	}
}

func TestKeysArePressedOneAtATime(t *testing.T) {
	l := testLoop(t)
	client, _ := join(t, l)
	p := menu(t, l, "arrows")
	if _, err := l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Keys: []string{"Down", "Down", "Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilText(t, l, client, p.ID, "chosen 3")
}

func TestADialogThatTakesNothingIsSaid(t *testing.T) {
	l := testLoop(t)
	p := menu(t, l, "deaf")
	_, err := l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Option: 2})
	wantCode(t, err, wire.CodeNotTaken, "did not take 2")
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Option: 1})
	wantCode(t, err, wire.CodeNotTaken, "did not take Enter")
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Keys: []string{"y"}})
	wantCode(t, err, wire.CodeNotTaken, "did not take y")
}

// TestNoKeyComesWithTheFirstFrame has a dialog answered as soon as it is there,
// by a program's clock, since programs drop such keys.
func TestNoKeyComesWithTheFirstFrame(t *testing.T) {
	l := testLoop(t)
	client, _ := join(t, l)
	for _, a := range []wire.Answer{{Option: 1}, {Option: 2}, {Keys: []string{"Enter"}}} {
		p := menu(t, l, "number")
		a.Target = p.ID
		if _, err := l.answer(t.Context(), caller{}, a); err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`chosen \d after (\d+) ms`).FindStringSubmatch(untilText(t, l, client, p.ID, " ms"))
		if len(found) < 2 {
			t.Fatal(found)
		}
		if ms, err := strconv.Atoi(found[1]); err != nil || time.Duration(ms)*time.Millisecond < ripeTime {
			t.Errorf("%v: the key came after %d ms, %v", a, ms, err)
		}
	}
}

func TestWhoAsksNothingIsNotAnswered(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	shell := open(t, l, "read x")
	_, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
	wantCode(t, err, wire.CodeNoRequest, "asks for nothing")
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: shell.ID, Option: 1})
	wantCode(t, err, wire.CodeNoAgent, "")
	if _, err := l.requestGate(t.Context(), caller{}, wire.GateRequest{Target: p.ID, Text: "go?"}); err != nil {
		t.Fatal(err)
	}
	_, err = l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Option: 1})
	wantCode(t, err, wire.CodeNoRequest, "held at a gate")
}

// A sub-agent is its agent's to answer; other agents have no say.
func TestAgentsAnswerTheirOwnSubAgentsOnly(t *testing.T) {
	l, _ := agentLoop(t, "claude", `echo "parent ${DECK_PARENT:-none}"; read x`)
	parent := launched(t, l, "claude")
	other := launched(t, l, "claude")
	client, r := join(t, l, func(a *wire.Attach) { a.ReadOnly = true })
	child, err := l.newPane(t.Context(), caller{pane: layout.PaneID(parent.ID)}, wire.NewPane{Launch: &wire.Launch{Agent: "claude"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	untilText(t, l, client, parent.ID, "parent none")
	untilText(t, l, client, child.ID, "parent "+parent.ID)
	s := follow(t, l)
	report(t, l, child.ID, said(lifecycle.NeedsInput, lifecycle.Question))
	for e := range s.events {
		if e.Type == "alert" {
			if e.ID != child.ID || e.For != parent.ID || e.Agent.State != lifecycle.NeedsInput {
				t.Errorf("the alert is %+v", e)
			}
			break
		}
	}
	r.until(t, "the mark", func(r *recorder) bool {
		p, _ := r.told.Pane(layout.PaneID(child.ID))
		return p.For == parent.Nick
	})
	answer := func(from string) error {
		_, err := l.answer(t.Context(), caller{pane: layout.PaneID(from)}, wire.Answer{Target: child.ID, Request: "none", Option: 1})
		return err
	}
	wantCode(t, answer(other.ID), wire.CodeNotHuman, "did not open")
	wantCode(t, answer(parent.ID), wire.CodeRequestChanged, "")
	// A person is needed when there is no agent any more that is.
	report(t, l, child.ID, said(lifecycle.Working, ""))
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: parent.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilPane(t, l, parent.ID, "the end", func(p wire.Pane) bool { return p.Ended })
	report(t, l, child.ID, said(lifecycle.NeedsInput, lifecycle.Question))
	r.until(t, "the alert", func(r *recorder) bool { return len(r.alerts) == 1 && string(r.alerts[0].ID) == child.ID })
}

func TestAClientSeesTheAgentsOfAllSessions(t *testing.T) {
	l := testLoop(t)
	far := open(t, l, "read x", func(n *wire.NewPane) { n.Session, n.Agent = "far", "claude" })
	open(t, l, "read x", func(n *wire.NewPane) { n.Session = "far" })
	id, r := join(t, l, func(a *wire.Attach) { a.Session = "main" })
	r.until(t, "the other agent", func(r *recorder) bool {
		return r.told.Session == "main" && len(r.told.Panes) == 1 && len(r.told.Others) == 1
	})
	if o := r.told.Others[0]; string(o.ID) != far.ID || o.Session != "far" {
		t.Errorf("told of %+v", o)
	}
	l.request(id, ui.SwitchSession{Session: "far", Pane: layout.PaneID(far.ID)})
	r.until(t, "the other session", func(r *recorder) bool {
		return r.told.Session == "far" && string(r.focused[len(r.focused)-1]) == far.ID && len(r.told.Others) == 0
	})
}

func TestTheScreenIsToldWhatIsAsked(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	p := menu(t, l, "number")
	idle := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	reply := func(pane string) (got ui.AskedMsg) {
		t.Helper()
		l.request(id, ui.Ask{Pane: layout.PaneID(pane)})
		r.until(t, "the reply", func(r *recorder) bool {
			for _, m := range r.replies {
				if a, ok := m.(ui.AskedMsg); ok && string(a.Pane) == pane {
					got = a
					return true
				}
			}
			return false
		})
		return got
	}
	a := reply(p.ID)
	if len(a.Asked.Options) != 3 || a.Asked.Matter == "" || !strings.HasPrefix(a.Asked.ID, a.Asked.Matter) || a.Problem != "" {
		t.Errorf("told %+v", a)
	}
	if b := reply(idle.ID); b.Problem == "" {
		t.Errorf("told %+v", b)
	}
	l.request(id, ui.Answer{Pane: layout.PaneID(p.ID), Request: a.Asked.ID, Option: 3})
	untilText(t, l, id, p.ID, "chosen 3")
}

func TestTheHookOfARequestIsAnswered(t *testing.T) {
	l := testLoop(t, func(o *loopOptions) { o.config.AnswerFromDeck = true })
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	ask := wire.AgentRequest{Agent: "claude", Session: "s1", Summary: "rm", Wait: 60000, Blocks: true,
		Ask: wire.AgentAsk{Tool: "Edit", Edits: []wire.AgentEdit{{Path: "/x/a\x1b[31m.go", Old: "one\ntwo", New: "one\nthree"}}}}
	s := follow(t, l)
	for option, want := range map[int]string{1: wire.DecisionAllow, 2: wire.DecisionDeny} {
		report(t, l, p.ID, lifecycle.Report{Source: "integration:claude", Agent: "claude", State: lifecycle.NeedsInput, Reason: lifecycle.Approval, Session: "s1"})
		got := make(chan wire.AgentAnswer, 1)
		go func() {
			a, _ := l.agentRequests(context.Background(), layout.PaneID(p.ID), ask)
			got <- a
		}()
		untilAsked(t, l, p.ID, 1)
		q, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]wire.AskedEdit{{Path: "/x/a[31m.go", Diff: []string{"@@ -1,2 +1,2 @@", " one", "-two", "+three"}}}, q.Edits); diff != "" || !q.Hook || q.Yes != 1 || q.No != 2 {
			t.Errorf("asked %+v: %s", q, diff)
		}
		if a, err := l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Request: q.Request, Option: option}); err != nil || a.Via != "hook" {
			t.Errorf("answered %+v, %v", a, err)
		}
		if a := <-got; a.Decision != want {
			t.Errorf("option %d came as %+v", option, a)
		}
		untilStatus(t, s, p.ID, "work", is(lifecycle.Working))
	}
}

// untilAsked waits until so many requests of a pane are known.
func untilAsked(t testing.TB, l *loop, id string, n int) {
	t.Helper()
	eventually(t, "the request", func() bool {
		got, err := call(t.Context(), l, func() (int, error) { return len(l.panes[layout.PaneID(id)].agent.asks), nil })
		return err == nil && got == n
	})
}

// A hook does not wait for what nobody can answer any more, nor where nobody
// turned that on.
func TestAHookWaitsNoLongerThanItHasTo(t *testing.T) {
	for name, end := range map[string]func(*loop, string, context.CancelFunc){
		"the agent works on": func(l *loop, id string, _ context.CancelFunc) { report(t, l, id, said(lifecycle.Working, "")) },
		"the hook is gone":   func(_ *loop, _ string, hangUp context.CancelFunc) { hangUp() },
		"the pane is closed": func(l *loop, id string, _ context.CancelFunc) { closeNow(t, l, id) },
		"a prompt was sent": func(l *loop, id string, _ context.CancelFunc) {
			tell(t, l, id, wire.AgentEvent{Agent: "claude", Prompt: true})
		},
		"many others are new": func(l *loop, id string, _ context.CancelFunc) { askMany(t, l, id) },
	} {
		t.Run(name, func(t *testing.T) {
			l := testLoop(t, func(o *loopOptions) { o.config.AnswerFromDeck = true })
			p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
			report(t, l, p.ID, said(lifecycle.NeedsInput, lifecycle.Approval))
			ctx, hangUp := context.WithCancel(context.Background())
			defer hangUp()
			got := make(chan wire.AgentAnswer, 1)
			go func() {
				a, _ := l.agentRequests(ctx, layout.PaneID(p.ID), wire.AgentRequest{Agent: "claude", Wait: 3600000})
				got <- a
			}()
			untilAsked(t, l, p.ID, 1)
			end(l, p.ID, hangUp)
			if a := <-got; a != (wire.AgentAnswer{}) {
				t.Errorf("decided %+v", a)
			}
		})
	}
	l := testLoop(t)
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	if a, err := l.agentRequests(t.Context(), layout.PaneID(p.ID), wire.AgentRequest{Agent: "claude", Wait: 3600000}); err != nil || a != (wire.AgentAnswer{}) {
		t.Errorf("decided %+v, %v", a, err)
	}
	_, err := l.agentRequests(t.Context(), layout.PaneID(p.ID), wire.AgentRequest{Agent: "codex", Wait: 3600000})
	wantCode(t, err, string(lifecycle.AgentMismatch), "")
}

func closeNow(t testing.TB, l *loop, id string) {
	t.Helper()
	if _, err := l.closeTarget(context.Background(), caller{}, wire.Close{Target: id}); err != nil {
		t.Error(err)
	}
}

func tell(t testing.TB, l *loop, id string, e wire.AgentEvent) {
	t.Helper()
	if _, err := l.agentEvents(context.Background(), layout.PaneID(id), e); err != nil {
		t.Error(err)
	}
}

func askMany(t testing.TB, l *loop, id string) {
	t.Helper()
	for range maxAsks {
		tell(t, l, id, wire.AgentEvent{Agent: "claude", Ask: &wire.AgentAsk{Text: "ls"}})
	}
}

// What an agent says on different ways overtakes itself: a request is not lost by
// a word that came late.
func TestARequestOutlivesALateWord(t *testing.T) {
	l := testLoop(t, func(o *loopOptions) { o.config.AnswerFromDeck = true })
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	report(t, l, p.ID, said(lifecycle.NeedsInput, lifecycle.Approval))
	got := make(chan wire.AgentAnswer, 1)
	go func() {
		a, _ := l.agentRequests(context.Background(), layout.PaneID(p.ID), wire.AgentRequest{Agent: "claude", Summary: "ls", Wait: 3600000, Blocks: true})
		got <- a
	}()
	untilAsked(t, l, p.ID, 1)
	report(t, l, p.ID, said(lifecycle.Working, ""))
	report(t, l, p.ID, said(lifecycle.NeedsInput, lifecycle.Approval))
	if a, err := l.answer(t.Context(), caller{}, wire.Answer{Target: p.ID, Option: 1}); err != nil || a.Via != "hook" {
		t.Errorf("answered %+v, %v", a, err)
	}
	if a := <-got; a.Decision != wire.DecisionAllow {
		t.Errorf("decided %+v", a)
	}
}

// What a hook told is shown only with the dialog that it is about.
func TestARequestBelongsToItsDialog(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "", func(n *wire.NewPane) {
		n.Command, n.Agent = []string{script(t, "ask", menuScript), "number", "Run touch a file.txt && sleep 10 now?"}, "someone"
	})
	untilStatus(t, follow(t, l), p.ID, "the question", is(lifecycle.NeedsInput))
	tell(t, l, p.ID, wire.AgentEvent{Agent: "someone", Ask: &wire.AgentAsk{Tool: "Bash", Text: "rm -rf /"}})
	q, err := l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
	if err != nil || q.Text != "" {
		t.Errorf("told %+v, %v", q, err)
	}
	tell(t, l, p.ID, wire.AgentEvent{Agent: "someone", Ask: &wire.AgentAsk{Tool: "Bash", Text: "touch a file.txt &&\n\tsleep 10\x07"}})
	q, err = l.asked(t.Context(), caller{}, wire.Target{Target: p.ID})
	if err != nil || q.Text != "touch a file.txt &&\n    sleep 10" || q.Tool != "Bash" || q.Hook {
		t.Errorf("told %+v, %v", q, err)
	}
}
