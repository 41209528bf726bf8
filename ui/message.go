package ui

import (
	"time"

	"deck/term/keys"
	"deck/term/layout"
)

// The messages a client's loop gives to Update.
type (
	// SizeMsg says how big the client's terminal is, in cells.
	SizeMsg struct{ W, H int }
	// StateMsg says that the server's state changed.
	StateMsg struct{ State State }
	// TokenMsg is a piece of what the client's terminal sent. Replies of the
	// terminal are not among them.
	TokenMsg struct{ Token keys.Token }
	// RowsMsg says that panes on the screen have something new to draw.
	RowsMsg struct{}
	// FocusMsg asks this client to show and focus a pane: after a split it
	// asked for, or because a command said so.
	FocusMsg struct{ Pane layout.PaneID }
	// NoticeMsg is a sentence for the person: an error, or an answer.
	NoticeMsg struct {
		Text  string
		Error bool
	}
	// AlertMsg says that an agent just came to need a person: once for each time
	// it does.
	AlertMsg struct{ Pane Pane }
	// ClockMsg says what time it is, for ages. Client tells its model: with every
	// StateMsg, and as often as an age that is shown becomes another.
	ClockMsg struct{ Now time.Time }
	// SettingsMsg replaces the settings after the configuration was read again.
	SettingsMsg struct{ Settings Settings }
)

// Settings is what a person can choose about a client's screen.
type Settings struct {
	Prefix   string            // the prefix key, as in "C-a"
	Keys     map[string]string // key after the prefix → name of an action
	ReadOnly bool              // no token reaches a pane
	NoColor  bool
	ASCII    bool // the terminal's locale has no UTF-8: no line drawing, no glyphs
	Alerts   Alerts
}
