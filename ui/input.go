package ui

import (
	"deck/term/keys"
	"deck/term/screen"
	"deck/ui/paint"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// input is one line of text being typed.
type input struct{ text textinput.Model }

// newInput returns an input with the cursor behind value.
func newInput(value string) input {
	t := textinput.New()
	t.Prompt = ""
	t.CharLimit = 200
	t.SetVirtualCursor(false)
	t.SetStyles(textinput.Styles{})
	// The component's own paste would read the clipboard of the machine that
	// the server runs on.
	t.KeyMap.Paste = key.NewBinding()
	t.SetValue(value)
	t.CursorEnd()
	t.Focus()
	return input{t}
}

// value is the text as typed so far.
func (i *input) value() string { return i.text.Value() }

// key and paste type into the input. The component's commands are for a
// cursor and a clipboard that it does not have here.
func (i *input) key(k keys.Key) { i.text, _ = i.text.Update(teaKey(k)) }
func (i *input) paste(s string) { i.text, _ = i.text.Update(tea.PasteMsg{Content: clean(s)}) }

// take types what a message brings, if anything.
func (i *input) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case keyMsg:
		i.key(msg.key)
	case pasteMsg:
		i.paste(msg.text)
	}
}

// draw draws the input w columns wide and returns the cursor.
func (i *input) draw(p pen, x, y, w int) screen.Cursor {
	if w < 1 {
		return screen.Cursor{}
	}
	i.text.SetWidth(w - 1)
	paint.DrawText(p.c, x, y, w, i.text.View())
	at := x
	if c := i.text.Cursor(); c != nil {
		at += min(c.X, w-1)
	}
	return screen.Cursor{X: at, Y: y, Visible: true}
}
