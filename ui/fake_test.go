package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"
	"deck/ui/paint"
)

// fakeScreen is an emulator that shows given lines: the last rows of them are
// its screen, the others its history.
type fakeScreen struct {
	table      *screen.Table
	cols, rows int
	lines      []fakeLine
	dropped    int
	gen        uint64
	cursor     screen.Cursor
	modes      keys.Modes
	held       bool
}

type fakeLine struct {
	cells   []screen.Cell
	wrapped bool
	gen     uint64
}

func newFakeScreen(cols, rows int, lines ...string) *fakeScreen {
	s := &fakeScreen{table: screen.NewTable(), cols: cols, rows: rows, cursor: screen.Cursor{Visible: true}}
	for _, l := range lines {
		s.print(l)
	}
	return s
}

// print adds a line; one that ends in a backslash is wrapped into the next.
func (s *fakeScreen) print(text string) {
	s.gen++
	text, wrapped := strings.CutSuffix(text, "\\")
	c := &screen.Canvas{W: s.cols, H: 1, Cells: make([]screen.Cell, s.cols), Table: s.table}
	paint.DrawText(c, 0, 0, s.cols, text)
	s.lines = append(s.lines, fakeLine{c.Cells, wrapped, s.gen})
	for i := range s.lines {
		if i >= s.history() {
			s.lines[i].gen = s.gen
		}
	}
}

func (s *fakeScreen) history() int { return max(len(s.lines)-s.rows, 0) }

func (s *fakeScreen) Generation() uint64 { return s.gen }
func (s *fakeScreen) Modes() keys.Modes  { return s.modes }

func (s *fakeScreen) Draw(dst *screen.Canvas, at layout.Rect, tr *screen.Translator, up int, since uint64) screen.Frame {
	f := screen.Frame{Generation: s.gen, Cols: s.cols, Rows: s.rows, Cursor: s.cursor, Held: s.held,
		History: s.history(), Dropped: uint64(s.dropped)}
	if s.held {
		return f
	}
	tr.Bind(s.table, dst.Table)
	for y := range at.H {
		i := s.history() - up + y
		row := dst.Row(at.Y + y)[at.X : at.X+at.W]
		if y >= s.rows || i < 0 || i >= len(s.lines) {
			dst.Touch(at.Y + y)
			clear(row)
			continue
		}
		if up == 0 && since != 0 && s.lines[i].gen <= since {
			continue
		}
		dst.Touch(at.Y + y)
		n := min(len(row), len(s.lines[i].cells))
		for x := range n {
			row[x] = tr.Cell(s.lines[i].cells[x])
		}
		clear(row[n:])
	}
	return f
}

func (s *fakeScreen) Text(first, n int) []Line {
	var out []Line
	total := s.history() + s.rows
	for i := max(first, 0); i < min(first+n, total); i++ {
		if i >= len(s.lines) {
			out = append(out, Line{})
			continue
		}
		var b strings.Builder
		for _, c := range s.lines[i].cells {
			b.WriteString(s.table.Text(c.Char))
		}
		out = append(out, Line{strings.TrimRight(b.String(), " "), s.lines[i].wrapped})
	}
	return out
}

// fakeHost remembers what it was asked.
type fakeHost struct {
	screens map[layout.PaneID]*fakeScreen
	asked   []Request
	typed   []string // "pane:bytes" of each token, mouse as "pane:mouse x,y"
}

func (h *fakeHost) Screen(id layout.PaneID) Screen {
	if s := h.screens[id]; s != nil {
		return s
	}
	return nil
}

func (h *fakeHost) Input(id layout.PaneID, t keys.Token) {
	text := string(t.Raw)
	if t.Kind == keys.MouseEvent {
		text = fmt.Sprintf("mouse %d,%d", t.Mouse.X, t.Mouse.Y)
	}
	h.typed = append(h.typed, string(id)+":"+text)
}

func (h *fakeHost) Do(r Request) { h.asked = append(h.asked, r) }

