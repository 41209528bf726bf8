package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// export is all of a store, its first line without the time.
func export(t testing.TB, s *Store, o ExportOptions) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Export(t.Context(), &b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// body is an export without its header.
func body(s string) string {
	_, rest, _ := strings.Cut(s, "\n")
	return rest
}

func importText(t testing.TB, s *Store, text string) Imported {
	t.Helper()
	got, err := s.Import(t.Context(), strings.NewReader(text), ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// furnished is a store with one of everything.
func furnished(t testing.TB) (*Store, ID) {
	t.Helper()
	s := openCorpus(t, corpusDay)
	p := named(t, s, "larder")
	task := "ship it"
	if _, err := s.UpdateTask(t.Context(), TaskUpdate{Project: p, Checkout: "/w", Task: &task}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Relate(t.Context(), p, named(t, s, "dunes"), DependsOn, Author{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PutHandoff(t.Context(), Handoff{Project: p, Text: "go on"}); err != nil {
		t.Fatal(err)
	}
	return s, p
}

func TestAnExportCarriesEverythingOver(t *testing.T) {
	t.Parallel()
	s, p := furnished(t)
	out := export(t, s, ExportOptions{})
	other := openTest(t, t.TempDir())
	got := importText(t, other, out)
	if got.New != got.Records || got.Records != 3+39+1+3+1+1 {
		t.Errorf("%+v", got)
	}
	if d := cmp.Diff(body(out), body(export(t, other, ExportOptions{}))); d != "" {
		t.Error(d)
	}
	if again := importText(t, other, out); again.Same != again.Records {
		t.Errorf("again: %+v", again)
	}
	if n := indexed(t, other); n != 39 {
		t.Errorf("%d notes in the index", n)
	}
	if lines := strings.Count(export(t, s, ExportOptions{Project: p}), "\n"); lines != 1+1+15+1+3+1+1 {
		t.Errorf("one project: %d lines", lines)
	}
	if lines := strings.Count(export(t, s, ExportOptions{Since: corpusDay}), "\n"); lines != 1+3+1+3+1+1 {
		t.Errorf("since: %d lines", lines)
	}
	var h header
	if err := json.Unmarshal([]byte(strings.SplitN(out, "\n", 2)[0]), &h); err != nil || h.Format != exportFormat || h.Schema != schema || h.Count != got.Records {
		t.Errorf("%+v %v", h, err)
	}
}

func TestTheNewerRecordWins(t *testing.T) {
	t.Parallel()
	s, _ := furnished(t)
	before := export(t, s, ExportOptions{})
	n, err := s.Note("l06")
	if err != nil {
		t.Fatal(err)
	}
	later := corpusDay.Add(time.Hour)
	s.opt.Now = func() time.Time { return later }
	if _, err := s.Verify(t.Context(), n.ID, Verified, "", nil, Author{}); err != nil {
		t.Fatal(err)
	}
	after := export(t, s, ExportOptions{})
	if got := importText(t, s, before); got.Changed != 0 {
		t.Errorf("an older export changed %d", got.Changed)
	}
	other := openTest(t, t.TempDir())
	importText(t, other, before)
	if got := importText(t, other, after); got.Changed != 1 || got.New != 1 { // the note, and an event
		t.Errorf("%+v", got)
	}
	if n, err := other.Note("l06"); err != nil || n.Status != Verified {
		t.Errorf("%+v %v", n, err)
	}
}

func TestWhatIsForeignIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := furnished(t)
	before := export(t, s, ExportOptions{})
	good := `{"id":"x1","project":"larder","text":"good"}` + "\n"
	for name, text := range map[string]string{
		"nothing":         "",
		"no JSON":         "# notes\n",
		"another program": `{"format":"beads","schema":1}` + "\n",
		"newer":           fmt.Sprintf(`{"format":%q,"schema":%d}`+"\n", exportFormat, schema+1) + body(before),
		"a broken line":   good + `{"text":` + "\n",
		"no text":         good + `{"project":"larder","text":""}` + "\n",
		"no project":      good + `{"text":"lost"}` + "\n",
		"kind":            good + `{"project":"larder","text":"x","kind":"poem"}` + "\n",
		"status":          good + `{"project":"larder","text":"x","status":"perhaps"}` + "\n",
		"time":            good + `{"project":"larder","text":"x","ts":"tomorrow"}` + "\n",
		"record":          fmt.Sprintf(`{"format":%q,"schema":1}`+"\n", exportFormat) + `{"song":{}}` + "\n",
		"id":              fmt.Sprintf(`{"format":%q,"schema":1}`+"\n", exportFormat) + `{"note":{"id":"../x","project":"y"}}` + "\n",
	} {
		if _, err := s.Import(t.Context(), strings.NewReader(text), ImportOptions{}); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := cmp.Diff(body(before), body(export(t, s, ExportOptions{}))); d != "" {
		t.Errorf("something changed: %s", d)
	}
}

func TestWhatAnExportBringsIsCleaned(t *testing.T) {
	t.Parallel()
	s, _ := furnished(t)
	evil := strings.NewReplacer("ship it", `ship\u001b[2J it`, `"kind":"task"`, `"kind":"ta\u0007sk"`, "go on", `go\u0000 on`, "No ORM", `No\u001b]0;x\u0007 ORM`).
		Replace(export(t, s, ExportOptions{}))
	other := openTest(t, t.TempDir())
	importText(t, other, evil)
	if d := cmp.Diff(body(export(t, s, ExportOptions{})), body(export(t, other, ExportOptions{}))); d != "" {
		t.Error(d)
	}
}

func TestADryImportChangesNothing(t *testing.T) {
	t.Parallel()
	s, _ := furnished(t)
	before := export(t, s, ExportOptions{})
	other := openTest(t, t.TempDir())
	importText(t, other, `{"id":"y1","project":"orchard","text":"something else"}`)
	for _, text := range []string{export(t, other, ExportOptions{}), `{"id":"l06","project":"larder","text":"changed","ts":"2027-01-01"}`} {
		got, err := s.Import(t.Context(), strings.NewReader(text), ImportOptions{DryRun: true})
		if err != nil || got.New+got.Changed == 0 {
			t.Errorf("%+v %v", got, err)
		}
	}
	if d := cmp.Diff(body(before), body(export(t, s, ExportOptions{}))); d != "" {
		t.Errorf("something changed: %s", d)
	}
}

func TestADryImportCountsAProjectOnce(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	text := strings.Repeat(`{"project":"far","text":"x"}`+"\n", importBatch+1)
	got, err := s.Import(t.Context(), strings.NewReader(text), ImportOptions{DryRun: true})
	if err != nil || !cmp.Equal(got.Projects, []string{"far"}) {
		t.Errorf("%d projects, %v", len(got.Projects), err)
	}
}

func TestPlainRecordsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	secret := "AKIA" + "QX7TYUIZPASDFGH2"
	text := `{"id":"a-1","project":"shop","kind":"decision","title":"T","text":"first","tags":["x"],"files":["a.go"],"ts":"2026-01-02","status":"invalidated","license":"MIT"}
{"id":"a-2","project":"shop","text":"second ` + secret + `","ts":""}

{"id":"a-3","project":"shop","text":"First.","kind":"decision","title":"T"}
`
	if got := importText(t, s, text); got.New != 2 || got.Same != 1 || got.Redacted != 1 || !cmp.Equal(got.Projects, []string{"shop"}) {
		t.Errorf("%+v", got)
	}
	n, err := s.Note("a-1")
	if err != nil || n.Ref != "a-1" || n.Kind != Decision || n.Status != Invalidated || n.Updated.Format(time.DateOnly) != "2026-01-02" || n.Files[0].Path != "a.go" {
		t.Errorf("%+v %v", n, err)
	}
	if same, err := s.Note("a-3"); err != nil || same.ID != n.ID {
		t.Errorf("%+v %v", same, err)
	}
	if res := search(t, s, Query{Text: "first"}); len(res.Hits) != 1 {
		t.Error("what another program invalidated is hidden")
	}
	if got := importText(t, s, text); got.Same != 3 {
		t.Errorf("again: %+v", got)
	}
	if got := importText(t, s, `{"id":"a-1","project":"shop","kind":"decision","text":"changed","ts":"2026-02-02"}`); got.Changed != 1 {
		t.Errorf("%+v", got)
	}
	if n, err := s.Note("a-1"); err != nil || n.Text != "changed" {
		t.Errorf("%+v %v", n, err)
	}
}

func TestSensitiveFilesAreNotImported(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	lines := `{"project":"shop","text":"keys are read there","files":["conf/.env:1-4","a.go:12","id_rsa"]}`
	if _, err := s.Import(t.Context(), strings.NewReader(lines), ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := s.Export(t.Context(), &out, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `[{"path":"a.go","lines":"12"}]`) || strings.Contains(got, ".env") || strings.Contains(got, "id_rsa") {
		t.Error(got)
	}
}

// TestASlowReaderOfAnExportHoldsNobodyUp has one that reads nothing.
func TestASlowReaderOfAnExportHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	for i := range 20 { // more than is written at once
		remember(t, s, p, fmt.Sprint(i, strings.Repeat(" word", 1500)))
	}
	stuck, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := s.Export(context.Background(), w, ExportOptions{})
		ended <- err
	}()
	if _, err := stuck.Read(make([]byte, 1)); err != nil { // it has begun
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := s.Compact(context.Background())
		if err == nil {
			_, _, err = s.Remember(context.Background(), Draft{Project: p, Text: "y"})
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the memory waits for a reader")
	}
	stuck.Close()
	if err := <-ended; err == nil {
		t.Error("an export that broke off is none")
	}
	if stale, _ := s.leftovers(); len(stale) > 0 {
		t.Errorf("left: %q", stale)
	}
}
