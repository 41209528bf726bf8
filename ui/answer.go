package ui

import (
	"strconv"
	"strings"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// answering shows what an agent asks, whole, and takes the answer. It is about
// one request: when the agent asks something else nothing can be answered until
// the person has looked at that.
type answering struct {
	pane    layout.PaneID
	nick    string
	asked   Asked
	known   bool   // it has come
	problem string // why it cannot be shown
	changed bool   // the agent asks something else
	at      int    // the chosen option, -1 for none
	top     int    // the first row in view
	fits    int    // how many rows were drawn
	rows    []askedRow
	width   int // that rows are made for
}

// askedRow is a row of the request as it is drawn.
type askedRow struct {
	text string
	look look
}

// answerNeedy opens the request of the focused pane, or of who waits longest.
func answerNeedy(m *Model) tea.Cmd {
	if p, ok := m.focused(); ok && needsInput(p) {
		return m.openAnswer(p)
	}
	for _, w := range m.waitingList() {
		if needsInput(w.pane) && w.snoozed.IsZero() {
			return m.openAnswer(w.pane)
		}
	}
	return m.notify("nobody asks anything", false)
}

func needsInput(p Pane) bool { return p.Agent != "" && p.Status.State == lifecycle.NeedsInput }

// openAnswer opens the request of a pane, which the host fills in.
func (m *Model) openAnswer(p Pane) tea.Cmd {
	m.open(&answering{pane: p.ID, nick: p.Nick, at: -1})
	m.host.Do(Ask{Pane: p.ID})
	return nil
}

// takeAsked fills in the request that is open.
func (m *Model) takeAsked(msg AskedMsg) {
	a, ok := m.over.(*answering)
	if !ok || a.pane != msg.Pane || a.known && !a.changed {
		return
	}
	a.asked, a.problem, a.known, a.changed = msg.Asked, msg.Problem, true, false
	a.at, a.top, a.rows, a.width = -1, 0, nil, 0
	m.over = a.State(m.state)
	m.touch()
}

// State closes the box when the agent asks nothing any more, and says so when
// it asks something else.
func (a *answering) State(s State) overlay {
	for _, p := range s.All() {
		if p.ID != a.pane {
			continue
		}
		if !needsInput(p) {
			return nil
		}
		if a.known && a.problem == "" && p.Status.Request.ID != a.asked.Matter {
			a.changed = true
		}
		return a
	}
	return nil
}

// Update scrolls, chooses and answers.
func (a *answering) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		return a.key(msg.key)
	case clickMsg:
		switch mo := msg.mouse; {
		case outside(msg, a.rect(msg.area)):
			return nil, nil
		case mo.Button == keys.WheelUp:
			a.scroll(-3)
		case mo.Button == keys.WheelDown:
			a.scroll(3)
		}
	}
	return a, nil
}

func (a *answering) key(k keys.Key) (overlay, func(*Model) tea.Cmd) {
	r := letter(k)
	switch {
	case cancelKeys.has(k) || r == 'q':
		return nil, nil
	case r == 'g':
		id := a.pane
		return nil, func(m *Model) tea.Cmd { m.show(id); return nil }
	case pageUpKeys.has(k):
		a.scroll(1 - a.fits)
	case pageDownKeys.has(k) || r == ' ':
		a.scroll(a.fits - 1)
	case a.changed:
		if acceptKeys.has(k) {
			id := a.pane
			return a, func(m *Model) tea.Cmd { m.host.Do(Ask{Pane: id}); return nil }
		}
	case upKeys.has(k) || r == 'k':
		a.at = max(a.at-1, 0)
	case downKeys.has(k) || r == 'j':
		a.at = min(a.at+1, len(a.asked.Options)-1)
	case acceptKeys.has(k):
		return a.take(a.at + 1)
	case r == 'y':
		return a.take(a.asked.Yes)
	case r == 'n':
		return a.take(a.asked.No)
	case r >= '1' && r <= '9':
		return a.take(int(r - '0'))
	}
	return a, nil
}

// take answers with an option, counted from 1; one that is not there leaves the
// box open.
func (a *answering) take(option int) (overlay, func(*Model) tea.Cmd) {
	if option < 1 || option > len(a.asked.Options) {
		return a, nil
	}
	answer := Answer{Pane: a.pane, Request: a.asked.ID, Option: option}
	said := a.nick + ": " + clean(a.asked.Options[option-1].Text)
	return nil, writing(func(m *Model) tea.Cmd {
		m.host.Do(answer)
		return m.notify(said, false)
	})
}

func (a *answering) scroll(n int) { a.top = max(0, min(a.top+n, len(a.rows)-a.fits)) }

// rect takes most of the screen: what is decided on should be seen.
func (a *answering) rect(area layout.Rect) layout.Rect {
	w := min(100, max(area.W-4, 18))
	a.lay(w - 4)
	return centred(area, w, min(len(a.rows)+a.optionRows()+4, max(area.H-2, 5)))
}

// optionRows is how many rows the options take; their notes have no room.
func (a *answering) optionRows() int { return max(len(a.asked.Options), 1) }

// lay makes the rows of the request for a width: what the agent's hook told of
// it, else the dialog as it is drawn. Long rows go on in the next one.
func (a *answering) lay(w int) {
	if a.width == w && a.rows != nil || w < 1 {
		return
	}
	a.width, a.rows = w, []askedRow{}
	q := a.asked
	for i, e := range q.Edits {
		if i > 0 {
			a.add("", lookPlain)
		}
		a.add(e.Path, lookBold)
		for _, row := range e.Diff {
			a.add(row, diffLooks[row[:min(len(row), 1)]])
		}
	}
	switch {
	case q.Text != "":
		a.addAll(strings.Split(q.Text, "\n"))
	case len(q.Edits) == 0:
		a.addAll(q.Rows)
	}
}

