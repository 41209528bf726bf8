package realtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"deck/hooks/realtest/mock"
	"deck/lifecycle"
	"deck/term/wire"
)

// The delays that count, by the names they have in the table.
const (
	asks     = "dialog→needs-input"
	approved = "approved→working"
	stopped  = "stopped→idle"
	ended    = "answer→done"
)

// pane is one run of an agent in one scenario after another.
type pane struct {
	*lab
	wire.Pane
	t      *testing.T
	from   time.Time // of the last press: what came before counts no more
	begin  time.Time // of the scenario
	delays []delay
}

// start starts the agent in a new tab.
func (l *lab) start(t *testing.T, more ...string) *pane {
	t.Helper()
	p := &pane{lab: l, t: t, from: time.Now(), begin: time.Now()}
	args := slices.Concat([]string{"new", "--json", "--focus", "--agent", l.prog.name, "--"}, l.prog.args, more)
	for i, a := range args {
		args[i] = l.fill(a)
	}
	var err error
	if p.Pane, err = l.open(args...); err != nil {
		t.Fatal(err)
	}
	return p
}

// again starts the agent anew in a tab of its own, in p's place.
func (p *pane) again() {
	p.t.Helper()
	_, _ = p.run("close", "--force", p.ID)
	q := p.start(p.t)
	q.settle()
	p.Pane, p.from, p.begin, p.delays = q.Pane, q.from, time.Now(), nil
}

// step lets the agent read a file and returns how long it was at it, from one
// request to its model to the next. Before that, do is called.
func (p *pane) step(file string, do func()) time.Duration {
	p.t.Helper()
	from := time.Now()
	hook := func(a mock.Ask) {
		if a.Verb == "read" && a.Round == 0 {
			do()
		}
	}
	p.hook.Store(&hook)
	defer p.hook.Store(nil)
	word := p.prompt("read", file)
	var at [2]time.Time
	for round := range at {
		ctx, cancel := p.ctx()
		m, err := p.asks.wait(ctx, from, func(a mock.Ask) bool { return a.Word == word && a.Round == round })
		cancel()
		if err != nil {
			p.t.Fatalf("the agent never asks its model for the %d. time\n%s", round+1, p.story())
		}
		at[round] = m.at
	}
	return at[1].Sub(at[0])
}

// settle answers what the agent asks at its start until its input line is there.
func (p *pane) settle() {
	p.t.Helper()
	var told *dialog
	pressed := p.from
	for {
		shot := p.look("the input line or a dialog of the start", func(s string) bool {
			return p.opening(s) != nil || p.prog.ready.MatchString(s) && !starting.MatchString(s)
		})
		d := p.opening(shot.val)
		if d == nil {
			// A dialog may come after the input line, where it was never answered.
			quiet := 2 * reaction
			if !p.led {
				quiet *= 5
			}
			p.term.shots.rest(quiet, 3*quiet)
			if d = p.opening(p.term.shots.last()); d == nil {
				p.led = true
				return
			}
			shot.at = time.Now()
		}
		if d.reason != "" && d != told {
			p.reachAfter(pressed, asks, shot.at, lifecycle.NeedsInput, d.reason)
		}
		told = d
		pressed = p.press(d.keys...)
		// An agent that did not get the key shows the same for ever.
		ctx, cancel := context.WithTimeout(p.t.Context(), 10*reaction)
		if m, err := p.term.shots.wait(ctx, p.from, func(s string) bool { return !d.see.MatchString(s) }); err == nil {
			p.from = m.at
		}
		cancel()
	}
}

// starting is what agents say while they show their input line too early.
var starting = regexp.MustCompile(`Initializing\.\.\.`)

// opening is the dialog of the start that a screen shows, in place of the input
// line.
func (p *pane) opening(s string) *dialog {
	if p.prog.ready.MatchString(s) {
		return nil
	}
	for i, d := range p.prog.starts {
		if d.see.MatchString(s) {
			return &p.prog.starts[i]
		}
	}
	return nil
}

func (p *pane) ctx() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.t.Context(), patience)
}

// look waits for a screen since the last press.
func (p *pane) look(what string, match func(string) bool) moment[string] {
	p.t.Helper()
	return p.lookAfter(p.from, what, match)
}

