package keys

import "unicode"

// control is the key of a control byte. Those that several keys send are named
// after the one a person most likely pressed.
func control(c byte) Key {
	switch c {
	case 0x00:
		return Key{Code: ' ', Mods: Ctrl}
	case 0x09:
		return Key{Code: Tab}
	case 0x0d:
		return Key{Code: Enter}
	case 0x1b:
		return Key{Code: Escape}
	case 0x7f:
		return Key{Code: Backspace}
	}
	if c < 0x1b {
		return Key{Code: Code(c) + 'a' - 1, Mods: Ctrl}
	}
	return Key{Code: Code(c) + '@', Mods: Ctrl}
}

// typed is the key of a character that came as text.
func typed(r rune) Key {
	if l := unicode.ToLower(r); l != r && unicode.ToUpper(l) == r {
		return Key{Code: Code(l), Mods: Shift, Shifted: r}
	}
	return Key{Code: Code(r)}
}

// tilde is the key of CSI n ~, 0 if there is none.
func tilde(n int) Code {
	switch {
	case n == 1 || n == 7:
		return Home
	case n == 4 || n == 8:
		return End
	case n == 2:
		return Insert
	case n == 3:
		return Delete
	case n == 5:
		return PageUp
	case n == 6:
		return PageDown
	case n >= 11 && n <= 15:
		return F1 + Code(n-11)
	case n >= 17 && n <= 21:
		return F1 + Code(n-12)
	case n >= 23 && n <= 26:
		return F1 + Code(n-13)
	case n >= 28 && n <= 29:
		return F1 + Code(n-14)
	case n >= 31 && n <= 34:
		return F1 + Code(n-15)
	}
	return 0
}

// tildeNumber is the inverse of tilde, in xterm's numbering; 0 if there is none.
func tildeNumber(c Code) int {
	switch c {
	case Insert:
		return 2
	case Delete:
		return 3
	case PageUp:
		return 5
	case PageDown:
		return 6
	case Menu:
		return 29
	}
	if c < F1+4 || c > F1+19 {
		return 0
	}
	n := int(c-F1) + 11
	for _, gap := range [...]int{16, 22, 27, 30} {
		if n >= gap {
			n++
		}
	}
	return n
}

// letter is the key of CSI with a letter, 0 if there is none.
func letter(final byte) Code {
	switch final {
	case 'A':
		return Up
	case 'B':
		return Down
	case 'C':
		return Right
	case 'D':
		return Left
	case 'E':
		return Begin
	case 'F':
		return End
	case 'H':
		return Home
	case 'P', 'Q', 'R', 'S':
		return F1 + Code(final-'P')
	}
	return 0
}

// finalLetter is the inverse of letter, 0 if there is none.
func finalLetter(c Code) byte {
	switch c {
	case Up:
		return 'A'
	case Down:
		return 'B'
	case Right:
		return 'C'
	case Left:
		return 'D'
	case Begin:
		return 'E'
	case End:
		return 'F'
	case Home:
		return 'H'
	case F1, F1 + 1, F1 + 2, F1 + 3:
		return 'P' + byte(c-F1)
	}
	return 0
}

// keypadFinals are the letters of SS3 for the keypad in application mode, from
// Keypad0 to KeypadSeparator.
const keypadFinals = "pqrstuvwxynojmkMXl"

// keypadText is what those keys mean with the keypad as numbers.
const keypadText = "0123456789./*-+\r=,"

// ss3 adds the key at the start of b, which begins with ESC O: a cursor or
// keypad key in application mode, F1 to F4, or rxvt's Ctrl with a cursor key.
// Old terminals put a modifier before the letter.
func (t *Tokenizer) ss3(b []byte) int {
	i := 2
	for i < len(b) && i < 8 && (b[i] >= '0' && b[i] <= '9' || b[i] == ';') {
		i++
	}
	if i == len(b) {
		return 0
	}
	p := parseParams(b[2:i])
	k := Key{Code: letter(b[i]), Mods: modifiers(p.at(max(p.n-1, 0), 0, 1))}
	switch c := b[i]; {
	case k.Code != 0:
	case c >= 'a' && c <= 'd':
		k.Code = Up + [4]Code{0, 1, Right - Up, Left - Up}[c-'a']
		k.Mods |= Ctrl
	case c == 'I':
		k.Code = Tab
	case c == ' ':
		k.Code = ' '
	default:
		k.Code = keypadKey(c)
	}
	if k.Code == 0 {
		return t.alt(b)
	}
	t.key(b[:i+1], k)
	return i + 1
}

// keypadKey is the key of a letter of keypadFinals, 0 if it is none.
func keypadKey(c byte) Code {
	for i := range len(keypadFinals) {
		if keypadFinals[i] == c {
			return Keypad0 + Code(i)
		}
	}
	return 0
}

// tildeKey adds a function key with a number, with rxvt's final bytes for
// modifiers too.
func (t *Tokenizer) tildeKey(b []byte, final byte, p *params) {
	n := p.at(0, 0, 0)
	code := tilde(n)
	if code == 0 && final == '~' && n >= firstFunctional {
		t.unicode(b, b[2:len(b)-1], p)
		return
	}
	if final != '~' && p.n != 1 {
		code = 0
	}
	mark := len(t.tokens)
	t.functional(b, code, p)
	k := &t.tokens[mark].Key
	switch {
	case code == 0:
	case final == '$':
		k.Mods |= Shift
	case final == '^':
		k.Mods |= Ctrl
	case final == '@':
		k.Mods |= Ctrl | Shift
	}
}

// functional adds a function key with modifier and event type in the second
// field, or, in old terminals, with the modifier alone. Code 0 is Unknown.
func (t *Tokenizer) functional(b []byte, code Code, p *params) {
	if code == 0 || p.n > 3 {
		t.emit(Unknown, b)
		return
	}
	field := 1
	if p.n == 1 && b[len(b)-1] >= 'A' && b[len(b)-1] <= 'Z' {
		field = 0
	}
	k := Key{Code: code, Mods: modifiers(p.at(field, 0, 1)), Action: action(p.at(field, 1, 1))}
	if b[len(b)-1] == 'Z' {
		k.Mods |= Shift
	}
	t.key(b, k)
}

// modifiers reads a modifier parameter: one more than the set of bits.
func modifiers(n int) Mod {
	if n < 1 || n > 256 {
		return 0
	}
	return Mod(n - 1)
}

// action reads an event type of the kitty protocol.
func action(n int) Action {
	switch n {
	case 2:
		return Repeat
	case 3:
		return Release
	}
	return Press
}
