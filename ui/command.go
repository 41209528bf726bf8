package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// How long things take. Only commands know: the rest of the package has no
// clock and learns from the messages that a moment is over.
const (
	whichKeyAfter = 400 * time.Millisecond
	repeatFor     = 600 * time.Millisecond
	noticeFor     = 4 * time.Second
	errorFor      = 8 * time.Second
	numbersFor    = 2 * time.Second
	clickFor      = 350 * time.Millisecond
	edgeEvery     = 50 * time.Millisecond
)

// The messages of timers. Each carries the turn it was started in, and means
// nothing in a later one.
type (
	whichKeyMsg     struct{ turn int }
	repeatEndedMsg  struct{ turn int }
	noticeEndedMsg  struct{ turn int }
	numbersEndedMsg struct{ turn int }
	clickEndedMsg   struct{ turn int }
	edgeMsg         struct{ turn int }
)

// whichKeyCmd waits before the list of keys, which would only be in the way of
// whoever knows the key.
func whichKeyCmd(turn int) tea.Cmd {
	return tea.Tick(whichKeyAfter, func(time.Time) tea.Msg { return whichKeyMsg{turn} })
}

// repeatCmd ends the moment in which a key works without the prefix.
func repeatCmd(turn int) tea.Cmd {
	return tea.Tick(repeatFor, func(time.Time) tea.Msg { return repeatEndedMsg{turn} })
}

// noticeCmd leaves more time to read what went wrong.
func noticeCmd(turn int, bad bool) tea.Cmd {
	d := noticeFor
	if bad {
		d = errorFor
	}
	return tea.Tick(d, func(time.Time) tea.Msg { return noticeEndedMsg{turn} })
}

// numbersCmd takes the panes' numbers away.
func numbersCmd(turn int) tea.Cmd {
	return tea.Tick(numbersFor, func(time.Time) tea.Msg { return numbersEndedMsg{turn} })
}

// clickCmd ends the time in which another click at the same place counts on.
func clickCmd(turn int) tea.Cmd {
	return tea.Tick(clickFor, func(time.Time) tea.Msg { return clickEndedMsg{turn} })
}

// edgeCmd scrolls on while the mouse selects beyond the edge of a pane, where
// it sends nothing more while it is held still.
func edgeCmd(turn int) tea.Cmd {
	return tea.Tick(edgeEvery, func(time.Time) tea.Msg { return edgeMsg{turn} })
}
