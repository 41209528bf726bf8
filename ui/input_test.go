package ui

import (
	"strings"
	"testing"

	"deck/term/keys"
	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

func TestInputPutsTheCursorWhereTheTextIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		left        int
		w           int
		want        string
		cursor      int
	}{
		{"letters", "hello", 0, 12, "hello", 5},
		{"wide", "日本", 0, 12, "日本", 4},
		{"between wide ones", "日本", 1, 12, "日本", 2},
		{"a family", "a👩‍👩‍👧b", 1, 12, "a👩‍👩‍👧b", 3},
		{"before a family", "a👩‍👩‍👧b", 2, 12, "a👩‍👩‍👧b", 1},
		{"a mark", "e\u0301x", 1, 12, "e\u0301x", 1},
		{"too long", "0123456789", 0, 6, "56789", 5},
		{"too long and wide", "日本日本日本", 0, 6, " 日本", 5},
		{"at the edge", "0123456789", 4, 6, "123456", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			canvas := screen.NewCanvas(20, 1)
			th := newTheme(false, false)
			th.bind(canvas.Table)
			p := pen{c: canvas, th: th}
			i := newInput(c.value)
			for range c.left {
				i.key(keys.Key{Code: keys.Left})
			}
			cur := i.draw(p, 2, 0, c.w)
			if diff := cmp.Diff(c.want, strings.TrimRight(plain(canvas), " ")[2:]); diff != "" {
				t.Error(diff)
			}
			if cur.X != 2+c.cursor || !cur.Visible {
				t.Errorf("the cursor is at column %d of the text, not %d", cur.X-2, c.cursor)
			}
		})
	}
}
