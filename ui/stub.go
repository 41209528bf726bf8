package ui

import (
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

type copyMode struct {
	pane    layout.PaneID
	passive bool
}

func (c *copyMode) up(screen.Frame) int                                   { return 0 }
func (c *copyMode) drawMarks(pen, layout.Rect, screen.Frame)              {}
func (c *copyMode) position(screen.Frame) string                          { return "" }
func (c *copyMode) cursorIn(layout.Rect, screen.Frame) screen.Cursor      { return screen.Cursor{} }
func (c *copyMode) drawPrompt(pen, int, int, int) bool                    { return false }
func (m *Model) leaveCopy()                                               { m.copying = nil }
func (m *Model) copyKey(keys.Token, keys.Key) tea.Cmd                     { return nil }
func (m *Model) copyPaste(string) tea.Cmd                                 { return nil }
func enterCopy(*Model) tea.Cmd                                            { return nil }
func choose(*Model) tea.Cmd                                               { return nil }
func help(*Model) tea.Cmd                                                 { return nil }
func showNumbers(*Model) tea.Cmd                                          { return nil }
func newPrompt(string, string, func(string) func(*Model) tea.Cmd) overlay { return nil }
func newConfirm(string, string, func(*Model) tea.Cmd) overlay             { return nil }
func (m *Model) showWhichKey(whichKeyMsg)                                 {}
func (m *Model) endNumbers(numbersEndedMsg)                               {}
func (m *Model) mouse(keys.Token) tea.Cmd                                 { return nil }

type drag struct{}
