package term

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/keys"
	"deck/term/screen"
)

// limit is how long a test waits for what must happen; it is never reached.
const limit = 20 * time.Second

// sh starts a shell command in a pane that the test closes.
func sh(t testing.TB, script string, change ...func(*Spec)) *Pane {
	t.Helper()
	s := Spec{Argv: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Cols: 80, Rows: 24, History: 1000,
		Env: []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}, Grace: time.Second, Notify: func() {}}
	for _, c := range change {
		c(&s)
	}
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, p) })
	return p
}

func shut(t testing.TB, p *Pane) {
	t.Helper()
	p.Close()
	wait(t, p.Done(), "the pane to be gone")
}

func wait(t testing.TB, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(limit):
		t.Fatal("waited in vain for " + what)
	}
}

// until waits for the screen to fulfil a condition, woken as a client is.
func until(t testing.TB, p *Pane, what string, ok func(Look) bool) Look {
	t.Helper()
	wake := make(chan struct{}, 1)
	p.Watch(wake)
	defer p.Unwatch(wake)
	deadline := time.After(limit)
	for {
		if l := p.Look(1<<20, false); ok(l) {
			return l
		}
		select {
		case <-wake:
		case <-deadline:
			t.Fatalf("waited in vain for %s; the pane shows\n%s", what, textOf(p.Look(1<<20, false)))
		}
	}
}

func textOf(l Look) string {
	var b strings.Builder
	for _, line := range l.Lines {
		fmt.Fprintln(&b, line.Text)
	}
	return strings.TrimRight(b.String(), "\n")
}

func shows(text string) func(Look) bool {
	return func(l Look) bool { return strings.Contains(textOf(l), text) }
}

func exitOK(t testing.TB, p *Pane) Exit {
	t.Helper()
	wait(t, p.Exited(), "the program to end")
	e, ok := p.Ended()
	if !ok {
		t.Fatal("exited, and not ended")
	}
	return e
}

func TestExitStatusIsKeptAndTheScreenRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		want   Exit
		text   string
	}{
		{"echo done; exit 3", Exit{Code: 3}, "exit 3"},
		{"echo done", Exit{}, "exit 0"},
		{"echo done; kill -9 $$", Exit{Code: 137, Signal: 9}, "killed by signal 9"},
	} {
		p := sh(t, c.script)
		if diff := cmp.Diff(c.want, exitOK(t, p)); diff != "" {
			t.Error(diff)
		}
		if got := p.exit.String(); got != c.text {
			t.Errorf("got %q, want %q", got, c.text)
		}
		if got := textOf(p.Look(0, false)); got != "done" {
			t.Errorf("the screen shows %q at exit", got)
		}
	}
}

func TestAProgramThatCannotRunSaysSoInThePane(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		argv []string
		dir  string
		want string
	}{
		{[]string{"no-such-program"}, dir, "command not found: no-such-program"},
		{[]string{"./nothing"}, dir, "command not found: ./nothing"},
		{[]string{plain}, dir, "can't run " + plain + ": permission denied"},
		{[]string{dir}, dir, "can't run " + dir + ": is a folder"},
		{[]string{"sh"}, dir + "/gone", "no such folder: " + dir + "/gone"},
	} {
		p, err := Start(Spec{Argv: c.argv, Dir: c.dir, Cols: 200, Rows: 5})
		var se *StartError
		if !errors.As(err, &se) || se.Message != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if got := textOf(p.Look(0, false)); got != "deck: "+c.want {
			t.Errorf("the pane shows %q", got)
		}
		if e, ended := p.Ended(); !ended || e.Code != 127 {
			t.Errorf("ended %v with %+v", ended, e)
		}
		if err := p.SendText("x"); !errors.Is(err, ErrEnded) {
			t.Errorf("typing gave %v", err)
		}
		shut(t, p)
	}
}

func TestInputReachesTheProgram(t *testing.T) {
	t.Parallel()
	p := sh(t, "read line; echo got $line")
	if err := p.Input(keys.Token{Kind: keys.Text, Raw: []byte("a word")}); err != nil {
		t.Fatal(err)
	}
	if err := p.SendKeys([]string{"Enter"}); err != nil {
		t.Fatal(err)
	}
	exitOK(t, p)
	until(t, p, "the answer", shows("got a word"))
}

