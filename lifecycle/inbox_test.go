package lifecycle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// typist is an agent with an input line, and a person at its keyboard, in a time
// of its own. What it drew is seen late.
type typist struct {
	now    time.Time
	line   string // what stands in the input line
	state  State
	gen    uint64
	keys   uint64
	keyAt  time.Time
	unsent bool
	enters uint64
	got    []string // what was submitted
	deaf   int      // how many times Enter is lost
	seen   Desk     // the last look
}

func (a *typist) drew() { a.gen++ }

func (a *typist) look() {
	a.seen = Desk{Agent: true, Manner: Manner{Pause: 100 * time.Millisecond}, State: a.state, Gen: a.gen,
		Composer: Composer{Found: true, Empty: a.line == "", Draft: a.line}}
}

// desk is the last look with what is known of the keys at once.
func (a *typist) desk() Desk {
	d := a.seen
	d.Keys, d.KeyAt, d.Unsent, d.Enters = a.keys, a.keyAt, a.unsent, a.enters
	return d
}

func (a *typist) person(key string) {
	a.keys++
	a.keyAt, a.unsent = a.now, key != "\r"
	switch key {
	case "\r":
		a.enters++
		a.enter()
	case "clear":
		a.line = ""
	default:
		a.line += key
	}
	a.drew()
}

func (a *typist) enter() {
	if a.line != "" && a.state != Working {
		a.got, a.line, a.state = append(a.got, a.line), "", Working
	}
}

// step does what the inbox asks for, once, as the server does it.
func (a *typist) step(b *Inbox) {
	switch s := b.Next(a.desk(), a.now); s.Act {
	case Paste:
		ok := s.Keys == a.keys
		if ok {
			a.line += s.Text
			a.drew()
		}
		b.Wrote(ok, a.now)
	case Send:
		ok := s.Keys == a.keys
		if ok && a.deaf > 0 {
			a.deaf--
		} else if ok {
			a.enter()
		}
		if ok {
			a.drew()
		}
		b.Wrote(ok, a.now)
	}
}

// run lets time go by in steps of 50 ms, looking at each.
func (a *typist) run(b *Inbox, d time.Duration) {
	for end := a.now.Add(d); a.now.Before(end); a.now = a.now.Add(50 * time.Millisecond) {
		a.step(b)
		a.look()
	}
}

func newTypist() *typist {
	a := &typist{now: time.Unix(1000, 0), state: Idle}
	a.look()
	return a
}

// history writes what became of messages, a line each.
func history(ms []Message) (out []string) {
	for _, m := range ms {
		out = append(out, strings.TrimSpace(fmt.Sprint(m.ID, " ", m.Post, " ", m.Why)))
	}
	return out
}

func wantHistory(t *testing.T, b *Inbox, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, history(b.Changes())); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func put(t *testing.T, b *Inbox, a *typist, id, text string) {
	t.Helper()
	if err := b.Put(Message{ID: id, Text: text}, a.now); err != nil {
		t.Fatal(err)
	}
}

func TestAMessageIsTypedSentAndConfirmed(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m1", "hello")
	a.run(b, time.Second)
	wantHistory(t, b, "m1 queued", "m1 held sending", "m1 delivered")
	b.Submitted("hello")
	wantHistory(t, b, "m1 confirmed")
	if d := cmp.Diff([]string{"hello"}, a.got); d != "" {
		t.Error(d)
	}
}

func TestWhatIsInTheWayHoldsAMessage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  func(*Desk)
		want Why
	}{
		{"no agent", func(d *Desk) { d.Agent = false }, WhyNoAgent},
		{"dead", func(d *Desk) { d.State = Dead }, WhyDead},
		{"dialog", func(d *Desk) { d.State = NeedsInput }, WhyDialog},
		{"busy", func(d *Desk) { d.State = Working }, WhyBusy},
		{"blocked", func(d *Desk) { d.State = Blocked }, WhyBlocked},
		{"no input line", func(d *Desk) { d.Composer = Composer{} }, WhyNoInput},
		{"draft", func(d *Desk) { d.Composer = Composer{Found: true, Draft: "half"} }, WhyDraft},
	} {
		a, b := newTypist(), &Inbox{}
		put(t, b, a, "m", "text")
		d := a.desk()
		c.set(&d)
		if s := b.Next(d, a.now); s.Act != Stay {
			t.Errorf("%s: %+v", c.name, s)
		}
		if got := b.Waiting()[0]; got.Post != Held || got.Why != c.want {
			t.Errorf("%s: %s %s, want held %s", c.name, got.Post, got.Why, c.want)
		}
	}
}

