package keys

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// named are the keys with a name, the one that String gives first; the others
// are tmux's and what people write.
var named = []struct {
	code  Code
	names []string
}{
	{Escape, []string{"Escape", "Esc"}},
	{Enter, []string{"Enter", "Return", "CR"}},
	{Tab, []string{"Tab"}},
	{Backspace, []string{"Backspace", "BSpace", "BS"}},
	{' ', []string{"Space"}},
	{Insert, []string{"Insert", "IC", "Ins"}},
	{Delete, []string{"Delete", "DC", "Del"}},
	{Left, []string{"Left"}},
	{Right, []string{"Right"}},
	{Up, []string{"Up"}},
	{Down, []string{"Down"}},
	{PageUp, []string{"PageUp", "PgUp", "PPage"}},
	{PageDown, []string{"PageDown", "PgDn", "PgDown", "NPage"}},
	{Home, []string{"Home"}},
	{End, []string{"End"}},
	{Begin, []string{"Begin"}},
	{CapsLockKey, []string{"CapsLock"}},
	{ScrollLock, []string{"ScrollLock"}},
	{NumLockKey, []string{"NumLock"}},
	{PrintScreen, []string{"PrintScreen", "Print"}},
	{Pause, []string{"Pause"}},
	{Menu, []string{"Menu"}},
	{KeypadDecimal, []string{"KP."}},
	{KeypadDivide, []string{"KP/"}},
	{KeypadMultiply, []string{"KP*"}},
	{KeypadSubtract, []string{"KP-"}},
	{KeypadAdd, []string{"KP+"}},
	{KeypadEnter, []string{"KPEnter"}},
	{KeypadEqual, []string{"KP="}},
	{KeypadSeparator, []string{"KP,"}},
}

// prefixes are the modifiers in names, in the order String writes them. The
// letters are tmux's.
var prefixes = []struct {
	mod   Mod
	names []string
}{
	{Ctrl, []string{"C-", "Ctrl-", "Ctrl+", "Control-"}},
	{Alt, []string{"M-", "Alt-", "Alt+", "A-"}},
	{Shift, []string{"S-", "Shift-", "Shift+"}},
	{Super, []string{"Super-", "Super+", "Cmd-"}},
	{Hyper, []string{"Hyper-", "Hyper+"}},
	{Meta, []string{"Meta-", "Meta+"}},
}

// byName finds a key's code by its name in lower case.
var byName = func() map[string]Code {
	m := map[string]Code{}
	for _, k := range named {
		for _, n := range k.names {
			m[strings.ToLower(n)] = k.code
		}
	}
	for i := range Code(35) {
		m["f"+strconv.Itoa(int(i)+1)] = F1 + i
	}
	for i := range Code(10) {
		m["kp"+strconv.Itoa(int(i))] = Keypad0 + i
	}
	return m
}()

// Parse reads a key's name: a character ("é"), a named key ("F5", "PageUp",
// tmux's "PPage", "BTab"), either after modifiers ("C-a", "M-S-Up", "^a").
// Names and modifiers may be in any case; a capital letter is Shift with it,
// except after C-, where Shift has to be written out.
func Parse(name string) (Key, error) {
	rest, mods := name, Mod(0)
	for {
		cut, mod := cutPrefix(rest)
		if mod == 0 {
			break
		}
		rest, mods = cut, mods|mod
	}
	k, ok := parseBare(rest)
	if !ok {
		return Key{}, fmt.Errorf("unknown key: %s", name)
	}
	if mods&Ctrl != 0 && k.Code < Escape {
		k.Mods, k.Shifted = 0, 0
	}
	k.Mods |= mods
	return k, nil
}

// cutPrefix takes a modifier off the front of s, where something is left.
func cutPrefix(s string) (string, Mod) {
	if len(s) > 1 && s[0] == '^' {
		return s[1:], Ctrl
	}
	for _, p := range prefixes {
		for _, n := range p.names {
			if len(s) > len(n) && strings.EqualFold(s[:len(n)], n) {
				return s[len(n):], p.mod
			}
		}
	}
	return s, 0
}

// parseBare reads a name without modifiers.
func parseBare(s string) (Key, bool) {
	if r, n := utf8.DecodeRuneInString(s); n > 0 && n == len(s) {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return Key{}, false
		}
		return typed(r), true
	}
	low := strings.ToLower(s)
	if c, ok := byName[low]; ok {
		return Key{Code: c}, true
	}
	if low == "btab" {
		return Key{Code: Tab, Mods: Shift}, true
	}
	if d, ok := strings.CutPrefix(low, "key"); ok {
		n, err := strconv.Atoi(d)
		if err == nil && n >= firstFunctional && n <= lastFunctional {
			return numbered(n), true
		}
	}
	if d, ok := strings.CutPrefix(low, "u+"); ok {
		n, err := strconv.ParseUint(d, 16, 32)
		if err == nil && n > 0 && n <= unicode.MaxRune {
			return Key{Code: Code(n)}, true
		}
	}
	return Key{}, false
}

// String returns the key's name, which Parse reads: "C-a", "M-A", "S-F5",
// "Enter". Press, repeat and release, and the locks, are not in it.
func (k Key) String() string {
	mods, name := k.Mods&^locks, bareName(k)
	if r := rune(k.Code); mods&Shift != 0 && mods&Ctrl == 0 && k.Code < Escape {
		if up := unicode.ToUpper(r); up != r && typed(up).Code == k.Code {
			mods &^= Shift
			name = string(up)
		}
	}
	var b strings.Builder
	for _, p := range prefixes {
		if mods&p.mod != 0 {
			b.WriteString(p.names[0])
		}
	}
	b.WriteString(name)
	return b.String()
}

// bareName is the name of k without modifiers.
func bareName(k Key) string {
	for _, n := range named {
		if n.code == k.Code {
			return n.names[0]
		}
	}
	switch r := rune(k.Code); {
	case k.Code >= F1 && k.Code <= F35:
		return "F" + strconv.Itoa(int(k.Code-F1)+1)
	case k.Code >= Keypad0 && k.Code <= Keypad9:
		return "KP" + strconv.Itoa(int(k.Code-Keypad0))
	case k.Code == OtherKey:
		return "Key" + strconv.Itoa(k.Functional)
	case k.Code == 0:
		return k.Text
	case typed(r).Code == k.Code && unicode.IsGraphic(r) && utf8.ValidRune(r) && r != utf8.RuneError:
		return string(r)
	}
	return fmt.Sprintf("U+%04X", int(k.Code))
}
