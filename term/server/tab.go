package server

import (
	"cmp"
	"slices"
	"strconv"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// tab is a layout of panes; owned by the loop.
type tab struct {
	id      ui.TabID
	name    string // given by a person
	root    layout.Node
	area    layout.Rect // over which a client last laid it out
	session *session
	used    layout.PaneID // by the client that used the tab last
	zoomed  bool          // that client showed the pane alone
	first   func() string // what its first pane is
}

// title is the tab's name, else what its first pane is called, else the
// program of that.
func (t *tab) title() string {
	if t.name != "" {
		return t.name
	}
	return t.first()
}

// newTab adds a tab with one pane to a session, behind the tab after where
// that is given.
func (l *loop) newTab(s *session, p *pane, after *tab) *tab {
	l.tabSerial++
	t := &tab{id: ui.TabID("t" + strconv.Itoa(l.tabSerial)), root: layout.Leaf(p.id), session: s}
	t.first = func() string {
		panes := t.root.Panes()
		if len(panes) == 0 || l.panes[panes[0]] == nil {
			return ""
		}
		q := l.panes[panes[0]]
		return cmp.Or(q.name, q.program())
	}
	if i := slices.Index(s.tabs, after); i >= 0 {
		s.tabs = slices.Insert(s.tabs, i+1, t)
	} else {
		s.tabs = append(s.tabs, t)
	}
	l.tabs[t.id] = t
	p.tab = t
	l.relaid(s)
	return t
}

// takeFromTab removes a pane from its tab, the tab where it was the last, and
// the session where that was the last.
func (l *loop) takeFromTab(p *pane) {
	t, s := p.tab, p.tab.session
	t.root = t.root.Remove(p.id)
	var next *pane
	if panes := t.root.Panes(); len(panes) > 0 {
		next = l.panes[panes[0]]
		l.refit(t)
	} else {
		i := s.indexOf(t)
		s.tabs = slices.Delete(s.tabs, i, i+1)
		delete(l.tabs, t.id)
		if n := len(s.tabs); n > 0 {
			next = l.panes[s.tabs[min(max(i-1, 0), n-1)].root.Panes()[0]]
		}
	}
	if s.current == p {
		s.current = next
	}
	l.relaid(s)
	l.tidy(s)
}

// relaid says that tabs of a session changed.
func (l *loop) relaid(s *session) {
	l.dirty = true
	for _, t := range s.tabs {
		for _, id := range t.root.Panes() {
			if p := l.panes[id]; p != nil {
				p.changed = true
			}
		}
	}
	l.emit(wire.Event{Type: "layout", Session: s.name})
}

// replaceLayout puts a tree in force that a client made of the same panes.
func (l *loop) replaceLayout(t *tab, root layout.Node) bool {
	if !wellFormed(root, 0) {
		return false
	}
	had, has := t.root.Panes(), root.Panes()
	slices.Sort(had)
	slices.Sort(has)
	if !slices.Equal(had, has) {
		return false
	}
	t.root = root
	l.relaid(t.session)
	l.refit(t)
	return true
}

const (
	maxDepth  = 64
	maxWeight = 1 << 24
)

// wellFormed reports whether a tree is one that this package would make.
func wellFormed(n layout.Node, depth int) bool {
	if n.IsLeaf() {
		return n.Pane != ""
	}
	if depth > maxDepth || len(n.Children) < 2 || len(n.Weights) != len(n.Children) {
		return false
	}
	for i, c := range n.Children {
		if n.Weights[i] < 1 || n.Weights[i] > maxWeight || !wellFormed(c, depth+1) {
			return false
		}
	}
	return true
}

// The screen around the panes, as a client with a sidebar has it. It is only a
// guess for a pane that no client shows yet; the first one that does says what
// it has.
const (
	guessSide    = 26
	guessSideMin = 70
	guessRows    = 2
)

// guessArea returns where a client of that size will lay panes out.
func guessArea(size wire.Size) layout.Rect {
	r := layout.Rect{W: size.Cols, H: size.Rows}
	if r.W <= 0 || r.H <= 0 {
		return layout.Rect{W: defaultCols, H: defaultRows + 1}
	}
	if r.W >= guessSideMin {
		r.W -= guessSide
	}
	r.H = max(r.H-guessRows, 1)
	return r
}

const (
	defaultCols = 80
	defaultRows = 24
)

// innerSize is what a pane's rectangle leaves below its title row.
func innerSize(r layout.Rect) (cols, rows int) {
	if r.H < 2 {
		return r.W, r.H
	}
	return r.W, r.H - 1
}

// outer returns the area that the inner rectangles of panes cover, title rows
// included.
func outer(sizes []layout.Place) layout.Rect {
	var all layout.Rect
	for i, p := range sizes {
		r := layout.Rect{X: p.Rect.X, Y: p.Rect.Y - 1, W: p.Rect.W, H: p.Rect.H + 1}
		if i == 0 {
			all = r
			continue
		}
		right, bottom := max(all.X+all.W, r.X+r.W), max(all.Y+all.H, r.Y+r.H)
		all.X, all.Y = min(all.X, r.X), min(all.Y, r.Y)
		all.W, all.H = right-all.X, bottom-all.Y
	}
	return all
}
