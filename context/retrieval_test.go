package memory

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
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
		}
	}
	for k, r := range kinds {
		mrr, one, ten := r.means()
		t.Logf("%-8s %3d  MRR@10 %.3f  R@1 %.3f  R@10 %.3f", k, r.queries, mrr, one, ten)
	}
	mrr, one, ten := sum.means()
	t.Logf("all      %3d  MRR@10 %.3f  R@1 %.3f  R@10 %.3f", sum.queries, mrr, one, ten)
	t.Log("SQLite FTS5 on the same:\n" + sqlite(t, dir))
	if mrr < 0.84 || ten < 0.93 {
		t.Error("that is less than it was measured to be")
	}
}

// fts5 runs the same queries through SQLite's FTS5, the words joined by OR:
// with its own tokenizer, with stems, with stems, weights and prefixes, and with trigrams; each without
// and with a bonus for the project.
const fts5 = `
import json, re, sqlite3, sys
folder = sys.argv[1]
notes = [json.loads(l) for l in open(folder + "/docs.jsonl")]
queries = [json.loads(l) for l in open(folder + "/queries.jsonl")]
for name, tokenizer, weights, prefix in [
    ("default", "unicode61", [1, 1, 1, 1], False),
    ("porter", "porter unicode61", [1, 1, 1, 1], False),
    ("porter, weights, prefix", "porter unicode61", [2, 1, 1, 1], True),
    ("porter, more weights, prefix", "porter unicode61", [4, 1, 2, 2], True),
    ("trigram, weights", "trigram", [4, 1, 2, 2], False)]:
    db = sqlite3.connect(":memory:")
    db.execute(f"create virtual table n using fts5(id unindexed, project unindexed, title, text, tags, files, tokenize='{tokenizer}')")
    db.executemany("insert into n values (?,?,?,?,?,?)", [(d["id"], d["project"], d.get("title", ""), d["text"],
        " ".join(d.get("tags", [])), " ".join(d.get("files", []))) for d in notes])
    w = ",".join(map(str, [0, 0] + weights))
    for bonus in (1, 1.5):
        mrr = one = ten = 0
        for q in queries:
            words = re.findall(r"\w+", q["query"])
            parts = ['"%s"' % x for x in words] + (['"%s"*' % x for x in words if len(x) > 3] if prefix else [])
            rows = db.execute(f"select id, bm25(n, {w}) * (case when project = ? then {bonus} else 1 end) s from n where n match ? order by s limit 10",
                (q.get("project", ""), " OR ".join(parts)))
            for i, (found, _) in enumerate(rows):
                if found in q["relevant"]:
                    mrr += 1 / (i + 1); one += i == 0; ten += 1
                    break
        k = len(queries)
        print(f"{name:30} project x{bonus:<4} MRR@10 {mrr/k:.3f}  R@1 {one/k:.3f}  R@10 {ten/k:.3f}")
`

// sqlite is what FTS5 finds, where Python has it.
func sqlite(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("python3", "-c", fts5, dir).CombinedOutput()
	if err != nil {
		return "not measured: " + err.Error()
	}
	return string(out)
}
