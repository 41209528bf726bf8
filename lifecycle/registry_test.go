package lifecycle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var t0 = time.Unix(1000, 0)

// holding returns a registry with an agent of pane p1, started by the pane "parent".
func holding() *Registry {
	r := &Registry{}
	r.Held(Hold{ID: "ag_1", Owner: "parent", Pane: "p1", Agent: "demo", Generation: 1, Started: t0})
	return r
}

func submit(t *testing.T, r *Registry, id string) {
	t.Helper()
	if err := r.Submit(Prompt{ID: id, Agent: "ag_1", Message: "m_" + id}, "parent", t0); err != nil {
		t.Fatal(err)
	}
}

func at(s State, generation uint64) Status {
	return Status{Agent: "demo", Generation: generation, State: s}
}

func TestAHandleIsForWhoStartedIt(t *testing.T) {
	t.Parallel()
	r := holding()
	for who, want := range map[string]error{"parent": nil, "": nil, "p1": ErrForeign, "other": ErrForeign} {
		if _, err := r.Agent("ag_1", who); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", who, err, want)
		}
	}
	if _, err := r.Agent("p1", "parent"); !errors.Is(err, ErrNoHandle) {
		t.Errorf("a pane's id is a handle: %v", err)
	}
	if _, err := r.Prompt("pr_1", "parent"); !errors.Is(err, ErrNoHandle) {
		t.Error(err)
	}
	submit(t, r, "pr_1")
	if _, err := r.Prompt("pr_1", "other"); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
}

func TestAPromptNeedsAChangeAfterItWasSent(t *testing.T) {
	t.Parallel()
	r := holding()
	submit(t, r, "pr_1")
	r.Follow("p1", at(Idle, 1), t0)
	r.Posted(Message{ID: "m_pr_1", Post: Delivered, Entered: t0.Add(time.Second)}, t0.Add(time.Second))
	if _, s := r.Follow("p1", at(Idle, 1), t0.Add(2*time.Second)); s {
		t.Error("settled by the rest that was there before")
	}
	r.Follow("p1", at(Working, 1), t0.Add(3*time.Second))
	if id, s := r.Follow("p1", at(Done, 1), t0.Add(4*time.Second)); id != "pr_1" || !s {
		t.Errorf("settled %q: %v", id, s)
	}
	p, _ := r.Prompt("pr_1", "parent")
	if p.Result != ResultDone || !p.Settled.Equal(t0.Add(4*time.Second)) {
		t.Errorf("%+v", p)
	}
	if _, s := r.Follow("p1", at(Dead, 1), t0.Add(5*time.Second)); s {
		t.Error("settled twice")
	}
}

func TestWorkThatIsSeenBeforeTheMessageCounts(t *testing.T) {
	t.Parallel()
	r := holding()
	submit(t, r, "pr_1")
	r.Follow("p1", at(Working, 1), t0.Add(time.Second))
	r.Posted(Message{ID: "m_pr_1", Post: Delivered, Entered: t0.Add(time.Second)}, t0.Add(2*time.Second))
	if _, s := r.Follow("p1", at(Done, 1), t0.Add(3*time.Second)); !s {
		t.Error("not settled")
	}
}

func TestWorkBeforeTheMessageDoesNotCount(t *testing.T) {
	t.Parallel()
	r := holding()
	submit(t, r, "pr_1")
	r.Follow("p1", at(Working, 1), t0)
	r.Follow("p1", at(Idle, 1), t0)
	r.Posted(Message{ID: "m_pr_1", Post: Delivered, Entered: t0.Add(time.Second)}, t0.Add(2*time.Second))
	if _, s := r.Follow("p1", at(Idle, 1), t0.Add(3*time.Second)); s {
		t.Error("settled by work on something else")
	}
}

