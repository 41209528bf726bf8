package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFollowerAtEverySplit: however a stream is cut, the same is found.
func TestFollowerAtEverySplit(t *testing.T) {
	t.Parallel()
	const stream = "a\x1b[?1049hb\x1b\x1b[5n\x1b[?1049\x1b[?1049l\x1b[5\x1b[0m\x1b[5n"
	want := []string{enterAlternate, askStatus, leaveAlternate, askStatus}
	for i := range len(stream) + 1 {
		for j := i; j <= len(stream); j++ {
			f := follower{want: []string{enterAlternate, leaveAlternate, askStatus}}
			var got []string
			for _, p := range []string{stream[:i], stream[i:j], stream[j:]} {
				f.feed([]byte(p), func(seq string, end int) {
					got = append(got, seq)
					if end < 1 || end > len(p) || p[end-1] != seq[len(seq)-1] {
						t.Errorf("%q ends at %d of %q", seq, end, p)
					}
				})
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("cut at %d and %d: %s", i, j, d)
			}
		}
	}
}
