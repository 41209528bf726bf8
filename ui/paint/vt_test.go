package paint

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
	"deck/term/vt"
)

// TestEmulatorShowsTheCanvas paints into deck's own emulator: deck in deck. Its
// answers to the queries make the profile.
func TestEmulatorShowsTheCanvas(t *testing.T) {
	t.Parallel()
	prof := Detect(env("TERM=xterm-256color", "LANG=C.UTF-8"))
	e := vt.New(80, 24, vt.Options{Version: "1"})
	e.Write(New(prof, 80, 24).Enter())
	for _, r := range splitReplies(string(e.TakeReplies(nil))) {
		prof.Learn([]byte(r))
	}
	if !prof.Done || !prof.Sync || !prof.Grapheme || !prof.Margins || !prof.Kitty || prof.Colors != TrueColor {
		t.Errorf("learned only %+v", prof)
	}
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 9))
		w, h := 2+r.IntN(100), 2+r.IntN(40)
		e := vt.New(w, h, vt.Options{})
		p := New(prof, w, h)
		e.Write(p.Enter())
		s := &scene{r: r, c: screen.NewCanvas(w, h), panes: seed%2 == 1}
		for i := range 40 {
			s.step()
			c := s.cursor()
			e.Write(p.Paint(s.c, c, fmt.Sprint(i)))
			sameAsEmulator(t, expect(s.c, prof, w, h), e)
			if got := e.Cursor(); got.Visible != c.Visible || c.Visible && (got.X != min(c.X, w-1) || got.Y != c.Y) {
				t.Fatalf("cursor %+v, want %+v", got, c)
			}
		}
	}
}

func splitReplies(s string) (out []string) {
	start := 0
	for i := 1; i < len(s); i++ {
		if s[i] == 0x1b && s[i:] != "\x1b\\" && (i+1 >= len(s) || s[i+1] != '\\') {
			out = append(out, s[start:i])
			start = i
		}
	}
	return append(out, s[start:])
}

func sameAsEmulator(t *testing.T, want []modelCell, e *vt.Emulator) {
	t.Helper()
	w, h := e.Size()
	for y := range h {
		for x, c := range e.Row(y) {
			st := e.Table().Style(c.Style)
			got := modelCell{Text: e.Table().Text(c.Char), Style: st, Link: e.Table().Link(st.Link).URI}
			got.Style.Link = 0
			if got = look(got); got != want[y*w+x] {
				t.Fatalf("cell %d,%d: %s", x, y, cmp.Diff(want[y*w+x], got))
			}
		}
	}
}