func TestAWaitEndsWhereSomebodyElseHasToAct(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p    Prompt
		st   Status
		want Result
	}{
		"waits":            {Prompt{}, at(Working, 1), ""},
		"asks from before": {Prompt{}, at(NeedsInput, 1), ""},
		"asks":             {Prompt{worked: true}, at(NeedsInput, 1), ResultNeedsInput},
		"held by a dialog": {Prompt{Held: WhyDialog}, at(NeedsInput, 1), ResultNeedsInput},
		"blocked":          {Prompt{worked: true}, at(Blocked, 1), ResultBlocked},
		"held by a block":  {Prompt{Held: WhyBlocked}, at(Blocked, 1), ResultBlocked},
		"not answered yet": {Prompt{Result: ResultDone, Settled: t0}, at(Done, 1), ""},
		"answered":         {Prompt{Result: ResultDone, Settled: t0, Source: "screen"}, at(Done, 1), ResultDone},
		"cancelled":        {Prompt{Result: ResultCancelled, Settled: t0}, Status{}, ResultCancelled},
	} {
		if got := c.p.Now(c.st); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAnAgentHasOneOpenPrompt(t *testing.T) {
	t.Parallel()
	r := holding()
	submit(t, r, "pr_1")
	if err := r.Submit(Prompt{ID: "pr_2", Agent: "ag_1"}, "parent", t0); !errors.Is(err, ErrUnresolved) {
		t.Error(err)
	}
	if _, err := r.Prompt("pr_2", "parent"); !errors.Is(err, ErrNoHandle) {
		t.Error("a refused prompt left something")
	}
	r.Withdraw("pr_1")
	if h, _ := r.Agent("ag_1", ""); h.Last != "" {
		t.Error("a withdrawn prompt is the last one")
	}
	submit(t, r, "pr_3")
}

func TestWhatDoesNotArriveFails(t *testing.T) {
	t.Parallel()
	follow := func(st Status) func(*Registry) string {
		return func(r *Registry) string {
			id, _ := r.Follow("p1", st, t0)
			return id
		}
	}
	for name, end := range map[string]func(*Registry) string{
		"dropped":  func(r *Registry) string { return r.Posted(Message{ID: "m_pr_1", Post: Dropped, Why: WhyExpired}, t0) },
		"died":     follow(at(Dead, 1)),
		"replaced": follow(at(Working, 2)),
		"left":     follow(Status{}),
	} {
		r := holding()
		submit(t, r, "pr_1")
		if end(r) != "pr_1" {
			t.Errorf("%s: not settled", name)
		}
		if p, _ := r.Prompt("pr_1", ""); p.Result != ResultFailed || p.Why == "" {
			t.Errorf("%s: %+v", name, p)
		}
		if name != "dropped" {
			if err := r.Submit(Prompt{ID: "pr_2", Agent: "ag_1"}, "parent", t0); !errors.Is(err, ErrGone) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestClosingCancels(t *testing.T) {
	t.Parallel()
	r := holding()
	submit(t, r, "pr_1")
	if _, err := r.Close("ag_1", "other", t0); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	if c, err := r.Close("ag_1", "parent", t0); c != "pr_1" || err != nil {
		t.Error(c, err)
	}
	if c, err := r.Close("ag_1", "parent", t0); c != "" || err != nil {
		t.Error("closing again is not nothing:", c, err)
	}
	if _, err := r.Agent("ag_1", "parent"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if p, err := r.Prompt("pr_1", "parent"); p.Result != ResultCancelled || err != nil {
		t.Error(p, err)
	}
	if err := r.Submit(Prompt{ID: "pr_2", Agent: "ag_1"}, "parent", t0); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	r = holding()
	submit(t, r, "pr_1")
	if got := r.PaneClosed("p1", t0); len(got) != 1 {
		t.Error(got)
	}
}

func TestSettledPromptsAreForgottenInTime(t *testing.T) {
	t.Parallel()
	r := holding()
	for i := range maxPrompts + 10 {
		id := fmt.Sprint("pr_", i)
		submit(t, r, id)
		r.Posted(Message{ID: "m_" + id, Post: Dropped}, t0)
	}
	if len(r.prompts) != maxPrompts || len(r.order) != maxPrompts {
		t.Errorf("%d prompts, %d in order", len(r.prompts), len(r.order))
	}
}

// TestNoPhantomPrompt lets everything happen in any order: at most one prompt of
// an agent is open, a settled one never changes, and none is open when its agent
// is closed or gone.
func TestNoPhantomPrompt(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		r, now, generation := &Registry{}, t0, uint64(1)
		r.Held(Hold{ID: "ag_1", Owner: "parent", Pane: "p1", Generation: 1})
		settled := map[string]Prompt{}
		for i := range 200 {
			now = now.Add(time.Second)
			id := fmt.Sprint("pr_", i)
			switch rnd.IntN(9) {
			case 0, 1:
				if err := r.Submit(Prompt{ID: id, Agent: "ag_1", Message: "m_" + id}, "parent", now); err != nil && r.prompts[id] != nil {
					t.Fatalf("seed %d: refused (%v) and there", seed, err)
				}
			case 2, 3:
				m := fmt.Sprint("m_pr_", rnd.IntN(i+1))
				r.Posted(Message{ID: m, Post: []Post{Held, Delivered, Confirmed, Dropped}[rnd.IntN(4)], Entered: now}, now)
			case 4, 5, 6:
				r.Follow("p1", at([]State{Working, Idle, Done, NeedsInput, Unknown}[rnd.IntN(5)], generation), now)
			case 7:
				if rnd.IntN(30) == 0 {
					generation++
				}
			case 8:
				if rnd.IntN(30) == 0 {
					_, _ = r.Close("ag_1", "parent", now)
				}
			}
			checkRegistry(t, r, settled)
		}
	}
}

func checkRegistry(t *testing.T, r *Registry, settled map[string]Prompt) {
	t.Helper()
	open := 0
	for id, p := range r.prompts {
		if was, ok := settled[id]; ok && (was.Result != p.Result || was.Settled != p.Settled) {
			t.Fatalf("%s was settled as %s and is %s", id, was.Result, p.Result)
		}
		if p.Open() {
			open++
		} else {
			settled[id] = *p
		}
	}
	h := r.agents["ag_1"]
	if most := 1; open > most || open > 0 && (h.Gone != "" || !h.Closed.IsZero()) {
		t.Fatalf("%d prompts are open of %+v", open, h)
	}
}
