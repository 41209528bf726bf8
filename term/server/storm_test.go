package server

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/screen"
	"deck/term/wire"
	"deck/ui"
)

// TestAStormOfEverything does all that can be done from many sides at once. It
// finds deadlocks, races and broken invariants; whatever is refused is refused.
func TestAStormOfEverything(t *testing.T) {
	l := testLoop(t, func(o *loopOptions) { o.grace = 20 * time.Millisecond })
	keep := open(t, l, "sleep 1000")
	var wg sync.WaitGroup
	for n := range 6 {
		wg.Go(func() { storm(l, rand.New(rand.NewPCG(rand.Uint64(), uint64(n))), keep.ID) })
	}
	wg.Wait()
	if _, err := call(context.Background(), l, func() (int, error) { return 0, l.consistent(t) }); err != nil {
		t.Fatal(err)
	}
}

func storm(l *loop, r *rand.Rand, keep string) {
	ctx := context.Background()
	rec := newRecorder()
	id, err := l.attach(wire.Attach{Size: wire.Size{Cols: 120, Rows: 40}}, rec)
	if err != nil {
		return
	}
	defer l.detach(id)
	canvas := screen.NewCanvas(120, 40)
	var tr screen.Translator
	wake := make(chan struct{}, 1)
	for range 120 {
		panes, err := l.listPanes(ctx, caller{}, "")
		if err != nil || len(panes) == 0 {
			return
		}
		p := panes[r.IntN(len(panes))]
		pane := layout.PaneID(p.ID)
		switch r.IntN(18) {
		case 0:
			_, _ = l.newPane(ctx, caller{}, wire.NewPane{Command: []string{"sh", "-c", "echo a; sleep 0.01; echo b"}, At: p.ID, Place: "right"})
		case 1:
			l.request(id, ui.Split{At: pane, Dir: layout.Down})
		case 2, 3:
			if p.ID != keep {
				_, _ = l.closeTarget(ctx, caller{}, wire.Close{Target: p.ID})
			}
		case 4:
			l.request(id, ui.Break{Pane: pane})
		case 5:
			l.request(id, ui.Swap{A: pane, B: layout.PaneID(panes[0].ID)})
		case 6:
			l.request(id, ui.Restart{Pane: pane})
		case 7:
			l.watch(id, []layout.PaneID{pane, layout.PaneID(keep)}, wake)
		case 8:
			l.input(id, pane, ui.Token{Raw: []byte("echo x\r")})
		case 9:
			l.request(id, ui.Use{Pane: pane, Tab: ui.TabID(p.Tab), Sizes: []layout.Place{{Pane: pane,
				Rect: layout.Rect{W: 1 + r.IntN(100), H: 1 + r.IntN(50)}}}})
		case 10:
			_, _ = l.resize(ctx, caller{}, wire.Resize{Target: p.ID, Side: "right", Cells: r.IntN(9) - 4})
		case 11:
			if s := l.screen(pane); s != nil {
				s.Draw(canvas, layout.Rect{W: 120, H: 40}, &tr, r.IntN(3), 0)
				s.Text(0, 10)
			}
		case 12:
			if s, err := l.subscribe(ctx); err == nil {
				l.unsubscribe(s)
			}
		case 13:
			_, _ = l.newPane(ctx, caller{}, wire.NewPane{Session: "other", Focus: true, Command: []string{"true"}})
			l.request(id, ui.SwitchSession{Session: "other"})
		default:
			stormAgents(ctx, l, r, id, p)
		}
	}
}

// stormAgents does what can be done about agents: none of it waits for long, and
// most is refused.
func stormAgents(ctx context.Context, l *loop, r *rand.Rand, client string, p wire.Pane) {
	pane := layout.PaneID(p.ID)
	states := []lifecycle.State{lifecycle.Working, lifecycle.NeedsInput, lifecycle.Idle, lifecycle.Done}
	switch r.IntN(9) {
	case 0:
		_, _ = l.newPane(ctx, caller{}, wire.NewPane{Agent: "claude", Command: []string{"sh", "-c", dialog + `; printf '\033]7501;state=working\007'; read x`}})
	case 1:
		_, _ = call(ctx, l, func() (lifecycle.Drop, error) {
			return l.applyReport(pane, lifecycle.Report{Source: "custom:storm", Agent: "claude", State: states[r.IntN(len(states))]})
		})
	case 2:
		_, _ = l.waitAgent(ctx, caller{}, wire.AgentWait{Target: p.ID, Until: states[:1+r.IntN(len(states))], Timeout: 1})
	case 3:
		_, _ = l.requestGate(ctx, caller{}, wire.GateRequest{Target: p.ID, Text: "may I", Wait: int64(r.IntN(2))})
	case 4:
		_, _ = l.decideGate(ctx, caller{pane: pane}, wire.GateDecision{Target: p.ID}, r.IntN(2) == 0)
		_, _ = l.decideGate(ctx, caller{}, wire.GateDecision{Target: p.ID}, r.IntN(2) == 0)
	case 5:
		l.request(client, ui.Dismiss{Pane: pane})
		l.request(client, ui.Gate{Pane: pane, Approve: true})
	case 6:
		_, _ = l.send(ctx, caller{}, wire.Send{Target: p.ID, Keys: []string{"Esc", "1", "Enter"}})
	case 7:
		l.request(client, ui.Away{Away: r.IntN(2) == 0})
	case 8:
		_, _ = l.explainAgent(ctx, caller{}, wire.Target{Target: p.ID})
		_, _ = l.listAgents(ctx, caller{}, agentQuery{All: "1"})
		_, _ = l.listGates(ctx, caller{}, none{})
	}
}

// consistent checks what must hold whenever the loop is between messages.
func (l *loop) consistent(t *testing.T) error {
	seen := map[layout.PaneID]bool{}
	for _, s := range l.sessions {
		if len(s.tabs) == 0 && s.starting == 0 {
			t.Errorf("session %s is empty", s.name)
		}
		for _, tab := range s.tabs {
			if tab.session != s || l.tabs[tab.id] != tab || !wellFormed(tab.root, 0) {
				t.Errorf("tab %s of %s is broken: %+v", tab.id, s.name, tab.root)
			}
			for _, id := range tab.root.Panes() {
				p := l.panes[id]
				if p == nil || p.tab != tab || seen[id] {
					t.Errorf("pane %s of tab %s is broken", id, tab.id)
				}
				seen[id] = true
			}
		}
		if s.current != nil && l.panes[s.current.id] != s.current {
			t.Errorf("session %s has a current pane that is gone", s.name)
		}
	}
	if len(*l.index.Load()) != len(seen) {
		t.Errorf("%d panes are placed, %d indexed", len(seen), len(*l.index.Load()))
	}
	for id, p := range l.panes {
		if !seen[id] && p.tab != nil {
			t.Errorf("pane %s is in no tab", id)
		}
	}
	return nil
}
