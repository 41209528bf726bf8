package vt

import (
	"slices"

	"deck/term/screen"
)

// wrapCells appends the ends of the rows that cells take at a width. There is
// one row at least. A wide character is not parted.
func wrapCells(cells []screen.Cell, width int, ends []int) []int {
	for start := 0; ; {
		end := min(start+width, len(cells))
		if end < len(cells) && cells[end].Char == screen.Tail && end-1 > start {
			end--
		}
		ends = append(ends, end)
		if end >= len(cells) {
			return ends
		}
		start = end
	}
}

// Resize changes the screen's size. The main screen's lines are wrapped anew
// and rows go to the history and come back from it; nothing is lost. The
// alternate screen is cut or padded, since its program draws it anew.
func (e *Emulator) Resize(cols, rows int) {
	cols, rows = clampSize(cols, rows)
	if cols == e.cols && rows == e.rows {
		return
	}
	if e.alt.grid != nil {
		e.resizeAlt(cols, rows)
	}
	e.resizeMain(cols, rows)
	e.cols, e.rows = cols, rows
	e.resetMargins()
	e.tabs = e.tabs.resize(cols)
	e.clampCursor()
	e.fresh = false
	e.changed = true
	e.commit()
	if e.mode(modeResize) {
		e.reportSize()
	}
}

// resizeAlt cuts or pads the alternate screen. Rows go from the top where the
// cursor would else fall off the bottom.
func (e *Emulator) resizeAlt(cols, rows int) {
	old, y0 := e.alt.grid, 0
	if e.buf == &e.alt {
		y0 = max(0, e.cur.y-rows+1)
		e.cur.y -= y0
	}
	g := newGrid(cols, rows)
	g.allGen = e.next
	for y := range min(rows, len(old.ring)-y0) {
		from, to := old.row(y0+y), g.row(y)
		if cols < old.cols {
			from.cut(cols)
		}
		copy(to.cells, from.cells)
		to.used = min(from.used, cols)
		to.wrapped = from.wrapped && cols == old.cols
	}
	e.alt.grid = g
}

// reflow is the main screen's content on its way to another size.
type reflow struct {
	lines  []textLine
	line   int // the cursor's
	offset int // the cursor's column in it
}

// textLine is a line of text however many rows it takes.
type textLine struct {
	cells   []screen.Cell
	fill    screen.Cell
	wrapped bool // goes on in what is not here
}

// flowRow is a row of the new size.
type flowRow struct {
	cells   []screen.Cell
	fill    screen.Cell
	wrapped bool
}

// resizeMain wraps the main screen anew. A line that began in the history comes
// back as a whole first, so that it wraps as one.
func (e *Emulator) resizeMain(cols, rows int) {
	g, c := e.main.grid, &e.cur
	if e.buf != &e.main {
		c = &e.main.saved
		c.x, c.y = min(c.x, e.cols-1), min(c.y, e.rows-1)
	}
	last := max(c.y, g.lastText())
	below := e.rows - 1 - last // blank rows under the text
	var f reflow
	if cols != e.cols && e.history.wrapped() {
		f.takeLine(&e.history)
	}
	f.takeGrid(g, last, c)
	e.history.setWidth(cols)
	flow, cy := f.wrap(cols, c)
	// Blank rows at the bottom are the first to go and come last.
	room := rows
	if rows <= e.rows {
		if below > 0 {
			room = min(rows, len(flow)) // widening leaves the blank rows where they are
		}
	} else {
		room = min(rows, max(len(flow), last+1)+rows-e.rows)
	}
	for len(flow) < room {
		more := e.pull(cols)
		if len(more) == 0 {
			break
		}
		flow = append(more, flow...)
		cy += len(more)
	}
	ng := newGrid(cols, rows)
	ng.allGen = e.next
	if over := len(flow) - max(room, min(rows, 1)); over > 0 {
		e.pushFlow(flow[:over], cols)
		flow = flow[over:]
		cy -= over
	}
	for y, r := range flow {
		r.into(ng.row(y))
	}
	c.y = max(0, min(cy, rows-1))
	e.main.grid = ng
}

// takeLine takes the newest line of the history, which goes on in the grid.
func (f *reflow) takeLine(h *history) {
	cells, fill, wrapped, ok := h.popLine()
	if ok {
		f.lines = append(f.lines, textLine{cells: cells, fill: fill, wrapped: wrapped})
	}
}

