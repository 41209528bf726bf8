package cli

import "strings"

// leaveSequences give a terminal back that nobody else will give back: the
// server sends its own when it ends a client, but a server that was killed
// cannot. Each undoes one thing, whether or not it was done. The keyboard's
// are on the alternate screen's own stack, so they go before that is left.
var leaveSequences = []string{
	"\x18",        // CAN: end a sequence that was cut off
	"\x1b\\",      // ST: end a string that was cut off
	"\x1b[?2026l", // synchronized output
	"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l",      // mouse
	"\x1b[?1004l\x1b[?2004l",                            // focus, bracketed paste
	"\x1b[?2031l\x1b[?2048l",                            // reports of colour scheme and size
	"\x1b[<u\x1b[>4m",                                   // kitty keyboard, modifyOtherKeys
	"\x1b[?1l\x1b>",                                     // cursor keys, keypad
	"\x1b[?2027l\x1b[?69l\x1b[r\x1b[?6l\x1b[?7h\x1b[4l", // graphemes, margins, origin, wrap, insert
	"\x1b(B\x0f\x1b]8;;\x1b\\\x1b[0m",                   // character set, link, style
	"\x1b[?25h\x1b[0 q",                                 // cursor
	"\x1b[?1049l",                                       // alternate screen
	"\x1b[23;2t",                                        // title
}

// leave returns what puts the terminal called name out of deck's hands. The
// console of Linux prints parts of what it does not know, so it gets less.
func leave(name string) []byte {
	s := strings.Join(leaveSequences, "")
	if name == "linux" {
		s = strings.NewReplacer("\x1b[<u\x1b[>4m", "", "\x1b[0 q", "", "\x1b[23;2t", "", "\x1b]8;;\x1b\\", "").Replace(s)
	}
	return []byte(s)
}