// takeAsked returns the requests but Use, and forgets all.
func (h *fakeHost) takeAsked() []Request {
	var out []Request
	for _, r := range h.asked {
		if _, ok := r.(Use); !ok {
			out = append(out, r)
		}
	}
	h.asked = nil
	return out
}

func (h *fakeHost) takeTyped() []string {
	typed := h.typed
	h.typed = nil
	return typed
}

// world is a model with a host, for tests.
type world struct {
	t testing.TB
	*Model
	host   *fakeHost
	canvas *screen.Canvas
}

func newWorld(t testing.TB, w, h int, s State, settings Settings) *world {
	t.Helper()
	host := &fakeHost{screens: map[layout.PaneID]*fakeScreen{}}
	m := New(host, settings)
	wd := &world{t: t, Model: m, host: host}
	m.Update(SizeMsg{w, h})
	m.Update(StateMsg{s})
	wd.fit()
	wd.draw()
	host.takeAsked()
	host.takeTyped()
	return wd
}

// fit gives every visible pane a screen of the size that it has here.
func (w *world) fit() {
	for _, p := range w.geo.places {
		r := inner(p.Rect)
		if old := w.host.screens[p.Pane]; old != nil && old.cols == r.W && old.rows == r.H {
			continue
		}
		w.host.screens[p.Pane] = sample(p.Pane, r.W, r.H)
	}
}

// draw draws into the canvas of the frame before, as a client does, and
// returns a copy.
func (w *world) draw() (*screen.Canvas, screen.Cursor, string) {
	if w.canvas == nil {
		w.canvas = screen.NewCanvas(w.w, w.h)
		w.canvas.Follow()
	}
	if c := w.canvas; c.W != w.w || c.H != w.h {
		c.Resize(w.w, w.h)
	}
	cursor, title := w.Draw(w.canvas)
	w.canvas.Settle()
	c := *w.canvas
	c.Cells = slices.Clone(c.Cells)
	return &c, cursor, title
}

// press types keys by name; a name in quotes is text.
func (w *world) press(names ...string) *world {
	w.t.Helper()
	for _, n := range names {
		w.Update(TokenMsg{keyToken(w.t, n)})
	}
	return w
}

func keyToken(t testing.TB, name string) keys.Token {
	t.Helper()
	if text, ok := strings.CutPrefix(name, "'"); ok && text != "" {
		return keys.Token{Kind: keys.Text, Raw: []byte(strings.TrimSuffix(text, "'"))}
	}
	if len(name) == 1 {
		return keys.Token{Kind: keys.Text, Raw: []byte(name)}
	}
	k, err := keys.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	if name == "Space" {
		return keys.Token{Kind: keys.Text, Raw: []byte(" ")}
	}
	return keys.Token{Kind: keys.KeyPress, Key: k, Raw: keys.EncodeKey(nil, k, keys.Modes{})}
}

// click presses and releases a button.
func (w *world) click(x, y int) *world {
	w.mouseAt(keys.Mouse{X: x, Y: y, Button: keys.ButtonLeft})
	return w.mouseAt(keys.Mouse{X: x, Y: y, Button: keys.ButtonLeft, Release: true})
}

// pull holds the button from one cell to another.
func (w *world) pull(x, y, tox, toy int) *world {
	w.mouseAt(keys.Mouse{X: x, Y: y, Button: keys.ButtonLeft})
	w.mouseAt(keys.Mouse{X: tox, Y: toy, Button: keys.ButtonLeft, Motion: true})
	return w.mouseAt(keys.Mouse{X: tox, Y: toy, Button: keys.ButtonLeft, Release: true})
}

func (w *world) mouseAt(mo keys.Mouse) *world {
	w.Update(TokenMsg{keys.Token{Kind: keys.MouseEvent, Mouse: mo}})
	return w
}

