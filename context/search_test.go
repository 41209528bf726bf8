package memory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const corpus = "../testdata/memory"

// openCorpus opens a store with the notes of the test corpus.
func openCorpus(t testing.TB, now time.Time) *Store {
	t.Helper()
	s := openWith(t, Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
	if got := importFile(t, s, filepath.Join(corpus, "notes.jsonl")); got.New != got.Records {
		t.Fatalf("%+v", got)
	}
	settle(t, s)
	return s
}

var corpusDay = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

func refs(hits []Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Ref)
	}
	return out
}

func search(t testing.TB, s *Store, q Query) Result {
	t.Helper()
	res, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	return res
}

func named(t testing.TB, s *Store, name string) ID {
	t.Helper()
	p, err := s.ProjectNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return p.ID
}

func TestSearchFindsWhatIsMeant(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	for _, q := range readQueries(t, filepath.Join(corpus, "queries.jsonl")) {
		res := search(t, s, Query{Text: q.Query, Project: named(t, s, q.Project)})
		if res.Scan || len(res.Hits) == 0 || res.Hits[0].Ref != q.Relevant[0] {
			t.Errorf("%q in %s: %v, want %v first", q.Query, q.Project, refs(res.Hits), q.Relevant)
		}
		if res.Searched != 39 {
			t.Errorf("%q: %d notes searched", q.Query, res.Searched)
		}
	}
}

