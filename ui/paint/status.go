package paint

import (
	"encoding/base64"
	"unicode/utf8"
)

// Status is what the terminal is told of the programs inside, in the terms of
// the program status protocol (OSC 7501, revision 0.4).
type Status struct {
	State   string // idle, working, blocked, done or error; empty: nothing runs
	Kind    string // of blocked: permission, question or auth; may be empty
	Message string // of blocked and error, one line
}

// longestMessage is the most bytes that the protocol allows a message.
const longestMessage = 2048

// statusQuery asks whether the terminal takes program status; one that does
// answers with the same.
const statusQuery = "\x1b]7501;?\x1b\\"

// SetStatus says what the terminal is to be told with the next Paint, if it
// wants to know.
func (p *Painter) SetStatus(s Status) { p.modes.want = s }

// tellStatus writes the status where it changed.
func (p *Painter) tellStatus() {
	m := &p.modes
	if !p.prof.Status || !m.entered || m.want == m.told {
		return
	}
	m.told = m.want
	p.buf = append(p.buf, m.want.encode()...)
}

// encode returns the report.
func (s Status) encode() string {
	state := s.State
	if state == "" {
		state = "clear"
	}
	b := "\x1b]7501;state=" + state
	if state != "clear" {
		b += ":app=deck"
	}
	if s.Kind != "" {
		b += ":kind=" + s.Kind
	}
	if text := cutBytes(clean(s.Message), longestMessage); text != "" {
		b += ":msg=" + base64.StdEncoding.EncodeToString([]byte(text))
	}
	return b + "\x1b\\"
}

// cutBytes cuts s to at most n bytes, between two characters.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