func TestKeysThatNothingIsSeenOfHoldForAMoment(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	a.keys, a.keyAt, a.unsent = 1, a.now, true
	put(t, b, a, "m", "text")
	if s := b.Next(a.desk(), a.now); s.Due != a.now.Add(typingRest) || b.Waiting()[0].Why != WhyTyping {
		t.Errorf("%+v, %v", s, b.Waiting())
	}
	a.run(b, typingRest+time.Second)
	if len(a.got) != 1 {
		t.Error("it was not typed after that")
	}
}

func TestAKeyInTheSameInstantStopsTheWrite(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m", "text")
	if s := b.Next(a.desk(), a.now); s.Act != Paste {
		t.Fatal(s)
	}
	b.Wrote(false, a.now)
	wantHistory(t, b, "m queued", "m held sending", "m held typing")
	if b.Next(a.desk(), a.now).Act != Paste {
		t.Error("it is not tried again")
	}
}

func TestALostEnterIsPressedOnceMore(t *testing.T) {
	t.Parallel()
	for deaf, want := range []string{"delivered ", "delivered ", "held stuck"} {
		a, b := newTypist(), &Inbox{}
		a.deaf = deaf
		put(t, b, a, "m", "text")
		a.run(b, 10*time.Second)
		all := b.Changes()
		last := all[len(all)-1]
		if got := string(last.Post) + " " + string(last.Why); got != want {
			t.Errorf("%d lost: %s, want %s", deaf, got, want)
		}
		if deaf == 2 {
			// A person sends it.
			a.person("\r")
			a.look()
			a.run(b, time.Second)
			wantHistory(t, b, "m delivered")
		}
		if d := cmp.Diff([]string{"text"}, a.got); d != "" {
			t.Errorf("%d lost: %s", deaf, d)
		}
	}
}

func TestAPersonMayTakeTheTextBack(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m", "text")
	a.step(b)
	a.look()
	a.person("clear")
	a.step(b)
	a.look()
	a.step(b)
	wantHistory(t, b, "m queued", "m held sending", "m held draft", "m dropped cleared")
	if len(a.got) != 0 || a.line != "" {
		t.Errorf("submitted %q, left %q", a.got, a.line)
	}
}

// TestAPersonWhoSendsTheTextGoesOnTyping has the next key come before the look at
// the empty input line.
func TestAPersonWhoSendsTheTextGoesOnTyping(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m", "text")
	a.step(b)
	a.look()
	a.person("k")
	a.step(b)
	a.person("\r")
	a.look()
	a.person("n")
	a.step(b)
	wantHistory(t, b, "m queued", "m held sending", "m held draft", "m delivered by hand")
}

// TestAKeyBehindEnterTakesNothingBack has a person type just after a text was sent,
// while the input line is not to be seen.
func TestAKeyBehindEnterTakesNothingBack(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m", "text")
	a.step(b)
	a.look()
	a.step(b)
	a.seen.Composer = Composer{}
	a.now = a.now.Add(time.Second)
	a.step(b)
	if len(a.got) > 0 {
		t.Fatal("sent although the input line is not to be seen")
	}
	a.look()
	a.step(b)
	a.person("clear")
	a.look()
	a.step(b)
	if d := cmp.Diff([]string{"text"}, a.got); d != "" {
		t.Error(d)
	}
	wantHistory(t, b, "m queued", "m held sending", "m held no input", "m delivered")
}

