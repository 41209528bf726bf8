package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/keys"
	"deck/term/layout"
)

// foundNotes are notes as a search finds them, one of them with an evil text.
func foundNotes() []FoundNote {
	old := func(d time.Duration) time.Time { return noon.Add(-d) }
	return []FoundNote{
		{Note: Note{ID: "N1", Kind: "decision", Project: "deck", Title: "Sessions live in the server", Status: "VERIFIED", Updated: old(3 * time.Hour)},
			Snippet: "The server owns every session, so that clients may come and go.", Marks: [][2]int{{22, 29}}},
		{Note: Note{ID: "N2", Kind: "fact", Project: "deck", Text: "Tokens are cut\x1b[31m at 日本語 graphemes\nnot at runes.", Status: "NEW", Stale: true, Updated: old(50 * time.Hour),
			Files: []NoteFile{{Path: "ui/pen.go", Lines: "18-46"}, {Path: "ui/in\x1bput.go"}}},
			Snippet: "Tokens are cut\x1b[31m at 日本語 graphemes not at runes.", Marks: [][2]int{{11, 14}, {400, 500}, {9, 2}}},
		{Note: Note{ID: "N3", Kind: "discovery", Project: "an-api-with-a-long-name", Title: strings.Repeat("A title that goes on ", 8), Status: "INVALIDATED", Updated: old(4000 * time.Hour)},
			Snippet: strings.Repeat("words before ", 14) + "session and after", Marks: [][2]int{{182, 189}}},
		{Note: Note{ID: "N4", Kind: "fact", Project: "notes", Title: "Superseded", Status: "NEW", SupersededBy: "N1", Updated: old(20000 * time.Hour)}},
	}
}

// wholeNote is a note in full.
func wholeNote() Note {
	return Note{ID: "N2", Short: "f-01hx", Kind: "discovery", Type: "pitfall", Project: "deck", Title: "Where text is cut",
		Text:   "Tokens are cut at 日本語 graphemes and not at runes,\nsince a terminal counts\tcolumns.\x1b]0;evil\x07 " + strings.Repeat("And there is more to say about it. ", 12),
		Reason: "A wide character would be halved.", Tags: []string{"text", "width"}, Status: "VERIFIED", Freshness: "file changed", Stale: true,
		Files: []NoteFile{{Path: "ui/pen.go", Lines: "18-46", Freshness: "fresh"}, {Path: "ui/input.go", Lines: "9", Freshness: "moved lines", Now: "ui/input.go:21"},
			{Path: "ui/o\x1b[7mld.go", Freshness: "missing"}},
		By: "bob", Branch: "main", Updated: noon.Add(-30 * time.Hour), VerifiedAt: noon.Add(-26 * time.Hour), VerifiedCommit: "0123456789abcdef"}
}

// wholePage is a project with something of everything.
func wholePage() ProjectPage {
	p := ProjectPage{Name: "deck", Branch: "main", Notes: 12,
		Task: &Task{Task: "Search the memory from the screen", Status: "in progress", Step: "the overlay", Next: "goldens", Tests: "go test ./ui",
			Error: "one golden differs", By: "ada", Updated: noon.Add(-20 * time.Minute)},
		Tasks:    []Task{{Branch: "fix-width", Task: "Halved characters", Updated: noon.Add(-30 * time.Hour)}},
		Handoffs: []Handoff{{From: "bob", Title: "widths", Text: "start in pen.go\nand go on", Updated: noon.Add(-time.Hour)}},
		Related:  []string{"uses vt"},
		Events:   []ProjectEvent{{At: noon.Add(-time.Minute), Kind: "gate", Text: "approved: rm \x1b[31mbuild", By: "ada"}, {At: noon.Add(-time.Hour), Kind: "note", Text: "written"}}}
	for _, n := range foundNotes() {
		p.Decisions = append(p.Decisions, n.Note)
	}
	return p
}

// newMemory is a world in which the search is open and was asked a word.
func newMemory(t testing.TB, w, h int) *world {
	t.Helper()
	wd := newAgents(t, w, h, Settings{})
	wd.Update(FocusMsg{"p3"})
	wd.press("C-a", "m")
	wd.Update(RecalledMsg{From: "p3", Project: "deck"})
	wd.press("'session")
	wd.Update(RecalledMsg{From: "p3", Query: "s", Searched: 340})
	wd.Update(RecalledMsg{From: "p3", Query: "session", Found: foundNotes(), Searched: 340, Project: "deck"})
	wd.draw()
	wd.host.takeAsked()
	return wd
}

// newNote is a world in which the second of those notes is open.
func newNote(t testing.TB, w, h int) *world {
	t.Helper()
	wd := newMemory(t, w, h).press("Down", "Enter")
	wd.Update(NoteMsg{ID: "N2", Note: wholeNote()})
	wd.draw()
	wd.host.takeAsked()
	return wd
}

func newProject(t testing.TB, w, h int) *world {
	t.Helper()
	wd := newAgents(t, w, h, Settings{})
	wd.Update(FocusMsg{"p3"})
	wd.press("C-a", "M")
	wd.Update(ProjectMsg{From: "p3", Page: wholePage()})
	wd.draw()
	wd.host.takeAsked()
	return wd
}

