package vt

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"deck/term/screen"
)

// A packed row is its text and then, where it is styled, the number of runs
// and for each run its columns and style, and then the style of the fill.
// Numbers are varints, styles indices into the block's. A character is its
// UTF-8, a cell that was never written a zero byte. What is not one rune of
// its usual width is escaped: a mark for one or two columns, the length in
// bytes, the text.
const (
	packedBlank  = 0
	packedNarrow = 1
	packedWide   = 2
)

// What a style and a link without its text take in memory, in bytes.
const (
	styleSize = 20
	linkSize  = 32
)

// packer writes rows into a block.
type packer struct {
	block  *block
	table  *screen.Table
	serial uint32 // of the block, so that forgetting costs nothing
	local  []localStyle
	runs   []byte
}

// localStyle is a table's style in the open block.
type localStyle struct {
	serial uint32
	index  uint32
}

// forget makes all ids unknown, because the block or the table is another.
func (p *packer) forget() { p.serial++ }

// into points the packer at the block that takes the next row.
func (p *packer) into(b *block, t *screen.Table) {
	if p.block != b || p.table != t {
		p.block, p.table = b, t
		p.forget()
	}
}

// style returns the block's index of a style.
func (p *packer) style(id screen.StyleID) uint64 {
	for int(id) >= len(p.local) {
		p.local = append(p.local, localStyle{})
	}
	l := &p.local[id]
	if l.serial == p.serial {
		return uint64(l.index)
	}
	b := p.block
	s := p.table.Style(id)
	if s.Link != 0 {
		l := p.table.Link(s.Link)
		b.links = append(b.links, l)
		b.extra += linkSize + len(l.URI) + len(l.ID)
		s.Link = screen.LinkID(len(b.links))
	}
	b.styles = append(b.styles, s)
	b.extra += styleSize
	l.serial, l.index = p.serial, uint32(len(b.styles)-1)
	return uint64(l.index)
}

// row appends r to the block.
func (p *packer) row(r *row) {
	b := p.block
	cells := r.cells[:r.used]
	var flags rowFlags
	if r.wrapped {
		flags |= rowWrapped
	}
	cells, fill := trim(cells, len(r.cells))
	if fill != 0 {
		flags |= rowFill
	}
	text := p.text(cells)
	flags |= text
	if text&rowStyled != 0 {
		p.styles(cells)
	}
	if fill != 0 {
		b.data = binary.AppendUvarint(b.data, p.style(fill))
	}
	b.rows = append(b.rows, packedRow{end: uint32(len(b.data)), cols: uint16(len(cells)), flags: flags})
}

// trim cuts trailing blanks off a row's used cells; fill is their style where
// they are blank in one style up to the right edge.
func trim(cells []screen.Cell, width int) ([]screen.Cell, screen.StyleID) {
	n := len(cells)
	if n == width && n > 0 && cells[n-1].Char == screen.Blank && cells[n-1].Style != 0 {
		fill := cells[n-1]
		for n > 0 && cells[n-1] == fill {
			n--
		}
		return cells[:n], fill.Style
	}
	for n > 0 && cells[n-1] == (screen.Cell{}) {
		n--
	}
	return cells[:n], 0
}

// text appends the characters of cells, and returns what of rowPlain, rowWide
// and rowStyled they are.
func (p *packer) text(cells []screen.Cell) rowFlags {
	b := p.block
	n := len(b.data)
	b.data = slices.Grow(b.data, len(cells))
	out := b.data[n : n+len(cells)]
	var styles screen.StyleID
	for i, c := range cells {
		if c.Char-0x20 >= 0x5f {
			b.data = b.data[:n+i]
			flags := p.richText(cells[i:])
			for _, c := range cells {
				styles |= c.Style
			}
			if styles != 0 {
				flags |= rowStyled
			}
			return flags
		}
		out[i] = byte(c.Char)
		styles |= c.Style
	}
	b.data = b.data[:n+len(cells)]
	if styles != 0 {
		return rowPlain | rowStyled
	}
	return rowPlain
}

