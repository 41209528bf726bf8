package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// soon is how long a test waits for what must happen; it is never reached.
const soon = 20 * time.Second

// testLoop runs a loop without a process around it.
func testLoop(t testing.TB, change ...func(*loopOptions)) *loop {
	t.Helper()
	o := loopOptions{version: "test", socket: "/tmp/test.sock", config: defaultConfig(), grace: time.Second,
		env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "SHELL=/bin/sh", "ENV=", "PS1=$ "}}
	for _, c := range change {
		c(&o)
	}
	l := newLoop(o)
	ctx, cancel := context.WithCancel(context.Background())
	go l.run(ctx)
	t.Cleanup(func() {
		cancel()
		select {
		case <-l.ended:
		case <-time.After(soon):
			t.Error("the loop does not end")
		}
	})
	return l
}

// recorder is a client that remembers what it was told.
type recorder struct {
	mu      sync.Mutex
	told    ui.State
	states  int
	focused []layout.PaneID
	notices []string
	copied  []string
	rung    int
	exits   []wire.Exit
	alerts  []ui.Pane
	replies []tea.Msg
	set     []ui.Settings
	wake    chan struct{}
}

func newRecorder() *recorder { return &recorder{wake: make(chan struct{}, 1)} }

func (r *recorder) note(f func()) {
	r.mu.Lock()
	f()
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *recorder) state(s ui.State)      { r.note(func() { r.told = s; r.states++ }) }
func (r *recorder) focus(p layout.PaneID) { r.note(func() { r.focused = append(r.focused, p) }) }
func (r *recorder) notice(text string, _ bool) {
	r.note(func() { r.notices = append(r.notices, text) })
}
func (r *recorder) settings(s ui.Settings) { r.note(func() { r.set = append(r.set, s) }) }
func (r *recorder) exit(e wire.Exit)       { r.note(func() { r.exits = append(r.exits, e) }) }
func (r *recorder) clipboard(text string)  { r.note(func() { r.copied = append(r.copied, text) }) }
func (r *recorder) alert(p ui.Pane)        { r.note(func() { r.alerts = append(r.alerts, p) }) }
func (r *recorder) bell(layout.PaneID)     { r.note(func() { r.rung++ }) }
func (r *recorder) reply(m tea.Msg)        { r.note(func() { r.replies = append(r.replies, m) }) }

// until waits for what the client was told to fulfil a condition.
func (r *recorder) until(t testing.TB, what string, ok func(*recorder) bool) {
	t.Helper()
	deadline := time.After(soon)
	for {
		r.mu.Lock()
		done := ok(r)
		r.mu.Unlock()
		if done {
			return
		}
		select {
		case <-r.wake:
		case <-deadline:
			r.mu.Lock()
			defer r.mu.Unlock()
			t.Fatalf("waited in vain for %s; told %+v, notices %q", what, r.told, r.notices)
		}
	}
}

func join(t testing.TB, l *loop, change ...func(*wire.Attach)) (string, *recorder) {
	t.Helper()
	a := wire.Attach{Dir: t.TempDir(), Size: wire.Size{Cols: 100, Rows: 30}, Env: map[string]string{"TERM": "xterm"}, PID: 1}
	for _, c := range change {
		c(&a)
	}
	r := newRecorder()
	id, err := l.attach(a, r)
	if err != nil {
		t.Fatal(err)
	}
	return id, r
}

