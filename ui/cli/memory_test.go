package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/wire"
)

func TestTimesAreReadAsPeopleSayThem(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"": "", "7d": "2026-03-03T12:00:00Z", "2w": "2026-02-24T12:00:00Z", "90m": "2026-03-10T10:30:00Z", "12h": "2026-03-10T00:00:00Z",
		"2026-01-31": "2026-01-31T00:00:00Z", "2026-01-31T08:00:00Z": "2026-01-31T08:00:00Z",
		"yesterday": "error", "7": "error", "-7d": "error", "7dd": "error", "0d": "error", "99999999d": "error", "7 d": "error",
	} {
		got, err := since(in, now)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %s, not %s", in, got, want)
		}
	}
}

func TestHitsAreMarked(t *testing.T) {
	t.Parallel()
	s := wire.Snippet{Text: "the pool\x1b[31m blocks", Marks: [][2]int{{4, 8}, {6, 9}, {14, 20}, {18, 99}}}
	if got := (pen{}).snippet(s); got != "the *pool*[31m *blocks*" {
		t.Errorf("%q", got)
	}
	if got := (pen{colour: true}).snippet(wire.Snippet{Text: "a b", Marks: [][2]int{{0, 1}}}); got != "\x1b[1;32ma\x1b[0m b" {
		t.Errorf("%q", got)
	}
	h := wire.Hit{Note: wire.Note{Title: "The Pool pooled"}, Why: wire.HitWhy{Words: []string{"pool", "pooled", ""}}}
	if got := (pen{}).title(h); got != "The *Pool* *pooled*" {
		t.Errorf("%q", got)
	}
}

func TestASandboxIsToldFromAServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	dial := func(err error) error {
		return fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("socket", err)})
	}
	for err, want := range map[error]bool{
		dial(syscall.EPERM): true, dial(syscall.EACCES): true, dial(syscall.EROFS): true, fs.ErrPermission: true,
		dial(syscall.ECONNREFUSED): false, wire.ErrNoServer: false, errors.New("other"): false,
	} {
		if refused(err) != want {
			t.Errorf("%v: refused is %v", err, !want)
		}
	}
}

func TestProjectedNotesAreReadBack(t *testing.T) {
	t.Parallel()
	part := "D1X2Y sessions live in redis\n\nthe text\nof two lines\n\nBecause: they stay\n\n_decision, verified, 2026-01-02, (a.go)_\n"
	want := wire.Note{ID: "D1X2Y", Short: "D1X2Y", Title: "sessions live in redis", Kind: "decision", Status: "VERIFIED",
		Text: "the text\nof two lines\n\nBecause: they stay"}
	if d := cmp.Diff(want, projectedNote(part)); d != "" {
		t.Error(d)
	}
	for _, odd := range []string{"", "x", "\n_", "x\n\n__\n", strings.Repeat("_", 100)} {
		projectedNote(odd)
	}
}
