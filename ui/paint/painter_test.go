package paint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
)

// full is a profile that has everything.
func full() Profile {
	return Profile{Term: "xterm", Colors: TrueColor, Sync: true, Margins: true, Repeat: true, BCE: true, Erase: true,
		Scroll: true, AltScreen: true, Title: true, Shape: true, Mouse: true, Focus: true, Paste: true, Kitty: true,
		Underlines: true, UnderlineColors: true, Links: true, Query: true, Device: true}
}

func profiles() map[string]Profile {
	m := map[string]Profile{"full": full(), "linux": base("linux"), "vt100": base("vt100"), "screen": base("screen")}
	p := full()
	p.BCE, p.Repeat, p.Margins, p.Sync = false, false, false, false
	m["poor"] = p
	p = full()
	p.Colors, p.Underlines, p.UnderlineColors, p.Margins = Color16, false, false, false
	m["sixteen"] = p
	p = full()
	p.Colors, p.ASCII = Color256, true
	m["ascii"] = p
	p = full()
	p.Grapheme, p.Scroll, p.Margins = true, false, false
	m["grapheme"] = p
	return m
}

// expect returns what a terminal must show for a canvas, worked out cell by
// cell and without the painter's tables.
func expect(c *screen.Canvas, prof Profile, w, h int) []modelCell {
	out := make([]modelCell, w*h)
	for y := range h {
		row := make([]screen.Cell, w)
		if y < c.H {
			copy(row, c.Row(y))
		}
		for x := 0; x < w; x++ {
			st := c.Table.Style(row[x].Style)
			link := c.Table.Link(st.Link).URI
			st = prof.degrade(st)
			if st.Link == 0 {
				link = ""
			}
			st.Link = 0
			cell := modelCell{Style: st, Link: link}
			ch := row[x].Char
			wide := ch.Wide() && x+1 < w && row[x+1].Char == screen.Tail
			switch {
			case ch == screen.Blank || ch == ' ' || ch == screen.Tail || ch.Wide() && !wide:
				cell.Text = " "
			case prof.ASCII:
				cell.Text = "?"
				if r, ok := ch.Rune(); ok && !wide {
					cell.Text = string(asciiRune(r))
				}
			default:
				cell.Text = c.Table.Text(ch)
			}
			out[y*w+x] = look(cell)
			if wide {
				x++
				if !prof.ASCII {
					cell.Text = ""
				}
				out[y*w+x] = cell
			}
		}
	}
	return out
}

// look leaves out of a blank cell what cannot be seen of it.
func look(c modelCell) modelCell {
	if c.Text == " " {
		c.Style = blankStyle(c.Style)
	}
	return c
}

func check(t *testing.T, m *model, next *screen.Canvas, prof Profile, c screen.Cursor) {
	t.Helper()
	want := expect(next, prof, m.w, m.h)
	for i := range want {
		if got := look(m.cells[i]); got != want[i] {
			t.Fatalf("cell %d,%d: %s", i%m.w, i/m.w, cmp.Diff(want[i], got))
		}
	}
	if m.visible != c.Visible || c.Visible && (m.x != min(c.X, m.w-1) || m.y != min(c.Y, m.h-1)) {
		t.Fatalf("cursor %v %d,%d, want %+v", m.visible, m.x, m.y, c)
	}
	if m.sync {
		t.Fatalf("left inside a synchronized update")
	}
}

// scene makes random canvases that follow from each other as real ones do.
type scene struct {
	r     *rand.Rand
	c     *screen.Canvas
	plain bool // only text whose width nobody doubts

	panes   bool  // of panes side by side, with borders in these columns
	borders []int // and without them in the last rows, of which there are foot
	foot    int
	lines   int // written so far
}

var pieces = []string{"a", "b", "x", "hello", "─", "│", "é", "中", "한", "👍", "👨‍👩‍👧", "❤️", "e\u0301", "⚠", "🇩🇪", "\u2433", "\ue0b0", "…", " ", "    ", "~"}