// open opens a pane that runs a shell command.
func open(t testing.TB, l *loop, script string, change ...func(*wire.NewPane)) wire.Pane {
	t.Helper()
	n := wire.NewPane{Command: []string{"/bin/sh", "-c", script}, Dir: t.TempDir()}
	for _, c := range change {
		c(&n)
	}
	p, err := l.newPane(t.Context(), caller{}, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func panesOf(t testing.TB, l *loop) []wire.Pane {
	t.Helper()
	panes, err := l.listPanes(context.Background(), caller{}, "")
	if err != nil {
		t.Fatal(err)
	}
	return panes
}

// pane waits until a pane is as a condition wants it.
func untilPane(t testing.TB, l *loop, id, what string, ok func(wire.Pane) bool) wire.Pane {
	t.Helper()
	s, err := l.subscribe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer l.unsubscribe(s)
	deadline := time.After(soon)
	for {
		select {
		case e := <-s.events:
			if e.Pane != nil {
				e.Panes = append(e.Panes, *e.Pane)
			}
			for _, p := range e.Panes {
				if p.ID == id && ok(p) {
					return p
				}
			}
		case <-deadline:
			t.Fatalf("waited in vain for %s: %+v", what, panesOf(t, l))
		}
	}
}

// untilText waits until a pane shows a text, woken as a client is, and returns what it
// shows then.
func untilText(t testing.TB, l *loop, client, id, text string) string {
	t.Helper()
	wake := make(chan struct{}, 1)
	l.watch(client, []layout.PaneID{layout.PaneID(id)}, wake)
	deadline := time.After(soon)
	for {
		got, err := l.peek(context.Background(), caller{}, wire.Peek{Target: id, History: true})
		if err != nil {
			t.Fatal(err)
		}
		if all := strings.Join(got.Lines, "\n"); strings.Contains(all, text) {
			return all
		}
		select {
		case <-wake:
		case <-deadline:
			t.Fatalf("waited in vain for %q; the pane shows %q", text, got.Lines)
		}
	}
}

func wantCode(t testing.TB, err error, code, message string) {
	t.Helper()
	var e *wire.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, message) {
		t.Errorf("got %v (%T), want %s: %s", err, err, code, message)
	}
}

func TestTheFirstClientGetsASessionWithAShell(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	r.until(t, "the first state", func(r *recorder) bool { return len(r.told.Panes) == 1 && len(r.focused) == 1 })
	s := r.told
	if s.Session != "main" || len(s.Tabs) != 1 || s.Clients != 1 || s.Panes[0].Program != "sh" {
		t.Errorf("told %+v", s)
	}
	if l.screen(s.Panes[0].ID) == nil || l.screen("nothing") != nil {
		t.Error("screens are not found")
	}
	l.input(id, s.Panes[0].ID, ui.Token{Raw: []byte("echo he''llo\r")})
	untilText(t, l, id, string(s.Panes[0].ID), "hello")
}

func TestTenClientsAtOnceShareOnePane(t *testing.T) {
	l := testLoop(t)
	var wg sync.WaitGroup
	recorders := make([]*recorder, 10)
	for i := range recorders {
		wg.Go(func() { _, recorders[i] = join(t, l) })
	}
	wg.Wait()
	for _, r := range recorders {
		r.until(t, "a state", func(r *recorder) bool { return r.told.Clients == 10 && len(r.told.Panes) == 1 })
	}
	if n := len(panesOf(t, l)); n != 1 {
		t.Errorf("%d panes", n)
	}
}

func TestPanesSplitAndClose(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	r.until(t, "the first state", func(r *recorder) bool { return len(r.told.Panes) == 1 })
	first := r.told.Panes[0].ID
	l.request(id, ui.Split{At: first, Dir: layout.Down})
	r.until(t, "two panes", func(r *recorder) bool { return len(r.told.Panes) == 2 && len(r.focused) == 2 })
	second := r.focused[1]
	if root := r.told.Tabs[0].Root; root.Dir != layout.Down || root.Children[1].Pane != second {
		t.Errorf("the layout is %+v", root)
	}
	l.request(id, ui.NewTab{From: second})
	r.until(t, "two tabs", func(r *recorder) bool { return len(r.told.Tabs) == 2 })
	l.request(id, ui.Swap{A: first, B: r.focused[2]})
	r.until(t, "the swap", func(r *recorder) bool { return r.told.Tabs[1].Root.Pane == first })
	l.request(id, ui.Break{Pane: second})
	r.until(t, "three tabs", func(r *recorder) bool { return len(r.told.Tabs) == 3 })
	l.request(id, ui.RenameTab{Tab: r.told.Tabs[1].ID, Name: "logs"})
	l.request(id, ui.Rename{Pane: second, Name: "build"})
	r.until(t, "the names", func(r *recorder) bool {
		p, _ := r.told.Pane(second)
		return r.told.Tabs[1].Name == "logs" && p.Name == "build"
	})
	l.request(id, ui.Break{Pane: second})
	l.request(id, ui.Close{Pane: "gone"})
	r.until(t, "the notices", func(r *recorder) bool { return len(r.notices) == 2 })
	l.request(id, ui.CloseTab{Tab: r.told.Tabs[1].ID})
	l.request(id, ui.Close{Pane: first})
	r.until(t, "one tab", func(r *recorder) bool { return len(r.told.Tabs) == 1 })
	l.request(id, ui.Close{Pane: r.told.Panes[0].ID})
	r.until(t, "the end", func(r *recorder) bool { return len(r.exits) == 1 })
	if e := r.exits[0]; e.Reason != "closed" {
		t.Errorf("exit %+v", e)
	}
}

func TestTheServerIsToldWhenNothingIsLeft(t *testing.T) {
	empty := make(chan struct{})
	l := testLoop(t, func(o *loopOptions) { o.empty = func() { close(empty) } })
	p := open(t, l, "sleep 1000")
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: p.Nick}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-empty:
	case <-time.After(soon):
		t.Error("nobody was told")
	}
	if s, err := l.listSessions(t.Context(), caller{}); err != nil || len(s) != 0 {
		t.Errorf("sessions %v, %v", s, err)
	}
}