// takeGrid takes rows 0 to last of the grid, joined into lines.
func (f *reflow) takeGrid(g *grid, last int, c *cursor) {
	open := len(f.lines) > 0
	for y := 0; y <= last; y++ {
		r := g.row(y)
		if !open {
			f.lines = append(f.lines, textLine{})
		}
		l := &f.lines[len(f.lines)-1]
		if y == c.y {
			f.line, f.offset = len(f.lines)-1, len(l.cells)+c.x
			if c.wrap {
				f.offset++
			}
		}
		cells, fill := trim(r.cells[:r.used], len(r.cells))
		open = r.wrapped && y < last
		if open && len(cells) < g.cols {
			// A wide character did not fit, or the end was erased since.
			short := g.cols - len(cells)
			if next := g.row(y + 1); short > 1 || !next.cells[0].Char.Wide() {
				cells = r.cells
			}
		}
		l.cells = append(l.cells, cells...)
		l.fill = screen.Cell{Style: fill}
		l.wrapped = r.wrapped
	}
}

// wrap lays the lines out at a width, and puts the cursor's column into c; cy
// is its row.
func (f *reflow) wrap(cols int, c *cursor) (flow []flowRow, cy int) {
	var ends []int
	for i, l := range f.lines {
		cells, offset := fitWide(l.cells, cols, f.offset)
		ends = wrapCells(cells, cols, ends[:0])
		start := 0
		for k, end := range ends {
			last := k == len(ends)-1
			r := flowRow{cells: cells[start:end], wrapped: !last || l.wrapped && i == len(f.lines)-1}
			if last {
				r.fill = l.fill
			}
			if i == f.line && offset >= start && (offset < end || last) {
				cy = len(flow)
				x := offset - start
				c.wrap = x == cols && offset == len(cells)
				c.x = min(x, cols-1)
			}
			flow = append(flow, r)
			start = end
		}
	}
	return flow, cy
}

// fitWide squeezes wide characters into one column where the screen has no
// more, and gives them back their second one when it has. It also returns
// where the column offset went.
func fitWide(cells []screen.Cell, cols, offset int) ([]screen.Cell, int) {
	if cols > 1 && !slices.ContainsFunc(cells, squeezed) {
		return cells, offset
	}
	var out []screen.Cell
	moved := offset
	for i, c := range cells {
		switch {
		case cols == 1 && c.Char == screen.Tail:
			if i < offset {
				moved--
			}
			continue
		case cols == 1:
			c.Char = c.Char.WithWidth(1)
		case squeezed(c):
			c.Char = c.Char.WithWidth(2)
			out = append(out, c)
			c.Char = screen.Tail
			if i < offset {
				moved++
			}
		}
		out = append(out, c)
	}
	return out, moved
}

// squeezed reports whether a wide character has a single column.
func squeezed(c screen.Cell) bool {
	r, ok := c.Char.Rune()
	return ok && r >= 0x80 && !c.Char.Wide() && propsOf(r).width() == 2
}

// pull takes the newest line of the history as rows of the new width.
func (e *Emulator) pull(cols int) []flowRow {
	var f reflow
	f.takeLine(&e.history)
	if len(f.lines) == 0 {
		return nil
	}
	flow, _ := f.wrap(cols, &cursor{})
	return flow
}

// pushFlow gives rows that no longer fit on the screen to the history. What is
// wrapped goes as one long row: it is rows that are counted when the oldest go,
// and a screen that is narrow for a moment must not push a long history out.
func (e *Emulator) pushFlow(flow []flowRow, cols int) {
	for len(flow) > 0 {
		n, width := 1, len(flow[0].cells)
		for flow[n-1].wrapped && n < len(flow) && width+len(flow[n].cells) <= maxCols {
			width += len(flow[n].cells)
			n++
		}
		r := flow[n-1]
		if n > 1 {
			r.cells = make([]screen.Cell, 0, width)
			for _, part := range flow[:n] {
				r.cells = append(r.cells, part.cells...)
			}
			if r.fill != (screen.Cell{}) {
				width++ // one cell tells what fills the rest
			}
		}
		if cols == 1 { // what was squeezed is whole again when it is read
			r.cells, _ = fitWide(r.cells, 2, 0)
			width = max(width, len(r.cells))
		}
		tmp := row{cells: make([]screen.Cell, max(cols, width))}
		r.into(&tmp)
		e.history.push(&tmp)
		flow = flow[n:]
	}
}

// into fills a blank row.
func (r flowRow) into(dst *row) {
	copy(dst.cells, r.cells)
	dst.used = len(r.cells)
	if r.fill != (screen.Cell{}) {
		dst.fill(len(r.cells), len(dst.cells), r.fill)
	}
	dst.wrapped = r.wrapped
}
