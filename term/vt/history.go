package vt

import (
	"slices"

	"deck/term/screen"
)

const (
	// blockRows is how many rows a block takes before another is begun. Blocks
	// end between lines of text unless a line is longer than maxBlockRows.
	blockRows    = 128
	maxBlockRows = 1024
	maxBlockData = 1 << 20
	// maxHistory bounds all blocks of one history, in bytes.
	maxHistory = 64 << 20
)

// history holds the rows that scrolled off the main screen, packed, oldest
// first. What is stored are rows as wide as the screen was then; readers see
// them wrapped at the screen's present width, worked out when they look, so
// that a resize costs a count and not a rewrite.
type history struct {
	limit  int // rows stored before the oldest block goes
	width  int
	table  *screen.Table
	blocks []*block
	stored int // rows as stored
	seen   int // rows at the present width
	bytes  int
	cold   int    // blocks, from the oldest, that compress has looked at
	gone   uint64 // rows that were dropped, as they were seen
	pack   packer
	index  blockIndex
	line   lineCache
	warm   warmBlock

	scratch block // memory for the next block while it is filled
	spare   block // memory of the last block that was dropped
}

// block is a run of packed rows with the styles they use. Everything it refers
// to is in it.
type block struct {
	data   []byte
	small  []byte // data compressed, and then instead of it
	whole  int    // bytes that small had before
	rows   []packedRow
	styles []screen.Style // Link is an index into links
	links  []screen.Link
	extra  int // bytes of styles and links
	width  int // of all its rows; 0 where they differ
	seen   int // rows at the history's width
}

// size returns how much memory a block takes, in bytes.
func (b *block) size() int { return len(b.data) + len(b.small) + b.extra }

// packedRow says where a row's data ends and what kind it is.
type packedRow struct {
	end   uint32
	cols  uint16 // columns of text
	flags rowFlags
}

type rowFlags uint8

const (
	rowWrapped rowFlags = 1 << iota // the text goes on in the next row
	rowPlain                        // ASCII only: a byte is a column
	rowStyled                       // styles follow the text
	rowWide                         // some characters take two columns
	rowFill                         // what is right of the text is blank in a style of its own
)

// blockIndex says where the lines of the block that was read last begin.
type blockIndex struct {
	block *block
	first []int // rows as stored
	seen  []int // rows at the present width
}

// lineCache is the line of text that was unpacked last.
type lineCache struct {
	block *block
	first int // its first row
	cells []screen.Cell
	fill  screen.Cell
	ends  []int // of the rows it has at the present width
}

func (h *history) len() int { return h.seen }

// clear is for ED 3: a person wants it gone.
func (h *history) clear() {
	h.gone += uint64(h.seen)
	h.blocks, h.stored, h.seen, h.bytes, h.cold = nil, 0, 0, 0, 0
	h.forget()
	h.pack.block = nil
	h.warm = warmBlock{}
}

// forget drops what was cached for reading.
func (h *history) forget() { h.line.block, h.index.block = nil, nil }

// tableSwept forgets ids that have a new meaning.
func (h *history) tableSwept() {
	h.pack.forget()
	h.forget()
}

// push packs a row that leaves the screen.
func (h *history) push(r *row) {
	if h.limit == 0 {
		return
	}
	b := h.open()
	h.pack.into(b, h.table)
	before := b.size()
	h.pack.row(r)
	h.bytes += b.size() - before
	h.stored++
	h.forget()
	switch {
	case len(r.cells) != h.width:
		b.width = 0
	case b.width != h.width && len(b.rows) == 1:
		b.width = h.width
	case b.width != h.width:
		b.width = 0
	}
	if b.width == h.width {
		b.seen++
		h.seen++
	} else {
		h.recount(b)
	}
	for len(h.blocks) > 1 && (h.stored-len(h.blocks[0].rows) >= h.limit || h.bytes > maxHistory) {
		h.drop()
	}
}

// open returns the block that takes the next row.
func (h *history) open() *block {
	if n := len(h.blocks); n > 0 {
		b := h.blocks[n-1]
		if !h.full(b) {
			return b
		}
		h.seal(b)
	}
	b := &block{data: h.scratch.data, rows: h.scratch.rows, styles: h.scratch.styles, width: h.width}
	h.scratch = block{}
	h.blocks = append(h.blocks, b)
	return b
}

// full reports whether the next row should go to another block.
func (h *history) full(b *block) bool {
	rows := len(b.rows)
	if rows >= maxBlockRows || b.size() >= maxBlockData || b.small != nil {
		return true
	}
	if rows > 0 && b.rows[rows-1].flags&rowWrapped != 0 {
		return false
	}
	return rows >= blockRows || rows >= blockRows/4 && b.width != h.width
}

// seal gives a full block memory of just its size, that of the last block that
// was dropped where it fits, and keeps the roomier one for the next block.
func (h *history) seal(b *block) {
	data, rows, styles := b.data, b.rows, b.styles
	b.data = append(fitting(h.spare.data, len(data)), data...)
	b.rows = append(fitting(h.spare.rows, len(rows)), rows...)
	b.styles = append(fitting(h.spare.styles, len(styles)), styles...)
	h.spare = block{}
	h.scratch = block{data: data[:0], rows: rows[:0], styles: styles[:0]}
}

// fitting returns old emptied where n elements fill it well, else new memory.
func fitting[T any](old []T, n int) []T {
	if cap(old) >= n && cap(old) <= n+n/4 {
		return old[:0]
	}
	return make([]T, 0, n)
}

