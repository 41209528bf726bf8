package ui

import (
	"strings"
	"time"

	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// tasksBox lists the tasks that agents were given.
type tasksBox struct {
	reader
	all     bool // those that are over, too
	list    []Given
	known   bool
	problem string // why there is nothing to show
	sheet   sheet
	now     time.Time
}

// listTasks opens the list, which the host fills.
func listTasks(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		b := &tasksBox{reader: readerIn(p), now: m.now}
		m.open(b)
		return b.ask()(m)
	})
}

func (b *tasksBox) ask() func(*Model) tea.Cmd { return request(ListTasks{From: b.from, All: b.all}) }

// takeTasks fills the list that is open.
func (m *Model) takeTasks(msg TasksMsg) {
	if b, ok := m.over.(*tasksBox); ok && b.from == msg.From && b.all == msg.All {
		b.list, b.problem, b.known, b.now = msg.Tasks, msg.Problem, true, m.now
		b.sheet.width = 0
		m.touch()
	}
}

// State closes the box with the pane that it looks from.
func (b *tasksBox) State(s State) overlay {
	if b.gone(s) {
		return nil
	}
	return b
}

// Update scrolls, chooses, and goes to the pane that has the chosen task.
func (b *tasksBox) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch k := msg.key; {
		case cancelKeys.has(k) || letter(k) == 'q':
			return nil, nil
		case letter(k) == 'a':
			b.all, b.known = !b.all, false
			return b, b.ask()
		case acceptKeys.has(k):
			return b.visit()
		default:
			b.sheet.key(k)
		}
	case clickMsg:
		if outside(msg, memoryRect(msg.area)) {
			return nil, nil
		}
		b.sheet.wheel(msg.mouse)
	}
	return b, nil
}

// visit goes to the pane of the chosen task, if it is there.
func (b *tasksBox) visit() (overlay, func(*Model) tea.Cmd) {
	for _, g := range b.list {
		if g.ID == b.sheet.at && b.sheet.chosen() >= 0 && g.Pane != "" {
			return nil, func(m *Model) tea.Cmd { return m.visit(g) }
		}
	}
	return b, nil
}

// visit shows the pane that was given a task.
func (m *Model) visit(g Given) tea.Cmd {
	for _, p := range m.state.All() {
		if p.ID == g.Pane {
			m.show(p.ID)
			return nil
		}
	}
	return m.notify(g.To+" is not here any more", true)
}

// taskLooks are those of the states of a task.
var taskLooks = map[string]look{"open": lookWorking, "done": lookDone, "failed": lookBlocked, "exited": lookDead}

// lay makes the rows of the list.
func (b *tasksBox) lay() {
	s := &b.sheet
	for i, g := range b.list {
		if i > 0 {
			s.rows = append(s.rows, sheetRow{})
		}
		l, ok := taskLooks[g.State]
		if !ok {
			l = lookPlain
		}
		head := clean(strings.Join([]string{g.State, g.From + ", for " + g.To, g.ID}, "  "))
		s.rows = append(s.rows, sheetRow{text: head, right: age(b.now.Add(-g.Age), b.now), look: l, note: g.ID})
		s.write(g.Task, lookPlain)
		s.label("result", g.Summary, lookFaint)
	}
}

// Draw draws the list and what the keys do.
func (b *tasksBox) Draw(p pen, area layout.Rect) screen.Cursor {
	title, none, other := "open tasks", "no agent has an open task", "those that are over, too"
	if b.all {
		title, none, other = "tasks", "no agent was given a task here", "open ones alone"
	}
	in := p.box(memoryRect(area), title)
	body := layout.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: in.H - 1}
	switch {
	case b.problem != "":
		p.text(body.X, body.Y, body.W, p.th.fit(clean(b.problem), body.W), lookError)
	case !b.known:
		p.text(body.X, body.Y, body.W, p.th.fit("looking them up", body.W), lookFaint)
	case len(b.list) == 0:
		p.text(body.X, body.Y, body.W, p.th.fit(none, body.W), lookFaint)
	default:
		b.sheet.lay(body.W, b.lay)
		b.sheet.draw(p, body)
	}
	hints := [][2]string{{"a", other}, {"Esc", "close"}}
	if len(b.list) > 0 {
		hints = append([][2]string{{"Enter", "go there"}}, hints...)
	}
	p.hints(layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1}, hints)
	return screen.Cursor{}
}

// Dims is true: the box has the keyboard.
func (b *tasksBox) Dims() bool { return true }