func TestAnEndedPaneStaysAsConfigured(t *testing.T) {
	for keep, codes := range map[string]map[string]bool{
		remainAlways: {"0": true, "1": true}, remainFailed: {"0": false, "1": true}, remainNever: {"0": false, "1": false},
	} {
		for code, stays := range codes {
			l := testLoop(t, func(o *loopOptions) { o.config.RemainOnExit = keep })
			open(t, l, "sleep 1000")
			s, err := l.subscribe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			p := open(t, l, "exit "+code)
			for e := range s.events {
				if stays && e.Pane != nil && e.Pane.ID == p.ID && e.Pane.Ended {
					if e.Pane.Exit != "exit "+code {
						t.Errorf("%s %s: exit %q", keep, code, e.Pane.Exit)
					}
					break
				}
				if e.Type == "pane_closed" && e.ID == p.ID {
					if stays {
						t.Errorf("%s %s: the pane went", keep, code)
					}
					break
				}
			}
			l.unsubscribe(s)
		}
	}
}

func TestACommandThatIsNotFoundIsAnErrorAndAPaneThatSaysSo(t *testing.T) {
	l := testLoop(t)
	p, err := l.newPane(t.Context(), caller{}, wire.NewPane{Command: []string{"no-such-program"}, Dir: t.TempDir()})
	wantCode(t, err, wire.CodeNotStarted, "command not found: no-such-program")
	got, err := l.peek(t.Context(), caller{}, wire.Peek{Target: p.ID, Lines: 1})
	if err != nil || len(got.Lines) != 1 || got.Lines[0] != "deck: command not found: no-such-program" {
		t.Errorf("the pane shows %q, %v", got.Lines, err)
	}
	if q := panesOf(t, l)[0]; !q.Ended || q.ExitCode != 127 {
		t.Errorf("the pane is %+v", q)
	}
	_, err = l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}})
	wantCode(t, err, wire.CodePaneEnded, p.ID)
}

func TestRestartRunsTheProgramAgainInItsPlace(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	p := open(t, l, "echo run; exit 4")
	untilPane(t, l, p.ID, "the end", func(p wire.Pane) bool { return p.Ended })
	wake := make(chan struct{}, 1)
	l.watch(id, []layout.PaneID{layout.PaneID(p.ID)}, wake)
	gen := l.screen(layout.PaneID(p.ID)).Generation()
	l.request(id, ui.Restart{Pane: layout.PaneID(p.ID)})
	q := untilPane(t, l, p.ID, "the second end", func(q wire.Pane) bool { return q.Ended && q.PID != p.PID })
	if q.Nick != p.Nick || q.ExitCode != 4 {
		t.Errorf("restarted as %+v", q)
	}
	if got := l.screen(layout.PaneID(p.ID)).Generation(); got <= gen {
		t.Errorf("generation %d after %d", got, gen)
	}
	_ = r
}

// What a program asked of its terminal ends with it.
func TestARestartedPaneHasNoModesLeft(t *testing.T) {
	l := testLoop(t)
	client, _ := join(t, l)
	p := open(t, l, `printf '\033[?1003h\033[?1006h\033[?2004h\033[?25l\033[>1u'; printf modes; read go`)
	id := layout.PaneID(p.ID)
	untilText(t, l, client, p.ID, "modes")
	if m := l.screen(id).Modes(); m.Mouse != keys.MouseAny || m.Kitty != 1 {
		t.Errorf("the program asked for %+v", m)
	}
	pid := p.PID
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	untilPane(t, l, p.ID, "the end", func(p wire.Pane) bool { return p.Ended })
	if _, err := call(t.Context(), l, func() (struct{}, error) {
		l.panes[id].command = []string{"/bin/sh", "-c", "echo again; read go"}
		return struct{}{}, nil
	}); err != nil {
		t.Fatal(err)
	}
	l.request(client, ui.Restart{Pane: id})
	untilText(t, l, client, p.ID, "again")
	if m := l.screen(id).Modes(); m.Mouse != keys.MouseOff || m.BracketedPaste || m.Kitty != 0 {
		t.Errorf("left are %+v", m)
	}
}