func TestALargePasteStreamsThrough(t *testing.T) {
	t.Parallel()
	const size = 10 << 20
	p := sh(t, "stty raw -echo; echo ready; head -c 10485760 | cksum")
	until(t, p, "the program", shows("ready"))
	text := strings.Repeat("0123456789abcde\n", size/16)
	if err := p.Paste(text); err != nil {
		t.Fatal(err)
	}
	exitOK(t, p)
	until(t, p, "the checksum", shows(fmt.Sprint(size)))
}

// A terminal that echoes fills from both sides.
func TestALargePasteIntoATerminalThatEchoes(t *testing.T) {
	t.Parallel()
	p := sh(t, "echo ready; exec cat", func(s *Spec) { s.History = 20000 })
	other := sh(t, "echo ready; exec cat")
	until(t, p, "the program", shows("ready"))
	until(t, other, "its neighbour", shows("ready"))
	if err := p.Paste(strings.Repeat(strings.Repeat("x", 59)+"\n", 4096) + "the end\n"); err != nil {
		t.Fatal(err)
	}
	if err := other.SendText("still here\n"); err != nil {
		t.Fatal(err)
	}
	until(t, other, "an echo meanwhile", shows("still here\nstill here"))
	until(t, p, "the last line from cat", func(l Look) bool { return strings.Count(textOf(l), "the end") == 2 })
}

func TestAProgramThatDoesNotReadHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	p := sh(t, "stty raw -echo; echo ready; sleep 1000")
	until(t, p, "the program", shows("ready"))
	chunk := strings.Repeat("x", 1<<20)
	var err error
	for range 2 * maxInput / len(chunk) {
		if err = p.SendText(chunk); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want %v", err, ErrFull)
	}
}

func TestARepliesComeInTheOrderOfTheQueries(t *testing.T) {
	t.Parallel()
	p := sh(t, `stty raw -echo; printf '\033[5n\033[6n\033[c'; dd bs=1 count=10 2>/dev/null | od -An -c`)
	exitOK(t, p)
	until(t, p, "two replies", func(l Look) bool {
		return strings.Contains(strings.Join(strings.Fields(textOf(l)), " "), "033 [ 0 n 033 [ 1 ; 1 R")
	})
}

func TestCloseReachesProgramsThatIgnoreHangUpAndTheirChildren(t *testing.T) {
	t.Parallel()
	p := sh(t, `trap '' HUP; (trap '' HUP; sleep 1001) & set -m; (trap '' HUP; exec sleep 1002) & echo ready; sleep 1003`,
		func(s *Spec) { s.Grace = 50 * time.Millisecond })
	until(t, p, "the children", shows("ready"))
	sid := p.PID()
	shut(t, p)
	if left := sessionMembers(sid); len(left) > 0 {
		t.Errorf("%v outlive their pane", left)
	}
	if err := syscall.Kill(sid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the program is still there: %v", err)
	}
	if e, _ := p.Ended(); e.Signal != int(syscall.SIGKILL) {
		t.Errorf("ended with %+v", e)
	}
}

func TestCloseEndsWhatAnEndedProgramLeftBehind(t *testing.T) {
	t.Parallel()
	p := sh(t, `trap '' HUP; (trap '' HUP; sleep 1004) & echo $!`, func(s *Spec) { s.Grace = 50 * time.Millisecond })
	exitOK(t, p)
	sid := p.PID()
	if len(sessionMembers(sid)) == 0 {
		t.Fatal("nothing was left behind")
	}
	shut(t, p)
	if left := sessionMembers(sid); len(left) > 0 {
		t.Errorf("%v outlive their pane", left)
	}
}

func TestAProgramGetsHangUpAsAFirstWord(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "said")
	p := sh(t, `trap 'echo bye > "$F"; exit' HUP; echo ready; while :; do sleep 0.01; done`,
		func(s *Spec) { s.Env = append(s.Env, "F="+file); s.Grace = limit })
	until(t, p, "the program", shows("ready"))
	shut(t, p)
	if said, err := os.ReadFile(file); string(said) != "bye\n" {
		t.Errorf("said %q, %v", said, err)
	}
}

