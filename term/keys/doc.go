// Package keys turns a terminal's bytes into keys, mouse events, pastes and
// replies, and turns those into the bytes a program asked for. It exists as one
// place that knows both directions, so that a key arrives in a pane as if deck
// were not there: what needs no translation is passed on as the bytes it came
// in as.
//
// The forms are those of xterm's ctlseqs ("PC-Style Function Keys", "Mouse
// Tracking", "Bracketed Paste Mode") and modified-keys documents, of the kitty
// keyboard protocol, and what rxvt, the linux console and VTE send instead.
//
// # What a program without an extended mode cannot be told
//
// Some keys that a terminal with the kitty protocol or modifyOtherKeys reports
// have no legacy bytes. They lose a modifier rather than being lost:
//
//	key                                arrives as
//	Shift+Enter, Ctrl+Enter            CR
//	Alt+Enter with Shift or Ctrl       ESC CR
//	Shift+Escape, Ctrl+Escape          ESC
//	Shift+Backspace                    DEL
//	Ctrl+Backspace                     BS
//	Ctrl+Tab                           HT
//	Ctrl+Shift+Tab                     CSI Z
//	Shift+Space                        space
//	Ctrl+Shift+letter                  the byte of Ctrl+letter
//	Ctrl+I, Ctrl+M, Ctrl+[             HT, CR, ESC
//	Ctrl with 0 1 9 ; ' , . = and such the character
//	Super or Hyper with a character    nothing
//	keypad keys with the keypad as     the digit, sign or motion key
//	numbers
//	F21 to F35, media keys, modifiers  nothing
//	alone, releases
package keys