func (s *scene) style() screen.Style {
	r := s.r
	if r.IntN(2) == 0 {
		return screen.Style{}
	}
	color := func() screen.Color {
		switch r.IntN(5) {
		case 0:
			return screen.Palette(uint8(r.IntN(16)))
		case 1:
			return screen.Palette(uint8(r.IntN(256)))
		case 2:
			return screen.RGB(uint8(r.IntN(4)*80), uint8(r.IntN(256)), 7)
		}
		return screen.Default
	}
	st := screen.Style{Fg: color(), Bg: color()}
	if r.IntN(3) == 0 {
		st.Attr = screen.Attr(r.IntN(1 << 10))
	}
	if r.IntN(4) == 0 {
		st.Underline, st.UnderlineColor = screen.Underline(r.IntN(6)), color()
	}
	if r.IntN(6) == 0 {
		st.Link = s.c.Table.LinkID(screen.Link{URI: fmt.Sprintf("http://x/%d", r.IntN(3))})
	}
	return st
}

// piece is a little text.
func (s *scene) piece() string {
	piece := pieces[s.r.IntN(len(pieces))]
	if w := utf8.RuneCountInString(piece); s.plain && (w > 1 && piece[0] >= utf8.RuneSelf || strings.ContainsAny(piece, "👍⚠\u2433\ue0b0")) {
		return "q"
	}
	return piece
}

func (s *scene) text() {
	c, r := s.c, s.r
	var b strings.Builder
	for range 1 + r.IntN(30) {
		b.WriteString(s.piece())
	}
	DrawTextOn(c, r.IntN(c.W), r.IntN(c.H), 1+r.IntN(c.W), s.style(), b.String())
}

// moveRows scrolls a random rectangle.
func (s *scene) moveRows() {
	c, r := s.c, s.r
	x0, x1 := 0, c.W
	if r.IntN(2) == 0 {
		x0, x1 = r.IntN(c.W), c.W-r.IntN(c.W/3+1)
	}
	top, bottom, n := r.IntN(c.H), c.H-r.IntN(c.H), 1+r.IntN(3)
	if x0 >= x1 || bottom-top <= n {
		return
	}
	up := r.IntN(2) == 0
	for i := range bottom - top - n {
		to, from := top+i, top+i+n
		if !up {
			to, from = bottom-1-i, bottom-1-i-n
		}
		copy(c.Row(to)[x0:x1], c.Row(from)[x0:x1])
	}
}

func (s *scene) moveCells() {
	c, r := s.c, s.r
	row := c.Row(r.IntN(c.H))
	x, e, n := r.IntN(c.W), c.W-r.IntN(c.W/2+1), 1+r.IntN(4)
	if e-x <= n {
		return
	}
	if r.IntN(2) == 0 {
		copy(row[x+n:e], row[x:e-n])
	} else {
		copy(row[x:e-n], row[x+n:e])
	}
}

func (s *scene) step() {
	c, r := s.c, s.r
	if s.panes {
		s.paneStep()
		return
	}
	for range 1 + r.IntN(4) {
		switch r.IntN(10) {
		case 0, 1:
			s.moveRows()
		case 2:
			s.moveCells()
		case 3:
			Fill(c, r.IntN(c.W), r.IntN(c.H), r.IntN(c.W), r.IntN(c.H), s.style())
		case 4:
			Box(c, r.IntN(c.W), r.IntN(c.H), r.IntN(c.W), r.IntN(c.H), LightLine, s.style())
		case 5:
			VLine(c, r.IntN(c.W), 0, c.H, LightLine, screen.Style{})
		case 6: // a half of a wide character
			c.Cells[r.IntN(len(c.Cells))] = screen.Cell{Char: []screen.Char{screen.Tail,
				screen.RuneChar('中', true)}[r.IntN(2)], Style: c.Table.StyleID(s.style())}
		default:
			s.text()
		}
	}
}

func (s *scene) cursor() screen.Cursor {
	return screen.Cursor{X: s.r.IntN(s.c.W + 1), Y: s.r.IntN(s.c.H), Visible: s.r.IntN(5) > 0,
		Shape: screen.CursorShape(s.r.IntN(4)), Blink: s.r.IntN(2) == 0}
}

