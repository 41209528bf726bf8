package ui

import (
	"cmp"
	"slices"
	"strconv"

	"deck/term/layout"

	"github.com/clipperhouse/displaywidth"
)

// sidebar is the list of agents and shells at the left.
type sidebar struct {
	on  bool
	top int // rows scrolled away
}

// sideRow is a row of the list: a tab's heading, a pane, or the second row of
// a pane.
type sideRow struct {
	tab    TabID
	pane   layout.PaneID
	second bool
}

// sideRows are the rows of the list; panes take two where all fit so.
func (m *Model) sideRows() []sideRow {
	two := len(m.state.Tabs)+2*len(m.state.Panes) <= m.geo.side.H
	var rows []sideRow
	for _, t := range m.state.Tabs {
		rows = append(rows, sideRow{tab: t.ID})
		for _, id := range t.Root.Panes() {
			rows = append(rows, sideRow{tab: t.ID, pane: id})
			if two {
				rows = append(rows, sideRow{tab: t.ID, pane: id, second: true})
			}
		}
	}
	return rows
}

// scroll moves the list by n rows.
func (m *Model) scrollSidebar(n int) {
	top := min(m.side.top+n, len(m.sideRows())-m.geo.side.H)
	m.side.top = max(top, 0)
	m.touch()
}

// drawSidebar draws the list with a sign where more is above or below.
func (m *Model) drawSidebar(p pen) {
	r := m.geo.side
	if r.Empty() {
		return
	}
	rows := m.sideRows()
	m.side.top = max(0, min(m.side.top, len(rows)-r.H))
	w := r.W - 1
	for i := range r.H {
		y := r.Y + i
		p.fill(layout.Rect{X: r.X, Y: y, W: w, H: 1}, lookPlain)
		p.text(r.X+w, y, 1, p.th.glyphs.light.vertical, lookLine)
		if j := i + m.side.top; j < len(rows) {
			m.drawSideRow(p, r.X, y, w, rows[j])
		}
	}
	if m.side.top > 0 {
		p.right(r.X, r.Y, w, "^", lookBold)
	}
	if m.side.top+r.H < len(rows) {
		p.right(r.X, r.Y+r.H-1, w, "v", lookBold)
	}
}

// drawSideRow draws one row. In rows of their own a pane's word stands at the
// right; in the short form program and word share the row.
func (m *Model) drawSideRow(p pen, x, y, w int, row sideRow) {
	if row.pane == "" {
		i := slices.IndexFunc(m.state.Tabs, func(t Tab) bool { return t.ID == row.tab })
		l := lookFaint
		if row.tab == m.where.tab() {
			l = lookBold
		}
		p.line(x, y, w, " "+strconv.Itoa(i+1)+" "+m.state.Tabs[i].Name, l)
		return
	}
	pane, ok := m.state.Pane(row.pane)
	if !ok {
		return
	}
	name := lookPlain
	if row.pane == m.where.focus() {
		p.text(x, y, 1, p.th.glyphs.here, lookTitleFocused)
		name = lookTitleFocused
	}
	if row.second {
		m.drawSideDetail(p, x+3, y, w-3, pane)
		return
	}
	glyph, word, l := p.th.sign(pane)
	p.text(x+1, y, 1, glyph, l)
	w -= 3
	if pane.Bell {
		p.text(x+w+2, y, 1, p.th.glyphs.bell, lookBell)
		w -= 2
	}
	two := 2*len(m.state.Panes)+len(m.state.Tabs) <= m.geo.side.H
	if two {
		w = p.right(x+3, y, w, " "+word, l)
		p.text(x+3, y, w, p.th.fit(pane.Nick, w), name)
		return
	}
	n := p.text(x+3, y, min(w, 8), p.th.fit(pane.Nick, 7)+" ", name)
	n += p.text(x+3+n, y, w-n, word+" ", l)
	p.text(x+3+n, y, w-n, p.th.fit(program(pane), w-n), lookFaint)
}

// drawSideDetail draws what runs in a pane and where.
func (m *Model) drawSideDetail(p pen, x, y, w int, pane Pane) {
	what := program(pane)
	n := p.text(x, y, w, p.th.fit(what, w), lookFaint) + 1
	if w-n > 3 {
		p.right(x+n, y, w-n, p.th.folder(pane.Dir, w-n), lookFaint)
	}
}

// drawSummary draws the sidebar folded into one row: whoever wants a person
// first.
func (m *Model) drawSummary(p pen) {
	r := m.geo.summary
	if r.Empty() {
		return
	}
	p.fill(r, lookPlain)
	agents := slices.Clone(m.state.Panes)
	shells := len(agents)
	agents = slices.DeleteFunc(agents, func(q Pane) bool { return q.Agent == "" })
	shells -= len(agents)
	slices.SortStableFunc(agents, func(a, b Pane) int { return cmp.Compare(urgency(a), urgency(b)) })
	x, end := r.X+1, r.X+r.W-1
	for i, a := range agents {
		glyph, word, l := p.th.sign(a)
		text, rest := glyph+" "+a.Nick+" "+word, len(agents)-i
		room := end - x
		if rest > 1 || shells > 0 {
			room -= len(" +99")
		}
		if displaywidth.String(text) > room {
			p.text(x, r.Y, end-x, p.th.fit("+"+strconv.Itoa(rest+shells), end-x), lookFaint)
			return
		}
		x += p.text(x, r.Y, room, text, l) + 2
	}
	if shells > 0 {
		p.text(x, r.Y, end-x, p.th.fit(p.th.glyphs.running+" "+plural(shells, "shell"), end-x), lookFaint)
	}
}

// plural counts a noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
