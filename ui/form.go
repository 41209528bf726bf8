package ui

import (
	"fmt"
	"slices"
	"strings"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// formKind is what a form asks for.
type formKind uint8

const (
	formTell    formKind = iota // something to say to an agent
	formHandOff                 // a task for an agent that runs
	formSpawn                   // a task for one that is started for it
)

// form asks for an agent and a text for it. It stays until what was asked for is
// done, so that no text is lost to an error.
type form struct {
	kind    formKind
	number  int // tells its answers from those of a form before
	from    Pane
	list    []choice
	agents  []string // names of those that can be started, as in list; of formSpawn
	known   bool     // list has come
	at, top int
	rows    int // that were drawn
	input   input
	sent    bool   // it is being done
	problem string // why it was not
}

// maxFormText is how much of a text can be typed, in characters.
const maxFormText = 8000

// teamActions is the part of the table about agents that work together.
func teamActions() []action {
	list := []action{
		{name: "tell", keys: []string{"t"}, help: "say something to an agent", writes: true, run: openForm(formTell)},
		{name: "hand-off", keys: []string{"g"}, help: "give an agent a task, or this one's work", writes: true, run: openForm(formHandOff)},
		{name: "spawn", keys: []string{"f"}, help: "start a sub-agent of this one with a task", writes: true, run: openForm(formSpawn)},
		{name: "tasks", keys: []string{"G"}, help: "list the tasks that agents were given", run: listTasks},
	}
	for i := range list {
		list[i].group = groupAgents
	}
	return list
}

// openForm opens a form for the focused pane.
func openForm(kind formKind) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		return m.withPane(func(p Pane) tea.Cmd {
			m.forms++
			f := &form{kind: kind, number: m.forms, from: p, input: newInput(""), known: kind != formSpawn}
			f.input.text.CharLimit = maxFormText
			f.State(m.state)
			if f.at = slices.IndexFunc(f.list, func(c choice) bool { return c.pane.ID == p.ID }); f.at < 0 {
				f.at = 0
			}
			m.open(f)
			if kind == formSpawn {
				m.host.Do(ListAgents{From: p.ID})
			}
			return nil
		})
	}
}

// State takes what agents there are, and closes with the pane that it is of.
func (f *form) State(s State) overlay {
	p, there := s.Pane(f.from.ID)
	if !there {
		return nil
	}
	f.from = p
	if f.kind == formSpawn {
		return f
	}
	var was layout.PaneID
	if f.at < len(f.list) {
		was = f.list[f.at].pane.ID
	}
	f.list = f.list[:0:0]
	for _, q := range s.All() {
		if q.Agent != "" && !q.Ended && (f.kind == formTell || q.ID != f.from.ID) {
			f.list = append(f.list, choice{pane: q, label: q.Project})
		}
	}
	f.choose(max(0, slices.IndexFunc(f.list, func(c choice) bool { return c.pane.ID == was })))
	return f
}

// offer takes which agents can be started; one of the pane's own kind is chosen.
func (f *form) offer(agents []Launcher) {
	f.known, f.list, f.agents, f.at = true, nil, nil, 0
	for i, a := range agents {
		f.list = append(f.list, choice{label: a.Title + "  " + a.Name})
		f.agents = append(f.agents, a.Name)
		if a.Name == f.from.Agent {
			f.at = i
		}
	}
}

func (f *form) choose(i int) { f.at = max(0, min(i, len(f.list)-1)) }

// takeSent closes the form that was carried out, and leaves one that was not.
func (m *Model) takeSent(msg SentMsg) tea.Cmd {
	f, ok := m.over.(*form)
	ok = ok && f.number == msg.Number
	switch {
	case msg.Problem != "" && ok:
		f.sent, f.problem = false, msg.Problem
		m.touch()
		return nil
	case ok:
		m.over = nil
		m.touch()
	}
	return m.notify(msg.Said+msg.Problem, msg.Problem != "")
}

// Update types, moves the choice and sends.
func (f *form) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch k := msg.key; {
		case cancelKeys.has(k):
			return nil, nil
		case upKeys.has(k):
			f.choose(f.at - 1)
		case downKeys.has(k):
			f.choose(f.at + 1)
		case f.sent:
		case acceptKeys.has(k):
			return f, f.send()
		default:
			f.problem = ""
			f.input.key(k)
		}
	case pasteMsg:
		if !f.sent {
			f.input.paste(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(msg.text))
		}
	case clickMsg:
		return f.click(msg)
	}
	return f, nil
}