func TestSizeIsThatOfTheClientThatUsedThePaneLast(t *testing.T) {
	l := testLoop(t)
	one, r := join(t, l)
	r.until(t, "the first state", func(r *recorder) bool { return len(r.told.Panes) == 1 })
	id, tab := r.told.Panes[0].ID, r.told.Tabs[0].ID
	two, _ := join(t, l)
	use := func(client string, w, h int) {
		l.request(client, ui.Use{Tab: tab, Pane: id, Sizes: []layout.Place{{Pane: id, Rect: layout.Rect{X: 26, Y: 2, W: w, H: h}}}})
	}
	size := func(w, h int) {
		t.Helper()
		untilPane(t, l, string(id), "the size", func(p wire.Pane) bool { return p.Cols == w && p.Rows == h })
	}
	use(one, 70, 20)
	size(70, 20)
	use(two, 90, 40)
	size(90, 40)
	use(one, 71, 21)
	size(71, 21)
	l.detach(one)
	size(90, 40)
	if _, err := l.resize(t.Context(), caller{}, wire.Resize{Target: string(id), Cols: 33}); err != nil {
		t.Fatal(err)
	}
	size(33, 40)
}

func TestAReadOnlyClientChangesNothing(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l, func(a *wire.Attach) { a.ReadOnly = true })
	r.until(t, "the first state", func(r *recorder) bool { return len(r.told.Panes) == 1 })
	l.request(id, ui.Close{Pane: r.told.Panes[0].ID})
	r.until(t, "the notice", func(r *recorder) bool { return len(r.notices) == 1 })
	l.request(id, ui.Detach{})
	r.until(t, "the end", func(r *recorder) bool { return len(r.exits) == 1 && r.exits[0].Reason == "detached" })
}

func TestTargets(t *testing.T) {
	l := testLoop(t)
	a := open(t, l, "sleep 1000", func(n *wire.NewPane) { n.Name = "build" })
	b := open(t, l, "sleep 1000", func(n *wire.NewPane) { n.Name = "build"; n.Place = "right" })
	c := open(t, l, "sleep 1000", func(n *wire.NewPane) { n.Session = "other" })
	focus := func(target string, from string) error {
		_, err := l.focus(t.Context(), caller{pane: layout.PaneID(from)}, wire.Target{Target: target})
		return err
	}
	for _, target := range []string{a.ID, a.Nick, strings.ToUpper(a.Nick), c.ID[:5]} {
		if err := focus(target, ""); err != nil {
			t.Errorf("%s: %v", target, err)
		}
	}
	if err := focus("", c.ID); err != nil {
		t.Error(err)
	}
	err := focus("build", "")
	wantCode(t, err, wire.CodeAmbiguous, "ambiguous target: build")
	for _, p := range []wire.Pane{a, b} {
		if !strings.Contains(err.Error(), p.ID) || !strings.Contains(err.Error(), p.Nick) {
			t.Errorf("%q does not name %s %s", err, p.ID, p.Nick)
		}
	}
	wantCode(t, focus("nobody", ""), wire.CodePaneNotFound, "can't find pane: nobody")
	wantCode(t, focus("", ""), wire.CodeInvalid, "no target")
	_, err = l.rename(t.Context(), caller{}, wire.Rename{Target: a.ID, Name: b.Nick})
	wantCode(t, err, wire.CodeDuplicate, "duplicate name: "+b.Nick)
	_, err = l.rename(t.Context(), caller{}, wire.Rename{Target: a.ID, Name: "a\x1bb"})
	wantCode(t, err, wire.CodeInvalid, "invalid name")
	_, err = l.newPane(t.Context(), caller{}, wire.NewPane{Place: "left"})
	wantCode(t, err, wire.CodeInvalid, "invalid place: left")
	_, err = l.newPane(t.Context(), caller{}, wire.NewPane{At: "nobody"})
	wantCode(t, err, wire.CodePaneNotFound, "nobody")
	_, err = l.newPane(t.Context(), caller{}, wire.NewPane{Dir: "/no/such/folder", Command: []string{"true"}})
	wantCode(t, err, wire.CodeNotStarted, "no such folder: /no/such/folder")
	if _, err := l.listPanes(t.Context(), caller{}, "nowhere"); err == nil {
		t.Error("a session that does not exist has panes")
	}
}

