package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScannerFindsTheSameHoweverBytesAreCut(t *testing.T) {
	t.Parallel()
	in := "a\x1b[31mb\x1b]11;?\x07c\x1bP+q524742\x1b\\d\x1b(0e\x1b[5nf\x1b7g\x1b[?2026$p^"
	want := []string{"[31m", "]11;?", "P+q524742", "[5n", "[?2026$p"}
	for size := 1; size <= len(in); size++ {
		var s scanner
		var text strings.Builder
		var sequences []string
		for rest := in; len(rest) > 0; {
			n := min(size, len(rest))
			s.feed([]byte(rest[:n]), func(p []byte) { text.Write(p) }, func(p []byte) { sequences = append(sequences, string(p)) })
			rest = rest[n:]
		}
		if diff := cmp.Diff("abcdefg^", text.String()); diff != "" {
			t.Errorf("pieces of %d: text: %s", size, diff)
		}
		if diff := cmp.Diff(want, sequences); diff != "" {
			t.Errorf("pieces of %d: sequences: %s", size, diff)
		}
	}
}

func TestCorporaHaveNoMarks(t *testing.T) {
	t.Parallel()
	for _, c := range corpora {
		if i := strings.IndexAny(string(corpus(c.kind)), string(mark)+string(ready)); i >= 0 {
			t.Errorf("%s has a mark at %d", c.kind, i)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row  row
		want string
	}{
		{row{tmux: 10, deck: 6, most: 0.6}, "yes"},
		{row{tmux: 10, deck: 7, most: 0.6}, "NO"},
		{row{deck: 7, most: 0.6}, "?"},
		{row{deck: 49, limit: 50}, "yes"},
		{row{tmux: 1, deck: 1.2, most: 1.3, limit: 1.1}, "NO"},
		{row{tmux: 1, deck: 2}, ""},
	} {
		if got := c.row.verdict(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.row, got, c.want)
		}
	}
}
