package server

import (
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
}