// scanned searches without the index.
func scanned(t testing.TB, s *Store, q Query) Result {
	t.Helper()
	a, err := s.ask(q)
	if err != nil {
		t.Fatal(err)
	}
	found, n, err := s.scan(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := s.weigh(a, found)
	if err != nil {
		t.Fatal(err)
	}
	return Result{Hits: hits, Searched: n}
}

func TestSearchWithoutIndexFindsNearlyAsMuch(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	missed := 0
	queries := readQueries(t, filepath.Join(corpus, "queries.jsonl"))
	for _, q := range queries {
		res := scanned(t, s, Query{Text: q.Query, Project: named(t, s, q.Project)})
		if res.Searched != 39 {
			t.Fatalf("%q: searched %d", q.Query, res.Searched)
		}
		if !slices.Contains(refs(res.Hits)[:min(3, len(res.Hits))], q.Relevant[0]) {
			missed++
			t.Logf("%q: %v, want %v", q.Query, refs(res.Hits), q.Relevant)
		}
	}
	if missed > len(queries)/6 {
		t.Errorf("%d of %d are not among the first three", missed, len(queries))
	}
}

func TestASearchDoesNotWaitForALameIndex(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	s.seq.Add(1) // a write that the index never gets
	defer s.seq.Add(^uint64(0))
	if res := search(t, s, Query{Text: "postgres port"}); !res.Scan || len(res.Hits) == 0 || res.Hits[0].Ref != "l06" {
		t.Errorf("scan %v, %v", res.Scan, refs(res.Hits))
	}
}

func TestSearchKeepsToWhatIsAsked(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	larder, dunes := named(t, s, "larder"), named(t, s, "dunes")
	for _, c := range []struct {
		name     string
		q        Query
		want     []string
		searched int
	}{
		{"own project first", Query{Text: "postgres", Project: larder}, []string{"l06", "d05"}, 39},
		{"this project alone", Query{Text: "postgres", Project: dunes, Only: true}, []string{"d05"}, 12},
		{"one kind", Query{Text: "database postgres", Kinds: []Kind{Decision}}, []string{"d05", "l05"}, 10},
		{"kind and project", Query{Text: "database", Project: larder, Only: true, Kinds: []Kind{Discovery, Decision}}, []string{"l05", "l11"}, 8},
		{"since", Query{Text: "network", Project: dunes, Since: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}, []string{"d11", "d10"}, 0},
		{"few", Query{Text: "tests", N: 1}, nil, 39},
		{"nothing", Query{Text: "zeppelin"}, []string{}, 39},
	} {
		res := search(t, s, c.q)
		if c.searched > 0 && res.Searched != c.searched {
			t.Errorf("%s: %d notes searched, want %d", c.name, res.Searched, c.searched)
		}
		got := refs(res.Hits)
		if c.want == nil {
			if len(got) != c.q.N {
				t.Errorf("%s: %v", c.name, got)
			}
			continue
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
	if _, err := s.Search(t.Context(), Query{Text: "x", Project: "01ARZ3NDEKTSV4RRFFQ69G5FAV"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown project: %v", err)
	}
}

func TestPrivateProjectsKeepToThemselves(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	larder, dunes := named(t, s, "larder"), named(t, s, "dunes")
	if _, err := s.SetPrivate(t.Context(), dunes, true); err != nil {
		t.Fatal(err)
	}
	for _, find := range []func(testing.TB, *Store, Query) Result{search, scanned} {
		res := find(t, s, Query{Text: "postgres", Project: larder})
		if slices.Contains(refs(res.Hits), "d05") || res.Searched != 27 {
			t.Errorf("another project sees %v of %d", refs(res.Hits), res.Searched)
		}
		if res := find(t, s, Query{Text: "postgres"}); slices.Contains(refs(res.Hits), "d05") {
			t.Errorf("nobody's project sees %v", refs(res.Hits))
		}
		if res := find(t, s, Query{Text: "postgres", Project: dunes}); !slices.Contains(refs(res.Hits), "d05") {
			t.Errorf("the project itself sees %v", refs(res.Hits))
		}
	}
}

func TestAQueryWithoutWordsIsTakenLiterally(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	for _, c := range []struct {
		text, want string
		hits       bool
	}{
		{"and the", "and the", true}, {"...", "...", true}, {"  *. ", "*.", true}, {"$(", "$(", false},
	} {
		res := search(t, s, Query{Text: c.text})
		if !res.Literal || !cmp.Equal(res.Words, []string{c.want}) || (len(res.Hits) > 0) != c.hits || res.Searched != 39 {
			t.Errorf("%q: literal %v, looked for %q, %d hits", c.text, res.Literal, res.Words, len(res.Hits))
		}
	}
	for _, empty := range []string{"", " \n", "\x1b[2J"} {
		if _, err := s.Search(t.Context(), Query{Text: empty}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

func TestAHitSaysWhy(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	res := search(t, s, Query{Text: "upload fails nginx.conf", Project: named(t, s, "larder"),
		Fresh: func(n Note) (string, float64) { return "file changed", 0.5 }})
	h := res.Hits[0]
	if h.Ref != "l07" || h.ProjectName != "larder" || h.Freshness != "file changed" {
		t.Fatalf("%+v", h)
	}
	w := h.Why
	if got := round(w.Text * w.Project * w.Recency * w.Status * w.Fresh); abs(int(1000*(got-h.Score))) > 2 || w.Project != sameProject || w.Fresh != 0.5 {
		t.Errorf("score %v of %+v", h.Score, w)
	}
	for _, word := range []string{"uploads", "fail", "nginx.conf"} {
		if !slices.Contains(w.Words, word) {
			t.Errorf("words %v lack %s", w.Words, word)
		}
	}
	for _, m := range h.Snippet.Marks {
		if !slices.Contains([]string{"nginx", "uploader", "UPLOAD"}, h.Snippet.Text[m[0]:m[1]]) {
			t.Errorf("marked %q", h.Snippet.Text[m[0]:m[1]])
		}
	}
	if len(h.Snippet.Marks) == 0 {
		t.Errorf("nothing is marked in %q", h.Snippet.Text)
	}
}

func TestStatusRanksAndRelatedProjectsCount(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p, q, r := project(t, s, "shop"), project(t, s, "bank"), project(t, s, "farm")
	a := remember(t, s, q, "the gateway listens on port 9000 of alpha")
	b := remember(t, s, r, "the gateway listens on port 9000 of gamma")
	if _, err := s.Relate(t.Context(), p, r, DependsOn, Author{}); err != nil {
		t.Fatal(err)
	}
	if res := search(t, s, Query{Text: "gateway port", Project: p}); len(res.Hits) != 2 || res.Hits[0].ID != b.ID {
		t.Errorf("%v", res.Hits)
	}
	for status, first := range map[Status]ID{Verified: a.ID, Stale: b.ID} {
		if _, err := s.Verify(t.Context(), a.ID, status, "", nil, Author{}); err != nil {
			t.Fatal(err)
		}
		if res := search(t, s, Query{Text: "gateway port"}); len(res.Hits) != 2 || res.Hits[0].ID != first {
			t.Errorf("%s: %s first", status, res.Hits[0].Text)
		}
	}
}

func TestAReaderSeesWhatWasWrittenBefore(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	p := named(t, s, "larder")
	for i := range 20 {
		word := "quagga" + strings.Repeat("x", i)
		n := remember(t, s, p, "the "+word+" grazes")
		if res := search(t, s, Query{Text: word, Project: p}); len(res.Hits) == 0 || res.Hits[0].ID != n.ID {
			t.Fatalf("%s is not found", word)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Remember(ctx, Draft{Project: p, Text: "too late"}); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzSearch asks for anything: no text is an error of the search, and every
// mark lies on its snippet.
func FuzzSearch(f *testing.F) {
	s := openCorpus(f, corpusDay)
	for _, q := range []string{"postgres", "a AND (b", `"`, "title:x^2~", "10.40.0.0/16", "\xff\xfe", "--check -n", "ÄÖÜ 备份", strings.Repeat("a-", 500), "'''’s"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		res, err := s.Search(t.Context(), Query{Text: q})
		if err != nil && !errors.Is(err, ErrInvalid) {
			t.Fatal(err)
		}
		for _, h := range res.Hits {
			if !utf8.ValidString(h.Snippet.Text) {
				t.Fatalf("snippet %q", h.Snippet.Text)
			}
			for _, m := range h.Snippet.Marks {
				if m[0] < 0 || m[0] >= m[1] || m[1] > len(h.Snippet.Text) {
					t.Fatalf("mark %v of %q", m, h.Snippet.Text)
				}
			}
		}
	})
}

func TestAMarkIsOfTheWholeNameThatWasFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, query, want string }{
		{"the ETag is kept", "cached ETag", "the [ETag] is kept"},
		{"the ETag is kept", "tag", "the E[Tag] is kept"},
		{"see discovery-srv-name there", "discovery srv name", "see [discovery-srv-name] there"},
		{"set MaxIdleConns to 2", "maxidleconns", "set [MaxIdleConns] to 2"},
	} {
		s, _ := snippet(Note{Text: c.text}, words(c.query))
		got := s.Text
		for _, m := range slices.Backward(s.Marks) {
			got = got[:m[0]] + "[" + got[m[0]:m[1]] + "]" + got[m[1]:]
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.query, got, c.want)
		}
	}
}

func TestANameInSmallLettersIsFound(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	for _, text := range []string{"MaxIdleConns is 2 by default", "the flag --read-only-hosts is gone", "idle hosts are read"} {
		remember(t, s, p, text)
	}
	settle(t, s)
	for query, want := range map[string]string{"maxidleconns": "MaxIdleConns is 2 by default", "readonlyhosts": "the flag --read-only-hosts is gone"} {
		if hits := search(t, s, Query{Text: query, Project: p}).Hits; len(hits) != 1 || hits[0].Text != want {
			t.Errorf("%s: %+v", query, hits)
		}
	}
}

// TestReadingChangesNothing has notes that are read often: that is no reason to
// believe them, nor to find them sooner.
func TestReadingChangesNothing(t *testing.T) {
	t.Parallel()
	day := corpusDay
	s := openWith(t, Options{Dir: t.TempDir(), Now: func() time.Time { return day }})
	p := project(t, s, "shop")
	old := remember(t, s, p, "the gateway listens on port 9000")
	day = day.Add(60 * 24 * time.Hour)
	remember(t, s, p, "the gateway of the tests listens on port 9001")
	settle(t, s)
	ask := func() Result {
		return search(t, s, Query{Text: "gateway port", Project: p, Fresh: func(n Note) (string, float64) {
			if n.ID == old.ID {
				return string(FileChanged), 0.5
			}
			return "", 1
		}})
	}
	first := ask()
	for range 5 {
		if _, err := s.Note(old.Short); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, ask()); d != "" {
			t.Fatal(d)
		}
	}
	if h := first.Hits[1]; h.ID != old.ID || h.Freshness != string(FileChanged) || !h.Updated.Equal(old.Updated) || h.Seen != 1 {
		t.Errorf("%+v", h)
	}
}

// TestSignsAreMarkedWhereTheyStand has letters whose small ones are shorter or longer.
func TestSignsAreMarkedWhereTheyStand(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "x")
	for _, text := range []string{strings.Repeat("İ", 20), strings.Repeat("İ", 300), strings.Repeat("\u212a", 20)} {
		remember(t, s, p, text+" and !!! here")
	}
	r, err := s.Search(t.Context(), Query{Text: "!!!", Project: p})
	if err != nil || len(r.Hits) != 3 {
		t.Fatalf("%d hits, %v", len(r.Hits), err)
	}
	for _, h := range r.Hits {
		if m := h.Snippet.Marks; len(m) != 1 || h.Snippet.Text[m[0][0]:m[0][1]] != "!!!" {
			t.Errorf("%q %v", h.Snippet.Text, m)
		}
	}
}

// TestSearchesGoOnWhileMuchIsWritten searches beside writers that keep the index busy.
func TestSearchesGoOnWhileMuchIsWritten(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, corpusDay)
	p := named(t, s, "larder")
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 40 {
				if _, _, err := s.Remember(t.Context(), Draft{Project: p, Text: fmt.Sprintf("writer %d has found thing %d in file%d.go", w, i, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	over := make(chan struct{})
	go func() { writers.Wait(); close(over) }()
	for searched := 0; ; searched++ {
		if res := search(t, s, Query{Text: "postgres port", Project: p}); len(res.Hits) == 0 || res.Hits[0].Ref != "l06" {
			t.Fatalf("search %d: %v", searched, refs(res.Hits))
		}
		select {
		case <-over:
			if res := search(t, s, Query{Text: "file39.go", Project: p}); len(res.Hits) < 4 {
				t.Errorf("after all: %v", refs(res.Hits))
			}
			return
		default:
		}
	}
}
