package realtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"deck/lifecycle"
)

// scenario is one thing that an agent in deck goes through.
type scenario struct {
	name string
	last bool // the agent does not go on after it
	run  func(*pane)
}

var scenarios = []scenario{
	{"start", false, started},
	{"approve", false, approve},
	{"deny", false, deny},
	{"edit", false, edit},
	{"question", false, question},
	{"silent tool", false, silent},
	{"background", false, background},
	{"stop", false, stop},
	{"clear", false, anew},
	{"exit", true, quit},
	{"narrow", true, narrow},
	{"other hooks", true, others},
	{"hung server", true, hung},
	{"stopped server", true, halted},
	{"kill -9", true, killed},
	{"restarted server", true, restarted},
}

// TestAgents runs each agent through each scenario, two agents at a time.
func TestAgents(t *testing.T) {
	want := strings.Fields(os.Getenv("DECK_TEST_AGENTS"))
	if len(want) == 0 {
		t.Skip("DECK_TEST_AGENTS names no agents")
	}
	only := os.Getenv("DECK_TEST_AGENTS_ONLY")
	if _, err := exec.LookPath("npm"); err != nil {
		file(row{agent: strings.Join(want, " "), scenario: "install", outcome: "skip", note: "no npm to install with"})
		t.Skip("no npm to install agents with")
	}
	deck := os.Getenv("DECK_TEST_BINARY")
	if !filepath.IsAbs(deck) {
		t.Fatal("DECK_TEST_BINARY is to name the deck to test, as a whole path")
	}
	two := make(chan struct{}, 2)
	for _, p := range programs {
		if !slices.Contains(want, p.name) && !slices.Contains(want, "all") {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			two <- struct{}{}
			defer func() { <-two }()
			l := newLab(t, deck, p)
			var at *pane
			for _, s := range scenarios {
				if only == "" || s.name == "start" || strings.Contains(only, s.name) {
					at = play(t, l, s, at)
				}
			}
		})
	}
}

// play runs one scenario in the pane of the one before, if that passed, and
// files what came of it.
func play(t *testing.T, l *lab, s scenario, at *pane) *pane {
	r := row{agent: l.prog.name, scenario: s.name, outcome: "pass", note: l.prog.lacks[s.name]}
	defer func() { file(r) }()
	if r.note != "" {
		r.outcome = "skip"
		return at
	}
	t.Run(s.name, func(t *testing.T) {
		defer func() {
			if at != nil {
				r.delays = at.delays
			}
			if t.Failed() {
				r.outcome = "FAIL"
			} else if at != nil {
				t.Log(at.states())
			}
		}()
		if at == nil {
			at = l.start(t)
			at.settle()
		}
		at.t = t
		if s.name != "start" {
			at.begin, at.delays = time.Now(), nil
		}
		s.run(at)
	})
	if r.outcome != "FAIL" && !s.last {
		return at
	}
	if at != nil {
		_, _ = l.run("close", "--force", at.ID)
	}
	return nil
}

// started: what is asked before the first prompt, then the input line.
func started(p *pane) { p.is(lifecycle.Idle) }

// approve: a command is asked for, approved, runs for as long as it likes.
func approve(p *pane) {
	g := p.gate()
	word := p.prompt("run", g.command())
	at := p.answers(p.prog.approval, p.prog.approval.keys)
	p.reach(approved, at, lifecycle.Working, "")
	g.began()
	g.let()
	p.ends(word)
	p.was("working needs-input/" + p.prog.approval.reason + " working done")
}

// deny: the same, refused.
func deny(p *pane) {
	word := p.prompt("run", "touch never")
	at := p.answers(p.prog.approval, p.prog.refuse)
	asked := "working needs-input/" + p.prog.approval.reason
	if p.prog.refused {
		p.reach("refused→working", at, lifecycle.Working, "")
		p.ends(word)
		p.was(asked + " working done")
	} else {
		p.reach(stopped, at, lifecycle.Idle, "")
		p.stays()
		// Some work on the refusal for a moment, Copilot once its input line is back.
		p.was(asked+" idle", asked+" working idle", asked+" idle working idle")
	}
	if _, err := os.Stat(filepath.Join(p.project, "never")); err == nil {
		p.t.Error("what was refused ran")
	}
}

// edit: a change of a file is shown and approved.
func edit(p *pane) {
	file := filepath.Join(p.project, "hello.txt")
	word := p.prompt("edit", file)
	at := p.answers(p.prog.edit, p.prog.edit.keys)
	p.reach(approved, at, lifecycle.Working, "")
	p.ends(word)
	p.was("working needs-input/" + p.prog.edit.reason + " working done")
	if b, err := os.ReadFile(file); err != nil || string(b) != "goodbye world\n" {
		p.t.Errorf("the file holds %q %v", b, err)
	}
}

// question: the agent asks, in one dialog or two.
func question(p *pane) {
	word := p.prompt("ask", "")
	var at time.Time
	for i, d := range p.prog.question {
		if i == 0 {
			at = p.answers(d, d.keys)
			continue
		}
		p.sees(d.see)
		at = p.press(d.keys...)
	}
	p.reach("answered→working", at, lifecycle.Working, "")
	p.ends(word)
	p.was("working needs-input/question working done")
}

// silence is how long a tool says nothing; of a person's tools, minutes.
func silence() string {
	if s := os.Getenv("DECK_TEST_AGENTS_SILENCE"); s != "" {
		return s
	}
	return "8"
}

