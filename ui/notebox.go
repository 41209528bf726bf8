package ui

import (
	"cmp"
	"strings"
	"time"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// memoryPage is a page of the memory's box that another one goes back to.
type memoryPage interface {
	overlay
	// resume asks again for what the page shows.
	resume() func(*Model) tea.Cmd
}

// reader is who looks at the memory, and from where.
type reader struct {
	from layout.PaneID
	nick string // of the agent in from; empty: there is none
}

// noteBox shows a note in full, to judge it or to give it to an agent.
type noteBox struct {
	reader
	id      string
	back    memoryPage
	note    Note
	known   bool
	problem string // why it cannot be shown
	said    string // what came of the last key
	bad     bool   // that is a problem
	sheet   sheet
	now     time.Time
}

// openNote shows a note over a page.
func openNote(by reader, id string, back memoryPage, now time.Time) (overlay, func(*Model) tea.Cmd) {
	return &noteBox{reader: by, id: id, back: back, now: now}, request(ReadNote{From: by.from, ID: id})
}

// takeNote fills in the note that is open.
func (m *Model) takeNote(msg NoteMsg) {
	n, ok := m.over.(*noteBox)
	if !ok || n.id != msg.ID {
		return
	}
	m.touch()
	switch {
	case msg.Problem != "" && n.known:
		n.said, n.bad = msg.Problem, true
	case msg.Problem != "":
		n.problem = msg.Problem
	default:
		n.note, n.known, n.said, n.bad = msg.Note, true, msg.Said, false
		n.sheet.width = 0
	}
}

// takeInserted closes the note that was inserted.
func (m *Model) takeInserted(msg InsertedMsg) tea.Cmd {
	n, ok := m.over.(*noteBox)
	ok = ok && n.id == msg.ID
	switch {
	case msg.Problem != "" && !ok:
		return m.notify(msg.Problem, true)
	case msg.Problem != "":
		n.said, n.bad = msg.Problem, true
		m.touch()
		return nil
	case ok:
		m.over = nil
		m.touch()
	}
	return m.notify("typed into "+msg.Nick+"'s input line: nothing was sent", false)
}

// State closes the box with the pane that it looks from.
func (n *noteBox) State(s State) overlay {
	if n.gone(s) {
		return nil
	}
	return n
}

// gone reports whether the pane is no more.
func (r reader) gone(s State) bool {
	_, there := s.Pane(r.from)
	return !there
}

// Update scrolls, judges, inserts and goes back.
func (n *noteBox) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		return n.key(msg.key)
	case clickMsg:
		if outside(msg, memoryRect(msg.area)) {
			return nil, nil
		}
		n.sheet.wheel(msg.mouse)
	}
	return n, nil
}

func (n *noteBox) key(k keys.Key) (overlay, func(*Model) tea.Cmd) {
	n.said = ""
	r := letter(k)
	switch {
	case cancelKeys.has(k) || r == 'q':
		return n.back, n.back.resume()
	case n.sheet.key(k) || !n.known:
	case r == 'v':
		return n, n.judge(statusVerified)
	case r == 's':
		return n, n.judge(statusStale)
	case r == 'x':
		return n, n.judge(statusInvalidated)
	case r == 'i':
		return n, writing(request(InsertNote{At: n.from, ID: n.id}))
	}
	return n, nil
}

func (n *noteBox) judge(status string) func(*Model) tea.Cmd {
	return writing(request(JudgeNote{From: n.from, ID: n.id, Status: status}))
}

// memoryRect is the same for all pages, so that nothing jumps between them.
func memoryRect(area layout.Rect) layout.Rect {
	return centred(area, min(100, max(area.W-4, 18)), min(36, max(area.H-2, 5)))
}

// lay makes the rows of the note.
func (n *noteBox) lay() {
	s, q := &n.sheet, n.note
	word, l := q.standing()
	about := []string{word, clean(q.Project), noteAge(q.Updated, n.now)}
	if q.By != "" {
		about = append(about, "by "+clean(q.By))
	}
	s.write(strings.Join(about, "  "), l)
	if q.Title != "" {
		s.rows = append(s.rows, sheetRow{})
		s.write(q.Title, lookBold)
	}
	s.rows = append(s.rows, sheetRow{})
	if q.Text != "" {
		s.write(q.Text, lookPlain)
	}
	s.label("because", q.Reason, lookPlain)
	if len(q.Files) > 0 {
		s.heading("about")
	}
	for _, f := range q.Files {
		n.layFile(f)
	}
	s.rows = append(s.rows, sheetRow{})
	if !q.VerifiedAt.IsZero() {
		s.write("judged "+ago(q.VerifiedAt, n.now)+after(" at ", clean(q.VerifiedCommit[:min(len(q.VerifiedCommit), 7)])), lookFaint)
	}
	s.label("tags", strings.Join(q.Tags, ", "), lookFaint)
	s.label("branch", q.Branch, lookFaint)
	s.label("superseded by", q.SupersededBy, lookFaint)
	s.label("id", cmp.Or(q.Short, q.ID), lookFaint)
}

// layFile adds a place with how it stands.
func (n *noteBox) layFile(f NoteFile) {
	text, l := f.place(), lookPlain
	switch fresh := clean(f.Freshness); {
	case f.Now != "":
		text += "  " + fresh + ", now " + clean(f.Now)
	case fresh == "fresh" || fresh == "":
		text = joinedBy("  ", text, fresh)
	default:
		text, l = text+"  "+fresh, lookBlocked
	}
	n.sheet.write(text, l)
}

// Draw draws the note and what can be done with it.
func (n *noteBox) Draw(p pen, area layout.Rect) screen.Cursor {
	title := "note"
	if n.known {
		title = joinedBy("/", clean(n.note.Kind), clean(n.note.Type))
	}
	in := p.box(memoryRect(area), title)
	body := layout.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: in.H - 1}
	foot := layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1}
	switch {
	case n.problem != "":
		p.paragraph(body, n.problem, lookError)
	case !n.known:
		p.text(body.X, body.Y, body.W, p.th.fit("looking it up", body.W), lookFaint)
	default:
		n.sheet.lay(body.W, n.lay)
		n.sheet.draw(p, body)
	}
	if n.said == "" {
		p.hints(foot, n.hints())
		return screen.Cursor{}
	}
	l := lookKey
	if n.bad {
		l = lookError
	}
	p.text(foot.X, foot.Y, foot.W, p.th.fit(clean(n.said), foot.W), l)
	return screen.Cursor{}
}

// hints are the keys that do something now.
func (n *noteBox) hints() (list [][2]string) {
	if n.known {
		if n.nick != "" {
			list = append(list, [2]string{"i", "give " + n.nick})
		}
		list = append(list, [][2]string{{"v", "verify"}, {"s", "stale"}, {"x", "invalidate"}}...)
	}
	return append(list, [2]string{"Esc", "back"})
}

// Dims is true: the box has the keyboard.
func (n *noteBox) Dims() bool { return true }
