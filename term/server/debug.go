package server

import (
	"io"

	"deck/term"
)

// DebugOptions are the flags of "deck debug screen".
type DebugOptions = term.ReplayOptions

// DebugScreen runs a program's bytes through the emulator and prints the screen
// they make. It needs no server: it is here because the command line reaches
// the emulator through this package only.
func DebugScreen(in io.Reader, out io.Writer, o DebugOptions) error { return term.Replay(in, out, o) }
