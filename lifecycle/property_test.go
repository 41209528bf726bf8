package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// event is one line of a random log, printable.
type event struct {
	after time.Duration // since the last one; may be negative
	name  string
	do    does
}

// randomEvent makes any event, of plausible and of absurd ones.
func randomEvent(r *rand.Rand) event {
	states := []string{"working", "needs-input/approval", "idle", "done", "blocked/limit", "unknown", ""}
	s := states[r.IntN(len(states))]
	id := []string{"", "", "h"}[r.IntN(3)]
	session, n := []string{"a", "b"}[r.IntN(2)], int64(r.IntN(9))
	source := []string{"integration:robot", "integration:x", "custom:c", "native:n", "manifest:m"}[r.IntN(5)]
	live := float64(1 + r.IntN(60))
	e := event{after: time.Duration(r.IntN(4000)) * time.Millisecond}
	if r.IntN(20) == 0 {
		e.after = -time.Duration(r.IntN(5000)) * time.Second
	}
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		e.name = fmt.Sprint("report ", source, " ", s, " ", id, session, n, live)
		e.do = report(source, s, helper(id), in(session), seq(n), ttl(live))
	case 4, 5:
		w := []string{"working", "blocked/permission", "idle", "done", "error", "clear"}[r.IntN(6)]
		e.name, e.do = "says "+w+" "+id, says(w, id)
	case 6, 7, 8:
		e.name, e.do = "looks "+s, looks(s)
	case 9, 10:
		k := Key(r.IntN(6))
		e.name, e.do = fmt.Sprint("key ", k), types(k)
	case 11:
		on := r.IntN(2) == 0
		e.name, e.do = fmt.Sprint("watch ", on), watches(on)
	case 12:
		e.name, e.do = "output", output
	case 13:
		e.name, e.do = "seen", seen
	case 14:
		e.name, e.do = "prompt", prompts
	default:
		e.name, e.do = "tick", ticks
	}
	return e
}

// rare are the events of life and death, which a random log would be too short
// of others with.
func rare(r *rand.Rand, generation *uint64) event {
	switch r.IntN(6) {
	case 0:
		*generation++
		return event{name: "appears", do: appear("robot", *generation)}
	case 1:
		return event{name: "exits", do: exits(r.IntN(2) == 0)}
	case 2:
		return event{name: "gate", do: gates}
	case 3:
		return event{name: "decided", do: decides}
	case 4:
		return event{name: "missed", do: census(false)}
	}
	return event{name: "dismissed", do: does((*Agent).Dismiss)}
}

func randomLog(seed uint64) []event {
	r := rand.New(rand.NewPCG(seed, 1))
	generation := uint64(1)
	log := []event{{name: "appears", do: appears}}
	for range 60 {
		if r.IntN(12) == 0 {
			log = append(log, rare(r, &generation))
		} else {
			log = append(log, randomEvent(r))
		}
	}
	return log
}

// eachLog plays many random logs and shows each line's effects to look.
func eachLog(t *testing.T, look func(a *Agent, e event, now time.Time, before Status, fx Effects) string) {
	t.Helper()
	for seed := range uint64(400) {
		a, now := &Agent{}, epoch
		var said []string
		for _, e := range randomLog(seed) {
			now = now.Add(e.after)
			before := a.Status()
			fx := e.do(a, now)
			said = append(said, fmt.Sprintf("%v %s -> %s", now.Sub(epoch), e.name, word(fx.Status)))
			if wrong := look(a, e, now, before, fx); wrong != "" {
				t.Fatalf("seed %d: %s\n%s", seed, wrong, said)
			}
		}
	}
}

func TestDeadOnlyFromLiveness(t *testing.T) {
	t.Parallel()
	eachLog(t, func(a *Agent, _ event, _ time.Time, _ Status, fx Effects) string {
		if fx.Status.State == Dead && !a.exited {
			return "dead though it lives"
		}
		if a.exited && !a.gate.pending && fx.Status.State != Dead && !a.finished {
			return "ended and not dead"
		}
		return ""
	})
}

func TestGateAlwaysWins(t *testing.T) {
	t.Parallel()
	eachLog(t, func(a *Agent, _ event, _ time.Time, _ Status, fx Effects) string {
		gated := fx.Status.State == Blocked && fx.Status.Reason == Gate
		if gated != a.gate.pending {
			return "a gate that does not hold, or one without a gate"
		}
		return ""
	})
}

