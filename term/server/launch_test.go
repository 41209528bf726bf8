package server

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// agentLoop is a loop with a program of an agent on its PATH, which keeps what
// it keeps in a folder of its own.
func agentLoop(t testing.TB, agent, text string, change ...func(*loopOptions)) (l *loop, home string) {
	t.Helper()
	bin := filepath.Dir(script(t, agent, text))
	home = t.TempDir()
	state := filepath.Join(t.TempDir(), "deck", "test")
	return testLoop(t, append([]func(*loopOptions){func(o *loopOptions) {
		o.state, o.reporter = state, "/usr/bin/deck-hook"
		o.env = []string{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + home, "SHELL=/bin/sh", "ENV=", "PS1=$ "}
	}}, change...)...), home
}

// launched starts an agent by its name.
func launched(t testing.TB, l *loop, agent string, change ...func(*wire.NewPane)) wire.Pane {
	t.Helper()
	n := wire.NewPane{Launch: &wire.Launch{Agent: agent}, Dir: t.TempDir(), Cols: 400, Rows: 20}
	for _, c := range change {
		c(&n)
	}
	p, err := l.newPane(t.Context(), caller{}, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// echoArgs is a program that prints its arguments and ends as it is told.
const echoArgs = "echo args: $*; read x; exit ${x:-0}\n"

func TestAnAgentIsStartedWithItsReporter(t *testing.T) {
	l, _ := agentLoop(t, "claude", echoArgs)
	client, _ := join(t, l)
	p := launched(t, l, "claude", func(n *wire.NewPane) { n.Launch.Args, n.Launch.Model = []string{"--verbose"}, "small" })
	folder := filepath.Join(paneFolders(l.o.state), p.ID)
	untilText(t, l, client, p.ID, "args: --settings "+folder+"/claude.json --model haiku --session-id ")
	untilText(t, l, client, p.ID, " --verbose")
	if p.Agent != "claude" || !cmp.Equal(p.Command, []string{"claude", "--verbose"}) {
		t.Errorf("the pane is %+v", p)
	}
	for path, mode := range map[string]fs.FileMode{folder: 0o700, filepath.Join(folder, "claude.json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "claude.json"))
	if err != nil || !strings.Contains(string(text), "/usr/bin/deck-hook") {
		t.Errorf("the settings are %s, %v", text, err)
	}
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: p.ID}); err != nil {
		t.Fatal(err)
	}
	untilGone(t, folder)
}

// untilGone waits until nothing is at a path.
func untilGone(t testing.TB, path string) {
	t.Helper()
	eventually(t, path+" to be gone", func() bool {
		_, err := os.Lstat(path)
		return os.IsNotExist(err)
	})
}

func TestAnAgentThatIsNotThereIsNotStarted(t *testing.T) {
	l, _ := agentLoop(t, "claude", "")
	for _, c := range []struct {
		n             wire.NewPane
		code, message string
	}{
		{wire.NewPane{Launch: &wire.Launch{Agent: "nobody"}}, wire.CodeAgentNotFound, "no such agent: nobody"},
		{wire.NewPane{Launch: &wire.Launch{Agent: "codex"}}, wire.CodeAgentNotFound, "Codex is not on your PATH"},
		{wire.NewPane{Launch: &wire.Launch{Agent: "claude"}, Command: []string{"x"}}, wire.CodeInvalid, "by its name or by a command"},
		{wire.NewPane{Launch: &wire.Launch{Agent: "claude", Resume: true}, Dir: "/"}, wire.CodeNoSession, "no session of Claude Code"},
	} {
		_, err := l.newPane(t.Context(), caller{}, c.n)
		wantCode(t, err, c.code, c.message)
	}
	if panes := panesOf(t, l); len(panes) != 0 {
		t.Errorf("there are panes: %+v", panes)
	}
}

// A disk that takes nothing, or a folder that somebody else prepared, costs the
// reporter and not the agent.
func TestAnAgentIsStartedWithoutWhatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(state string) error{
		"a file in the way": func(state string) error { return os.WriteFile(paneFolders(state), nil, 0o600) },
		"a link":            func(state string) error { return os.Symlink(os.TempDir(), paneFolders(state)) },
		"open to others": func(state string) error {
			if err := os.Mkdir(paneFolders(state), 0o700); err != nil {
				return err
			}
			return os.Chmod(paneFolders(state), 0o777)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := agentLoop(t, "claude", echoArgs)
			if err := os.MkdirAll(filepath.Dir(l.o.state), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := spoil(l.o.state); err != nil {
				t.Fatal(err)
			}
			client, _ := join(t, l)
			p := launched(t, l, "claude")
			untilText(t, l, client, p.ID, "args: --session-id ")
		})
	}
}

func TestTheScreenListsAgentsAndStartsThem(t *testing.T) {
	l, home := agentLoop(t, "claude", echoArgs)
	id, r := join(t, l, func(a *wire.Attach) { a.Dir = home })
	r.until(t, "a pane", func(r *recorder) bool { return len(r.told.Panes) == 1 })
	from := r.told.Panes[0].ID
	keepSession(t, l, home, "claude", "11111111-aaaa")
	l.request(id, ui.ListAgents{From: from})
	var got ui.LaunchersMsg
	r.until(t, "the list", func(r *recorder) bool {
		for _, m := range r.replies {
			if list, ok := m.(ui.LaunchersMsg); ok {
				got = list
				return true
			}
		}
		return false
	})
	if got.From != from || len(got.Agents) != 1 || got.Agents[0].Name != "claude" || got.Agents[0].Last.IsZero() {
		t.Errorf("listed are %+v", got)
	}
	l.request(id, ui.Launch{Agent: "claude", At: from, Place: "down", Resume: true})
	r.until(t, "the agent", func(r *recorder) bool { return len(r.told.Panes) == 2 && len(r.focused) == 2 })
	if root := r.told.Tabs[0].Root; root.Dir != layout.Down {
		t.Errorf("it is at %+v", root)
	}
	untilText(t, l, id, string(r.focused[1]), "--resume 11111111-aaaa")
	l.request(id, ui.Launch{Agent: "codex", At: from, Place: "tab"})
	r.until(t, "the notice", func(r *recorder) bool {
		return len(r.notices) == 1 && strings.Contains(r.notices[0], "Codex is not on your PATH")
	})
}

// keepSession has a session of an agent remembered, and its file there.
func keepSession(t testing.TB, l *loop, home, agent, session string) {
	t.Helper()
	writeSession(t, home, session)
	if _, err := call(t.Context(), l, func() (none, error) {
		l.natives.list = append(l.natives.list, native{Agent: agent, Session: session, Dir: home, At: time.Now()})
		return none{}, nil
	}); err != nil {
		t.Fatal(err)
	}
}

// writeSession makes a session exist, as the agent would.
func writeSession(t testing.TB, home, session string) {
	t.Helper()
	dir := filepath.Join(home, ".claude", "projects", "p")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, session+".jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// eventually asks again until the answer is yes. It is for files, which tell
// nobody when they come and go.
func eventually(t testing.TB, what string, yes func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(soon)
	for !yes() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
