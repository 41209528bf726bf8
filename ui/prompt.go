package ui

import (
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// prompt asks for a line of text.
type prompt struct {
	title string
	input input
	then  func(string) func(*Model) tea.Cmd
}

// newPrompt returns a question that then answers with what was typed.
func newPrompt(title, value string, then func(string) func(*Model) tea.Cmd) overlay {
	return &prompt{title: title, input: newInput(value), then: then}
}

// Update types; Enter answers, Escape does not.
func (p *prompt) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		if cancelKeys.has(msg.key) {
			return nil, nil
		}
		if acceptKeys.has(msg.key) {
			return nil, p.then(p.input.value())
		}
	case clickMsg:
		if outside(msg, p.rect(msg.area)) {
			return nil, nil
		}
	}
	p.input.take(msg)
	return p, nil
}

// rect is one line of input in a frame.
func (p *prompt) rect(area layout.Rect) layout.Rect { return centred(area, 50, 3) }

// Draw draws the box with the input in it.
func (p *prompt) Draw(pn pen, area layout.Rect) screen.Cursor {
	in := pn.box(p.rect(area), p.title)
	return p.input.draw(pn, in.X+1, in.Y, in.W-2)
}

// Dims is true: the box has the keyboard.
func (p *prompt) Dims() bool { return true }

// outside reports a press of a button beside a box, which closes it.
func outside(c clickMsg, r layout.Rect) bool {
	m := c.mouse
	return pressed(m) && !r.Contains(m.X, m.Y)
}