func TestOneAlertPerTransition(t *testing.T) {
	t.Parallel()
	eachLog(t, func(_ *Agent, _ event, _ time.Time, before Status, fx Effects) string {
		entered := fx.Status.State != before.State || fx.Status.Generation != before.Generation || before.Background
		switch {
		case fx.Alert != "" && (!entered || fx.Alert != fx.Status.State):
			return "an alert without a transition"
		case fx.Alert == "" && entered && fx.Status.State != before.State && fx.Status.State.asks():
			return "a transition without an alert"
		case fx.Status.State != before.State && !fx.Changed:
			return "a change that is not told"
		case fx.Alert == Done && before.State == Idle && before.Generation == fx.Status.Generation && before.Source == fx.Status.Source && fx.Status.Source[:8] == "manifest":
			return "done from idle"
		}
		return ""
	})
}

// TestExpiryIsMonotone: once time alone has taken a claim, time alone does not
// bring it back, and each deadline comes after the last.
func TestExpiryIsMonotone(t *testing.T) {
	t.Parallel()
	lines := 0
	eachLog(t, func(a *Agent, _ event, now time.Time, _ Status, _ Effects) string {
		if lines++; lines%5 != 0 {
			return ""
		}
		b := *a
		b.claims = append([]claim(nil), a.claims...)
		ran := map[key]bool{}
		for range 1000 {
			at, ok := b.Deadline()
			if !ok {
				return ""
			}
			if !at.After(now) {
				return fmt.Sprint("deadline ", at, " is not after ", now)
			}
			now = at
			b.Tick(now)
			for i := range b.claims {
				c := &b.claims[i]
				if c.expired(b.clock) {
					ran[c.key] = true
				} else if ran[c.key] {
					return "a claim came back: " + c.source
				}
			}
		}
		return "deadlines without end"
	})
}

// TestTimerIsEnough: who ticks at the deadlines alone misses nothing that one
// who looks all the time sees. A state of an instant between two looks may make
// a turn for the one and not for the other.
func TestTimerIsEnough(t *testing.T) {
	t.Parallel()
	lines := 0
	eachLog(t, func(a *Agent, _ event, now time.Time, _ Status, _ Effects) string {
		if lines++; lines%7 != 0 {
			return ""
		}
		b, c := *a, *a
		b.claims, c.claims = append([]claim(nil), a.claims...), append([]claim(nil), a.claims...)
		for range 30 {
			now = now.Add(317 * time.Millisecond)
			advance(&b, now)
			c.Tick(now)
			p, q := b.Status(), c.Status()
			p.Since, q.Since = time.Time{}, time.Time{}
			if p.State.rests() && q.State.rests() {
				p.State = q.State
			}
			if p != q {
				return fmt.Sprintf("%+v by the timer, %+v by looking", p, q)
			}
		}
		return ""
	})
}

func TestReplayGivesTheSame(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		var first []Status
		for round := range 2 {
			a, now := &Agent{}, epoch
			for i, e := range randomLog(seed) {
				now = now.Add(e.after)
				st := e.do(a, now).Status
				if round == 0 {
					first = append(first, st)
				} else if st != first[i] {
					t.Fatalf("seed %d, line %d: %+v, then %+v", seed, i, first[i], st)
				}
			}
		}
	}
}

// TestOrderIsNeverReversed: however the reports of a session are mixed, those
// applied are in order, and of each session the newest one is applied.
func TestOrderIsNeverReversed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		a := &Agent{}
		a.Appeared("robot", 1, epoch)
		high := map[string]int64{}
		for i := range 80 {
			session, id, n := []string{"a", "b", "c"}[r.IntN(3)], []string{"", "h"}[r.IntN(2)], int64(1+r.IntN(40))
			_, why := a.Reported(Report{Source: "integration:robot", Agent: "robot", State: Working, Session: session, Helper: id, Seq: n}, seconds(float64(i*r.IntN(3))))
			switch k := session + id; {
			case why == "" && n < high[k]:
				t.Fatalf("seed %d: %d of %s after %d", seed, n, k, high[k])
			case why == DropSequence && n >= high[k]:
				t.Fatalf("seed %d: %d of %s dropped after %d", seed, n, k, high[k])
			case why == "":
				high[k] = n
			}
		}
	}
}

// FuzzLog plays a log of any bytes: nothing panics, and the rules hold.
func FuzzLog(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		a, now, generation := &Agent{}, epoch, uint64(0)
		for range 200 {
			e := randomEvent(r)
			if r.IntN(8) == 0 {
				e = rare(r, &generation)
			}
			now = now.Add(e.after)
			st := e.do(a, now).Status
			if st.State == "" || st.State == Dead && !a.exited || st != a.Status() {
				t.Fatalf("after %s: %+v", e.name, st)
			}
			if x := a.Explain(now); x.Status != st {
				t.Fatalf("explained as %+v", x.Status)
			}
		}
	})
}
