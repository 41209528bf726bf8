package server

import (
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// memoryLoop is a loop with a memory of its own.
func memoryLoop(t testing.TB) (*loop, *archive) {
	t.Helper()
	a := newArchive(filepath.Join(t.TempDir(), "memory"), "/tmp/test.sock", slog.New(slog.DiscardHandler))
	t.Cleanup(a.close)
	l := testLoop(t, func(o *loopOptions) { o.memory = a })
	return l, a
}

// replied asks for something at a client's screen and returns the answer.
func replied[M tea.Msg](t testing.TB, l *loop, client string, r *recorder, ask ui.Request) (got M) {
	t.Helper()
	r.mu.Lock()
	r.replies = nil
	r.mu.Unlock()
	l.request(client, ask)
	r.until(t, reflect.TypeOf(ask).Name()+" to be answered", func(r *recorder) bool {
		for _, m := range r.replies {
			if a, ok := m.(M); ok {
				got = a
				return true
			}
		}
		return false
	})
	return got
}

// noted stores a note.
func noted(t testing.TB, a *archive, dir string, r wire.Remember) wire.Note {
	t.Helper()
	r.Cwd = dir
	got, err := a.remember(t.Context(), caller{}, r)
	if err != nil {
		t.Fatal(err)
	}
	return got.Note
}

func heads(found []ui.FoundNote) (out []string) {
	for _, f := range found {
		out = append(out, f.Title)
	}
	return out
}

func TestTheScreenSearchesTheMemory(t *testing.T) {
	l, a := memoryLoop(t)
	id, r := join(t, l)
	p := open(t, l, "read x")
	from, dir := layout.PaneID(p.ID), p.Dir
	if got := replied[ui.RecalledMsg](t, l, id, r, ui.Recall{From: from}); got.Problem != "" || got.Found != nil || got.From != from {
		t.Errorf("of nothing: %+v", got)
	}
	if got := replied[ui.ProjectMsg](t, l, id, r, ui.ReadProject{From: from}); !strings.Contains(got.Problem, "nothing is known of this folder yet") {
		t.Errorf("of nothing: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "cache.go"), []byte("package cache\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := noted(t, a, dir, wire.Remember{Title: "Pages are cached", Text: "Rendered pages stay in the cache for an hour.", Files: []string{"cache.go"}})
	noted(t, a, dir, wire.Remember{Kind: "decision", Title: "Retries", Text: "Every request is tried three times."})
	if diff := cmp.Diff([]string{"Retries", "Pages are cached"}, heads(replied[ui.RecalledMsg](t, l, id, r, ui.Recall{From: from}).Found)); diff != "" {
		t.Errorf("the newest: %s", diff)
	}
	got := replied[ui.RecalledMsg](t, l, id, r, ui.Recall{From: from, Query: "cached pages"})
	if len(got.Found) == 0 || got.Found[0].ID != first.ID || len(got.Found[0].Marks) == 0 || got.Searched != 2 || got.Query != "cached pages" {
		t.Fatalf("found %+v", got)
	}
	if err := os.Remove(filepath.Join(dir, "cache.go")); err != nil {
		t.Fatal(err)
	}
	note := replied[ui.NoteMsg](t, l, id, r, ui.ReadNote{From: from, ID: first.ID})
	if diff := cmp.Diff([]ui.NoteFile{{Path: "cache.go", Freshness: "missing"}}, note.Note.Files); diff != "" || !note.Note.Stale || note.Problem != "" {
		t.Errorf("told %+v: %s", note, diff)
	}
	if got := replied[ui.NoteMsg](t, l, id, r, ui.ReadNote{From: from, ID: "nonsense"}); got.Problem == "" || got.ID != "nonsense" {
		t.Errorf("told %+v", got)
	}
}

func TestTheScreenJudgesNotes(t *testing.T) {
	l, a := memoryLoop(t)
	id, r := join(t, l)
	p := open(t, l, "read x")
	from := layout.PaneID(p.ID)
	n := noted(t, a, p.Dir, wire.Remember{Kind: "decision", Title: "Retries", Text: "Every request is tried three times."})
	task := "make it quick"
	if _, err := a.updateTask(t.Context(), caller{}, wire.UpdateTask{Place: wire.Place{Cwd: p.Dir}, Task: &task}); err != nil {
		t.Fatal(err)
	}
	page := replied[ui.ProjectMsg](t, l, id, r, ui.ReadProject{From: from})
	if len(page.Page.Decisions) != 1 || page.Page.Task == nil || page.Page.Task.Task != task || page.Page.Notes != 1 {
		t.Errorf("told %+v", page)
	}
	for _, status := range []string{"VERIFIED", "STALE", "INVALIDATED"} {
		if got := replied[ui.NoteMsg](t, l, id, r, ui.JudgeNote{From: from, ID: n.ID, Status: status}); got.Note.Status != status || got.Problem != "" {
			t.Errorf("told %+v", got)
		}
	}
	if got := replied[ui.RecalledMsg](t, l, id, r, ui.Recall{From: from, Query: "retries"}); len(got.Found) != 0 {
		t.Errorf("what is invalid is found: %+v", got)
	}
	reader, rr := join(t, l, func(a *wire.Attach) { a.ReadOnly = true })
	l.request(reader, ui.JudgeNote{From: from, ID: n.ID, Status: "VERIFIED"})
	rr.until(t, "the refusal", func(r *recorder) bool {
		return strings.Contains(strings.Join(r.notices, " "), "read-only")
	})
	if got := replied[ui.NoteMsg](t, l, reader, rr, ui.ReadNote{From: from, ID: n.ID}); got.Note.Status != "INVALIDATED" {
		t.Errorf("a read-only client changed it to %s", got.Note.Status)
	}
}

func TestANoteIsTypedAndNotSent(t *testing.T) {
	l, a := memoryLoop(t)
	id, r := join(t, l)
	h, log := startTypist(t, l, 100, 0)
	pane := layout.PaneID(h.Pane)
	n := noted(t, a, t.TempDir(), wire.Remember{Title: "Pages\x1b[31m are cached", Text: "For an hour.\nNot longer.", Reason: "They change."})
	untilText(t, l, id, h.Pane, "for shortcuts")
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: h.Pane, Literal: "mind this: "}); err != nil {
		t.Fatal(err)
	}
	untilText(t, l, id, h.Pane, "mind this:")
	if got := replied[ui.InsertedMsg](t, l, id, r, ui.InsertNote{At: pane, ID: n.ID}); got.Problem != "" || got.Nick == "" {
		t.Fatalf("told %+v", got)
	}
	untilText(t, l, id, h.Pane, n.Short+")")
	if got := submitted(t, log); got != nil {
		t.Errorf("it was sent: %q", got)
	}
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: h.Pane, Keys: []string{"Enter"}}); err != nil {
		t.Fatal(err)
	}
	want := []string{"mind this: Pages are cached\nFor an hour.\nNot longer.\nBecause: They change.\n(fact " + n.Short + ")"}
	eventually(t, "the prompt to be sent", func() bool { return submitted(t, log) != nil })
	if diff := cmp.Diff(want, submitted(t, log)); diff != "" {
		t.Error(diff)
	}
}

