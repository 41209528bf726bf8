package server

import (
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// maxNotices is how many sentences wait for a client that does not take them;
// the oldest go first.
const maxNotices = 16

// maxReplies is how many answers wait for a client that does not take them.
const maxReplies = 16

// inbox is where the loop, the socket's reader and the writer leave word for
// a client's goroutine. Nobody waits at it: of what replaces itself the newest
// is kept, and the rest is bounded.
type inbox struct {
	wake chan struct{} // of one: there is something in the box

	mu sync.Mutex
	in letters // guarded by mu
}

// letters is everything that may lie in an inbox, in the order in which it is
// taken out.
type letters struct {
	state    *ui.State
	settings *ui.Settings
	release  bool
	size     *wire.Size
	focus    layout.PaneID
	notices  []ui.NoticeMsg
	alerts   []ui.AlertMsg
	replies  []tea.Msg
	clip     *string
	bell     bool
	exit     *wire.Exit
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// put changes what lies in the box and wakes its owner.
func (m *inbox) put(change func(*letters)) {
	m.mu.Lock()
	change(&m.in)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take empties the box.
func (m *inbox) take() letters {
	m.mu.Lock()
	defer m.mu.Unlock()
	in := m.in
	m.in = letters{}
	return in
}

func (m *inbox) state(s ui.State)       { m.put(func(l *letters) { l.state = &s }) }
func (m *inbox) settings(s ui.Settings) { m.put(func(l *letters) { l.settings = &s }) }

// size keeps the newest size, and that the terminal lost its screen even if a
// later size does not say so.
func (m *inbox) size(s wire.Size) {
	m.put(func(l *letters) {
		s.Fresh = s.Fresh || l.size != nil && l.size.Fresh
		l.size = &s
	})
}

// release says that the client wants its terminal back. What it said of it
// before does not count any more.
func (m *inbox) release() {
	m.put(func(l *letters) {
		if l.release = true; l.size != nil {
			l.size.Fresh = false
		}
	})
}

func (m *inbox) focus(pane layout.PaneID) { m.put(func(l *letters) { l.focus = pane }) }

func (m *inbox) notice(text string, isError bool) {
	m.put(func(l *letters) {
		if len(l.notices) == maxNotices {
			l.notices = append(l.notices[:0], l.notices[1:]...)
		}
		l.notices = append(l.notices, ui.NoticeMsg{Text: text, Error: isError})
	})
}

// clipboard sets the terminal's clipboard; of several texts the last counts, as
// it would there.
func (m *inbox) clipboard(text string) { m.put(func(l *letters) { l.clip = &text }) }

// alert keeps the newest alerts, one of each pane.
func (m *inbox) alert(p ui.Pane) {
	m.put(func(l *letters) {
		l.alerts = slices.DeleteFunc(l.alerts, func(a ui.AlertMsg) bool { return a.Pane.ID == p.ID })
		if len(l.alerts) == maxNotices {
			l.alerts = append(l.alerts[:0], l.alerts[1:]...)
		}
		l.alerts = append(l.alerts, ui.AlertMsg{Pane: p})
	})
}

// reply keeps the newest answers, all in their order: two of a kind may be about
// different things.
func (m *inbox) reply(msg tea.Msg) {
	m.put(func(l *letters) {
		if len(l.replies) == maxReplies {
			l.replies = append(l.replies[:0], l.replies[1:]...)
		}
		l.replies = append(l.replies, msg)
	})
}

// bell rings once, however often it is asked to before the client looks.
func (m *inbox) bell(layout.PaneID) { m.put(func(l *letters) { l.bell = true }) }

// exit ends the client; the first reason counts.
func (m *inbox) exit(e wire.Exit) {
	m.put(func(l *letters) {
		if l.exit == nil {
			l.exit = &e
		}
	})
}
