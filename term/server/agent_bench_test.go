package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// The load beside which latencies are measured: agents that rest, and agents
// that draw.
const (
	restingAgents  = 40
	animatedAgents = 10
)

// animate is the program of a pane that draws as an agent at work does, 20 times
// a second.
func animate() {
	fmt.Print("\x1b[?1049h")
	for i := 0; ; i++ {
		fmt.Printf("\x1b[%d;1H\x1b[K● line %d of an answer\x1b[23;1H\x1b[K✶ Thinking… (%ds · ↓ %d tokens)", 1+i%20, i, i/20, i)
		fmt.Printf("\x1b]0;%c claude\x07", []rune("◐◑")[i/20%2])
		time.Sleep(50 * time.Millisecond)
	}
}

// crowd opens the load on a server and returns it.
func crowd(b *testing.B) (socket string, conn *wire.Conn) {
	b.Helper()
	socket = startServer(b)
	conn = wire.Open(socket, "")
	b.Cleanup(conn.Close)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for i := range restingAgents + animatedAgents {
		n := wire.NewPane{Agent: "claude", Env: []string{"PATH=/usr/bin:/bin"}, Command: []string{"/bin/sh", "-c", "echo ready; read x"}}
		if i >= restingAgents {
			n.Command = []string{self, "animate"}
		}
		if _, err := conn.NewPane(b.Context(), n); err != nil {
			b.Fatal(err)
		}
	}
	return socket, conn
}

// percentiles reports the middle and the slow end of what was measured.
func percentiles(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	at := func(p int) float64 { return float64(took[min(len(took)*p/100, len(took)-1)].Microseconds()) / 1000 }
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(99), "p99-ms")
	b.ReportMetric(at(100), "max-ms")
	b.ReportMetric(0, "ns/op")
}

// nextStatus reads events until one is of a pane and as a condition wants it.
func nextStatus(b *testing.B, w *wire.Watch, id string, ok func(wire.Agent) bool) {
	b.Helper()
	for {
		e, _, err := w.Next()
		if err != nil {
			b.Fatal(err)
		}
		if e.Type == "status" && e.ID == id && ok(*e.Agent) {
			return
		}
	}
}

// BenchmarkDialogToEvent is the time from the key that makes a program draw a
// dialog to the event that says so, with 50 panes.
func BenchmarkDialogToEvent(b *testing.B) {
	_, conn := crowd(b)
	p, err := conn.NewPane(b.Context(), wire.NewPane{Agent: "claude", Env: []string{"PATH=/usr/bin:/bin"}, Command: []string{"/bin/sh", "-c",
		"stty -echo; while :; do read x; " + dialog + "; read x; printf '\\033[2J\\033[H● done with it'; done"}})
	if err != nil {
		b.Fatal(err)
	}
	events, err := conn.Events(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer events.Close()
	var took []time.Duration
	enter := wire.Send{Target: p.ID, Keys: []string{"Enter"}}
	for b.Loop() {
		begin := time.Now()
		if err := conn.Send(b.Context(), enter); err != nil {
			b.Fatal(err)
		}
		nextStatus(b, events, p.ID, is(lifecycle.NeedsInput))
		took = append(took, time.Since(begin))
		if err := conn.Send(b.Context(), enter); err != nil {
			b.Fatal(err)
		}
		nextStatus(b, events, p.ID, func(a wire.Agent) bool { return a.State != lifecycle.NeedsInput })
	}
	percentiles(b, took)
}

// BenchmarkReportToEvent is the time from a report's sending to its event, with
// 50 panes.
func BenchmarkReportToEvent(b *testing.B) {
	socket, conn := crowd(b)
	p, token := tokenPane(b, socket, "claude")
	events, err := conn.Events(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer events.Close()
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	defer tr.CloseIdleConnections()
	client := &http.Client{Transport: tr}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		state := []lifecycle.State{lifecycle.Working, lifecycle.NeedsInput}[i%2]
		begin := time.Now()
		if status, answer := postWith(b, client, token, fmt.Sprintf(`{"source":"custom:x","agent":"claude","state":%q}`, state)); status != 200 {
			b.Fatal(answer)
		}
		nextStatus(b, events, p.ID, is(state))
		took = append(took, time.Since(begin))
	}
	percentiles(b, took)
}

// BenchmarkSighted is what a look at an agent's screen costs, and the loop's part
// of it.
func BenchmarkSighted(b *testing.B) {
	l := testLoop(b)
	p := open(b, l, dialog+"; read x", func(n *wire.NewPane) { n.Agent = "claude" })
	untilStatus(b, follow(b, l), p.ID, "the question", is(lifecycle.NeedsInput))
	s := (*l.index.Load())[layout.PaneID(p.ID)]
	rules := l.eyes.set()
	for b.Loop() {
		sc := screenOf(s.View())
		r := rules.Read("claude", &sc)
		if r.Screen.State != lifecycle.NeedsInput {
			b.Fatalf("%+v", r)
		}
	}
}
