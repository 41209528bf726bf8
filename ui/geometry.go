package ui

import (
	"slices"

	"deck/term/layout"
)

// The sizes at which parts of the screen come and go.
const (
	sidebarWidth  = 26 // with the line at its right
	sidebarFrom   = 70 // columns
	summaryFrom   = 40
	summaryHeight = 9 // rows
	tabsFrom      = 7
	statusFrom    = 4
)

// geometry is where everything lies; parts without room are empty.
type geometry struct {
	tabs, side, summary, status, area layout.Rect

	places  []layout.Place // the visible panes with their title rows
	borders []layout.Border
}

// arrange divides the screen anew after anything about sizes changed.
func (m *Model) arrange() {
	g := geometry{area: layout.Rect{W: m.w, H: m.h}}
	if m.h >= statusFrom {
		g.area.H--
		g.status = layout.Rect{Y: m.h - 1, W: m.w, H: 1}
	}
	if m.h >= tabsFrom {
		g.tabs = cutTop(&g.area)
	}
	switch {
	case !m.side.on:
	case m.w >= sidebarFrom:
		g.side = layout.Rect{Y: g.area.Y, W: sidebarWidth, H: g.area.H}
		g.area.X, g.area.W = sidebarWidth, g.area.W-sidebarWidth
	case m.w >= summaryFrom && m.h >= summaryHeight:
		g.summary = cutTop(&g.area)
	}
	if t, ok := m.state.Tab(m.where.tab()); ok {
		root := t.Root
		if m.where.zoomed() {
			root = layout.Leaf(m.where.focus())
		}
		for _, p := range root.Arrange(g.area) {
			if !p.Rect.Empty() {
				g.places = append(g.places, p)
			}
		}
		g.borders = root.Borders(g.area)
	}
	if g.equal(m.geo) {
		m.touch()
		return
	}
	m.geo = g
	m.touchAll()
}

// equal reports whether nothing moved: then no pane needs to be drawn anew.
func (g geometry) equal(o geometry) bool {
	return g.tabs == o.tabs && g.side == o.side && g.summary == o.summary && g.status == o.status && g.area == o.area &&
		slices.Equal(g.places, o.places) && slices.Equal(g.borders, o.borders)
}

// cutTop takes the first row off a rectangle.
func cutTop(r *layout.Rect) layout.Rect {
	top := layout.Rect{X: r.X, Y: r.Y, W: r.W, H: 1}
	r.Y++
	r.H--
	return top
}

// inner is what is left of a pane's rectangle for its program, below the
// title row. A pane one row high has no title.
func inner(r layout.Rect) layout.Rect {
	if r.H < 2 {
		return r
	}
	return layout.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
}

// sizes returns the inner rectangles of all visible panes.
func (g geometry) sizes() []layout.Place {
	sizes := make([]layout.Place, 0, len(g.places))
	for _, p := range g.places {
		sizes = append(sizes, layout.Place{Pane: p.Pane, Rect: inner(p.Rect)})
	}
	return sizes
}

// place returns the outer rectangle of a visible pane.
func (g geometry) place(id layout.PaneID) (layout.Rect, bool) {
	for _, p := range g.places {
		if p.Pane == id {
			return p.Rect, true
		}
	}
	return layout.Rect{}, false
}

// at returns the pane that covers a cell.
func (g geometry) at(x, y int) (layout.Place, bool) {
	for _, p := range g.places {
		if p.Rect.Contains(x, y) {
			return p, true
		}
	}
	return layout.Place{}, false
}
