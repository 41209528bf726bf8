package term

import (
	"deck/term/keys"
	"deck/term/vt"
)

// newEmulator returns the emulator of a new pane, or of one that begins anew
// after a panic.
func newEmulator(s Spec) *vt.Emulator {
	e := vt.New(s.Cols, s.Rows, vt.Options{History: s.History, Version: s.Version})
	if s.CellW > 0 && s.CellH > 0 {
		e.SetPixels(s.CellW, s.CellH)
	}
	setColors(e, s.Colors)
	return e
}

// setColors tells an emulator the colours that are known.
func setColors(e *vt.Emulator, c Colors) {
	e.SetColors(c.Fg, c.Bg, c.Cursor)
	for n, v := range c.Palette {
		e.SetPalette(uint8(n), v)
	}
}

// keyModes is what of the emulator's modes concerns keyboard and mouse.
func keyModes(m vt.Modes) keys.Modes {
	k := keys.Modes{
		AppCursor: m.AppCursor, AppKeypad: m.AppKeypad, NewLine: m.NewLine, BackspaceBS: m.BackspaceBS,
		BracketedPaste: m.BracketedPaste, Focus: m.Focus, AltScreen: m.AltScreen, AltScroll: m.AltScroll,
		ModifyOtherKeys: m.ModifyOtherKeys, Kitty: m.Kitty, CellW: m.CellW, CellH: m.CellH,
	}
	switch m.Mouse {
	case 9:
		k.Mouse = keys.MouseX10
	case 1000:
		k.Mouse = keys.MouseNormal
	case 1002:
		k.Mouse = keys.MouseButton
	case 1003:
		k.Mouse = keys.MouseAny
	}
	switch m.MouseEncoding {
	case 1005:
		k.MouseEncoding = keys.MouseUTF8
	case 1006:
		k.MouseEncoding = keys.MouseSGR
	case 1015:
		k.MouseEncoding = keys.MouseURXVT
	case 1016:
		k.MouseEncoding = keys.MouseSGRPixels
	}
	return k
}