// An answer that comes late, for a box that was closed, must not take the place of
// the one that is waited for.
func TestTwoAnswersOfAKindBothReachTheClient(t *testing.T) {
	t.Parallel()
	m := newInbox()
	m.reply(ui.RecalledMsg{Query: "new"})
	m.reply(ui.RecalledMsg{Query: "old"})
	if diff := cmp.Diff([]tea.Msg{ui.RecalledMsg{Query: "new"}, ui.RecalledMsg{Query: "old"}}, m.take().replies); diff != "" {
		t.Error(diff)
	}
	for range 2 * maxReplies {
		m.reply(ui.NoteMsg{})
	}
	if n := len(m.take().replies); n != maxReplies {
		t.Errorf("%d answers wait", n)
	}
}

// What is typed into a shell or a dialog would be taken for something else.
func TestANoteIsOnlyTypedIntoAnInputLine(t *testing.T) {
	l, a := memoryLoop(t)
	id, r := join(t, l)
	n := noted(t, a, t.TempDir(), wire.Remember{Text: "rm -rf build"})
	plain := open(t, l, "cat")
	blind := open(t, l, "cat", func(n *wire.NewPane) { n.Agent = "claude" })
	asking := menu(t, l, "number")
	for pane, want := range map[string]string{plain.ID: "no agent is running", blind.ID: "no input line", asking.ID: "asks something"} {
		got := replied[ui.InsertedMsg](t, l, id, r, ui.InsertNote{At: layout.PaneID(pane), ID: n.ID})
		if !strings.Contains(got.Problem, want) {
			t.Errorf("told %+v, want %s", got, want)
		}
		peek, err := l.peek(t.Context(), caller{}, wire.Peek{Target: pane})
		if err != nil || strings.Contains(strings.Join(peek.Lines, "\n"), "rm -rf build") {
			t.Errorf("%v: it was typed: %q", err, peek.Lines)
		}
	}
	l.request(id, ui.InsertNote{At: "p999", ID: n.ID})
	r.until(t, "the refusal", func(r *recorder) bool { return strings.Contains(strings.Join(r.notices, " "), "can't find pane") })
}

// A message that is in the input line would take the note with it.
func TestANoteWaitsForNoMessage(t *testing.T) {
	l, _ := memoryLoop(t)
	h, _ := startTypist(t, l, 100, 0)
	_, err := call(t.Context(), l, func() (none, error) {
		p := l.panes[layout.PaneID(h.Pane)]
		b := &p.agent.mail.box
		if err := b.Put(lifecycle.Message{ID: "m1", Text: "hello"}, p.created); err != nil {
			return none{}, err
		}
		d := lifecycle.Desk{Agent: true, State: lifecycle.Idle, Composer: lifecycle.Composer{Found: true, Empty: true}}
		b.Next(d, p.created)
		return none{}, l.insertNow(p, "text")
	})
	if err == nil || !strings.Contains(err.Error(), "a message is on its way") {
		t.Errorf("told %v", err)
	}
}

func TestAnInsertionSaysHowFarItIsToBeBelieved(t *testing.T) {
	t.Parallel()
	n := wire.Note{Kind: "fact", Short: "f-1", Text: "It is so.\r\n", Status: "NEW", Files: []wire.Source{{Path: "a.go", Lines: "1-2", Now: "b.go:3-4"}, {Path: "c.go", Lines: "7"}}}
	for want, change := range map[string]func(*wire.Note){
		"(fact f-1; see b.go:3-4, c.go:7)":                      func(*wire.Note) {},
		"(fact f-1; verified; see b.go:3-4, c.go:7)":            func(n *wire.Note) { n.Status = "VERIFIED" },
		"(fact f-1; stale: file changed; see b.go:3-4, c.go:7)": func(n *wire.Note) { n.Status, n.Stale, n.Freshness = "VERIFIED", true, "file changed" },
		"(fact f-1; superseded; see b.go:3-4, c.go:7)":          func(n *wire.Note) { n.SupersededBy = "x" },
	} {
		one := n
		change(&one)
		if diff := cmp.Diff("It is so.\n"+want, insertion(one)); diff != "" {
			t.Error(diff)
		}
	}
}
