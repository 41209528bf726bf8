package term

import "deck/term/screen"

// Draw copies the pane's cells into the rectangle of w×h cells at x, y of dst,
// cut or padded with blanks to fit, ids translated by tr. up is how many rows
// of the history are scrolled into view from below, 0 for the live screen.
// With up 0 and since not 0 only rows that changed after that generation are
// copied. While the frame is Held nothing is.
func (p *Pane) Draw(dst *screen.Canvas, x, y, w, h int, tr *screen.Translator, up int, since uint64) screen.Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	cols, rows := p.em.Size()
	f := screen.Frame{Generation: p.base + p.em.Generation(), Cols: cols, Rows: rows,
		Cursor: p.em.Cursor(), Held: p.held, History: p.em.HistoryLen(), Dropped: p.em.HistoryDropped()}
	if p.held {
		f.Generation = since
		return f
	}
	d := drawing{dst: dst, x: max(x, 0), y: max(y, 0), tr: tr}
	if p.reverse {
		d.reverse = p.em.Table()
	}
	d.w, d.h = min(w, dst.W-d.x), min(h, dst.H-d.y)
	if d.w <= 0 || d.h <= 0 {
		return f
	}
	tr.Bind(p.em.Table(), dst.Table)
	up = min(max(up, 0), f.History)
	if up == 0 && since != 0 && since >= p.redrawn {
		p.drawChanged(d, rows, since)
	} else {
		p.drawAll(d, rows, f.History, up)
	}
	return f
}

// drawChanged copies the rows of the live screen that are newer than since.
func (p *Pane) drawChanged(d drawing, rows int, since uint64) {
	for i := range min(rows, d.h) {
		if p.base+p.em.RowGeneration(i) > since {
			d.row(i, p.em.Row(i))
		}
	}
}

// drawAll copies every row, the last up rows of the history first, and blanks
// what the pane does not reach.
func (p *Pane) drawAll(d drawing, rows, history, up int) {
	var buf []screen.Cell
	for i := range d.h {
		switch {
		case i < up:
			buf, _ = p.em.HistoryRow(history-up+i, buf[:0])
			d.row(i, buf)
		case i-up < rows:
			d.row(i, p.em.Row(i-up))
		default:
			d.row(i, nil)
		}
	}
}

// drawing is where a pane's rows go.
type drawing struct {
	dst        *screen.Canvas
	x, y, w, h int
	tr         *screen.Translator
	reverse    *screen.Table // not nil: draw in reverse; where the ids are from
}

// row copies one row. A wide character that does not fit whole is left out.
func (d drawing) row(i int, from []screen.Cell) {
	d.dst.Touch(d.y + i)
	to := d.dst.Row(d.y + i)[d.x : d.x+d.w]
	n := min(len(from), len(to))
	var seen, style screen.StyleID // runs of one style are translated once
	if d.reverse != nil {
		style = d.style(0)
	}
	for j, c := range from[:n] {
		if c.Style != seen {
			seen, style = c.Style, d.style(c.Style)
		}
		if _, ok := c.Char.Cluster(); ok {
			c.Char = d.tr.Cell(screen.Cell{Char: c.Char}).Char
		}
		to[j] = screen.Cell{Char: c.Char, Style: style}
	}
	if n > 0 && to[n-1].Char.Wide() {
		to[n-1].Char = screen.Blank
	}
	clear(to[n:])
}

// style returns the id that a style of the pane has in the canvas.
func (d drawing) style(id screen.StyleID) screen.StyleID {
	if d.reverse != nil {
		s := d.reverse.Style(id)
		s.Attr ^= screen.Reverse
		id = d.reverse.StyleID(s)
	}
	return d.tr.Cell(screen.Cell{Style: id}).Style
}
