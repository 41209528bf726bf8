package ui

import (
	"slices"

	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
)

// How far one key moves a border, in cells.
const (
	bigStep   = 5
	smallStep = 1
)

// The folds of the actions on borders.
var (
	foldResize = &fold{"HJKL", "resize", "move the border by five cells"}
	foldNudge  = &fold{"C-arrows", "nudge", "move the border by one cell"}
)

// sizeActions is the part of the table about borders.
func sizeActions() []action {
	list := []action{
		{name: "resize-left", keys: []string{"H"}, help: "move the border 5 columns to the left", fold: foldResize, run: resize(layout.Left, bigStep)},
		{name: "resize-down", keys: []string{"J"}, help: "move the border 5 rows down", fold: foldResize, run: resize(layout.DownSide, bigStep)},
		{name: "resize-up", keys: []string{"K"}, help: "move the border 5 rows up", fold: foldResize, run: resize(layout.Up, bigStep)},
		{name: "resize-right", keys: []string{"L"}, help: "move the border 5 columns to the right", fold: foldResize, run: resize(layout.RightSide, bigStep)},
		{name: "nudge-left", keys: []string{"C-Left"}, help: "move the border one column to the left", fold: foldNudge, run: resize(layout.Left, smallStep)},
		{name: "nudge-down", keys: []string{"C-Down"}, help: "move the border one row down", fold: foldNudge, run: resize(layout.DownSide, smallStep)},
		{name: "nudge-up", keys: []string{"C-Up"}, help: "move the border one row up", fold: foldNudge, run: resize(layout.Up, smallStep)},
		{name: "nudge-right", keys: []string{"C-Right"}, help: "move the border one column to the right", fold: foldNudge, run: resize(layout.RightSide, smallStep)},
	}
	for i := range list {
		list[i].repeat = true
	}
	list = append(list, action{name: "even", keys: []string{"="}, help: "make the panes of the tab equal", run: even})
	for i := range list {
		list[i].group, list[i].writes = groupPanes, true
	}
	return list
}

// resize moves the border of the focused pane in a direction: the one behind
// the pane, or the one before it where there is none behind.
func resize(to layout.Side, cells int) func(*Model) tea.Cmd {
	after, before := layout.RightSide, layout.Left
	if to == layout.Up || to == layout.DownSide {
		after, before = layout.DownSide, layout.Up
	}
	if to == layout.Left || to == layout.Up {
		cells = -cells
	}
	return func(m *Model) tea.Cmd {
		if m.where.zoomed() {
			return m.notify("a zoomed pane has no border", true)
		}
		root, id := m.root(), m.where.focus()
		for _, side := range []layout.Side{after, before} {
			if next := root.Resize(m.geo.area, id, side, cells); !sameTree(next, root) {
				m.relayout(next)
				return nil
			}
		}
		return nil
	}
}

// relayout asks for another tree of the current tab.
func (m *Model) relayout(root layout.Node) {
	m.host.Do(Layout{Tab: m.where.tab(), Root: root})
}

// even gives all panes of the tab the same share.
func even(m *Model) tea.Cmd {
	if len(m.root().Panes()) > 1 {
		m.relayout(m.root().Even())
	}
	return nil
}

// sameTree reports whether two trees lay out alike: a border at the edge does
// not move, and such a tree is not worth a request.
func sameTree(a, b layout.Node) bool {
	return a.Pane == b.Pane && a.Dir == b.Dir && slices.Equal(a.Weights, b.Weights) &&
		slices.EqualFunc(a.Children, b.Children, sameTree)
}
