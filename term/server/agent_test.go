package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// script writes a program into a folder of its own and returns its path.
func script(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// dialog is a menu that waits for a person, as agents draw them.
const dialog = `printf '\033[2J\033[H Do you want to run this command?\r\n\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Enter to select · Esc to cancel'`

// status waits for a status event of a pane that a condition wants, and returns
// it.
func untilStatus(t testing.TB, s *subscription, id, what string, ok func(wire.Agent) bool) wire.Agent {
	t.Helper()
	deadline := time.After(soon)
	var last []wire.Agent
	for {
		select {
		case e, open := <-s.events:
			if !open {
				t.Fatal("the events end")
			}
			rows := e.Agents
			if e.Type == "status" {
				rows = append(rows, *e.Agent)
			}
			for _, a := range rows {
				if a.Pane == id && ok(a) {
					return a
				}
				last = append(last, a)
			}
		case <-deadline:
			t.Fatalf("waited in vain for %s: %+v", what, last)
		}
	}
}

func is(want lifecycle.State) func(wire.Agent) bool {
	return func(a wire.Agent) bool { return a.State == want }
}

func follow(t testing.TB, l *loop) *subscription {
	t.Helper()
	s, err := l.subscribe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.unsubscribe(s) })
	return s
}

func report(t testing.TB, l *loop, id string, r lifecycle.Report) {
	t.Helper()
	drop, err := call(context.Background(), l, func() (lifecycle.Drop, error) { return l.applyReport(layout.PaneID(id), r) })
	if drop != "" || err != nil {
		t.Fatalf("report dropped %q, %v", drop, err)
	}
}

func said(s lifecycle.State, reason string) lifecycle.Report {
	return lifecycle.Report{Source: "custom:test", Agent: "claude", State: s, Reason: reason}
}

func TestAnAgentThatIsKilledIsDeadAtOnce(t *testing.T) {
	l := testLoop(t)
	agent := script(t, "claude", "echo $$; while :; do read x; done\n")
	p := open(t, l, "set -m; "+agent+"; read y")
	s := follow(t, l)
	untilStatus(t, s, p.ID, "the agent", func(a wire.Agent) bool { return a.Agent == "claude" && a.Generation == 1 })
	report(t, l, p.ID, said(lifecycle.Working, ""))
	untilStatus(t, s, p.ID, "work", is(lifecycle.Working))
	pid, err := call(t.Context(), l, func() (int, error) { return l.panes[layout.PaneID(p.ID)].agent.pid, nil })
	if err != nil || pid == 0 || pid == p.PID {
		t.Fatalf("the agent is process %d, %v", pid, err)
	}
	begin := time.Now()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	a := untilStatus(t, s, p.ID, "the death", is(lifecycle.Dead))
	// The census comes every five seconds: what is earlier came from the process.
	if d := time.Since(begin); d > countRest-time.Second || a.Source != "process" {
		t.Errorf("dead after %v: %+v", d, a)
	}
	if _, err := call(t.Context(), l, func() (int, error) { return 0, l.serve(&attached{}, ui.Dismiss{Pane: layout.PaneID(p.ID)}) }); err != nil {
		t.Fatal(err)
	}
	untilStatus(t, s, p.ID, "the plain shell", func(a wire.Agent) bool { return a.Agent == "" && a.State == lifecycle.Unknown })
}

func TestAnAgentThatIsRunAgainIsAnotherGeneration(t *testing.T) {
	l := testLoop(t)
	agent := script(t, "codex", "read x; exit 0\n")
	p := open(t, l, "set -m; "+agent+"; "+agent+"; read y")
	s := follow(t, l)
	untilStatus(t, s, p.ID, "the first", func(a wire.Agent) bool { return a.Agent == "codex" && a.Generation == 1 })
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilStatus(t, s, p.ID, "the second", func(a wire.Agent) bool { return a.Agent == "codex" && a.Generation == 2 })
}

// A tool that gets the terminal, and what started it, are the agent's.
func TestAnAgentStaysWhileItsToolHasTheTerminal(t *testing.T) {
	l := testLoop(t)
	agent := script(t, "gemini", "set -m; echo go; sleep 1000; exit 0\n")
	p := open(t, l, "set -m; "+agent+"; read y")
	untilPane(t, l, p.ID, "the tool", func(p wire.Pane) bool { return p.Program == "sleep" && p.Agent == "gemini" })
}

