package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/layout"
	"deck/term/screen"
)

// newTestClient returns a client that has drawn its first frame.
func newTestClient(t *testing.T, s State) (*Client, *fakeHost, time.Time) {
	t.Helper()
	host := &fakeHost{screens: map[layout.PaneID]*fakeScreen{}}
	for _, p := range s.Panes {
		host.screens[p.ID] = newFakeScreen(20, 5, "one", "two")
	}
	c := NewClient(host, ClientOptions{
		Env: map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, W: 100, H: 24, EscapeTime: 20 * time.Millisecond,
	})
	now := time.Unix(1000, 0)
	if frame, _ := c.Frame(now); frame != nil {
		t.Errorf("drew %q before there was a state", frame)
	}
	c.Update(StateMsg{s}, now)
	if frame, _ := c.Frame(now); len(frame) == 0 {
		t.Fatal("no first frame")
	}
	c.Accepted(now)
	host.takeTyped()
	host.takeAsked()
	return c, host, now.Add(time.Second)
}

// TestWhoWritesALotWakesNobodyInVain: a client with a frame to come heeds no more
// changes, until a key waits for one or the frame is drawn.
func TestWhoWritesALotWakesNobodyInVain(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, oneShell())
	if !c.Heeds() {
		t.Error("at rest it does not heed a change")
	}
	c.Changed(now)
	if c.Heeds() {
		t.Error("it heeds another change before its frame")
	}
	c.Input([]byte("a"), now)
	if !c.Heeds() {
		t.Error("it does not heed the answer to a key")
	}
	host.screens["p1"].print("a")
	c.Changed(now)
	if c.Heeds() {
		t.Error("it heeds another change before the key's frame")
	}
	c.Frame(now)
	if !c.Heeds() {
		t.Error("with its frame drawn it does not heed the next change")
	}
}

func TestTheAnswerToAKeyIsDrawnBeforeWhatTheNeighboursDo(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, threePanes())
	frames := 0
	draw := func() bool {
		frame, _ := c.Frame(now)
		if frame != nil {
			frames++
			c.Accepted(now)
		}
		return frame != nil
	}
	c.Input([]byte("x"), now)
	draw()
	for range 10 {
		host.screens["p2"].print("flood")
		c.Changed(now)
		draw()
	}
	if frames > 1 {
		t.Errorf("%d frames at one moment", frames)
	}
	host.screens["p1"].print("x")
	c.Changed(now)
	if !draw() {
		t.Error("the echo waits for the next turn")
	}
}

func TestRepliesOfTheTerminalReachNoPane(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, oneShell())
	c.Input([]byte("\x1b[?62;22c\x1b[?2026;2$y\x1b[0na\x1b]11;rgb:0000/0000/0000\x1b\\"), now)
	if diff := cmp.Diff([]string{"p1:a"}, host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestTheColorsOfTheTerminalAreTold(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, oneShell())
	c.Input([]byte("\x1b]11;rgb:ff/ff/ff\x1b\\\x1b]11;rgb:ff/ff/ff\x1b\\\x1b]4;1;rgb:01/02/03\a\x1b[?62c"), now)
	white := Colors{Bg: screen.RGB(255, 255, 255)}
	more := white
	more.Palette[1] = screen.RGB(1, 2, 3)
	if diff := cmp.Diff([]Request{white, more}, host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	c.Input([]byte("\x1b[?997;1n"), now) // the scheme changed: they are asked for anew
	frame, _ := c.Frame(now)
	if !strings.Contains(string(frame), "\x1b]11;?\x1b\\") || !strings.Contains(string(frame), "\x1b]4;15;?\x1b\\") {
		t.Errorf("asked %q", frame)
	}
}

// However many reads a paste comes in, it has one beginning and one end.
func TestAPasteOfManyLinesIsOneFrame(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, oneShell())
	text := strings.Repeat("a line of many\r", 500)
	in := "\x1b[200~" + text + "\x1b[201~"
	for len(in) > 0 {
		n := min(len(in), 700)
		c.Input([]byte(in[:n]), now)
		in = in[n:]
	}
	typed := host.takeTyped()
	first, last := typed[0], typed[len(typed)-1]
	if first != "p1:\x1b[200~" || last != "p1:\x1b[201~" {
		t.Errorf("begins with %q and ends with %q", first, last)
	}
	var got strings.Builder
	for _, s := range typed[1 : len(typed)-1] {
		got.WriteString(strings.TrimPrefix(s, "p1:"))
	}
	if got.String() != text {
		t.Errorf("%d bytes arrived of %d", got.Len(), len(text))
	}
}

func TestALoneEscapeIsAKeyAfterItsTime(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, oneShell())
	c.Input([]byte("\x1b"), now)
	if _, wait := c.Frame(now); wait != 20*time.Millisecond {
		t.Errorf("waits %v", wait)
	}
	c.Tick(now.Add(19 * time.Millisecond))
	if typed := host.takeTyped(); typed != nil {
		t.Errorf("typed early: %q", typed)
	}
	c.Tick(now.Add(20 * time.Millisecond))
	if diff := cmp.Diff([]string{"p1:\x1b"}, host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestACopyGoesToTheTerminalWithTheNextFrame(t *testing.T) {
	t.Parallel()
	c, _, now := newTestClient(t, oneShell())
	c.Copy("hello")
	c.Ring()
	frame, _ := c.Frame(now)
	if !strings.HasPrefix(string(frame), "\x1b]52;c;aGVsbG8=\x1b\\\a") {
		t.Errorf("got %q", frame)
	}
	c.Accepted(now)
	c.Copy(strings.Repeat("x", maxCopy+1))
	cmds := c.Commands()
	if len(cmds) != 1 {
		t.Fatalf("%d commands", len(cmds))
	}
	if n, ok := cmds[0]().(NoticeMsg); !ok || !n.Error {
		t.Errorf("a copy that is too long is no error: %v", n)
	}
}

// A frame that was handed out is not changed, however much happens, until it
// is accepted; then one frame brings everything.
func TestThereIsOneFrameAtATime(t *testing.T) {
	t.Parallel()
	c, host, now := newTestClient(t, oneShell())
	host.screens["p1"].print("three")
	c.Changed(now)
	frame, _ := c.Frame(now)
	before := string(frame)
	for range 100 {
		now = now.Add(time.Second)
		host.screens["p1"].print("more")
		c.Changed(now)
		c.Resize(90, 20, now)
		if f, _ := c.Frame(now); f != nil {
			t.Fatal("a second frame")
		}
	}
	if string(frame) != before {
		t.Error("the frame changed under way")
	}
	c.Accepted(now)
	if f, _ := c.Frame(now); !strings.Contains(string(f), "more") {
		t.Errorf("got %q", f)
	}
}

// TestWhatATerminalOwesIsWaitedForForAWhile asks a terminal that is far away, and
// one that does not answer.
func TestWhatATerminalOwesIsWaitedForForAWhile(t *testing.T) {
	t.Parallel()
	c, _, now := newTestClient(t, oneShell())
	for _, part := range []string{"", "\x1b[?2026;2$y", "\x1b[?62;"} {
		if !c.Owes([]byte(part), now) {
			t.Errorf("after %q there is more to come", part)
		}
	}
	if c.Owes([]byte("22c\x1b[0n"), now) {
		t.Error("all is answered")
	}
	if c, _, now := newTestClient(t, oneShell()); c.Owes(nil, now.Add(silence)) {
		t.Error("it was silent for long, and is waited for")
	}
}
