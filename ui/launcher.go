package ui

import (
	"slices"
	"time"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// launcher is the list of agents that can be started from a pane.
type launcher struct {
	from  layout.PaneID
	list  []Launcher
	known bool // the list has come
	at    int
	top   int
	rows  int // that were drawn
	now   time.Time
}

// launch opens the list, which the host fills.
func launch(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		m.open(&launcher{from: p.ID, now: m.now})
		m.host.Do(ListAgents{From: p.ID})
		return nil
	})
}

// takeLaunchers fills the list that is open.
func (m *Model) takeLaunchers(msg LaunchersMsg) {
	if l, ok := m.over.(*launcher); ok && l.from == msg.From {
		l.list, l.known = msg.Agents, true
		m.touch()
	}
	if f, ok := m.over.(*form); ok && f.kind == formSpawn && f.from.ID == msg.From {
		f.offer(msg.Agents)
		m.touch()
	}
}

// Update moves the choice, and starts what is chosen where the key says.
func (l *launcher) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch r := letter(msg.key); {
		case cancelKeys.has(msg.key) || r == 'q':
			return nil, nil
		case upKeys.has(msg.key) || r == 'k':
			l.choose(l.at - 1)
		case downKeys.has(msg.key) || r == 'j':
			l.choose(l.at + 1)
		case acceptKeys.has(msg.key):
			return l.start("tab", false)
		case r == '|' || r == '%':
			return l.start("right", false)
		case r == '-' || r == '"':
			return l.start("down", false)
		case r == 'r' && l.resumes():
			return l.start("tab", true)
		}
	case clickMsg:
		return l.click(msg)
	}
	return l, nil
}

func (l *launcher) choose(i int) { l.at = max(0, min(i, len(l.list)-1)) }

// resumes reports whether the chosen agent has a session to go on with.
func (l *launcher) resumes() bool { return l.at < len(l.list) && !l.list[l.at].Last.IsZero() }

// start asks for the chosen agent.
func (l *launcher) start(place string, resume bool) (overlay, func(*Model) tea.Cmd) {
	if l.at >= len(l.list) {
		return l, nil
	}
	return nil, request(Launch{Agent: l.list[l.at].Name, At: l.from, Place: place, Resume: resume})
}

// click starts the agent under the mouse in a tab; the wheel moves the choice.
func (l *launcher) click(msg clickMsg) (overlay, func(*Model) tea.Cmd) {
	r, mo := l.rect(msg.area), msg.mouse
	switch {
	case outside(msg, r):
		return nil, nil
	case mo.Button == keys.WheelUp:
		l.choose(l.at - 1)
	case mo.Button == keys.WheelDown:
		l.choose(l.at + 1)
	case pressed(mo):
		if y := mo.Y - r.Y - 1; y >= 0 && y < l.rows && l.top+y < len(l.list) {
			l.at = l.top + y
			return l.start("tab", false)
		}
	}
	return l, nil
}

func (l *launcher) rect(area layout.Rect) layout.Rect {
	return centred(area, min(66, max(area.W-4, 18)), min(max(len(l.list), 1)+3, max(area.H-2, 5)))
}

// Draw draws a row for each agent, and what the keys do.
func (l *launcher) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(l.rect(area), "start an agent")
	l.rows = max(in.H-1, 0)
	l.top = max(min(l.top, l.at), l.at-l.rows+1, 0)
	switch {
	case !l.known:
		p.text(in.X+1, in.Y, in.W-2, p.th.fit("looking on your PATH", in.W-2), lookFaint)
	case len(l.list) == 0:
		p.text(in.X+1, in.Y, in.W-2, p.th.fit("none is on your PATH", in.W-2), lookFaint)
	}
	for i := range l.rows {
		if j := l.top + i; j < len(l.list) {
			l.drawRow(p, layout.Rect{X: in.X, Y: in.Y + i, W: in.W, H: 1}, l.list[j], j == l.at)
		}
	}
	p.hints(layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1}, l.hints())
	return screen.Cursor{}
}

func (l *launcher) drawRow(p pen, r layout.Rect, a Launcher, here bool) {
	x, w := r.X+1, r.W-2
	if !a.Last.IsZero() && w > 40 {
		w = p.right(x, r.Y, w, "session here, "+ago(a.Last, l.now), lookFaint) - 1
	}
	n := min(16, w)
	p.text(x, r.Y, n, p.th.fit(clean(a.Title), n-1), lookBold)
	p.text(x+n, r.Y, w-n, p.th.fit(clean(a.Name), w-n), lookFaint)
	if here {
		p.th.mark(markSelection, p.c.Row(r.Y)[r.X:r.X+r.W])
	}
}

// ago is an age as people say it.
func ago(since, now time.Time) string {
	if a := age(since, now); a != "now" && a != "" {
		return a + " ago"
	}
	return "just now"
}

// hints are the keys that do something now.
func (l *launcher) hints() [][2]string {
	list := [][2]string{{"Esc", "close"}}
	if len(l.list) > 0 {
		list = slices.Insert(list, 0, [][2]string{{"Enter", "in a tab"}, {"|", "beside"}, {"-", "below"}}...)
	}
	if l.resumes() {
		list = slices.Insert(list, 1, [2]string{"r", "go on"})
	}
	return list
}

// Dims is true: the box has the keyboard.
func (l *launcher) Dims() bool { return true }

// launcherEntries tells the help the keys of the list.
func launcherEntries() []entry {
	const g = "starting an agent"
	return []entry{
		{keys: "Enter", help: "in a tab of its own", group: g},
		{keys: "| -", help: "beside the pane or below it", group: g},
		{keys: "r", help: "in a tab, going on with its last session in this folder", group: g},
	}
}
