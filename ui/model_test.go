package ui

import (
	"strings"
	"testing"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

func TestKeysGoToThePaneUntouched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	w.Update(TokenMsg{keys.Token{Kind: keys.Text, Raw: []byte("ls \xff é")}})
	w.press("Up")
	if diff := cmp.Diff([]string{"p1:ls \xff é", "p1:\x1b[A"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestThePrefixTakesOneKeyOfARunOfText(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "'cls")
	if diff := cmp.Diff([]string{"p1:ls"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Request{NewTab{"p1"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestAKeyWithoutActionAfterThePrefixGoesNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "Escape", "C-a", "Q")
	if typed := w.host.takeTyped(); typed != nil {
		t.Errorf("typed %q", typed)
	}
	if !strings.Contains(w.notice.text, "C-a Q") {
		t.Errorf("notice %q", w.notice.text)
	}
	w.press("x")
	if diff := cmp.Diff([]string{"p1:x"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestThePrefixTwiceIsTypedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "C-a", "x")
	if diff := cmp.Diff([]string{"p1:\x01", "p1:x"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestResizingGoesOnForAMomentWithoutThePrefix(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "H", "H", "C-Left")
	if n := len(w.host.takeAsked()); n != 3 {
		t.Errorf("%d requests", n)
	}
	w.Update(repeatEndedMsg{w.prefix.turn - 1})
	w.press("L")
	if n := len(w.host.takeAsked()); n != 1 {
		t.Error("a timer of the past ended it")
	}
	w.Update(repeatEndedMsg{w.prefix.turn})
	w.press("H")
	if diff := cmp.Diff([]string{"p1:H"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestAnEndedPaneSaysSoWhenTypedIn(t *testing.T) {
	t.Parallel()
	s := threePanes()
	s.Panes[0].Ended, s.Panes[0].Exit = true, "exit 3"
	w := newWorld(t, 80, 24, s, Settings{}).press("x")
	if !strings.Contains(w.notice.text, "exit 3") || w.host.takeTyped() != nil {
		t.Errorf("notice %q", w.notice.text)
	}
	w.press("C-a", "R", "C-a", "x")
	if diff := cmp.Diff([]Request{Restart{Pane: "p1"}, Close{"p1"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestPasteGoesToThePaneOrToTheInputThatIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	paste := func() {
		w.Update(TokenMsg{keys.Token{Kind: keys.PasteStart, Raw: []byte("\x1b[200~")}})
		w.Update(TokenMsg{keys.Token{Kind: keys.PasteText, Raw: []byte("y\x1bz")}})
		w.Update(TokenMsg{keys.Token{Kind: keys.PasteEnd, Raw: []byte("\x1b[201~")}})
	}
	paste()
	if diff := cmp.Diff([]string{"p1:\x1b[200~", "p1:y\x1bz", "p1:\x1b[201~"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	w.press("C-a", ",")
	paste()
	w.press("Enter", "C-a", "x")
	paste() // into a question: no answer
	if diff := cmp.Diff([]Request{Rename{"p1", "yz"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	if w.over == nil || w.host.takeTyped() != nil {
		t.Error("a paste answered a question")
	}
}

func TestFocusIsToldToProgramsAndServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "o")
	if diff := cmp.Diff([]string{"p1:\x1b[O", "p2:\x1b[I"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	use := w.host.asked[len(w.host.asked)-1]
	want := Use{Tab: "t1", Pane: "p2", Sizes: []layout.Place{
		{Pane: "p1", Rect: layout.Rect{X: 26, Y: 2, W: 27, H: 21}},
		{Pane: "p2", Rect: layout.Rect{X: 54, Y: 2, W: 26, H: 10}},
		{Pane: "p3", Rect: layout.Rect{X: 54, Y: 13, W: 26, H: 10}}}}
	if diff := cmp.Diff(want, use); diff != "" {
		t.Error(diff)
	}
	w.Update(TokenMsg{keys.Token{Kind: keys.FocusOut}})
	w.press("C-a", "o")
	w.Update(TokenMsg{keys.Token{Kind: keys.FocusIn}})
	if diff := cmp.Diff([]string{"p2:\x1b[O", "p3:\x1b[I"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

// TestAFocusThatIsLostEarlyIsToldToTheServer, before the client knows of any pane.
func TestAFocusThatIsLostEarlyIsToldToTheServer(t *testing.T) {
	t.Parallel()
	host := &fakeHost{screens: map[layout.PaneID]*fakeScreen{}}
	m := New(host, Settings{})
	m.Update(TokenMsg{keys.Token{Kind: keys.FocusOut}})
	m.Update(TokenMsg{keys.Token{Kind: keys.FocusIn}})
	if diff := cmp.Diff([]Request{Away{true}, Away{false}}, host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestTypingTakesASizeBackFromAnotherClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, oneShell(), Settings{})
	w.host.screens["p1"] = newFakeScreen(20, 5, "$")
	w.draw()
	w.host.asked = nil
	w.press("x")
	if len(w.host.asked) != 1 {
		t.Errorf("asked %v", w.host.asked)
	}
}

func TestAVanishedPaneLeavesTheFocusToTheOneBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "o", "C-a", "o", "C-a", "z")
	s := threePanes()
	s.Tabs[0].Root = s.Tabs[0].Root.Remove("p3")
	s.Panes = append(s.Panes[:2:2], s.Panes[3])
	w.Update(StateMsg{s})
	if w.where.focus() != "p2" || w.where.zoomed() {
		t.Errorf("focus %s, zoomed %v", w.where.focus(), w.where.zoomed())
	}
	s.Tabs, s.Panes = s.Tabs[1:], s.Panes[2:]
	w.Update(StateMsg{s})
	if w.where.focus() != "p4" {
		t.Errorf("focus %s", w.where.focus())
	}
	w.Update(StateMsg{State{Session: "main"}})
	w.draw()
	w.press("x", "C-a", "%")
	if w.notice.text != "no pane here" {
		t.Errorf("notice %q", w.notice.text)
	}
}

func TestAPaneIsShownAsSoonAsItIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	w.Update(FocusMsg{"p9"})
	s := threePanes()
	s.Tabs = append(s.Tabs, Tab{ID: "t9", Name: "new", Root: layout.Leaf("p9")})
	s.Panes = append(s.Panes, shell("p9", "t9", "eve"))
	w.Update(StateMsg{s})
	if w.where.focus() != "p9" || w.where.tab() != "t9" {
		t.Errorf("focus %s in %s", w.where.focus(), w.where.tab())
	}
}

func TestEachSessionKeepsItsPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "o")
	other := State{Session: "notes", Sessions: []string{"main", "notes"},
		Tabs: []Tab{{ID: "t7", Name: "n", Root: layout.Leaf("p7")}}, Panes: []Pane{shell("p7", "t7", "gwen")}}
	w.Update(StateMsg{other})
	if w.where.focus() != "p7" {
		t.Errorf("focus %s", w.where.focus())
	}
	w.Update(StateMsg{threePanes()})
	if w.where.focus() != "p2" {
		t.Errorf("focus %s", w.where.focus())
	}
}

func TestNoticesAndWhichKeyObeyOnlyTheirOwnTimer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	w.Update(NoticeMsg{"one", false})
	old := w.notice.turn
	w.Update(NoticeMsg{"two", true})
	w.Update(noticeEndedMsg{old})
	if w.notice.text != "two" {
		t.Error("an old timer took the notice away")
	}
	w.Update(noticeEndedMsg{w.notice.turn})
	if w.notice.text != "" {
		t.Error("the notice stays")
	}
	w.press("C-a")
	turn := w.prefix.turn
	w.press("o")
	w.Update(whichKeyMsg{turn})
	if w.over != nil {
		t.Error("the list of keys came after its key")
	}
	w.press("C-a")
	w.Update(whichKeyMsg{w.prefix.turn})
	if w.over == nil {
		t.Fatal("no list of keys")
	}
	w.press("o")
	if w.over != nil || w.where.focus() != "p3" {
		t.Error("the key after the list did not count")
	}
}

func TestTheOuterTitleIsClean(t *testing.T) {
	t.Parallel()
	s := oneShell()
	s.Panes[0].Title = "a\x1b]2;b\u202ec"
	_, _, title := newWorld(t, 80, 24, s, Settings{}).draw()
	if title != "deck · main · ada: a]2;bc" {
		t.Errorf("%q", title)
	}
}

func TestHeldFramesKeepWhatWasShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 60, 20, oneShell(), Settings{})
	before, _, _ := w.draw()
	s := w.host.screens["p1"]
	s.held = true
	s.print("half of a frame")
	w.press("C-a", "x")
	w.draw()
	w.press("n")
	w.notice.text = ""
	after, _, _ := w.draw()
	if diff := cmp.Diff(plain(before), plain(after)); diff != "" {
		t.Error(diff)
	}
	s.held = false
	c, _, _ := w.draw()
	if !strings.Contains(plain(c), "half of a frame") {
		t.Error("the frame was lost")
	}
}

func TestANameThatNobodyGaveIsNotTheBeginningOfOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, oneShell(), Settings{}).press("C-a", "T", "'work", "Enter")
	if diff := cmp.Diff([]Request{RenameTab{"t1", "work"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestAFullTableStartsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	for i := range uint32(maxStyles + 1) {
		w.canvas.Table.StyleID(screen.Style{Fg: screen.RGB(byte(i>>16), byte(i>>8), byte(i))})
	}
	after, cursor, title := w.draw()
	if styles, _, _ := w.canvas.Table.Len(); styles > 100 {
		t.Errorf("%d styles are left", styles)
	}
	fresh := newWorld(t, 80, 24, threePanes(), Settings{})
	want, _, _ := fresh.draw()
	if diff := cmp.Diff(render(want, cursor, title), render(after, cursor, title)); diff != "" {
		t.Error(diff)
	}
}

// TestATitleKeepsTheNickOfWhatEnded: how a program ended is also in the status
// line; whose it was is not.
func TestATitleKeepsTheNickOfWhatEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cols int
		want string
	}{{80, "[ended exit 3]"}, {46, "[exit 3]"}, {34, "ada"}} {
		s := threePanes()
		s.Panes[0].Ended, s.Panes[0].Exit = true, "exit 3"
		w := newWorld(t, c.cols, 12, s, Settings{}).press("C-a", "s")
		w.fit()
		canvas, _, _ := w.draw()
		q, _ := w.geo.place("p1")
		title := string([]rune(strings.Split(plain(canvas), "\n")[q.Y])[q.X : q.X+q.W])
		for _, want := range []string{"1 × ada", c.want} {
			if !strings.Contains(title, want) {
				t.Errorf("%d columns: no %s in %s", c.cols, want, title)
			}
		}
	}
}

// TestANewClientBeginsWhereTheTabsWereLeft: focus and zoom of each tab come back
// with whoever attaches again.
func TestANewClientBeginsWhereTheTabsWereLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "o", "C-a", "z")
	use, _ := w.host.asked[len(w.host.asked)-1].(Use)
	if use.Pane != "p2" || !use.Zoomed {
		t.Fatalf("told %+v", use)
	}
	s := threePanes()
	s.Tabs[0].Used, s.Tabs[0].Zoomed = use.Pane, use.Zoomed
	w = newWorld(t, 80, 24, s, Settings{})
	w.Update(FocusMsg{"p2"})
	if w.where.focus() != "p2" || !w.where.zoomed() {
		t.Errorf("begins at %s, zoomed %v", w.where.focus(), w.where.zoomed())
	}
	w.Update(FocusMsg{"p3"})
	w.Update(StateMsg{s})
	if w.where.focus() != "p3" || w.where.zoomed() {
		t.Errorf("is taken back to %s, zoomed %v", w.where.focus(), w.where.zoomed())
	}
	s.Tabs[0].Used = "gone"
	if w = newWorld(t, 80, 24, s, Settings{}); w.where.focus() != "p1" || w.where.zoomed() {
		t.Errorf("without the pane it begins at %s, zoomed %v", w.where.focus(), w.where.zoomed())
	}
}
