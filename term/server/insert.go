package server

import (
	"context"
	"errors"
	"strings"
	"time"

	"deck/lifecycle"
	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
)

const (
	// insertTries is how many times a text is tried to be put into an input line
	// that is not seen, or not seen since the last key.
	insertTries = 5
	// insertRest is how long after the last try the next one is.
	insertRest = 2 * sightRest
)

// insertion is a note as it is given to an agent: what it says, what it is about,
// and how far it is to be believed.
func insertion(n wire.Note) string {
	var b strings.Builder
	for _, part := range []string{n.Title, n.Text} {
		if part = strings.TrimSpace(part); part != "" {
			b.WriteString(part + "\n")
		}
	}
	if reason := strings.TrimSpace(n.Reason); reason != "" {
		b.WriteString("Because: " + reason + "\n")
	}
	about := []string{n.Kind + " " + n.Short}
	switch {
	case n.SupersededBy != "":
		about = append(about, "superseded")
	case n.Stale:
		about = append(about, "stale: "+n.Freshness)
	case n.Status != "NEW":
		about = append(about, strings.ToLower(n.Status))
	}
	var files []string
	for _, f := range n.Files {
		at := f.Path
		if f.Lines != "" {
			at += ":" + f.Lines
		}
		if f.Now != "" {
			at = f.Now
		}
		files = append(files, at)
	}
	if len(files) > 0 {
		about = append(about, "see "+strings.Join(files, ", "))
	}
	b.WriteString("(" + strings.Join(about, "; ") + ")")
	return cleanMessage(b.String())
}

// errUnseen is an input line that cannot be typed into at this moment.
var errUnseen = errors.New("not seen")

// insert puts a text into the input line of a pane's agent for a person, at the
// cursor, and presses nothing. A draft that stands there stays. It returns the nick.
func (l *loop) insert(ctx context.Context, id layout.PaneID, text string) (nick string, err error) {
	for try := 1; ; try++ {
		nick, err = call(ctx, l, func() (nick string, err error) {
			err = l.onPane(id, func(p *pane) error {
				nick = p.nick
				return l.insertNow(p, text)
			})
			return nick, err
		})
		unseen := errors.Is(err, errUnseen)
		switch {
		case unseen && try == insertTries:
			return nick, invalid("%s shows no input line to type into", nick)
		case !unseen && !errors.Is(err, term.ErrTyped):
			return nick, err
		case try == insertTries:
			return nick, invalid("somebody is typing in %s", nick)
		}
		select {
		case <-time.After(insertRest):
		case <-ctx.Done():
			return nick, ctx.Err()
		}
	}
}

// insertNow does it if the input line is there as it was last seen. Messages wait
// from then on, as for anything that a person has typed.
func (l *loop) insertNow(p *pane, text string) error {
	m, st := &p.agent.mail, p.status()
	switch {
	case st.Agent == "" || st.Exited:
		return &wire.Error{Code: wire.CodeNoAgent, Message: "no agent is running in " + p.nick}
	case st.State == lifecycle.NeedsInput:
		return invalid("%s asks something: answer that first", p.nick)
	case m.box.Typing():
		return invalid("a message is on its way to %s: try again in a moment", p.nick)
	case m.typed != p.term.Typed():
		p.watch.eyes.output() // what was typed may show nothing by itself
		return term.ErrTyped
	case !m.composer.Found:
		return errUnseen
	}
	if err := l.write(p, lifecycle.Step{Act: lifecycle.Paste, Text: text, Keys: m.typed}); err != nil {
		return err
	}
	m.pressedKey(lifecycle.KeyText, p.status(), time.Now())
	return nil
}