// click chooses the agent under the mouse; the wheel moves the choice.
func (f *form) click(msg clickMsg) (overlay, func(*Model) tea.Cmd) {
	r, mo := f.rect(msg.area), msg.mouse
	switch {
	case outside(msg, r):
		return nil, nil
	case mo.Button == keys.WheelUp:
		f.choose(f.at - 1)
	case mo.Button == keys.WheelDown:
		f.choose(f.at + 1)
	case pressed(mo):
		if y := mo.Y - r.Y - 1; y >= 0 && y < f.rows && f.top+y < len(f.list) {
			f.at = f.top + y
		}
	}
	return f, nil
}

// send asks for what the form says, if that is whole.
func (f *form) send() func(*Model) tea.Cmd {
	text := strings.TrimSpace(f.input.value())
	switch {
	case f.at >= len(f.list):
		f.problem = f.nobody()
		return nil
	case text == "":
		f.problem = "nothing is typed yet"
		return nil
	}
	f.sent, f.problem = true, ""
	to := f.list[f.at].pane.ID
	switch f.kind {
	case formHandOff:
		return request(HandOff{Number: f.number, From: f.from.ID, To: to, Task: text})
	case formSpawn:
		return request(Spawn{Number: f.number, From: f.from.ID, Agent: f.agents[f.at], Task: text})
	}
	return request(Tell{Number: f.number, To: to, Text: text})
}

// nobody says why there is no agent to choose.
func (f *form) nobody() string {
	switch {
	case !f.known:
		return "looking on your PATH"
	case f.kind == formSpawn:
		return "no agent is on your PATH"
	case f.kind == formHandOff:
		return "there is no other agent"
	}
	return "there is no agent"
}

// title says what the form is for.
func (f *form) title() string {
	who := ""
	if f.from.Agent != "" && !f.from.Ended {
		who = clean(f.from.Nick)
	}
	switch {
	case f.kind == formTell:
		return "say to an agent"
	case f.kind == formHandOff && who != "":
		return "hand off " + who + "'s work"
	case f.kind == formHandOff:
		return "give a task"
	case who != "":
		return "start a sub-agent of " + who
	}
	return "start an agent with a task"
}

// rect has room for the agents, the text and what the keys do.
func (f *form) rect(area layout.Rect) layout.Rect {
	return centred(area, min(84, max(area.W-4, 18)), min(max(len(f.list), 1)+4, 16, max(area.H-2, 5)))
}

// Draw draws the agents, the text below them, and what the keys do.
func (f *form) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(f.rect(area), f.title())
	f.rows = max(in.H-2, 0)
	f.top = max(min(f.top, f.at), f.at-f.rows+1, 0)
	if len(f.list) == 0 && f.rows > 0 {
		p.text(in.X+1, in.Y, in.W-2, p.th.fit(f.nobody(), in.W-2), lookFaint)
	}
	for i := range f.rows {
		if j := f.top + i; j < len(f.list) {
			p.choice(layout.Rect{X: in.X, Y: in.Y + i, W: in.W, H: 1}, f.list[j], j == f.at)
		}
	}
	label := "task "
	if f.kind == formTell {
		label = "text "
	}
	y := in.Y + f.rows
	n := p.text(in.X+1, y, in.W-2, label, lookHeading)
	cursor := f.input.draw(p, in.X+1+n, y, in.W-2-n)
	foot := layout.Rect{X: in.X + 1, Y: y + 1, W: in.W - 2, H: 1}
	switch {
	case f.problem != "":
		p.text(foot.X, foot.Y, foot.W, p.th.fit(clean(f.problem), foot.W), lookError)
	case f.sent:
		p.text(foot.X, foot.Y, foot.W, p.th.fit("on its way", foot.W), lookFaint)
	default:
		p.hints(foot, [][2]string{{"Enter", f.verb()}, {"Up Down", "choose"}, {"Esc", "close"}})
	}
	return cursor
}

// verb is what Enter does.
func (f *form) verb() string {
	if f.at >= len(f.list) {
		return "send"
	}
	who := clean(f.list[f.at].pane.Nick)
	if f.kind == formSpawn {
		return "start " + f.agents[f.at]
	}
	return fmt.Sprintf("%s %s", map[formKind]string{formTell: "tell", formHandOff: "give it to"}[f.kind], who)
}

// Dims is true: the box has the keyboard.
func (f *form) Dims() bool { return true }

// formEntries tells the help the keys of forms and of the list of tasks.
func formEntries() []entry {
	const g = "saying, handing off, starting"
	return []entry{
		{keys: "Up Down", help: "choose the agent", group: g},
		{keys: "Enter", help: "send what is typed", group: g},
		{keys: "a", help: "in the list of tasks: those that are over, too, or not", group: g},
	}
}
