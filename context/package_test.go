package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func known(i int, kind Kind, title, text string) Known {
	at := noon.Add(-time.Duration(i) * time.Hour)
	return Known{Note: Note{ID: ID(fmt.Sprintf("01%024d", i)), Short: fmt.Sprintf("%cK%03d", kind[0]-32, i), Kind: kind, Title: title, Text: text, Status: New, Created: at, Updated: at}, Freshness: Fresh}
}

// day is a package's input as an ordinary day gives it.
func day() PackageInput {
	stale := known(3, Fact, "", "The parser keeps its state in a table of 16 rows.")
	stale.Files, stale.Freshness = []Source{{Path: "parse.go", Lines: "10-20"}}, FileChanged
	decision := known(50, Decision, "bbolt is the truth", "The index is a cache. It is rebuilt when it is missing.")
	decision.Reason, decision.Status = "one file, no daemon", Verified
	return PackageInput{
		Project: "app",
		Place:   Place{Git: true, Branch: "feature/x", Commit: "0f1e2d3c4b5a69788796a5b4c3d2e1f001122334"},
		Task:    Task{Task: "Make the parser faster.", Status: "in progress", Next: "measure", Step: "2 of 3", Updated: noon.Add(-30 * time.Minute)},
		Notes:   []Known{stale, decision, known(2, Discovery, "", "make test needs LANG=C.UTF-8.")},
		Handoffs: []Handoff{
			{ID: "01H", From: Author{Nick: "ada"}, To: "bob", Text: "Finish the table\nof states.", Updated: noon.Add(-2 * time.Hour)},
		},
		Events: []Event{{ID: "01E", Kind: "gate", Text: "approved: deploy?", Author: Author{Agent: "agent"}, At: noon.Add(-50 * time.Hour)}},
		Dirty:  []string{"M b.go", "?? a.go", "M .env"},
		Now:    noon,
	}
}

const wholeDay = `# Project memory of app (notes of earlier sessions; may be out of date)

## Task (in progress, 30 min ago)
Make the parser faster.
Next: measure
Step: 2 of 3

Git: feature/x at 0f1e2d3c; changed: ?? a.go, M b.go

## Handed over
- ada to bob (2 h ago): Finish the table of states.

## Decisions
- DK050 bbolt is the truth: The index is a cache. It is rebuilt when it is missing. Because: one file, no daemon [2 days ago, verified]

## Knowledge
- DK002 make test needs LANG=C.UTF-8. [2 h ago]
- FK003 The parser keeps its state in a table of 16 rows. (parse.go:10-20) [3 h ago, STALE: file changed]

## Events
- 2 days ago agent, gate: approved: deploy?
`

// packed is a package's text.
func packed(in PackageInput, b Budget) string {
	text, _ := Package(in, b)
	return text
}

func TestPackage(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(wholeDay, packed(day(), Budget{})); diff != "" {
		t.Error(diff)
	}
}

func TestAStateIsTheTaskWhereNobodySaidOfWhat(t *testing.T) {
	t.Parallel()
	in := PackageInput{Project: "x", Task: Task{ID: "01T", Step: "parser done", Next: "lexer"}, Now: noon}
	want := "# Project memory of x (notes of earlier sessions; may be out of date)\n\n## Task\nNext: lexer\nStep: parser done\n"
	if diff := cmp.Diff(want, packed(in, Budget{})); diff != "" {
		t.Error(diff)
	}
}

// TestPackageTellsOfANoteOnce leaves out that a note was stored: it may have turned out wrong.
func TestPackageTellsOfANoteOnce(t *testing.T) {
	t.Parallel()
	in := day()
	for _, kind := range []string{"remember", "discover", "decide", "repeat"} {
		in.Events = append(in.Events, Event{ID: ID(kind), Kind: kind, Text: "bbolt is slow", At: noon})
	}
	if diff := cmp.Diff(wholeDay, packed(in, Budget{})); diff != "" {
		t.Error(diff)
	}
}

func TestPackageAndFilesCountWhatTheyWereNotGiven(t *testing.T) {
	t.Parallel()
	in := day()
	in.More = map[Kind]int{Fact: 3, Decision: 2}
	if got, n := Package(in, Budget{}); n != 5 || !strings.Contains(got, "Left out: 5 notes.") {
		t.Error(got)
	}
	for _, f := range Projections(in, builtIn) {
		want := map[string]string{"MEMORY.md": "3 notes did not fit.", "DECISIONS.md": "2 notes did not fit."}[f.Name]
		if !strings.Contains(f.Text, want) {
			t.Errorf("%s: %s", f.Name, f.Text)
		}
	}
}

func TestPackageOfNothing(t *testing.T) {
	t.Parallel()
	want := "# Project memory of x (notes of earlier sessions; may be out of date)\n"
	if got := packed(PackageInput{Project: "x", Now: noon}, Budget{}); got != want {
		t.Errorf("got %q", got)
	}
}

