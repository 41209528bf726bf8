package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// again restarts a pane.
func again(t testing.TB, l *loop, r wire.Restart) wire.Restarted {
	t.Helper()
	got, err := l.restartTarget(t.Context(), caller{}, r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// end has a program that echoes its arguments end.
func end(t testing.TB, l *loop, id, code string) {
	t.Helper()
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: id, Keys: []string{code, "Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilPane(t, l, id, "the end", func(p wire.Pane) bool { return p.Ended })
}

// inSession has an agent report its session.
func inSession(t testing.TB, l *loop, id, session string) {
	t.Helper()
	report(t, l, id, lifecycle.Report{Source: "integration:claude", Agent: "claude", State: lifecycle.Idle, Session: session,
		Resume: []string{"claude", "--resume", session}})
}

func TestARestartedAgentGoesOnWithItsSession(t *testing.T) {
	l, home := agentLoop(t, "claude", echoArgs)
	client, _ := join(t, l)
	p := launched(t, l, "claude", func(n *wire.NewPane) { n.Launch.Args = []string{"--verbose", "say hello to me"} })
	inSession(t, l, p.ID, "22222222-bbbb")
	writeSession(t, home, "22222222-bbbb")
	end(t, l, p.ID, "3")
	got := again(t, l, wire.Restart{Target: p.ID})
	if got.Resumed != "22222222-bbbb" || got.Note != "" || got.ID != p.ID || got.Agent != "claude" {
		t.Errorf("restarted as %+v", got)
	}
	untilText(t, l, client, p.ID, "--resume 22222222-bbbb --verbose")
	if text := shows(t, l, p.ID); strings.Contains(text, "hello") || !strings.Contains(text, "--settings") {
		t.Errorf("it shows %s", text)
	}
	end(t, l, p.ID, "3")
	if got := again(t, l, wire.Restart{Target: p.ID, Fresh: true}); got.Resumed != "" {
		t.Errorf("restarted as %+v", got)
	}
	untilText(t, l, client, p.ID, "--session-id")
}

// shows is what a pane shows.
func shows(t testing.TB, l *loop, id string) string {
	t.Helper()
	got, err := l.peek(t.Context(), caller{}, wire.Peek{Target: id})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(got.Lines, "\n")
}

func TestASessionThatIsGoneIsSaid(t *testing.T) {
	l, _ := agentLoop(t, "claude", echoArgs)
	id, r := join(t, l)
	p := launched(t, l, "claude")
	inSession(t, l, p.ID, "33333333-cccc")
	end(t, l, p.ID, "1")
	if got := again(t, l, wire.Restart{Target: p.ID}); got.Resumed != "" || got.Note == "" {
		t.Errorf("restarted as %+v", got)
	}
	end(t, l, p.ID, "1")
	l.request(id, ui.Restart{Pane: layout.PaneID(p.ID)})
	r.until(t, "the notice", func(r *recorder) bool {
		return len(r.notices) == 1 && strings.Contains(r.notices[0], "begins anew: there is no session")
	})
}

// An agent that was started as a command is started with its reporter when
// there is a session to go on with; one that deck does not know goes on as its
// own hook said.
func TestACommandThatIsAnAgentGoesOnToo(t *testing.T) {
	l, home := agentLoop(t, "claude", echoArgs)
	client, _ := join(t, l)
	p := open(t, l, "", func(n *wire.NewPane) { n.Command, n.Cols, n.Rows = []string{"claude", "--verbose"}, 400, 10 })
	inSession(t, l, p.ID, "44444444-dddd")
	writeSession(t, home, "44444444-dddd")
	end(t, l, p.ID, "0")
	again(t, l, wire.Restart{Target: p.ID})
	untilText(t, l, client, p.ID, "--resume 44444444-dddd --verbose")

	own := script(t, "robot", "echo robot args: $*; read x\n")
	q := open(t, l, "", func(n *wire.NewPane) {
		n.Command, n.Agent, n.Env = []string{"robot"}, "robot", []string{"PATH=" + filepath.Dir(own) + ":/bin:/usr/bin"}
	})
	report(t, l, q.ID, lifecycle.Report{Source: "integration:robot", Agent: "robot", State: lifecycle.Idle, Session: "s1",
		Resume: []string{"robot", "--again", "s1"}})
	end(t, l, q.ID, "")
	if got := again(t, l, wire.Restart{Target: q.ID}); got.Resumed != "s1" {
		t.Errorf("restarted as %+v", got)
	}
	untilText(t, l, client, q.ID, "robot args: --again s1")
}

func TestWhatRunsIsNotRestarted(t *testing.T) {
	l, _ := agentLoop(t, "claude", "read x; exit 3\n")
	p := open(t, l, "set -m; claude; read y")
	s := follow(t, l)
	untilStatus(t, s, p.ID, "the agent", func(a wire.Agent) bool { return a.Agent == "claude" })
	_, err := l.restartTarget(t.Context(), caller{}, wire.Restart{Target: p.ID})
	wantCode(t, err, wire.CodeStillRunning, "is still running")
	inSession(t, l, p.ID, "55555555-eeee")
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilStatus(t, s, p.ID, "its death", is(lifecycle.Dead))
	_, err = l.restartTarget(t.Context(), caller{}, wire.Restart{Target: p.ID})
	wantCode(t, err, wire.CodeStillRunning, "is still running")
	if e := asWireError(err); !strings.Contains(e.Hint, "claude --resume 55555555-eeee") {
		t.Errorf("the hint is %q", e.Hint)
	}
}

func TestWhatEndsAgainAndAgainIsNotStartedAgain(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	p := open(t, l, "exit 7")
	ended := func(n int) {
		t.Helper()
		untilPane(t, l, p.ID, "the end", func(q wire.Pane) bool {
			got, err := call(t.Context(), l, func() (int, error) { return len(l.panes[layout.PaneID(p.ID)].ends), nil })
			return q.Ended && err == nil && got == n
		})
	}
	for n := 1; n < maxEnds; n++ {
		ended(n)
		again(t, l, wire.Restart{Target: p.ID})
	}
	ended(maxEnds)
	_, err := l.restartTarget(t.Context(), caller{}, wire.Restart{Target: p.ID})
	wantCode(t, err, wire.CodeCrashLoop, "failed 3 times within 10 s, last with exit 7")
	r.until(t, "the mark", func(r *recorder) bool {
		q, _ := r.told.Pane(layout.PaneID(p.ID))
		return strings.Contains(q.Loops, "exit 7")
	})
	l.request(id, ui.Restart{Pane: layout.PaneID(p.ID)})
	r.until(t, "the notice", func(r *recorder) bool { return len(r.notices) == 1 })
	again(t, l, wire.Restart{Target: p.ID, Force: true})
	ended(1)
}

func TestEndsThatAreFarApartAreNoLoop(t *testing.T) {
	t.Parallel()
	at := func(seconds ...int) (ends []ended) {
		for _, s := range seconds {
			ends = noteEnd(ends, ended{time.Unix(int64(s), 0), "exit 1"}, false)
		}
		return ends
	}
	well := func(ends []ended) []ended { return noteEnd(ends, ended{time.Unix(11, 0), "exit 0"}, true) }
	for _, c := range []struct {
		ends []ended
		want bool
	}{
		{nil, false}, {at(1, 2), false}, {at(1, 5, 11), true}, {at(1, 5, 12), false}, {at(1, 2, 3, 40), false}, {at(1, 30, 31, 32), true},
		{well(at(1, 5)), false}, {noteEnd(well(at(5, 6, 7)), ended{time.Unix(12, 0), "exit 1"}, false), false},
	} {
		if got := loops(c.ends) != ""; got != c.want {
			t.Errorf("%v: %v", c.ends, got)
		}
	}
}

// What one server kept another one goes on with.
func TestSessionsOutliveTheServer(t *testing.T) {
	l, home := agentLoop(t, "claude", echoArgs)
	dir := t.TempDir()
	p := launched(t, l, "claude", func(n *wire.NewPane) { n.Dir = dir })
	inSession(t, l, p.ID, "66666666-ffff")
	writeSession(t, home, "66666666-ffff")
	_, err := l.newPane(t.Context(), caller{}, wire.NewPane{Dir: dir, Launch: &wire.Launch{Agent: "claude", Resume: true}})
	wantCode(t, err, wire.CodeNoSession, "no session")
	file := l.o.state + ".sessions.json"
	eventually(t, "the file", func() bool {
		text, _ := os.ReadFile(file)
		return strings.Contains(string(text), "66666666-ffff")
	})
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	m, _ := agentLoop(t, "claude", echoArgs, func(o *loopOptions) { o.state, o.env = l.o.state, l.o.env })
	client, _ := join(t, m)
	q := launched(t, m, "claude", func(n *wire.NewPane) { n.Dir, n.Launch.Resume = link, true })
	untilText(t, m, client, q.ID, "--resume 66666666-ffff")
}

// An agent that names its session with every report does not keep the disk busy.
func TestASessionThatIsNamedAgainIsNotKeptAgain(t *testing.T) {
	l, _ := agentLoop(t, "claude", echoArgs)
	p := launched(t, l, "claude")
	version := func() uint64 {
		t.Helper()
		v, err := call(t.Context(), l, func() (uint64, error) { return l.natives.version, nil })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	inSession(t, l, p.ID, "77777777-aaaa")
	first := version()
	for range 3 {
		inSession(t, l, p.ID, "77777777-aaaa")
	}
	if got := version(); got != first {
		t.Errorf("kept %d times more", got-first)
	}
	inSession(t, l, p.ID, "88888888-bbbb")
	if got := version(); got != first+1 {
		t.Errorf("another session was kept %d times", got-first)
	}
}

func TestTheFileOfSessionsIsReadWithCare(t *testing.T) {
	t.Parallel()
	good := native{Agent: "claude", Session: "s", Argv: []string{"claude", "--resume", "s"}, Dir: "/x", Pane: "p", Nick: "ada", At: time.Unix(1, 0).UTC()}
	bad := []native{{Agent: "claude", Session: "s", Dir: "relative"}, {Agent: "claude", Dir: "/x"}, {Session: "s", Dir: "/x"},
		{Agent: "claude", Session: "a\nb", Dir: "/x"}, {Agent: "claude", Session: "s", Dir: "/x", Argv: []string{"/bin/sh", "-c"}}}
	file := filepath.Join(t.TempDir(), "n.json")
	text, err := json.Marshal(append(bad, good))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f := &nativesFile{path: file}
	got, err := f.read()
	if diff := cmp.Diff([]native{good}, got); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
	if err := f.write([]native{good, good}, 2); err != nil {
		t.Fatal(err)
	}
	if err := f.write(nil, 1); err != nil {
		t.Fatal(err)
	}
	if got, err := f.read(); err != nil || len(got) != 2 {
		t.Errorf("an older version came over a newer one: %+v, %v", got, err)
	}
	if err := os.WriteFile(file, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.read(); err == nil {
		t.Error("half a file is read")
	}
	link := &nativesFile{path: filepath.Join(t.TempDir(), "link")}
	if err := os.Symlink(file, link.path); err != nil {
		t.Fatal(err)
	}
	if _, err := link.read(); err == nil {
		t.Error("a link is followed")
	}
	if got, err := (&nativesFile{path: filepath.Join(t.TempDir(), "none")}).read(); err != nil || got != nil {
		t.Errorf("of nothing came %+v, %v", got, err)
	}
}

// A program that is started again is of its pane from its first moment on, and stays
// in its sandbox: whoever is of no pane is a person.
func TestARestartedProgramIsNeverAPerson(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent, n.Sandboxed = "someone", true })
	for range 20 {
		end(t, l, p.ID, "")
		var token string
		done := make(chan error, 1)
		if _, err := call(t.Context(), l, func() (none, error) {
			q := l.panes[layout.PaneID(p.ID)]
			err := l.restart(q, wire.Restart{Force: true}, func(_ wire.Restarted, err error) { done <- err })
			token = q.token
			return none{}, err
		}); err != nil {
			t.Fatal(err)
		}
		for known, over := false, false; !over; {
			select {
			case err := <-done:
				if over = true; err != nil {
					t.Fatal(err)
				}
			default:
			}
			pane, ok := l.ids.ofToken(token)
			if known && !ok || ok && !l.ids.isSandboxed(pane) {
				t.Fatal("it is of no pane, or in no sandbox")
			}
			known = known || ok
		}
	}
}
