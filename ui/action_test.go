package ui

import (
	"slices"
	"strings"
	"testing"

	"deck/term/keys"
	"deck/term/layout"

	"github.com/google/go-cmp/cmp"
)

// wants says what each action does in threePanes with the first pane focused:
// requests, or a change of the screen that did returns true for.
var wants = map[string]struct {
	asks []Request
	did  func(*world) bool
}{
	"split-right":   {asks: []Request{Split{"p1", layout.Right}}},
	"split-down":    {asks: []Request{Split{"p1", layout.Down}}},
	"focus-left":    {did: focuses("p2")}, // round the edge
	"focus-down":    {did: focuses("p1")}, // nothing is above or below
	"focus-up":      {did: focuses("p1")},
	"focus-right":   {did: focuses("p2")},
	"next-pane":     {did: focuses("p2")},
	"last-pane":     {did: focuses("p2")},
	"pane-number":   {did: func(w *world) bool { return w.press("3").where.focus() == "p3" }},
	"zoom":          {did: func(w *world) bool { return w.where.zoomed() && len(w.Visible()) == 1 }},
	"swap-previous": {asks: []Request{Swap{"p1", "p3"}}},
	"swap-next":     {asks: []Request{Swap{"p1", "p2"}}},
	"break":         {asks: []Request{Break{"p1"}}},
	"rename":        {did: answers(Rename{"p1", "new"}, "'new", "Enter")},
	"restart":       {did: notes("still running")},
	"close":         {did: answers(Close{"p1"}, "y")},
	"resize-left":   {did: movesBorder(-bigStep, 0)},
	"resize-right":  {did: movesBorder(bigStep, 0)},
	"resize-up":     {did: asksNothing},
	"resize-down":   {did: asksNothing},
	"nudge-left":    {did: movesBorder(-1, 0)},
	"nudge-right":   {did: movesBorder(1, 0)},
	"nudge-up":      {did: asksNothing},
	"nudge-down":    {did: asksNothing},
	"even":          {did: movesBorder(0, 0)},
	"launch":        {asks: []Request{ListAgents{"p1"}}},
	"answer":        {did: notes("nobody asks")},
	"new-tab":       {asks: []Request{NewTab{"p1"}}},
	"next-tab":      {did: tab("t2")},
	"previous-tab":  {did: tab("t2")},
	"last-tab":      {did: tab("t2")},
	"rename-tab":    {did: answers(RenameTab{"t1", "decknew"}, "'new", "Enter")},
	"close-tab":     {did: answers(CloseTab{"t1"}, "y")},
	"copy":          {did: func(w *world) bool { return w.copying != nil && !w.copying.passive }},
	"page-back":     {did: func(w *world) bool { return w.copying != nil && w.copying.top == 0 }},
	"paste":         {did: notes("nothing was copied")},
	"choose":        {did: func(w *world) bool { return w.press("'logs dan", "Enter").where.tab() == "t2" }},
	"sidebar":       {did: func(w *world) bool { return w.geo.side.Empty() && w.geo.area.W == 80 }},
	"attention":     {did: func(w *world) bool { _, ok := w.over.(*attention); return ok }},
	"memory":        {asks: []Request{Recall{From: "p1"}}},
	"project":       {asks: []Request{ReadProject{"p1"}}},
	"next-waiting":  {did: notes("nobody needs you")},
	"tell":          {did: opensForm(formTell)},
	"hand-off":      {did: opensForm(formHandOff)},
	"spawn":         {asks: []Request{ListAgents{"p1"}}},
	"tasks":         {asks: []Request{ListTasks{From: "p1"}}},
	"order":         {did: func(w *world) bool { return w.side.byNeed }},
	"send-prefix":   {did: func(w *world) bool { return slices.Equal(w.host.takeTyped(), []string{"p1:\x01"}) }},
	"detach":        {asks: []Request{Detach{}}},
	"reload":        {asks: []Request{Reload{}}},
	"help":          {did: func(w *world) bool { _, ok := w.over.(*helpBox); return ok }},
	"tab-1":         {did: tab("t1")},
	"tab-2":         {did: tab("t2")},
}

func focuses(id layout.PaneID) func(*world) bool {
	return func(w *world) bool { return w.where.focus() == id }
}

func tab(id TabID) func(*world) bool { return func(w *world) bool { return w.where.tab() == id } }

func notes(text string) func(*world) bool {
	return func(w *world) bool { return strings.Contains(w.notice.text, text) && len(w.host.takeAsked()) == 0 }
}

func opensForm(kind formKind) func(*world) bool {
	return func(w *world) bool { f, ok := w.over.(*form); return ok && f.kind == kind }
}

func asksNothing(w *world) bool { return len(w.host.takeAsked()) == 0 }

func answers(r Request, names ...string) func(*world) bool {
	return func(w *world) bool {
		return len(w.host.takeAsked()) == 0 && cmp.Equal(w.press(names...).host.takeAsked(), []Request{r}) && w.over == nil
	}
}

func movesBorder(dx, dy int) func(*world) bool {
	return func(w *world) bool {
		asked := w.host.takeAsked()
		if len(asked) != 1 {
			return false
		}
		l, ok := asked[0].(Layout)
		was, is := w.geo.places[0].Rect, l.Root.Arrange(w.geo.area)[0].Rect
		return ok && l.Tab == "t1" && is.W-was.W == dx && is.H-was.H == dy
	}
}

