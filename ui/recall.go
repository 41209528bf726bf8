package ui

import (
	"strings"
	"time"
	"unicode/utf8"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// recalling searches the memory while one types. One question is under way at a
// time: what was typed meanwhile is asked when its answer has come.
type recalling struct {
	reader
	input  input
	asked  string // the last question
	waits  bool   // its answer has not come
	got    RecalledMsg
	known  bool // there is an answer, if an older one
	at     int  // the chosen note
	top    int  // the first one in view
	fits   int  // how many were drawn
	height int  // rows that each had
	now    time.Time
}

// searchMemory opens the search, with the newest notes until something is typed.
func searchMemory(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		r := newRecalling(readerIn(p), m.now)
		m.open(r)
		return r.resume()(m)
	})
}

func newRecalling(by reader, now time.Time) *recalling {
	return &recalling{reader: by, input: newInput(""), now: now}
}

// readerIn looks from a pane.
func readerIn(p Pane) reader {
	r := reader{from: p.ID}
	if p.Agent != "" && !p.Ended {
		r.nick = p.Nick
	}
	return r
}

// resume asks what is typed once more.
func (r *recalling) resume() func(*Model) tea.Cmd {
	r.asked, r.waits = r.query(), true
	return request(Recall{From: r.from, Query: r.asked})
}

func (r *recalling) query() string { return strings.TrimSpace(r.input.value()) }

// ask asks what is typed, unless that is asked already or another answer is still
// to come.
func (r *recalling) ask() func(*Model) tea.Cmd {
	if r.waits || r.asked == r.query() {
		return nil
	}
	return r.resume()
}

// takeRecalled shows an answer if it is to the last question, and asks what was
// typed meanwhile.
func (m *Model) takeRecalled(msg RecalledMsg) tea.Cmd {
	r, ok := m.over.(*recalling)
	if !ok || !r.waits || r.from != msg.From || r.asked != msg.Query {
		return nil
	}
	r.take(msg, m.now)
	m.touch()
	if do := r.ask(); do != nil {
		return do(m)
	}
	return nil
}

// take replaces the list: another question begins at its top, the same one again
// keeps the choice.
func (r *recalling) take(msg RecalledMsg, now time.Time) {
	was := ""
	if r.known && r.got.Query == msg.Query && r.at < len(r.got.Found) {
		was = r.got.Found[r.at].ID
	}
	if r.got.Query != msg.Query {
		r.at = 0
	}
	r.got, r.known, r.waits, r.now = msg, true, false, now
	for i, n := range msg.Found {
		if n.ID == was {
			r.at = i
		}
	}
	r.choose(r.at)
}

func (r *recalling) choose(i int) { r.at = max(0, min(i, len(r.got.Found)-1)) }

// State closes the box with the pane that it looks from.
func (r *recalling) State(s State) overlay {
	if r.gone(s) {
		return nil
	}
	return r
}

// Update types, moves the choice, opens it, or turns to the project's page.
func (r *recalling) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch k := msg.key; {
		case cancelKeys.has(k):
			return nil, nil
		case acceptKeys.has(k):
			return r.open()
		case tabKeys.has(k):
			p := &projectBox{reader: r.reader, search: r, now: r.now}
			return p, p.resume()
		case r.move(k):
			return r, nil
		}
	case clickMsg:
		return r.click(msg)
	}
	r.input.take(msg)
	return r, r.ask()
}

// open opens the chosen note.
func (r *recalling) open() (overlay, func(*Model) tea.Cmd) {
	if r.at >= len(r.got.Found) {
		return r, nil
	}
	return openNote(r.reader, r.got.Found[r.at].ID, r, r.now)
}

// move moves the choice and reports whether the key was for that.
func (r *recalling) move(k keys.Key) bool {
	switch {
	case upKeys.has(k):
		r.choose(r.at - 1)
	case downKeys.has(k):
		r.choose(r.at + 1)
	case pageUpKeys.has(k):
		r.choose(r.at - max(r.fits, 1))
	case pageDownKeys.has(k):
		r.choose(r.at + max(r.fits, 1))
	default:
		return false
	}
	return true
}

// click opens the note under the mouse; the wheel moves the choice.
func (r *recalling) click(msg clickMsg) (overlay, func(*Model) tea.Cmd) {
	box, mo := memoryRect(msg.area), msg.mouse
	switch {
	case outside(msg, box):
		return nil, nil
	case mo.Button == keys.WheelUp:
		r.choose(r.at - 1)
	case mo.Button == keys.WheelDown:
		r.choose(r.at + 1)
	case pressed(mo) && r.height > 0:
		y := mo.Y - box.Y - 2
		if i := r.top + y/r.height; y >= 0 && y < r.fits*r.height && i < len(r.got.Found) {
			r.at = i
			return r.open()
		}
	}
	return r, nil
}

