package server

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"deck/term/wire"
	"deck/ui"
)

// defaultSession is made by the first client when there is none.
const defaultSession = "main"

// session is a named set of tabs; owned by the loop.
type session struct {
	name     string
	tabs     []*tab
	current  *pane     // used last
	used     time.Time // when
	starting int       // panes on their way; keeps an empty session
	lived    bool      // had a pane
	env      []string  // of the client that attached last, for panes that bring none
	told     ui.State  // what its clients know
}

// indexOf returns the place of a tab, counted from 0, -1 for one that is gone.
func (s *session) indexOf(t *tab) int { return slices.Index(s.tabs, t) }

// panes returns how many panes the session has.
func (s *session) panes() int {
	n := 0
	for _, t := range s.tabs {
		n += len(t.root.Panes())
	}
	return n
}

// session returns the session of that name, nil where there is none.
func (l *loop) session(name string) *session {
	for _, s := range l.sessions {
		if s.name == name {
			return s
		}
	}
	return nil
}

// lastUsed returns the session that was used last, nil where there is none.
func (l *loop) lastUsed() *session {
	var last *session
	for _, s := range l.sessions {
		if last == nil || s.used.After(last.used) {
			last = s
		}
	}
	return last
}

// makeSession returns the session of that name, made where it does not exist.
// The caller puts a pane on its way into it.
func (l *loop) makeSession(name string) (*session, error) {
	if s := l.session(name); s != nil {
		return s, nil
	}
	if !validName(name) {
		return nil, invalid("invalid session name: %q", name)
	}
	s := &session{name: name, used: time.Now()}
	l.sessions = append(l.sessions, s)
	l.log.Info("session made", "session", name)
	l.dirty = true
	return s, nil
}

const maxName = 64 // runes of a name that a person gives

// validName reports whether a name can be shown, typed and told from an option.
func validName(name string) bool {
	if strings.TrimSpace(name) == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxName || name[0] == '-' {
		return false
	}
	for _, r := range name {
		if !unicode.IsPrint(r) && !joins(r) || bidiControl(r) {
			return false
		}
	}
	return true
}

// joins reports whether r is of those that hold a cluster together and show
// nothing: joiners, of families and of Persian words, and the tags of a flag.
func joins(r rune) bool { return r == 0x200c || r == 0x200d || r >= 0xe0020 && r <= 0xe007f }

// tidy removes a session without tabs. With the last one the server may end.
func (l *loop) tidy(s *session) {
	if len(s.tabs) > 0 || s.starting > 0 || l.session(s.name) != s {
		return
	}
	l.sessions = slices.DeleteFunc(l.sessions, func(q *session) bool { return q == s })
	l.log.Info("session closed", "session", s.name)
	l.dirty = true
	for _, a := range slices.Clone(l.order) {
		if a.session == s {
			l.dismiss(a, wire.Exit{Reason: "closed", Message: "exited"})
		}
	}
	l.lived = l.lived || s.lived
	l.endIfEmpty()
}

// endIfEmpty has the server end, if the configuration says so, that had sessions and
// has none.
func (l *loop) endIfEmpty() {
	if l.isEmpty() && l.o.empty != nil {
		l.log.Info("no session is left")
		l.o.empty()
	}
}

// isEmpty reports whether there is nothing left to stay for, and nothing to come.
func (l *loop) isEmpty() bool {
	return len(l.sessions) == 0 && l.lived && l.coming == 0 && l.config.ExitEmpty
}