func (p *pane) lookAfter(after time.Time, what string, match func(string) bool) moment[string] {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	m, err := p.term.shots.wait(ctx, after, func(s string) bool { return match(s) || gone.MatchString(s) })
	switch {
	case err != nil:
		p.t.Fatalf("the screen never shows %s\n%s", what, p.story())
	case !match(m.val):
		p.t.Fatalf("the agent ended before the screen shows %s\n%s", what, p.story())
	}
	return m
}

// gone is what deck says of a pane whose program ended by itself.
var gone = regexp.MustCompile(`ended \((exit|killed)`)

func (p *pane) sees(r *regexp.Regexp) time.Time {
	p.t.Helper()
	return p.look(r.String(), r.MatchString).at
}

// says reports what an event says of the pane's agent.
func (p *pane) says(e wire.Event) (lifecycle.State, string, bool) {
	if e.Type == "status" && e.Agent != nil && e.Agent.Pane == p.ID {
		return e.Agent.State, e.Agent.Reason, true
	}
	return "", "", false
}

// limit is how late a state may be.
func limit() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("DECK_TEST_AGENTS_LIMIT")); err == nil {
		return d
	}
	return time.Second
}

// reach waits for a state since the last press and files how much later it came
// than the truth, whose name it has in the table.
func (p *pane) reach(what string, truth time.Time, want lifecycle.State, reason string) {
	p.t.Helper()
	p.reachAfter(p.from, what, truth, want, reason)
}

// reachAfter is reach since a moment: deck may know of a dialog before the frame
// with it has come.
func (p *pane) reachAfter(after time.Time, what string, truth time.Time, want lifecycle.State, reason string) {
	p.t.Helper()
	d := p.comes(after, what, want, reason).Sub(truth)
	p.delays = append(p.delays, delay{what, d})
	if d > limit() {
		p.t.Errorf("%s: %s came after %.2f s\n%s", what, want, d.Seconds(), p.story())
	}
}

// comes waits for a state since a moment, however late it is.
func (p *pane) comes(after time.Time, what string, want lifecycle.State, reason string) time.Time {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	m, err := p.events.wait(ctx, after, func(e wire.Event) bool {
		s, r, ok := p.says(e)
		return ok && s == want && (reason == "" || r == reason)
	})
	if err != nil {
		p.t.Fatalf("%s: the agent is never %s %s\n%s", what, want, reason, p.story())
	}
	return m.at
}

// is waits until the agent's state is one.
func (p *pane) is(want lifecycle.State) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	_, err := p.conn.WaitAgent(ctx, wire.AgentWait{Target: p.ID, Until: []lifecycle.State{want}})
	if err != nil {
		p.t.Fatalf("the agent is never %s: %v\n%s", want, err, p.story())
	}
}

// story is what happened since the last press, for a person.
func (p *pane) story() string {
	var b strings.Builder
	for _, e := range p.events.since(p.begin) {
		if s, r, ok := p.says(e.val); ok {
			fmt.Fprintf(&b, "%7.2f %s %s (%s)\n", e.at.Sub(p.begin).Seconds(), s, r, e.val.Agent.Source)
		}
		if m := e.val.Mail; m != nil {
			fmt.Fprintf(&b, "%7.2f %s %s %s\n", e.at.Sub(p.begin).Seconds(), m.Kind, m.Post, m.Why)
		}
	}
	fmt.Fprintf(&b, "pressed at %.2f; the screen at %.2f:\n%s", p.from.Sub(p.begin).Seconds(), time.Since(p.begin).Seconds(), p.term.shots.last())
	return b.String()
}

// press types keys as a person's terminal sends them, the first when the screen
// has come to rest as it does before a person reacts, the others as soon as a
// person can, and returns when the last one went. Agents drop keys that come with
// the first frame of a dialog, and take two Esc for a pair only if they are close.
func (p *pane) press(keys ...string) time.Time {
	p.t.Helper()
	most := 5 * reaction
	for _, k := range keys {
		p.term.shots.rest(reaction, most)
		most = reaction
		p.from = time.Now()
		if err := p.term.stream.Input([]byte(k)); err != nil {
			p.t.Fatal(err)
		}
	}
	return p.from
}

// reaction is how soon a person reacts.
const reaction = 300 * time.Millisecond

