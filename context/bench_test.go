package memory

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// grown is an import of n notes made of the sentences of the test corpus.
func grown(t testing.TB, n int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus, "notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(data), func(r rune) bool { return !wordRune(r) && r != '_' && r != '.' && r != '/' })
	r := rand.New(rand.NewSource(1))
	var b strings.Builder
	for i := range n {
		var text []string
		for range 20 + r.Intn(40) {
			w := words[r.Intn(len(words))]
			if r.Intn(8) == 0 {
				w = fmt.Sprintf("%s%d", w, r.Intn(n))
			}
			text = append(text, w)
		}
		fmt.Fprintf(&b, `{"id":"g%d","project":"p%d","title":%q,"text":%q,"ts":"2026-0%d-11"}`+"\n", i, i%15,
			strings.Join(text[:4], " "), strings.Join(text, " "), 1+i%9)
	}
	return b.String()
}

// queries are words of the corpus, two to four at a time.
func benchQueries() []string {
	out := []string{"integration tests port", "expire_pantry_items", "why postgres", "lock order", "10.40.0.0/16", "interlocking deadlok",
		"restore drill", "upload 413 nginx.conf", "terraform apply", "session cookie signed hmac"}
	return out
}

// BenchmarkMemory prints what a store of 1 000, 10 000 and (without -short) 100 000 notes costs.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10000 && testing.Short() {
				b.Skip("-short")
			}
			benchmarkStore(b, n)
		})
	}
}

func benchmarkStore(b *testing.B, n int) {
	dir := b.TempDir()
	costs := map[string]float64{}
	took := func(name string, f func()) {
		b.Helper()
		start := time.Now()
		f()
		costs[name+"-ms"] = float64(time.Since(start).Microseconds()) / 1000
	}
	defer func() {
		for name, cost := range costs { // the loop forgets what is reported before it
			b.ReportMetric(cost, name)
		}
	}()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	text := grown(b, n)
	s, err := Open(Options{Dir: dir})
	must(err)
	took("import", func() { importText(b, s, text) })
	took("index", func() { settle(b, s) })
	took("rebuild", func() { must(s.index.anew(b.Context())) })
	took("export", func() { export(b, s, ExportOptions{}) })
	took("backup", func() { _, err := s.Backup(b.Context()); must(err) })
	took("compact", func() { _, err := s.Compact(b.Context()); must(err) })
	must(s.Close())
	took("open", func() { s, err = Open(Options{Dir: dir}); must(err) })
	took("openindex", func() { settle(b, s) })
	defer s.Close()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	costs["heap-MB"] = float64(m.HeapAlloc) / (1 << 20)
	p := named(b, s, "p3")
	var times []time.Duration
	for b.Loop() {
		for _, q := range benchQueries() {
			start := time.Now()
			if res := search(b, s, Query{Text: q, Project: p}); res.Scan {
				b.Fatal("answered without the index")
			}
			times = append(times, time.Since(start))
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
	took("scan", func() { scanned(b, s, Query{Text: "integration tests port", Project: p}) })
	took("remember", func() { remember(b, s, p, fmt.Sprintf("a fact of %v", time.Now())) })
	if info, err := os.Stat(filepath.Join(dir, fileName)); err == nil {
		b.ReportMetric(float64(info.Size())/(1<<20), "file-MB")
	}
}