func TestThereIsAnEndToSplitting(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "sleep 1000")
	var err error
	for range 40 {
		if _, err = l.newPane(t.Context(), caller{}, wire.NewPane{Command: []string{"sleep", "1000"}, Place: "down", At: p.ID}); err != nil {
			break
		}
	}
	wantCode(t, err, wire.CodeNoSpace, "no space for another pane")
}

func TestAPaneKnowsWhereItIs(t *testing.T) {
	l := testLoop(t)
	dir := t.TempDir()
	p := open(t, l, `echo "$DECK_REPORT_TOKEN"; echo "$DECK_PANE_ID $DECK_NICK $DECK_SOCKET $TERM $TERM_PROGRAM $PWD [$TMUX]"; sleep 1000`,
		func(n *wire.NewPane) {
			n.Env = []string{"PATH=" + os.Getenv("PATH"), "TMUX=/tmp/x", "TERM=screen"}
			n.Dir = dir
			n.Cols, n.Rows = 300, 5
		})
	id, _ := join(t, l)
	untilText(t, l, id, p.ID, p.ID+" "+p.Nick+" /tmp/test.sock xterm-256color deck "+dir+" []")
	got, err := l.peek(t.Context(), caller{}, wire.Peek{Target: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	token := got.Lines[0]
	if pane, ok := l.ids.ofToken(token); len(token) != 32 || !ok || string(pane) != p.ID {
		t.Errorf("token of %d characters names %q", len(token), pane)
	}
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: p.ID}); err != nil {
		t.Fatal(err)
	}
	if _, ok := l.ids.ofToken(token); ok {
		t.Error("the token outlives its pane")
	}
}

func TestWhatProgramsSayReachesTheClients(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	p := open(t, l, `read x; printf '\033]2;a\342\200\256title\007\a\033]52;c;aGVsbG8=\007'; sleep 1000`)
	pane := layout.PaneID(p.ID)
	l.request(id, ui.Use{Tab: ui.TabID(p.Tab), Pane: pane, Sizes: []layout.Place{{Pane: pane, Rect: layout.Rect{W: 50, H: 10}}}})
	r.until(t, "the pane", func(r *recorder) bool { _, ok := r.told.Pane(pane); return ok })
	other := open(t, l, `printf '\a'; sleep 1000`)
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	r.until(t, "title, bell and clipboard", func(r *recorder) bool {
		q, _ := r.told.Pane(pane)
		o, _ := r.told.Pane(layout.PaneID(other.ID))
		return q.Title == "atitle" && !q.Bell && o.Bell && r.rung >= 2 && len(r.copied) == 1 && r.copied[0] == "hello"
	})
}

func TestTheProgramInTheForegroundIsNamed(t *testing.T) {
	l := testLoop(t)
	dir := t.TempDir()
	p := open(t, l, "set -m; cd "+dir+"; sleep 1000; echo", func(n *wire.NewPane) { n.Dir = "/" })
	got := untilPane(t, l, p.ID, "the program", func(p wire.Pane) bool { return p.Program == "sleep" })
	if got.Dir != dir {
		t.Errorf("folder %q, want %q", got.Dir, dir)
	}
}

func TestPeekCutsWhatWasAskedFor(t *testing.T) {
	l := testLoop(t)
	id, _ := join(t, l)
	p := open(t, l, `seq 1 40; printf '\033[31mred\033[m\n'; sleep 1000`, func(n *wire.NewPane) { n.Cols, n.Rows = 20, 10 })
	untilText(t, l, id, p.ID, "red")
	peek := func(r wire.Peek) wire.Peeked {
		t.Helper()
		r.Target = p.ID
		got, err := l.peek(t.Context(), caller{}, r)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := peek(wire.Peek{}); len(got.Lines) != 10 || got.Lines[0] != "33" || got.Screen != 0 || got.Cursor != [2]int{0, 9} {
		t.Errorf("screen %+v", got)
	}
	if got := peek(wire.Peek{Lines: 2}); strings.Join(got.Lines, ",") != "40,red" {
		t.Errorf("two lines %+v", got)
	}
	if got := peek(wire.Peek{History: true}); len(got.Lines) != 42 || got.Lines[0] != "1" || got.Screen != 32 {
		t.Errorf("history %+v", got)
	}
	if got := peek(wire.Peek{History: true, Lines: 20}); len(got.Lines) != 20 || got.Lines[0] != "22" {
		t.Errorf("history %+v", got)
	}
	if got := peek(wire.Peek{Lines: 1, Ansi: true}); got.Lines[0] != "\x1b[0;31mred\x1b[m" {
		t.Errorf("styled %q", got.Lines)
	}
}

func TestBordersMove(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "sleep 1000")
	q := open(t, l, "sleep 1000", func(n *wire.NewPane) { n.At, n.Place = p.ID, "right" })
	if _, err := l.resize(t.Context(), caller{}, wire.Resize{Target: q.ID, Side: "left", Cells: 5}); err != nil {
		t.Fatal(err)
	}
	got := untilPane(t, l, q.ID, "the width", func(p wire.Pane) bool { return p.Cols != q.Cols })
	if got.Cols != q.Cols+5 {
		t.Errorf("%d columns after %d", got.Cols, q.Cols)
	}
	_, err := l.resize(t.Context(), caller{}, wire.Resize{Target: q.ID, Side: "up", Cells: 5})
	wantCode(t, err, wire.CodeInvalid, "nothing to resize on that side")
}