func TestALauncherIsTheAgentItLaunches(t *testing.T) {
	l := testLoop(t)
	agent := script(t, "opencode", "echo go; read x\n")
	launcher := script(t, "start-it", agent+"; exit 0\n")
	p := open(t, l, "set -m; "+launcher+"; read y")
	untilPane(t, l, p.ID, "the agent", func(p wire.Pane) bool { return p.Agent == "opencode" })
}

func TestADialogIsSeenWithoutHooks(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "read x; "+dialog+"; read y; printf '\\033[2J\\033[H● working'; read z", func(n *wire.NewPane) { n.Agent = "someone" })
	_, client := join(t, l)
	s := follow(t, l)
	enter := wire.Send{Target: p.ID, Keys: []string{"Enter"}}
	if _, err := l.send(t.Context(), caller{}, enter); err != nil {
		t.Fatal(err)
	}
	a := untilStatus(t, s, p.ID, "the question", is(lifecycle.NeedsInput))
	if a.Source != "manifest:someone" || a.Request.ID == "" {
		t.Errorf("asked as %+v", a)
	}
	client.until(t, "the alert", func(r *recorder) bool {
		return len(r.alerts) == 1 && string(r.alerts[0].ID) == p.ID && r.alerts[0].Status.State == lifecycle.NeedsInput
	})
	if _, err := l.send(t.Context(), caller{}, enter); err != nil {
		t.Fatal(err)
	}
	untilStatus(t, s, p.ID, "the answer", func(a wire.Agent) bool { return a.State != lifecycle.NeedsInput })
}

func TestAProgramSaysInBandWhatItDoes(t *testing.T) {
	l := testLoop(t)
	say := func(body string) string { return `printf '\033]7501;` + body + `\033\\'; read x; ` }
	p := open(t, l, "read x; "+say("state=working")+say("state=nonsense")+say("state=blocked:kind=permission:msg=cm0gLXJm")+
		say("state=error:msg=bm8=")+say("state=working:id=a")+say("state=done")+say("state=clear"), func(n *wire.NewPane) { n.Agent = "pi" })
	s := follow(t, l)
	next := func() {
		t.Helper()
		if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
			t.Fatal(err)
		}
	}
	next()
	untilStatus(t, s, p.ID, "work", is(lifecycle.Working))
	next()
	next()
	a := untilStatus(t, s, p.ID, "the question", is(lifecycle.NeedsInput))
	if a.Reason != lifecycle.Approval || a.Source != "native:osc7501" || a.Request.Summary != "rm -rf" {
		t.Errorf("asked as %+v", a)
	}
	next()
	if a := untilStatus(t, s, p.ID, "the error", is(lifecycle.Blocked)); a.Reason != lifecycle.ToolError || a.Detail != "no" {
		t.Errorf("blocked as %+v", a)
	}
	next()
	next()
	untilStatus(t, s, p.ID, "the end", func(a wire.Agent) bool { return a.State == lifecycle.Done && a.Background })
	next()
	untilStatus(t, s, p.ID, "nothing", is(lifecycle.Unknown))
}

func TestAFinishedTurnIsSeenByLookingAtIt(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	other := open(t, l, "read x")
	id, client := join(t, l)
	s := follow(t, l)
	use := func(pane string) {
		l.request(id, ui.Use{Tab: "t1", Pane: layout.PaneID(pane), Sizes: []layout.Place{{Pane: layout.PaneID(pane), Rect: layout.Rect{W: 80, H: 20}}}})
	}
	use(other.ID)
	report(t, l, p.ID, said(lifecycle.Working, ""))
	report(t, l, p.ID, said(lifecycle.Done, ""))
	untilStatus(t, s, p.ID, "the end", is(lifecycle.Done))
	if _, err := l.peek(t.Context(), caller{}, wire.Peek{Target: p.ID}); err != nil {
		t.Fatal(err)
	}
	if rows, err := l.listAgents(t.Context(), caller{}, agentQuery{Target: p.ID}); err != nil || rows[0].State != lifecycle.Done {
		t.Errorf("after a look by the command line: %+v, %v", rows, err)
	}
	use(p.ID)
	untilStatus(t, s, p.ID, "it to be seen", is(lifecycle.Idle))
	report(t, l, p.ID, said(lifecycle.NeedsInput, lifecycle.Question))
	untilStatus(t, s, p.ID, "the question", is(lifecycle.NeedsInput))
	report(t, l, p.ID, said(lifecycle.Working, ""))
	l.request(id, ui.Away{Away: true})
	report(t, l, p.ID, said(lifecycle.NeedsInput, lifecycle.Question))
	client.until(t, "one alert of the pane in focus, while the terminal is not", func(r *recorder) bool {
		n := 0
		for _, a := range r.alerts {
			if a.Status.State == lifecycle.NeedsInput {
				n++
			}
		}
		return n == 1
	})
}

