package ui

import (
	"strings"
	"time"

	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// projectBox shows what is known of the project of a pane's folder.
type projectBox struct {
	reader
	search  *recalling // that Tab goes back to; nil: to a new one
	page    ProjectPage
	known   bool
	problem string // why there is nothing to show
	sheet   sheet
	now     time.Time
}

// showProject opens the page.
func showProject(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		b := &projectBox{reader: readerIn(p), now: m.now}
		m.open(b)
		return b.resume()(m)
	})
}

// resume asks for the page once more.
func (b *projectBox) resume() func(*Model) tea.Cmd { return request(ReadProject{From: b.from}) }

// takeProject fills in the page that is open.
func (m *Model) takeProject(msg ProjectMsg) {
	if b, ok := m.over.(*projectBox); ok && b.from == msg.From {
		b.page, b.problem, b.known, b.now = msg.Page, msg.Problem, true, m.now
		b.sheet.width = 0
		m.touch()
	}
}

// State closes the box with the pane that it looks from.
func (b *projectBox) State(s State) overlay {
	if b.gone(s) {
		return nil
	}
	return b
}

// Update scrolls, opens a decision, or turns to the search.
func (b *projectBox) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch k := msg.key; {
		case cancelKeys.has(k) || letter(k) == 'q':
			return nil, nil
		case tabKeys.has(k):
			r := b.search
			if r == nil {
				r = newRecalling(b.reader, b.now)
			}
			return r, r.resume()
		case acceptKeys.has(k) && b.sheet.chosen() >= 0:
			return openNote(b.reader, b.sheet.at, b, b.now)
		default:
			b.sheet.key(k)
		}
	case clickMsg:
		return b.click(msg)
	}
	return b, nil
}

// click opens the decision under the mouse; the wheel scrolls.
func (b *projectBox) click(msg clickMsg) (overlay, func(*Model) tea.Cmd) {
	box, mo := memoryRect(msg.area), msg.mouse
	if outside(msg, box) {
		return nil, nil
	}
	b.sheet.wheel(mo)
	if y := mo.Y - box.Y - 1; pressed(mo) && y >= 0 && y < b.sheet.fits {
		if i := b.sheet.top + y; i < len(b.sheet.rows) && b.sheet.rows[i].note != "" {
			b.sheet.at = b.sheet.rows[i].note
			return openNote(b.reader, b.sheet.at, b, b.now)
		}
	}
	return b, nil
}

// lay makes the rows of the page.
func (b *projectBox) lay() {
	s, g := &b.sheet, b.page
	s.heading("task" + after(" on ", clean(g.Branch)))
	if g.Task == nil {
		s.write("none is recorded for this checkout", lookFaint)
	} else {
		b.layTask(*g.Task)
	}
	for _, t := range g.Tasks {
		s.rows = append(s.rows, sheetRow{text: clean(joinedBy(": ", t.Branch, t.Task)), right: noteAge(t.Updated, b.now), look: lookFaint})
	}
	s.heading("decisions")
	if len(g.Decisions) == 0 {
		s.write("none", lookFaint)
	}
	for _, n := range g.Decisions {
		text, l := n.head(), lookPlain
		if n.doubtful() || n.Status == statusVerified {
			word, _ := n.standing()
			text = word + ": " + text
		}
		s.rows = append(s.rows, sheetRow{text: text, right: noteAge(n.Updated, b.now), look: l, note: n.ID})
	}
	if len(g.Handoffs) > 0 {
		s.heading("handed over")
	}
	for _, h := range g.Handoffs {
		text, _, _ := strings.Cut(joinedBy(": ", h.Title, h.Text), "\n")
		s.rows = append(s.rows, sheetRow{text: clean(joinedBy(": ", h.From, text)), right: noteAge(h.Updated, b.now)})
	}
	if len(g.Related) > 0 {
		s.heading("other projects")
	}
	for _, other := range g.Related {
		s.write(other, lookPlain)
	}
	b.layEvents()
}

// layTask adds a task with where it stands.
func (b *projectBox) layTask(t Task) {
	s := &b.sheet
	s.write(t.Task, lookBold)
	s.label("status", t.Status, lookPlain)
	s.label("step", t.Step, lookPlain)
	s.label("next", t.Next, lookPlain)
	s.label("tests", t.Tests, lookPlain)
	s.label("error", t.Error, lookBlocked)
	s.write(ago(t.Updated, b.now)+after(" by ", t.By), lookFaint)
}

func (b *projectBox) layEvents() {
	s := &b.sheet
	s.heading("recent events")
	if len(b.page.Events) == 0 {
		s.write("none", lookFaint)
	}
	for _, e := range b.page.Events {
		text, _, _ := strings.Cut(e.Text, "\n")
		s.rows = append(s.rows, sheetRow{text: clean(joinedBy(": ", joinedBy(" ", e.By, e.Kind), text)), right: noteAge(e.At, b.now)})
	}
}

// Draw draws the page.
func (b *projectBox) Draw(p pen, area layout.Rect) screen.Cursor {
	title := "project"
	if b.page.Name != "" {
		title += " " + clean(b.page.Name)
	}
	in := p.box(memoryRect(area), title)
	body := layout.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: in.H - 1}
	switch {
	case !b.known:
		p.text(body.X, body.Y, body.W, p.th.fit("looking", body.W), lookFaint)
	case b.problem != "":
		p.paragraph(body, b.problem, lookError)
	default:
		b.sheet.lay(body.W, b.lay)
		b.sheet.draw(p, body)
	}
	hints := [][2]string{{"Tab", "search"}, {"Esc", "close"}}
	if b.sheet.chosen() >= 0 {
		hints = append([][2]string{{"Enter", "open"}}, hints...)
	}
	p.hints(layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1}, hints)
	return screen.Cursor{}
}

// Dims is true: the box has the keyboard.
func (b *projectBox) Dims() bool { return true }