func TestChildrenStartWithDefaultSignals(t *testing.T) {
	if os.Getenv("TERM_TEST_NOHUP") == "" {
		t.Skip("run by TestIgnoredSignalsAreNotInherited")
	}
	p := sh(t, "grep SigIgn /proc/self/status")
	exitOK(t, p)
	// Signals 32 and above are a C library's own: Go cannot give them back, and
	// no program means anything by ignoring them.
	ours := regexp.MustCompile(`SigIgn:\s+[0-9a-f]{8}[08]0{7}\b`)
	until(t, p, "the mask", func(l Look) bool { return ours.MatchString(textOf(l)) })
}

func TestResizeReachesProgramAndEmulator(t *testing.T) {
	t.Parallel()
	p := sh(t, `trap 'stty size' WINCH; echo ready; while :; do sleep 0.01; done`)
	until(t, p, "the program", shows("ready"))
	for i := range 200 {
		p.Resize(20+i, 10+i%30)
	}
	p.Resize(101, 33)
	l := until(t, p, "the size", func(l Look) bool { return l.Cols == 101 && l.Rows == 33 && shows("33 101")(l) })
	if n := strings.Count(textOf(l), "\n"); n > 30 {
		t.Errorf("a storm of sizes reached the program:\n%s", textOf(l))
	}
	if c, r := p.Size(); c != 101 || r != 33 {
		t.Errorf("Size is %dx%d", c, r)
	}
}

func TestBackgroundChildrenDoNotHideTheExit(t *testing.T) {
	t.Parallel()
	p := sh(t, "trap '' HUP; sleep 1007 & exit 5")
	if e := exitOK(t, p); e.Code != 5 {
		t.Errorf("got %+v", e)
	}
}

func TestForegroundIsTheProgramThatHasTheTerminal(t *testing.T) {
	t.Parallel()
	p := sh(t, "set -m; echo $$; sleep 1008")
	until(t, p, "the program", shows(fmt.Sprint(p.PID())))
	for deadline := time.Now().Add(limit); p.Foreground() == p.PID(); {
		if time.Now().After(deadline) {
			t.Fatal("the shell kept the foreground")
		}
	}
}

func TestDrawCopiesWhatChanged(t *testing.T) {
	t.Parallel()
	p := sh(t, `printf 'one\r\ntwo'; read x; printf '\033[1;1Hnew'; read y`)
	until(t, p, "the text", shows("two"))
	c := screen.NewCanvas(10, 4)
	var tr screen.Translator
	f := p.Draw(c, 1, 1, 6, 3, &tr, 0, 0)
	want := []string{"          ", " one      ", " two      ", "          "}
	if diff := cmp.Diff(want, canvasText(c)); diff != "" {
		t.Error(diff)
	}
	if f.Cols != 80 || f.Rows != 24 || f.Cursor.X != 3 || f.Cursor.Y != 1 {
		t.Errorf("frame %+v", f)
	}
	for i := range c.Cells {
		c.Cells[i].Char = screen.RuneChar('#', false)
	}
	if err := p.SendKeys([]string{"Enter"}); err != nil {
		t.Fatal(err)
	}
	until(t, p, "the change", shows("new"))
	c.Follow()
	c.Settle()
	p.Draw(c, 1, 1, 6, 3, &tr, 0, f.Generation)
	if c.Fresh(0) || !c.Fresh(1) || c.Fresh(3) {
		t.Error("other rows are told than were drawn")
	}
	if got := canvasText(c); got[1] != "#new   ###" || got[3] != "##########" {
		t.Errorf("drawn %q", got)
	}
}

func canvasText(c *screen.Canvas) []string {
	rows := make([]string, c.H)
	for y := range rows {
		for _, cell := range c.Row(y) {
			rows[y] += c.Table.Text(cell.Char)
		}
	}
	return rows
}

func TestScrolledBackShowsHistory(t *testing.T) {
	t.Parallel()
	p := sh(t, "seq 1 50; read x")
	until(t, p, "the lines", shows("50"))
	c := screen.NewCanvas(5, 24)
	var tr screen.Translator
	f := p.Draw(c, 0, 0, 5, 24, &tr, 10, 0)
	if got := canvasText(c); got[0] != "18   " || f.History != 27 {
		t.Errorf("first row %q of %d in the history", got[0], f.History)
	}
	p.Draw(c, 0, 0, 5, 24, &tr, 1000, 0)
	if got := canvasText(c)[0]; got != "1    " {
		t.Errorf("at the top is %q", got)
	}
	if diff := cmp.Diff([]Line{{Text: "27"}, {Text: "28"}}, p.Text(26, 2)); diff != "" {
		t.Error(diff)
	}
	if got := p.Text(1000, 5); got != nil {
		t.Errorf("behind the end is %v", got)
	}
}