func TestAServerThatStartsInventsNothing(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	rows, err := l.listAgents(t.Context(), caller{}, agentQuery{})
	if err != nil || len(rows) != 1 || rows[0].Pane != p.ID || rows[0].State != lifecycle.Unknown || rows[0].Generation != 1 {
		t.Errorf("the agents are %+v, %v", rows, err)
	}
	open(t, l, "read x")
	rows, err = l.listAgents(t.Context(), caller{}, agentQuery{All: "1"})
	if err != nil || len(rows) != 2 || rows[1].Agent != "" {
		t.Errorf("the panes are %+v, %v", rows, err)
	}
	if _, err := l.explainAgent(t.Context(), caller{}, wire.Target{Target: rows[1].Pane}); err == nil {
		t.Error("a pane without an agent is explained")
	}
}

func TestProjectAndBranchAreFoundWithoutGit(t *testing.T) {
	dir := t.TempDir()
	repo, tree := filepath.Join(dir, "thing"), filepath.Join(dir, "other", "tree")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(repo, ".git", "HEAD"), "ref: refs/heads/feature/login\n")
	write(filepath.Join(repo, ".git", "worktrees", "tree", "HEAD"), "ref: refs/heads/side\n")
	write(filepath.Join(repo, ".git", "worktrees", "tree", "commondir"), "../..\n")
	write(filepath.Join(repo, "sub", "file"), "")
	write(filepath.Join(tree, ".git"), "gitdir: "+filepath.Join(repo, ".git", "worktrees", "tree")+"\n")
	write(filepath.Join(dir, "detached", ".git", "HEAD"), strings.Repeat("a", 40)+"\n")
	for _, c := range []struct{ dir, project, branch string }{
		{filepath.Join(repo, "sub"), repo, "feature/login"}, {tree, repo, "side"},
		{filepath.Join(dir, "detached"), filepath.Join(dir, "detached"), ""}, {dir, "", ""}, {"", "", ""},
	} {
		if root, branch := findProject(c.dir); root != c.project || branch != c.branch {
			t.Errorf("%q is in %q on %q, want %q on %q", c.dir, root, branch, c.project, c.branch)
		}
	}
	l := testLoop(t)
	open(t, l, "read x", func(n *wire.NewPane) { n.Dir = tree })
	_, client := join(t, l)
	client.until(t, "project and branch", func(r *recorder) bool {
		return len(r.told.Panes) == 1 && r.told.Panes[0].Project == "thing" && r.told.Panes[0].Branch == "side"
	})
}

