// Package server is the process that owns every pane and outlives every
// client. One goroutine, the loop, owns sessions, tabs and panes; everything
// reaches it as a message and it never waits. Only a pane's emulator has a
// lock. Each attached client has a goroutine of its own, which draws that
// client's screen and costs nobody else anything when its terminal stalls.
package server
