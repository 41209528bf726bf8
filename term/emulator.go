package term

import (
	"strings"

	"deck/term/keys"
	"deck/term/screen"
)

// emulator is the pane's view of the emulator.
type emulator struct {
	cols, rows int
	gen        uint64
	cells      [][]screen.Cell
	x, y       int
	table      *screen.Table
}

func newEmulator(s Spec) *emulator {
	e := &emulator{table: screen.NewTable()}
	e.Resize(s.Cols, s.Rows)
	return e
}

func (e *emulator) Write(p []byte) {
	for _, r := range strings.ToValidUTF8(string(p), "?") {
		switch {
		case r == '\r':
			e.x = 0
		case r == '\n':
			e.y = min(e.y+1, e.rows-1)
		case r >= ' ' && e.x < e.cols:
			e.cells[e.y][e.x].Char = screen.RuneChar(r, false)
			e.x++
		}
	}
	e.gen++
}

func (e *emulator) Resize(cols, rows int) {
	e.cols, e.rows = cols, rows
	e.cells = make([][]screen.Cell, rows)
	for i := range e.cells {
		e.cells[i] = make([]screen.Cell, cols)
	}
	e.x, e.y = 0, 0
	e.gen++
}
func (e *emulator) TakeReplies(b []byte) []byte { return b }
func (e *emulator) takeEvents() []Event         { return nil }
func (e *emulator) Size() (int, int)            { return e.cols, e.rows }
func (e *emulator) Cursor() screen.Cursor       { return screen.Cursor{X: e.x, Y: e.y, Visible: true} }
func (e *emulator) Title() string               { return "" }
func (e *emulator) modes() keys.Modes           { return keys.Modes{} }
func (e *emulator) synchronized() bool          { return false }
func (e *emulator) ReleaseSync()                {}
func (e *emulator) Table() *screen.Table        { return e.table }
func (e *emulator) Generation() uint64          { return e.gen }
func (e *emulator) Row(y int) []screen.Cell     { return e.cells[y] }
func (e *emulator) RowGeneration(int) uint64    { return e.gen }
func (e *emulator) Wrapped(int) bool            { return false }
func (e *emulator) HistoryLen() int             { return 0 }
func (e *emulator) HistoryRow(_ int, b []screen.Cell) ([]screen.Cell, bool) {
	return b, false
}
