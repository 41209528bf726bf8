package memory

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	bleve "github.com/blevesearch/bleve_index_api"
)

// openTest opens a store that closes with the test.
func openTest(t testing.TB, dir string) *Store {
	t.Helper()
	return openWith(t, Options{Dir: dir})
}

func openWith(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// settle returns when the index has everything.
func settle(t testing.TB, s *Store) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Minute)
	for time.Now().Before(deadline) {
		s.index.mu.RLock()
		news, opening, idx := s.index.news, s.index.opening, s.index.index
		s.index.mu.RUnlock()
		if !opening && idx != nil && s.index.applied.Load() >= s.seq.Load() {
			return
		}
		notify(s.index.urgent)
		select {
		case <-news:
		case <-time.After(time.Until(deadline)):
		}
	}
	t.Fatal("the index does not come up to date")
}

// indexed is how many notes the index has.
func indexed(t testing.TB, s *Store) (n uint64) {
	t.Helper()
	settle(t, s)
	_, err := s.index.use(t.Context(), func(x *index) error {
		return x.read(func(r bleve.IndexReader) (err error) {
			n, err = r.DocCount()
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// holds reports whether a file has a text.
func holds(t testing.TB, path, text string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(data, []byte(text))
}

// testContext is for what runs outside of a test.
func testContext() context.Context { return context.Background() }
