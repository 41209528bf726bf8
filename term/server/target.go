package server

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"deck/term/layout"
	"deck/term/wire"
)

// invalid is a request that was understood and is not possible.
func invalid(format string, args ...any) *wire.Error {
	return &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

// find returns the pane that a target means: an id, a nick, a name, or the
// beginning of an id. An empty one is the pane of the caller.
func (l *loop) find(target string, c caller) (*pane, error) {
	if target == "" {
		if p := l.panes[c.pane]; p != nil {
			return p, nil
		}
		return nil, &wire.Error{Code: wire.CodeInvalid, Message: "no target", Hint: "name a pane by id, nick or name"}
	}
	matches := l.matching(func(p *pane) bool {
		return string(p.id) == target || p.name == target || strings.EqualFold(p.nick, target)
	})
	if len(matches) == 0 {
		matches = l.matching(func(p *pane) bool { return strings.HasPrefix(string(p.id), target) })
	}
	switch len(matches) {
	case 0:
		return nil, &wire.Error{Code: wire.CodePaneNotFound, Message: "can't find pane: " + cleanText(target, maxLabel),
			Hint: "deck ls lists the panes"}
	case 1:
		return matches[0], nil
	}
	var names []string
	for _, p := range matches {
		name := p.nick
		if p.name != "" {
			name += " " + p.name
		}
		names = append(names, string(p.id)+" ("+name+")")
	}
	return nil, &wire.Error{Code: wire.CodeAmbiguous,
		Message: "ambiguous target: " + cleanText(target, maxLabel) + ": " + strings.Join(names, ", ")}
}

// matching returns the panes that match, in the order of sessions and tabs.
func (l *loop) matching(match func(*pane) bool) []*pane {
	var found []*pane
	for _, p := range l.inOrder() {
		if match(p) {
			found = append(found, p)
		}
	}
	return found
}

// inOrder returns all panes in the order of sessions, tabs and layouts.
func (l *loop) inOrder() []*pane {
	var all []*pane
	for _, s := range l.sessions {
		all = append(all, l.panesOf(s)...)
	}
	return all
}

// panesOf returns the panes of a session in the order of its tabs.
func (l *loop) panesOf(s *session) []*pane {
	var all []*pane
	for _, t := range s.tabs {
		for _, id := range t.root.Panes() {
			if p := l.panes[id]; p != nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// checkName says what is wrong with a name for p. Two panes may have the same
// name; a nick or an id belongs to one pane only.
func (l *loop) checkName(p *pane, name string) error {
	if name == "" {
		return nil
	}
	if !validName(name) {
		return invalid("invalid name: %q", name)
	}
	for _, q := range l.panes {
		if q != p && (strings.EqualFold(q.nick, name) || string(q.id) == name) {
			return &wire.Error{Code: wire.CodeDuplicate, Message: "duplicate name: " + name, Hint: "it is the nick of another pane"}
		}
	}
	return nil
}

// idLetters leave out what is easily mistaken for something else.
const idLetters = "abcdefghjkmnpqrstvwxyz23456789"

// newID returns an id that nothing in the server has: six characters with a
// digit among them, so that it is nobody's nick.
func (l *loop) newID() string {
	for {
		var b [6]byte
		_, _ = rand.Read(b[:])
		for i := range b {
			b[i] = idLetters[int(b[i])%len(idLetters)]
		}
		id := string(b[:])
		if _, taken := l.panes[layout.PaneID(id)]; !taken && l.clients[id] == nil && strings.ContainsAny(id, "23456789") &&
			!slices.Contains([]byte("23456789"), b[0]) {
			return id
		}
	}
}
