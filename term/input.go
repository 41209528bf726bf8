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

// ErrTyped says that somebody typed in between, and that nothing was given.
var ErrTyped = errors.New("somebody typed in between")

// ErrEnded says that there is no program any more to give input to.
var ErrEnded = errors.New("the program has ended")

// Input gives the program a token of a person's terminal, as the program asked
// for it. It never waits.
func (p *Pane) Input(tok keys.Token) error {
	p.spec.Pace.typed(p)
	return p.send(keys.Encode(nil, tok, p.Modes()), turn{typed: writes(tok)})
}

// writes reports whether a token may change what stands in an input line.
func writes(tok keys.Token) bool {
	return PressOf(tok) != PressNone || tok.Kind == keys.PasteText || tok.Kind == keys.PasteEnd
}

// Typed counts what was typed: by persons and by verbs, but not by PasteIf and
// EnterIf.
func (p *Pane) Typed() uint64 { return p.out.count() }

// PasteIf is Paste, but only if Typed is still what it was; else it returns
// ErrTyped and gives nothing.
func (p *Pane) PasteIf(typed uint64, text string) error {
	return p.send(p.pasted(text), turn{only: true, after: typed})
}

// EnterIf presses Enter under the same condition.
func (p *Pane) EnterIf(typed uint64) error {
	return p.send(keys.EncodeKey(nil, keys.Key{Code: keys.Enter}, p.Modes()), turn{only: true, after: typed})
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
	return p.send(out, turn{typed: true})
}

// SendText types text as it is.
func (p *Pane) SendText(text string) error { return p.send([]byte(text), turn{typed: true}) }

// Paste gives the program text as a paste, bracketed if it asked for that. The
// ends of lines are what Enter sends, as in a terminal's own paste; the mark
// that ends a paste is taken out, so that text cannot pretend to be typed.
func (p *Pane) Paste(text string) error { return p.send(p.pasted(text), turn{typed: true}) }

// pasted is a text as the program takes a paste.
func (p *Pane) pasted(text string) []byte {
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
	return out
}

// send queues bytes for the writer, all of them or none.
func (p *Pane) send(b []byte, t turn) error {
	if _, ended := p.Ended(); ended || p.pty == nil {
		return ErrEnded
	}
	if len(b) == 0 {
		return nil
	}
	return p.out.give(b, maxInput, t, p.writeNow)
}