// Draw draws what is typed, and the notes that fit around the chosen one.
func (r *recalling) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(memoryRect(area), "memory")
	x, w := in.X+1, in.W-2
	if w > 50 {
		w = p.right(x, in.Y, w, p.th.fit(r.tally(), 30), lookFaint) - 1
	}
	n := p.text(x, in.Y, w, "search ", lookFaint)
	cursor := r.input.draw(p, x+n, in.Y, w-n)
	r.height = 1
	if in.H >= 8 {
		r.height = 2
	}
	r.fits = max((in.H-2)/r.height, 0)
	r.top = max(min(r.top, r.at, len(r.got.Found)-r.fits), r.at-r.fits+1, 0)
	for i := range r.fits {
		if j := r.top + i; j < len(r.got.Found) {
			r.drawOne(p, layout.Rect{X: in.X, Y: in.Y + 1 + i*r.height, W: in.W, H: r.height}, j)
		}
	}
	if text, l := r.empty(); text != "" && in.H > 2 {
		p.paragraph(layout.Rect{X: in.X + 1, Y: in.Y + 1, W: in.W - 2, H: in.H - 2}, text, l)
	}
	if below := len(r.got.Found) - r.top - r.fits; below > 0 {
		p.right(in.X, in.Y+in.H, in.W-1, " "+plural(below, "more note")+" below ", lookKey)
	}
	hints := [][2]string{{"Tab", "project"}, {"Esc", "close"}}
	if len(r.got.Found) > 0 {
		hints = append([][2]string{{"Enter", "open"}}, hints...)
	}
	p.hints(layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1}, hints)
	return cursor
}

// tally says what the list is.
func (r *recalling) tally() string {
	switch g := r.got; {
	case !r.known:
		return "looking"
	case g.Query != "":
		return plural(g.Searched, "note") + " searched"
	case len(g.Found) > 0:
		return "the newest of " + clean(g.Project)
	}
	return ""
}

// empty is what stands there instead of notes.
func (r *recalling) empty() (string, look) {
	switch g := r.got; {
	case g.Problem != "":
		return clean(g.Problem), lookError
	case !r.known || len(g.Found) > 0:
		return "", lookPlain
	case g.Query != "":
		return "nothing is remembered about that", lookFaint
	}
	return "nothing is remembered here yet; type to search other projects", lookFaint
}

// drawOne draws a note in columns of fixed width, so that a list that follows what
// is typed does not flicker; below, where there is room, the words found.
func (r *recalling) drawOne(p pen, at layout.Rect, i int) {
	n := r.got.Found[i]
	x, w := at.X+1, at.W-2
	word, l := n.standing()
	switch old := noteAge(n.Updated, r.now); {
	case w >= 60:
		p.right(x, at.Y, w, word, l)
		p.right(x, at.Y, w-12, old, lookFaint)
		p.right(x, at.Y, w-17, p.th.fit(clean(n.Project), 12), lookFaint)
		p.text(x, at.Y, 10, p.th.fit(clean(n.Kind), 9), lookRunning)
		x, w = at.X+11, w-40
	case w >= 30:
		w = p.right(x, at.Y, w, joinedBy(" ", old, word), l) - 1
	case n.doubtful():
		w = p.right(x, at.Y, w, word, l) - 1
	}
	below := layout.Rect{X: at.X + 3, Y: at.Y + 1, W: at.W - 4, H: at.H - 1}
	if n.Title != "" {
		p.text(x, at.Y, w, p.th.fit(clean(n.Title), w), lookBold)
		p.snippet(below, n.Snippet, n.Marks)
	} else { // the text stands for the title, and need not stand there twice
		p.snippet(layout.Rect{X: x, Y: at.Y, W: w, H: 1}, n.Snippet, n.Marks)
		if below.H > 0 {
			p.text(below.X, below.Y, below.W, p.th.fit(n.about(), below.W), lookFaint)
		}
	}
	if i == r.at {
		for y := at.Y; y < at.Y+at.H; y++ {
			p.th.mark(markSelection, p.c.Row(y)[at.X:at.X+at.W])
		}
	}
}

// snippet draws a part of a text with what was found in it marked; the first of
// that is in view.
func (p pen) snippet(r layout.Rect, s string, marks [][2]int) {
	if r.H < 1 || r.W < 1 {
		return
	}
	x, y, w := r.X, r.Y, r.W
	at, end := 0, x+w
	if len(marks) > 0 && inside(marks[0], 0, s) && displaywidth.String(s[:marks[0][1]]) > w {
		for at = marks[0][0]; at > 0 && displaywidth.String(s[at:marks[0][0]]) < w/3; {
			_, n := utf8.DecodeLastRuneInString(s[:at])
			at -= n
		}
		x += p.text(x, y, end-x, p.th.glyphs.cut, lookFaint)
	}
	cut := displaywidth.String(clean(s[at:])) > end-x
	if cut {
		end--
	}
	for _, m := range marks {
		if !inside(m, at, s) {
			continue
		}
		x += p.text(x, y, end-x, clean(s[at:m[0]]), lookPlain)
		n := p.text(x, y, end-x, clean(s[m[0]:m[1]]), lookPlain)
		p.th.mark(markHit, p.c.Row(y)[x:x+n])
		x, at = x+n, m[1]
	}
	x += p.text(x, y, end-x, clean(s[at:]), lookPlain)
	if cut {
		p.text(x, y, 1, p.th.glyphs.cut, lookFaint)
	}
}

// inside reports whether a range is one of s from an offset on.
func inside(m [2]int, from int, s string) bool { return from <= m[0] && m[0] <= m[1] && m[1] <= len(s) }

// Dims is true: the box has the keyboard.
func (r *recalling) Dims() bool { return true }

// memoryEntries tells the help the keys of the memory's pages.
func memoryEntries() []entry {
	const g = "the memory"
	return []entry{
		{keys: "Tab", help: "from the search to the project's page, and back", group: g},
		{keys: "Enter", help: "open a note", group: g},
		{keys: "i", help: "give the open note to the pane's agent: it is typed, not sent", group: g},
		{keys: "v s x", help: "the note holds, is out of date, is wrong", group: g},
	}
}
