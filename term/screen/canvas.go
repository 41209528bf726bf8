package screen

// Canvas is a rectangle of cells, row after row, with the table its ids refer
// to.
type Canvas struct {
	W, H  int // columns and rows
	Cells []Cell
	Table *Table

	fresh []bool // by row: written since Settle; nil where that is not followed
}

// NewCanvas returns a blank canvas of w columns and h rows with a table of its
// own.
func NewCanvas(w, h int) *Canvas {
	return &Canvas{W: w, H: h, Cells: make([]Cell, w*h), Table: NewTable()}
}

// Row returns the cells of row y, to read and to write.
func (c *Canvas) Row(y int) []Cell { return c.Cells[y*c.W : (y+1)*c.W] }

// Resize makes the canvas w×h and blank. It keeps the table.
func (c *Canvas) Resize(w, h int) {
	c.W, c.H = w, h
	if c.fresh != nil {
		c.Follow()
	}
	if cap(c.Cells) < w*h {
		c.Cells = make([]Cell, w*h)
		return
	}
	c.Cells = c.Cells[:w*h]
	clear(c.Cells)
}

// Follow has the canvas remember which rows are written. Whoever writes to one
// says so with Touch; at first all of them are fresh.
func (c *Canvas) Follow() {
	c.fresh = make([]bool, c.H)
	for y := range c.fresh {
		c.fresh[y] = true
	}
}

// Touch says that row y is written to.
func (c *Canvas) Touch(y int) {
	if c.fresh != nil {
		c.fresh[y] = true
	}
}

// Fresh reports whether row y may have been written to since the last Settle.
func (c *Canvas) Fresh(y int) bool { return c.fresh == nil || c.fresh[y] }

// Settle makes no row fresh, where that is followed.
func (c *Canvas) Settle() { clear(c.fresh) }

// Translator turns the ids of one table into those of another, remembering
// what it has seen. The owners of both tables must hold them still while it
// works.
type Translator struct {
	from, to           *Table
	fromEpoch, toEpoch uint64
	styles             []StyleID // plus one; 0 is unknown
	clusters           []Char
}

// Bind sets the tables, and drops what was remembered where either changed.
func (t *Translator) Bind(from, to *Table) {
	if t.from != from || t.to != to || t.fromEpoch != from.epoch || t.toEpoch != to.epoch {
		*t = Translator{from: from, to: to, fromEpoch: from.epoch, toEpoch: to.epoch,
			styles: t.styles[:0], clusters: t.clusters[:0]}
	}
}

// Cell returns c with the ids of the other table.
func (t *Translator) Cell(c Cell) Cell {
	if c.Style != 0 {
		c.Style = t.style(c.Style)
	}
	if i, ok := c.Char.Cluster(); ok {
		c.Char = t.cluster(c.Char, i)
	}
	return c
}

func (t *Translator) style(id StyleID) StyleID {
	for int(id) >= len(t.styles) {
		t.styles = append(t.styles, 0)
	}
	if n := t.styles[id]; n != 0 {
		return n - 1
	}
	s := t.from.Style(id)
	if s.Link != 0 {
		s.Link = t.to.LinkID(t.from.Link(s.Link))
	}
	n := t.to.StyleID(s)
	t.styles[id] = n + 1
	return n
}

func (t *Translator) cluster(c Char, i uint32) Char {
	for int(i) >= len(t.clusters) {
		t.clusters = append(t.clusters, 0)
	}
	if t.clusters[i] == 0 {
		t.clusters[i] = t.to.ClusterChar(t.from.Text(c), false)
	}
	return t.clusters[i] | c&wideBit
}
