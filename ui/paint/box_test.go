package paint

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
)

func TestBoxRunes(t *testing.T) {
	t.Parallel()
	if n := utf8.RuneCountInString(boxRunes); n != 81 {
		t.Fatalf("%d characters", n)
	}
	for a, want := range map[arms]rune{
		{1, 1, 0, 0}: '─', {2, 2, 2, 2}: '╋', {0, 1, 1, 1}: '├', {1, 1, 0, 2}: '┰', {2, 1, 1, 1}: '┽', {0, 0, 2, 1}: '╿',
	} {
		if got := a.rune(LightLine); got != want {
			t.Errorf("%+v is %c, want %c", a, got, want)
		}
		if armsOf[want] != a {
			t.Errorf("%c has the arms %+v", want, armsOf[want])
		}
	}
}

func TestBoxesJoin(t *testing.T) {
	t.Parallel()
	c := screen.NewCanvas(9, 5)
	Box(c, 0, 0, 9, 5, LightLine, screen.Style{})
	VLine(c, 4, 0, 5, LightLine, screen.Style{})
	HLine(c, 4, 2, 5, HeavyLine, screen.Style{})
	want := "┌───┬───┐\n│___│___│\n│___┝━━━┥\n│___│___│\n└───┴───┘"
	if diff := cmp.Diff(want, dump(c)); diff != "" {
		t.Error(diff)
	}
	Fill(c, 2, 1, 4, 3, screen.Style{})
	Box(c, 2, 1, 4, 3, RoundLine, screen.Style{})
	want = "┌───┬───┐\n│_╭──╮__│\n│_│__│━━┥\n│_╰──╯__│\n└───┴───┘"
	if diff := cmp.Diff(want, dump(c)); diff != "" {
		t.Error(diff)
	}
}

func TestAreasAreClipped(t *testing.T) {
	t.Parallel()
	c := screen.NewCanvas(6, 3)
	DrawText(c, 0, 1, 6, "中中中")
	st := screen.Style{Bg: screen.Palette(1)}
	Fill(c, 3, -5, 40, 7, st)
	Box(c, -2, -2, 30, 30, LightLine, st)
	Box(c, 4, 1, 1, 9, LightLine, st)
	Dim(c, -1, -1, 3, 3)
	Restyle(c, 5, 2, 9, 9, func(screen.Style) screen.Style { return st })
	if diff := cmp.Diff("______\n中‹____\n______", dump(c)); diff != "" {
		t.Error(diff)
	}
	for i, want := range map[int]screen.Style{0: {Attr: screen.Faint}, 3: st, 6: {Attr: screen.Faint}, 9: st, 14: {}, 17: st} {
		if diff := cmp.Diff(want, c.Table.Style(c.Cells[i].Style)); diff != "" {
			t.Errorf("cell %d: %s", i, diff)
		}
	}
}
