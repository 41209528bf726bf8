package vt

// escapes holds the escape sequences without an intermediate.
var escapes = [128]action{
	'7': func(e *Emulator, _ *sequence) { e.saveCursor() },
	'8': func(e *Emulator, _ *sequence) { e.restoreCursor() },
	'6': func(e *Emulator, _ *sequence) { e.backIndex() },
	'9': func(e *Emulator, _ *sequence) { e.forwardIndex() },
	'=': func(e *Emulator, _ *sequence) { e.modes.set(modeKeypad, true) },
	'>': func(e *Emulator, _ *sequence) { e.modes.set(modeKeypad, false) },
	'D': func(e *Emulator, _ *sequence) { e.index() },
	'E': func(e *Emulator, _ *sequence) { e.carriageReturn(); e.index() },
	'H': func(e *Emulator, _ *sequence) { e.tabs[e.cur.x] = true },
	'M': func(e *Emulator, _ *sequence) { e.reverseIndex() },
	'N': func(e *Emulator, _ *sequence) { e.single = 2 },
	'O': func(e *Emulator, _ *sequence) { e.single = 3 },
	'Z': (*Emulator).primaryAttributes,
	'c': func(e *Emulator, _ *sequence) { e.reset() },
	'n': func(e *Emulator, _ *sequence) { e.cur.gl = 2 },
	'o': func(e *Emulator, _ *sequence) { e.cur.gl = 3 },
}

// escape carries out an escape sequence; unknown ones do nothing.
func (e *Emulator) escape(s *sequence) {
	e.fresh, e.single = false, 0
	if s.ninter == 0 {
		if f := escapes[s.final]; f != nil {
			f(e, s)
		}
		return
	}
	switch s.inter[0] {
	case '#':
		if s.ninter == 1 {
			e.lineAttribute(s.final)
		}
	case '(', ')', '*', '+', '-', '.', '/':
		e.designate(s)
	}
}

// lineAttribute is DECALN, or one of those that make a line double or single.
func (e *Emulator) lineAttribute(final byte) {
	switch final {
	case '3', '4', '6':
		e.doubleLine(true)
	case '5':
		e.doubleLine(false)
	case '8':
		e.alignment()
	}
}

// control carries out a C0 control.
func (e *Emulator) control(b byte) {
	e.fresh = false
	switch b {
	case 0x07:
		e.emit(BellEvent{})
	case 0x08:
		e.backspace()
	case 0x09:
		e.tab(1)
	case 0x0a, 0x0b, 0x0c:
		e.index()
		if e.mode(modeNewLine) {
			e.carriageReturn()
		}
	case 0x0d:
		e.carriageReturn()
	case 0x0e:
		e.cur.gl = 1
	case 0x0f:
		e.cur.gl = 0
	}
}

// backIndex is DECBI: left, or the margins' rectangle right at its left edge.
func (e *Emulator) backIndex() {
	if e.cur.x == e.left && e.insideMargins() {
		e.scrollSideways(-1)
		return
	}
	e.back(1)
}

// forwardIndex is DECFI.
func (e *Emulator) forwardIndex() {
	if e.cur.x == e.right && e.insideMargins() {
		e.scrollSideways(1)
		return
	}
	e.forward(1)
}

// reset is RIS. The history stays: it is the person's, not the program's.
func (e *Emulator) reset() {
	e.resetState()
	if e.alt.grid != nil {
		e.buf = &e.alt
		e.eraseScreen()
	}
	e.buf = &e.main
	e.eraseScreen()
	e.main.grid.allGen = e.next
	e.tabs.reset()
	e.titles = nil
	e.colors.reset()
	e.setTitle("")
	e.emit(ResetEvent{})
}

// ResetModes ends what a program that died left behind: a sequence that was cut
// short, the alternate screen, and all modes. Text, title and history stay.
func (e *Emulator) ResetModes() {
	e.parser = parser{}
	e.switchScreen(1049, false)
	x, y := e.cur.x, e.cur.y
	e.resetState()
	e.moveTo(x, y)
	e.changed = true
	e.commit()
}

// softReset is DECSTR. It leaves the screen, the cursor's position and the
// other screen's saved cursor alone.
func (e *Emulator) softReset() {
	x, y := e.cur.x, e.cur.y
	e.cur = cursor{x: x, y: y}
	e.buf.saved = cursor{}
	e.penChanged()
	e.modes.set(modeCursor, true)
	e.modes.set(modeInsert, false)
	e.modes.set(modeOrigin, false)
	e.modes.set(modeWrap, true)
	e.modes.set(modeCursorKeys, false)
	e.modes.set(modeKeypad, false)
	e.modes.set(modeMargins, false)
	e.buf.kitty, e.modifyKey = kittyStack{}, 0
	e.single = 0
	e.resetMargins()
}