// drop forgets the oldest block.
func (h *history) drop() {
	b := h.blocks[0]
	h.blocks[0] = nil
	h.blocks = h.blocks[1:]
	h.cold = max(h.cold-1, 0)
	h.stored -= len(b.rows)
	h.seen -= b.seen
	h.gone += uint64(b.seen)
	h.bytes -= b.size()
	h.spare = block{data: b.data, rows: b.rows, styles: b.styles}
	h.forget()
}

// setWidth makes readers see the rows wrapped at width.
func (h *history) setWidth(width int) {
	h.width = width
	h.forget()
	for _, b := range h.blocks {
		h.recount(b)
	}
}

// recount counts how many rows b has at the present width.
func (h *history) recount(b *block) {
	h.seen -= b.seen
	b.seen = len(b.rows)
	if b.width != h.width {
		b.seen = 0
		for i := 0; i < len(b.rows); {
			end := b.lineEnd(i)
			b.seen += h.lineRows(b, i, end)
			i = end
		}
	}
	h.seen += b.seen
}

// lineEnd returns the row after the line of text that begins at row i.
func (b *block) lineEnd(i int) int {
	for i < len(b.rows)-1 && b.rows[i].flags&rowWrapped != 0 {
		i++
	}
	return i + 1
}

// lineRows returns how many rows a line takes at the present width.
func (h *history) lineRows(b *block, i, end int) int {
	cols, wide := 0, false
	for _, r := range b.rows[i:end] {
		cols += int(r.cols)
		wide = wide || r.flags&rowWide != 0
	}
	least := max((cols+h.width-1)/h.width, 1)
	if !wide || least == 1 {
		return least
	}
	// A row ends a column early where a wide character does not fit. Most lines
	// are as many rows either way, and need not be unpacked to be counted.
	if w := h.width - 1; w > 0 && (cols+w-1)/w == least {
		return least
	}
	h.load(b, i)
	return len(h.line.ends)
}

// load unpacks the line that begins at row i of b.
func (h *history) load(b *block, i int) {
	l := &h.line
	if l.block == b && l.first == i {
		return
	}
	l.block, l.first = b, i
	l.cells, l.fill = b.unpackLine(h.text(b), i, b.lineEnd(i), l.cells[:0], h.table)
	l.ends = wrapCells(l.cells, h.width, l.ends[:0])
}

// row unpacks row i at the present width, 0 being the oldest.
func (h *history) row(i int, dst []screen.Cell) (cells []screen.Cell, wrapped bool) {
	dst = dst[:0]
	if i < 0 || i >= h.seen {
		return dst, false
	}
	n := 0
	for i >= h.blocks[n].seen {
		i -= h.blocks[n].seen
		n++
	}
	b := h.blocks[n]
	if b.width == h.width {
		dst, fill := b.unpackRow(h.text(b), i, dst, h.table)
		return pad(dst, h.width, fill), b.rows[i].flags&rowWrapped != 0
	}
	h.indexBlock(b)
	n, found := slices.BinarySearch(h.index.seen, i)
	if !found {
		n--
	}
	first := h.index.first[n]
	i -= h.index.seen[n]
	h.load(b, first)
	l := &h.line
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	dst = append(dst, l.cells[start:l.ends[i]]...)
	if i < len(l.ends)-1 {
		return pad(dst, h.width, screen.Cell{}), true
	}
	return pad(dst, h.width, l.fill), b.rows[b.lineEnd(first)-1].flags&rowWrapped != 0
}

// indexBlock finds the lines of a block that is wrapped otherwise than it was
// stored.
func (h *history) indexBlock(b *block) {
	x := &h.index
	if x.block == b {
		return
	}
	x.block, x.first, x.seen = b, x.first[:0], x.seen[:0]
	rows := 0
	for i := 0; i < len(b.rows); {
		x.first, x.seen = append(x.first, i), append(x.seen, rows)
		end := b.lineEnd(i)
		rows += h.lineRows(b, i, end)
		i = end
	}
}

// pad makes cells n columns wide.
func pad(cells []screen.Cell, n int, fill screen.Cell) []screen.Cell {
	for len(cells) < n {
		cells = append(cells, fill)
	}
	return cells[:n]
}

// popLine takes the newest line of text back, unpacked. wrapped says that it
// goes on below the history.
func (h *history) popLine() (cells []screen.Cell, fill screen.Cell, wrapped, ok bool) {
	if len(h.blocks) == 0 {
		return nil, fill, false, false
	}
	b := h.blocks[len(h.blocks)-1]
	first := len(b.rows) - 1
	wrapped = b.rows[first].flags&rowWrapped != 0
	for first > 0 && b.rows[first-1].flags&rowWrapped != 0 {
		first--
	}
	data := h.text(b)
	cells, fill = b.unpackLine(data, first, len(b.rows), nil, h.table)
	start := b.start(first)
	if b.small != nil { // all above it was taken back
		h.bytes += len(data) - len(b.small)
		b.data, b.small, b.whole = slices.Clone(data), nil, 0
	}
	h.cold = min(h.cold, len(h.blocks)-1)
	h.bytes -= len(b.data) - start
	h.stored -= len(b.rows) - first
	h.forget()
	b.data, b.rows = b.data[:start], b.rows[:first]
	h.recount(b)
	if first == 0 {
		h.bytes -= b.extra
		h.blocks = h.blocks[:len(h.blocks)-1]
		h.pack.block = nil
	}
	return cells, fill, wrapped, true
}

// wrapped reports whether the newest line goes on below the history.
func (h *history) wrapped() bool {
	if len(h.blocks) == 0 {
		return false
	}
	b := h.blocks[len(h.blocks)-1]
	return b.rows[len(b.rows)-1].flags&rowWrapped != 0
}
