package lifecycle

import (
	"strings"
	"testing"
	"time"
)

// epoch is when every log of the tests begins.
var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// does is something told to an agent.
type does func(*Agent, time.Time) Effects

// step is one line of a log: at so many seconds this is told, and the agent is
// then so: "state/reason flags @source" where reason, flags and source are
// looked at only if they are given. An empty want is not looked at.
type step struct {
	at   float64
	do   does
	want string
}

func seconds(s float64) time.Time { return epoch.Add(time.Duration(s * float64(time.Second))) }

// play runs a log; between its lines every deadline is kept.
func play(t *testing.T, log []step) *Agent {
	t.Helper()
	a := &Agent{}
	for i, s := range log {
		advance(a, seconds(s.at))
		s.do(a, seconds(s.at))
		if got := a.Status(); !matches(got, s.want) {
			t.Errorf("line %d at %gs: %s, want %s\n%+v", i+1, s.at, word(got), s.want, a.Explain(seconds(s.at)))
		}
	}
	return a
}

// advance ticks the agent as a loop with one timer does.
func advance(a *Agent, now time.Time) {
	for {
		at, ok := a.Deadline()
		if !ok || at.After(now) {
			return
		}
		a.Tick(at)
	}
}

func word(st Status) string {
	s := string(st.State)
	if st.Reason != "" {
		s += "/" + st.Reason
	}
	if st.Stale {
		s += " stale"
	}
	if st.Background {
		s += " background"
	}
	return s + " @" + st.Source
}

func matches(st Status, want string) bool {
	want, source, named := strings.Cut(want, "@")
	if named && source != st.Source {
		return false
	}
	f := strings.Fields(want)
	if len(f) == 0 {
		return true
	}
	state, reason, _ := strings.Cut(f[0], "/")
	flags := " " + strings.Join(f[1:], " ") + " "
	return state == string(st.State) && (reason == "" || reason == st.Reason) &&
		strings.Contains(flags, " stale ") == st.Stale && strings.Contains(flags, " background ") == st.Background
}

var appears = appear("robot", 1)

func appear(name string, generation uint64) does {
	return func(a *Agent, now time.Time) Effects { return a.Appeared(name, generation, now) }
}

// hook is a report of the agent's own hooks: a state, or "state/reason", and
// what is more about it.
func hook(state string, more ...func(*Report)) does {
	return report("integration:robot", state, more...)
}

func report(source, state string, more ...func(*Report)) does {
	return func(a *Agent, now time.Time) Effects {
		s, reason, _ := strings.Cut(state, "/")
		r := Report{Source: source, Agent: "robot", State: State(s), Reason: reason}
		for _, m := range more {
			m(&r)
		}
		e, _ := a.Reported(r, now)
		return e
	}
}

func seq(n int64) func(*Report)      { return func(r *Report) { r.Seq = n } }
func in(s string) func(*Report)      { return func(r *Report) { r.Session = s } }
func helper(id string) func(*Report) { return func(r *Report) { r.Helper = id } }
func ttl(s float64) func(*Report)    { return func(r *Report) { r.TTLMillis = int64(s * 1000) } }
func confirm(r *Report)              { r.Confirm = true }
func tasks(r *Report)                { r.Background = true }
func asks(tool, what string) func(*Report) {
	return func(r *Report) { r.Tool, r.Request = tool, what }
}

// says is a record: "state" or "state/kind", of a child if it has an id.
func says(state, id string) does {
	return func(a *Agent, now time.Time) Effects {
		s, kind, _ := strings.Cut(state, "/")
		return a.InBand(Record{ID: id, State: s, Kind: kind, Message: "m " + id, Progress: -1}, now)
	}
}

// draws is output, and what the rules then say of the screen.
func draws(state string, more ...func(*Verdict)) does {
	return func(a *Agent, now time.Time) Effects {
		output(a, now)
		a.gen--
		return looks(state, more...)(a, now)
	}
}

// looks is what the rules say of a screen newer than all before.
func looks(state string, more ...func(*Verdict)) does {
	return func(a *Agent, now time.Time) Effects {
		s, reason, _ := strings.Cut(state, "/")
		v := Verdict{State: State(s), Reason: reason, Rule: state}
		for _, m := range more {
			m(&v)
		}
		return a.Screen(v, a.gen+1, now)
	}
}

func pager(v *Verdict) { v.Hold = true }

func ended(v *Verdict) { v.Ended = true }

func drafts(what string) func(*Verdict) { return func(v *Verdict) { v.Draft = what } }

func shows(what string) func(*Verdict) { return func(v *Verdict) { v.Request = what } }

func types(k Key) does { return func(a *Agent, now time.Time) Effects { return a.Key(k, 0, now) } }

func exits(clean bool) does {
	return func(a *Agent, now time.Time) Effects { return a.Exited(clean, "killed by signal 9", now) }
}

func census(found bool) does {
	return func(a *Agent, now time.Time) Effects { return a.Census(found, now) }
}

func watches(on bool) does {
	return func(a *Agent, now time.Time) Effects { return a.Watch(on, now) }
}

var (
	ticks   = does((*Agent).Tick)
	seen    = does((*Agent).Seen)
	prompts = does((*Agent).PromptMark)
	resets  = does((*Agent).Reset)
	rings   = does((*Agent).Bell)
	gates   = func(a *Agent, now time.Time) Effects { return a.GateRequested("deploy?", "ada", now) }
	decides = does((*Agent).GateClosed)
)

// output is output that nobody looked at with rules.
func output(a *Agent, now time.Time) Effects { return a.Output(a.gen+1, now) }
