package vt

import (
	"fmt"

	"deck/term/screen"
)

// primaryAttributes is DA1: a VT220 with selective erase, colours and a
// clipboard that can be written.
func (e *Emulator) primaryAttributes(s *sequence) {
	if s.value(0, 0) == 0 {
		e.reply([]byte("\x1b[?62;6;22;52c"))
	}
}

// secondaryAttributes is DA2. Programs read the middle number as xterm's
// version and decide by it; 300 lets them use SGR mouse and bracketed paste.
func (e *Emulator) secondaryAttributes(s *sequence) {
	if s.value(0, 0) == 0 {
		e.reply([]byte("\x1b[>0;300;0c"))
	}
}

func (e *Emulator) tertiaryAttributes(s *sequence) {
	if s.value(0, 0) == 0 {
		e.reply([]byte("\x1bP!|00000000\x1b\\"))
	}
}

func (e *Emulator) reportVersion(s *sequence) {
	if s.value(0, 0) != 0 {
		return
	}
	v := e.opts.Version
	if v == "" {
		v = "0"
	}
	e.reply([]byte("\x1bP>|deck(" + clean([]byte(v), 64) + ")\x1b\\"))
}

// statusReport is DSR 5 and 6.
func (e *Emulator) statusReport(s *sequence) {
	switch s.value(0, 0) {
	case 5:
		e.reply([]byte("\x1b[0n"))
	case 6:
		e.reply(fmt.Appendf(nil, "\x1b[%d;%dR", e.line(), e.column()))
	}
}

// privateStatus answers the private DSRs that say the same whatever the state:
// no printer, keys not locked, a keyboard, no locator, no macros, intact
// memory, no sessions.
var privateStatus = map[int]string{
	15: "\x1b[?13n", 25: "\x1b[?20n", 26: "\x1b[?27;1;0;0n", 53: "\x1b[?50n", 55: "\x1b[?50n", 56: "\x1b[?57;0n",
	75: "\x1b[?70n", 85: "\x1b[?83n",
}

func (e *Emulator) privateStatusReport(s *sequence) {
	switch n := s.value(0, 0); n {
	case 6:
		e.reply(fmt.Appendf(nil, "\x1b[?%d;%dR", e.line(), e.column()))
	case 996:
		e.reportScheme()
	default:
		e.reply([]byte(privateStatus[n]))
	}
}

func (e *Emulator) reportPrivateMode(s *sequence) {
	n := s.value(0, 0)
	e.reply(fmt.Appendf(nil, "\x1b[?%d;%d$y", n, e.modeState(n)))
}

func (e *Emulator) reportANSIMode(s *sequence) {
	n := s.value(0, 0)
	e.reply(fmt.Appendf(nil, "\x1b[%d;%d$y", n, e.ansiModeState(n)))
}

// reportGraphics is XTSMGRAPHICS: there are none.
func (e *Emulator) reportGraphics(s *sequence) {
	e.reply(fmt.Appendf(nil, "\x1b[?%d;1;0S", s.value(0, 0)))
}

// The size of a cell in pixels that reports assume where nobody said.
const (
	assumedCellW = 8
	assumedCellH = 16
)

func (e *Emulator) cellSize() (w, h int) {
	if e.cellW > 0 && e.cellH > 0 {
		return e.cellW, e.cellH
	}
	return assumedCellW, assumedCellH
}

// windowOp is XTWINOPS: sizes and the stack of titles. The title itself is
// never reported, since what it says could be typed back into a shell.
func (e *Emulator) windowOp(s *sequence) {
	w, h := e.cellSize()
	switch s.value(0, 0) {
	case 11:
		e.reply([]byte("\x1b[1t"))
	case 13:
		e.reply([]byte("\x1b[3;0;0t"))
	case 14:
		e.reply(fmt.Appendf(nil, "\x1b[4;%d;%dt", e.rows*h, e.cols*w))
	case 15:
		e.reply(fmt.Appendf(nil, "\x1b[5;%d;%dt", e.rows*h, e.cols*w))
	case 16:
		e.reply(fmt.Appendf(nil, "\x1b[6;%d;%dt", h, w))
	case 18:
		e.reply(fmt.Appendf(nil, "\x1b[8;%d;%dt", e.rows, e.cols))
	case 19:
		e.reply(fmt.Appendf(nil, "\x1b[9;%d;%dt", e.rows, e.cols))
	case 22, 23:
		if s.value(1, 0) != 1 { // the icon's name, which is not kept
			e.titleStack(s.value(0, 0) == 22)
		}
	}
}

const maxTitles = 16

// titleStack saves the title or brings back the one that was saved last.
func (e *Emulator) titleStack(push bool) {
	n := len(e.titles)
	switch {
	case push && n < maxTitles:
		e.titles = append(e.titles, e.title)
	case !push && n > 0:
		e.setTitle(e.titles[n-1])
		e.titles = e.titles[:n-1]
	}
}

// reportSize is the in-band resize report of mode 2048.
func (e *Emulator) reportSize() {
	w, h := 0, 0
	if e.cellW > 0 && e.cellH > 0 {
		w, h = e.cols*e.cellW, e.rows*e.cellH
	}
	e.reply(fmt.Appendf(nil, "\x1b[48;%d;%d;%d;%dt", e.rows, e.cols, h, w))
}

// SetPixels says how many pixels a cell has; 0 for unknown.
func (e *Emulator) SetPixels(cellW, cellH int) {
	e.cellW, e.cellH = max(0, min(cellW, 1000)), max(0, min(cellH, 1000))
}

// cursorStyle is DECSCUSR.
func (e *Emulator) cursorStyle(s *sequence) {
	n := s.value(0, 0)
	if n > 6 {
		return
	}
	e.shape = screen.CursorShape((n + 1) / 2)
	e.modes.set(modeBlink, n%2 == 1)
}

func (e *Emulator) cursorStyleNumber() int {
	n := 2 * int(e.shape)
	if n > 0 && e.mode(modeBlink) {
		n--
	}
	return n
}