// One question is under way at a time, and the last one typed is asked in the end.
func TestTheMemoryIsSearchedAsOneTypes(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{}).press("C-a", "m", "'wid")
	if diff := cmp.Diff([]Request{Recall{From: "p1"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.Update(RecalledMsg{From: "p1", Found: foundNotes()[:1]})
	if diff := cmp.Diff([]Request{Recall{"p1", "wid"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.press("'th")
	for _, stale := range []RecalledMsg{{From: "p1", Query: "w", Found: foundNotes()}, {From: "p2", Query: "wid", Found: foundNotes()}, {From: "p1", Found: foundNotes()}} {
		w.Update(stale)
		if n := len(w.over.(*recalling).got.Found); n != 1 || w.host.takeAsked() != nil {
			t.Errorf("an answer to %q was taken: %d notes", stale.Query, n)
		}
	}
	w.Update(RecalledMsg{From: "p1", Query: "wid", Found: foundNotes()[:2]})
	if diff := cmp.Diff([]Request{Recall{"p1", "width"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.Update(RecalledMsg{From: "p1", Query: "width", Found: foundNotes()})
	w.press("Left", "Space", "Home", "Space")
	if asked := w.host.takeAsked(); len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
	if w.press("Escape"); w.over != nil {
		t.Error("it is still open")
	}
	w.Update(RecalledMsg{From: "p1", Query: "width", Found: foundNotes()})
}

func TestANoteIsOpenedAndOneGoesBackToWhereOneWas(t *testing.T) {
	t.Parallel()
	w := newMemory(t, 80, 24).press("Down", "Down", "Enter")
	if diff := cmp.Diff([]Request{ReadNote{"p3", "N3"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.press("v", "i") // nothing of it is seen yet
	w.Update(NoteMsg{ID: "N1", Note: wholeNote()})
	if n := w.over.(*noteBox); n.known || w.host.takeAsked() != nil {
		t.Error("another note was taken for it")
	}
	w.Update(NoteMsg{ID: "N3", Problem: "no such note: N3"})
	if !strings.Contains(w.View().Content, "no such note: N3") {
		t.Error("the problem is not told")
	}
	w.press("q")
	if diff := cmp.Diff([]Request{Recall{"p3", "session"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.Update(RecalledMsg{From: "p3", Query: "session", Found: foundNotes()[1:]})
	if r := w.over.(*recalling); r.got.Found[r.at].ID != "N3" || r.input.value() != "session" {
		t.Errorf("at %d, typed %q", r.at, r.input.value())
	}
	box := memoryRect(layout.Rect{W: 80, H: 24})
	w.draw()
	w.click(box.X+5, box.Y+3)
	if diff := cmp.Diff([]Request{ReadNote{"p3", "N2"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestANoteIsJudged(t *testing.T) {
	t.Parallel()
	for key, status := range map[string]string{"v": "VERIFIED", "s": "STALE", "x": "INVALIDATED"} {
		w := newNote(t, 80, 24).press(key)
		if diff := cmp.Diff([]Request{JudgeNote{"p3", "N2", status}}, w.host.takeAsked()); diff != "" {
			t.Error(diff)
		}
		w.Update(NoteMsg{ID: "N2", Problem: "the disk is full"})
		if !strings.Contains(w.View().Content, "the disk is full") || !strings.Contains(w.View().Content, "Where text is cut") {
			t.Error("the problem is not told beside the note")
		}
		n := wholeNote()
		n.Status, n.Stale = status, false
		w.Update(NoteMsg{ID: "N2", Note: n, Said: "cited no more: old.go"})
		if got := w.View().Content; !strings.Contains(got, strings.ToLower(status)+"  deck") || !strings.Contains(got, "cited no more") {
			t.Errorf("%s: it shows %s", key, got)
		}
	}
}

func TestANoteIsInserted(t *testing.T) {
	t.Parallel()
	w := newNote(t, 80, 24).press("i")
	if diff := cmp.Diff([]Request{InsertNote{"p3", "N2"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.Update(InsertedMsg{ID: "N2", Nick: "cleo", Problem: "cleo shows no input line"})
	if !strings.Contains(w.View().Content, "cleo shows no input line") || w.over == nil {
		t.Error("a refusal is not told in the box")
	}
	w.Update(InsertedMsg{ID: "N2", Nick: "cleo"})
	if w.over != nil || !strings.Contains(w.notice.text, "nothing was sent") {
		t.Errorf("open %v, notice %q", w.over, w.notice.text)
	}
	w.Update(InsertedMsg{ID: "N2", Nick: "cleo", Problem: "too late"})
	if w.notice.text != "too late" {
		t.Errorf("notice %q", w.notice.text)
	}
}

func TestTheProjectPageAndTheSearchAreATabApart(t *testing.T) {
	t.Parallel()
	w := newMemory(t, 80, 24).press("Tab")
	w.Update(ProjectMsg{From: "p2", Problem: "another pane's"})
	if w.over.(*projectBox).known {
		t.Error("the page of another pane was taken")
	}
	w.press("Enter", "Tab")
	if diff := cmp.Diff([]Request{ReadProject{"p3"}, Recall{"p3", "session"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w = newProject(t, 80, 24).press("Down", "Down", "Down", "Up", "Enter")
	if diff := cmp.Diff([]Request{ReadNote{"p3", "N2"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
	w.press("Escape", "Tab")
	if diff := cmp.Diff([]Request{ReadProject{"p3"}, Recall{From: "p3"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

// Every row comes into view however small the box is, and every decision can be
// chosen on the way.
func TestASheetIsReadRowByRow(t *testing.T) {
	t.Parallel()
	w := newProject(t, 30, 8)
	b, seen, chosen := w.over.(*projectBox), map[int]bool{}, map[string]bool{}
	for range 2 * len(b.sheet.rows) {
		for i := range b.sheet.fits {
			seen[b.sheet.top+i] = true
		}
		chosen[b.sheet.at] = true
		w.press("Down")
		w.draw()
	}
	delete(chosen, "")
	if len(seen) != len(b.sheet.rows) || len(chosen) != len(foundNotes()) {
		t.Errorf("%d of %d rows seen, chosen %v", len(seen), len(b.sheet.rows), chosen)
	}
	for range 2 * len(b.sheet.rows) {
		w.press("Up")
	}
	if b.sheet.top != 0 {
		t.Errorf("row %d at the top", b.sheet.top)
	}
	w.mouseAt(keys.Mouse{X: 15, Y: 4, Button: keys.WheelDown})
	if w.press("G"); b.sheet.top+b.sheet.fits != len(b.sheet.rows) {
		t.Errorf("G goes to row %d of %d", b.sheet.top, len(b.sheet.rows))
	}
}

func TestTheMemoryClosesWithItsPane(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]*world{"search": newMemory(t, 80, 24), "note": newNote(t, 80, 24), "project": newProject(t, 80, 24)} {
		w.Update(StateMsg{tenAgents()})
		if w.over == nil {
			t.Errorf("%s closes though its pane is there", name)
		}
		if w.Update(StateMsg{oneShell()}); w.over != nil {
			t.Errorf("%s stays open", name)
		}
	}
}

func TestAReadOnlyClientReadsTheMemory(t *testing.T) {
	t.Parallel()
	w := newAgents(t, 80, 24, Settings{ReadOnly: true}).press("C-a", "m")
	w.Update(RecalledMsg{From: "p1", Found: foundNotes()})
	w.press("Enter")
	w.Update(NoteMsg{ID: "N1", Note: wholeNote()})
	w.press("v", "s", "x", "i")
	if diff := cmp.Diff([]Request{Recall{From: "p1"}, ReadNote{"p1", "N1"}}, w.host.takeAsked()); diff != "" {
		t.Error(diff)
	}
}

func TestTheFirstHitOfASnippetIsInView(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{200, 50}, {80, 24}, {60, 20}} {
		w := newMemory(t, size[0], size[1])
		found := false
		for _, row := range strings.Split(w.View().Content, "\n") {
			found = found || strings.Contains(row, "before session and")
		}
		if !found {
			t.Errorf("%v: %s", size, w.View().Content)
		}
	}
}

func TestNoteAges(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{0: "now", 3 * time.Hour: "3h", 99 * 24 * time.Hour: "99d", 100 * 24 * time.Hour: "3mo", 800 * 24 * time.Hour: "2y"} {
		if got := noteAge(noon.Add(-d), noon); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	if got := noteAge(time.Time{}, noon); got != "" {
		t.Errorf("no time is %s old", got)
	}
}

// TestADecisionWithoutATextHasNoGap has what deck decide makes: a title and a reason.
func TestADecisionWithoutATextHasNoGap(t *testing.T) {
	t.Parallel()
	n := &noteBox{note: Note{Title: "use bbolt", Reason: "one file", Project: "shop"}, known: true}
	n.sheet.lay(40, n.lay)
	for i, r := range n.sheet.rows[1:] {
		if r.text == "" && n.sheet.rows[i].text == "" {
			t.Errorf("two blank rows at %d", i)
		}
	}
}

// TestAProblemOfTheMemoryIsReadToItsEnd has one that is longer than a row: its hint comes last.
func TestAProblemOfTheMemoryIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	problem := "memory is in use by another process: /home/somebody/.local/share/deck/memory/memory.db: another server has it; ask that one: deck -L work"
	for name, show := range map[string]func(*world){
		"search":  func(w *world) { w.press("C-a", "m"); w.Update(RecalledMsg{From: "p1", Problem: problem}) },
		"project": func(w *world) { w.press("C-a", "M"); w.Update(ProjectMsg{From: "p1", Problem: problem}) },
		"note": func(w *world) {
			w.press("C-a", "m")
			w.Update(RecalledMsg{From: "p1", Found: foundNotes()})
			w.press("Enter")
			w.Update(NoteMsg{ID: "N1", Problem: problem})
		},
	} {
		w := newAgents(t, 80, 24, Settings{})
		show(w)
		if text := render(w.draw()); !strings.Contains(text, "deck -L work") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
