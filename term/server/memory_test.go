package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	memory "deck/context"
	"deck/term/wire"
)

// newTestArchive is a memory in a folder of its own, and a folder that can be a
// project.
func newTestArchive(t *testing.T) (*archive, string) {
	t.Helper()
	a := newArchive(filepath.Join(privateDir(t), "memory"), "/run/test.sock", slog.New(slog.DiscardHandler))
	t.Cleanup(a.close)
	return a, privateDir(t)
}

// put remembers a fact.
func (a *archive) put(t *testing.T, dir, text string) wire.Note {
	t.Helper()
	got, err := a.remember(t.Context(), caller{}, wire.Remember{Place: wire.Place{Cwd: dir}, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return got.Note
}

// code is the code of an error.
func code(err error) string {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

func TestRequestsAboutMemoryAreRefusedByCode(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	a.put(t, dir, "here")
	here, ctx := wire.Place{Cwd: dir}, t.Context()
	ask := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"empty":          {ask(a.remember(ctx, caller{}, wire.Remember{Place: here, Text: " "})), wire.CodeInvalid},
		"kind":           {ask(a.remember(ctx, caller{}, wire.Remember{Place: here, Text: "x", Kind: "rumour"})), wire.CodeInvalid},
		"operation":      {ask(a.remember(ctx, caller{}, wire.Remember{Place: here, Text: "x", Op: "1"})), wire.CodeInvalid},
		"no place":       {ask(a.remember(ctx, caller{}, wire.Remember{Text: "x"})), wire.CodeInvalid},
		"relative place": {ask(a.remember(ctx, caller{}, wire.Remember{Place: wire.Place{Cwd: "."}, Text: "x"})), wire.CodeInvalid},
		"no such place":  {ask(a.recall(ctx, caller{}, wire.Recall{Place: wire.Place{Cwd: "/nowhere/at/all"}, Query: "x"})), wire.CodeInvalid},
		"no such project": {ask(a.recall(ctx, caller{}, wire.Recall{Place: wire.Place{Project: "shop"}, Query: "x"})),
			wire.CodeProjectNotFound},
		"unknown folder": {ask(a.projectPage(ctx, caller{}, wire.Place{Cwd: t.TempDir()})), wire.CodeProjectNotFound},
		"no query":       {ask(a.recall(ctx, caller{}, wire.Recall{Place: here})), wire.CodeInvalid},
		"time":           {ask(a.recall(ctx, caller{}, wire.Recall{Place: here, Query: "x", Since: "7d"})), wire.CodeInvalid},
		"no id":          {ask(a.findNote(ctx, caller{}, wire.FindNote{Place: here})), wire.CodeInvalid},
		"no such note":   {ask(a.verify(ctx, caller{}, wire.VerifyNote{Place: here, ID: "Q"})), wire.CodeNoteNotFound},
		"status":         {ask(a.verify(ctx, caller{}, wire.VerifyNote{Place: here, ID: "F", Status: "so so"})), wire.CodeInvalid},
		"task":           {ask(a.updateTask(ctx, caller{}, wire.UpdateTask{Place: here})), wire.CodeInvalid},
		"forget nothing": {ask(a.forgetProject(ctx, caller{}, here)), wire.CodeInvalid},
		"outside":        {ask(a.remember(ctx, caller{}, wire.Remember{Place: here, Text: "x", Files: []string{"../x"}})), wire.CodeInvalid},
		"secret file":    {ask(a.remember(ctx, caller{}, wire.Remember{Place: here, Text: "x", Files: []string{".env"}})), wire.CodeInvalid},
	} {
		if got := code(c.err); got != c.want {
			t.Errorf("%s: %s, not %s: %v", name, got, c.want, c.err)
		}
	}
}

func TestANoteHasItsAuthor(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	a.who = func(context.Context, caller) memory.Author { return memory.Author{Agent: "claude", Nick: "anna"} }
	n := a.put(t, dir, "an agent knows this")
	if n.Author.Nick != "anna" {
		t.Errorf("author: %+v", n.Author)
	}
}

func TestAMemoryThatCannotBeOpenedIsAnAnswer(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	if err := os.WriteFile(a.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := a.recall(t.Context(), caller{}, wire.Recall{Place: wire.Place{Cwd: dir}, Query: "x"})
	if code(err) != wire.CodeContextUnavailable || statusOf(code(err)) != 503 {
		t.Errorf("%v", err)
	}
}

func TestASecondServerIsToldWhoHasTheMemory(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	a.put(t, dir, "taken")
	b := newArchive(a.dir, "/run/second.sock", slog.New(slog.DiscardHandler))
	defer b.close()
	_, err := b.open()
	var e *wire.Error
	if !errors.As(err, &e) || e.Code != wire.CodeContextUnavailable || !strings.HasSuffix(e.Hint, "deck -L /run/test.sock") {
		t.Errorf("%+v", err)
	}
}

func TestProjectionsFollowAWriteInEveryCheckoutThatHasThem(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	a.put(t, dir, "sessions live in redis")
	a.written.close() // writes what is due
	got, err := Projections(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Files["MEMORY.md"], "sessions live in redis") || got.At.IsZero() {
		t.Errorf("%+v", got)
	}
}

// TestProjectionsFollowEveryChange has each kind of change that is none of a note's words.
func TestProjectionsFollowEveryChange(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(a *archive, dir string, old, newer wire.Note) error{
		"superseded": func(a *archive, _ string, old, newer wire.Note) error {
			_, err := a.supersede(t.Context(), caller{}, wire.SupersedeNote{ID: old.ID, By: newer.ID})
			return err
		},
		"invalidated from elsewhere": func(a *archive, _ string, old, _ wire.Note) error {
			elsewhere := privateDir(t)
			a.put(t, elsewhere, "another project")
			_, err := a.verify(t.Context(), caller{}, wire.VerifyNote{Place: wire.Place{Cwd: elsewhere}, ID: old.ID, Status: "invalidated"})
			return err
		},
		"forgotten": func(a *archive, _ string, old, _ wire.Note) error {
			_, err := a.forgetProject(t.Context(), caller{}, wire.Place{Project: old.Project})
			return err
		},
		"imported": func(a *archive, _ string, old, _ wire.Note) error {
			body := fmt.Sprintf(`{"id": "x", "project": %q, "text": "came from afar"}`, old.Project)
			_, err := a.importFrom(t.Context(), importQuery{}, strings.NewReader(body))
			return err
		},
		"renamed": func(a *archive, _ string, old, _ wire.Note) error {
			_, err := a.changeProject(t.Context(), caller{}, wire.ChangeProject{Place: wire.Place{Project: old.Project}, Name: "otherwise"})
			return err
		},
	} {
		a, dir := newTestArchive(t)
		old, newer := a.put(t, dir, "sessions live in redis"), a.put(t, dir, "the moon is far")
		a.written.write()
		if err := change(a, dir, old, newer); err != nil {
			t.Fatal(err)
		}
		a.written.close()
		got, err := Projections(dir)
		if err != nil {
			t.Fatal(err)
		}
		text := got.Files["MEMORY.md"]
		if has := strings.Contains(text, "sessions live"); has != (name == "imported" || name == "renamed") ||
			strings.Contains(text, "came from afar") != (name == "imported") || strings.Contains(text, "of otherwise") != (name == "renamed") {
			t.Errorf("%s: %s", name, text)
		}
		if name == "forgotten" && len(got.Files) > 0 {
			t.Errorf("left: %v", got.Files)
		}
	}
}

func TestAnImportThatIsTooLongIsSaidToBe(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	body := http.MaxBytesReader(nil, io.NopCloser(strings.NewReader(strings.Repeat(" ", 2<<20))), 1<<20)
	_, err := a.importFrom(t.Context(), importQuery{Cwd: dir}, body)
	if code(err) != wire.CodeInvalid || !strings.Contains(err.Error(), "at most 1 MB") {
		t.Errorf("%v", err)
	}
}

// TestAContextSaysHowMuchItLeftOut has more notes than are looked at for one.
func TestAContextSaysHowMuchItLeftOut(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	const all = contextNotes + 40
	var lines strings.Builder
	for i := range all {
		fmt.Fprintf(&lines, `{"project": "far", "text": "fact number %d"}`+"\n", i)
	}
	if _, err := a.importFrom(t.Context(), importQuery{}, strings.NewReader(lines.String())); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"", "fact number 7"} {
		got, err := a.getContext(t.Context(), caller{}, wire.GetContext{Place: wire.Place{Cwd: dir, Project: "far"}, Query: words})
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		at := strings.Index(got.Text, "Left out: ")
		if _, err := fmt.Sscanf(got.Text[max(at, 0):], "Left out: %d notes", &left); err != nil || left != got.LeftOut || left+strings.Count(got.Text, "fact number") != all {
			t.Errorf("%q: %d left out: %v\n%s", words, left, err, got.Text)
		}
	}
}

// TestWhatIsAllowedStandsInTheFiles has an exception of the configuration.
func TestWhatIsAllowedStandsInTheFiles(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	fake := "AKIA" + "QX7TYUIZPASDFGH2"
	a.rules = func() memory.RedactRules { return memory.RedactRules{Allow: []string{fake}} }
	if n := a.put(t, dir, "tests sign with "+fake); !strings.Contains(n.Text, fake) {
		t.Fatal(n.Text)
	}
	a.written.close()
	if got, err := Projections(dir); err != nil || !strings.Contains(got.Files["MEMORY.md"], fake) {
		t.Errorf("%s %v", got.Files["MEMORY.md"], err)
	}
}

// TestAFolderOutsideOfGitIsOneCheckout asks from the top of one and from within.
func TestAFolderOutsideOfGitIsOneCheckout(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	within := filepath.Join(dir, "sub", "deep")
	if err := os.MkdirAll(within, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(within, "x.go"), []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.put(t, dir, "a project")
	deep := wire.Place{Cwd: within}
	got, err := a.remember(t.Context(), caller{}, wire.Remember{Place: deep, Text: "about x", Files: []string{"x.go"}})
	if err != nil {
		t.Fatal(err)
	}
	status := "started"
	if _, err := a.updateTask(t.Context(), caller{}, wire.UpdateTask{Place: deep, Status: &status}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{dir, within} {
		n, err := a.findNote(t.Context(), caller{}, wire.FindNote{Place: wire.Place{Cwd: at}, ID: got.Note.ID})
		if err != nil || n.Freshness != "fresh" || n.Files[0].Path != "sub/deep/x.go" {
			t.Errorf("from %s: %+v %v", at, n, err)
		}
		page, err := a.projectPage(t.Context(), caller{}, wire.Place{Cwd: at})
		if err != nil || page.Task == nil || page.Task.Status != status || len(page.Tasks) > 0 {
			t.Errorf("from %s: %+v %v", at, page.Task, err)
		}
	}
	a.written.close()
	if _, err := os.Lstat(filepath.Join(within, memory.Folder)); err == nil {
		t.Error("there are files of deck's in a folder of the project")
	}
	if got, err := Projections(within); err != nil || !strings.Contains(got.Files["MEMORY.md"], "about x") || got.At.IsZero() {
		t.Errorf("%+v %v", got, err)
	}
}

func TestWhatHappenedIsRememberedWhereAProjectIsKnown(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	a.put(t, dir, "a project")
	by := memory.Author{Agent: "claude", Nick: "anna"}
	a.happened(happening{dir: dir, kind: "gate", text: "approved: deploy?", by: by})
	a.happened(happening{dir: t.TempDir(), kind: "gate", text: "nobody knows this folder", by: by})
	a.written.close()
	page, err := a.projectPage(t.Context(), caller{}, wire.Place{Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := wire.ProjectEvent{At: page.Events[0].At, Kind: "gate", Text: "approved: deploy?", Author: wire.Author{Agent: "claude", Nick: "anna"}}
	if d := cmp.Diff(want, page.Events[0]); d != "" {
		t.Error(d)
	}
	if all, err := a.listProjects(t.Context(), caller{}, none{}); err != nil || len(all) != 1 {
		t.Errorf("projects: %v %v", all, err)
	}
}

func TestASpoolIsTakenInOnce(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	status := "blocked"
	for range 2 {
		if err := SpoolNote("p1", wire.Remember{Place: wire.Place{Cwd: dir}, Kind: "fact", Text: "from a sandbox", Files: []string{"gone.go"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := SpoolTask("", wire.UpdateTask{Place: wire.Place{Cwd: dir}, Status: &status}); err != nil {
		t.Fatal(err)
	}
	a.lookInto(dir)
	got, err := a.recall(t.Context(), caller{}, wire.Recall{Place: wire.Place{Cwd: dir}, Query: "sandbox"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Hits) != 1 || got.Hits[0].Author.Agent != "sandbox" || len(got.Hits[0].Files) != 0 {
		t.Errorf("%+v", got.Hits)
	}
	page, err := a.projectPage(t.Context(), caller{}, wire.Place{Cwd: dir})
	if err != nil || page.Task == nil || page.Task.Status != "blocked" {
		t.Errorf("%+v %v", page.Task, err)
	}
}

func TestVerifyingMakesAStaleNoteFresh(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "one\ntwo\n")
	write("b.go", "gone soon\n")
	at := wire.Place{Cwd: dir}
	got, err := a.remember(t.Context(), caller{}, wire.Remember{Place: at, Text: "two files", Files: []string{"a.go:1-2", "b.go"}})
	if err != nil || got.Note.Freshness != "fresh" {
		t.Fatalf("%+v %v", got.Note, err)
	}
	write("a.go", "zero\nthree\n")
	if err := os.Remove(filepath.Join(dir, "b.go")); err != nil {
		t.Fatal(err)
	}
	n, err := a.findNote(t.Context(), caller{}, wire.FindNote{Place: at, ID: got.Note.ID})
	if err != nil || !n.Stale {
		t.Fatalf("%+v %v", n, err)
	}
	after, err := a.verify(t.Context(), caller{}, wire.VerifyNote{Place: at, ID: got.Note.Short})
	if err != nil || after.Note.Freshness != "fresh" || after.Note.Status != "VERIFIED" {
		t.Errorf("%+v %v", after, err)
	}
	if d := cmp.Diff([]wire.Source{{Path: "a.go", Lines: "1-2", Freshness: "fresh"}}, after.Note.Files); d != "" {
		t.Error(d)
	}
	if !slices.Equal(after.Notices, []string{"cited no more: b.go"}) {
		t.Errorf("notices: %q", after.Notices)
	}
}

func TestAReloadWithOtherRulesKeepsTheMemoryOpen(t *testing.T) {
	t.Parallel()
	a, dir := newTestArchive(t)
	a.put(t, dir, "before ACME-1")
	open := a.store
	a.rules = func() memory.RedactRules {
		return memory.RedactRules{Patterns: map[string]string{"acme": "ACME-[0-9]+"}}
	}
	a.reconfigure()
	if n := a.put(t, dir, "after ACME-2"); n.Text != "after [REDACTED:acme]" {
		t.Errorf("%q", n.Text)
	}
	if a.store != open {
		t.Error("requests under way were cut off")
	}
}

// remembering is a server in a process of its own.
func remembering(t *testing.T) (o Options, dir string) {
	t.Helper()
	o = Options{Socket: filepath.Join(ownFolders(t), "s")}
	if err := Ensure(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	stopAfter(t, o.Socket)
	return o, privateDir(t)
}

func TestSixtyFourRememberAtOnce(t *testing.T) {
	o, dir := remembering(t)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			c := wire.Open(o.Socket, "")
			defer c.Close()
			if _, err := c.Remember(t.Context(), wire.Remember{Place: wire.Place{Cwd: dir}, Text: fmt.Sprintf("the fact of writer%d", i)}); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	all.Wait()
	c := wire.Open(o.Socket, "")
	defer c.Close()
	notes, err := c.Notes(t.Context(), wire.ListNotes{Place: wire.Place{Cwd: dir}})
	if err != nil || len(notes) != 64 {
		t.Errorf("%d notes, %v", len(notes), err)
	}
}

// killings is how often a server is killed while it writes.
const killings = 6

func TestNothingAcknowledgedIsLostWithAKilledServer(t *testing.T) {
	o, dir := remembering(t)
	place := wire.Place{Cwd: dir}
	var mu sync.Mutex
	acked := map[string]bool{} // guarded by mu
	for round := range killings {
		c := wire.Open(o.Socket, "")
		hello, err := c.Hello(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var writers sync.WaitGroup
		enough := make(chan struct{}, 1000)
		for w := range 4 {
			writers.Go(func() {
				for i := 0; ; i++ {
					text := fmt.Sprintf("round%d writer%d note%d", round, w, i)
					if _, err := c.Remember(t.Context(), wire.Remember{Place: place, Text: text}); err != nil {
						return // killed
					}
					mu.Lock()
					acked[text] = true
					mu.Unlock()
					select {
					case enough <- struct{}{}:
					default:
					}
				}
			})
		}
		for range 10 + round {
			<-enough
		}
		if err := syscall.Kill(hello.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		writers.Wait()
		c.Close()
		gone, err := takeLock(t.Context(), o.beside(".lock")) // it is held as long as the process lives
		if err != nil {
			t.Fatal(err)
		}
		gone.release()
		if err := Ensure(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		checkAcknowledged(t, o.Socket, place, acked)
	}
}

// checkAcknowledged looks for every note, in the store and by the index.
func checkAcknowledged(t *testing.T, socket string, place wire.Place, acked map[string]bool) {
	t.Helper()
	c := wire.Open(socket, "")
	defer c.Close()
	notes, err := c.Notes(t.Context(), wire.ListNotes{Place: place})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, n := range notes {
		have[n.Text] = true
	}
	for text := range acked {
		if !have[text] {
			t.Errorf("lost: %s", text)
		}
	}
	limited, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		got, err := c.Recall(limited, wire.Recall{Place: place, Query: "writer0"})
		if err != nil {
			t.Fatalf("the index never came: %v", err)
		}
		if !got.Scan {
			if got.Searched != len(notes) {
				t.Errorf("the index has %d notes, the store %d", got.Searched, len(notes))
			}
			return
		}
	}
}

func TestTheLogOfMemoryHasNoContent(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	a := newArchive(filepath.Join(privateDir(t), "memory"), "/run/test.sock", slog.New(slog.NewTextHandler(&log, nil)))
	dir := privateDir(t)
	n := a.put(t, dir, "a word that is nobody's: xyzzy")
	for _, q := range []string{"xyzzy", "!!", strings.Repeat("xyzzy ", 2000)} {
		if _, err := a.recall(t.Context(), caller{}, wire.Recall{Place: wire.Place{Cwd: dir}, Query: q}); err != nil {
			t.Error(err)
		}
	}
	if _, err := a.forgetProject(t.Context(), caller{}, wire.Place{Project: n.Project}); err != nil {
		t.Error(err)
	}
	a.close()
	if strings.Contains(log.String(), "xyzzy") {
		t.Errorf("the log has content:\n%s", &log)
	}
}
