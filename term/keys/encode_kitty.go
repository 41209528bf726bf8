package keys

import "strconv"

// appendKitty appends k for a program that set flags of the kitty keyboard
// protocol.
func appendKitty(dst []byte, k Key, m Modes) []byte {
	all, disambiguate := m.Kitty&flagAll != 0, m.Kitty&(flagDisambiguate|flagAll) != 0
	if modifierKey(k) && !all {
		return dst
	}
	if m.Kitty&flagEvents == 0 {
		k.Action = Press
	}
	if !disambiguate {
		k, _ = plainKeypad(k)
	}
	if k.Code == Enter || k.Code == Tab || k.Code == Backspace || k.Code == Escape {
		if out, ok := appendKittyControl(dst, k, m); ok {
			return out
		}
		return appendUnicode(dst, k, number(k), 'u', m)
	}
	if k.Code < Escape {
		return appendKittyCharacter(dst, k, m)
	}
	if !disambiguate && k.Action == Press {
		if num := tildeNumber(k.Code); num != 0 || finalLetter(k.Code) != 0 {
			m.AppCursor = m.AppCursor && m.Kitty&flagEvents == 0
			return appendFunction(dst, k.Code, k.Mods&^locks, m)
		}
	}
	switch final := finalLetter(k.Code); {
	case k.Code == F1+2:
		// CSI R is a cursor position report.
		return appendUnicode(dst, k, 13, '~', m)
	case final != 0:
		return appendUnicode(dst, k, 1, final, m)
	case k.Code < F1+12 && k.Code != Menu && tildeNumber(k.Code) != 0:
		return appendUnicode(dst, k, tildeNumber(k.Code), '~', m)
	}
	if n := number(k); n != 0 {
		return appendUnicode(dst, k, n, 'u', m)
	}
	return dst
}

// appendKittyControl appends Enter, Tab, Backspace and Escape as the bytes that
// they keep, so that a shell can be used after a program left the mode on.
func appendKittyControl(dst []byte, k Key, m Modes) ([]byte, bool) {
	mods := k.Mods &^ locks
	if m.Kitty&flagAll != 0 {
		return dst, false
	}
	if mods == 0 && k.Code != Escape {
		if k.Action == Release {
			return dst, true
		}
		return appendControlKey(dst, k.Code, 0, m), true
	}
	if m.Kitty&flagDisambiguate != 0 || k.Action != Press {
		return dst, false
	}
	switch {
	case mods == 0, mods == Alt && k.Code != Escape, mods == Shift && k.Code == Tab, mods == Ctrl && k.Code == Backspace:
		return appendControlKey(dst, k.Code, mods, m), true
	}
	return dst, false
}

// appendKittyCharacter appends a key with a character: as text unless the
// program wants all keys as sequences, or Ctrl and the like are held.
func appendKittyCharacter(dst []byte, k Key, m Modes) []byte {
	mods := k.Mods &^ locks
	if m.Kitty&flagAll == 0 && k.Action != Release {
		// Text does not tell Shift with Space, a terminal that does is believed.
		spaced := k.Code == ' ' && mods == Shift && m.Kitty&flagDisambiguate != 0
		if mods&^Shift == 0 && !spaced {
			return append(dst, text(k)...)
		}
		if m.Kitty&flagDisambiguate == 0 && k.Action == Press && kittyLegacy(k, mods) {
			return appendCharacter(dst, k)
		}
	}
	if k.Code == 0 && (m.Kitty&flagText == 0 || m.Kitty&flagAll == 0) {
		if k.Action == Release {
			return dst
		}
		return append(dst, k.Text...)
	}
	return appendUnicode(dst, k, int(k.Code), 'u', m)
}

// kittyLegacy says whether the protocol gives a character with modifiers as
// legacy bytes when it is not asked to disambiguate.
func kittyLegacy(k Key, mods Mod) bool {
	if k.Code == ' ' {
		return mods == Ctrl || mods == Alt || mods == Ctrl|Alt
	}
	switch mods {
	case Alt, Alt | Shift, Ctrl, Ctrl | Alt:
		return k.Code > ' ' && k.Code < 0x7f
	}
	return false
}

// appendUnicode appends CSI number:shifted:base ; modifiers:event ; text and a
// final byte, as short as it can be.
func appendUnicode(dst []byte, k Key, num int, final byte, m Modes) []byte {
	mods, typed := k.Mods, ""
	if m.Kitty&flagAll == 0 && k.Code < Escape && mods&^(locks|Shift) == 0 {
		mods &^= locks
	}
	if m.Kitty&(flagAll|flagText) == flagAll|flagText && k.Action != Release && mods&^(locks|Shift) == 0 {
		typed = text(k)
		if k.Code >= Keypad0 && k.Code <= KeypadSeparator && k.Code != KeypadEnter && typed == "" {
			typed = keypadText[k.Code-Keypad0:][:1]
		}
	}
	var shift, base rune
	if m.Kitty&flagAlternates != 0 && k.Code < Escape {
		base = k.Base
		if mods&Shift != 0 {
			if s := shifted(k); k.Shifted != 0 || s != rune(k.Code) && k.Code >= 'a' {
				shift = s
			}
		}
	}
	second := mods != 0 || k.Action != Press
	dst = append(dst, "\x1b["...)
	if num != 1 || second || typed != "" {
		dst = strconv.AppendInt(dst, int64(num), 10)
	}
	if shift != 0 || base != 0 {
		dst = append(dst, ':')
		if shift != 0 {
			dst = strconv.AppendInt(dst, int64(shift), 10)
		}
		if base != 0 {
			dst = append(dst, ':')
			dst = strconv.AppendInt(dst, int64(base), 10)
		}
	}
	if second || typed != "" {
		dst = append(dst, ';')
	}
	if second {
		dst = strconv.AppendInt(dst, int64(mods)+1, 10)
	}
	if k.Action != Press {
		dst = append(dst, ':', '1'+byte(k.Action))
	}
	if typed != "" {
		dst = append(dst, ';')
		dst = appendRunes(dst, typed)
	}
	return append(dst, final)
}
