package keys

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// EncodeKey appends the bytes of one key for a program with modes m. The kitty
// protocol's flags win over modifyOtherKeys. What the program's modes cannot
// say is degraded as the package's table tells.
func EncodeKey(dst []byte, k Key, m Modes) []byte {
	if k.Action == Release && m.Kitty&flagEvents == 0 {
		return dst
	}
	if m.Kitty != 0 {
		return appendKitty(dst, k, m)
	}
	if m.ModifyOtherKeys > 0 {
		if out, ok := appendOther(dst, k, m); ok {
			return out
		}
	}
	return appendLegacy(dst, k, m)
}

// plainKeypad is k as the key that it is without a keypad; ok if it was one.
func plainKeypad(k Key) (Key, bool) {
	switch {
	case k.Code == KeypadEnter:
		k.Code = Enter
	case k.Code >= Keypad0 && k.Code <= KeypadSeparator:
		k.Code = Code(keypadText[k.Code-Keypad0])
	case k.Code == OtherKey && k.Functional >= numberLeft && k.Functional <= numberBegin:
		k.Code, k.Functional = keypadMotion[k.Functional-numberLeft], 0
	default:
		return k, false
	}
	return k, true
}

// appendLegacy appends k as xterm sends it without extended modes.
func appendLegacy(dst []byte, k Key, m Modes) []byte {
	// As in xterm, Num Lock makes the keypad numbers whatever the program set.
	if m.AppKeypad && k.Code >= Keypad0 && k.Code <= KeypadSeparator && k.Mods&^CapsLock == 0 {
		return append(dst, 0x1b, 'O', keypadFinals[k.Code-Keypad0])
	}
	k, _ = plainKeypad(k)
	mods := k.Mods &^ locks
	switch k.Code {
	case Escape, Enter, Tab, Backspace:
		return appendControlKey(dst, k.Code, mods, m)
	}
	if k.Code < Escape {
		return appendCharacter(dst, k)
	}
	return appendFunction(dst, k.Code, mods, m)
}

// appendControlKey appends one of the four keys that are control bytes.
func appendControlKey(dst []byte, c Code, mods Mod, m Modes) []byte {
	if mods&(Alt|Meta) != 0 {
		dst = append(dst, 0x1b)
	}
	switch c {
	case Escape:
		return append(dst, 0x1b)
	case Enter:
		if m.NewLine {
			return append(dst, '\r', '\n')
		}
		return append(dst, '\r')
	case Tab:
		if mods&Shift != 0 {
			return append(dst, "\x1b[Z"...)
		}
		return append(dst, '\t')
	}
	if m.BackspaceBS != (mods&Ctrl != 0) {
		return append(dst, 0x08)
	}
	return append(dst, 0x7f)
}

// text is what k types, without regard to Ctrl, Alt and the like.
func text(k Key) string {
	if k.Text != "" {
		return k.Text
	}
	if k.Code == 0 || k.Code >= Escape {
		return ""
	}
	return string(character(k))
}

// character is the rune of k with Shift and Caps Lock applied.
func character(k Key) rune {
	r := rune(k.Code)
	if unicode.IsLetter(r) {
		if (k.Mods&Shift != 0) != (k.Mods&CapsLock != 0) {
			return shifted(k)
		}
		return r
	}
	if k.Mods&Shift != 0 {
		return shifted(k)
	}
	return r
}

// appendCharacter appends a key with a character.
func appendCharacter(dst []byte, k Key) []byte {
	if k.Mods&(Super|Hyper) != 0 || k.Code == 0 && k.Text == "" {
		return dst
	}
	if k.Mods&(Alt|Meta) != 0 {
		dst = append(dst, 0x1b)
	}
	if k.Mods&Ctrl != 0 {
		if c, ok := controlByte(k); ok {
			return append(dst, c)
		}
		k.Text = ""
	}
	return append(dst, text(k)...)
}

