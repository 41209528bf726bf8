package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/screen"
	"deck/term/wire"
	"deck/ui"
)

// brokenPanes is a loop whose one pane cannot be drawn.
type brokenPanes struct{ detached chan string }

func (b brokenPanes) attach(_ wire.Attach, s sink) (string, error) {
	s.state(ui.State{Session: "main", Tabs: []ui.Tab{{ID: "t", Root: layout.Leaf("p")}},
		Panes: []ui.Pane{{ID: "p", Tab: "t", Status: lifecycle.Status{State: lifecycle.Unknown}}}})
	return "c", nil
}
func (b brokenPanes) detach(id string)                             { b.detached <- id }
func (brokenPanes) sized(string, wire.Size)                        {}
func (brokenPanes) request(string, ui.Request)                     {}
func (brokenPanes) screen(layout.PaneID) ui.Screen                 { return brokenScreen{} }
func (brokenPanes) input(string, layout.PaneID, ui.Token)          {}
func (brokenPanes) watch(string, []layout.PaneID, chan<- struct{}) {}

type brokenScreen struct{ ui.Screen }

func (brokenScreen) Draw(*screen.Canvas, layout.Rect, *screen.Translator, int, uint64) screen.Frame {
	panic("broken")
}

// A panic in what draws a client costs that client and nobody else: it gets its
// terminal back and is told.
func TestAPanicCostsOneClient(t *testing.T) {
	near, far := net.Pipe()
	loop := brokenPanes{detached: make(chan string, 1)}
	c := newClient(near, loop, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.run(context.Background(), near, wire.Attach{}, ui.ClientOptions{W: 80, H: 24})
	}()
	var buf []byte
	for {
		kind, payload, err := wire.ReadFrame(far, buf)
		if err != nil {
			t.Fatal(err)
		}
		if kind != wire.FrameExit {
			continue
		}
		var e wire.Exit
		if json.Unmarshal(payload, &e) != nil || e.Reason != "error" || e.Code != 1 {
			t.Errorf("exit %s", payload)
		}
		break
	}
	<-done
	far.Close()
	if id := <-loop.detached; id != "c" {
		t.Errorf("detached %q", id)
	}
}

func TestSequencesAreRunInOrder(t *testing.T) {
	t.Parallel()
	say := func(n int) tea.Cmd { return func() tea.Msg { return n } }
	cmds := sequence(tea.Sequence(say(1), nil, say(2), say(3))())
	if len(cmds) != 3 {
		t.Fatalf("%d commands", len(cmds))
	}
	c := newClient(nil, nil, slog.New(slog.DiscardHandler))
	defer c.timer.Stop()
	last := make(chan tea.Msg)
	go func() { last <- c.inOrder(cmds) }()
	got := []tea.Msg{<-c.msgs, <-c.msgs, <-last}
	if diff := cmp.Diff([]tea.Msg{1, 2, 3}, got); diff != "" {
		t.Error(diff)
	}
	if sequence(tea.BatchMsg{}) == nil || sequence("text") != nil || sequence(nil) != nil {
		t.Error("what is no list of commands was taken for one, or the reverse")
	}
}

func TestAnInboxKeepsTheNewest(t *testing.T) {
	t.Parallel()
	m := newInbox()
	for i := range 100 {
		m.state(ui.State{Clients: i})
		m.size(wire.Size{Cols: i, Fresh: i == 3})
		m.notice("n", i == 99)
		m.exit(wire.Exit{Code: i})
		m.bell("p")
	}
	in := m.take()
	if in.state.Clients != 99 || in.size.Cols != 99 || !in.size.Fresh || in.exit.Code != 0 || !in.bell {
		t.Errorf("got %+v", in)
	}
	if len(in.notices) != maxNotices || !in.notices[maxNotices-1].Error {
		t.Errorf("notices %+v", in.notices)
	}
	if len(m.wake) != 1 {
		t.Error("not woken")
	}
}

// noPanes is a loop that knows no pane.
type noPanes struct{ brokenPanes }

func (noPanes) screen(layout.PaneID) ui.Screen { return nil }

// What a terminal behind a relay still answers is collected before the relay hears
// of the end: it would be typed into the shell. One that is silent is not waited
// for without end.
func TestAnswersAreCollectedBeforeTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer near.Close()
		defer far.Close()
		for _, parts := range [][]string{{"\x1b[?2026;2$y\x1b[?62;", "22c\x1b[0n"}, nil} {
			c := newClient(near, noPanes{}, slog.New(slog.DiscardHandler))
			c.screen = ui.NewClient(host{c}, ui.ClientOptions{Env: map[string]string{"TERM": "xterm-256color"}, W: 80, H: 24})
			c.screen.Update(ui.StateMsg{State: ui.State{Session: "main"}}, time.Now())
			c.screen.Frame(time.Now())
			begun, done := time.Now(), make(chan struct{})
			go func() { defer close(done); c.collect() }()
			for _, part := range parts {
				c.input <- []byte(part)
				<-c.spare
			}
			<-done
			if took := time.Since(begun); (took == 0) != (parts != nil) || took > answerTime {
				t.Errorf("after %q it took %v", parts, took)
			}
		}
	})
}
