package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cast returns a recording of version 2 with events given as "AT KIND DATA".
func cast(header string, events ...string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for _, e := range events {
		f := strings.SplitN(e, " ", 3)
		fmt.Fprintf(&b, "[%s, %q, %s]\n", f[0], f[1], f[2])
	}
	return b.String()
}

const castHead = `{"version": 2, "width": 10, "height": 3}`

func replayAt(tb testing.TB, text string, at float64) Cast {
	tb.Helper()
	c, err := ReplayCast(strings.NewReader(text), at, true)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func rowsOf(v View) []string {
	var out []string
	for _, r := range v.Rows {
		out = append(out, r.Text)
	}
	return out
}

func TestReplayCastStopsAtItsMoment(t *testing.T) {
	t.Parallel()
	text := cast(castHead,
		`0.5 o "one"`, `1 i "ignored"`, `1 m "ignored"`, `1.5 o "\r\ntwo"`, `2.5 r "4x2"`, `3 o "\u001b]0;a title\u0007!"`)
	for _, c := range []struct {
		at     float64
		rows   []string
		output float64
		title  string
	}{
		{0, []string{"", "", ""}, 0, ""},
		{0.5, []string{"one", "", ""}, 0.5, ""},
		{1.49, []string{"one", "", ""}, 0.5, ""},
		{2, []string{"one", "two", ""}, 1.5, ""},
		{2.6, []string{"one", "two"}, 1.5, ""},
		{-1, []string{"one", "two!"}, 3, "a title"},
	} {
		got := replayAt(t, text, c.at)
		if d := cmp.Diff(c.rows, rowsOf(got.View)); d != "" {
			t.Errorf("at %v (-want +got):\n%s", c.at, d)
		}
		if got.Output != c.output || got.View.Title != c.title {
			t.Errorf("at %v: output at %v, title %q", c.at, got.Output, got.View.Title)
		}
	}
}

func TestReplayCastCountsFromTheLineBefore(t *testing.T) {
	t.Parallel()
	text := cast(`{"version": 3, "term": {"cols": 10, "rows": 1}}`, `1 o "a"`, `1 o "b"`, `1 o "c"`)
	if got := rowsOf(replayAt(t, text, 2).View); got[0] != "ab" {
		t.Errorf("after 2 s: %q", got)
	}
}

func TestReplayCastShowsNoHalfPaintedScreen(t *testing.T) {
	t.Parallel()
	text := cast(castHead, `1 o "old"`, `2 o "\u001b[?2026h\u001b[2J\u001b[Hnew"`, `3 o "er\u001b[?2026l"`)
	for at, want := range map[float64]string{1.5: "old", 2.5: "old", 3: "newer"} {
		if got := rowsOf(replayAt(t, text, at).View); got[0] != want {
			t.Errorf("at %v: %q, want %q", at, got[0], want)
		}
	}
}

func TestReplayCastKeepsEventsWithTheirTimes(t *testing.T) {
	t.Parallel()
	c := replayAt(t, cast(castHead, `1 o "\u001b]7501;state=idle\u0007"`, `2 o "\u001b]7501;?\u0007\u001b]9;4;3\u0007"`, `3 o "\u001bc"`), -1)
	want := []CastEvent{{1, StatusEvent{Body: "state=idle"}}, {2, ProgressEvent{State: 3}}, {3, ResetEvent{}}}
	if d := cmp.Diff(want, c.Events); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestReplayCastRefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "not an asciicast",
		"hello":                        "not an asciicast",
		`{"version": 1}`:               "not an asciicast",
		castHead + "\n[1, \"o\"":       "line 2",
		castHead + "\n[\"x\",\"o\",1]": "line 2",
		castHead + "\n{}":              "line 2",
	} {
		if _, err := ReplayCast(strings.NewReader(text), -1, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if !IsCast([]byte(castHead+"\n")) || IsCast([]byte("{}\n")) || IsCast([]byte("$ ls\n")) || IsCast(nil) {
		t.Error("IsCast")
	}
}

func TestViewTellsFaintTextAndWraps(t *testing.T) {
	t.Parallel()
	c := replayAt(t, cast(castHead, `1 o "> \u001b[2mTry 漢\u001b[0m!\r\n0123456789ab"`), -1)
	want := []ViewRow{
		{Text: "> Try 漢!", Solid: ">       !"},
		{Text: "0123456789", Solid: "0123456789", Wrapped: true},
		{Text: "ab", Solid: "ab"},
	}
	if d := cmp.Diff(want, c.View.Rows); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestAMarkerIsTheMomentMeantShortlyAfterIt(t *testing.T) {
	t.Parallel()
	text := `{"version":2,"width":20,"height":3}
[1.0,"o","dialog"]
[1.5,"m","seen"]
[1.6,"o"," gone"]
[9.0,"o","."]
`
	for _, c := range []struct {
		at          float64
		exact       bool
		row, marker string
		wantAt      float64
	}{
		{1.9, false, "dialog", "seen", 1.5}, {1.9, true, "dialog gone", "", 1.9},
		{9.5, false, "dialog gone.", "", 9.5}, {-1, false, "dialog gone.", "", 9.0},
	} {
		got, err := ReplayCast(strings.NewReader(text), c.at, c.exact)
		if err != nil {
			t.Fatal(err)
		}
		if row := got.View.Rows[0].Text; row != c.row || got.Marker != c.marker || got.At != c.wantAt {
			t.Errorf("at %v exact %v: %q %q %v", c.at, c.exact, row, got.Marker, got.At)
		}
	}
}

func FuzzReplayCast(f *testing.F) {
	f.Add([]byte(cast(castHead, `1 o "x\u001b[?2026h"`, `2 r "3x3"`)), 1.5)
	f.Fuzz(func(_ *testing.T, text []byte, at float64) {
		_, _ = ReplayCast(strings.NewReader(string(text)), at, false)
	})
}
