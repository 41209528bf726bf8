package paint

import (
	"strings"
	"unicode/utf8"

	"deck/term/screen"
)

// translator turns the cells of canvases into cells of the painter's own table
// as the terminal can show them: colours degraded, nothing that would act as a
// control, no half of a wide character, and what looks the same being the
// same.
type translator struct {
	own    *screen.Table
	blanks []screen.StyleID // by own id: that of a blank in this style, plus one

	from     *screen.Table // the canvas's
	epoch    uint64
	styles   []screen.StyleID // by id of from: the own one, plus one
	clusters []screen.Char    // the same for clusters

	raw   []screen.Cell // the canvas's rows as translated last
	rawOK []bool
	w     int

	limit int // of own's entries, beyond which a sweep is worth while
}

// leastSweep is how many entries a table has before a sweep is thought of: far
// more than one screen uses, unless a program draws gradients.
const leastSweep = 4096

// init makes the table; its first style is the plain one, as in every table.
func (t *translator) init() {
	t.own = screen.NewTable()
	t.limit = leastSweep
}

func (t *translator) resize(w, h int) {
	t.w = w
	t.raw = make([]screen.Cell, w*h)
	t.rawOK = make([]bool, h)
}

// forget makes every row be translated anew.
func (t *translator) forget() {
	clear(t.rawOK)
	t.styles, t.clusters = t.styles[:0], t.clusters[:0]
}

// bind sets the table of the canvases to come. Ids of another table, or of
// another epoch, mean something else.
func (t *translator) bind(from *screen.Table) {
	if t.from != from || t.epoch != from.Epoch() {
		t.forget()
		t.from, t.epoch = from, from.Epoch()
	}
}

// row translates row y of a canvas to dst and reports whether it had to:
// false means that it is the same as before. Missing cells are blank.
func (t *translator) row(prof *Profile, dst []screen.Cell, y int, src []screen.Cell) bool {
	raw := t.raw[y*t.w : (y+1)*t.w]
	if t.rawOK[y] && equal(raw[:len(src)], src) && allZero(raw[len(src):]) {
		return false
	}
	t.rawOK[y] = true
	clear(raw[copy(raw, src):])
	last := ^screen.StyleID(0)
	var ink, blank screen.StyleID
	for x := 0; x < len(raw); x++ {
		c := raw[x]
		if c.Style != last {
			last, ink, blank = c.Style, t.style(prof, c.Style), t.blank(prof, c.Style).Style
		}
		switch ch := c.Char; {
		case ch == screen.Blank || ch == ' ':
			dst[x] = screen.Cell{Style: blank}
		case ch > ' ' && ch < 0x7f:
			dst[x] = screen.Cell{Char: ch, Style: ink}
		case !ch.Wide():
			dst[x] = t.narrow(prof, c)
		case x+1 < len(raw) && raw[x+1].Char == screen.Tail:
			dst[x], dst[x+1] = t.wide(prof, c)
			x++
		default:
			dst[x] = screen.Cell{Style: blank}
		}
	}
	return true
}

func allZero(cells []screen.Cell) bool {
	for _, c := range cells {
		if c != (screen.Cell{}) {
			return false
		}
	}
	return true
}

// style returns the own id of a canvas's style, degraded. A link that OSC 8
// could not carry as it is, is none.
func (t *translator) style(prof *Profile, id screen.StyleID) screen.StyleID {
	if int(id) < len(t.styles) {
		if n := t.styles[id]; n != 0 {
			return n - 1
		}
	}
	for int(id) >= len(t.styles) && int(id) < 1<<24 {
		t.styles = append(t.styles, 0)
	}
	st := t.from.Style(id)
	link := t.from.Link(st.Link)
	st = prof.degrade(st)
	if st.Link != 0 {
		st.Link = t.own.LinkID(link)
		if !printable(link.URI) || !printable(link.ID) || strings.ContainsAny(link.ID, ":;") {
			st.Link = 0
		}
	}
	n := t.own.StyleID(st)
	t.styles[id] = n + 1
	return n
}

// blank returns a blank cell in a canvas's style. All that does not show on a
// blank is left out of its own style.
func (t *translator) blank(prof *Profile, id screen.StyleID) screen.Cell {
	n := t.style(prof, id)
	for int(n) >= len(t.blanks) {
		t.blanks = append(t.blanks, 0)
	}
	if t.blanks[n] == 0 {
		t.blanks[n] = t.own.StyleID(blankStyle(t.own.Style(n))) + 1
	}
	return screen.Cell{Style: t.blanks[n] - 1}
}

