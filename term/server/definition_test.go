package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// What an agent is told that takes no argument for it comes with the first prompt
// that reaches it, and no other.
func TestADefinitionComesWithTheFirstPrompt(t *testing.T) {
	l := testLoop(t)
	h, log := startTypist(t, l, 20, 1)
	held, err := call(t.Context(), l, func() (wire.Held, error) {
		return l.hold(caller{}, lifecycle.Hold{Pane: h.Pane, First: "You write.", Definition: "writer"})
	})
	if err != nil || held.Told != toldFirst {
		t.Fatal(held, err)
	}
	prompted(t, l, held.Handle, "Say hello.")
	prompted(t, l, held.Handle, "Say more.")
	if diff := cmp.Diff([]string{"You write.\n\nSay hello.", "Say more."}, submitted(t, log)); diff != "" {
		t.Error(diff)
	}
}

// A file of a project that deck acts on is this user's own, and in the project.
func TestReadOwn(t *testing.T) {
	t.Parallel()
	top, other := t.TempDir(), t.TempDir()
	write := func(path, text string, mode os.FileMode) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(to, name string) string {
		t.Helper()
		path := filepath.Join(top, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write(filepath.Join(top, "good"), "text", 0o644)
	for path, want := range map[string]bool{
		good: true, link("good", "inside"): true,
		link(write(filepath.Join(other, "x"), "text", 0o644), "outside"): false,
		write(filepath.Join(top, "open"), "text", 0o666):                 false,
		write(filepath.Join(top, "long"), "12345678901", 0o644):          false,
		filepath.Join(top, "none"):                                       false,
		top:                                                              false,
		link("nowhere", "broken"):                                        false,
	} {
		if text, err := readOwn(top, path, 10); (err == nil) != want || want && string(text) != "text" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// Trust is a person's word for one content.
func TestTrust(t *testing.T) {
	l, _ := agentLoop(t, "claude", echoArgs)
	p := launched(t, l, "claude")
	text := []byte("#!/bin/sh\n")
	word := wire.Trust{Path: "/repo/.deck/worktree-setup", Sum: sumOf(text)}
	_, err := l.trust(t.Context(), caller{pane: layout.PaneID(p.ID)}, word)
	wantCode(t, err, wire.CodeNotHuman, "only a person")
	if l.trusts.has(text) {
		t.Error("an agent's word counts")
	}
	for _, bad := range []wire.Trust{{Path: "x", Sum: word.Sum}, {Path: "/x", Sum: "12"}} {
		_, err := l.trust(t.Context(), caller{}, bad)
		wantCode(t, err, wire.CodeInvalid, "not a file")
	}
	if _, err := l.trust(t.Context(), caller{}, word); err != nil {
		t.Fatal(err)
	}
	if !l.trusts.has(text) || l.trusts.has(append(text, 'x')) {
		t.Error("what was trusted is not what is")
	}
	again := trusts{path: l.trusts.path}
	if !again.has(text) {
		t.Error("a new server has forgotten it")
	}
}