// TestEveryAction presses every default key of the table.
func TestEveryAction(t *testing.T) {
	t.Parallel()
	for _, a := range actions() {
		want, ok := wants[a.name]
		if !ok && strings.HasPrefix(a.name, "tab-") {
			want.did = notes("no tab " + strings.TrimPrefix(a.name, "tab-"))
		} else if !ok {
			t.Errorf("no test of action %s", a.name)
		}
		if a.help == "" || a.group == "" || len(a.keys) == 0 {
			t.Errorf("%s lacks a help, a group or a key", a.name)
		}
		for _, k := range a.keys {
			w := newWorld(t, 80, 24, threePanes(), Settings{}).press("C-a", k)
			if want.did != nil && !want.did(w) {
				t.Errorf("%s on %s did not do what it should; notice %q", a.name, k, w.notice.text)
			}
			if diff := cmp.Diff(want.asks, w.host.takeAsked()); want.asks != nil && diff != "" {
				t.Errorf("%s on %s: %s", a.name, k, diff)
			}
		}
	}
}

func TestAReadOnlyClientChangesNothing(t *testing.T) {
	t.Parallel()
	for _, a := range actions() {
		for _, k := range a.keys {
			w := newWorld(t, 80, 24, threePanes(), Settings{ReadOnly: true}).press("C-a", k, "y", "Enter")
			w.click(60, 10).pull(53, 3, 40, 3)
			for _, r := range w.host.takeAsked() {
				switch r.(type) {
				case Detach, SwitchSession, Copy, Recall, ReadNote, ReadProject, ListTasks:
				default:
					t.Errorf("%s asked for %#v", a.name, r)
				}
			}
			if typed := w.host.takeTyped(); typed != nil {
				t.Errorf("%s typed %q", a.name, typed)
			}
		}
	}
}

func TestDefaultKeysAreNamedOnceAndKnown(t *testing.T) {
	t.Parallel()
	b, problems := bind(Settings{})
	if problems != "" {
		t.Error(problems)
	}
	n := 0
	for _, a := range actions() {
		n += len(a.keys)
		for _, k := range a.keys {
			key, err := keys.Parse(k)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := b.find(key); got.name != a.name {
				t.Errorf("%s is %s, not %s", k, got.name, a.name)
			}
		}
	}
	if len(b.keys) != n {
		t.Errorf("%d keys bound of %d", len(b.keys), n)
	}
	for _, c := range copyTable {
		if len(c.set) != len(strings.Fields(c.names)) {
			t.Errorf("copy mode: a key of %q is not known", c.names)
		}
	}
	for i, set := range []keyset{acceptKeys, cancelKeys, upKeys, downKeys, pageUpKeys, pageDownKeys} {
		if want := []int{4, 3, 2, 2, 1, 1}[i]; len(set) != want {
			t.Errorf("key set %d has %d keys", i, len(set))
		}
	}
}

func TestConfiguredKeys(t *testing.T) {
	t.Parallel()
	s := Settings{Prefix: "C-b", Keys: map[string]string{"v": "split-right", "x": "none", "C-q": "nonsense", "Nokey": "zoom"}}
	w := newWorld(t, 80, 24, threePanes(), s)
	for _, part := range []string{"nonsense", "Nokey"} {
		if !strings.Contains(w.notice.text, part) {
			t.Errorf("the notice does not name %s: %q", part, w.notice.text)
		}
	}
	w.press("C-a", "C-b", "v", "C-b", "x")
	if diff := cmp.Diff([]string{"p1:\x01"}, w.host.takeTyped()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Request{Split{"p1", layout.Right}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

// TestTextIsNeverThePrefix has prefix keys that a person cannot do without.
func TestTextIsNeverThePrefix(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"x": false, "X": false, "é": false, "Space": false, "S-Tab": false, "Enter": false, "C-a": true, "M-x": true, "F12": true, "C-Space": true, "`": true,
	} {
		if err := CheckPrefix(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
		if w := newWorld(t, 80, 24, threePanes(), Settings{Prefix: name}); (w.notice.text == "") != ok {
			t.Errorf("%s: notice %q", name, w.notice.text)
		}
	}
}

func TestTheListOfKeysNamesEveryAction(t *testing.T) {
	t.Parallel()
	lines := KeyLines()
	for _, want := range []KeyLine{{"hjkl", "go to the pane on that side; the arrows too", ""}, {"% |", "split the pane, the new one at the right", ""}} {
		if !slices.ContainsFunc(lines, func(l KeyLine) bool { return l.Keys == want.Keys && l.Help == want.Help }) {
			t.Errorf("%q is not in %v", want.Keys, lines)
		}
	}
	if slices.Contains(ActionNames(), "") {
		t.Error("an action has no name")
	}
}

func TestAFoldOpensWhenOneOfItsKeysIsAnother(t *testing.T) {
	t.Parallel()
	b, _ := bind(Settings{Keys: map[string]string{"L": "zoom"}})
	var names []string
	for _, e := range b.entries() {
		if strings.HasPrefix(e.name, "resize") {
			names = append(names, e.name+" "+e.keys)
		}
	}
	if diff := cmp.Diff([]string{"resize-left H", "resize-down J", "resize-up K"}, names); diff != "" {
		t.Error(diff)
	}
}
