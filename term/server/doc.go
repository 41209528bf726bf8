// Package server is the process that owns every pane and outlives every
// client. One goroutine, the loop, owns sessions, tabs and panes; everything
// reaches it as a message and it never waits. They have no lock; an emulator
// has one, and the queues between goroutines small ones of their own. Each attached client has a goroutine of its own, which draws that
// client's screen and costs nobody else anything when its terminal stalls.
package server
