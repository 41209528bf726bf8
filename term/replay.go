package term

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"deck/term/screen"
	"deck/term/vt"
)

// ReplayOptions say how Replay reads its input and what it prints.
type ReplayOptions struct {
	Cols, Rows int
	Raw        bool // the input is a program's bytes and not a script
	NoCells    bool // leave out "cells"
	History    int  // rows kept above the screen
}

// maxScript bounds one line of a script.
const maxScript = 64 << 20

// step is one line of a script: exactly one of its fields.
type step struct {
	Write  *string `json:"write"`  // hex
	Resize *[2]int `json:"resize"` // columns, rows
}

// shown is what Replay prints.
type shown struct {
	Cols          int           `json:"cols"`
	Rows          int           `json:"rows"`
	Lines         []string      `json:"lines"`
	Cursor        [2]int        `json:"cursor"`
	CursorVisible bool          `json:"cursor_visible"`
	Alternate     bool          `json:"alternate"`
	History       []string      `json:"history"`
	Replies       string        `json:"replies"` // hex
	Title         string        `json:"title"`
	Dir           string        `json:"dir"`
	Cells         [][]shownCell `json:"cells,omitempty"`
}

// shownCell is one cell; the right half of a wide character has width 0.
type shownCell struct {
	Text           string `json:"text"`
	Width          int    `json:"width"`
	Fg             string `json:"fg,omitempty"`
	Bg             string `json:"bg,omitempty"`
	UnderlineColor string `json:"underline_color,omitempty"`
	Underline      int    `json:"underline"`
	Bold           bool   `json:"bold"`
	Faint          bool   `json:"faint"`
	Italic         bool   `json:"italic"`
	Blink          bool   `json:"blink"`
	Reverse        bool   `json:"reverse"`
	Conceal        bool   `json:"conceal"`
	Strike         bool   `json:"strike"`
	Overline       bool   `json:"overline"`
	Link           string `json:"link,omitempty"`
}

// Replay feeds bytes to an emulator and prints what it shows in the end as one
// JSON object. A script has one JSON object a line: {"write": "hex"} for bytes
// from the program, {"resize": [columns, rows]} for a new size.
func Replay(in io.Reader, out io.Writer, o ReplayOptions) error {
	e := vt.New(o.Cols, o.Rows, vt.Options{History: o.History})
	feed := replayScript
	if o.Raw {
		feed = replayRaw
	}
	if err := feed(in, e); err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(show(e, !o.NoCells))
}

func replayRaw(in io.Reader, e *vt.Emulator) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := in.Read(buf)
		e.Write(buf[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func replayScript(in io.Reader, e *vt.Emulator) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxScript)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var s step
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return fmt.Errorf("script line %d: %w", n, err)
		}
		switch {
		case s.Write != nil:
			b, err := hex.DecodeString(*s.Write)
			if err != nil {
				return fmt.Errorf("script line %d: %w", n, err)
			}
			e.Write(b)
		case s.Resize != nil:
			e.Resize(s.Resize[0], s.Resize[1])
		default:
			return fmt.Errorf("script line %d: neither write nor resize", n)
		}
	}
	return lines.Err()
}

func show(e *vt.Emulator, cells bool) shown {
	cols, rows := e.Size()
	c := e.Cursor()
	s := shown{
		Cols: cols, Rows: rows, Lines: []string{}, History: []string{},
		Cursor: [2]int{min(c.X, cols-1), c.Y}, CursorVisible: c.Visible, Alternate: e.Modes().AltScreen,
		Replies: hex.EncodeToString(e.TakeReplies(nil)), Title: e.Title(), Dir: e.Dir(),
	}
	for y := range rows {
		s.Lines = append(s.Lines, replayText(e.Table(), e.Row(y)))
	}
	var buf []screen.Cell
	for i := range e.HistoryLen() {
		buf, _ = e.HistoryRow(i, buf)
		s.History = append(s.History, replayText(e.Table(), buf))
	}
	if cells {
		for y := range rows {
			s.Cells = append(s.Cells, showCells(e.Table(), e.Row(y)))
		}
	}
	return s
}

// replayText returns the text of a row without trailing blanks and spaces.
func replayText(t *screen.Table, row []screen.Cell) string {
	var b []byte
	for _, c := range row {
		b = append(b, t.Text(c.Char)...)
	}
	return string(bytes.TrimRight(b, " "))
}

func showCells(t *screen.Table, row []screen.Cell) []shownCell {
	out := make([]shownCell, len(row))
	for x, c := range row {
		s := t.Style(c.Style)
		has := func(a screen.Attr) bool { return s.Attr&a != 0 }
		out[x] = shownCell{
			Text: t.Text(c.Char), Width: c.Char.Width(), Fg: s.Fg.String(), Bg: s.Bg.String(),
			UnderlineColor: s.UnderlineColor.String(), Underline: int(s.Underline),
			Bold: has(screen.Bold), Faint: has(screen.Faint), Italic: has(screen.Italic),
			Blink: has(screen.Blink | screen.RapidBlink), Reverse: has(screen.Reverse), Conceal: has(screen.Hidden),
			Strike: has(screen.Strike), Overline: has(screen.Overline), Link: t.Link(s.Link).URI,
		}
	}
	return out
}
