package vt

// modeID is a mode that is on or off.
type modeID uint8

const (
	modeCursorKeys  modeID = iota // DECCKM
	modeColumns                   // DECCOLM, remembered only
	modeReverse                   // DECSCNM
	modeOrigin                    // DECOM, kept in the cursor
	modeWrap                      // DECAWM
	modeBlink                     // the cursor blinks
	modeCursor                    // DECTCEM
	modeReverseWrap               //
	modeKeypad                    // DECNKM
	modeBackspace                 // DECBKM
	modeMargins                   // DECLRMM
	modeFocus                     //
	modeAltScroll                 //
	modePaste                     // bracketed paste
	modeSync                      // synchronized update
	modeScheme                    // colour scheme updates
	modeResize                    // in-band resize reports
	modeInsert                    // IRM
	modeNewLine                   // LNM
	modeLocked                    // KAM, remembered only
)

type modeSet uint32

func (m modeSet) has(id modeID) bool { return m>>id&1 != 0 }

func (m *modeSet) set(id modeID, on bool) {
	*m &^= 1 << id
	if on {
		*m |= 1 << id
	}
}

// defaultModes are those of a new terminal. Wheel events become arrows on the
// alternate screen unless a program says otherwise, as users expect in pagers.
const defaultModes = modeSet(1<<modeWrap | 1<<modeCursor | 1<<modeAltScroll)

func (e *Emulator) mode(id modeID) bool { return e.modes.has(id) }

// privateModes are the modes of DECSET that are a flag and little else; those
// with state of their own are in setDECMode.
var privateModes = map[int]modeID{
	1: modeCursorKeys, 3: modeColumns, 5: modeReverse, 6: modeOrigin, 7: modeWrap, 12: modeBlink, 25: modeCursor,
	45: modeReverseWrap, 66: modeKeypad, 67: modeBackspace, 69: modeMargins, 1004: modeFocus, 1007: modeAltScroll,
	2004: modePaste, 2026: modeSync, 2031: modeScheme, 2048: modeResize,
}

var ansiModes = map[int]modeID{2: modeLocked, 4: modeInsert, 20: modeNewLine}

// Modes is what a program asked of its terminal, for whoever sends it keys and
// shows its screen.
type Modes struct {
	AppCursor      bool // mode 1
	AppKeypad      bool // mode 66, ESC =
	NewLine        bool // LNM: Enter sends CR LF
	BackspaceBS    bool // mode 67: Backspace sends 0x08
	BracketedPaste bool // mode 2004
	Focus          bool // mode 1004
	AltScreen      bool // the alternate screen is shown
	AltScroll      bool // mode 1007: the wheel is arrows on the alternate screen
	Reverse        bool // mode 5: the whole screen is drawn in reverse
	Sync           bool // mode 2026: a synchronized update is under way
	ColorScheme    bool // mode 2031: wants to know when the colour scheme changes
	InBandResize   bool // mode 2048: is told its size in-band
	// Mouse is the tracking mode, by its number: 0, 9, 1000, 1002 or 1003.
	Mouse uint16
	// MouseEncoding is 0, 1005, 1006, 1015 or 1016.
	MouseEncoding   uint16
	ModifyOtherKeys uint8 // 0, 1 or 2
	Kitty           uint8 // flags of the kitty keyboard protocol
	CellW, CellH    int   // pixels of a cell, 0 if unknown
}

// Modes returns the modes as they are now.
func (e *Emulator) Modes() Modes {
	m := e.modes
	return Modes{
		AppCursor: m.has(modeCursorKeys), AppKeypad: m.has(modeKeypad), NewLine: m.has(modeNewLine),
		BackspaceBS: m.has(modeBackspace), BracketedPaste: m.has(modePaste), Focus: m.has(modeFocus),
		AltScreen: e.buf == &e.alt, AltScroll: m.has(modeAltScroll), Reverse: m.has(modeReverse),
		Sync: m.has(modeSync), ColorScheme: m.has(modeScheme), InBandResize: m.has(modeResize),
		Mouse: e.mouse, MouseEncoding: e.mouseEnc, ModifyOtherKeys: e.modifyKey,
		Kitty: e.buf.kitty.flags(), CellW: e.cellW, CellH: e.cellH,
	}
}

// ReleaseSync ends a synchronized update that took too long.
func (e *Emulator) ReleaseSync() {
	if e.mode(modeSync) {
		e.modes.set(modeSync, false)
		e.changed = true
		e.commit()
	}
}

func (e *Emulator) setANSI(s *sequence)   { e.eachMode(s, e.setANSIMode, true) }
func (e *Emulator) resetANSI(s *sequence) { e.eachMode(s, e.setANSIMode, false) }
func (e *Emulator) setDEC(s *sequence)    { e.eachMode(s, e.setDECMode, true) }
func (e *Emulator) resetDEC(s *sequence)  { e.eachMode(s, e.setDECMode, false) }

func (e *Emulator) eachMode(s *sequence, set func(n int, on bool), on bool) {
	for i := range s.n {
		set(s.value(i, 0), on)
	}
}

func (e *Emulator) setANSIMode(n int, on bool) {
	if id, ok := ansiModes[n]; ok {
		e.modes.set(id, on)
	}
}