// diffLooks are the looks of a diff's rows, by what they begin with.
var diffLooks = map[string]look{"+": lookWorking, "-": lookDead, "@": lookFaint}

func (a *answering) addAll(rows []string) {
	for _, row := range rows {
		a.add(row, lookPlain)
	}
}

// add adds a row, and as many more as it needs.
func (a *answering) add(text string, l look) {
	for _, row := range cutRows(clean(text), a.width) {
		a.rows = append(a.rows, askedRow{row, l})
	}
}

// cutRows cuts a text into rows of at most w columns, none where not one character
// fits.
func cutRows(text string, w int) (rows []string) {
	for {
		first := displaywidth.TruncateString(text, w, "")
		if first == "" && text != "" {
			return rows
		}
		rows = append(rows, first)
		if text = text[len(first):]; text == "" {
			return rows
		}
	}
}

// Draw draws who asks for what, the request, the options and the keys.
func (a *answering) Draw(p pen, area layout.Rect) screen.Cursor {
	r := a.rect(area)
	in := p.box(r, a.title())
	foot := layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1}
	switch {
	case !a.known:
		p.text(in.X+1, in.Y, in.W-2, p.th.fit("looking at what it asks", in.W-2), lookFaint)
	case a.problem != "":
		p.text(in.X+1, in.Y, in.W-2, p.th.fit(clean(a.problem), in.W-2), lookError)
	case a.changed:
		p.text(in.X+1, in.Y, in.W-2, p.th.fit("the request has changed: nothing was pressed", in.W-2), lookError)
	default:
		a.drawAsked(p, in)
	}
	p.hints(foot, a.hints())
	return screen.Cursor{}
}

// title names who asks, and for which tool.
func (a *answering) title() string {
	return a.nick + joinedBy(": ", " asks", clean(a.asked.Tool))
}

// drawAsked draws the request above the options, which always have their place.
func (a *answering) drawAsked(p pen, in layout.Rect) {
	room := in.H - 1
	options := min(a.optionRows(), max(room-2, 1))
	a.fits = max(room-options-1, 0)
	a.scroll(0)
	for i := range min(a.fits, len(a.rows)-a.top) {
		row := a.rows[a.top+i]
		p.text(in.X+1, in.Y+i, in.W-2, row.text, row.look)
	}
	y := in.Y + a.fits
	if a.fits > 0 {
		p.text(in.X, y, in.W, strings.Repeat(p.th.glyphs.light.horizontal, in.W), lookLine)
		if below := len(a.rows) - a.top - a.fits; below > 0 {
			p.right(in.X, y, in.W-1, " "+plural(below, "more row")+" below ", lookKey)
		}
		if a.top > 0 {
			p.right(in.X, in.Y-1, in.W-1, " "+plural(a.top, "row")+" above ", lookKey)
		}
		y++
	}
	if len(a.asked.Options) == 0 {
		p.text(in.X+1, y, in.W-2, p.th.fit("its options cannot be told from here: g goes there", in.W-2), lookFaint)
	}
	first := max(0, a.at-options+1)
	for i := range options {
		if j := first + i; j < len(a.asked.Options) {
			a.drawOption(p, layout.Rect{X: in.X, Y: y + i, W: in.W, H: 1}, j)
		}
	}
}

// drawOption draws an option with the key that takes it.
func (a *answering) drawOption(p pen, r layout.Rect, i int) {
	o, x, end := a.asked.Options[i], r.X+1, r.X+r.W-1
	name := " "
	switch i + 1 {
	case a.asked.Yes:
		name = "y"
	case a.asked.No:
		name = "n"
	}
	number := " "
	if i < 9 {
		number = strconv.Itoa(i + 1)
	}
	x += p.text(x, r.Y, end-x, name+" "+number+"  ", lookKey)
	x += p.text(x, r.Y, end-x, p.th.fit(clean(o.Text), end-x), lookPlain)
	if o.Note != "" && end-x > 8 {
		p.text(x+2, r.Y, end-x-2, p.th.fit(clean(o.Note), end-x-2), lookFaint)
	}
	if i == a.at {
		p.th.mark(markSelection, p.c.Row(r.Y)[r.X:r.X+r.W])
	}
}

// hints are the keys that do something now.
func (a *answering) hints() [][2]string {
	list := [][2]string{}
	switch {
	case !a.known || a.problem != "":
	case a.changed:
		list = append(list, [2]string{"Enter", "look at the new one"})
	default:
		if n := min(len(a.asked.Options), 9); n > 0 {
			names := "1-" + strconv.Itoa(n)
			if a.asked.Yes > 0 || a.asked.No > 0 {
				names = "y n " + names
			}
			list = append(list, [2]string{names, "answer"})
		}
		if len(a.rows) > a.fits {
			list = append(list, [2]string{"PgDn", "more"})
		}
	}
	return append(list, [2]string{"g", "go there"}, [2]string{"Esc", "close"})
}

// Dims is true: the box has the keyboard.
func (a *answering) Dims() bool { return true }

// answerEntries tells the help the keys of the box.
func answerEntries() []entry {
	const g = "answering an agent"
	return []entry{
		{keys: "y n", help: "the option that agrees, the one that refuses", group: g},
		{keys: "1-9", help: "an option by its number", group: g},
		{keys: "PageDown", help: "more of the request", group: g},
		{keys: "g", help: "go to the agent instead", group: g},
	}
}