func TestMessagesGoInTurn(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m1", "one")
	put(t, b, a, "m2", "two")
	a.run(b, time.Second)
	if got := b.Waiting(); len(got) != 1 || got[0].Why != WhyBusy {
		t.Errorf("%v", got)
	}
	a.state = Idle
	a.drew()
	a.run(b, time.Second)
	if d := cmp.Diff([]string{"one", "two"}, a.got); d != "" {
		t.Error(d)
	}
}

func TestAMessageCanBeDroppedUntilItIsTyped(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	put(t, b, a, "m1", "one")
	put(t, b, a, "m2", "two")
	a.step(b)
	if b.Drop("m1", WhyPerson) || b.Drop("m3", WhyPerson) || !b.Drop("m2", WhyPerson) {
		t.Error("what may be dropped")
	}
	wantHistory(t, b, "m1 queued", "m2 queued", "m1 held sending", "m2 dropped by hand")
}

func TestAMessageExpires(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	a.state = Working
	a.look()
	if err := b.Put(Message{ID: "m", Text: "late", Until: a.now.Add(time.Minute)}, a.now); err != nil {
		t.Fatal(err)
	}
	if s := b.Next(a.desk(), a.now); s.Due != a.now.Add(time.Minute) {
		t.Errorf("due %v", s.Due)
	}
	a.now = a.now.Add(time.Minute)
	b.Next(a.desk(), a.now)
	wantHistory(t, b, "m queued", "m held busy", "m dropped expired")
}

func TestAnInboxIsBounded(t *testing.T) {
	t.Parallel()
	a, b := newTypist(), &Inbox{}
	for range MaxWaiting {
		put(t, b, a, "m", "x")
	}
	if err := b.Put(Message{}, a.now); !errors.Is(err, ErrInboxFull) {
		t.Error(err)
	}
	b.Clear(WhyDead)
	if len(b.Waiting()) != 0 {
		t.Error("something waits")
	}
}

func TestWhatAnAgentRepeatsIsRecognised(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 30)
	for _, c := range []struct {
		said, typed string
		want        bool
	}{
		{"a b", "a b", true}, {"a\n b ", "a b", true}, {long[:60] + "…", long, true}, {long[:20] + "…", long, false},
		{"<reminder> a b", "a b", true}, {"other", "a b", false}, {"", "a", false},
	} {
		if got := sameText(c.said, c.typed); got != c.want {
			t.Errorf("%q for %q: %v", c.said, c.typed, got)
		}
	}
}

// TestNobodyIsTypedOver lets a person type at random moments while messages
// come: a text is submitted once or not at all, and never together with what a
// person had begun before it.
func TestNobodyIsTypedOver(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := newTypist(), &Inbox{}
		a.deaf = r.IntN(2)
		sent := 0
		for range 400 {
			switch r.IntN(24) {
			case 0, 1:
				a.person("k")
			case 2:
				a.person("\r")
			case 3:
				a.person("clear")
			case 4:
				if sent < 6 {
					sent++
					put(t, b, a, fmt.Sprint(sent), fmt.Sprintf("<%d>", sent))
				}
			case 5, 6:
				if a.state == Working {
					a.state = Idle
					a.drew()
				}
			}
			draft := a.line
			a.step(b)
			if draft != "" && !strings.Contains(draft, "<") && strings.Contains(a.line, "<") {
				t.Fatalf("seed %d: typed on top of %q: %q", seed, draft, a.line)
			}
			if r.IntN(3) > 0 {
				a.look()
			}
			a.now = a.now.Add(time.Duration(r.IntN(400)) * time.Millisecond)
		}
		all := strings.Join(a.got, "\n")
		for i := 1; i <= sent; i++ {
			if n := strings.Count(all+a.line, fmt.Sprintf("<%d>", i)); n > 1 {
				t.Fatalf("seed %d: text %d is there %d times: %q", seed, i, n, a.got)
			}
		}
		for _, m := range b.Changes() {
			if was := strings.Contains(all, m.Text); m.Post == Delivered && m.Why == "" && !was {
				t.Fatalf("seed %d: %s counts as delivered: %q", seed, m.Text, a.got)
			} else if m.Post == Dropped && m.Why != WhyCleared {
				t.Fatalf("seed %d: %s was dropped: %s", seed, m.Text, m.Why)
			}
		}
	}
}
