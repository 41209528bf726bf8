package server

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deck/term/wire"
)

// auditText are the files of acts of the one server that a test runs.
func auditText(t *testing.T) (texts []string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "deck", "*.audit*.jsonl"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
		texts = append(texts, string(b))
	}
	if len(texts) == 0 {
		t.Fatal("nothing is kept")
	}
	return texts
}

func TestActsAreKeptWithinBounds(t *testing.T) {
	t.Parallel()
	a := auditor{path: filepath.Join(t.TempDir(), "deck", "x.audit.jsonl"), log: slog.New(slog.DiscardHandler)}
	long := strings.Repeat("v", 1000)
	for range 3 * maxAudit / 1000 {
		a.add(wire.Audited{Verb: long})
	}
	a.add(wire.Audited{Verb: "last"})
	rows, err := a.last(2)
	if err != nil || len(rows) != 2 || rows[1].Verb != "last" {
		t.Errorf("the last are %d, %v", len(rows), err)
	}
	for _, path := range []string{a.path, a.old()} {
		if info, err := os.Stat(path); err == nil && info.Size() > 4*maxAudit {
			t.Errorf("%s has %d bytes", path, info.Size())
		}
	}
}

// What another program put in the way is neither written to nor believed.
func TestActsAreNotWrittenThroughALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("precious\n{\"verb\":\"forged\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := auditor{path: filepath.Join(dir, "x.audit.jsonl"), log: slog.New(slog.DiscardHandler)}
	if err := os.Symlink(victim, a.path); err != nil {
		t.Fatal(err)
	}
	a.add(wire.Audited{Verb: "close"})
	if rows, err := a.last(10); err == nil {
		t.Errorf("read %+v through a link", rows)
	}
	if b, _ := os.ReadFile(victim); !strings.HasPrefix(string(b), "precious\n") || strings.Contains(string(b), "close") {
		t.Errorf("written: %q", b)
	}
}

// An act that was kept by half spoils no other one.
func TestAnActCutShort(t *testing.T) {
	t.Parallel()
	a := auditor{path: filepath.Join(t.TempDir(), "x.audit.jsonl"), log: slog.New(slog.DiscardHandler)}
	if err := os.WriteFile(a.path, []byte(`{"verb":"first"}`+"\n"+`{"verb":"cut`), 0o600); err != nil {
		t.Fatal(err)
	}
	a.add(wire.Audited{Verb: "next"})
	rows, err := a.last(10)
	if err != nil || len(rows) != 2 || rows[0].Verb != "first" || rows[1].Verb != "next" {
		t.Errorf("%+v, %v", rows, err)
	}
}

// What was let through and came to nothing is not kept as done.
func TestWhatWasNotDoneIsNotKeptAsDone(t *testing.T) {
	c := wire.Open(startServer(t), "")
	defer c.Close()
	p, err := c.NewPane(t.Context(), wire.NewPane{Command: []string{"/bin/cat"}, Agent: "someone"})
	if err != nil {
		t.Fatal(err)
	}
	over, err := c.NewPane(t.Context(), wire.NewPane{Command: []string{"/bin/true"}})
	if err != nil {
		t.Fatal(err)
	}
	for verb, do := range map[string]func() error{
		"send": func() (err error) {
			eventually(t, "a pane to end", func() bool {
				err = c.Send(t.Context(), wire.Send{Target: over.ID, Keys: []string{"Enter"}})
				return err != nil
			})
			return err
		},
		"rename":  func() error { return c.Rename(t.Context(), wire.Rename{Target: p.ID, Name: "-x y"}) },
		"answer":  func() error { _, err := c.Answer(t.Context(), wire.Answer{Target: p.ID, Option: 1}); return err },
		"restart": func() error { _, err := c.Restart(t.Context(), wire.Restart{Target: p.ID}); return err },
	} {
		if err := do(); err == nil {
			t.Errorf("%s was done", verb)
		}
		rows, err := c.Audit(t.Context(), 1)
		if err != nil || len(rows) != 1 || rows[0].Verb != verb || rows[0].Code == "" {
			t.Errorf("%s: %+v, %v", verb, rows, err)
		}
	}
	if err := c.Send(t.Context(), wire.Send{Target: p.ID, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	if rows, err := c.Audit(t.Context(), 1); err != nil || len(rows) != 1 || rows[0].Verb != "send" || rows[0].Code != "" {
		t.Errorf("done: %+v, %v", rows, err)
	}
}
