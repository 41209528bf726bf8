package vt

import (
	"deck/term/screen"
)

// Options are what an emulator's owner decides once.
type Options struct {
	// History is how many rows above the screen are kept at least; 0 keeps
	// none. A little more may be kept.
	History int
	// Version is what XTVERSION answers after "deck".
	Version string
	// NoStatus leaves the query for program status (OSC 7501) unanswered, which
	// keeps programs that wait for the answer from reporting.
	NoStatus bool
}

// The limits of a screen. They bound what a size from outside can allocate.
const (
	maxCols = 4096
	maxRows = 2048
)

// buffer is the main or the alternate screen with what belongs to it alone.
type buffer struct {
	grid  *grid
	saved cursor
	kitty kittyStack
}

// Emulator is one terminal. It has no lock: one goroutine at a time may use
// it, reading included.
type Emulator struct {
	parser parser
	opts   Options
	table  *screen.Table

	cols, rows               int
	top, bottom, left, right int // margins, inclusive
	main, alt                buffer
	buf                      *buffer // main or alt
	history                  history

	cur    cursor
	single uint8       // the set of a single shift, 0 for none
	last   screen.Char // what REP repeats
	double bool        // some row may be one of double width
	fresh  bool        // nothing but printing happened since the last character
	tabs   tabStops

	pens      penCache
	savedPens []savedPen // XTPUSHSGR
	penID     screen.StyleID
	penOK     bool
	eraseID   screen.StyleID
	eraseOK   bool

	modes     modeSet
	mouse     uint16
	mouseEnc  uint16
	savedMode savedModes
	modifyKey uint8
	shape     screen.CursorShape

	title, dir   string
	titles       []string // XTWINOPS 22
	colors       colors
	cellW, cellH int
	dark         bool

	gen     uint64 // the newest generation readers can have seen
	next    uint64 // what changes during this write are marked with
	changed bool
	replies []byte
	events  []Event
	notify  NotifyEvent // an OSC 99 that is still coming in pieces
	cluster []byte      // scratch
	sweepAt int
}

// New returns an emulator with a blank screen of cols columns and rows rows.
func New(cols, rows int, o Options) *Emulator {
	e := &Emulator{opts: o, table: screen.NewTable(), gen: 1, next: 2}
	e.cols, e.rows = clampSize(cols, rows)
	e.main.grid = newGrid(e.cols, e.rows)
	e.buf = &e.main
	e.history = history{limit: max(o.History, 0), table: e.table}
	e.history.setWidth(e.cols)
	e.tabs = e.tabs.resize(e.cols)
	e.colors = defaultColors()
	e.dark = true
	e.sweepAt = sweepMin
	e.resetState()
	return e
}

func clampSize(cols, rows int) (int, int) {
	return max(1, min(cols, maxCols)), max(1, min(rows, maxRows))
}

// resetState puts everything but the cells, the tabs and the title to what it
// is in a new terminal.
func (e *Emulator) resetState() {
	e.cur = cursor{}
	e.penChanged()
	e.main.saved, e.alt.saved = cursor{}, cursor{}
	e.main.kitty, e.alt.kitty = kittyStack{}, kittyStack{}
	e.modes = defaultModes
	e.mouse, e.mouseEnc, e.modifyKey = 0, 0, 0
	e.shape = screen.DefaultCursor
	e.single, e.last, e.fresh = 0, screen.Blank, false
	e.double, e.savedPens = false, nil
	e.resetMargins()
}

func (e *Emulator) resetMargins() {
	e.top, e.bottom, e.left, e.right = 0, e.rows-1, 0, e.cols-1
}

// Write takes bytes that the program wrote. It takes all of them and never
// fails.
func (e *Emulator) Write(p []byte) {
	before := e.visible()
	e.parser.feed(p, e)
	if before != e.visible() {
		e.changed = true
	}
	e.commit()
	e.sweep()
}

// commit makes what changed since the last commit visible as a generation.
func (e *Emulator) commit() {
	if e.changed {
		e.gen, e.next, e.changed = e.next, e.next+1, false
	}
}

