package server

import (
	"testing"

	"deck/term/layout"
	"deck/term/screen"
	"deck/ui"
)

// Programs are told the colours of the terminal that used their pane last.
func TestColorsAreThoseOfTheClientThatUsedThePaneLast(t *testing.T) {
	l := testLoop(t)
	one, r := join(t, l)
	r.until(t, "the first state", func(r *recorder) bool { return len(r.told.Panes) == 1 })
	light := ui.Colors{Fg: screen.RGB(1, 1, 1), Bg: screen.RGB(250, 250, 250)}
	dark := ui.Colors{Fg: screen.RGB(200, 200, 200), Bg: screen.RGB(16, 16, 16), Cursor: screen.RGB(9, 9, 9)}
	dark.Palette[3] = screen.RGB(3, 4, 5)
	l.request(one, light)
	const ask = `printf '\033]12;?\033\\\033]4;3;?\033\\'; `
	p := open(t, l, `stty raw -echo; printf '\033[?2031h'; `+ask+`exec cat -v`)
	id := layout.PaneID(p.ID)
	untilText(t, l, one, p.ID, `^[]12;rgb:0101/0101/0101^[\^[]4;3;rgb:cdcd/cdcd/0000^[\`)
	two, other := join(t, l)
	other.until(t, "the state", func(r *recorder) bool { return len(r.told.Panes) == 2 })
	use := func(client string) {
		l.request(client, ui.Use{Tab: ui.TabID(p.Tab), Pane: id, Sizes: []layout.Place{{Pane: id, Rect: layout.Rect{W: 90, H: 20}}}})
	}
	use(two)
	l.request(two, dark)
	untilText(t, l, one, p.ID, `^[[?997;1n`)
	use(one)
	untilText(t, l, one, p.ID, `^[[?997;1n^[[?997;2n`)
	use(two)
	untilText(t, l, one, p.ID, `^[[?997;1n^[[?997;2n^[[?997;1n`)
	q := open(t, l, `stty raw -echo; `+ask+`exec cat -v`)
	untilText(t, l, one, q.ID, `^[]12;rgb:0909/0909/0909^[\^[]4;3;rgb:0303/0404/0505^[\`)
}