// onBlank are the attributes that show on a blank.
const onBlank = screen.Reverse | screen.Strike | screen.Overline

// blankStyle returns what of a style shows on a blank. Fewer styles on blanks
// mean fewer changes of the pen, and more that an erase can draw.
func blankStyle(st screen.Style) screen.Style {
	if st.Attr&onBlank == 0 && st.Underline == screen.NoUnderline {
		return screen.Style{Bg: st.Bg, Link: st.Link}
	}
	return st
}

// erasable reports whether a blank of this own style is what an erase leaves.
func (t *translator) erasable(id screen.StyleID) bool {
	st := t.own.Style(id)
	return st == screen.Style{Bg: st.Bg}
}

// narrow returns the cell of a character of one column that is not ASCII.
func (t *translator) narrow(prof *Profile, c screen.Cell) screen.Cell {
	if i, ok := c.Char.Cluster(); ok {
		return t.cluster(prof, c, i)
	}
	r, ok := c.Char.Rune()
	switch {
	case !ok:
		return t.blank(prof, c.Style)
	case hidden(r) || zeroWidth(r):
		r = utf8.RuneError
	}
	if prof.ASCII {
		r = asciiRune(r)
	}
	return screen.Cell{Char: screen.RuneChar(r, false), Style: t.style(prof, c.Style)}
}

// wide returns the two cells of a wide character, or two narrow ones where the
// terminal could not draw it.
func (t *translator) wide(prof *Profile, c screen.Cell) (lead, tail screen.Cell) {
	id := t.style(prof, c.Style)
	lead, tail = screen.Cell{Char: c.Char, Style: id}, screen.Cell{Char: screen.Tail, Style: id}
	i, isCluster := c.Char.Cluster()
	r, isRune := c.Char.Rune()
	switch {
	case prof.ASCII || isRune && (hidden(r) || zeroWidth(r)) || !isRune && !isCluster:
		lead.Char = screen.RuneChar('?', false)
		tail.Char = lead.Char
	case isCluster:
		lead = t.cluster(prof, c, i)
		if !lead.Char.Wide() {
			tail = lead
		}
	}
	return lead, tail
}

// cluster returns the cell of a cluster in the own table, without what must not
// be drawn; a cluster of which nothing is left is a question mark.
func (t *translator) cluster(prof *Profile, c screen.Cell, i uint32) screen.Cell {
	id := t.style(prof, c.Style)
	if prof.ASCII {
		return screen.Cell{Char: screen.RuneChar('?', false), Style: id}
	}
	for int(i) >= len(t.clusters) {
		t.clusters = append(t.clusters, 0)
	}
	wide := c.Char.Wide()
	if t.clusters[i] == 0 || t.clusters[i].Wide() != wide {
		text := strings.Map(clusterRune, t.from.Text(c.Char))
		t.clusters[i] = t.own.ClusterChar(text, wide)
		if r, _ := utf8.DecodeRuneInString(text); text == "" || zeroWidth(r) {
			t.clusters[i] = screen.RuneChar('?', false)
		}
	}
	return screen.Cell{Char: t.clusters[i], Style: id}
}

// clusterRune lets joiners and tags pass, which have a meaning in a cluster.
func clusterRune(r rune) rune {
	if hidden(r) && r != 0x200c && r != 0x200d && (r < 0xe0020 || r > 0xe007f) {
		return -1
	}
	return r
}

// printable reports whether s has only the bytes that OSC 8 allows.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// full reports whether it is time for a sweep.
func (t *translator) full() bool {
	styles, clusters, links := t.own.Len()
	return styles+clusters+links > t.limit
}

// sweep makes a new own table with what cells use and gives them its ids.
func (t *translator) sweep(cells []screen.Cell) {
	table := screen.NewTable()
	var tr screen.Translator
	tr.Bind(t.own, table)
	for i, c := range cells {
		cells[i] = tr.Cell(c)
	}
	t.own = table
	t.blanks = t.blanks[:0]
	t.forget()
	styles, clusters, links := table.Len()
	t.limit = max(leastSweep, 2*(styles+clusters+links))
}
