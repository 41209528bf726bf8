package ui

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/keys"
)

// shellAsked is a request for a command as its dialog is drawn.
func shellAsked() Asked {
	return Asked{ID: "1-1-aabbccdd", Matter: "1-1", Tool: "Bash", Yes: 1, No: 3,
		Rows: []string{" Bash command", "", "   rm -rf build && make install", "", " Do you want to proceed?"},
		Options: []Option{{Text: "Yes", Chosen: true}, {Text: "Yes, and don't ask again for make", Note: "in this folder"},
			{Text: "No"}}}
}

// editAsked is a request for a change that its hook told.
func editAsked() Asked {
	diff := []string{"@@ -10,3 +10,40 @@", " // parse reads s.", "-func parse(s string) {", "+func parse(s string) error {"}
	for range 40 {
		diff = append(diff, "+\treturn errors.New(\"a long row that goes on in the next one, since what is decided on is never cut: \x1b[31m日本語\")")
	}
	return Asked{ID: "1-1-0011", Matter: "1-1", Tool: "Edit", Yes: 1, No: 2, Hook: true,
		Edits: []Edit{{Path: "/home/ada/src/deck/parser.go", Diff: diff}}, Options: []Option{{Text: "Yes"}, {Text: "No"}}}
}

// newAnswering is a world in which bob's request is open.
func newAnswering(t testing.TB, w, h int, q Asked) *world {
	t.Helper()
	wd := newAgents(t, w, h, Settings{}).press("C-a", "y")
	wd.Update(AskedMsg{Pane: "p2", Asked: q})
	wd.host.takeAsked()
	wd.draw()
	return wd
}

func TestARequestIsAnsweredByLetterNumberOrChoice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		want int
	}{
		{[]string{"y"}, 1}, {[]string{"n"}, 3}, {[]string{"2"}, 2}, {[]string{"j", "Down", "Enter"}, 2},
		{[]string{"Enter"}, 0}, {[]string{"4"}, 0}, {[]string{"x"}, 0},
	} {
		w := newAnswering(t, 80, 24, shellAsked()).press(c.keys...)
		var want []Request
		if c.want > 0 {
			want = []Request{Answer{Pane: "p2", Request: "1-1-aabbccdd", Option: c.want}}
		}
		if diff := cmp.Diff(want, w.host.takeAsked()); diff != "" || (w.over == nil) != (c.want > 0) {
			t.Errorf("%v: open %v: %s", c.keys, w.over != nil, diff)
		}
	}
}

// What was not looked at cannot be agreed to, however fast the key comes.
func TestARequestThatChangesIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newAnswering(t, 80, 24, shellAsked())
	s := tenAgents()
	s.Panes[1].Status.Request.ID = "1-2"
	w.Update(StateMsg{s})
	w.press("y", "1", "n", "j")
	if asked := w.host.takeAsked(); asked != nil || w.over == nil {
		t.Errorf("asked %v", asked)
	}
	if !strings.Contains(w.View().Content, "the request has changed") {
		t.Error("it is not said")
	}
	w.press("Enter")
	if diff := cmp.Diff([]Request{Ask{"p2"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	q := shellAsked()
	q.ID, q.Matter = "1-2-ee", "1-2"
	w.Update(AskedMsg{Pane: "p2", Asked: q})
	w.press("y")
	if diff := cmp.Diff([]Request{Answer{Pane: "p2", Request: "1-2-ee", Option: 1}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

// An answer to the question before comes too late to fill the box again.
func TestARequestInViewIsNotReplacedUnasked(t *testing.T) {
	t.Parallel()
	w := newAnswering(t, 80, 24, shellAsked())
	w.Update(AskedMsg{Pane: "p2", Asked: editAsked()})
	w.Update(AskedMsg{Pane: "p3", Asked: editAsked()})
	if a := w.over.(*answering); a.asked.ID != "1-1-aabbccdd" {
		t.Errorf("it shows %s", a.asked.ID)
	}
}

func TestTheBoxClosesWithTheRequest(t *testing.T) {
	t.Parallel()
	w := newAnswering(t, 80, 24, shellAsked())
	s := tenAgents()
	s.Panes[1].Status = lifecycle.Status{State: lifecycle.Working}
	w.Update(StateMsg{s})
	if w.over != nil {
		t.Error("it is still open")
	}
}

func TestALongRequestScrolls(t *testing.T) {
	t.Parallel()
	w := newAnswering(t, 80, 24, editAsked())
	a := w.over.(*answering)
	for range 40 {
		w.press("PageDown")
	}
	w.draw()
	if a.top+a.fits != len(a.rows) {
		t.Errorf("row %d of %d, %d fit", a.top, len(a.rows), a.fits)
	}
	w.mouseAt(keys.Mouse{X: 40, Y: 10, Button: keys.WheelUp})
	if a.top+a.fits != len(a.rows)-3 {
		t.Errorf("row %d after the wheel", a.top)
	}
	if w.click(0, 0); w.over != nil {
		t.Error("a click beside it leaves it open")
	}
	if w := newAnswering(t, 80, 24, editAsked()).press("g"); w.over != nil || w.where.focus() != "p2" {
		t.Errorf("focus %s", w.where.focus())
	}
}

func TestAReadOnlyClientDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{ReadOnly: true}).press("C-a", "y", "C-a", "i", "a")
	if asked := w.host.takeAsked(); asked != nil || !strings.Contains(w.notice.text, "read-only") {
		t.Errorf("asked %v, notice %q", asked, w.notice.text)
	}
}
