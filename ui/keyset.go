package ui

import (
	"unicode/utf8"

	"deck/term/keys"

	tea "charm.land/bubbletea/v2"
)

// keyset is a few keys that mean the same.
type keyset []keys.Key

// keysOf returns the keys of some names.
func keysOf(names ...string) keyset {
	var set keyset
	for _, n := range names {
		if k, err := keys.Parse(n); err == nil {
			set = append(set, k)
		}
	}
	return set
}

// has compares as a person would: however the terminal encoded the key.
func (s keyset) has(k keys.Key) bool {
	for _, one := range s {
		if k.Is(one) {
			return true
		}
	}
	return false
}

// What moves and ends things in every overlay.
var (
	acceptKeys   = keysOf("Enter", "C-m", "C-j", "KPEnter")
	cancelKeys   = keysOf("Escape", "C-c", "C-g")
	upKeys       = keysOf("Up", "C-p")
	downKeys     = keysOf("Down", "C-n")
	pageUpKeys   = keysOf("PageUp")
	pageDownKeys = keysOf("PageDown")
	tabKeys      = keysOf("Tab")
)

var teaCodes = map[keys.Code]rune{
	keys.Escape: tea.KeyEscape, keys.Enter: tea.KeyEnter, keys.Tab: tea.KeyTab, keys.Backspace: tea.KeyBackspace,
	keys.Delete: tea.KeyDelete, keys.Left: tea.KeyLeft, keys.Right: tea.KeyRight, keys.Up: tea.KeyUp, keys.Down: tea.KeyDown,
	keys.PageUp: tea.KeyPgUp, keys.PageDown: tea.KeyPgDown, keys.Home: tea.KeyHome, keys.End: tea.KeyEnd, keys.KeypadEnter: tea.KeyEnter,
}

// teaKey returns a key as the components of bubbles know it.
func teaKey(k keys.Key) tea.KeyPressMsg {
	msg := tea.KeyPressMsg{Text: k.Text}
	for _, m := range []struct {
		ours   keys.Mod
		theirs tea.KeyMod
	}{{keys.Shift, tea.ModShift}, {keys.Alt, tea.ModAlt}, {keys.Ctrl, tea.ModCtrl}} {
		if k.Mods&m.ours != 0 {
			msg.Mod |= m.theirs
		}
	}
	if code, ok := teaCodes[k.Code]; ok {
		msg.Code, msg.Text = code, ""
		return msg
	}
	if k.Code <= utf8.MaxRune {
		msg.Code = rune(k.Code)
		if msg.Text == "" && msg.Mod&^tea.ModShift == 0 {
			msg.Text = string(typed(k))
		}
	}
	return msg
}

// typed is the character that a key without Ctrl and Alt gives.
func typed(k keys.Key) rune {
	if k.Mods&keys.Shift != 0 && k.Shifted != 0 {
		return k.Shifted
	}
	return rune(k.Code)
}

// letter returns the character of a key that types one, else 0.
func letter(k keys.Key) rune {
	if k.Code > utf8.MaxRune || k.Mods&(keys.Ctrl|keys.Alt|keys.Super|keys.Hyper|keys.Meta) != 0 {
		return 0
	}
	if r, n := utf8.DecodeRuneInString(k.Text); n > 0 {
		return r
	}
	return typed(k)
}
