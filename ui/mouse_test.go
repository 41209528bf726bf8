package ui

import (
	"strings"
	"testing"

	"deck/term/keys"
	"deck/term/layout"

	"github.com/google/go-cmp/cmp"
)

func TestClicksFocusPanesTabsAndAgents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	for _, c := range []struct {
		x, y int
		want layout.PaneID
	}{{60, 5, "p2"}, {60, 12, "p3"}, {30, 1, "p1"}, {3, 4, "p2"}, {3, 7, "p3"}, {3, 9, "p4"}, {3, 1, "p3"}, {12, 0, "p4"}, {2, 0, "p3"}, {79, 0, "p3"}, {5, 23, "p3"}} {
		w.click(c.x, c.y)
		if w.where.focus() != c.want {
			t.Errorf("a click at %d,%d focuses %s, not %s", c.x, c.y, w.where.focus(), c.want)
		}
	}
	for _, r := range w.host.takeAsked() {
		t.Errorf("asked for %#v", r)
	}
}

func TestAProgramGetsTheMouseItAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	w.host.screens["p2"].modes.Mouse = keys.MouseButton
	w.host.takeTyped()
	w.pull(60, 5, 20, 20)
	want := []string{"p2:mouse 6,3", "p2:mouse 0,9", "p2:mouse 0,9"}
	var got []string
	for _, s := range w.host.takeTyped() {
		if s != "p1:\x1b[O" && s != "p2:\x1b[I" {
			got = append(got, s)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if w.drag.kind != noDrag {
		t.Error("the mouse is still held")
	}
	if !w.WantsMotion() {
		w.host.screens["p2"].modes.Mouse = keys.MouseAny
	}
	if !w.WantsMotion() {
		t.Error("motion is not wanted")
	}
	w.mouseAt(keys.Mouse{X: 61, Y: 6, Motion: true})
	if diff := cmp.Diff([]string{"p2:mouse 7,4"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestADragSelectsWithinItsPane(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	w.pull(26+2, 2, 79, 3) // ends in another pane
	if diff := cmp.Diff([]Request{Copy{"src/deck $ make test\nok   deck/ui"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	if w.copying != nil {
		t.Error("copy mode goes on")
	}
	w.host.screens["p1"].modes.Mouse = keys.MouseAny
	for _, mo := range []keys.Mouse{{X: 26, Y: 3, Button: keys.ButtonLeft}, {X: 27, Y: 3, Button: keys.ButtonLeft, Motion: true},
		{X: 27, Y: 3, Button: keys.ButtonLeft, Release: true}} {
		mo.Mods = keys.Shift
		w.mouseAt(mo)
	}
	if diff := cmp.Diff([]Request{Copy{"ok"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestADragMovesABorder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	for _, c := range []struct {
		x, y, tox, toy int
		pane           int
		want           layout.Rect
	}{
		{53, 5, 60, 9, 0, layout.Rect{X: 26, Y: 1, W: 34, H: 22}},
		{60, 12, 62, 15, 2, layout.Rect{X: 54, Y: 15, W: 26, H: 8}},
	} {
		w.mouseAt(keys.Mouse{X: c.x, Y: c.y, Button: keys.ButtonLeft})
		// Two events before an answer do not add up.
		w.mouseAt(keys.Mouse{X: c.x + 1, Y: c.y + 1, Button: keys.ButtonLeft, Motion: true})
		w.mouseAt(keys.Mouse{X: c.tox, Y: c.toy, Button: keys.ButtonLeft, Motion: true})
		w.mouseAt(keys.Mouse{X: c.tox, Y: c.toy, Button: keys.ButtonLeft, Release: true})
		asked := w.host.takeAsked()
		l, ok := asked[len(asked)-1].(Layout)
		if !ok {
			t.Fatalf("asked for %#v", asked)
		}
		if got := l.Root.Arrange(w.geo.area)[c.pane].Rect; got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

func TestTheMouseInOverlays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", "w")
	w.click(10, 12)
	if w.over != nil || w.where.focus() != "p4" {
		t.Errorf("a click on a row: focus %s", w.where.focus())
	}
	for _, open := range []string{"w", "?", "x", ",", "q"} {
		w.press("C-a", open)
		if w.over == nil {
			t.Fatalf("%s opens nothing", open)
		}
		w.mouseAt(keys.Mouse{X: 40, Y: 12, Button: keys.WheelDown})
		w.draw()
		w.click(0, 0)
		if w.over != nil {
			t.Errorf("a click beside the box of %s leaves it open", open)
		}
	}
	if asked := w.host.takeAsked(); asked != nil {
		t.Errorf("asked for %v", asked)
	}
}

func TestTwoClicksCopyAWordAndThreeALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	w.click(30, 2).click(30, 2).click(30, 2)
	if diff := cmp.Diff([]Request{Copy{"~/src/deck"}, Copy{"~/src/deck $ make test"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.click(60, 8).click(60, 8) // in the middle of wide characters
	w.click(30, 3)
	w.Update(clickEndedMsg{w.clicks.turn})
	w.click(30, 3).click(33, 3)
	if diff := cmp.Diff([]Request{Copy{"日本語"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	if w.copying != nil {
		t.Error("copy mode goes on")
	}
	w.host.takeTyped()
	w.mouseAt(keys.Mouse{X: 30, Y: 3, Button: keys.ButtonMiddle})
	if diff := cmp.Diff([]string{"p1:\x1b[200~", "p1:日本語", "p1:\x1b[201~"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

// TestWordsBesideWideCharacters: columns are counted, not characters.
func TestWordsBesideWideCharacters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 20, oneShell(), Settings{})
	in := inner(w.geo.places[0].Rect)
	w.host.screens["p1"] = newFakeScreen(in.W, in.H, "one 🤔 two 🦀🦀 three-Four e\u0301t\u0301 five")
	w.draw()
	for _, x := range []int{7, 9, 16, 25, 27, 30} {
		w.click(in.X+x, in.Y).click(in.X+x, in.Y)
		w.Update(clickEndedMsg{w.clicks.turn})
	}
	want := []Request{Copy{"two"}, Copy{"two"}, Copy{"three-Four"}, Copy{"three-Four"}, Copy{"e\u0301t\u0301"}, Copy{"five"}}
	if diff := cmp.Diff(want, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

// TestClicksTakeWhatIsWrappedAsOne: an address that does not fit into a row is
// copied whole, whichever of its rows is clicked.
func TestClicksTakeWhatIsWrappedAsOne(t *testing.T) {
	t.Parallel()
	for row := range 3 {
		w := newWorld(t, 60, 20, oneShell(), Settings{})
		in := inner(w.geo.places[0].Rect)
		s := newFakeScreen(in.W, in.H, "before")
		a, b, c := "see https://"+strings.Repeat("a", in.W-len("see https://")-1), "日"+strings.Repeat("b", in.W-2), "c (end)"
		s.print(a + "\\")
		s.print(b + "\\")
		s.print(c)
		w.host.screens["p1"] = s
		w.draw()
		x, y := in.X+5, in.Y+1+row
		if row == 2 {
			x = in.X
		}
		w.click(x, y).click(x, y).click(x, y)
		want := []Request{Copy{a[4:] + b + "c"}, Copy{a + b + c}}
		if diff := cmp.Diff(want, w.host.takeAsked()); diff != "" {
			t.Errorf("row %d: %s", row, diff)
		}
	}
}