// silent: nothing is said for a long time while a tool works.
func silent(p *pane) {
	word := p.prompt("run", "touch slow; sleep "+silence())
	at := p.answers(p.prog.approval, p.prog.approval.keys)
	p.reach(approved, at, lifecycle.Working, "")
	p.ends(word)
	p.was("working needs-input/" + p.prog.approval.reason + " working done")
}

// background: a command goes on after the turn.
func background(p *pane) {
	g := p.gate()
	word := p.prompt("background", g.command())
	at := p.answers(p.prog.approval, p.prog.approval.keys)
	p.reach(approved, at, lifecycle.Working, "")
	g.began()
	if p.prog.waits != nil {
		p.sees(p.prog.waits)
		g.let()
		p.comes(p.from, "the end of its command", lifecycle.Done, "")
	} else {
		p.ends(word)
	}
	p.was("working needs-input/" + p.prog.approval.reason + " working done")
	g.let()
	p.rests()
}

// stop: Esc while an answer streams.
func stop(p *pane) {
	p.prompt("stream", "")
	p.sees(re(`word5`))
	at := p.press(p.prog.stop...)
	p.reach(stopped, at, lifecycle.Idle, "")
	if len(p.prog.erase) > 0 {
		p.press(p.prog.erase...)
		p.look("an input line without the prompt", func(s string) bool { return !givenBack.MatchString(s) })
	}
	p.stays()
	p.was("working idle")
}

// givenBack is the prompt of stop as a draft: above the lower rule of an input
// line.
var givenBack = regexp.MustCompile(`please stream \w+ *\n.*─{9}`)

// anew: the conversation is thrown away, and the agent rests.
func anew(p *pane) {
	p.enter(p.prog.fresh, regexp.MustCompile(regexp.QuoteMeta(p.prog.fresh)))
	p.look("an empty conversation", func(s string) bool { return p.prog.ready.MatchString(s) && !strings.Contains(s, "word5") })
	p.ends(p.prompt("read", filepath.Join(p.project, "hello.txt")))
	p.stays()
	p.was("working done")
}

// quit: the agent is left by its own command, and nothing of it waits for
// anybody.
func quit(p *pane) {
	p.enter(p.prog.quit, regexp.MustCompile(regexp.QuoteMeta(p.prog.quit)))
	end := p.over()
	if s := end.Status.State; end.ExitCode != 0 || s != lifecycle.Dead && s != lifecycle.Done {
		p.t.Errorf("the pane is left with exit %d and %s\n%s", end.ExitCode, s, p.story())
	}
}

// narrow: the same approval where there is little room.
func narrow(p *pane) {
	p.attach(p.t, 46, 24)
	defer p.attach(p.t, cols, rows)
	p.from = time.Now()
	g := p.gate()
	word := p.prompt("run", g.command())
	p.reach(asks, p.sees(re(`Yes|Allow once`)), lifecycle.NeedsInput, p.prog.approval.reason)
	at := p.press(p.prog.approval.keys...)
	p.reach(approved, at, lifecycle.Working, "")
	g.began()
	g.let()
	p.ends(word)
	p.was("working needs-input/" + p.prog.approval.reason + " working done")
}

// others: hooks of another tool are there, and go on to run.
func others(p *pane) {
	for name, text := range p.prog.others {
		p.write(p.t, "home/"+name, p.fill(text))
	}
	p.led = false
	p.again()
	deny(p)
	if b, err := os.ReadFile(p.log); err != nil || len(b) == 0 {
		p.t.Errorf("the other tool was told nothing: %v", err)
	}
}

// hung: the server answers nobody while hooks call it. The terminals are read all
// the same.
func hung(p *pane) { p.outlasts("hung", p.mute) }

// halted: the server does nothing at all. A program that draws more than the kernel
// holds for a terminal waits for that, whatever its hooks do.
func halted(p *pane) {
	p.outlasts("stopped", func() func() {
		server := p.server()
		_ = syscall.Kill(server, syscall.SIGSTOP)
		return func() {
			if err := syscall.Kill(server, syscall.SIGCONT); err != nil {
				p.t.Fatal(err)
			}
		}
	})
}

// outlasts checks that the agent's step from one request to the next is not longer
// than the hooks' deadline without a server.
func (p *pane) outlasts(how string, end func() (again func())) {
	p.t.Helper()
	file := filepath.Join(p.project, "hello.txt")
	usual := p.step(file, func() {})
	again := func() {}
	late := p.step(file, func() { again = end() })
	again()
	p.delays = append(p.delays, delay{"step", usual}, delay{"step with a " + how + " server", late})
	if late > usual+time.Second+limit() {
		p.t.Errorf("a step of %.2f s took %.2f s with a %s server", usual.Seconds(), late.Seconds(), how)
	}
	p.is(lifecycle.Done)
}

// killed: the agent dies without a word.
func killed(p *pane) {
	p.prompt("stream", "")
	p.sees(re(`word5`))
	p.from = time.Now()
	if err := syscall.Kill(-p.PID, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	p.reach("killed→dead", p.from, lifecycle.Dead, "")
	p.was("working dead")
}

// restarted: the server dies with all that it has; the next one starts the agent
// as the one before did.
func restarted(p *pane) {
	p.ends(p.prompt("read", filepath.Join(p.project, "hello.txt")))
	if err := syscall.Kill(p.server(), syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	<-p.term.gone // so is the socket
	p.stop()
	p.conn.Close()
	p.term = nil
	p.serve(p.t)
	p.again()
	p.ends(p.prompt("read", filepath.Join(p.project, "hello.txt")))
	p.was("working done")
}
