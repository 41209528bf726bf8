package ui

import (
	"strconv"

	"deck/term/layout"

	"github.com/clipperhouse/displaywidth"
)

// cutTab is the least room in which the beginning of a tab is worth showing.
const cutTab = 8

// tabLabel is one tab of the bar.
type tabLabel struct {
	tab  TabID
	text string
	rect layout.Rect // empty while it is scrolled out
}

// tabLabels lays the tabs out in the bar, scrolled so that the current one is
// in it.
func (m *Model) tabLabels() []tabLabel {
	labels := make([]tabLabel, len(m.state.Tabs))
	current := 0
	for i, t := range m.state.Tabs {
		labels[i] = tabLabel{tab: t.ID, text: m.tabText(i, t)}
		if t.ID == m.where.tab() {
			current = i
		}
	}
	first := m.firstTab(labels, current)
	x, end := m.geo.tabs.X+m.moreWidth(first > 0), m.geo.tabs.X+m.geo.tabs.W
	for i := first; i < len(labels); i++ {
		w := displaywidth.String(labels[i].text)
		room := end - x - m.moreWidth(i < len(labels)-1)
		if w > room && i > current && room < cutTab || room <= 0 {
			break
		}
		labels[i].rect = layout.Rect{X: x, Y: m.geo.tabs.Y, W: min(w, room), H: 1}
		x += w + 1
	}
	return labels
}

// moreWidth is the room for the sign that tabs are hidden on a side.
func (m *Model) moreWidth(more bool) int {
	if more {
		return 2
	}
	return 0
}

// firstTab is the first one that can be shown with the current one still in
// the bar.
func (m *Model) firstTab(labels []tabLabel, current int) int {
	if len(labels) == 0 {
		return 0
	}
	room := m.geo.tabs.W - m.moreWidth(current < len(labels)-1)
	for i := current; i >= 0; i-- {
		room -= displaywidth.String(labels[i].text) + 1
		if room < m.moreWidth(i > 0)-1 {
			return min(i+1, current)
		}
	}
	return 0
}

// tabText has the tab's number, its name, and a mark for what in it wants
// attention.
func (m *Model) tabText(i int, t Tab) string {
	text := " " + strconv.Itoa(i+1) + " " + m.frame.theme.fit(t.Name, 24)
	if t.ID == m.where.tab() {
		return text + "* "
	}
	// The current tab needs no mark: what happens in it is seen.
	mark, most := "", len(needOrder)
	for _, p := range m.state.Panes {
		switch u := urgency(p); {
		case p.Tab != t.ID:
		case wanting(p) && u < most:
			mark, most = m.frame.theme.glyphs.states[needOrder[u]], u
		case p.Bell && mark == "":
			mark = m.frame.theme.glyphs.bell
		}
	}
	return text + mark + " "
}

// drawTabs draws the bar; the current tab has a star besides its colours.
func (m *Model) drawTabs(p pen) {
	r := m.geo.tabs
	if r.Empty() {
		return
	}
	p.fill(r, lookTab)
	labels := m.tabLabels()
	for _, t := range labels {
		if t.rect.Empty() {
			continue
		}
		l := lookTab
		if t.tab == m.where.tab() {
			l = lookTabCurrent
		}
		p.text(t.rect.X, r.Y, t.rect.W, p.th.fit(t.text, t.rect.W), l)
	}
	if n := len(labels); n > 0 && labels[0].rect.Empty() {
		p.text(r.X, r.Y, 1, p.th.glyphs.more[0], lookTab)
	}
	if n := len(labels); n > 0 && labels[n-1].rect.Empty() {
		p.text(r.X+r.W-1, r.Y, 1, p.th.glyphs.more[1], lookTab)
	}
}