// play paints random canvases and compares what a terminal makes of the bytes.
func play(t *testing.T, prof Profile, seed uint64, steps int, swell bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	w, h := 1+r.IntN(90), 1+r.IntN(30)
	m := newModel(t, w, h, prof.BCE)
	m.swell = swell
	p := New(prof, w, h)
	m.write(string(p.Enter()))
	s := &scene{r: r, c: screen.NewCanvas(w, h), panes: seed%2 == 1}
	for i := range steps {
		switch r.IntN(40) {
		case 0:
			w, h = 1+r.IntN(90), 1+r.IntN(30)
			s.c.Resize(w, h)
			p.Resize(w, h)
			m.resize(w, h)
		case 1:
			p.Invalidate()
			m.resize(w, h)
		case 2:
			next := screen.NewCanvas(w, h)
			var tr screen.Translator
			tr.Bind(s.c.Table, next.Table)
			for i, c := range s.c.Cells {
				next.Cells[i] = tr.Cell(c)
			}
			s.c = next
		case 3:
			p.tr.limit = 1
		}
		s.step()
		c := s.cursor()
		m.write(string(p.Paint(s.c, c, fmt.Sprintf("title %d", i/5))))
		check(t, m, s.c, prof, c)
		if again := p.Paint(s.c, c, fmt.Sprintf("title %d", i/5)); again != nil {
			t.Fatalf("painted again: %q", again)
		}
	}
	m.write(string(p.Leave()))
	if m.kittyStack != 0 || m.titleStack != 0 || !m.autowrap || !m.visible || m.margins || m.pen != (screen.Style{}) {
		t.Fatalf("left behind: %+v", m)
	}
}

func TestPaintShowsTheCanvas(t *testing.T) {
	t.Parallel()
	for name, prof := range profiles() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(15) {
				play(t, prof, seed, 25, false)
			}
		})
	}
}

// TestPaintLooksAtFreshRows: a canvas that tells which rows were written is
// taken at its word, unless the painter has not seen it last.
func TestPaintLooksAtFreshRows(t *testing.T) {
	t.Parallel()
	m, p, c := newModel(t, 10, 3, true), New(full(), 10, 3), screen.NewCanvas(10, 3)
	c.Follow()
	paint := func() string {
		b := string(p.Paint(c, screen.Cursor{}, ""))
		m.write(b)
		return b
	}
	m.write(string(p.Enter()))
	DrawText(c, 0, 0, 10, "one")
	paint()
	check(t, m, c, full(), screen.Cursor{})
	DrawText(c, 0, 1, 10, "two")
	if got := paint(); got != "" {
		t.Errorf("a row that nobody wrote is drawn: %q", got)
	}
	for name, tell := range map[string]func(){
		"a fresh row":       func() { c.Touch(1) },
		"a new size":        func() { c.Resize(10, 3) },
		"a new terminal":    func() { p.Invalidate(); m.resize(10, 3) },
		"another canvas":    func() { m.write(string(p.Paint(screen.NewCanvas(10, 3), screen.Cursor{}, ""))) },
		"other abilities":   func() { prof := full(); prof.ASCII = true; p.SetProfile(prof); paint(); p.SetProfile(full()) },
		"its table's reset": func() { c.Table.Reset() },
	} {
		tell()
		DrawText(c, 0, 1, 10, name)
		paint()
		if t.Log(name); c.Fresh(1) {
			t.Error("it is looked at again")
		}
		check(t, m, c, full(), screen.Cursor{})
	}
}

func FuzzPaint(f *testing.F) {
	all := profiles()
	f.Add(uint64(1), "full")
	for name := range all {
		f.Add(uint64(2), name)
	}
	f.Fuzz(func(t *testing.T, seed uint64, name string) {
		prof, ok := all[name]
		if !ok {
			prof = full()
		}
		play(t, prof, seed, 20, false)
	})
}
