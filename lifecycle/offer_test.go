package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func notes(m Message) bool { return m.Kind == "note" }

func putAll(t *testing.T, b *Inbox, a *typist, ms ...Message) {
	t.Helper()
	for _, m := range ms {
		if err := b.Put(m, a.now); err != nil {
			t.Fatal(err)
		}
	}
	b.Changes()
}

func TestAHookIsOfferedWhatWaits(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	a.state = Working
	a.look()
	putAll(t, b, a, Message{ID: "m1", Kind: "note", From: "x", Text: "one"}, Message{ID: "m2", Kind: "prompt", From: "y", Text: "two"},
		Message{ID: "m3", Kind: "note", From: "y", Text: "after two"}, Message{ID: "m4", Kind: "note", From: "z", Text: "too long to fit"},
		Message{ID: "m5", Kind: "note", From: "z", Text: "no"}, Message{ID: "m6", Kind: "note", From: "x", Text: "six"})
	var ids []string
	for _, m := range b.Offer("o1", 1, 10, notes) {
		ids = append(ids, m.ID)
	}
	// What a sender wrote later does not come before what stays.
	if got := strings.Join(ids, " "); got != "m1 m6" {
		t.Errorf("offered %s", got)
	}
	if got := b.Offer("o2", 2, 3, notes); len(got) > 0 {
		t.Errorf("offered again: %v", got)
	}
	b.Took("o1")
	wantHistory(t, b, "m1 held hook", "m6 held hook", "m1 delivered hook", "m6 delivered hook")
	b.WentOn(1)
	wantHistory(t, b)
	b.WentOn(2)
	wantHistory(t, b, "m1 confirmed", "m6 confirmed")
}

func TestWhatAHookDidNotTellIsTyped(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	a.state = Working
	a.look()
	putAll(t, b, a, Message{ID: "m1", Kind: "note", Text: "one", Until: a.now.Add(time.Second)}, Message{ID: "m2", Kind: "prompt", Text: "two"})
	b.Offer("o", 1, 10, notes)
	a.state = Idle
	a.look()
	a.run(b, 2*time.Second)
	if len(a.got) > 0 || b.Drop("m1", WhyPerson) {
		t.Errorf("submitted %q while it was offered", a.got)
	}
	b.Changes()
	b.Returned("o")
	a.run(b, time.Second)
	wantHistory(t, b, "m1 queued", "m1 dropped expired", "m2 held sending", "m2 delivered")
}

func TestATurnOfItsOwnProvesNothing(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	putAll(t, b, a, Message{ID: "m", Kind: "note", Text: "one"})
	b.Offer("o", 1, 10, notes)
	b.Took("o")
	b.Submitted("")
	b.WentOn(5)
	wantHistory(t, b, "m held hook", "m delivered hook")
}

func TestWhatIsTypedIsNotOffered(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	putAll(t, b, a, Message{ID: "m1", Kind: "note", Text: "one"}, Message{ID: "m2", Kind: "note", Text: "two"})
	a.step(b)
	if got := b.Offer("o", 1, 10, notes); len(got) > 0 {
		t.Errorf("offered %v", got)
	}
}

// hookCall is a hook of the agent on its way: it has what it was offered, and may
// have told it.
type hookCall struct {
	id   string
	text []string
	told bool
}

// TestNothingIsLostOrToldTwice lets hooks come, be slow and die in between of what
// is typed: every text reaches the agent once, whichever way.
func TestNothingIsLostOrToldTwice(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := newTypist(), &Inbox{}
		a.deaf = r.IntN(2)
		var calls []hookCall
		sent, hooks := 0, 0
		for range 500 {
			switch r.IntN(24) {
			case 0:
				a.person("k")
			case 1:
				a.person("\r")
			case 2, 3:
				if sent < 12 {
					sent++
					m := Message{ID: fmt.Sprint(sent), Kind: []string{"note", "prompt"}[r.IntN(2)], Text: fmt.Sprintf("<%d>", sent), From: fmt.Sprint(r.IntN(3))}
					if err := b.Put(m, a.now); err != nil {
						t.Fatal(err)
					}
				}
			case 4, 5:
				a.state = Idle
				a.drew()
			case 6, 7, 8: // a hook
				hooks++
				c := hookCall{id: fmt.Sprint("o", hooks)}
				for _, m := range b.Offer(c.id, int64(hooks), 1+r.IntN(20), notes) {
					c.text = append(c.text, m.Text)
				}
				calls = append(calls, c)
			case 9, 10: // one tells it
				if len(calls) > 0 {
					if c := &calls[r.IntN(len(calls))]; !c.told {
						c.told = true
						a.got = append(a.got, c.text...)
					}
				}
			case 11, 12, 13: // one is over
				if i := r.IntN(len(calls) + 1); i < len(calls) {
					over(b, calls[i])
					calls = append(calls[:i], calls[i+1:]...)
				}
			case 14:
				b.WentOn(int64(r.IntN(hooks + 2)))
			}
			a.step(b)
			if r.IntN(3) > 0 {
				a.look()
			}
			a.now = a.now.Add(time.Duration(r.IntN(400)) * time.Millisecond)
		}
		for _, c := range calls {
			over(b, c)
		}
		for range sent + 1 { // at last the line is free
			a.person("\r")
			a.state = Idle
			a.drew()
			a.run(b, 8*time.Second)
		}
		all := strings.Join(a.got, "\n")
		for i := 1; i <= sent; i++ {
			if n := strings.Count(all, fmt.Sprintf("<%d>", i)); n != 1 {
				t.Fatalf("seed %d: text %d reached the agent %d times: %q, %v", seed, i, n, a.got, b.Waiting())
			}
		}
		settled := map[string]bool{}
		for _, m := range b.Changes() {
			if m.Post == Delivered && settled[m.ID] {
				t.Fatalf("seed %d: %s counts as delivered twice", seed, m.ID)
			}
			settled[m.ID] = settled[m.ID] || m.Post == Delivered
			if m.Post == Dropped {
				t.Fatalf("seed %d: %s was dropped: %s", seed, m.ID, m.Why)
			}
		}
		if len(b.Waiting()) > 0 {
			t.Fatalf("seed %d: %v waits still", seed, b.Waiting())
		}
	}
}

// over ends a hook: the server knows from its connection whether it told.
func over(b *Inbox, c hookCall) {
	if c.told {
		b.Took(c.id)
	} else {
		b.Returned(c.id)
	}
}