// TestPackageKeepsToItsBudget tries budgets and inputs of all sizes: never
// over, the task always there, what is left out said, order of no importance.
func TestPackageKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the parser keeps state in rows and columns of internal/parse.go because getUserToken fails with E422 on arm64 größer 漢字")
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		return b.String() + "end. More."
	}
	for range 40 {
		in := day()
		in.Task.Task = text(1 + r.IntN(400))
		for i := range r.IntN(120) {
			n := known(1000+i, []Kind{Fact, Decision, Discovery}[r.IntN(3)], []string{"", text(5)}[r.IntN(2)], text(1+r.IntN(200)))
			n.Score = float64(r.IntN(3))
			in.Notes = append(in.Notes, n)
		}
		for i := range r.IntN(30) {
			in.Events = append(in.Events, Event{ID: ID(fmt.Sprint(i)), Text: text(8), At: noon.Add(-time.Duration(i) * time.Minute)})
			in.Handoffs = append(in.Handoffs, Handoff{ID: ID(fmt.Sprint(i)), Text: text(30), Updated: noon.Add(-time.Duration(i) * time.Minute)})
		}
		for _, b := range []Budget{{}, {Tokens: 200}, {Tokens: 8000}, {Bytes: HookBytes}, {Bytes: 600}} {
			got := packed(in, b)
			if n := b.cost(got); n > b.size() {
				t.Fatalf("%+v: %d of %d\n%s", b, n, b.size(), got)
			}
			if !strings.Contains(got, "## Task (in progress") || !strings.Contains(got, cutAt(in.Task.Task, 14)) {
				t.Fatalf("%+v: no task\n%s", b, got)
			}
			lines := strings.Count(got, "\n- ")
			if all := len(in.Notes) + len(in.Events) + len(in.Handoffs); (lines < all) != strings.Contains(got, "\nLeft out: ") {
				t.Fatalf("%+v: %d lines of %d\n%s", b, lines, all, got)
			}
			other := in
			other.Notes, other.Events, other.Handoffs, other.Dirty = slices.Clone(in.Notes), slices.Clone(in.Events), slices.Clone(in.Handoffs), slices.Clone(in.Dirty)
			slices.Reverse(other.Notes)
			slices.Reverse(other.Events)
			slices.Reverse(other.Handoffs)
			slices.Reverse(other.Dirty)
			if diff := cmp.Diff(got, packed(other, b)); diff != "" {
				t.Fatalf("another order, another text:\n%s", diff)
			}
		}
	}
}

// TestPackagePrefersTheImportant gives room for a part of the notes.
func TestPackagePrefersTheImportant(t *testing.T) {
	t.Parallel()
	in := PackageInput{Project: "x", Now: noon}
	for i := range 60 {
		n := known(i, Fact, fmt.Sprintf("fact number %d", i), strings.Repeat("text of it ", 20))
		n.Score = float64(60 - i)
		in.Notes = append(in.Notes, n)
	}
	got := packed(in, Budget{Bytes: 1200})
	if !strings.Contains(got, "fact number 0:") || !strings.Contains(got, "fact number 9 ") || strings.Contains(got, "fact number 59") {
		t.Errorf("got:\n%s", got)
	}
	if !strings.Contains(got, " notes. `deck recall WORDS` finds them.") {
		t.Errorf("does not say what was left out:\n%s", got)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	// Counted by o200k.
	for text, want := range map[string]int{
		"": 0,
		"The quick brown fox jumps over the lazy dog.":                                               10,
		"func (s *Store) Put(ctx context.Context, d Draft) (Note, error) {":                          18,
		"internal/parse.go:120-140 fails with E422 since commit 0f1e2d3c":                            25,
		"Größere Änderungen müssen übersetzt werden.":                                                11,
		"getUserAuthToken calls find_beads_dir, then --unsafe-no-fsync is passed to 10.13.0.0/16.\n": 30,
	} {
		if got := Tokens(text); got < want-2 || got > want+2 {
			t.Errorf("%q: got %d, want about %d", text, got, want)
		}
	}
}

func TestATitleStandsAlone(t *testing.T) {
	t.Parallel()
	with := func(title, text, reason string, files ...Source) Known {
		n := known(1, Decision, title, text)
		n.Reason, n.Files = reason, files
		return n
	}
	for _, c := range []struct {
		note Known
		want string
	}{
		{with("use bbolt", "", "one file"), "- DK001 use bbolt. Because: one file [1 h ago]"},
		{with("use bbolt!", "use bbolt!", "one file"), "- DK001 use bbolt! Because: one file [1 h ago]"},
		{with("use bbolt", "", "", Source{Path: "a.go"}), "- DK001 use bbolt (a.go) [1 h ago]"},
		{with("", "use bbolt", "one file"), "- DK001 use bbolt. Because: one file [1 h ago]"},
		{with("store", "it is bbolt", "one file"), "- DK001 store: it is bbolt. Because: one file [1 h ago]"},
		{with("use bbolt", "", ""), "- DK001 use bbolt [1 h ago]"},
	} {
		forms := noteForms(c.note, noon)
		if got := forms[len(forms)-1]; got != c.want+"\n" {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
