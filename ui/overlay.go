package ui

import (
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// overlay is a box in front of the panes that has the keyboard.
type overlay interface {
	// Update takes a keyMsg, a pasteMsg or a clickMsg. It returns what is open
	// after it, nil to close, and what is to be done then.
	Update(tea.Msg) (overlay, func(*Model) tea.Cmd)
	// Draw draws the box into its place in area and returns the cursor.
	Draw(p pen, area layout.Rect) screen.Cursor
	// Dims reports whether what is behind steps back.
	Dims() bool
}

// updater is an overlay that shows something of the state.
type updater interface{ State(State) overlay }

// What overlays and copy mode take.
type (
	keyMsg struct {
		key   keys.Key
		token keys.Token
	}
	pasteMsg struct{ text string }
	clickMsg struct {
		mouse keys.Mouse
		area  layout.Rect
	}
)

// open shows an overlay.
func (m *Model) open(o overlay) {
	m.over = o
	m.touch()
}

// tell gives a message to the open overlay.
func (m *Model) tell(msg tea.Msg) tea.Cmd {
	next, do := m.over.Update(msg)
	m.over = next
	m.touch()
	if do != nil {
		return do(m)
	}
	return nil
}