// Where the system does not tell of an end, all such agents are counted now and
// then: missing twice is death, and nobody is counted who is not there.
func TestAnAgentThatIsMissedTwiceIsDead(t *testing.T) {
	l := testLoop(t)
	agent := script(t, "claude", "read x; exit 0\n")
	p := open(t, l, "set -m; "+agent+"; read y")
	s := follow(t, l)
	untilStatus(t, s, p.ID, "the agent", func(a wire.Agent) bool { return a.Agent == "claude" })
	count := func(change func(*agentOf)) lifecycle.State {
		t.Helper()
		st, err := call(t.Context(), l, func() (lifecycle.State, error) {
			a := &l.panes[layout.PaneID(p.ID)].agent
			change(a)
			l.countAt = time.Now()
			l.count(time.Now())
			return a.life.Status().State, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	alive := count(func(a *agentOf) { a.death.stop(); a.death, a.counted = nil, true })
	missed := count(func(a *agentOf) { a.pid = 1 << 30 })
	dead := count(func(*agentOf) {})
	if alive == lifecycle.Dead || missed == lifecycle.Dead || dead != lifecycle.Dead {
		t.Errorf("seen it is %s, missed once %s, missed twice %s", alive, missed, dead)
	}
	if due, err := call(t.Context(), l, func() (time.Time, error) { return l.countAt, nil }); err != nil || !due.IsZero() {
		t.Errorf("the next census is at %v, %v", due, err)
	}
}

// agentOf is the loop's type, whose name tests use for a program's path.
type agentOf = agent

func TestABrokenRuleFileIsNamedAndLeftOut(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	rules := filepath.Join(dir, "rules")
	if err := os.MkdirAll(rules, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		config:                               "prefix = \"C-b\"\n",
		filepath.Join(rules, "someone.toml"): "version = 1\n[[rule]]\nid = \"mine\"\nstate = \"blocked\"\nreason = \"limit\"\npriority = 990\nregion = \"screen\"\nall = [{ text = \"out of credit\" }]\n",
		filepath.Join(rules, "claude.toml"):  "version = 1\n[[rule]]\nid = \"broken\"\nstate = \"dancing\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := CheckConfig(config)
	if err == nil || !strings.Contains(err.Error(), "claude.toml") || strings.Contains(err.Error(), "someone.toml") {
		t.Errorf("the check says %v", err)
	}
	quiet := slog.New(slog.DiscardHandler)
	s := &server{o: Options{Config: config}, log: quiet, loop: testLoop(t), archive: newArchive(t.TempDir(), "", quiet)}
	old := defaultConfig()
	s.config.Store(&old)
	cfg, faults, err := s.reload()
	if err != nil || faults == nil || cfg.Prefix != "C-b" || len(s.configFaults()) != 1 || !strings.Contains(s.configFaults()[0], "claude.toml") {
		t.Errorf("read %+v, %v, %v, noted %q", cfg.Prefix, faults, err, s.configFaults())
	}
	l := s.loop
	events := follow(t, l)
	mine := open(t, l, "echo; echo 'you are out of credit'; read x", func(n *wire.NewPane) { n.Agent = "someone" })
	if a := untilStatus(t, events, mine.ID, "the rule", is(lifecycle.Blocked)); a.Reason != lifecycle.Limit {
		t.Errorf("blocked as %+v", a)
	}
	built := open(t, l, dialog+"; read x", func(n *wire.NewPane) { n.Agent = "claude" })
	untilStatus(t, events, built.ID, "the built-in rule", is(lifecycle.NeedsInput))
}

// What a program draws in a pane that nobody looks at reaches a person's screen.
func TestATerminalShowsWhoNeedsAPerson(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 120, 30, "cat")
	a.sees("cat")
	conn := wire.Open(socket, "")
	defer conn.Close()
	p, err := conn.NewPane(t.Context(), wire.NewPane{Agent: "claude", Command: []string{"/bin/sh", "-c", dialog + "; read x"}})
	if err != nil {
		t.Fatal(err)
	}
	a.sees(p.Nick)
	a.sees("needs-input")
	got, err := conn.WaitAgent(t.Context(), wire.AgentWait{Target: p.Nick, Until: []lifecycle.State{lifecycle.NeedsInput}})
	if err != nil || got.Outcome != string(lifecycle.Reached) || got.Agent.Pane != p.ID {
		t.Errorf("waited: %+v, %v", got, err)
	}
	told, err := conn.ExplainAgent(t.Context(), wire.Target{Target: p.ID})
	if err != nil || told.Status.State != lifecycle.NeedsInput || len(told.Claims) == 0 {
		t.Errorf("explained: %+v, %v", told, err)
	}
}

// An agent that a shell has run ends as its exit status says, which only the
// shell is told.
func TestHowAProcessOfSomebodyElseEnded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no such watch on this system")
	}
	for _, c := range []struct {
		end   string
		clean bool
		words string
	}{{"exit 0", true, "exit 0"}, {"exit 7", false, "exit 7"}, {"kill -9 $$", false, "killed by signal 9"}, {"kill -2 $$", true, "killed by signal 2"}} {
		cmd := exec.Command("/bin/sh", "-c", "/bin/sh -c 'echo $$; read x; "+c.end+"'; true")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		if _, err := fmt.Fscan(out, &pid); err != nil {
			t.Fatal(err)
		}
		got := make(chan ending, 1)
		w, err := watchDeath(pid, func(e ending) { got <- e })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, "\n"); err != nil {
			t.Fatal(err)
		}
		// Systems that forget an exit status at once tell that they do not know.
		if e := <-got; e.known && (e.clean() != c.clean || e.String() != c.words) || !e.known && e.String() != "gone" {
			t.Errorf("%s: %+v %s", c.end, e, e)
		}
		w.stop()
		_ = cmd.Wait()
		if _, err := watchDeath(pid, func(ending) {}); !errors.Is(err, errGone) {
			t.Errorf("a process that is gone is watched: %v", err)
		}
	}
}