func TestStyledTextBringsItsColours(t *testing.T) {
	t.Parallel()
	p := sh(t, `printf '\033[1;31mred\033[m plain \033[4:3;58;2;1;2;3mu\033[m'`)
	exitOK(t, p)
	want := "\x1b[0;1;31mred\x1b[0m plain \x1b[0;4:3;58;2;1;2;3mu\x1b[m"
	if got := p.Look(0, true).Lines[0].Text; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSynchronizedUpdatesAreHeldAndReleased(t *testing.T) {
	t.Parallel()
	p := sh(t, `printf 'before'; read x; printf '\033[?2026h\033[Hhidden'; read y`)
	until(t, p, "the text", shows("before"))
	gen := p.Generation()
	if err := p.SendKeys([]string{"Enter"}); err != nil {
		t.Fatal(err)
	}
	var tr screen.Translator
	c := screen.NewCanvas(10, 1)
	wake := make(chan struct{}, 1)
	p.Watch(wake)
	defer p.Unwatch(wake)
	begun := time.Now()
	for canvasText(c)[0] != "hidden    " {
		select {
		case <-wake:
		case <-time.After(limit):
			t.Fatal("the update is never shown")
		}
		p.Draw(c, 0, 0, 10, 1, &tr, 0, 0)
	}
	if held := time.Since(begun); held < holdLimit/2 {
		t.Errorf("the update was shown after %v", held)
	}
	if p.Generation() == gen {
		t.Error("the generation did not change")
	}
}

func TestAPanicInTheEmulatorCostsThePaneItsScreenOnly(t *testing.T) {
	t.Parallel()
	p := sh(t, "echo before; read x; echo after; read y")
	until(t, p, "the text", shows("before"))
	gen := p.Generation()
	p.locked(func() { panic("broken") })
	if p.Generation() <= gen {
		t.Error("the generation did not grow")
	}
	if got := textOf(p.Look(1<<20, false)); got != "" {
		t.Errorf("the pane shows %q", got)
	}
	if err := p.SendKeys([]string{"Enter"}); err != nil {
		t.Fatal(err)
	}
	until(t, p, "what came after", shows("after"))
}

func TestAFloodingPaneLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	pace := &Pace{}
	flood := sh(t, "yes", func(s *Spec) { s.Pace = pace })
	until(t, flood, "the flood", shows("y\ny"))
	p := sh(t, "stty -echo; while read x; do echo got $x; done", func(s *Spec) { s.Pace = pace })
	var worst time.Duration
	for i := range 20 {
		begun := time.Now()
		text := fmt.Sprintf("line%d", i)
		if err := p.Input(keys.Token{Kind: keys.Text, Raw: []byte(text)}); err != nil {
			t.Fatal(err)
		}
		if err := p.SendKeys([]string{"Enter"}); err != nil {
			t.Fatal(err)
		}
		until(t, p, text, shows("got "+text))
		worst = max(worst, time.Since(begun))
	}
	t.Logf("slowest echo %v", worst)
}

func TestEventsKeepTheNewestOfAKind(t *testing.T) {
	t.Parallel()
	var kept []Event
	for range 100 {
		kept = keepEvents(kept, []Event{TitleEvent{Title: "a"}, BellEvent{}, NotifyEvent{Body: "n"}})
	}
	kept = keepEvents(kept, []Event{TitleEvent{Title: "b"}})
	titles := 0
	for _, e := range kept {
		if e, ok := e.(TitleEvent); ok {
			titles++
			if e.Title != "b" {
				t.Errorf("kept title %q", e.Title)
			}
		}
	}
	if titles != 1 || len(kept) > maxEvents {
		t.Errorf("kept %d titles in %d events", titles, len(kept))
	}
}

func TestOutboxTakesAllOrNothing(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	if !o.put([]byte("abc"), 4) || o.put([]byte("de"), 4) {
		t.Fatal("the bound is not held")
	}
	buf, ok := o.take(nil)
	if !ok || !bytes.Equal(buf, []byte("abc")) {
		t.Fatalf("took %q", buf)
	}
	if o.put([]byte("de"), 4) {
		t.Error("what is being written does not count")
	}
	o.wrote(3)
	if !o.put([]byte("de"), 4) {
		t.Error("there is no room after the write")
	}
	o.close()
	if _, ok := o.take(nil); ok || o.put([]byte("x"), 4) {
		t.Error("a closed outbox works")
	}
}

