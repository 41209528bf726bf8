package ui

import (
	"slices"
	"strconv"
	"strings"

	"deck/term/layout"

	"github.com/clipperhouse/displaywidth"
)

// ageWidth is the room of an age with the blank before it.
const ageWidth = 4

// drawSidebar draws the list with a sign where more is above or below.
func (m *Model) drawSidebar(p pen) {
	r := m.geo.side
	if r.Empty() {
		return
	}
	rows := m.sideRows()
	m.sideFollow(rows)
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
		mark, l := m.hidden(rows[:m.side.top], "^")
		p.right(r.X, r.Y, w, mark, l)
	}
	if end := m.side.top + r.H; end < len(rows) {
		mark, l := m.hidden(rows[end:], "v")
		p.right(r.X, r.Y+r.H-1, w, mark, l)
	}
}

// sideFollow brings the focused pane into view once it is another one; where a
// person scrolled to afterwards stays.
func (m *Model) sideFollow(rows []sideRow) {
	s, h := &m.side, m.geo.side.H
	if id := m.where.focus(); id != s.seen || h != s.rows {
		s.seen, s.rows = id, h
		mine := func(r sideRow) bool { return r.pane == id }
		if first := slices.IndexFunc(rows, mine); first >= 0 {
			last := first
			for last+1 < len(rows) && mine(rows[last+1]) {
				last++
			}
			// One row more on each side keeps the sign of what follows off it.
			s.top = max(s.top, last+2-h)
			s.top = min(s.top, first-1)
		}
	}
	s.top = max(0, min(s.top, len(rows)-h))
}

// drawSideRow draws one row: a heading, or a line of a pane. The bar before the
// focused pane goes along all its lines.
func (m *Model) drawSideRow(p pen, x, y, w int, row sideRow) {
	if row.pane == "" {
		l := lookBold
		if row.faint {
			l = lookFaint
		}
		n := 1 + p.text(x+1, y, w-1, p.th.fit(row.text, w-1), l)
		if room := w - n - 2; room > 2 && row.end != "" {
			p.right(x+n+2, y, room, p.th.fit(row.end, room), lookFaint)
		}
		return
	}
	pane, ok := m.state.Pane(row.pane)
	if !ok {
		return
	}
	if row.pane == m.where.focus() {
		p.text(x, y, 1, p.th.glyphs.here, lookTitleFocused)
	}
	switch row.line {
	case lineState:
		m.drawSideState(p, x+1, y, w-1, pane)
	case lineDoing, lineMore:
		l := lookFaint
		if asking(pane) {
			l = lookPlain
		}
		p.text(x+3, y, w-3, p.th.fit(sidePiece(pane, row, w-3), w-3), l)
	case lineWhere:
		m.drawSideWhere(p, x+3, y, w-3, pane, row.where)
	}
}

// sideIndent is what the lines of a pane after the first are narrower than the
// list, with the line at its right.
const sideIndent = 4

// sideText is what the list says of what a pane asks for or is at.
func sideText(p Pane) string {
	if asking(p) {
		return askedBriefly(p.Status)
	}
	return doing(p)
}

// sidePiece is the part of it for one row of w columns.
func sidePiece(p Pane, row sideRow, w int) string {
	text := sideText(p)
	if !row.more {
		return text
	}
	first, rest := splitWords(text, w)
	if row.line == lineMore {
		return rest
	}
	return first
}

// splitWords takes as many words off the beginning of s as fit into w columns,
// or as much of the first word as does.
func splitWords(s string, w int) (first, rest string) {
	if displaywidth.String(s) <= w {
		return s, ""
	}
	at := 0
	for i, r := range s {
		if displaywidth.String(s[:i]) > w {
			break
		}
		if r == ' ' && i > 0 {
			at = i
		}
	}
	if at == 0 {
		first = displaywidth.TruncateString(s, w, "")
		return first, s[len(first):]
	}
	return s[:at], s[at+1:]
}