func (e *Emulator) setDECMode(n int, on bool) {
	if id, ok := privateModes[n]; ok {
		e.modes.set(id, on)
	}
	switch n {
	case 3:
		e.columnMode()
	case 6:
		e.cur.origin = on
		e.moveTo(0, 0)
	case 7: // without autowrap nothing waits to wrap
		e.cur.wrap = e.cur.wrap && on
	case 69: // margins are forgotten either way
		e.left, e.right = 0, e.cols-1
		e.allSingle()
	case 9, 1000, 1002, 1003: // resetting any of them ends tracking, as in xterm
		e.mouse = 0
		if on {
			e.mouse = uint16(n)
		}
	case 1005, 1006, 1015, 1016:
		if on {
			e.mouseEnc = uint16(n)
		} else if int(e.mouseEnc) == n {
			e.mouseEnc = 0
		}
	case 47, 1047, 1049:
		e.switchScreen(n, on)
	case 1048:
		if on {
			e.saveCursor()
		} else {
			e.restoreCursor()
		}
	case 2048:
		if on {
			e.reportSize()
		}
	}
}

// columnMode does what DECCOLM does besides changing the width, which belongs
// to the pane: clears the screen, resets the margins, homes the cursor.
func (e *Emulator) columnMode() {
	e.resetMargins()
	e.modes.set(modeMargins, false)
	e.eraseScreen()
	e.moveTo(0, 0)
}

// switchScreen changes between main and alternate screen as modes 47, 1047 and
// 1049 do. Only 1049 saves and restores the cursor, and only when the screen
// really changes: an unpaired reset must not move it.
func (e *Emulator) switchScreen(n int, on bool) {
	if on == (e.buf == &e.alt) {
		return
	}
	if on {
		if n == 1049 {
			e.saveCursor()
		}
		if e.alt.grid == nil {
			e.alt.grid = newGrid(e.cols, e.rows)
		}
		e.buf = &e.alt
		if n == 1049 {
			e.eraseScreen()
		}
	} else {
		if n == 1047 {
			e.eraseScreen()
		}
		e.buf = &e.main
		if n == 1049 {
			e.restoreCursor()
		}
	}
	e.buf.grid.allGen = e.next
	e.changed = true
}

// fixedModes are modes that are known and cannot be changed, with what DECRQM
// says of them: 3 always set, 4 always reset.
var fixedModes = map[int]int{
	2: 3, 4: 4, 8: 3, 10: 4, 18: 4, 19: 4, 35: 4, 40: 4, 42: 4, 44: 4, 46: 4, 80: 4, 95: 4, 1001: 4, 1010: 4, 1034: 4,
	1036: 3, 1039: 3, 1048: 1, 1070: 4, 2027: 3, 8452: 4,
}

// fixedANSIModes are those of ECMA-48; 12 is set because nothing is echoed here.
var fixedANSIModes = map[int]int{
	1: 4, 3: 4, 5: 4, 7: 4, 10: 4, 11: 4, 12: 3, 13: 4, 14: 4, 15: 4, 16: 4, 17: 4, 18: 4, 19: 4,
}

// modeState returns what DECRQM says of a private mode: 0 unknown, 1 set,
// 2 reset, 3 always set, 4 always reset.
func (e *Emulator) modeState(n int) int {
	if n == 6 {
		return onOff(e.cur.origin)
	}
	if id, ok := privateModes[n]; ok {
		return onOff(e.mode(id))
	}
	switch n {
	case 9, 1000, 1002, 1003:
		return onOff(int(e.mouse) == n)
	case 1005, 1006, 1015, 1016:
		return onOff(int(e.mouseEnc) == n)
	case 47, 1047, 1049:
		return onOff(e.buf == &e.alt)
	}
	return fixedModes[n]
}

// ansiModeState is modeState for the modes of ECMA-48.
func (e *Emulator) ansiModeState(n int) int {
	if id, ok := ansiModes[n]; ok {
		return onOff(e.mode(id))
	}
	return fixedANSIModes[n]
}

func onOff(on bool) int {
	if on {
		return 1
	}
	return 2
}

// savedModes is what XTSAVE saved.
type savedModes struct {
	set             modeSet
	mouse, mouseEnc uint16
	origin, ok      bool
}

// saveModes is XTSAVE. It saves all modes whatever it names: only those that are
// named when they are restored count.
func (e *Emulator) saveModes(*sequence) {
	e.savedMode = savedModes{e.modes, e.mouse, e.mouseEnc, e.cur.origin, true}
}

// restoreModes is XTRESTORE for the named modes.
func (e *Emulator) restoreModes(s *sequence) {
	was := e.savedMode
	if !was.ok {
		return
	}
	for i := range s.n {
		n := s.value(i, 0)
		switch n {
		case 3: // would clear the screen
		case 6:
			e.setDECMode(n, was.origin)
		case 9, 1000, 1002, 1003:
			e.mouse = was.mouse
		case 1005, 1006, 1015, 1016:
			e.mouseEnc = was.mouseEnc
		default:
			if id, ok := privateModes[n]; ok {
				e.setDECMode(n, was.set.has(id))
			}
		}
	}
}
