package ui

import (
	"fmt"
	"strings"
	"testing"

	"deck/term/keys"
	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

// history is a client that looks at one pane of 60×16 with 100 lines.
func history(t *testing.T) (*world, *fakeScreen) {
	t.Helper()
	w := newWorld(t, 60, 20, oneShell(), Settings{})
	in := inner(w.geo.places[0].Rect)
	s := newFakeScreen(in.W, in.H)
	for i := range 100 {
		s.print(fmt.Sprintf("line %02d", i))
	}
	s.cursor.Y = in.H - 1
	w.host.screens["p1"] = s
	w.draw()
	return w, s
}

// rows returns what the pane shows, without the chrome.
func (w *world) rows() []string {
	c, _, _ := w.draw()
	in := inner(w.geo.places[0].Rect)
	lines := strings.Split(plain(c), "\n")[in.Y : in.Y+in.H]
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func TestOutputDoesNotMoveAViewOfTheHistory(t *testing.T) {
	t.Parallel()
	w, s := history(t)
	w.press("C-a", "[", "PageUp", "PageUp")
	before := w.rows()
	if before[0] != "line 52" {
		t.Fatalf("the view begins with %q", before[0])
	}
	for i := range 30 {
		s.print(fmt.Sprint("more ", i))
	}
	if diff := cmp.Diff(before, w.rows()); diff != "" {
		t.Error(diff)
	}
	// The history is full: its oldest lines go.
	s.lines, s.dropped = s.lines[20:], 20
	s.gen++
	if diff := cmp.Diff(before, w.rows()); diff != "" {
		t.Error(diff)
	}
	w.press("q")
	if got := w.rows(); got[len(got)-1] != "more 29" {
		t.Errorf("the live screen ends with %q", got[len(got)-1])
	}
}

func TestKeysOfCopyModeMoveTheCursor(t *testing.T) {
	t.Parallel()
	w, _ := history(t)
	w.press("C-a", "[")
	for _, c := range []struct {
		key  string
		want point
	}{
		{"g", point{0, 0}}, {"G", point{0, 99}}, {"k", point{0, 98}}, {"l", point{1, 98}}, {"End", point{6, 98}},
		{"Home", point{0, 98}}, {"w", point{5, 98}}, {"w", point{0, 99}}, {"b", point{5, 98}}, {"b", point{0, 98}},
		{"b", point{5, 97}}, {"H", point{0, 84}}, {"L", point{0, 99}}, {"M", point{0, 92}}, {"C-u", point{0, 84}}, {"C-d", point{0, 92}},
		{"PageUp", point{0, 76}}, {"PageDown", point{0, 92}}, {"Up", point{0, 91}}, {"Left", point{0, 91}}, {"$", point{6, 91}}, {"h", point{5, 91}},
	} {
		w.press(c.key)
		if w.copying.at != c.want {
			t.Errorf("%s: %v, want %v", c.key, w.copying.at, c.want)
		}
	}
	if typed := w.host.takeTyped(); typed != nil {
		t.Errorf("typed %q", typed)
	}
	w.press("q", "x")
	if diff := cmp.Diff([]string{"p1:x"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
}

func TestSearchGoesThroughTheHistory(t *testing.T) {
	t.Parallel()
	w, s := history(t)
	w.press("C-a", "[", "?", "'LINE 4", "Enter")
	if len(w.copying.search.hits) != 0 || !strings.Contains(w.notice.text, "not found") {
		t.Error("a capital letter did not make the case count")
	}
	w.press("?", "'ine 4", "Enter")
	if w.copying.at != (point{1, 49}) || len(w.copying.search.hits) != 10 {
		t.Errorf("at %v, %d hits", w.copying.at, len(w.copying.search.hits))
	}
	w.press("n")
	if w.copying.at != (point{1, 48}) {
		t.Errorf("next: %v", w.copying.at)
	}
	w.press("N", "N")
	if w.copying.at != (point{1, 40}) || !strings.Contains(w.notice.text, "round") {
		t.Errorf("round the end: %v, %q", w.copying.at, w.notice.text)
	}
	s.print("line 4 again")
	w.press("n")
	if len(w.copying.search.hits) != 11 || w.copying.at != (point{1, 100}) {
		t.Errorf("new output is not searched: %v", w.copying.at)
	}
	at := w.copying.at
	w.press("/", "'02", "Escape")
	if w.copying.at != at {
		t.Errorf("an abandoned search left the cursor at %v", w.copying.at)
	}
}

func TestAHitMayLieOverTheEndOfASoftWrappedRow(t *testing.T) {
	t.Parallel()
	w, s := history(t)
	s.print(strings.Repeat("-", 57) + "abc\\")
	s.print("def and more")
	w.press("C-a", "[", "?", "'abcdef", "Enter")
	want := map[int][]segment{100: {{57, 3, 0}}, 101: {{0, 3, 0}}}
	if diff := cmp.Diff(want, w.copying.search.lines, cmp.AllowUnexported(segment{})); diff != "" {
		t.Error(diff)
	}
	c, _, _ := w.draw()
	in := inner(w.geo.places[0].Rect)
	marked := 0
	for y := in.Y; y < in.Y+in.H; y++ {
		for _, cell := range c.Row(y) {
			if c.Table.Style(cell.Style).Bg == screen.Palette(6) {
				marked++
			}
		}
	}
	if marked != 6 {
		t.Errorf("%d cells are marked", marked)
	}
}

func TestCopyJoinsSoftWrappedRows(t *testing.T) {
	t.Parallel()
	w, s := history(t)
	s.print("日本 " + strings.Repeat("x", 55) + "\\")
	s.print("tail   ")
	s.print("last")
	w.press("C-a", "[", "L", "Up", "Up", "V", "Down", "Down", "y")
	long := "日本 " + strings.Repeat("x", 55) + "tail\nlast\n"
	if diff := cmp.Diff([]Request{Copy{long}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	if w.copying != nil {
		t.Error("copy mode goes on")
	}
	w.press("C-a", "]")
	if diff := cmp.Diff([]string{"p1:\x1b[200~", "p1:" + long, "p1:\x1b[201~"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	w.press("C-a", "[", "y", "L", "Up", "Up", "l", "v", "l", "Enter")
	if diff := cmp.Diff([]Request{Copy{"日本"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestTheWheelScrollsAndTypingGoesBack(t *testing.T) {
	t.Parallel()
	w, s := history(t)
	up := keys.Mouse{X: 5, Y: 10, Button: keys.WheelUp}
	w.mouseAt(up).mouseAt(up)
	if got := w.rows()[0]; got != "line 78" {
		t.Errorf("the view begins with %q", got)
	}
	if chip, _ := w.chip(); chip != "PANE" {
		t.Errorf("chip %s", chip)
	}
	w.press("x")
	if w.copying != nil || !cmp.Equal(w.host.takeTyped(), []string{"p1:x"}) {
		t.Error("typing did not go back to the program")
	}
	w.mouseAt(up)
	down := up
	down.Button = keys.WheelDown
	w.mouseAt(down)
	if w.copying != nil {
		t.Error("back at the bottom the look back goes on")
	}
	s.modes.AltScreen = true
	w.mouseAt(up)
	if diff := cmp.Diff([]string{"p1:mouse 5,7"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	s.modes = keys.Modes{Mouse: keys.MouseNormal}
	w.mouseAt(up)
	if diff := cmp.Diff([]string{"p1:mouse 5,7"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	up.Mods = keys.Shift
	w.mouseAt(up)
	if w.copying == nil || w.host.takeTyped() != nil {
		t.Error("with Shift the wheel is not deck's")
	}
}

func TestARestartEndsTheLookAtWhatWasThere(t *testing.T) {
	t.Parallel()
	w, _ := history(t)
	w.press("C-a", "[", "PageUp")
	w.host.screens["p1"] = newFakeScreen(60, 16, "new")
	if got := w.rows()[0]; got != "new" || w.copying != nil {
		t.Errorf("shows %q", got)
	}
}

func TestAnotherWidthDropsWhatWasFoundAndSelected(t *testing.T) {
	t.Parallel()
	w, s := history(t)
	w.press("C-a", "[", "?", "'line 9", "Enter", "v")
	s.cols = 50
	s.gen++
	w.draw()
	if w.copying.anchor != nil || w.copying.search.hits != nil {
		t.Error("marks of other rows are left")
	}
	w.press("n")
	if len(w.copying.search.hits) != 10 {
		t.Errorf("%d hits", len(w.copying.search.hits))
	}
}

// TestASelectionScrollsOnWhileTheMouseIsHeldBeyondTheEdge: a mouse that is held
// still sends nothing.
func TestASelectionScrollsOnWhileTheMouseIsHeldBeyondTheEdge(t *testing.T) {
	t.Parallel()
	w, _ := history(t)
	in := inner(w.geo.places[0].Rect)
	w.mouseAt(keys.Mouse{X: in.X + 3, Y: in.Y + 2, Button: keys.ButtonLeft})
	up := keys.Mouse{X: in.X, Y: in.Y - 1, Button: keys.ButtonLeft, Motion: true}
	w.mouseAt(up)
	first := w.drag.edge
	if first == 0 {
		t.Fatal("nothing scrolls on")
	}
	for range 10 {
		w.Update(edgeMsg{first})
	}
	if got := w.rows()[0]; got != "line 73" {
		t.Errorf("the view begins with %q", got)
	}
	w.mouseAt(keys.Mouse{X: in.X, Y: in.Y + 1, Button: keys.ButtonLeft, Motion: true})
	w.Update(edgeMsg{first})
	if got := w.rows()[0]; got != "line 73" {
		t.Errorf("back in the pane it scrolls on to %q", got)
	}
	w.mouseAt(up)
	w.Update(edgeMsg{first}) // of the past
	for range 200 {
		w.Update(edgeMsg{w.drag.edge})
	}
	if got := w.rows()[0]; got != "line 00" || w.drag.edge != 0 {
		t.Errorf("at the top %q, timer %d", got, w.drag.edge)
	}
	w.mouseAt(keys.Mouse{X: in.X, Y: in.Y - 1, Button: keys.ButtonLeft, Release: true})
	if got := w.host.takeAsked(); len(got) != 1 || !strings.HasPrefix(got[0].(Copy).Text, "line 00\nline 01\n") {
		t.Errorf("asked %v", got)
	}
}
