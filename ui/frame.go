package ui

import (
	"strconv"

	"deck/term/layout"
	"deck/term/screen"
	"deck/ui/paint"
)

// dirt says what of the frame no longer shows how things are.
type dirt uint8

const (
	dirtyChrome dirt = 1 << iota // what surrounds the panes
	dirtyPanes                   // the panes' cells too
	dirtyAll    = dirtyChrome | dirtyPanes
)

// frame keeps the composed screen without overlays, so that a frame costs what
// changed in it.
type frame struct {
	base  screen.Canvas
	theme *theme
	dirty dirt

	// What the last frame was copied to, and whether an overlay was drawn there.
	into    *screen.Canvas
	covered bool

	// For the client's terminal, as of the last frame.
	title  string
	status paint.Status
}

// touch has the chrome drawn anew, touchAll everything.
func (m *Model) touch()    { m.frame.dirty |= dirtyChrome }
func (m *Model) touchAll() { m.frame.dirty |= dirtyAll }

// Draw composes the whole screen into dst: what changed since the last call,
// all of it when dst's size or table is another. It returns the cursor and the
// title for the client's terminal.
func (m *Model) Draw(dst *screen.Canvas) (screen.Cursor, string) {
	f := &m.frame
	sweep(dst.Table)
	if f.theme.bind(dst.Table) || f.base.Table != dst.Table || f.base.W != m.w || f.base.H != m.h {
		f.base.Table = dst.Table
		f.base.Resize(m.w, m.h)
		f.base.Follow()
		f.dirty = dirtyAll
	}
	p := pen{c: &f.base, th: f.theme}
	if f.dirty&dirtyPanes != 0 {
		// Held panes stay blank until they are released: what was here lay
		// elsewhere, or its ids have no meaning any more.
		clear(f.base.Cells)
	}
	m.drawPanes(p, f.dirty&dirtyPanes != 0)
	if f.dirty != 0 {
		m.drawChrome(p)
		f.title, f.status = m.outerTitle(), m.sum()
	}
	// Overlays and the marks of copy mode are drawn on any row.
	whole := f.dirty != 0 || m.copying != nil || m.over != nil || f.covered || f.into != dst
	f.dirty, f.covered, f.into = 0, m.over != nil, dst
	f.copyTo(dst, whole)
	if m.over == nil {
		return m.cursor(), f.title
	}
	return m.drawOverlay(dst), f.title
}

// maxStyles is how many styles and clusters a client's table may gather before
// it starts anew with what is on the screen.
const maxStyles = 1 << 17

// sweep resets a table that has grown: its owner draws everything anew at the
// next look, as every id has another meaning then.
func sweep(t *screen.Table) {
	if styles, clusters, links := t.Len(); styles > maxStyles || clusters > maxStyles || links > maxStyles {
		t.Reset()
	}
}

// copyTo copies the rows of the base that dst does not have, all of them where
// that is asked for, cut or padded where dst has another size for the moment
// between a resize and the message about it.
func (f *frame) copyTo(dst *screen.Canvas, whole bool) {
	whole = whole || dst.W != f.base.W || dst.H != f.base.H
	for y := range dst.H {
		if !whole && !f.base.Fresh(y) && !dst.Fresh(y) {
			continue
		}
		n := 0
		if y < f.base.H {
			n = copy(dst.Row(y), f.base.Row(y))
		}
		clear(dst.Row(y)[n:])
		dst.Touch(y)
	}
	f.base.Settle()
}

// drawOverlay draws on the copy, never on the base: closing a box must cost
// no pane a redraw, as its frame may be held.
func (m *Model) drawOverlay(dst *screen.Canvas) screen.Cursor {
	if m.over.Dims() {
		m.frame.theme.mark(markDim, dst.Cells)
	}
	area := layout.Rect{W: dst.W, H: dst.H}
	return m.over.Draw(pen{c: dst, th: m.frame.theme}, area)
}

// drawChrome draws all that surrounds the panes' cells and no cell of theirs.
func (m *Model) drawChrome(p pen) {
	for _, q := range m.geo.places {
		m.drawTitle(p, q)
	}
	m.drawLines(p)
	m.drawTabs(p)
	m.drawSidebar(p)
	m.drawSummary(p)
	m.drawStatus(p)
}

// cursor is the program's where its keys go, the copy mode's while that is on.
func (m *Model) cursor() screen.Cursor {
	id := m.where.focus()
	r, shown := m.geo.place(id)
	v := m.views[id]
	if !shown || v == nil || m.prefix.popup {
		return screen.Cursor{}
	}
	in := inner(r)
	if m.copying != nil {
		return m.copying.cursorIn(in, v.frame)
	}
	c := v.frame.Cursor
	if pane, _ := m.state.Pane(id); pane.Ended || v.up != 0 || c.Y >= in.H || c.X > in.W {
		return screen.Cursor{}
	}
	c.X, c.Y = in.X+min(c.X, in.W-1), in.Y+c.Y
	return c
}

// outerTitle names what a person looks for in a list of windows: first how many
// agents need them.
func (m *Model) outerTitle() string {
	title, dot := "deck", m.frame.theme.glyphs.dot
	counts := tally(m.state.All())
	for i := 2; i >= 0; i-- {
		if counts[i] > 0 {
			title = m.frame.theme.glyphs.states[needOrder[i]] + strconv.Itoa(counts[i]) + " " + title
		}
	}
	if m.state.Session != "" {
		title += dot + m.state.Session
	}
	if p, ok := m.focused(); ok {
		title += dot + p.Nick
		if p.Title != "" {
			title += ": " + p.Title
		}
	}
	return clean(title)
}