// drawSideState draws glyph, nick, word and age. The nick gives way; a shell
// has what runs in it for a word.
func (m *Model) drawSideState(p pen, x, y, w int, pane Pane) {
	name := lookPlain
	if pane.ID == m.where.focus() {
		name = lookTitleFocused
	}
	glyph, word, l := p.th.state(pane)
	p.text(x, y, 1, glyph, l)
	x, w = x+2, w-2
	if pane.Agent == "" && !pane.Ended {
		word, l = program(pane), lookFaint
	}
	if a := age(since(pane), m.now); pane.Agent != "" && a != "" {
		p.right(x, y, w, a, lookFaint)
		w -= ageWidth
	}
	mark := ""
	if unread(pane) {
		mark = p.th.glyphs.bell
	}
	nick := min(displaywidth.String(pane.Nick+mark), 9)
	w = p.right(x, y, w, " "+p.th.fit(word, w-nick-1), l)
	n := p.text(x, y, w, p.th.fit(pane.Nick, w-displaywidth.String(mark)), name)
	p.text(x+n, y, w-n, mark, lookBell)
}

// drawSideWhere draws which agent it is, by the name that a person gave too,
// and at the right its project and branch, or else its folder.
func (m *Model) drawSideWhere(p pen, x, y, w int, pane Pane, where string) {
	what := ""
	if pane.Agent != "" {
		what = clean(agentName(pane))
		if used := contextUsed(pane); used != "" {
			what += " " + used
		}
		if pane.For != "" {
			what += " for " + pane.For
		}
		if len(pane.Clashes) > 0 {
			what += " " + p.th.glyphs.clash + strings.Join(pane.Clashes, ",")
		}
		if pane.Held != "" {
			what += " " + strconv.Itoa(pane.Waiting) + " held: " + pane.Held
		}
		if pane.Name != "" {
			what += p.th.glyphs.dot + pane.Name
		}
	}
	if where == "" {
		where = p.th.folder(pane.Dir, w-displaywidth.String(what)-1)
	}
	n := p.text(x, y, w, p.th.fit(what, w), lookFaint)
	if n > 0 {
		n++
	}
	if room := w - n; room > 3 {
		p.right(x+n, y, room, p.th.fit(where, room), lookFaint)
	}
}

// drawTally draws how many agents are in each state, most wanted first, and
// returns the columns it used.
func (m *Model) drawTally(p pen, x, y, w int) int {
	used := 0
	counts := tally(m.state.All())
	for i, s := range needOrder {
		if counts[i] == 0 {
			continue
		}
		text := p.th.glyphs.states[s] + strconv.Itoa(counts[i])
		if n := displaywidth.String(text); used+n <= w {
			used += p.text(x+used, y, n, text, stateLooks[s]) + 1
		}
	}
	return used
}

// drawSummary draws the sidebar folded into one row: the counts, and who needs
// a person most.
func (m *Model) drawSummary(p pen) {
	r := m.geo.summary
	if r.Empty() {
		return
	}
	p.fill(r, lookPlain)
	x, end := r.X+1, r.X+r.W-1
	x += m.drawTally(p, x, r.Y, end-x)
	if len(m.state.Panes) == 0 {
		return
	}
	panes := m.placed()
	first := panes[0]
	for _, q := range append(panes[1:], m.state.Others...) {
		if q.For == "" && compareNeed(q, first) < 0 {
			first = q
		}
	}
	switch {
	case wanting(first):
		_, word, l := p.th.state(first)
		word = joinedBy(" ", first.Nick+" "+word, age(first.Status.Since, m.now))
		x += 1 + p.text(x+1, r.Y, end-x-1, p.th.fit(word, end-x-1), l)
		p.text(x+1, r.Y, end-x-1, p.th.fit(sideText(first), end-x-1), lookPlain)
	case first.Agent != "":
		p.text(x+1, r.Y, end-x-1, p.th.fit("nobody needs you", end-x-1), lookFaint)
	default:
		p.text(x, r.Y, end-x, p.th.fit(p.th.glyphs.running+" "+plural(len(panes), "shell"), end-x), lookFaint)
	}
}