func TestSessionsAreFoundMadeAndSwitched(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	open(t, l, "sleep 1000", func(n *wire.NewPane) { n.Session = "two" })
	r.until(t, "both sessions", func(r *recorder) bool { return strings.Join(r.told.Sessions, " ") == "main two" })
	l.request(id, ui.SwitchSession{Session: "two"})
	r.until(t, "the other one", func(r *recorder) bool { return r.told.Session == "two" && len(r.told.Panes) == 1 })
	if _, err := l.attach(wire.Attach{Session: "three"}, newRecorder()); err == nil {
		t.Error("a session that does not exist was attached")
	}
	_, three := join(t, l, func(a *wire.Attach) {
		a.Session, a.New = "three", &wire.NewPane{Command: []string{"sleep", "1000"}}
	})
	three.until(t, "the third", func(r *recorder) bool {
		return r.told.Session == "three" && len(r.focused) == 1 && len(r.told.Panes) == 1
	})
	clients, err := l.listClients(t.Context(), caller{})
	if err != nil || len(clients) != 2 || clients[0].Session != "two" {
		t.Errorf("clients %+v, %v", clients, err)
	}
	done, err := l.detachClients(t.Context(), caller{}, wire.Detach{Session: "three"})
	if err != nil || done.Count != 1 {
		t.Errorf("detached %+v, %v", done, err)
	}
	_, err = l.detachClients(t.Context(), caller{}, wire.Detach{Session: "three"})
	wantCode(t, err, wire.CodeClientNotFound, "no client is attached")
	_, err = l.detachClients(t.Context(), caller{}, wire.Detach{})
	wantCode(t, err, wire.CodeInvalid, "no client named")
}

func TestAVerbAfterTheEndSaysSo(t *testing.T) {
	l := newLoop(loopOptions{config: defaultConfig()})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l.run(ctx)
	_, err := l.newPane(context.Background(), caller{}, wire.NewPane{})
	wantCode(t, err, wire.CodeStopping, "stopping")
	if _, err := l.attach(wire.Attach{}, newRecorder()); err == nil {
		t.Error("attached to a loop that ended")
	}
}

func TestAPanicInAVerbCostsTheVerb(t *testing.T) {
	l := testLoop(t)
	_, err := call(t.Context(), l, func() (int, error) { panic("broken") })
	if err == nil {
		t.Error("no error")
	}
	open(t, l, "sleep 1000")
}

func TestANewPaneGoesWhereItsCallerIs(t *testing.T) {
	l := testLoop(t)
	dir := t.TempDir()
	p := open(t, l, "cd "+dir+"; echo ready; sleep 1000", func(n *wire.NewPane) { n.Session, n.Cols, n.Rows = "work", 100, 40 })
	id, _ := join(t, l, func(a *wire.Attach) { a.Session, a.ReadOnly = "work", true })
	untilText(t, l, id, p.ID, "ready")
	inside := caller{pane: layout.PaneID(p.ID)}
	q, err := l.newPane(t.Context(), inside, wire.NewPane{Command: []string{"sleep", "1000"}, Place: "down"})
	if err != nil {
		t.Fatal(err)
	}
	if q.Session != "work" || q.Tab != p.Tab || q.Dir != dir || q.Cols != 100 || q.Rows != 19 {
		t.Errorf("opened %+v", q)
	}
	if got := untilPane(t, l, p.ID, "half the height", func(p wire.Pane) bool { return p.Rows < 40 }); got.Rows != 20 {
		t.Errorf("the pane above has %d rows", got.Rows)
	}
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: q.ID}); err != nil {
		t.Fatal(err)
	}
	untilPane(t, l, p.ID, "its height back", func(p wire.Pane) bool { return p.Rows == 40 })
	_, err = l.newPane(t.Context(), inside, wire.NewPane{At: p.ID, Session: "main"})
	wantCode(t, err, wire.CodeInvalid, "is in session work")
	_, err = l.newPane(t.Context(), inside, wire.NewPane{Dir: "relative"})
	wantCode(t, err, wire.CodeInvalid, "not an absolute path: relative")
	_, err = l.newPane(t.Context(), inside, wire.NewPane{Cols: -1, Rows: 5})
	wantCode(t, err, wire.CodeInvalid, "invalid size")
	_, err = l.newPane(t.Context(), inside, wire.NewPane{Session: "a\tb"})
	wantCode(t, err, wire.CodeInvalid, "invalid session name")
}

