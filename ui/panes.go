package ui

import (
	"fmt"
	"strconv"
	"strings"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/screen"

	"github.com/clipperhouse/displaywidth"
)

// views is what this client drew of each pane.
type views map[layout.PaneID]*view

// view is what this client knows of one pane's cells.
type view struct {
	from  Screen // another one after a restart
	tr    screen.Translator
	gen   uint64       // that the base shows; 0: draw all
	frame screen.Frame // of the last draw that was not held
	up    int          // rows of history in view
}

// keep drops the views of panes that are gone and makes those of new ones.
func (v views) keep(s State) {
	for id := range v {
		if _, ok := s.Pane(id); !ok {
			delete(v, id)
		}
	}
	for _, p := range s.Panes {
		if v[p.ID] == nil {
			v[p.ID] = &view{}
		}
	}
}

// drawPanes copies what changed in the visible panes into the base.
func (m *Model) drawPanes(p pen, all bool) {
	for _, q := range m.geo.places {
		v, s := m.views[q.Pane], m.host.Screen(q.Pane)
		if v == nil || s == nil {
			continue
		}
		if v.from != s && v.from != nil && m.copying != nil && m.copying.pane == q.Pane {
			m.leaveCopy() // what was looked at is gone
		}
		if all || v.from != s {
			v.from, v.gen = s, 0
		}
		// Generation takes no lock: panes without news cost next to nothing.
		if g := s.Generation(); v.gen != 0 && g == v.gen {
			continue
		}
		m.drawPane(p, q, v, s)
	}
}

// drawPane draws the live screen's changes, or the part of the history that
// is looked at with its marks.
func (m *Model) drawPane(p pen, q layout.Place, v *view, s Screen) {
	in := inner(q.Rect)
	c := m.copying
	if c == nil || c.pane != q.Pane {
		v.up = 0
		f := s.Draw(p.c, in, &v.tr, 0, v.gen)
		m.drew(v, f)
		return
	}
	v.up = c.up(v.frame)
	f := s.Draw(p.c, in, &v.tr, v.up, 0)
	if up := c.up(f); !f.Held && up != v.up {
		// The history grew since the last frame: the same rows lie further up.
		v.up = up
		f = s.Draw(p.c, in, &v.tr, up, 0)
	}
	m.drew(v, f)
	c.drawMarks(p, in, v.frame)
}

// drew remembers a frame; the title row tells what changed about its size and
// history.
func (m *Model) drew(v *view, f screen.Frame) {
	if f.Held {
		return
	}
	if c := m.copying; c != nil && m.views[c.pane] == v && f.Cols != v.frame.Cols && v.frame.Cols != 0 {
		c.reflowed()
	}
	if f.Cols != v.frame.Cols || f.Rows != v.frame.Rows || m.copying != nil && f.History != v.frame.History {
		m.touch()
	}
	v.frame, v.gen = f, f.Generation
}

// number counts the panes of the current tab from 1.
func (m *Model) number(id layout.PaneID) int {
	t, _ := m.state.Tab(m.where.tab())
	for i, q := range t.Root.Panes() {
		if q == id {
			return i + 1
		}
	}
	return 0
}

// drawTitle draws a pane's title row: a heavy line around the focused pane's,
// a light one around the others', so that it shows without colours.
func (m *Model) drawTitle(p pen, q layout.Place) {
	r := q.Rect
	pane, ok := m.state.Pane(q.Pane)
	if r.H < 2 || !ok {
		return
	}
	line, text, bar := p.th.glyphs.light, lookTitle, lookLine
	if q.Pane == m.where.focus() {
		line, text, bar = p.th.glyphs.heavy, lookTitleFocused, lookLineFocused
	}
	p.text(r.X, r.Y, r.W, strings.Repeat(line.horizontal, r.W), bar)
	left, w := r.X+1, r.W-2
	if w < 3 {
		return
	}
	end := m.titleEnd(pane, q, w)
	if end != "" {
		l := text
		if pane.Ended {
			l = lookEnded
		}
		if rest := p.right(left, r.Y, w, " "+end+" ", l); rest < w {
			w = rest - 1
		}
	}
	p.text(left, r.Y, w, p.th.fit(" "+m.titleText(pane)+" ", w), text)
}

// titleText is what a pane is: number, nick, and what runs in it.
func (m *Model) titleText(p Pane) string {
	parts, runs := []string{p.Nick}, p.Program
	if p.Agent != "" {
		runs = agentName(p)
	}
	for _, s := range []string{p.Name, runs, p.Title} {
		if s != "" && s != parts[len(parts)-1] {
			parts = append(parts, s)
		}
	}
	return m.titleSign(p) + strings.Join(parts, m.frame.theme.glyphs.dot)
}

// titleSign is what stands before a pane's nick.
func (m *Model) titleSign(p Pane) string {
	sign := strconv.Itoa(m.number(p.ID)) + " "
	if p.Ended {
		sign += m.frame.theme.glyphs.states[lifecycle.Dead] + " "
	}
	return sign
}

// titleEnd is what is special about a pane at the moment. How it ended leaves
// room for its nick in a title of w columns.
func (m *Model) titleEnd(p Pane, q layout.Place, w int) string {
	var parts []string
	v := m.views[p.ID]
	in := inner(q.Rect)
	if p.Ended {
		room := w - displaywidth.String(m.titleSign(p)+p.Nick) - len("  [] ")
		for _, s := range []string{strings.TrimSpace("ended " + p.Exit), p.Exit} {
			if s != "" && displaywidth.String(s) <= room {
				parts = append(parts, s)
				break
			}
		}
	}
	if m.copying != nil && m.copying.pane == p.ID && v != nil {
		parts = append(parts, m.copying.position(v.frame))
	}
	if m.where.zoomed() {
		parts = append(parts, "zoom")
	}
	if v != nil && v.frame.Cols > 0 && (v.frame.Cols != in.W || v.frame.Rows != in.H) {
		parts = append(parts, fmt.Sprintf("%dx%d", v.frame.Cols, v.frame.Rows))
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// drawLines draws the columns between panes, with junctions where title rows
// meet them.
func (m *Model) drawLines(p pen) {
	focus, _ := m.geo.place(m.where.focus())
	for _, b := range m.geo.borders {
		if b.Dir != layout.Right {
			continue
		}
		for y := b.Rect.Y; y < b.Rect.Y+b.Rect.H; y++ {
			line, l := p.th.glyphs.light, lookLine
			if y >= focus.Y && y < focus.Y+focus.H && (b.Rect.X == focus.X-1 || b.Rect.X == focus.X+focus.W) {
				line, l = p.th.glyphs.heavy, lookLineFocused
			}
			for x := b.Rect.X; x < b.Rect.X+b.Rect.W; x++ {
				p.text(x, y, 1, m.junction(line, b.Rect, x, y), l)
			}
		}
	}
}

// junction is the character of a line at a row: title rows run into it.
func (m *Model) junction(g lineGlyphs, line layout.Rect, x, y int) string {
	left, right := m.titleAt(x-1, y), m.titleAt(x+1, y)
	switch {
	case left && right && y == line.Y:
		return g.top
	case left && right:
		return g.cross
	case left:
		return g.left
	case right:
		return g.right
	}
	return g.vertical
}

// titleAt reports whether a cell is part of a title row.
func (m *Model) titleAt(x, y int) bool {
	q, ok := m.geo.at(x, y)
	return ok && q.Rect.H > 1 && q.Rect.Y == y
}
