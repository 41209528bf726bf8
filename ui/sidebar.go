package ui

import (
	"cmp"
	"slices"
	"strconv"

	"deck/term/layout"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// sidebar is the list of agents and shells at the left.
type sidebar struct {
	on     bool
	byNeed bool          // who needs a person comes first; else all stand by project and tab
	top    int           // rows scrolled away
	seen   layout.PaneID // the focused pane that was brought into view
	rows   int           // how many rows there were for it
}

// sideRow is a row of the list: the heading of a group or of a tab, or a line
// of a pane.
type sideRow struct {
	text, end string // of a heading, left and right
	faint     bool
	tab       TabID // that a heading's click goes to
	pane      layout.PaneID
	line      paneLine
	where     string // for the last line of a pane: what its heading does not say
	more      bool   // lineDoing goes on in lineMore
}

// paneLine is one of the lines that a pane may have in the list.
type paneLine uint8

const (
	lineState paneLine = iota // nick, state and age
	lineDoing                 // what it asks for, or is at
	lineMore                  // the rest of that, of who asks
	lineWhere                 // the agent, and where it works
)

// sideGroup is a part of the list under one heading.
type sideGroup struct {
	head  sideRow
	place bool // its heading names the project
	parts []sidePart
}

// sidePart are the panes of a tab in a group.
type sidePart struct {
	head  sideRow
	panes []Pane
}

// toggleOrder has the list by who needs a person, or by place.
func toggleOrder(m *Model) tea.Cmd {
	m.side.byNeed, m.side.top = !m.side.byNeed, 0
	if m.side.byNeed {
		return m.notify("agents by who needs you first", false)
	}
	return m.notify("agents by project and tab", false)
}

// sideGroups puts the panes into the order that is chosen.
func (m *Model) sideGroups() []sideGroup {
	if m.side.byNeed {
		return m.groupsByNeed()
	}
	panes := m.placed()
	projects := projectsOf(panes)
	groups := make([]sideGroup, 0, len(projects))
	for _, name := range projects {
		g := sideGroup{place: name != ""}
		if len(projects) > 1 || name != "" {
			g.head = sideRow{text: cmp.Or(clean(name), "no project"), end: m.branchOf(name), faint: name == ""}
		}
		for i, t := range m.state.Tabs {
			part := sidePart{head: sideRow{text: strconv.Itoa(i+1) + " " + t.Name, tab: t.ID, faint: t.ID != m.where.tab()}}
			for _, p := range panes {
				if p.Tab == t.ID && p.Project == name {
					part.panes = append(part.panes, p)
				}
			}
			if len(part.panes) > 0 {
				g.parts = append(g.parts, part)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// projectsOf are the projects of panes in the order in which they appear. What
// belongs to none is last, as it is seldom what one works on.
func projectsOf(panes []Pane) []string {
	var names []string
	none := false
	for _, p := range panes {
		switch {
		case p.Project == "":
			none = true
		case !slices.Contains(names, p.Project):
			names = append(names, p.Project)
		}
	}
	if none {
		names = append(names, "")
	}
	return names
}

// placed are the panes in the order of the tabs, and in each in reading order.
func (m *Model) placed() []Pane {
	panes := make([]Pane, 0, len(m.state.Panes))
	for _, t := range m.state.Tabs {
		for _, id := range t.Root.Panes() {
			if p, ok := m.state.Pane(id); ok {
				panes = append(panes, p)
			}
		}
	}
	return panes
}

// branchOf is the branch that all agents of a project are on, empty where they
// are on different ones.
func (m *Model) branchOf(project string) string {
	branch := ""
	for _, p := range m.state.Panes {
		switch {
		case project == "" || p.Project != project || p.Branch == "":
		case branch != "" && branch != p.Branch:
			return ""
		default:
			branch = p.Branch
		}
	}
	return clean(branch)
}

// groupsByNeed has two groups: who waits for a person, and the rest.
func (m *Model) groupsByNeed() []sideGroup {
	panes := m.placed()
	slices.SortStableFunc(panes, compareNeed)
	n := 0
	for n < len(panes) && wanting(panes[n]) {
		n++
	}
	var groups []sideGroup
	if n > 0 {
		groups = append(groups, sideGroup{head: sideRow{text: "needs you"}, parts: []sidePart{{panes: panes[:n]}}})
	}
	if n < len(panes) {
		groups = append(groups, sideGroup{head: sideRow{text: "others", faint: true}, parts: []sidePart{{panes: panes[n:]}}})
	}
	return groups
}

// sideRows are the rows of the list as they fit: every pane has one, and more
// by how much it needs a person while there is room.
func (m *Model) sideRows() []sideRow {
	groups := m.sideGroups()
	var panes []Pane
	heads, tabs := 0, 0
	for _, g := range groups {
		if g.head.text != "" {
			heads++
		}
		for _, part := range g.parts {
			panes = append(panes, part.panes...)
			if part.head.text != "" {
				tabs++
			}
		}
	}
	// The bar at the top names the tabs too.
	room := m.geo.side.H - heads - tabs - len(panes)
	withTabs := room >= 0 && (heads == 0 || len(m.state.Tabs) > 1)
	if !withTabs {
		room += tabs
	}
	lines := m.sideLines(panes, room)
	var rows []sideRow
	for _, g := range groups {
		if g.head.text != "" {
			rows = append(rows, g.head)
		}
		for _, part := range g.parts {
			if withTabs && part.head.text != "" {
				rows = append(rows, part.head)
			}
			for _, p := range part.panes {
				rows = append(rows, sideRow{pane: p.ID, tab: p.Tab})
				for _, l := range lines[p.ID] {
					more := slices.Contains(lines[p.ID], lineMore)
					rows = append(rows, sideRow{pane: p.ID, tab: p.Tab, line: l, where: where(p, g), more: more})
				}
			}
		}
	}
	return rows
}

// where is what a pane's last line says of its place: what the heading above
// leaves open.
func where(p Pane, g sideGroup) string {
	switch {
	case g.place && p.Branch != "" && g.head.end == "":
		return clean(p.Branch)
	case !g.place && p.Project != "":
		return clean(joinedBy(" ", p.Project, p.Branch))
	}
	return ""
}

// sideLines says which panes have more than their first line. Who asks and
// what is looked at come first, one by one; then the others, but all of them or
// none, so that the list stays even.
func (m *Model) sideLines(panes []Pane, room int) map[layout.PaneID][]paneLine {
	panes = slices.Clone(panes)
	slices.SortStableFunc(panes, compareNeed)
	lines := map[layout.PaneID][]paneLine{}
	add := func(l paneLine, all bool, chosen func(Pane) bool) {
		var want []layout.PaneID
		for _, p := range panes {
			if chosen(p) && !slices.Contains(lines[p.ID], l) && m.hasLine(p, l) {
				want = append(want, p.ID)
			}
		}
		if all && len(want) > room {
			return
		}
		for _, id := range want[:min(len(want), max(room, 0))] {
			lines[id] = append(lines[id], l)
			room--
		}
	}
	focus := m.where.focus()
	first := func(p Pane) bool { return asking(p) || p.ID == focus && p.Agent != "" }
	add(lineDoing, false, first)
	add(lineWhere, false, func(p Pane) bool { return first(p) && len(lines[p.ID]) == 0 })
	add(lineWhere, true, func(p Pane) bool { return p.Agent != "" && len(lines[p.ID]) == 0 })
	add(lineWhere, true, asking)
	add(lineDoing, true, func(p Pane) bool { return p.Agent != "" })
	add(lineWhere, true, func(Pane) bool { return true })
	add(lineMore, true, func(Pane) bool { return true })
	for _, l := range lines {
		slices.Sort(l)
	}
	return lines
}

// hidden is the sign for rows that are out of view: a mark, and how many
// panes in them want a person.
func (m *Model) hidden(rows []sideRow, mark string) (string, look) {
	n, most, l := 0, len(needOrder), lookBold
	for _, r := range rows {
		p, ok := m.state.Pane(r.pane)
		if !ok || r.line != lineState || !wanting(p) {
			continue
		}
		n++
		if u := urgency(p); u < most {
			most, l = u, stateLooks[needOrder[u]]
		}
	}
	if n > 0 {
		mark = " " + m.frame.theme.glyphs.states[needOrder[most]] + strconv.Itoa(n) + mark
	}
	return mark, l
}

// hasLine reports whether a pane has something for one of its lines.
func (m *Model) hasLine(p Pane, l paneLine) bool {
	switch l {
	case lineDoing:
		return p.Agent != "" && sideText(p) != ""
	case lineMore:
		return asking(p) && displaywidth.String(sideText(p)) > m.geo.side.W-sideIndent
	}
	return true
}

// scroll moves the list by n rows.
func (m *Model) scrollSidebar(n int) {
	top := min(m.side.top+n, len(m.sideRows())-m.geo.side.H)
	m.side.top = max(top, 0)
	m.touch()
}