func TestALayoutOfOtherPanesIsRefused(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	p := open(t, l, "sleep 1000")
	q := open(t, l, "sleep 1000", func(n *wire.NewPane) { n.At, n.Place = p.ID, "right" })
	tab := ui.TabID(p.Tab)
	leaf := func(p wire.Pane) layout.Node { return layout.Leaf(layout.PaneID(p.ID)) }
	for _, root := range []layout.Node{
		leaf(p), {}, {Children: []layout.Node{leaf(p), leaf(p)}, Weights: []int{1, 1}},
		{Children: []layout.Node{leaf(p), leaf(q)}, Weights: []int{1}}, {Children: []layout.Node{leaf(p), leaf(q)}, Weights: []int{1, 0}},
	} {
		r.mu.Lock()
		before := len(r.notices)
		r.mu.Unlock()
		l.request(id, ui.Layout{Tab: tab, Root: root})
		r.until(t, "a refusal", func(r *recorder) bool { return len(r.notices) > before })
	}
	l.request(id, ui.Layout{Tab: tab, Root: layout.Node{Dir: layout.Down, Children: []layout.Node{leaf(q), leaf(p)}, Weights: []int{3, 1}}})
	r.until(t, "the layout", func(r *recorder) bool { return len(r.told.Tabs) == 2 && r.told.Tabs[1].Root.Dir == layout.Down })
}

// TestAHundredPanesAndAFlood: a flooding pane and many others cost the echo of
// a key little, and the state is told once for a burst of changes.
func TestAHundredPanesAndAFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a hundred programs")
	}
	l := testLoop(t)
	id, r := join(t, l)
	for range 97 {
		open(t, l, "sleep 1000")
	}
	open(t, l, "yes")
	echo := open(t, l, "stty raw -echo; echo ready; exec cat")
	r.until(t, "all panes", func(r *recorder) bool { return len(r.told.Panes) == 100 })
	untilText(t, l, id, echo.ID, "ready")
	pane := layout.PaneID(echo.ID)
	wake := make(chan struct{}, 1)
	l.watch(id, []layout.PaneID{pane}, wake)
	<-wake
	times := make([]time.Duration, 200)
	for i := range times {
		begun := time.Now()
		l.input(id, pane, ui.Token{Raw: []byte("x")})
		select {
		case <-wake:
		case <-time.After(soon):
			t.Fatal("no echo")
		}
		times[i] = time.Since(begun)
	}
	slices.Sort(times)
	t.Logf("echo: median %v, 99 %% %v", times[100], times[198])
	nicks := map[string]bool{}
	for _, p := range panesOf(t, l) {
		nicks[p.Nick] = true
	}
	if len(nicks) != 100 {
		t.Errorf("%d nicks for 100 panes", len(nicks))
	}
}

func TestAgentsAreRecognisedAndSeenToDie(t *testing.T) {
	l := testLoop(t)
	dir := t.TempDir()
	script := filepath.Join(dir, "claude")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho agent; read x; exit ${x:-0}\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := open(t, l, "set -m; echo; "+script+"; echo over; read y")
	untilPane(t, l, p.ID, "the agent", func(p wire.Pane) bool { return p.Agent == "claude" && p.Program == "claude" })
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilPane(t, l, p.ID, "the shell", func(p wire.Pane) bool { return p.Agent == "" && p.Program == "sh" })
	q := open(t, l, "", func(n *wire.NewPane) { n.Command = []string{script} })
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: q.ID, Keys: []string{"2", "Enter"}}); err != nil {
		t.Fatal(err)
	}
	untilPane(t, l, q.ID, "the death", func(p wire.Pane) bool {
		return p.Agent == "claude" && p.Ended && p.Status.State == lifecycle.Dead && p.ExitCode == 2
	})
	other := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "codex" })
	if other.Agent != "codex" || other.Status.State != lifecycle.Unknown {
		t.Errorf("declared as %+v", other)
	}
}

