package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deck/term/layout"
	"deck/term/wire"
)

// Two agents that change one file are both marked, and the second is told once.
func TestAgentsThatChangeTheSameFile(t *testing.T) {
	l := testLoop(t)
	_, client := join(t, l)
	a, b := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" }), open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "codex" })
	dir := t.TempDir()
	if err := os.Symlink(dir, dir+".link"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(dir + ".link") })
	if err := os.WriteFile(filepath.Join(dir, "x.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	edit := func(p wire.Pane, agent, path string) {
		t.Helper()
		tell(t, l, p.ID, wire.AgentEvent{Agent: agent, Edits: []string{path}})
	}
	edit(a, "claude", filepath.Join(dir, "x.go"))
	edit(b, "codex", filepath.Join(dir, "y.go"))
	if in, err := l.listInbox(t.Context(), caller{}, ofTarget{}); err != nil || len(in) > 0 {
		t.Fatal(in, err)
	}
	edit(b, "codex", filepath.Join(dir+".link", ".", "x.go"))
	edit(b, "codex", filepath.Join(dir, "x.go"))
	edit(a, "claude", filepath.Join(dir, "x.go"))
	edit(a, "claude", "relative.go")
	in, err := l.listInbox(t.Context(), caller{}, ofTarget{})
	if err != nil || len(in) != 1 || in[0].Pane != b.ID || in[0].Kind != kindClash || in[0].From != a.Nick || !strings.Contains(in[0].Text, filepath.Join(dir, "x.go")) {
		t.Errorf("%+v, %v", in, err)
	}
	marked := func(want map[string]string) {
		t.Helper()
		client.until(t, "the marks", func(r *recorder) bool {
			for id, nick := range want {
				p, ok := r.told.Pane(layout.PaneID(id))
				if !ok || strings.Join(p.Clashes, ",") != nick {
					return false
				}
			}
			return true
		})
	}
	marked(map[string]string{a.ID: b.Nick, b.ID: a.Nick})
	closeNow(t, l, b.ID)
	marked(map[string]string{a.ID: ""})
}
