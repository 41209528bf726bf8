package term

import (
	"strings"

	"deck/term/keys"
)

// Press is a kind of key, as far as it means something to a program that asks.
type Press uint8

// The kinds.
const (
	PressNone Press = iota // no key: a mouse event, a change of focus
	PressOther
	PressEnter
	PressEsc
	PressCtrlC
	PressDigit
	PressText
)

// PressOf returns the kind of key that a token is. A paste is text where it
// begins, and nothing after that.
func PressOf(tok keys.Token) Press {
	switch tok.Kind {
	case keys.Text:
		return pressOfText(tok.Raw)
	case keys.PasteStart:
		return PressText
	case keys.KeyPress:
		return pressOfKey(tok.Key)
	}
	return PressNone
}

// PressesOf returns the kinds of keys given by name, as SendKeys presses them.
func PressesOf(names []string) []Press {
	var out []Press
	for _, name := range names {
		if k, err := keys.Parse(name); err == nil {
			out = append(out, pressOfKey(k))
		} else {
			out = append(out, PressesOfText(name)...)
		}
	}
	return out
}

// PressesOfText returns the kinds of keys that a literal text is, an Enter that
// follows it apart.
func PressesOfText(text string) []Press {
	body := strings.TrimRight(text, "\r\n")
	var out []Press
	if body != "" {
		out = append(out, pressOfText([]byte(body)))
	}
	if body != text {
		out = append(out, PressEnter)
	}
	return out
}

func pressOfText(raw []byte) Press {
	if len(raw) == 1 {
		switch c := raw[0]; {
		case c >= '0' && c <= '9':
			return PressDigit
		case c == '\r' || c == '\n':
			return PressEnter
		case c == 0x1b:
			return PressEsc
		case c == 0x03:
			return PressCtrlC
		}
	}
	return PressText
}

func pressOfKey(k keys.Key) Press {
	if k.Action == keys.Release {
		return PressNone
	}
	mods := k.Mods &^ (keys.CapsLock | keys.NumLock)
	switch {
	case (k.Code == keys.Enter || k.Code == keys.KeypadEnter) && mods == 0:
		return PressEnter
	case k.Code == keys.Escape && mods == 0:
		return PressEsc
	case k.Code == 'c' && mods == keys.Ctrl:
		return PressCtrlC
	case mods&^keys.Shift != 0:
		return PressOther
	case k.Code >= '0' && k.Code <= '9' && mods == 0, k.Code >= keys.Keypad0 && k.Code <= keys.Keypad9:
		return PressDigit
	case k.Code > ' ' && k.Code < keys.Escape && k.Code != 0x7f:
		return PressText
	}
	return PressOther
}
