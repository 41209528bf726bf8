package reporter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"deck/lifecycle"
	"deck/term/wire"
)

// Bounds of what is told besides the state, in bytes; together they stay well
// below what the server takes, in any notation.
const (
	maxResponse = 8 << 10
	maxAsk      = 8 << 10 // all texts of a request
	maxPath     = 512
	maxEdits    = 16
	maxOptions  = 8
)

// event is what the outcome tells besides the states; some is false where that
// is nothing.
func (s *sender) event() (e wire.AgentEvent, some bool) {
	o, r := s.outcome, s.main()
	e = wire.AgentEvent{Agent: s.agent, Session: r.Session, Helper: r.Helper, Seq: s.seq,
		Started: o.Started, Prompt: o.Prompt, Ended: o.Ended}
	e.Response, _ = text(o.Response, maxResponse)
	if len(o.Transcript) <= maxPath {
		e.Transcript, _ = text(o.Transcript, maxPath)
	}
	for _, path := range o.Edits {
		if len(path) <= maxPath && len(e.Edits) < maxEdits {
			e.Edits = append(e.Edits, path)
		}
	}
	return e, e.Started || e.Prompt || e.Ended || len(e.Edits) > 0
}

// request is the outcome's request, to be waited for.
func (s *sender) request() wire.AgentRequest {
	o, r := s.outcome, s.main()
	return wire.AgentRequest{Agent: s.agent, Session: r.Session, Helper: r.Helper, Summary: r.Request,
		Ask: s.ask(), Wait: o.Wait.Milliseconds(), Blocks: o.Blocks}
}

// ask is what a person is asked, as much of it as fits.
func (s *sender) ask() wire.AgentAsk {
	asked := s.outcome.Ask
	left := maxAsk
	var a wire.AgentAsk
	put := func(t string) string {
		t, cut := text(t, left)
		left -= len(t)
		a.Cut = a.Cut || cut
		return t
	}
	a.Tool = lifecycle.Clean(asked.Tool, lifecycle.MaxDetail)
	a.Text = put(asked.Text)
	for _, e := range asked.Edits {
		if len(a.Edits) == maxEdits || len(e.Path) > maxPath {
			a.Cut = true
			continue
		}
		a.Edits = append(a.Edits, wire.AgentEdit{Path: put(e.Path), Old: put(e.Old), New: put(e.New)})
	}
	for _, name := range asked.Options {
		if len(a.Options) < maxOptions {
			a.Options = append(a.Options, lifecycle.Clean(name, lifecycle.MaxDetail))
		}
	}
	return a
}

// text makes plain text of several lines of s, at most limit bytes of it.
func text(s string, limit int) (plain string, cut bool) {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit], true
}
