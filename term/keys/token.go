package keys

import "bytes"

// Kind says what a token is.
type Kind uint8

const (
	// Text is printable text (UTF-8, or bytes that are not): one token for a
	// run of it.
	Text Kind = iota
	// KeyPress is one key that is not plain text: a control byte, an escape
	// sequence, Alt with a character, a key in a kitty or modifyOtherKeys form.
	KeyPress
	// MouseEvent is one mouse report.
	MouseEvent
	// PasteStart begins a bracketed paste, whose text comes in chunks.
	PasteStart
	// PasteText is a chunk of a paste, as it arrived.
	PasteText
	// PasteEnd ends a paste.
	PasteEnd
	// FocusIn says that the terminal got the focus.
	FocusIn
	// FocusOut says that it lost it.
	FocusOut
	// Reply is an answer of the terminal (DA, DECRPM, OSC 10/11/52, kitty
	// flags, XTVERSION, window size, …): for deck, never for a program.
	Reply
	// Unknown is a whole sequence that is none of these; it is not typed.
	Unknown
)

// Token is one piece of what a terminal sent. Raw holds its very bytes; the
// tokens of a stream, joined, are the stream. Raw may share memory with what
// was fed: it is good until the next call of Feed or Flush, and for as long as
// the fed slice is left alone.
type Token struct {
	Kind  Kind
	Raw   []byte
	Key   Key   // of a KeyPress
	Mouse Mouse // of a MouseEvent
}

// Clone is a copy of t that may be kept.
func (t Token) Clone() Token {
	t.Raw = bytes.Clone(t.Raw)
	return t
}

// Mod is a set of modifiers, numbered as in the kitty keyboard protocol.
type Mod uint8

// The modifiers.
const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
	Super
	Hyper
	Meta
	CapsLock
	NumLock
)

// Action is what happened to a key.
type Action uint8

// locks are the modifiers that stay on by themselves.
const locks = CapsLock | NumLock

// The actions; terminals without the kitty protocol only press.
const (
	Press Action = iota
	Repeat
	Release
)

// Code is a key: the rune its unshifted legend has, or one of the named keys,
// which lie above Unicode.
type Code rune

// The named keys.
const (
	Escape Code = 0x110000 + iota
	Enter
	Tab
	Backspace
	Insert
	Delete
	Left
	Right
	Up
	Down
	PageUp
	PageDown
	Home
	End
	Begin
	CapsLockKey
	ScrollLock
	NumLockKey
	PrintScreen
	Pause
	Menu
	Keypad0
	Keypad1
	Keypad2
	Keypad3
	Keypad4
	Keypad5
	Keypad6
	Keypad7
	Keypad8
	Keypad9
	KeypadDecimal
	KeypadDivide
	KeypadMultiply
	KeypadSubtract
	KeypadAdd
	KeypadEnter
	KeypadEqual
	KeypadSeparator
	OtherKey      // a key of the kitty protocol without a name here; see Key.Functional
	F1       Code = 0x110100
	F35      Code = F1 + 34
)

// Key is one key event. A letter is its lower case with Shift, whichever way
// the terminal said it; of other text the unshifted legend is known only where
// the terminal told it, else Code is the character itself.
type Key struct {
	Code       Code
	Mods       Mod
	Action     Action
	Shifted    rune // what the key gives with Shift, 0 if not told
	Base       rune // the same key on a US layout, 0 if not told
	Text       string
	Functional int // the kitty protocol's number of an OtherKey
}

// Button is a mouse button.
type Button uint8

// The buttons; NoButton is motion without one pressed.
const (
	NoButton Button = iota
	ButtonLeft
	ButtonMiddle
	ButtonRight
	WheelUp
	WheelDown
	WheelLeft
	WheelRight
	ButtonBack
	ButtonForward
)

// Mouse is one mouse event. X and Y are cells counted from 0.
type Mouse struct {
	X, Y    int
	Button  Button
	Mods    Mod
	Motion  bool // moved, with Button held
	Release bool
}

// MouseMode is which mouse events a program asked for (modes 9, 1000, 1002,
// 1003).
type MouseMode uint8

// The mouse modes.
const (
	MouseOff MouseMode = iota
	MouseX10
	MouseNormal
	MouseButton
	MouseAny
)

// MouseEncoding is how a program wants them (the default form, or modes 1005,
// 1006, 1015, 1016).
type MouseEncoding uint8

// The mouse encodings.
const (
	MouseDefault MouseEncoding = iota
	MouseUTF8
	MouseSGR
	MouseURXVT
	MouseSGRPixels
)

// Modes is what a program asked of its keyboard and mouse.
type Modes struct {
	AppCursor       bool // DECCKM, mode 1
	AppKeypad       bool // DECNKM, ESC =
	NewLine         bool // LNM: Enter sends CR LF
	BackspaceBS     bool // DECBKM, mode 67: Backspace sends 0x08
	BracketedPaste  bool // mode 2004
	Focus           bool // mode 1004
	AltScreen       bool // an alternate screen is shown
	AltScroll       bool // mode 1007: the wheel is arrows on it
	Mouse           MouseMode
	MouseEncoding   MouseEncoding
	ModifyOtherKeys uint8 // 0, 1 or 2
	Kitty           uint8 // the kitty protocol's flags, as they are now
	CellW, CellH    int   // pixels of a cell, 0 if unknown
}
