package ui

import (
	"strings"

	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// whichKey lists what the next key can be, after a moment of hesitation.
type whichKey struct {
	title   string
	entries []entry
}

// showWhichKey shows the list if its client still waits for that key.
func (m *Model) showWhichKey(msg whichKeyMsg) {
	if m.prefix.waiting && msg.turn == m.prefix.turn && m.over == nil {
		m.prefix.popup = true
		m.open(&whichKey{title: m.bindings.prefixName, entries: m.bindings.entries()})
	}
}

// Update is for the mouse only: the key goes to the prefix table.
func (w *whichKey) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	if c, ok := msg.(clickMsg); ok && pressed(c.mouse) {
		return nil, func(m *Model) tea.Cmd { m.end(); return nil }
	}
	return w, nil
}

// Draw draws the keys in columns at the bottom of the screen. What has no room
// is in the help.
func (w *whichKey) Draw(p pen, area layout.Rect) screen.Cursor {
	bottom := area.H
	if area.H >= statusFrom {
		bottom--
	}
	keysW, nameW := 0, 0
	for _, e := range w.entries {
		keysW = max(keysW, displaywidth.String(e.keys))
		nameW = max(nameW, displaywidth.String(e.name))
	}
	room := max(area.W-2, 1)
	colW := min(keysW+nameW+4, room)
	cols := max(room/colW, 1)
	rows := min((len(w.entries)+cols-1)/cols, max(bottom-2, 0))
	if rows < 1 {
		return screen.Cursor{}
	}
	in := p.box(layout.Rect{X: area.X, Y: bottom - rows - 2, W: area.W, H: rows + 2}, w.title)
	for i, e := range w.entries {
		col, y := i/rows, in.Y+i%rows
		if col >= cols {
			break
		}
		x := in.X + col*colW
		// The last cell says that there is more, if there is.
		if i == rows*cols-1 && i < len(w.entries)-1 {
			e = entry{keys: p.th.glyphs.cut, name: "see help"}
		}
		p.text(x+1, y, min(keysW, colW-1), e.keys, lookKey)
		if left := colW - keysW - 3; left > 0 {
			p.text(x+keysW+2, y, left, p.th.fit(strings.ReplaceAll(e.name, "-", " "), left), lookPlain)
		}
	}
	return screen.Cursor{}
}

// Dims is false: one looks at the panes to decide.
func (w *whichKey) Dims() bool { return false }
