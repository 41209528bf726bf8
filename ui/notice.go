package ui

import tea "charm.land/bubbletea/v2"

// notice is a sentence in the status line that goes away by itself.
type notice struct {
	text string
	bad  bool
	turn int
}

// notify shows a sentence for a moment.
func (m *Model) notify(text string, bad bool) tea.Cmd {
	m.notice = notice{text: clean(text), bad: bad, turn: m.notice.turn + 1}
	m.touch()
	return noticeCmd(m.notice.turn, bad)
}

// endNotice leaves a newer notice alone.
func (m *Model) endNotice(msg noticeEndedMsg) {
	if msg.turn == m.notice.turn {
		m.notice.text = ""
		m.touch()
	}
}
