package keys

import (
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Is says whether k is a press or repeat of the key that name, from Parse,
// says, whichever way the terminal encoded it: the byte 0x01, CSI 97;5u and
// CSI 27;5;97~ are all C-a. Locks do not count, a keypad key is the key it
// stands for, and a character is the same however it is reached (":" and
// Shift with ";"). With Ctrl or Alt a key of another alphabet is also the one
// in its place on a US layout, where the terminal told that. A name for a key
// whose legacy byte is another key's (C-i, C-m, C-[) matches only terminals
// that can tell.
func (k Key) Is(name Key) bool {
	if k.Action == Release {
		return false
	}
	a, am := canonical(k)
	b, bm := canonical(name)
	if a == b && am == bm && k.Functional == name.Functional {
		return true
	}
	if p, ok := plainKeypad(k); ok {
		return p.Is(name)
	}
	if k.Base != 0 && k.Mods&(Ctrl|Alt|Super|Hyper|Meta) != 0 && k.Code >= 0x80 && k.Code < Escape {
		return Key{Code: Code(k.Base), Mods: k.Mods}.Is(name)
	}
	return am&Ctrl != 0 && am == bm && sameByte(a, b)
}

// canonical reduces a key to a code and modifiers in which Shift is left only
// where no character tells it.
func canonical(k Key) (Code, Mod) {
	mods := k.Mods &^ locks
	if k.Code >= Escape || k.Code <= ' ' {
		return k.Code, mods
	}
	t := typed(rune(k.Code))
	mods |= t.Mods
	if mods&Shift != 0 && unicode.ToUpper(rune(t.Code)) == rune(t.Code) {
		return Code(shifted(k)), mods &^ Shift
	}
	return t.Code, mods
}

// sameByte says whether a, named after a control byte, is what terminals that
// send only the byte mean by b: Ctrl+/ arrives as Ctrl+_.
func sameByte(a, b Code) bool {
	switch a {
	case ' ':
		return b == '@' || b == '2' || b == '`'
	case '\\':
		return b == '4' || b == '|'
	case ']':
		return b == '5'
	case '^':
		return b == '6' || b == '~'
	case '_':
		return b == '/' || b == '7'
	}
	return false
}

// Keys returns the keys of a token, for deck's own screens: one for each
// grapheme cluster of text, the key of a KeyPress, none of anything else.
func (t Token) Keys() []Key {
	switch t.Kind {
	case KeyPress:
		return []Key{t.Key}
	case Text:
		var keys []Key
		for it := graphemes.FromBytes(t.Raw); it.Next(); {
			text := string([]rune(string(it.Value())))
			for _, r := range text {
				k := typed(r)
				k.Text = text
				keys = append(keys, k)
				break
			}
		}
		return keys
	}
	return nil
}
