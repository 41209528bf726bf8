package lifecycle

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFileClaims(t *testing.T) {
	t.Parallel()
	var f FileClaims
	begin := time.Unix(1000, 0)
	at := func(m time.Duration) time.Time { return begin.Add(m * time.Minute) }
	touch := func(pane, path string, m time.Duration, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, f.Touch(pane, path, at(m))); diff != "" {
			t.Errorf("%s, %s at %d: %s", pane, path, m, diff)
		}
	}
	with := func(pane string, m time.Duration, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, f.With(pane, at(m))); diff != "" {
			t.Errorf("with %s at %d: %s", pane, m, diff)
		}
	}
	if f.Expire(at(0)) || !f.Next().IsZero() || f.With("a", at(0)) != nil {
		t.Error("nothing is not nothing")
	}
	touch("a", "/x", 0)
	touch("b", "/y", 0)
	with("a", 1)
	touch("b", "/x", 2, "a")
	touch("b", "/x", 3) // told before
	touch("a", "/x", 4) // the same pair
	touch("c", "/x", 5, "a", "b")
	with("a", 5, "b", "c")
	with("b", 5, "a", "c")
	if next := f.Next(); !next.Equal(at(10)) {
		t.Error("the first claim ends at", next)
	}
	with("b", 12, "a", "c")
	with("b", 13)
	if f.Expire(at(9)) {
		t.Error("something ends too soon")
	}
	if !f.Expire(at(14)) {
		t.Error("nothing has ended")
	}
	with("c", 14)
	touch("a", "/x", 14, "c") // the clash of before is over
	f.Forget("c")
	with("a", 14)
	f.Forget("a")
	if !f.Next().IsZero() {
		t.Error("claims are left")
	}
}

func TestFileClaimsAreBounded(t *testing.T) {
	t.Parallel()
	var f FileClaims
	now := time.Unix(1000, 0)
	for i := range maxClaimed + 10 {
		f.Touch("a", fmt.Sprint(i), now.Add(time.Duration(i)*time.Millisecond))
	}
	if len(f.files) != maxClaimed || f.files["0"] != nil || f.files[fmt.Sprint(maxClaimed)] == nil {
		t.Errorf("%d files are claimed", len(f.files))
	}
}
