package term

import (
	"errors"
	"strings"

	"deck/term/keys"
)

const pasteEnd = "\x1b[201~"

// ErrFull says that a program has not read its input for so long that no more
// is kept for it.
var ErrFull = errors.New("the program does not read its input")

// ErrEnded says that there is no program any more to give input to.
var ErrEnded = errors.New("the program has ended")

// Input gives the program a token of a person's terminal, as the program asked
// for it. It never waits.
func (p *Pane) Input(tok keys.Token) error {
	p.spec.Pace.typed(p)
	return p.send(keys.Encode(nil, tok, p.Modes()))
}

// SendKeys presses keys by name, or types those that are no name as they are.
func (p *Pane) SendKeys(names []string) error {
	var out []byte
	m := p.Modes()
	for _, name := range names {
		if k, err := keys.Parse(name); err == nil {
			out = keys.EncodeKey(out, k, m)
		} else {
			out = append(out, name...)
		}
	}
	return p.send(out)
}

// SendText types text as it is.
func (p *Pane) SendText(text string) error { return p.send([]byte(text)) }

// Paste gives the program text as a paste, bracketed if it asked for that. The
// ends of lines are what Enter sends, as in a terminal's own paste; the mark
// that ends a paste is taken out, so that text cannot pretend to be typed.
func (p *Pane) Paste(text string) error {
	text = strings.NewReplacer("\r\n", "\r", "\n", "\r").Replace(text)
	for strings.Contains(text, pasteEnd) {
		text = strings.ReplaceAll(text, pasteEnd, "")
	}
	m := p.Modes()
	var out []byte
	for _, t := range []keys.Token{
		{Kind: keys.PasteStart, Raw: []byte("\x1b[200~")},
		{Kind: keys.PasteText, Raw: []byte(text)},
		{Kind: keys.PasteEnd, Raw: []byte(pasteEnd)},
	} {
		out = keys.Encode(out, t, m)
	}
	return p.send(out)
}

// send queues bytes for the writer, all of them or none.
func (p *Pane) send(b []byte) error {
	if _, ended := p.Ended(); ended || p.pty == nil {
		return ErrEnded
	}
	if len(b) > 0 && !p.out.give(b, maxInput, p.writeNow) {
		return ErrFull
	}
	return nil
}
