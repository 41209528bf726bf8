package keys

import (
	"unicode"
	"unicode/utf8"
)

// The flags of the kitty keyboard protocol ("Progressive enhancement").
const (
	flagDisambiguate = 1 << iota
	flagEvents
	flagAlternates
	flagAll
	flagText
)

// The kitty protocol numbers keys without a character in the private use area.
const (
	firstFunctional = 57344
	lastFunctional  = 63743
	numberCapsLock  = 57358
	numberF13       = 57376
	numberKeypad0   = 57399
	numberLeft      = 57417 // of the keypad, as the following
	numberBegin     = 57427
	numberShift     = 57441
	numberLevel5    = 57454
)

// keypadMotion are the keypad's keys from numberLeft to numberBegin, as keys
// that legacy programs know.
var keypadMotion = [...]Code{Left, Right, Up, Down, PageUp, PageDown, Home, End, Insert, Delete, Begin}

// numbered is the key with number n of CSI u.
func numbered(n int) Key {
	switch {
	case n == 27:
		return Key{Code: Escape}
	case n == 13:
		return Key{Code: Enter}
	case n == 9:
		return Key{Code: Tab}
	case n == 127 || n == 8:
		return Key{Code: Backspace}
	case n >= numberCapsLock && n < numberCapsLock+6:
		return Key{Code: CapsLockKey + Code(n-numberCapsLock)}
	case n >= numberF13 && n < numberKeypad0:
		return Key{Code: F1 + 12 + Code(n-numberF13)}
	case n >= numberKeypad0 && n < numberLeft:
		return Key{Code: Keypad0 + Code(n-numberKeypad0)}
	case n >= firstFunctional && n <= lastFunctional:
		return Key{Code: OtherKey, Functional: n}
	case n > 0 && n < 0x20:
		k := control(byte(n))
		return k
	case !utf8.ValidRune(rune(n)):
		return Key{}
	}
	return typed(rune(n))
}

// number is the inverse of numbered.
func number(k Key) int {
	switch c := k.Code; {
	case c == Escape:
		return 27
	case c == Enter:
		return 13
	case c == Tab:
		return 9
	case c == Backspace:
		return 127
	case c >= CapsLockKey && c <= Menu:
		return numberCapsLock + int(c-CapsLockKey)
	case c >= F1+12 && c <= F35:
		return numberF13 + int(c-F1-12)
	case c >= Keypad0 && c <= KeypadSeparator:
		return numberKeypad0 + int(c-Keypad0)
	case c == OtherKey:
		return k.Functional
	case c < Escape:
		return int(c)
	}
	return 0
}

// unicode adds a key in the form CSI number:shifted:base ; modifiers:event ;
// text u.
func (t *Tokenizer) unicode(b, body []byte, p *params) {
	n := p.at(0, 0, 1)
	k := numbered(n)
	text := textField(body)
	if k.Code == 0 && text == "" || p.n > 3 {
		t.emit(Unknown, b)
		return
	}
	k.Mods |= modifiers(p.at(1, 0, 1))
	k.Action = action(p.at(1, 1, 1))
	if s := rune(p.at(0, 1, 0)); s != 0 && utf8.ValidRune(s) {
		k.Shifted = s
	}
	if s := rune(p.at(0, 2, 0)); s != 0 && utf8.ValidRune(s) {
		k.Base = s
	}
	k.Text = text
	t.key(b, k)
}

// textField reads the third field of CSI u: code points separated by colons.
func textField(body []byte) string {
	field, v := 0, 0
	var out []byte
	for i := 0; i <= len(body); i++ {
		switch {
		case i < len(body) && body[i] >= '0' && body[i] <= '9':
			v = min(v*10+int(body[i]-'0'), maxParam)
			continue
		case field == 2 && v >= 0x20 && v != 0x7f && (v < 0x80 || v >= 0xa0) && utf8.ValidRune(rune(v)):
			out = utf8.AppendRune(out, rune(v))
		}
		v = 0
		if i < len(body) && body[i] == ';' {
			field++
		}
	}
	return string(out)
}

// otherKey adds a key in the form of modifyOtherKeys, CSI 27 ; modifiers ;
// character ~, whose character has Shift applied.
func (t *Tokenizer) otherKey(b []byte, p *params) {
	k := numbered(p.at(2, 0, 0))
	if k.Code == 0 {
		t.emit(Unknown, b)
		return
	}
	k.Mods |= modifiers(p.at(1, 0, 1))
	t.key(b, k)
}

// modifierKey says whether k is a modifier or lock by itself.
func modifierKey(k Key) bool {
	return k.Code == CapsLockKey || k.Code == NumLockKey || k.Code == ScrollLock ||
		k.Code == OtherKey && k.Functional >= numberShift && k.Functional <= numberLevel5
}

// shifted is the character that k gives with Shift, as far as it is known:
// what the terminal told, the upper case of a letter, or what a US keyboard
// has.
func shifted(k Key) rune {
	r := rune(k.Code)
	switch {
	case k.Shifted != 0:
		return k.Shifted
	case r < 'a' || r > 'z' && r < 0x80:
		return usShift(r)
	}
	return unicode.ToUpper(r)
}

// usShift is what a US keyboard gives for r with Shift.
func usShift(r rune) rune {
	const plain, shift = "`1234567890-=[]\\;',./", "~!@#$%^&*()_+{}|:\"<>?"
	for i := range len(plain) {
		if rune(plain[i]) == r {
			return rune(shift[i])
		}
	}
	return r
}
