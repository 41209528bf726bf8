package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/keys"
)

// newForm is a world in which a form is open by its key.
func newForm(t testing.TB, w, h int, key string) *world {
	t.Helper()
	wd := newAgents(t, w, h, Settings{})
	wd.Update(FocusMsg{"p3"})
	wd.press("C-a", key)
	if key == "f" {
		wd.Update(LaunchersMsg{From: "p3", Agents: []Launcher{{Name: "alpha", Title: "Alpha Code"}, {Name: "beta", Title: "Beta"}}})
	}
	wd.host.takeAsked()
	wd.draw()
	return wd
}

// newTasks is a world in which the list of tasks is open.
func newTasks(t testing.TB, w, h int) *world {
	t.Helper()
	wd := newAgents(t, w, h, Settings{})
	wd.Update(FocusMsg{"p3"})
	wd.press("C-a", "G", "a")
	wd.Update(TasksMsg{From: "p3", All: true, Tasks: []Given{
		{ID: "h_k3x9ab", State: "open", From: "a person", To: "bob", Pane: "p2", Task: "Make the parser's tests pass \x1b[31mnow", Age: 3 * time.Minute},
		{ID: "h_zz01aa", State: "done", From: "ada", To: "theodora", Pane: "p4", Task: "Review the last commit", Summary: "Two findings,\nboth in pen.go", Age: 2 * time.Hour},
		{ID: "h_8n4c2q", State: "exited", From: "ada", To: "xavi", Task: strings.Repeat("A task that goes on ", 9), Age: 50 * time.Hour}}})
	wd.host.takeAsked()
	wd.draw()
	return wd
}

func TestAFormSendsWhatItSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key  string
		keys []string
		want Request
	}{
		"to the focused agent": {"t", []string{"'read q1.md", "Enter"}, Tell{To: "p3", Text: "read q1.md"}},
		"to the one above":     {"t", []string{"'x", "Up", "'y", "Enter"}, Tell{To: "p2", Text: "xy"}},
		"work":                 {"g", []string{"'go on", "Enter"}, HandOff{From: "p3", To: "p1", Task: "go on"}},
		"work to another":      {"g", []string{"C-n", "C-n", "'go on", "Enter"}, HandOff{From: "p3", To: "p4", Task: "go on"}},
		"a sub-agent":          {"f", []string{"Down", "'write tests", "Enter"}, Spawn{From: "p3", Agent: "beta", Task: "write tests"}},
		"nothing typed":        {"t", []string{"' ", "Enter"}, nil},
		"left":                 {"t", []string{"'x", "Escape"}, nil},
	} {
		w := newForm(t, 80, 24, c.key).press(c.keys...)
		got := w.host.takeAsked()
		for i, r := range got {
			switch r := r.(type) {
			case Tell:
				r.Number = 0
				got[i] = r
			case HandOff:
				r.Number = 0
				got[i] = r
			case Spawn:
				r.Number = 0
				got[i] = r
			}
		}
		var want []Request
		if c.want != nil {
			want = []Request{c.want}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if open := w.over != nil; open != (name != "left") {
			t.Errorf("%s: open %v", name, open)
		}
	}
}

// A text is not lost by an error, and is sent once.
func TestAFormStaysUntilItIsDone(t *testing.T) {
	t.Parallel()
	w := newForm(t, 80, 24, "t").press("'hello", "Enter", "Enter", "'more")
	asked := w.host.takeAsked()
	if len(asked) != 1 || w.over == nil {
		t.Fatalf("asked %v", asked)
	}
	number := asked[0].(Tell).Number
	w.Update(SentMsg{Number: number - 1, Said: "an older one"})
	if w.over == nil {
		t.Fatal("closed by the answer to another form")
	}
	w.Update(SentMsg{Number: number, Problem: "cleo has ended"})
	if text := shows(w); !strings.Contains(text, "cleo has ended") || !strings.Contains(text, "hello") || strings.Contains(text, "hellomore") {
		t.Errorf("%s", text)
	}
	w.press("Enter")
	if len(w.host.takeAsked()) != 1 {
		t.Error("not sent again")
	}
	w.Update(SentMsg{Number: number, Said: "cleo gets it"})
	if text := shows(w); w.over != nil || !strings.Contains(text, "cleo gets it") {
		t.Errorf("open %v\n%s", w.over != nil, text)
	}
}

func TestAFormFollowsWhoIsThere(t *testing.T) {
	t.Parallel()
	w := newForm(t, 80, 24, "t").press("Up", "'x")
	s := tenAgents()
	s.Panes[0].Agent = ""
	w.Update(StateMsg{s})
	f := w.over.(*form)
	if f.list[f.at].pane.ID != "p2" {
		t.Errorf("%s is chosen", f.list[f.at].pane.ID)
	}
	w.Update(TokenMsg{keys.Token{Kind: keys.PasteText, Raw: []byte("two\nlines")}})
	if got := f.input.value(); got != "xtwo lines" {
		t.Errorf("%q", got)
	}
	w = newWorld(t, 80, 24, oneShell(), Settings{}).press("C-a", "g", "'x", "Enter")
	if text := shows(w); !strings.Contains(text, "there is no other agent") {
		t.Errorf("%s", text)
	}
	w = newWorld(t, 80, 24, threePanes(), Settings{ReadOnly: true}).press("C-a", "t")
	if w.over != nil {
		t.Error("a read-only client has a form")
	}
}

func TestTheTaskLeadsToItsAgent(t *testing.T) {
	t.Parallel()
	w := newTasks(t, 80, 24).press("Down", "Down", "Enter")
	if w.over != nil || w.where.focus() != "p4" {
		t.Errorf("open %v, focus %s", w.over != nil, w.where.focus())
	}
	w = newTasks(t, 80, 24).press("a")
	if diff := cmp.Diff([]Request{ListTasks{From: "p3"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.Update(TasksMsg{From: "p3", Problem: "the memory can't be opened"})
	if text := shows(w); !strings.Contains(text, "can't be opened") {
		t.Errorf("%s", text)
	}
	if w.press("Escape"); w.over != nil {
		t.Error("it is still open")
	}
}

// shows is the screen as text.
func shows(w *world) string {
	c, _, _ := w.draw()
	return plain(c)
}
