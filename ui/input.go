package ui

import (
	"unicode/utf8"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
)

// input is one line of text being typed. The component edits; it is drawn
// here, because the component counts runes where a terminal counts columns.
type input struct {
	text  textinput.Model
	first int // the column of the text that is drawn first
}

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
	return input{text: t}
}

// value is the text as typed so far.
func (i *input) value() string { return i.text.Value() }

// key and paste type into the input. The component's commands are for a
// cursor and a clipboard that it does not have here.
func (i *input) key(k keys.Key) {
	before := i.text.Position()
	i.text, _ = i.text.Update(teaKey(k))
	if i.text.Position() != before {
		i.text.SetCursor(i.boundary(i.text.Position(), i.text.Position() > before))
	}
}

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

// boundary returns the place in runes at an end of the cluster that pos is in.
func (i *input) boundary(pos int, after bool) int {
	at := 0
	for g := displaywidth.StringGraphemes(i.value()); at < pos && g.Next(); {
		n := utf8.RuneCountInString(g.Value())
		if at+n > pos && !after {
			break
		}
		at += n
	}
	return at
}

// draw draws the input w columns wide and returns the cursor, which is kept in
// view.
func (i *input) draw(p pen, x, y, w int) screen.Cursor {
	if w < 1 {
		return screen.Cursor{}
	}
	text := i.value()
	at := displaywidth.String(string([]rune(text)[:i.text.Position()]))
	i.first = max(min(i.first, at), at-w+1)
	skipped := 0
	for g := displaywidth.StringGraphemes(text); skipped < i.first && g.Next(); {
		skipped += g.Width()
		text = text[len(g.Value()):]
	}
	gap := skipped - i.first // a wide character is left out where its half would be first
	p.fill(layout.Rect{X: x, Y: y, W: w, H: 1}, lookPlain)
	p.text(x+gap, y, w-gap, text, lookPlain)
	return screen.Cursor{X: x + at - i.first, Y: y, Visible: true}
}
