package paint

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"deck/term/screen"
)

// modelCell is what a cell of the model shows: a lead's text, "" for a tail.
type modelCell struct {
	Text  string
	Style screen.Style // without its link
	Link  string
}

// model is a terminal of which only that exists which the painter may use: it
// fails the test on everything else, on text in a control string's place, and
// on a newline that is not in column 0.
type model struct {
	t                      testing.TB
	w, h                   int
	cells                  []modelCell
	x, y                   int
	wrapNext, autowrap     bool
	top, bottom            int
	left, right            int
	margins, bce           bool
	pen                    screen.Style
	link                   string
	last                   string
	visible                bool
	shape                  int
	title, status          string
	sync                   bool
	modes                  map[string]bool
	swell                  bool // draws clusters and symbols one column narrower than deck thinks, the cursor too
	kittyStack, titleStack int
}

func newModel(t testing.TB, w, h int, bce bool) *model {
	m := &model{t: t, bce: bce, autowrap: true, visible: true, modes: map[string]bool{}}
	m.resize(w, h)
	return m
}

// resize fills the model with rubbish: the painter may rely on nothing.
func (m *model) resize(w, h int) {
	m.w, m.h = w, h
	m.cells = make([]modelCell, w*h)
	for i := range m.cells {
		m.cells[i] = modelCell{Text: "#", Style: screen.Style{Attr: screen.Reverse}}
	}
	m.top, m.bottom, m.left, m.right = 0, h-1, 0, w-1
	m.x, m.y = min(m.x, w-1), min(m.y, h-1)
}

func (m *model) row(y int) []modelCell { return m.cells[y*m.w : (y+1)*m.w] }

func (m *model) write(s string) {
	m.t.Helper()
	for s != "" {
		c := s[0]
		switch {
		case c == 0x1b:
			s = m.escape(s)
		case c < 0x20 || c == 0x7f:
			m.c0(c)
			s = s[1:]
		default:
			end := strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
			if end < 0 {
				end = len(s)
			}
			g := graphemes.FromString(s[:end])
			for g.Next() {
				m.print(g.Value())
			}
			s = s[end:]
		}
	}
}

func (m *model) c0(c byte) {
	switch c {
	case '\r':
		m.check(m.left == 0 || m.inside(), "carriage return outside of margins")
		m.x, m.wrapNext = m.left, false
	case '\b':
		if m.wrapNext {
			m.t.Fatalf("backspace at a pending wrap")
		}
		m.relative(m.x-1, m.y)
	case '\n':
		if m.x != m.left {
			m.t.Fatalf("newline in column %d", m.x)
		}
		m.index()
	case 0x0f:
	default:
		m.t.Fatalf("control %#x", c)
	}
}

// inside reports whether the cursor is between the margins.
func (m *model) inside() bool {
	return m.x >= m.left && m.x <= m.right && m.y >= m.top && m.y <= m.bottom
}

func (m *model) index() {
	m.wrapNext = false
	if m.y == m.bottom {
		m.check(m.inside(), "line feed at the margin")
		m.scroll(m.top, 1)
		return
	}
	m.relative(m.x, m.y+1)
}

// limit is the last column of text at the cursor.
func (m *model) limit() int {
	if m.x <= m.right {
		return m.right
	}
	return m.w - 1
}

// relative is a motion by so many cells: what it does at a margin is not sure.
func (m *model) relative(x, y int) {
	side := func(at, from, to int) int {
		switch {
		case at < from:
			return 0
		case at <= to:
			return 1
		}
		return 2
	}
	m.check(side(x, m.left, m.right) == side(m.x, m.left, m.right) && side(y, m.top, m.bottom) == side(m.y, m.top, m.bottom), "motion over a margin")
	m.moveTo(x, y)
}

func (m *model) print(v string) {
	if !utf8.ValidString(v) {
		m.t.Fatalf("invalid UTF-8 %q", v)
	}
	w := displaywidth.String(v)
	if w == 0 {
		m.t.Fatalf("text without width: %q", v)
	}
	if m.wrapNext && m.autowrap {
		m.t.Fatalf("text wrapped")
	}
	limit := m.limit()
	if m.x+w > limit+1 {
		m.t.Fatalf("wide character %q in the last column", v)
	}
	m.set(m.x, m.y, modelCell{Text: v, Style: m.pen, Link: m.link})
	if w == 2 {
		m.set(m.x+1, m.y, modelCell{Style: m.pen, Link: m.link})
		m.row(m.y)[m.x].Text = v
	}
	m.last = v
	r, _ := utf8.DecodeRuneInString(v)
	if c := screen.RuneChar(r, false); m.swell && (doubtful(c) || !unicode.IsPrint(r) || len(string(r)) < len(v)) {
		w = 3 - w
	}
	if m.x += w; m.x > limit {
		m.x, m.wrapNext = limit, true
	}
}

