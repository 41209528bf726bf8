package ui

import (
	"strings"
	"testing"
	"time"

	"deck/term/layout"
)

// BenchmarkEcho is a key on its way to a pane and its echo's way to the
// terminal.
func BenchmarkEcho(b *testing.B) {
	host := &fakeHost{screens: map[layout.PaneID]*fakeScreen{"p1": newFakeScreen(170, 46, strings.Split(strings.Repeat("a line\n", 45), "\n")...)}}
	c := NewClient(host, ClientOptions{Env: map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}, W: 200, H: 50})
	now := time.Unix(1000, 0)
	c.Update(StateMsg{oneShell()}, now)
	c.Frame(now)
	c.Accepted(now)
	s, key := host.screens["p1"], []byte("x")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		now = now.Add(20 * time.Millisecond)
		c.Input(key, now)
		if f, _ := c.Frame(now); f != nil {
			c.Accepted(now)
		}
		s.gen++
		s.lines[1].gen = s.gen
		s.lines[1].cells[i%100].Char ^= 1
		host.typed = host.typed[:0]
		c.Changed(now)
		f, _ := c.Frame(now)
		if f == nil {
			b.Fatal("no echo")
		}
		c.Accepted(now)
	}
}