// sample is what a pane of the tests shows.
func sample(id layout.PaneID, cols, rows int) *fakeScreen {
	s := newFakeScreen(cols, rows)
	switch id {
	case "p2":
		for i, l := range []string{
			"\x1b[1;36m● Update\x1b[m(parser.go)", "  ⎿ Updated \x1b[1mparser.go\x1b[m with 3 additions",
			"\x1b[32m  12 + func parse(s string) error {\x1b[m", "\x1b[31m  13 - func parse(s string) {\x1b[m", "",
			"\x1b[2m✻ Thinking… (12s · esc to interrupt)\x1b[m", "> 日本語 wide ok",
		} {
			if i < rows {
				s.print(l)
			}
		}
		s.cursor.X, s.cursor.Y = min(2, cols-1), min(6, rows-1)
	case "p3":
		for i := range 40 {
			s.print(fmt.Sprintf("ok  \tdeck/term/part%02d\t0.%03ds", i, i*7))
		}
		s.cursor.Y = rows - 1
	default:
		s.print("\x1b[32m~/src/deck\x1b[m $ make test")
		if rows > 1 {
			s.print("ok   deck/ui")
		}
		if rows > 2 {
			s.print("\x1b[32m~/src/deck\x1b[m $ ")
			s.cursor = screen.Cursor{X: min(13, cols-1), Y: 2, Visible: true}
		}
	}
	return s
}

func shell(id layout.PaneID, tab TabID, nick string) Pane {
	return Pane{ID: id, Tab: tab, Nick: nick, Program: "bash", Dir: "~/src/deck"}
}

func agent(id layout.PaneID, tab TabID, nick, name string, state lifecycle.State) Pane {
	return Pane{ID: id, Tab: tab, Nick: nick, Program: name, Agent: name, Title: "fix the parser", Dir: "~/src/deck/term",
		Status: lifecycle.Status{State: state}}
}

// oneShell is the state after the first attach.
func oneShell() State {
	return State{Session: "main", Sessions: []string{"main"}, Clients: 1,
		Tabs:  []Tab{{ID: "t1", Name: "bash", Root: layout.Leaf("p1")}},
		Panes: []Pane{shell("p1", "t1", "ada")}}
}

// threePanes has one pane at the left and two below each other at the right,
// and a second tab.
func threePanes() State {
	root := layout.Leaf("p1").Split("p1", layout.Right, "p2").Split("p2", layout.Down, "p3")
	return State{Session: "main", Sessions: []string{"main", "notes"}, Clients: 2,
		Tabs: []Tab{{ID: "t1", Name: "deck", Root: root}, {ID: "t2", Name: "logs", Root: layout.Leaf("p4")}},
		Panes: []Pane{
			shell("p1", "t1", "ada"), agent("p2", "t1", "bob", "robot", lifecycle.Working),
			shell("p3", "t1", "cleo"), shell("p4", "t2", "dan")}}
}

// everyState has a pane for each state that a pane can be in.
func everyState() State {
	s := State{Session: "main", Sessions: []string{"main"}, Clients: 1}
	states := []lifecycle.State{lifecycle.Working, lifecycle.NeedsInput, lifecycle.Idle, lifecycle.Blocked, lifecycle.Done,
		lifecycle.Dead, lifecycle.Unknown}
	names := []string{"ada", "bob", "cleo", "dan", "eve", "finn", "gwen", "hal", "ida"}
	root := layout.Leaf("p1")
	for i, n := range names {
		id := layout.PaneID(fmt.Sprintf("p%d", i+1))
		tab := TabID("t1")
		if i > 3 {
			tab = "t2"
		}
		p := shell(id, tab, n)
		if i < len(states) {
			p = agent(id, tab, n, "robot", states[i])
		}
		p.Ended, p.Bell = n == "ida", n == "dan" || n == "ida"
		s.Panes = append(s.Panes, p)
		if i > 0 && i < 4 {
			root = root.Split(layout.PaneID(fmt.Sprintf("p%d", i)), layout.Dir(i%2), id)
		}
	}
	second := layout.Leaf("p5")
	for i := 6; i <= 9; i++ {
		second = second.Split(layout.PaneID(fmt.Sprintf("p%d", i-1)), layout.Dir(i%2), layout.PaneID(fmt.Sprintf("p%d", i)))
	}
	s.Tabs = []Tab{{ID: "t1", Name: "deck", Root: root}, {ID: "t2", Name: "a tab with quite a long name", Root: second}}
	return s
}
