package server

import "deck/ui"

// KeyTable returns the keys of the screen and what they do, for the help of
// the command line.
func KeyTable() []ui.KeyLine { return ui.KeyLines() }
