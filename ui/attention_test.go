package ui

import (
	"strings"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"

	"github.com/google/go-cmp/cmp"
)

// listed are the nicks of the list in its order.
func listed(m *Model) string {
	var nicks []string
	for _, w := range m.waitingList() {
		nicks = append(nicks, w.pane.Nick)
	}
	return strings.Join(nicks, " ")
}

func TestWhoNeedsAPersonIsListedByWhatForAndSinceWhen(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{})
	if got, want := listed(w.Model), "bob cleo theodora gwen dan hal"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTheNextKeyGoesRoundWhoNeedsAPerson(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{})
	var went []string
	for range 7 {
		w.press("C-a", "N")
		p, _ := w.focused()
		went = append(went, p.Nick)
	}
	if diff := cmp.Diff(strings.Fields("bob cleo theodora gwen dan hal bob"), went); diff != "" {
		t.Error(diff)
	}
	alone := newWorld(t, 80, 24, threePanes(), Settings{})
	if alone.press("C-a", "N"); alone.where.focus() != "p1" || alone.notice.text != "nobody needs you" {
		t.Errorf("focus %s, notice %q", alone.where.focus(), alone.notice.text)
	}
}

func TestTheListGoesThereDismissesAndAnswersGates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys   []string
		asks   []Request
		notice string
		focus  layout.PaneID
	}{
		{[]string{"Enter"}, nil, "", "p2"},
		{[]string{"Down", "j", "Up", "k", "Enter"}, nil, "", "p2"},
		{[]string{"PageDown", "Enter"}, nil, "", "p8"},
		{[]string{"x"}, nil, "bob waits for you", "p1"},
		{[]string{"y"}, []Request{Ask{"p2"}}, "", "p1"},
		{[]string{"a"}, []Request{Ask{"p2"}}, "", "p1"},
		{[]string{"j", "j", "n"}, nil, "theodora holds at no gate", "p1"},
		{[]string{"j", "j", "j", "y"}, []Request{Gate{"p7", "7-1", true}}, "", "p1"},
		{[]string{"j", "j", "j", "n"}, []Request{Gate{"p7", "7-1", false}}, "", "p1"},
		{[]string{"j", "j", "j", "j", "x", "j", "x"}, []Request{Dismiss{"p4"}, Dismiss{"p8"}}, "", "p1"},
	} {
		w := newAgents(t, 80, 24, Settings{}).press("C-a", "i")
		w.draw()
		w.press(c.keys...)
		if diff := cmp.Diff(c.asks, w.host.takeAsked()); diff != "" {
			t.Errorf("%v: %s", c.keys, diff)
		}
		if !strings.Contains(w.notice.text, c.notice) || w.notice.text != "" && c.notice == "" {
			t.Errorf("%v: notice %q", c.keys, w.notice.text)
		}
		if got := w.where.focus(); got != c.focus {
			t.Errorf("%v: focus %s", c.keys, got)
		}
		if w.press("Escape"); w.over != nil {
			t.Errorf("%v: still open", c.keys)
		}
	}
}

// An answer is for what was on the screen when the key was pressed.
func TestAGateThatChangedUnderTheKeyIsNotAnswered(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{}).press("C-a", "i", "j", "j", "j")
	w.draw()
	s := tenAgents()
	s.Panes[6].Status.Request.ID = "7-2"
	w.Update(StateMsg{s})
	w.press("y")
	if asked := w.host.takeAsked(); asked != nil || !strings.Contains(w.notice.text, "changed") {
		t.Errorf("asked %v, notice %q", asked, w.notice.text)
	}
	w.draw()
	w.press("y")
	if diff := cmp.Diff([]Request{Gate{"p7", "7-2", true}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestAReadOnlyClientLooksAndSnoozesOnly(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{ReadOnly: true}).press("C-a", "i", "j", "j", "j")
	w.draw()
	w.press("y", "n", "x", "j", "x", "s")
	if asked := w.host.takeAsked(); asked != nil {
		t.Errorf("asked %v", asked)
	}
	if len(w.snoozed) != 1 {
		t.Errorf("snoozed %v", w.snoozed)
	}
}

func TestASnoozedMatterComesBack(t *testing.T) {
	t.Parallel()
	snoozed := func() *world {
		w := newAgents(t, 80, 24, Settings{}).press("C-a", "i", "s", "Escape")
		if got, want := listed(w.Model), "cleo theodora gwen dan hal bob"; got != want {
			t.Fatalf("%q, want %q", got, want)
		}
		if w.press("C-a", "N"); w.where.focus() != "p3" {
			t.Errorf("next is %s", w.where.focus())
		}
		return w
	}
	after := snoozed()
	after.Update(ClockMsg{noon.Add(snoozeFor)})
	changed := snoozed()
	s := tenAgents()
	s.Panes[1].Status.Request.ID, s.Panes[1].Status.Since = "1-2", noon.Add(-2*time.Minute)
	changed.Update(StateMsg{s})
	woken := snoozed().press("C-a", "i")
	woken.draw()
	woken.press("PageDown", "s", "Escape")
	for name, w := range map[string]*world{"after ten minutes": after, "another question": changed, "by the key": woken} {
		if got, want := listed(w.Model), "bob cleo theodora gwen dan hal"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestTheChosenOneStaysChosen(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{}).press("C-a", "i", "j", "j")
	s := tenAgents()
	s.Panes[1].Status = lifecycle.Status{State: lifecycle.Working}
	w.Update(StateMsg{s})
	if a := w.over.(*attention); a.at != "p10" || a.row != 1 {
		t.Errorf("%s at %d", a.at, a.row)
	}
	s = tenAgents()
	s.Panes[9].Status.State = lifecycle.Idle
	w.Update(StateMsg{s})
	if a := w.over.(*attention); a.at != "p3" {
		t.Errorf("%s after the chosen one is gone", a.at)
	}
	w.Update(StateMsg{threePanes()})
	w.press("Enter", "x", "s", "y", "j")
	if a := w.over.(*attention); a.at != "" || w.host.takeAsked() != nil {
		t.Errorf("%q in an empty list", a.at)
	}
}

func TestTheMouseInTheList(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{}).press("C-a", "i")
	w.draw()
	r := w.over.(*attention).rect(layout.Rect{W: 80, H: 24})
	w.mouseAt(keys.Mouse{X: r.X + 3, Y: r.Y + 3, Button: keys.WheelDown})
	if a := w.over.(*attention); a.at != "p3" {
		t.Errorf("the wheel chose %s", a.at)
	}
	if w.click(r.X+5, r.Y+r.H-2); w.over == nil {
		t.Error("a click on the line of keys closes")
	}
	if w.click(r.X+5, r.Y+6); w.over != nil || w.where.focus() != "p10" {
		t.Errorf("focus %s", w.where.focus())
	}
	if w.press("C-a", "i").click(0, 0); w.over != nil {
		t.Error("a click beside it leaves it open")
	}
	narrow := newAgents(t, 60, 20, Settings{}).click(5, 1)
	if _, ok := narrow.over.(*attention); !ok {
		t.Error("a click on the summary does not open the list")
	}
}
