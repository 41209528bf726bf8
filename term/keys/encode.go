package keys

import (
	"bytes"
	"unicode/utf8"
)

// Encode appends what a program with modes m gets for tok, which is nothing
// where it did not ask: mouse and focus reports, releases, and never an answer
// of the terminal. A mouse event is encoded from tok.Mouse, so that its
// position may be made relative to a pane.
func Encode(dst []byte, tok Token, m Modes) []byte {
	switch tok.Kind {
	case Text:
		if m.Kitty&flagAll != 0 {
			return appendTyped(dst, tok.Raw, m)
		}
		return append(dst, tok.Raw...)
	case KeyPress:
		if m.Kitty == 0 && m.ModifyOtherKeys < 2 && asItCame(tok.Raw, m) {
			return append(dst, tok.Raw...)
		}
		return EncodeKey(dst, tok.Key, m)
	case MouseEvent:
		return EncodeMouse(dst, tok.Mouse, m)
	case PasteStart:
		if m.BracketedPaste {
			return append(dst, pasteBegin...)
		}
	case PasteEnd:
		if m.BracketedPaste {
			return append(dst, pasteStop...)
		}
	case PasteText:
		return appendPaste(dst, tok.Raw, m)
	case FocusIn:
		if m.Focus {
			return append(dst, "\x1b[I"...)
		}
	case FocusOut:
		if m.Focus {
			return append(dst, "\x1b[O"...)
		}
	case Unknown:
		if foreignKey(tok.Raw) {
			return append(dst, tok.Raw...)
		}
	}
	return dst
}

// asItCame says whether raw, a key, is what a legacy program with modes m gets:
// a control byte or ESC with a character. Sequences are spelled anew, because
// panes are told that they are an xterm and the terminal may be something else.
func asItCame(raw []byte, m Modes) bool {
	if len(raw) > 1 {
		return raw[0] == 0x1b && raw[1] != 0x1b && (raw[1] >= 0x20 && raw[1] < 0x7f && len(raw) == 2 || raw[1] >= 0x80)
	}
	if len(raw) == 0 {
		return false
	}
	switch raw[0] {
	case '\r':
		return !m.NewLine
	case 0x7f, 0x08:
		return !m.BackspaceBS
	}
	return true
}

// foreignKey says whether raw may be a key that deck does not know: a plain
// control sequence, not an answer or a piece of one.
func foreignKey(raw []byte) bool {
	if len(raw) < 3 || len(raw) > 32 || raw[0] != 0x1b || raw[1] != '[' {
		return false
	}
	for _, c := range raw[2 : len(raw)-1] {
		if c < '0' || c > ';' {
			return false
		}
	}
	final := raw[len(raw)-1]
	return final == '~' || final >= 'A' && final <= 'Z' && bytes.IndexByte([]byte("MR"), final) < 0
}

// appendTyped appends text for a program that wants every key as a sequence.
// Bytes that are no UTF-8 have none.
func appendTyped(dst, text []byte, m Modes) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, text[0])
		} else {
			dst = EncodeKey(dst, typed(r), m)
		}
		text = text[n:]
	}
	return dst
}
