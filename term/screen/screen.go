// Package screen holds what a terminal shows at one moment, as values: cells,
// styles, cursors, canvases. It exists so that the emulator that fills a
// screen, the painter that draws one and the tests that compare two share one
// small vocabulary and nothing else: no parser, no I/O, no clock.
package screen

// CursorShape is the cursor's form, as DECSCUSR names it.
type CursorShape uint8

// The shapes; DefaultCursor leaves the choice to the terminal's user.
const (
	DefaultCursor CursorShape = iota
	BlockCursor
	UnderlineCursor
	BarCursor
)

// Cursor is where the cursor is and how it looks. X and Y count from 0; X
// equals the width while a wrap is pending.
type Cursor struct {
	X, Y    int
	Visible bool
	Shape   CursorShape
	Blink   bool
}

// Frame is what a reader of a pane learns besides its cells.
type Frame struct {
	Generation uint64 // of the newest change that the cells include
	Cols, Rows int    // the pane's own size, which the reader's may differ from
	Cursor     Cursor
	Held       bool   // the program is inside a synchronized update (mode 2026)
	History    int    // rows above the screen that can be scrolled to
	Dropped    uint64 // rows that left the history at its top since the pane began
}