// set puts a cell down and blanks the halves of wide characters it cuts.
func (m *model) set(x, y int, c modelCell) {
	row := m.row(y)
	if row[x].Text == "" && x > 0 && wideText(row[x-1].Text) {
		row[x-1].Text = " "
	}
	if wideText(row[x].Text) && x+1 < m.w && row[x+1].Text == "" {
		row[x+1].Text = " "
	}
	row[x] = c
}

func wideText(s string) bool { return len(s) > 1 && displaywidth.String(s) == 2 }

func (m *model) blank() modelCell {
	c := modelCell{Text: " "}
	if m.bce {
		c.Style.Bg = m.pen.Bg
		// Some terminals keep these on erased cells.
		c.Style.Attr = m.pen.Attr & onBlank
		c.Style.Underline = m.pen.Underline
	}
	return c
}

func (m *model) erase(x0, x1, y int) {
	for x := x0; x < min(x1, m.w); x++ {
		m.set(x, y, m.blank())
	}
}

func (m *model) escape(s string) string {
	switch {
	case strings.HasPrefix(s, "\x1b["):
		end := strings.IndexFunc(s[2:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if end < 0 {
			m.t.Fatalf("unfinished %q", s)
		}
		m.csi(s[2:2+end], s[2+end])
		return s[3+end:]
	case strings.HasPrefix(s, "\x1b]") || strings.HasPrefix(s, "\x1bP"):
		body, rest, ok := strings.Cut(s[2:], "\x1b\\")
		if !ok || strings.ContainsFunc(body, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
			m.t.Fatalf("bad string %q", s)
		}
		m.osc(s[1], body)
		return rest
	case strings.HasPrefix(s, "\x1bM"):
		m.wrapNext = false
		if m.y == m.top {
			m.check(m.inside(), "reverse line feed at the margin")
			m.scroll(m.top, -1)
		} else {
			m.relative(m.x, m.y-1)
		}
	case strings.HasPrefix(s, "\x1bD"):
		m.index()
	case strings.HasPrefix(s, "\x1b(B"):
		return s[3:]
	case strings.HasPrefix(s, "\x1b\\"):
	default:
		m.t.Fatalf("escape %q", s[:2])
	}
	return s[2:]
}

func (m *model) osc(kind byte, body string) {
	num, rest, _ := strings.Cut(body, ";")
	switch {
	case kind == 'P':
	case num == "2":
		m.title = rest
	case num == "8":
		_, m.link, _ = strings.Cut(rest, ";")
	case num == "10" || num == "11" || num == "12" || num == "4" || body == "7501;?":
	case num == "7501":
		m.status = rest
	default:
		m.t.Fatalf("OSC %q", body)
	}
}

func (m *model) csi(p string, final byte) {
	if strings.HasPrefix(p, "?") && (final == 'h' || final == 'l') {
		m.mode(p[1:], final == 'h')
		return
	}
	if strings.ContainsAny(p, "?<>$ ") || final == 'c' || final == 't' || final == 'u' {
		m.private(p, final)
		return
	}
	if final == 'm' {
		if p == "" {
			p = "0"
		}
		m.pen = applySGR(m.pen, screen.Style{}, p)
		return
	}
	a, b, two := 1, 0, strings.Contains(p, ";")
	if p != "" && p != ";" {
		if fmt.Sscanf(p, "%d;%d", &a, &b); strings.HasPrefix(p, ";") {
			a, b = 1, 0
			fmt.Sscanf(p, ";%d", &b)
		}
	}
	if a < 1 {
		m.t.Fatalf("parameter of %q%c", p, final)
	}
	m.wrapNext = m.wrapNext && strings.IndexByte("bKXPr", final) >= 0
	m.csiNumbers(a, b, two, p == "", final)
}

func (m *model) csiNumbers(a, b int, two, none bool, final byte) {
	switch final {
	case 'H':
		m.moveTo(max(b, 1)-1, a-1)
	case 'A':
		m.relative(m.x, m.y-a)
	case 'B':
		m.relative(m.x, m.y+a)
	case 'C':
		m.relative(m.x+a, m.y)
	case 'D':
		m.relative(m.x-a, m.y)
	case 'G':
		m.moveTo(a-1, m.y)
	case 'd':
		m.moveTo(m.x, a-1)
	case 'b':
		for range a {
			m.print(m.last)
		}
	case 'K':
		m.erase(m.x, m.w, m.y)
	case 'J':
		for y := range m.h {
			m.erase(0, m.w, y)
		}
	case 'X':
		m.erase(m.x, m.x+a, m.y)
	case '@':
		m.shift(a)
	case 'P':
		m.shift(-a)
	case 'S':
		m.scroll(m.top, a)
	case 'T':
		m.scroll(m.top, -a)
	case 'M', 'L':
		m.check(m.left == 0 && m.right == m.w-1, "lines between margins")
		if final == 'L' {
			a = -a
		}
		m.scroll(m.y, a)
		m.x = 0
	case 'r':
		m.top, m.bottom = 0, m.h-1
		if !none {
			m.top = a - 1
		}
		if two {
			m.bottom = b - 1
		}
		m.check(none || m.top < m.bottom && m.bottom < m.h, "scroll region")
		m.moveTo(0, 0)
	case 's':
		m.check(m.margins, "margins")
		m.left, m.right = 0, m.w-1
		if two {
			m.left, m.right = a-1, b-1
		}
		m.check(!two || m.left < m.right && m.right < m.w, "margins")
		m.moveTo(0, 0)
	case 'l':
	default:
		m.t.Fatalf("CSI %c", final)
	}
}

func (m *model) check(ok bool, what string) {
	if !ok {
		m.t.Fatalf("bad %s", what)
	}
}

func (m *model) moveTo(x, y int) {
	if x < 0 || y < 0 || x >= m.w || y >= m.h {
		m.t.Fatalf("moved to %d,%d of %dx%d", x, y, m.w, m.h)
	}
	m.x, m.y, m.wrapNext = x, y, false
}

// shift inserts or deletes cells at the cursor. A wide character cut at the
// edge of what moves fails the test.
func (m *model) shift(n int) {
	row := m.row(m.y)
	m.check(m.left == 0 && m.right == m.w-1, "shift between margins")
	m.check(row[m.x].Text != "", "shift in a wide character")
	for range abs(n) {
		if n > 0 {
			copy(row[m.x+1:], row[m.x:m.w-1])
			row[m.x] = m.blank()
			if wideText(row[m.w-1].Text) {
				row[m.w-1].Text = " "
			}
		} else {
			copy(row[m.x:], row[m.x+1:])
			row[m.w-1] = m.blank()
		}
	}
	m.check(row[m.x].Text != "", "shift of a half")
}

func (m *model) scroll(top, n int) {
	m.check(top >= m.top && top <= m.bottom, "scroll outside of the region")
	for range abs(n) {
		for i := range m.bottom - top {
			to, from := top+i, top+i+1
			if n < 0 {
				to, from = m.bottom-i, m.bottom-i-1
			}
			copy(m.row(to)[m.left:m.right+1], m.row(from)[m.left:m.right+1])
		}
		y := m.bottom
		if n < 0 {
			y = top
		}
		for x := m.left; x <= m.right; x++ {
			m.row(y)[x] = m.blank()
		}
	}
}

func (m *model) mode(p string, on bool) {
	for name := range strings.SplitSeq(p, ";") {
		switch name {
		case "7":
			m.autowrap = on
		case "25":
			m.visible = on
		case "69":
			m.margins = on
			m.left, m.right = 0, m.w-1
		case "2026":
			m.check(!on || !m.sync, "synchronized update")
			m.sync = on
		}
		m.modes[name] = on
	}
}

func (m *model) private(p string, final byte) {
	switch seq := p + string(final); {
	case strings.HasSuffix(p, " ") && final == 'q':
		fmt.Sscanf(p, "%d", &m.shape)
	case seq == "22;2t":
		m.titleStack++
	case seq == "23;2t":
		m.titleStack--
	case seq == ">1u":
		m.kittyStack++
	case seq == "<u":
		m.kittyStack--
	case seq == ">4;2m", seq == ">4m":
		m.modes["modifyOtherKeys"] = seq == ">4;2m"
	case final == 'c', seq == ">q", seq == "?u", strings.HasSuffix(p, "$") && final == 'p':
	default:
		m.t.Fatalf("CSI %q", seq)
	}
}
