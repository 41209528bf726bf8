package ui

import (
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// restart is for ended panes only: nothing here may end a program unasked. An
// agent can go on with its session or begin anew; what ended again and again is
// asked about first.
func restart(m *Model) tea.Cmd {
	return m.withPane(func(p Pane) tea.Cmd {
		switch {
		case !p.Ended:
			return m.notify(p.Nick+" is still running", true)
		case p.Resumes:
			m.open(&resuming{pane: p})
		case p.Loops != "":
			m.open(newConfirm("start "+p.Nick+" once more?", "it "+clean(p.Loops), request(Restart{Pane: p.ID, Force: true})))
		default:
			m.host.Do(Restart{Pane: p.ID})
		}
		return nil
	})
}

// resuming asks whether an agent goes on with its session.
type resuming struct{ pane Pane }

// Update waits for the answer.
func (r *resuming) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		again := Restart{Pane: r.pane.ID, Force: r.pane.Loops != ""}
		switch l := letter(msg.key); {
		case acceptKeys.has(msg.key) || l == 'y':
			return nil, request(again)
		case l == 'f':
			again.Fresh = true
			return nil, request(again)
		case cancelKeys.has(msg.key) || l == 'n' || l == 'q':
			return nil, nil
		}
	case clickMsg:
		if outside(msg, r.rect(msg.area)) {
			return nil, nil
		}
	}
	return r, nil
}

func (r *resuming) title() string { return "start " + r.pane.Nick + " again?" }

func (r *resuming) detail() string {
	if r.pane.Loops != "" {
		return "it " + clean(r.pane.Loops)
	}
	return clean(agentName(r.pane)) + " has a session to go on with"
}

func (r *resuming) rect(area layout.Rect) layout.Rect {
	return centred(area, max(displaywidth.String(r.title())+8, displaywidth.String(r.detail())+4, 42), 4)
}

// Draw draws the question, and the keys.
func (r *resuming) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(r.rect(area), r.title())
	if in.H > 1 {
		p.text(in.X+1, in.Y, in.W-2, p.th.fit(r.detail(), in.W-2), lookPlain)
	}
	p.hints(layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1},
		[][2]string{{"Enter", "go on"}, {"f", "begin anew"}, {"Esc", "no"}})
	return screen.Cursor{}
}

// Dims is true: the box has the keyboard.
func (r *resuming) Dims() bool { return true }