func TestReverseScreenIsDrawnInReverse(t *testing.T) {
	t.Parallel()
	p := sh(t, `printf 'a\033[7mb'; read x; printf '\033[?5h'; read x; printf '\033[?5l'; read x`)
	until(t, p, "the text", shows("ab"))
	c := screen.NewCanvas(3, 1)
	var tr screen.Translator
	f := p.Draw(c, 0, 0, 3, 1, &tr, 0, 0)
	wake := make(chan struct{}, 1)
	p.Watch(wake)
	defer p.Unwatch(wake)
	for _, want := range []string{"RnR", "nRn"} {
		if err := p.SendKeys([]string{"Enter"}); err != nil {
			t.Fatal(err)
		}
		for got := ""; got != want; {
			wait(t, wake, want)
			f = p.Draw(c, 0, 0, 3, 1, &tr, 0, f.Generation)
			got = ""
			for _, cell := range c.Cells {
				if c.Table.Style(cell.Style).Attr&screen.Reverse != 0 {
					got += "R"
				} else {
					got += "n"
				}
			}
		}
	}
}

func TestWideCharactersAreNotCutInHalf(t *testing.T) {
	t.Parallel()
	p := sh(t, `printf 'a日e\314\201'; read x`, func(s *Spec) { s.Env = append(s.Env, "LC_ALL=C.UTF-8") })
	until(t, p, "the text", shows("日"))
	var tr screen.Translator
	for w, want := range map[int]string{2: "a ", 3: "a日", 4: "a日e\u0301"} {
		c := screen.NewCanvas(w, 1)
		p.Draw(c, 0, 0, w, 1, &tr, 0, 0)
		if got := canvasText(c)[0]; got != want {
			t.Errorf("%d columns show %q, want %q", w, got, want)
		}
	}
}

func TestAPasteCannotEndItself(t *testing.T) {
	t.Parallel()
	p := sh(t, `stty raw -echo; printf '\033[?2004hready'; dd bs=1 count=20 2>/dev/null | od -An -c`)
	until(t, p, "the program", func(l Look) bool { return shows("ready")(l) && p.Modes().BracketedPaste })
	if err := p.Paste("a\x1b[20\x1b[201~1~b\r\nc\nd......."); err != nil {
		t.Fatal(err)
	}
	exitOK(t, p)
	until(t, p, "the paste", func(l Look) bool {
		return strings.Contains(strings.Join(strings.Fields(textOf(l)), " "), `033 [ 2 0 0 ~ a b \r c \r d . . .`)
	})
}

func TestWaitingProgramsTakeNoThreads(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	threads := func() int {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Fatal(err)
		}
		return len(tasks)
	}
	before := threads()
	for range 40 {
		p := sh(t, "echo ready; read x")
		until(t, p, "the program", shows("ready"))
	}
	if after := threads(); after > before+20 {
		t.Errorf("%d threads became %d with 40 programs", before, after)
	}
}

func TestATextIsGivenOnlyIfNobodyTyped(t *testing.T) {
	t.Parallel()
	p := sh(t, "exec cat")
	typed := p.Typed()
	if err := p.PasteIf(typed, "one"); err != nil || p.Typed() != typed {
		t.Fatalf("%v, counted %d", err, p.Typed()-typed)
	}
	for _, tok := range []keys.Token{{Kind: keys.FocusIn}, {Kind: keys.MouseEvent}} {
		if err := p.Input(tok); err != nil || p.Typed() != typed {
			t.Errorf("%v counts as typed (%v)", tok.Kind, err)
		}
	}
	if err := p.Input(keys.Token{Kind: keys.Text, Raw: []byte("k")}); err != nil {
		t.Fatal(err)
	}
	if err := p.PasteIf(typed, "two"); !errors.Is(err, ErrTyped) {
		t.Error(err)
	}
	if err := p.EnterIf(typed); !errors.Is(err, ErrTyped) {
		t.Error(err)
	}
	if err := p.EnterIf(p.Typed()); err != nil {
		t.Error(err)
	}
	until(t, p, "both lines", shows("onek\nonek"))
}