// richText appends characters of which some are not ASCII, and returns rowWide
// where one takes two columns.
func (p *packer) richText(cells []screen.Cell) (flags rowFlags) {
	d := p.block.data
	for i := 0; i < len(cells); i++ {
		c := cells[i].Char
		r, single := c.Rune()
		switch {
		case c == screen.Blank || c == screen.Tail:
			d = append(d, packedBlank)
			continue
		case single && r >= 0x20 && propsOf(r).width() == c.Width():
			d = utf8.AppendRune(d, r)
		default:
			s := p.table.Text(c)
			d = append(d, byte(c.Width()), byte(len(s)))
			d = append(d, s...)
		}
		if c.Wide() {
			flags = rowWide
			if i+1 < len(cells) && cells[i+1].Char == screen.Tail {
				i++
			}
		}
	}
	p.block.data = d
	return flags
}

// styles appends the runs of cells with one style.
func (p *packer) styles(cells []screen.Cell) {
	p.runs = p.runs[:0]
	runs := uint64(0)
	for i := 0; i < len(cells); {
		j := i + 1
		for j < len(cells) && cells[j].Style == cells[i].Style {
			j++
		}
		p.runs = binary.AppendUvarint(p.runs, uint64(j-i))
		p.runs = binary.AppendUvarint(p.runs, p.style(cells[i].Style))
		runs++
		i = j
	}
	b := p.block
	b.data = binary.AppendUvarint(b.data, runs)
	b.data = append(b.data, p.runs...)
}

// start returns where row i's data begins.
func (b *block) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(b.rows[i-1].end)
}

// unpackLine appends the cells of rows i to end, exclusive, which are one line
// of text, and returns what fills the rest of its last row. data is the block's.
func (b *block) unpackLine(data []byte, i, end int, dst []screen.Cell, t *screen.Table) ([]screen.Cell, screen.Cell) {
	var fill screen.Cell
	for ; i < end; i++ {
		dst, fill = b.unpackRow(data, i, dst, t)
	}
	return dst, fill
}

// unpackRow appends the cells of row i without its fill, which it returns.
func (b *block) unpackRow(data []byte, i int, dst []screen.Cell, t *screen.Table) ([]screen.Cell, screen.Cell) {
	r := b.rows[i]
	d := data[b.start(i):r.end]
	first := len(dst)
	dst = slices.Grow(dst, int(r.cols))
	if r.flags&rowPlain != 0 {
		for _, c := range d[:r.cols] {
			dst = append(dst, screen.Cell{Char: screen.Char(c)})
		}
		d = d[r.cols:]
	} else {
		dst, d = unpackText(dst, d, first+int(r.cols), t)
	}
	if r.flags&rowStyled != 0 {
		d = b.unpackStyles(dst[first:], d, t)
	}
	var fill screen.Cell
	if r.flags&rowFill != 0 {
		n, _ := binary.Uvarint(d)
		fill.Style = b.tableStyle(n, t)
	}
	return dst, fill
}

// unpackText appends cells until dst has end of them, and returns the data that
// follows the text.
func unpackText(dst []screen.Cell, d []byte, end int, t *screen.Table) ([]screen.Cell, []byte) {
	for len(dst) < end {
		var c screen.Char
		switch d[0] {
		case packedBlank:
			d = d[1:]
		case packedNarrow, packedWide:
			n := 2 + int(d[1])
			c = t.TextChar(d[2:n], d[0] == packedWide)
			d = d[n:]
		default:
			r, n := utf8.DecodeRune(d)
			c = screen.RuneChar(r, propsOf(r).width() == 2)
			d = d[n:]
		}
		dst = append(dst, screen.Cell{Char: c})
		if c.Wide() && len(dst) < end {
			dst = append(dst, screen.Cell{Char: screen.Tail})
		}
	}
	return dst, d
}

// unpackStyles gives cells the styles of the runs in d, and returns what follows.
func (b *block) unpackStyles(cells []screen.Cell, d []byte, t *screen.Table) []byte {
	runs, n := binary.Uvarint(d)
	d = d[n:]
	x := 0
	for range runs {
		cols, n := binary.Uvarint(d)
		style, m := binary.Uvarint(d[n:])
		d = d[n+m:]
		id := b.tableStyle(style, t)
		for end := x + int(cols); x < end; x++ {
			cells[x].Style = id
		}
	}
	return d
}

// tableStyle returns a table's id of the block's style n.
func (b *block) tableStyle(n uint64, t *screen.Table) screen.StyleID {
	s := b.styles[n]
	if s.Link != 0 {
		s.Link = t.LinkID(b.links[s.Link-1])
	}
	return t.StyleID(s)
}
