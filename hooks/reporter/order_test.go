package reporter

import (
	"runtime"
	"testing"
)

func TestHooksAreOrderedAsTheyWereStarted(t *testing.T) {
	t.Parallel()
	if a, b := order(), order(); runtime.GOOS == "linux" && a != b {
		t.Errorf("one process has two places: %d, %d", a, b)
	}
	const line = "77 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 1234567 20 21"
	if at, ok := startOf([]byte(line)); !ok || at != 1234567 {
		t.Errorf("started at %d, %v", at, ok)
	}
	if a, b, c := place(100, 4000), place(100, 4001), place(101, 7); a+1 >= b || b >= c {
		t.Errorf("%d, %d, %d", a, b, c)
	}
	for _, bad := range []string{"", "77 (a) S 1 2", "77 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 x", ")"} {
		if _, ok := startOf([]byte(bad)); ok {
			t.Errorf("%q has a start", bad)
		}
	}
}