func TestTheFolderAProgramReportsIsTaken(t *testing.T) {
	l := testLoop(t)
	dir := t.TempDir()
	p := open(t, l, `printf '\033]7;file://localhost`+dir+`\033\\'; read x`)
	untilPane(t, l, p.ID, "the folder", func(p wire.Pane) bool { return p.Dir == dir })
	q, err := l.newPane(t.Context(), caller{}, wire.NewPane{At: p.ID, Place: "right", Command: []string{"sleep", "1000"}})
	if err != nil || q.Dir != dir {
		t.Errorf("opened in %q, %v", q.Dir, err)
	}
}

func TestAPaneBesideAnEndedOneOpensInItsFolder(t *testing.T) {
	l := testLoop(t)
	dir := t.TempDir()
	p := open(t, l, "exit 0", func(n *wire.NewPane) { n.Dir = dir })
	untilPane(t, l, p.ID, "the end", func(p wire.Pane) bool { return p.Ended })
	q, err := l.newPane(t.Context(), caller{}, wire.NewPane{At: p.ID, Place: "down", Command: []string{"sleep", "1000"}})
	if err != nil || q.Dir != dir {
		t.Errorf("opened in %q, %v", q.Dir, err)
	}
}

func FuzzCleanText(f *testing.F) {
	f.Add("a\x1b]0;t\x07\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := cleanText(s, maxLabel)
		for _, r := range got {
			if unicode.IsControl(r) || bidiControl(r) {
				t.Errorf("%q became %q", s, got)
			}
		}
		if utf8.RuneCountInString(got) > maxLabel {
			t.Errorf("%q is too long", got)
		}
	})
}

func TestNamesAreWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"build", "feature/login", "日本語", "héllo wörld", "👩\u200d👩\u200d👧", "❤\ufe0f", "می\u200cخواهم", "#12"} {
		if !validName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", " ", "-n", "a\x1bb", "a\nb", "a\u202eb", "\xff", "a\u009bb", strings.Repeat("a", maxName+1)} {
		if validName(name) {
			t.Errorf("%q is taken", name)
		}
	}
}

func TestAttachingAgainFindsFocusAndZoomOfEveryTab(t *testing.T) {
	l := testLoop(t)
	id, r := join(t, l)
	r.until(t, "the first state", func(r *recorder) bool { return len(r.told.Panes) == 1 })
	first := r.told.Panes[0].ID
	l.request(id, ui.Split{At: first, Dir: layout.Down})
	r.until(t, "two panes", func(r *recorder) bool { return len(r.told.Panes) == 2 && len(r.focused) == 2 })
	second, tab := r.focused[1], r.told.Tabs[0].ID
	l.request(id, ui.Use{Tab: tab, Pane: second, Zoomed: true, Sizes: []layout.Place{{Pane: second, Rect: layout.Rect{Y: 1, W: 80, H: 23}}}})
	l.request(id, ui.NewTab{From: first})
	r.until(t, "two tabs", func(r *recorder) bool { return len(r.told.Tabs) == 2 && len(r.focused) == 3 })
	_, again := join(t, l)
	again.until(t, "the tabs as they were", func(r *recorder) bool {
		return len(r.told.Tabs) == 2 && r.told.Tabs[0].Used == second && r.told.Tabs[0].Zoomed && !r.told.Tabs[1].Zoomed
	})
}

func TestATabIsCalledAsItsFirstPane(t *testing.T) {
	l := testLoop(t)
	_, r := join(t, l)
	open(t, l, "sleep 1000", func(n *wire.NewPane) { n.Name = "service" })
	r.until(t, "the name", func(r *recorder) bool { return len(r.told.Tabs) == 2 && r.told.Tabs[1].Name == "service" })
	if _, err := l.rename(t.Context(), caller{}, wire.Rename{Target: "service"}); err != nil {
		t.Fatal(err)
	}
	r.until(t, "the program", func(r *recorder) bool { return r.told.Tabs[1].Name == "sleep" || r.told.Tabs[1].Name == "sh" })
}
