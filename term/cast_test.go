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

// castEvent is something a program told its terminal, with its time.
type castEvent struct {
	At    float64 // seconds
	Event Event
}

// played is a recording at its moment.
type played struct {
	CastPlayer *CastPlayer
	View       View
	Events     []castEvent
	Presses    []Press
	Output     float64 // when the program last wrote before it
}

func play(tb testing.TB, text string, at float64, exact bool) played {
	tb.Helper()
	p, err := OpenCast(strings.NewReader(text), at, exact)
	if err != nil {
		tb.Fatal(err)
	}
	out := played{CastPlayer: p}
	for {
		at, more := p.Next()
		if !more {
			break
		}
		s := p.Step()
		if s.Wrote {
			out.Output = at.Seconds()
		}
		for _, e := range s.Events {
			out.Events = append(out.Events, castEvent{at.Seconds(), e})
		}
		out.Presses = append(out.Presses, s.Presses...)
	}
	out.View = p.Steady()
	return out
}

func replayAt(tb testing.TB, text string, at float64) played {
	tb.Helper()
	return play(tb, text, at, true)
}

func rowsOf(v View) []string {
	var out []string
	for _, r := range v.Rows {
		out = append(out, r.Text)
	}
	return out
}

func TestACastStopsAtItsMoment(t *testing.T) {
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
		{2.6, []string{"one", "two"}, 2.5, ""},
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

func TestACastCountsFromTheLineBefore(t *testing.T) {
	t.Parallel()
	text := cast(`{"version": 3, "term": {"cols": 10, "rows": 1}}`, `1 o "a"`, `1 o "b"`, `1 o "c"`)
	if got := rowsOf(replayAt(t, text, 2).View); got[0] != "ab" {
		t.Errorf("after 2 s: %q", got)
	}
}

func TestACastShowsNoHalfPaintedScreen(t *testing.T) {
	t.Parallel()
	text := cast(castHead, `1 o "old"`, `2 o "\u001b[?2026h\u001b[2J\u001b[Hnew"`, `3 o "er\u001b[?2026l"`)
	for at, want := range map[float64]string{1.5: "old", 2.1: "old", 2.5: "new", 3: "newer"} {
		if got := rowsOf(replayAt(t, text, at).View); got[0] != want {
			t.Errorf("at %v: %q, want %q", at, got[0], want)
		}
	}
}

func TestACastKeepsEventsWithTheirTimes(t *testing.T) {
	t.Parallel()
	c := replayAt(t, cast(castHead, `1 o "\u001b]7501;state=idle\u0007"`, `2 o "\u001b]7501;?\u0007\u001b]9;4;3\u0007"`, `3 o "\u001bc"`), -1)
	want := []castEvent{{1, StatusEvent{Body: "state=idle"}}, {2, ProgressEvent{State: 3}}, {3, ResetEvent{}}}
	if d := cmp.Diff(want, c.Events); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestACastRefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "not an asciicast",
		"hello":                        "not an asciicast",
		`{"version": 1}`:               "not an asciicast",
		castHead + "\n[1, \"o\"":       "line 2",
		castHead + "\n[\"x\",\"o\",1]": "line 2",
		castHead + "\n{}":              "line 2",
	} {
		if _, err := OpenCast(strings.NewReader(text), -1, false); err == nil || !strings.Contains(err.Error(), want) {
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
	text := cast(castHead, `1 o "dialog"`, `1.5 m "seen"`, `1.6 o "\u001b[H\u001b[2Jgone"`, `8 m "done"`, `9 o "\u001b[H\u001b[2Jbye"`, `9.2 m "exit status=0"`)
	for _, c := range []struct {
		at          float64
		exact       bool
		row, marker string
		wantAt      float64
	}{
		{1.9, false, "dialog", "seen", 1.5},
		{1.9, true, "gone", "", 1.9},
		{7.5, false, "gone", "", 7.5},
		{9.5, false, "gone", "done", 8},
		{-1, false, "bye", "", 9.2},
	} {
		got := play(t, text, c.at, c.exact)
		if p := got.CastPlayer; got.View.Rows[0].Text != c.row || p.Marker != c.marker || p.At.Seconds() != c.wantAt {
			t.Errorf("at %v exact %v: %q %q %v", c.at, c.exact, got.View.Rows[0].Text, p.Marker, p.At)
		}
	}
}

// What a terminal answers is in a recording among what was typed.
func TestKeysOfARecording(t *testing.T) {
	t.Parallel()
	got := replayAt(t, cast(castHead, `1 i "\u001b[?62;22c\u001b]11;rgb:0/0/0\u001b\\"`, `2 i "fix it"`, `3 i "\r"`, `4 i "\u001b"`, `5 i "2\u0003\u001b[<0;1;1M"`), -1)
	want := []Press{PressText, PressEnter, PressEsc, PressDigit, PressCtrlC}
	if d := cmp.Diff(want, got.Presses); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func FuzzPlayCast(f *testing.F) {
	f.Add([]byte(cast(castHead, `1 o "x\u001b[?2026h"`, `1.1 i "\u001b"`, `2 r "3x3"`)), 1.5)
	f.Fuzz(func(t *testing.T, text []byte, at float64) {
		p, err := OpenCast(strings.NewReader(string(text)), at, false)
		if err != nil {
			return
		}
		for range 1000 {
			if _, more := p.Next(); !more {
				p.Steady()
				return
			}
			p.Step()
		}
		if len(text) < 1000 {
			t.Error("more steps than lines")
		}
	})
}
