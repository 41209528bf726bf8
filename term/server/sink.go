package server

import (
	tea "charm.land/bubbletea/v2"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// sink is what the loop tells an attached client. No method waits: the client
// keeps the newest of each and wakes.
type sink interface {
	state(ui.State)
	focus(layout.PaneID)
	notice(text string, isError bool)
	settings(ui.Settings)
	exit(wire.Exit)
	// clipboard is what a pane on this client's screen put on the clipboard
	// (OSC 52): ui.Client.Copy. It is never read back.
	clipboard(text string)
	// bell says that a pane of the session rang: ui.Client.Ring.
	bell(layout.PaneID)
	// alert says that a pane's agent just came to need a person.
	alert(ui.Pane)
	// reply answers what the client's screen asked for; the newest answer of a
	// kind counts.
	reply(tea.Msg)
}
