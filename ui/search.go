package ui

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"deck/term/keys"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// search is what copy mode looks for, and where it is.
type search struct {
	typing bool
	input  input
	dir    int   // 1 down, -1 up
	from   point // the cursor before it began
	cursor screen.Cursor

	query string
	text  searched // what was searched last
	hits  []point
	lines map[int][]segment
	here  int // the hit at the cursor, -1 for none
}

// searched is the text of a pane as it was at one moment.
type searched struct {
	gen    uint64
	cols   int
	rows   []Line
	all    string // the rows joined
	lower  string // the same in lower case, as far as that is ASCII
	starts []int  // where each row starts in it
}

// segment is the part of a hit on one line.
type segment struct{ x, n, hit int }

// maxHits bounds what one search may find.
const maxHits = 50000

// begin forgets what was searched before: its marks would mislead.
func (s *search) begin(dir int, at point) {
	*s = search{typing: true, input: newInput(""), dir: dir, from: at, here: -1}
}

// on returns what of the hits lies on a line.
func (s *search) on(line int) []segment { return s.lines[line] }

// searchKey takes a key while the text to look for is typed.
func (m *Model) searchKey(k keys.Key, e extent, s Screen) tea.Cmd {
	c := m.copying
	switch {
	case cancelKeys.has(k):
		c.move(c.search.from, e)
		c.search = search{here: -1}
	case acceptKeys.has(k):
		c.search.typing = false
		if len(c.search.hits) == 0 {
			return m.notify("not found: "+c.search.query, true)
		}
	default:
		c.search.input.key(k)
		m.searchTyped(e, s)
	}
	return nil
}

// searchTyped looks for what is typed so far, from where the cursor was.
func (m *Model) searchTyped(e extent, s Screen) {
	c := m.copying
	c.search.query = c.search.input.value()
	c.search.find(e, s)
	c.at = c.search.from
	c.hop(c.search.dir, e, true)
}

// searchNext goes to the next hit in the search's direction, or against it.
func (m *Model) searchNext(n int, e extent, s Screen) tea.Cmd {
	c := m.copying
	if c.search.query == "" {
		return m.notify("nothing was searched for; / searches", false)
	}
	if c.search.text.starts == nil || s.Generation() != c.search.text.gen {
		c.search.find(e, s)
	}
	if len(c.search.hits) == 0 {
		return m.notify("not found: "+c.search.query, true)
	}
	before := c.at
	dir := n * c.search.dir
	c.hop(dir, e, false)
	if wrapped := c.at.before(before); wrapped == (dir > 0) && c.at != before {
		return m.notify("search went round the end", false)
	}
	return nil
}

// hop moves the cursor to the nearest hit in a direction, round the end; with
// stay a hit at the cursor counts.
func (c *copyMode) hop(dir int, e extent, stay bool) {
	hits := c.search.hits
	c.search.here = -1
	if len(hits) == 0 {
		return
	}
	i := sort.Search(len(hits), func(i int) bool { return !hits[i].before(c.at) })
	exact := i < len(hits) && hits[i] == c.at
	switch {
	case exact && stay:
	case dir > 0 && exact:
		i++
	case dir < 0:
		i--
	}
	i = (i + len(hits)) % len(hits)
	c.search.here = i
	c.move(hits[i], e)
}

// find looks through the whole history and the screen. Lower case finds both
// cases; soft-wrapped rows are searched as the one line that they are.
func (s *search) find(e extent, scr Screen) {
	s.hits, s.lines, s.here = nil, map[int][]segment{}, -1
	if s.query == "" {
		return
	}
	if gen := scr.Generation(); s.text.starts == nil || s.text.gen != gen || s.text.cols != e.cols {
		s.text = searched{gen: gen, cols: e.cols, rows: scr.Text(0, e.end-e.first)}
		s.text.join()
	}
	for i, span := range s.text.spans(s.query) {
		s.add(i, span, e.first)
	}
}

// spans returns where a query is found, as pairs of offsets.
func (t *searched) spans(query string) [][]int {
	// Letters beyond ASCII may change their length with their case, which only
	// the regular expression keeps account of.
	in, exact := t.lower, strings.ContainsFunc(query, unicode.IsUpper)
	switch {
	case exact:
		in = t.all
	case strings.ContainsFunc(query, func(r rune) bool { return r > unicode.MaxASCII }):
		re, err := regexp.Compile("(?i)" + regexp.QuoteMeta(query))
		if err != nil {
			return nil
		}
		return re.FindAllStringIndex(t.all, maxHits)
	}
	var spans [][]int
	for at := 0; len(spans) < maxHits; {
		i := strings.Index(in[at:], query)
		if i < 0 {
			break
		}
		at += i + len(query)
		spans = append(spans, []int{at - len(query), at})
	}
	return spans
}

// add notes one hit, in segments where it goes over the end of a row.
func (s *search) add(hit int, span []int, first int) {
	t := &s.text
	row, _ := slices.BinarySearch(t.starts, span[0]+1)
	row--
	for i := row; i < len(t.rows) && t.starts[i] < span[1]; i++ {
		end := len(t.all)
		if i+1 < len(t.starts) {
			end = t.starts[i+1]
		}
		from, to := max(span[0], t.starts[i]), min(span[1], end)
		x := displaywidth.String(t.all[t.starts[i]:from])
		n := displaywidth.String(t.all[from:to])
		if i == row {
			s.hits = append(s.hits, point{x, first + i})
		}
		s.lines[first+i] = append(s.lines[first+i], segment{x, n, hit})
	}
}

// join makes one text of the rows, with a newline after each line that is not
// wrapped.
func (t *searched) join() {
	var b strings.Builder
	t.starts = make([]int, len(t.rows))
	for i, r := range t.rows {
		t.starts[i] = b.Len()
		b.WriteString(r.Text)
		if !r.Wrapped {
			b.WriteByte('\n')
			continue
		}
		have := displaywidth.String(r.Text)
		if !wideNext(t.rows, i, have, t.cols) {
			b.WriteString(strings.Repeat(" ", max(t.cols-have, 0)))
		}
	}
	t.all = b.String()
	t.lower = lowerASCII(t.all)
}

// lowerASCII keeps the length of the text, so that offsets stay true.
func lowerASCII(s string) string {
	p := []byte(s)
	for i, c := range p {
		if c >= 'A' && c <= 'Z' {
			p[i] = c + 'a' - 'A'
		}
	}
	return string(p)
}

// drawPrompt draws the line in which the text to look for is typed.
func (c *copyMode) drawPrompt(p pen, x, y, w int) bool {
	if !c.search.typing {
		return false
	}
	label := "/"
	if c.search.dir < 0 {
		label = "?"
	}
	n := p.text(x, y, w, label, lookKey)
	c.search.cursor = c.search.input.draw(p, x+n, y, w-n)
	return true
}
