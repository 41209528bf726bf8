package lifecycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// effects plays a log and lists what followed: "alert A", "outcome O",
// "remember S".
func effects(log []step) []string {
	var got []string
	a := &Agent{}
	note := func(at time.Time, e Effects) {
		for _, s := range []struct{ what, of string }{{"alert", string(e.Alert)}, {"outcome", string(e.Outcome)}} {
			if s.of != "" {
				got = append(got, fmt.Sprintf("%gs %s %s", at.Sub(epoch).Seconds(), s.what, s.of))
			}
		}
		if e.Remember != nil {
			got = append(got, fmt.Sprintf("%gs remember %s %v", at.Sub(epoch).Seconds(), e.Remember.Session, e.Remember.Argv))
		}
	}
	for _, s := range log {
		for {
			at, ok := a.Deadline()
			if !ok || at.After(seconds(s.at)) {
				break
			}
			note(at, a.Tick(at))
		}
		note(seconds(s.at), s.do(a, seconds(s.at)))
	}
	return got
}

func resumes(argv ...string) func(*Report) { return func(r *Report) { r.Resume = argv } }

func TestEffects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		log  []step
		want []string
	}{
		{"one alert for two sources and a refresh", []step{
			{0, appears, ""}, {1, hook("working"), ""}, {2, says("blocked/permission", ""), ""}, {2.1, hook("needs-input/approval"), ""},
			{2.2, draws("needs-input/approval"), ""}, {3, hook("needs-input/approval"), ""}, {9, says("working", ""), ""}, {12, says("done", ""), ""},
			{13, seen, ""}},
			[]string{"2s alert needs-input", "2s outcome needs-input", "12s alert done", "12s outcome done"}},
		{"a claim that runs out into the same state", []step{
			{0, appears, ""}, {1, draws("needs-input/approval"), ""}, {2, hook("needs-input/approval", ttl(3)), ""}, {30, ticks, ""}},
			[]string{"1s alert needs-input"}},
		{"an end while watched", []step{{0, appears, ""}, {0, watches(true), ""}, {1, hook("working"), ""}, {2, hook("done"), ""}},
			[]string{"2s outcome idle"}},
		{"a death", []step{{0, appears, ""}, {1, hook("working"), ""}, {2, exits(false), ""}, {3, exits(false), ""}}, []string{"2s outcome dead"}},
		{"a start", []step{{0, appears, ""}, {1, draws("idle"), ""}}, nil},
		{"work before anything was asked for is a start", []step{
			{0, appears, ""}, {1, does(func(a *Agent, now time.Time) Effects { return a.Signal("title", Working, "", now) }), ""}, {2, draws("needs-input/approval"), ""},
			{3, types(KeyEnter), ""}, {4, does(func(a *Agent, now time.Time) Effects { return a.Guess("output", Working, "", now) }), ""},
			{5, does(func(a *Agent, now time.Time) Effects { return a.Signal("title", Unknown, "", now) }), ""}, {6, draws("idle"), ""}, {30, ticks, ""}},
			[]string{"3s alert needs-input", "3s outcome needs-input", "6.6s outcome idle"}},
		{"two agents that ask", []step{
			{0, appears, ""}, {1, hook("needs-input/question"), ""}, {2, appear("robot", 2), ""}, {3, hook("needs-input/question"), ""}},
			[]string{"1s alert needs-input", "3s alert needs-input"}},
		{"a session and its arguments", []step{
			{0, appears, ""}, {1, hook("", in("a")), ""}, {2, hook("working", in("a")), ""}, {3, hook("working", in("a"), resumes("robot", "-r", "a")), ""},
			{4, hook("idle", in("b")), ""}, {5, hook("idle", in("c"), helper("h")), ""}},
			[]string{"1s remember a []", "3s remember a [robot -r a]", "4s outcome idle", "4s remember b []"}},
		{"done when the work beside has ended", []step{
			{0, appears, ""}, {1, says("working", ""), ""}, {1, says("working", "a"), ""}, {2, says("done", ""), ""}, {5, says("clear", "a"), ""}},
			[]string{"2s outcome done", "5s alert done"}},
		{"late work does not alert again", []step{
			{0, appears, ""}, {1, says("blocked/permission", ""), ""}, {1.1, hook("working"), ""}, {1.2, hook("needs-input/approval"), ""}, {9, ticks, ""}},
			[]string{"1s alert needs-input"}},
		{"a prompt that nothing followed", []step{
			{0, appears, ""}, {1, draws("idle", drafts("x")), ""}, {2, types(KeyText), ""}, {3, types(KeyEnter), ""}, {9, ticks, ""}}, nil},
		{"a prompt that was worked on", []step{
			{0, appears, ""}, {1, draws("idle", drafts("x")), ""}, {2, types(KeyText), ""}, {3, types(KeyEnter), ""}, {4, draws("working"), ""}, {5, draws("idle"), ""}, {9, ticks, ""}},
			[]string{"5.6s alert done", "5.6s outcome done"}},
		{"a prompt that a dialog followed", []step{
			{0, appears, ""}, {1, draws("idle", drafts("x")), ""}, {2, types(KeyText), ""}, {3, types(KeyEnter), ""}, {4, draws("needs-input/approval"), ""}},
			[]string{"4s alert needs-input", "4s outcome needs-input"}},
	} {
		if d := cmp.Diff(c.want, effects(c.log)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestChangedOnlyByChange(t *testing.T) {
	t.Parallel()
	a := &Agent{}
	if a.Tick(epoch).Changed || a.PromptMark(epoch).Changed {
		t.Error("a pane without an agent changed")
	}
	if !a.Appeared("robot", 1, epoch).Changed || a.Appeared("robot", 1, epoch).Changed {
		t.Error("an agent appears once")
	}
	r := Report{Source: "integration:robot", Agent: "robot", State: Working, Detail: "x", Meta: &Meta{Title: "t", Tokens: map[string]string{"a": "1"}}}
	first, _ := a.Reported(r, seconds(1))
	r.Meta = &Meta{Title: "t", Tokens: map[string]string{"a": "1"}}
	again, _ := a.Reported(r, seconds(2))
	r.Detail = "y"
	other, _ := a.Reported(r, seconds(3))
	if !first.Changed || again.Changed || !other.Changed || !other.Status.Since.Equal(seconds(1)) {
		t.Errorf("%v %v %v since %v", first.Changed, again.Changed, other.Changed, other.Status.Since)
	}
}

func TestWordsOfBothChannels(t *testing.T) {
	t.Parallel()
	a := play(t, []step{{0, appears, ""}, {1, hook("needs-input/approval", asks("Bash", "rm \x1b[31mx"), in("s1")), ""}, {2, says("blocked", ""), ""}})
	got := a.Status()
	if got.Request != (Request{"1-1", "m", "Bash"}) || got.Detail != "m" || got.Reason != Approval || got.Session != "s1" || got.Source != ownStatus {
		t.Errorf("%+v", got)
	}
	play(t, nil)
	hook("needs-input/approval", asks("Bash", "rm \x1b[31mx"))(a, seconds(3))
	if got := a.Status().Request.Summary; got != "rm x" {
		t.Errorf("%q", got)
	}
}

// TestAnEndIsNotTakenBackByWhatWasOnItsWay lets a hook's report come later than
// the program's own word that the turn is over.
func TestAnEndIsNotTakenBackByWhatWasOnItsWay(t *testing.T) {
	t.Parallel()
	a := &Agent{}
	for _, c := range []struct {
		at   float64
		do   does
		want State
	}{
		{0, appears, Unknown}, {1, hook("working"), Working}, {2, says("done", ""), Done},
		{2.1, hook("working"), Done}, {9, ticks, Done}, {9.1, hook("done"), Done},
		{20, hook("working"), Working}, {21, says("done", ""), Done}, {21.1, says("working", ""), Working},
		{30, says("done", ""), Done}, {30.1, hook("working"), Done}, {30.5, hook("working"), Working},
	} {
		c.do(a, seconds(c.at))
		if got := a.Status().State; got != c.want {
			t.Errorf("%vs: got %s, want %s", c.at, got, c.want)
		}
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	a := &Agent{}
	id := func(at float64, do does) string {
		do(a, seconds(at))
		return a.Status().Request.ID
	}
	id(0, appears)
	first := id(1, draws("needs-input/approval", shows("rm a")))
	same := id(2, hook("needs-input/approval", asks("Bash", "rm -r a")))
	again := id(2.5, hook("needs-input/approval", confirm))
	if got := a.Status().Request; again != same || got.Summary != "rm -r a" {
		t.Error("a request that is said again is another one:", got)
	}
	moved := id(3, draws("needs-input/approval", shows("rm a")))
	swapped := id(4, draws("needs-input/approval", shows("rm b")))
	rule := id(4.5, draws("needs-input/question", shows("rm b")))
	none := id(5, hook("idle"))
	if rule == swapped {
		t.Error("another dialog of the same words:", rule)
	}
	if first == "" || first != same || first != moved || swapped == first || none != "" {
		t.Error(first, same, moved, swapped, none)
	}
}

func TestMetadataDecidesNothing(t *testing.T) {
	t.Parallel()
	a := play(t, []step{{0, appears, ""}, {1, hook("working"), "working"}, {2, hook("", func(r *Report) {
		r.Meta = &Meta{StateLabel: "dead \x1b[2J", Tokens: map[string]string{"a": "\u202e1"}}
	}), "working"}})
	if d := cmp.Diff(&Meta{StateLabel: "dead", Tokens: map[string]string{"a": "1"}}, a.Status().Meta); d != "" {
		t.Error(d)
	}
}

// TestDeadlines has each thing that time alone decides.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log  []step
		want float64
	}{
		{[]step{{1, hook("working", ttl(7)), ""}}, 8},
		{[]step{{1, says("blocked", ""), ""}, {1.1, hook("working"), ""}}, 1.4},
		{[]step{{1, hook("working"), ""}, {1.5, draws("needs-input"), ""}}, 3},
		{[]step{{1, draws("working"), ""}, {2, draws("idle"), ""}}, 2.6},
		{[]step{{1, draws("idle"), ""}, {2, says("done", ""), ""}}, 0},
	} {
		a := play(t, append([]step{{0, appears, ""}}, c.log...))
		if at, ok := a.Deadline(); ok != (c.want > 0) || ok && !at.Equal(seconds(c.want)) {
			t.Errorf("%v, want %gs", at, c.want)
		}
	}
}

// TestClockGoesBack has an hour taken back in the middle of a claim's time.
func TestClockGoesBack(t *testing.T) {
	t.Parallel()
	a := play(t, []step{{0, appears, ""}, {0, draws("idle"), "idle"}, {1, hook("working", ttl(10)), "working"}})
	a.Tick(seconds(5))
	a.Tick(seconds(5 - 3600))
	at, ok := a.Deadline()
	if want := seconds(11 - 3600); !ok || !at.Equal(want) {
		t.Errorf("deadline %v, want %v", at, want)
	}
	if st := a.Tick(seconds(12 - 3600)).Status; st.State != Done || !st.Since.Equal(seconds(12-3600)) {
		t.Errorf("%+v", st)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	a := &Agent{}
	a.Appeared("robot", 1, epoch)
	hook("working")(a, epoch)
	for i := range 1000 {
		now := epoch.Add(time.Duration(i) * time.Millisecond)
		id := strings.Repeat("a", i%7) + fmt.Sprint(i)
		says("working", id)(a, now)
		hook("working", helper(id), in("s"), seq(int64(i)))(a, now)
		report("custom:"+id, "idle")(a, now)
	}
	if len(a.claims) > maxClaims || len(a.threads) > maxThreads {
		t.Error(len(a.claims), len(a.threads))
	}
	for i := range a.threads {
		if len(a.threads[i].marks) > maxMarks {
			t.Error(a.threads[i].source, len(a.threads[i].marks))
		}
	}
	b := &Agent{}
	b.Appeared("robot", 1, epoch)
	for i := range 256 {
		says("working", fmt.Sprint(i))(b, epoch)
	}
	if len(b.claims) != 256 {
		t.Error("children kept:", len(b.claims))
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	a := play(t, []step{
		{0, appears, ""}, {1, hook("working", ttl(60), in("s"), seq(4)), ""}, {2, report("custom:a", "idle", ttl(1)), ""},
		{6, draws("needs-input/approval", shows("rm x")), "needs-input"}})
	x := a.Explain(seconds(7))
	type row struct {
		Source, Why string
		Won         bool
	}
	var got []row
	for _, c := range x.Claims {
		got = append(got, row{c.Source, c.Why, c.Won})
	}
	want := []row{{"integration:robot", "lent its place to the screen", false}, {"custom:a", "ran out", false}, {"manifest:robot", whyLoan, true}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if x.Claims[0].Age != 6000 || x.Claims[0].Expires != 54000 || x.Claims[1].Expires != -4000 {
		t.Errorf("%+v", x.Claims)
	}
	if d := cmp.Diff([]SessionView{{"integration:robot", "s", 4}, {"custom:a", "", 0}}, x.Sessions); d != "" || x.Why != whyLoan {
		t.Error(d, x.Why)
	}
	if x := (&Agent{}).Explain(epoch); x.Why != "there is no agent" || x.Status.State != Unknown {
		t.Errorf("%+v", x)
	}
	draws("working")(a, seconds(8))
	draws("idle")(a, seconds(9))
	if x := a.Explain(seconds(9)); x.Held == nil || x.Held.State != Idle || x.Held.In != second.Milliseconds() {
		t.Errorf("%+v", x.Held)
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	first := Status{State: Working, Agent: "robot", Generation: 1}
	with := func(f func(*Status)) Status { s := first; f(&s); return s }
	for _, c := range []struct {
		name  string
		until State
		now   Status
		then  Status
		want  Outcome
	}{
		{"holds already", Working, first, first, Reached},
		{"comes", Idle, first, with(func(s *Status) { s.State = Idle }), Reached},
		{"idle unseen", Idle, first, with(func(s *Status) { s.State = Done }), Reached},
		{"done is not idle", Done, first, with(func(s *Status) { s.State = Idle }), Pending},
		{"another", Idle, first, with(func(s *Status) { s.State, s.Generation = Idle, 2 }), Replaced},
		{"died", Idle, first, with(func(s *Status) { s.State, s.Exited = Dead, true }), Exited},
		{"awaited death", Dead, first, with(func(s *Status) { s.State, s.Exited = Dead, true }), Reached},
		{"finished and ended", NeedsInput, first, with(func(s *Status) { s.State, s.Exited = Done, true }), Exited},
		{"dismissed", Idle, first, with(func(s *Status) { s.Agent, s.State = "", Unknown }), Exited},
		{"the first to come", Working, Status{State: Unknown}, first, Reached},
		{"nobody comes", Unknown, Status{State: Unknown}, Status{State: Unknown}, Pending},
	} {
		w := Wait{Until: []State{c.until}}
		got := w.Check(c.now)
		if got == Pending {
			got = w.Check(c.then)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWaitOnEveryPath has all that can make an agent idle.
func TestWaitOnEveryPath(t *testing.T) {
	t.Parallel()
	for name, log := range map[string][]step{
		"hook":   {{2, hook("idle"), ""}},
		"screen": {{2, report("integration:robot", "unknown"), ""}, {3, draws("idle"), ""}, {9, ticks, ""}},
		"time":   {{2, draws("idle"), ""}, {60, ticks, ""}},
		"look":   {{2, hook("done"), ""}, {3, seen, ""}},
	} {
		w := Wait{Until: []State{Idle}}
		a := &Agent{}
		a.Appeared("robot", 1, epoch)
		hook("working")(a, seconds(1))
		reached := w.Check(a.Status()) == Reached
		for _, s := range log {
			advance(a, seconds(s.at))
			s.do(a, seconds(s.at))
			reached = reached || w.Check(a.Status()) == Reached
		}
		if !reached {
			t.Errorf("%s: %s", name, word(a.Status()))
		}
	}
}

func TestCoalescer(t *testing.T) {
	t.Parallel()
	c := Coalescer{Window: time.Second}
	idle, works, asks := Status{State: Idle}, Status{State: Working}, Status{State: NeedsInput}
	if _, ok := c.Deadline(); ok {
		t.Error("a deadline of nothing")
	}
	c.Add("p", Change{"1", idle, works}, seconds(0))
	c.Add("p", Change{"2", idle, works}, seconds(0.5))
	c.Add("p", Change{"1", works, asks}, seconds(0.6))
	c.Add("p", Change{"2", works, idle}, seconds(0.7))
	c.Add("q", Change{"3", idle, works}, seconds(0.8))
	if at, _ := c.Deadline(); !at.Equal(seconds(1)) || c.Due(seconds(0.9)) != nil {
		t.Error(at)
	}
	if d := cmp.Diff([]Batch{{"p", []Change{{"1", idle, asks}}}}, c.Due(seconds(1))); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Batch{{"q", []Change{{"3", idle, works}}}}, c.Due(seconds(5))); d != "" {
		t.Error(d)
	}
}

func TestResumeIsKept(t *testing.T) {
	t.Parallel()
	a := play(t, []step{{0, appears, ""}, {1, hook("working", in("a"), resumes("robot", "-r", "a")), ""}, {2, says("idle", ""), ""},
		{3, does(func(a *Agent, now time.Time) Effects { return a.Guess("line", NeedsInput, Question, now) }), "idle @native:osc7501"}})
	if s, argv := a.Resume(); s != "a" || len(argv) != 3 {
		t.Error(s, argv)
	}
	play(t, []step{{0, appears, ""}, {1, hook("working", in("a"), resumes("robot", "-r", "a")), ""}, {2, exits(false), "dead"}})
}

// TestDropsAreTold has each reason for which a valid report changes nothing.
func TestDropsAreTold(t *testing.T) {
	t.Parallel()
	a := &Agent{}
	r := Report{Source: "integration:robot", Agent: "robot", State: Working, Session: "a", Seq: 5}
	tell := func(at float64, f func(*Report)) Drop {
		c := r
		f(&c)
		_, why := a.Reported(c, seconds(at))
		return why
	}
	var got []Drop
	got = append(got, tell(0, func(*Report) {}))
	a.Appeared("robot", 1, seconds(1))
	got = append(got, tell(1, func(*Report) {}), tell(2, func(r *Report) { r.Seq = 4 }), tell(3, func(r *Report) { r.Session = "b" }),
		tell(4, func(r *Report) { r.Seq = 9 }), tell(5, func(r *Report) { r.Session, r.State, r.Confirm = "b", NeedsInput, true }),
		tell(6, func(r *Report) { r.Session, r.Seq = "", 0 }))
	want := []Drop{DropNoAgent, "", DropSequence, "", DropSession, DropUnconfirmed, ""}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestTwoPanesDoNotMix has reports of two agents one after the other.
func TestTwoPanesDoNotMix(t *testing.T) {
	t.Parallel()
	a, b := &Agent{}, &Agent{}
	a.Appeared("robot", 1, epoch)
	b.Appeared("robot", 1, epoch)
	for i := range 200 {
		now := seconds(float64(i))
		hook([]string{"working", "needs-input/question"}[i%2])(a, now)
		hook([]string{"idle", "blocked/limit"}[i%2])(b, now)
	}
	if a.Status().State != NeedsInput || b.Status().State != Blocked {
		t.Error(word(a.Status()), word(b.Status()))
	}
}

func BenchmarkReported(b *testing.B) {
	a := &Agent{}
	a.Appeared("robot", 1, epoch)
	for i := range 20 {
		says("working", fmt.Sprint(i))(a, epoch)
	}
	r := Report{Source: "integration:robot", Agent: "robot", State: Working, Tool: "Bash", Session: "s"}
	for i := 0; b.Loop(); i++ {
		r.Seq = int64(i)
		a.Reported(r, epoch.Add(time.Duration(i)*time.Millisecond))
	}
}

func BenchmarkOutput(b *testing.B) {
	a := &Agent{}
	a.Appeared("robot", 1, epoch)
	hook("working")(a, epoch)
	for i := 0; b.Loop(); i++ {
		a.Output(uint64(i), epoch.Add(time.Duration(i)*time.Millisecond))
	}
}
