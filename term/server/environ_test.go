package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironIsTheCallersWithoutTheTerminalOutside(t *testing.T) {
	t.Parallel()
	base := []string{"PATH=/bin", "TERM=screen", "TMUX=/tmp/t,1,0", "TMUX_PANE=%1", "STY=1.x", "WINDOW=1", "SSH_TTY=/dev/pts/1",
		"SSH_CONNECTION=a b", "SSH_AUTH_SOCK=/tmp/s", "ZELLIJ_SESSION_NAME=x", "KITTY_WINDOW_ID=1", "VTE_VERSION=7000",
		"TERM_PROGRAM=tmux", "TERM_PROGRAM_VERSION=3", "LINES=24", "COLUMNS=80", "PWD=/old", "DECK_PANE_ID=other",
		"DECK_REPORT_TOKEN=secret", "LANG=C.UTF-8", "EMPTY=", "broken", "=x", "NUL=a\x00b", "WT_SESSION=1"}
	got := environ(base, paneVars{socket: "/s", version: "1", term: "xterm-256color", pane: "abc234", nick: "ada", token: "t", dir: "/new"})
	slices.Sort(got)
	want := []string{"COLORTERM=truecolor", "DECK_NICK=ada", "DECK_PANE_ID=abc234", "DECK_REPORT_TOKEN=t", "DECK_SOCKET=/s",
		"EMPTY=", "LANG=C.UTF-8", "PATH=/bin", "PWD=/new", "SSH_AUTH_SOCK=/tmp/s", "SSH_CONNECTION=a b", "TERM=xterm-256color",
		"TERM_PROGRAM=deck", "TERM_PROGRAM_VERSION=1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNicksAreUniqueFirstNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, n := range nickNames {
		if seen[n] || n != strings.ToLower(n) || len(n) > 8 {
			t.Errorf("%q is there twice or not easily typed", n)
		}
		seen[n] = true
	}
	if len(nickNames) < 200 {
		t.Errorf("only %d names", len(nickNames))
	}
	var b nickBook
	none := func(string) bool { return false }
	given := map[string]bool{}
	for range 3 * len(nickNames) {
		n := b.take(none)
		if given[n] {
			t.Fatalf("%q was given twice", n)
		}
		given[n] = true
	}
	b = nickBook{}
	first := b.take(none)
	b.free(first)
	for range len(nickNames) - 1 {
		if b.take(none) == first {
			t.Fatal("a nick came back at once")
		}
	}
	if got := b.take(none); got != first {
		t.Errorf("got %q, want %q", got, first)
	}
}

func TestCleanTextIsSafeToDraw(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain": "plain", "a\x1b[31mb\x07": "a[31mb", "x\u202ey\u2066z": "xyz", "tab\tline\n": "tab line", "\xff": "\ufffd",
		"é日本": "é日本", "\x9b1m": "\ufffd1m", "\u009b1m": "1m", strings.Repeat("x", 100): strings.Repeat("x", 64),
	} {
		if got := cleanText(in, maxLabel); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestOnlyLocalFoldersAreTaken(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"", "/a/b", "/a/b"}, {"localhost", "/a/../b", "/b"}, {"elsewhere.example", "/a", ""}, {"", "a", ""}, {"", "", ""},
	} {
		if got := localDir(c[0], c[1]); got != c[2] {
			t.Errorf("%q %q: got %q", c[0], c[1], got)
		}
	}
	if got := tilde("/home/x/y", "/home/x"); got != "~/y" {
		t.Error(got)
	}
	if got := tilde("/home/xy", "/home/x"); got != "/home/xy" {
		t.Error(got)
	}
}

func TestProgramsAreNamedAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		comm string
		argv []string
		want string
	}{
		{"bash", []string{"-bash"}, "bash"},
		{"tmux: client", []string{"tmux", "attach"}, "tmux"},
		{"nginx", []string{"nginx: master process"}, "nginx"},
		{"MainThread", []string{"/usr/bin/node", "server.js"}, "node"},
		{"gnome-terminal-", []string{"/usr/libexec/gnome-terminal-server"}, "gnome-terminal-server"},
		{"build", []string{"/bin/sh", "./build"}, "build"},
		{"", []string{"/bin/cat"}, "cat"},
		{"cat", nil, "cat"},
	} {
		if got := programName(process{comm: c.comm, argv: c.argv}); got != c.want {
			t.Errorf("%q %q is called %q, not %q", c.comm, c.argv, got, c.want)
		}
	}
}
