package memory

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzClean makes text of any bytes: valid, without control characters, and nothing is left to clean.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"\x1b[31mred\x1b[m", "\x1b]0;t\x1b\\x", "a\xffb", "\x1b", "\x1b[", "\x1bP\x1b", "\u202e\ufeff", "a\r\rb", "\x9b31m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if !utf8.ValidString(got) || got != clean(got) {
			t.Fatalf("%q of %q", got, s)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Fatalf("a control character in %q of %q", got, s)
		}
	})
}

// FuzzImport reads any bytes: it is refused, or stored without an error.
func FuzzImport(f *testing.F) {
	s := openTest(f, f.TempDir())
	for _, text := range []string{"", "{}", `{"project":"p","text":"x"}`, `{"format":"deck-memory","schema":1}` + "\n" + `{"note":{}}`,
		`{"format":"deck-memory","schema":1}` + "\n" + `{"relation":{"project":"01ARZ3NDEKTSV4RRFFQ69G5FAV","other":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}}`,
		`{"format":"deck-memory","schema":1}` + "\n" + `{"note":{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","project":"01ARZ3NDEKTSV4RRFFQ69G5FAV","kind":"fact","status":"NEW","text":"x"}}`,
		`[1]`, "null\nnull", `{"id":"` + strings.Repeat("x", 2000) + `","project":"p","text":"x"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := s.Import(t.Context(), strings.NewReader(string(data)), ImportOptions{}); err != nil && !errors.Is(err, ErrForeign) {
			t.Fatal(err)
		}
		if err := s.view(readAll(s.path(fileName))); err != nil {
			t.Fatal(err)
		}
	})
}
