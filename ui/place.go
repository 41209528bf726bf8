package ui

import (
	"slices"

	"deck/term/layout"
)

// place is where one client looks: a tab per session, in each tab a pane and
// whether that is zoomed.
type place struct {
	session string
	tabs    map[string]TabID // per session
	last    map[string]TabID // the tab before, per session
	in      map[TabID]*spot
	wanted  layout.PaneID // to be shown as soon as the state has it
}

// spot is where a client is in one tab.
type spot struct {
	session string
	recent  []layout.PaneID // focused panes, the newest last
	zoomed  bool
}

// newPlace returns a place that looks at nothing yet.
func newPlace() place {
	return place{tabs: map[string]TabID{}, last: map[string]TabID{}, in: map[TabID]*spot{}}
}

// tab is the current tab, "" before there is one.
func (p *place) tab() TabID { return p.tabs[p.session] }

// focus is the pane that was focused last in the current tab.
func (p *place) focus() layout.PaneID {
	if s := p.in[p.tab()]; s != nil && len(s.recent) > 0 {
		return s.recent[len(s.recent)-1]
	}
	return ""
}

// before returns the pane that was focused before in the current tab.
func (p *place) before() (layout.PaneID, bool) {
	s := p.in[p.tab()]
	if s == nil || len(s.recent) < 2 {
		return "", false
	}
	return s.recent[len(s.recent)-2], true
}

// zoomed reports whether the current tab shows its focused pane alone.
func (p *place) zoomed() bool {
	s := p.in[p.tab()]
	return s != nil && s.zoomed
}

// zoom sets that.
func (p *place) zoom(on bool) {
	if s := p.in[p.tab()]; s != nil {
		s.zoomed = on
	}
}

// goTab makes t the current tab.
func (p *place) goTab(t TabID) {
	if now := p.tab(); now != t {
		p.last[p.session] = now
		p.tabs[p.session] = t
	}
}

// visit makes id the focused pane of tab t and t the current tab.
func (p *place) visit(session string, t TabID, id layout.PaneID) {
	p.session = session
	p.goTab(t)
	s := p.spot(t)
	if len(s.recent) > 0 && s.recent[len(s.recent)-1] == id {
		return
	}
	s.zoomed = false
	s.recent = append(without(s.recent, id), id)
}

// spot returns the spot of a tab, made if it is new.
func (p *place) spot(t TabID) *spot {
	s := p.in[t]
	if s == nil {
		s = &spot{session: p.session}
		p.in[t] = s
	}
	return s
}

// follow goes from one state to the next: what vanished is left for what was
// used last, else for what was nearest.
func (p *place) follow(old, s State) {
	p.session = s.Session
	for _, t := range s.Tabs {
		p.repair(old, t)
	}
	for id, sp := range p.in {
		if _, ok := s.Tab(id); !ok && sp.session == s.Session {
			delete(p.in, id)
		}
	}
	if _, ok := s.Tab(p.tab()); ok {
		return
	}
	// The current tab is gone: back to the one before it, else to the one that
	// stands where it stood.
	gone := p.tab()
	p.tabs[p.session] = ""
	if len(s.Tabs) == 0 {
		return
	}
	p.tabs[p.session] = s.Tabs[nearestTab(old, gone, len(s.Tabs))].ID
	if _, ok := s.Tab(p.last[p.session]); ok {
		p.tabs[p.session] = p.last[p.session]
	}
}

// nearestTab is the index of the tab that took the place of one that is gone.
func nearestTab(old State, gone TabID, n int) int {
	i := slices.IndexFunc(old.Tabs, func(t Tab) bool { return t.ID == gone })
	return max(0, min(i, n-1))
}

// repair takes panes that left the tab t out of its spot. A tab that is new to
// the client is as whoever used it last left it.
func (p *place) repair(old State, t Tab) {
	s := p.spot(t.ID)
	order := t.Root.Panes()
	if len(order) == 0 {
		s.recent = nil
		return
	}
	// A zoom was about the pane that is gone; one about another pane stays.
	var lost layout.PaneID
	if n := len(s.recent); n > 0 && !slices.Contains(order, s.recent[n-1]) {
		lost, s.zoomed = s.recent[n-1], false
	}
	s.recent = slices.DeleteFunc(s.recent, func(id layout.PaneID) bool { return !slices.Contains(order, id) })
	if len(s.recent) > 0 {
		return
	}
	if lost == "" && slices.Contains(order, t.Used) {
		s.recent, s.zoomed = append(s.recent, t.Used), t.Zoomed
		return
	}
	was, _ := old.Tab(t.ID)
	i := slices.Index(was.Root.Panes(), lost)
	s.recent = append(s.recent, order[max(0, min(i, len(order)-1))])
}

// without takes an id out of a list.
func without(ids []layout.PaneID, id layout.PaneID) []layout.PaneID {
	return slices.DeleteFunc(ids, func(q layout.PaneID) bool { return q == id })
}
