package memory

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// retrieval is how well a list of queries found what they are about.
type retrieval struct {
	queries        int
	mrr, one, tens float64 // MRR@10, R@1, R@10, summed
}

func (r *retrieval) add(found []string, relevant []string) {
	r.queries++
	for i, id := range found[:min(len(found), 10)] {
		for _, want := range relevant {
			if id == want {
				r.mrr += 1 / float64(i+1)
				if i == 0 {
					r.one++
				}
				r.tens++
				return
			}
		}
	}
}

func (r *retrieval) means() (mrr, one, ten float64) {
	n := float64(max(r.queries, 1))
	return r.mrr / n, r.one / n, r.tens / n
}

// handedQuery is a line of queries.jsonl.
type handedQuery struct {
	QID      string   `json:"qid"`
	Type     string   `json:"type"`
	Query    string   `json:"query"`
	Project  string   `json:"project"`
	Relevant []string `json:"relevant"`
}

func readQueries(t testing.TB, path string) (out []handedQuery) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var q handedQuery
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// importFile fills a store from a file of records and waits for the index.
func importFile(t testing.TB, s *Store, path string) Imported {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := s.Import(t.Context(), f, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestRetrieval measures search on notes and queries from outside: a folder
// with docs.jsonl and queries.jsonl.
func TestRetrieval(t *testing.T) {
	dir := os.Getenv("DECK_TEST_MEMORY")
	if dir == "" {
		t.Skip("DECK_TEST_MEMORY is not set")
	}
	s := openTest(t, t.TempDir())
	got := importFile(t, s, filepath.Join(dir, "docs.jsonl"))
	settle(t, s)
	t.Logf("import: %+v", got)
	var sum retrieval
	kinds := map[string]*retrieval{}
	for _, q := range readQueries(t, filepath.Join(dir, "queries.jsonl")) {
		p, err := s.ProjectNamed(q.Project)
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Search(t.Context(), Query{Text: q.Query, Project: p.ID})
		if err != nil {
			t.Fatal(err)
		}
		if res.Scan {
			t.Fatalf("%s: answered without the index", q.QID)
		}
		var refs []string
		for _, h := range res.Hits {
			refs = append(refs, h.Ref)
		}
		if kinds[q.Type] == nil {
			kinds[q.Type] = &retrieval{}
		}
		before := sum.mrr
		sum.add(refs, q.Relevant)
		kinds[q.Type].add(refs, q.Relevant)
		if sum.mrr-before < 1 {
			t.Logf("%.2f %s %q (%s)", sum.mrr-before, q.Type, q.Query, q.Project)
			if testing.Verbose() && os.Getenv("DECK_TEST_WHY") != "" {
				for i, h := range res.Hits[:min(4, len(res.Hits))] {
					t.Logf("      %d %s %.2f %+v %s", i+1, h.Ref, h.Score, h.Why, h.Head())
				}
				full, _ := s.Search(t.Context(), Query{Text: q.Query, Project: p.ID, N: 200, All: true})
				for i, h := range full.Hits {
					for _, r := range q.Relevant {
						if h.Ref == r {
							t.Logf("   -> %d %s %.2f %+v %s %s", i+1, h.Ref, h.Score, h.Why, h.Status, h.Head())
						}
					}
				}
			}
		}
	}
	for k, r := range kinds {
		mrr, one, ten := r.means()
		t.Logf("%-8s %3d  MRR@10 %.3f  R@1 %.3f  R@10 %.3f", k, r.queries, mrr, one, ten)
	}
	mrr, one, ten := sum.means()
	t.Logf("all      %3d  MRR@10 %.3f  R@1 %.3f  R@10 %.3f", sum.queries, mrr, one, ten)
}