// visible is what a reader sees besides cells.
type visible struct {
	cursor screen.Cursor
	modes  modeSet
}

func (e *Emulator) visible() visible { return visible{e.Cursor(), e.modes} }

// edit returns a row of the active screen to change.
func (e *Emulator) edit(y int) *row {
	r := e.buf.grid.row(y)
	r.gen = e.next
	e.changed = true
	return r
}

// Size returns the screen's columns and rows.
func (e *Emulator) Size() (cols, rows int) { return e.cols, e.rows }

// Cursor returns where the cursor is and how it looks.
func (e *Emulator) Cursor() screen.Cursor {
	c := screen.Cursor{X: e.cur.x, Y: e.cur.y, Visible: e.mode(modeCursor), Shape: e.shape, Blink: e.mode(modeBlink)}
	if e.cur.wrap {
		c.X++
	}
	return c
}

// Pen returns the style that the next character gets.
func (e *Emulator) Pen() screen.Style { return e.cur.pen }

// Title returns what the program called its window, without control
// characters.
func (e *Emulator) Title() string { return e.title }

// Dir returns the working folder that the program reported (OSC 7), or "".
func (e *Emulator) Dir() string { return e.dir }

// Table returns the table that the ids of all cells refer to. Ids are valid
// until the next Write or Resize; its epoch tells when they changed meaning.
func (e *Emulator) Table() *screen.Table { return e.table }

// Generation counts visible changes.
func (e *Emulator) Generation() uint64 { return e.gen }

// Row returns the cells of row y of the screen, one per column, to read until
// the next Write or Resize.
func (e *Emulator) Row(y int) []screen.Cell { return e.buf.grid.row(y).cells }

// RowGeneration returns the generation of the newest change to row y, scrolls
// included.
func (e *Emulator) RowGeneration(y int) uint64 {
	return max(e.buf.grid.row(y).gen, e.buf.grid.allGen)
}

// Wrapped reports whether the text of row y goes on in the next row.
func (e *Emulator) Wrapped(y int) bool { return e.buf.grid.row(y).wrapped }

// HistoryLen returns how many rows lie above the main screen.
func (e *Emulator) HistoryLen() int { return e.history.len() }

// HistoryDropped returns how many rows have left the history at its top, so
// that a reader can follow a row while older ones go.
func (e *Emulator) HistoryDropped() uint64 { return e.history.gone }

// HistoryRow unpacks row i of the history, 0 being the oldest, into dst, as
// many cells as the screen has columns. wrapped says that the text goes on in
// the next row.
func (e *Emulator) HistoryRow(i int, dst []screen.Cell) (cells []screen.Cell, wrapped bool) {
	return e.history.row(i, dst)
}

// sweepMin is the number of styles, clusters or links below which no sweep is
// worth its time.
const sweepMin = 4096

// Tidy forgets the styles, clusters and links that no cell of the screens uses,
// once there are many: those of the history come into the table when it is read.
func (e *Emulator) Tidy() { e.sweep() }

// sweep frees table entries that no cell uses once there are many.
func (e *Emulator) sweep() {
	styles, clusters, links := e.table.Len()
	if max(styles, clusters, links) < e.sweepAt {
		return
	}
	link := e.table.Link(e.cur.pen.Link)
	e.table.Sweep(func(yield func([]screen.Cell) bool) {
		for _, b := range []*buffer{&e.main, &e.alt} {
			if b.grid == nil {
				continue
			}
			for _, r := range b.grid.ring {
				if !yield(r.cells) {
					return
				}
			}
		}
	})
	if e.cur.pen.Link != 0 {
		e.cur.pen.Link = e.table.LinkID(link)
	}
	e.pens = penCache{}
	e.penChanged()
	e.last = screen.Blank
	e.history.tableSwept()
	styles, clusters, links = e.table.Len()
	e.sweepAt = max(sweepMin, 2*max(styles, clusters, links))
}