// controlByte is the byte of Ctrl with k, as X11 has it. A key of another
// alphabet counts as the one in its place on a US layout.
func controlByte(k Key) (byte, bool) {
	r := rune(k.Code)
	if r >= 0x80 && k.Base != 0 {
		r = k.Base
		k = Key{Code: Code(r), Mods: k.Mods}
	}
	if k.Mods&Shift != 0 {
		if c, ok := controlOf(character(k)); ok {
			return c, true
		}
	}
	return controlOf(r)
}

func controlOf(r rune) (byte, bool) {
	switch {
	case r >= '@' && r <= '~':
		return byte(r) & 0x1f, true
	case r == ' ' || r == '2':
		return 0, true
	case r >= '3' && r <= '7':
		return byte(r-'3') + 0x1b, true
	case r == '8' || r == '?':
		return 0x7f, true
	case r == '/':
		return 0x1f, true
	}
	return 0, false
}

// appendFunction appends a key with a sequence of its own (ctlseqs, "PC-Style
// Function Keys").
func appendFunction(dst []byte, c Code, mods Mod, m Modes) []byte {
	final, num := finalLetter(c), 1
	if final == 0 {
		if num = tildeNumber(c); num == 0 {
			return dst
		}
		final = '~'
	}
	if mods != 0 {
		dst = append(dst, "\x1b["...)
		dst = strconv.AppendInt(dst, int64(num), 10)
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, int64(mods)+1, 10)
		return append(dst, final)
	}
	switch {
	case final == '~':
		dst = append(dst, "\x1b["...)
		dst = strconv.AppendInt(dst, int64(num), 10)
	case c >= F1 || m.AppCursor:
		dst = append(dst, "\x1bO"...)
	default:
		dst = append(dst, "\x1b["...)
	}
	return append(dst, final)
}

// appendOther appends k in the form of modifyOtherKeys, CSI 27 ; modifiers ;
// character ~, if the program's level has that for it. Level 1 leaves alone
// what has well-known bytes.
func appendOther(dst []byte, k Key, m Modes) ([]byte, bool) {
	if m.AppKeypad && k.Code >= Keypad0 && k.Code <= KeypadSeparator && k.Mods&NumLock == 0 {
		return dst, false
	}
	k, _ = plainKeypad(k)
	mods := k.Mods &^ locks
	if mods == 0 || k.Code == 0 {
		return dst, false
	}
	var c int
	switch k.Code {
	case Escape, Backspace:
		if m.ModifyOtherKeys == 1 {
			return dst, false
		}
		c = number(k)
	case Enter, Tab:
		if mods == Alt && m.ModifyOtherKeys == 1 || mods == Shift && k.Code == Tab {
			return dst, false
		}
		c = number(k)
	default:
		if k.Code > Escape || !otherCharacter(k, mods, m.ModifyOtherKeys) {
			return dst, false
		}
		k.Mods &^= CapsLock
		c = int(character(k))
	}
	dst = append(dst, "\x1b[27;"...)
	dst = strconv.AppendInt(dst, int64(mods)+1, 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(c), 10)
	return append(dst, '~'), true
}

// otherCharacter says whether a character with these modifiers has no
// well-known bytes at a level of modifyOtherKeys.
func otherCharacter(k Key, mods Mod, level uint8) bool {
	if mods == Shift {
		return k.Code == ' ' && level > 1
	}
	if level > 1 {
		return true
	}
	if mods&^(Alt|Shift) == 0 {
		return false
	}
	_, ok := controlByte(k)
	return !ok || mods&^(Ctrl|Alt|Shift) != 0
}

// appendRunes appends the code points of s, separated by colons.
func appendRunes(dst []byte, s string) []byte {
	for i, r := range s {
		if i > 0 {
			dst = append(dst, ':')
		}
		if r == utf8.RuneError {
			r = unicode.ReplacementChar
		}
		dst = strconv.AppendInt(dst, int64(r), 10)
	}
	return dst
}