// prompt types a prompt and sends it. It returns the word that its turn ends
// with.
func (p *pane) prompt(verb, arg string) (word string) {
	p.t.Helper()
	p.words++
	word = fmt.Sprintf("w%d", p.words)
	text := "please " + verb + " " + word
	if arg != "" {
		text += ": " + arg
	}
	p.enter(text, regexp.MustCompile(`\b`+word+`\b`))
	p.begin = p.from
	return word
}

// enter types a line, sees it and sends it.
func (p *pane) enter(text string, see *regexp.Regexp) {
	p.t.Helper()
	p.press(text)
	p.sees(see)
	p.press(enter)
}

// answers waits for the dialog, then for the state, and answers it.
func (p *pane) answers(d dialog, keys []string) time.Time {
	p.t.Helper()
	p.reach(asks, p.sees(d.see), lifecycle.NeedsInput, d.reason)
	return p.press(keys...)
}

// ends waits for the end of a turn.
func (p *pane) ends(word string) {
	p.t.Helper()
	p.reach(ended, p.sees(regexp.MustCompile(`Finished `+word+`\.`)), lifecycle.Done, "")
}

// rests waits until the agent's turn is over and nothing of it goes on: the end
// of a task in the background may begin another turn.
func (p *pane) rests() {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	if _, err := p.events.wait(ctx, p.from, func(wire.Event) bool {
		a, err := p.conn.Agents(ctx, p.ID, false)
		return err == nil && len(a) == 1 && a[0].State == lifecycle.Done && !a[0].Background
	}); err != nil {
		p.t.Fatalf("the agent never comes to rest\n%s", p.story())
	}
	p.stays()
}

// stays lets some time go by in which a state that nobody has looked at is not to
// change: what an agent says last may come late.
func (p *pane) stays() { p.term.shots.rest(3*reaction, 10*reaction) }

// states is the sequence of states since the scenario began.
func (p *pane) states() string {
	var all []string
	for _, e := range p.events.since(p.begin) {
		if s, r, ok := p.says(e.val); ok {
			word := string(s)
			if r != "" {
				word += "/" + r
			}
			if n := len(all); n == 0 || all[n-1] != word {
				all = append(all, word)
			}
		}
	}
	return strings.Join(all, " ")
}

// was checks the sequence of states since the last prompt, which may be one of
// several. A turn that asks at once was never seen to work.
func (p *pane) was(want ...string) {
	p.t.Helper()
	if got := p.states(); !slices.Contains(want, got) && !slices.Contains(want, "working "+got) {
		p.t.Errorf("the states were %q, not %q\n%s", got, want, p.story())
	}
}

// gate is a command that runs until it is let go.
type gate struct {
	t    *testing.T
	path string
	open chan *os.File
}

func (p *pane) gate() *gate {
	p.t.Helper()
	g := &gate{t: p.t, path: filepath.Join(p.project, "pipe"), open: make(chan *os.File, 1)}
	_ = os.Remove(g.path)
	if err := syscall.Mkfifo(g.path, 0o600); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		f, _ := os.OpenFile(g.path, os.O_WRONLY, 0)
		g.open <- f
	}()
	p.t.Cleanup(func() {
		// Whoever never came must not keep the opener.
		if r, err := os.OpenFile(g.path, os.O_RDWR, 0); err == nil {
			g.let()
			r.Close()
		}
	})
	return g
}

// command is what the agent is to run.
func (g *gate) command() string { return "touch began; cat pipe" }

// began waits until the command runs.
func (g *gate) began() {
	g.t.Helper()
	select {
	case f := <-g.open:
		g.open <- f
	case <-time.After(patience):
		g.t.Fatal("the command never runs")
	}
}

// let lets it end.
func (g *gate) let() {
	if f := <-g.open; f != nil {
		f.Close()
	}
	g.open <- nil
}

// over waits until the pane's program has ended and returns the pane as it is
// then.
func (p *pane) over() wire.Pane {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	m, err := p.events.wait(ctx, p.from, func(e wire.Event) bool { return e.Type == "pane" && e.Pane.ID == p.ID && e.Pane.Ended })
	if err != nil {
		p.t.Fatalf("the agent never ends\n%s", p.story())
	}
	return *m.val.Pane
}
