package term

import (
	"strings"

	"deck/term/screen"
	"deck/term/vt"
)

// ViewRow is a row as a reader sees it: its text without trailing blanks.
type ViewRow struct {
	Text string
	// Solid is Text with blanks where the text is faint (SGR 2), which is how
	// programs draw what they suggest and nobody typed.
	Solid   string
	Wrapped bool // the text goes on in the next row
}

// View is what a terminal shows at one moment, as text for rules to judge.
type View struct {
	Rows       []ViewRow
	Cols       int
	Cursor     screen.Cursor
	Title      string
	Alternate  bool   // the alternate screen is shown
	Held       bool   // the program is inside a synchronized update: the rows are half painted
	Generation uint64 // of the newest change that the rows include
}

// View returns what the pane shows, taken under one lock.
func (p *Pane) View() View {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := viewOf(p.em)
	v.Generation += p.base
	return v
}

func viewOf(e *vt.Emulator) View {
	cols, rows := e.Size()
	m := e.Modes()
	v := View{
		Cols: cols, Cursor: e.Cursor(), Title: e.Title(), Alternate: m.AltScreen, Held: m.Sync,
		Generation: e.Generation(), Rows: make([]ViewRow, rows),
	}
	var text, solid []byte
	for y := range rows {
		v.Rows[y], text, solid = viewRow(e.Table(), e.Row(y), text[:0], solid[:0])
		v.Rows[y].Wrapped = e.Wrapped(y)
	}
	return v
}

// viewRow returns a row's text; text and solid are scratch.
func viewRow(t *screen.Table, cells []screen.Cell, text, solid []byte) (ViewRow, []byte, []byte) {
	faint := false
	for _, c := range cells {
		s := t.Text(c.Char)
		text = append(text, s...)
		if c.Style != 0 && strings.TrimSpace(s) != "" && t.Style(c.Style).Attr&screen.Faint != 0 {
			faint = true
			s = "  "[:c.Char.Width()]
		}
		solid = append(solid, s...)
	}
	r := ViewRow{Text: strings.TrimRight(string(text), " ")}
	r.Solid = r.Text
	if faint {
		r.Solid = strings.TrimRight(string(solid), " ")
	}
	return r, text, solid
}
