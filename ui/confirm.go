package ui

import (
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// confirm asks before something that cannot be undone.
type confirm struct {
	question, detail string
	yes              func(*Model) tea.Cmd
}

// newConfirm returns a question; detail says what a yes brings about.
func newConfirm(question, detail string, yes func(*Model) tea.Cmd) overlay {
	return &confirm{question: clean(question), detail: detail, yes: yes}
}

// Update waits for y; what else could be meant as an answer is a no.
func (c *confirm) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch r := letter(msg.key); {
		case r == 'y' || r == 'Y':
			return nil, c.yes
		case r == 'n' || r == 'N' || r == 'q', cancelKeys.has(msg.key), acceptKeys.has(msg.key):
			return nil, nil
		}
	case clickMsg:
		if outside(msg, c.rect(msg.area)) {
			return nil, nil
		}
	}
	return c, nil
}

// rect fits the texts, which a small screen cuts.
func (c *confirm) rect(area layout.Rect) layout.Rect {
	w := max(displaywidth.String(c.question)+8, displaywidth.String(c.detail)+4, 24)
	return centred(area, w, 4)
}

// Draw draws the question, what follows from a yes, and the keys.
func (c *confirm) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(c.rect(area), c.question)
	if in.H > 1 {
		p.text(in.X+1, in.Y, in.W-2, p.th.fit(c.detail, in.W-2), lookPlain)
	}
	x, y := in.X+1, in.Y+in.H-1
	for _, k := range [][2]string{{"y", " yes  "}, {"n", " no"}} {
		x += p.text(x, y, in.X+in.W-x, k[0], lookKey)
		x += p.text(x, y, in.X+in.W-x, k[1], lookPlain)
	}
	return screen.Cursor{}
}

// Dims is true: the box has the keyboard.
func (c *confirm) Dims() bool { return true }
