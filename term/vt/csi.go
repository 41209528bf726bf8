package vt

// action carries out one kind of sequence.
type action func(e *Emulator, s *sequence)

// plainCSI holds the control sequences of ECMA-48 and their kin, those that are
// nothing but parameters and a final byte. An array, because every frame of
// every program goes through it.
var plainCSI = [128]action{
	'@': func(e *Emulator, s *sequence) { e.insertChars(s.num(0, 1)) },
	'A': func(e *Emulator, s *sequence) { e.up(s.num(0, 1)) },
	'B': func(e *Emulator, s *sequence) { e.down(s.num(0, 1)) },
	'C': func(e *Emulator, s *sequence) { e.forward(s.num(0, 1)) },
	'D': func(e *Emulator, s *sequence) { e.back(s.num(0, 1)) },
	'E': func(e *Emulator, s *sequence) { e.down(s.num(0, 1)); e.carriageReturn() },
	'F': func(e *Emulator, s *sequence) { e.up(s.num(0, 1)); e.carriageReturn() },
	'G': func(e *Emulator, s *sequence) { e.moveTo(s.num(0, 1)-1, e.line()-1) },
	'H': func(e *Emulator, s *sequence) { e.moveTo(s.num(1, 1)-1, s.num(0, 1)-1) },
	'I': func(e *Emulator, s *sequence) { e.tab(s.num(0, 1)) },
	'J': func(e *Emulator, s *sequence) { e.eraseDisplay(s.value(0, 0), false) },
	'K': func(e *Emulator, s *sequence) { e.eraseLine(s.value(0, 0), false) },
	'L': func(e *Emulator, s *sequence) { e.insertLines(s.num(0, 1)) },
	'M': func(e *Emulator, s *sequence) { e.deleteLines(s.num(0, 1)) },
	'P': func(e *Emulator, s *sequence) { e.deleteChars(s.num(0, 1)) },
	'S': func(e *Emulator, s *sequence) { e.scrollUp(s.num(0, 1)) },
	'T': func(e *Emulator, s *sequence) { e.scrollDownCSI(s) },
	'X': func(e *Emulator, s *sequence) { e.eraseChars(s.num(0, 1)) },
	'Z': func(e *Emulator, s *sequence) { e.backTab(s.num(0, 1)) },
	'^': func(e *Emulator, s *sequence) { e.scrollDown(s.num(0, 1)) },
	'`': func(e *Emulator, s *sequence) { e.moveTo(s.num(0, 1)-1, e.line()-1) },
	'a': func(e *Emulator, s *sequence) { e.moveTo(e.column()-1+s.num(0, 1), e.line()-1) },
	'b': (*Emulator).repeat,
	'c': (*Emulator).primaryAttributes,
	'd': func(e *Emulator, s *sequence) { e.moveTo(e.column()-1, s.num(0, 1)-1) },
	'e': func(e *Emulator, s *sequence) { e.moveTo(e.column()-1, e.line()-1+s.num(0, 1)) },
	'f': func(e *Emulator, s *sequence) { e.moveTo(s.num(1, 1)-1, s.num(0, 1)-1) },
	'g': (*Emulator).clearTabs,
	'h': (*Emulator).setANSI,
	'j': func(e *Emulator, s *sequence) { e.back(s.num(0, 1)) },
	'k': func(e *Emulator, s *sequence) { e.up(s.num(0, 1)) },
	'l': (*Emulator).resetANSI,
	'm': (*Emulator).selectGraphics,
	'n': (*Emulator).statusReport,
	'r': (*Emulator).setTopBottom,
	's': (*Emulator).setLeftRight,
	't': (*Emulator).windowOp,
	'u': func(e *Emulator, _ *sequence) { e.restoreCursor() },
}

// otherCSI holds the control sequences with a prefix or an intermediate.
var otherCSI = map[uint32]action{
	seqKey("?J"):  func(e *Emulator, s *sequence) { e.eraseDisplay(s.value(0, 0), true) },
	seqKey("?K"):  func(e *Emulator, s *sequence) { e.eraseLine(s.value(0, 0), true) },
	seqKey("?W"):  (*Emulator).resetTabs,
	seqKey("?h"):  (*Emulator).setDEC,
	seqKey("?l"):  (*Emulator).resetDEC,
	seqKey("?m"):  (*Emulator).reportModifyKeys,
	seqKey("?n"):  (*Emulator).privateStatusReport,
	seqKey("?r"):  (*Emulator).restoreModes,
	seqKey("?s"):  (*Emulator).saveModes,
	seqKey("?u"):  (*Emulator).reportKitty,
	seqKey("?S"):  (*Emulator).reportGraphics,
	seqKey("?$p"): (*Emulator).reportPrivateMode,
	seqKey("$p"):  (*Emulator).reportANSIMode,
	seqKey(">c"):  (*Emulator).secondaryAttributes,
	seqKey(">m"):  (*Emulator).setModifyKeys,
	seqKey(">n"):  (*Emulator).resetModifyKeys,
	seqKey(">q"):  (*Emulator).reportVersion,
	seqKey(">u"):  (*Emulator).pushKitty,
	seqKey("<u"):  (*Emulator).popKitty,
	seqKey("=u"):  (*Emulator).setKitty,
	seqKey("=c"):  (*Emulator).tertiaryAttributes,
	seqKey(" @"):  func(e *Emulator, s *sequence) { e.scrollSideways(s.num(0, 1)) },
	seqKey(" A"):  func(e *Emulator, s *sequence) { e.scrollSideways(-s.num(0, 1)) },
	seqKey(" q"):  (*Emulator).cursorStyle,
	seqKey("\"q"): (*Emulator).protect,
	seqKey("!p"):  func(e *Emulator, _ *sequence) { e.softReset() },
	seqKey("'}"):  func(e *Emulator, s *sequence) { e.insertColumns(s.num(0, 1)) },
	seqKey("'~"):  func(e *Emulator, s *sequence) { e.deleteColumns(s.num(0, 1)) },
	seqKey("$v"):  (*Emulator).copyArea,
	seqKey("$x"):  (*Emulator).fillArea,
	seqKey("$z"):  func(e *Emulator, s *sequence) { e.eraseArea(s, false) },
	seqKey("${"):  func(e *Emulator, s *sequence) { e.eraseArea(s, true) },
	seqKey("#{"):  (*Emulator).pushGraphics,
	seqKey("#p"):  (*Emulator).pushGraphics,
	seqKey("#}"):  (*Emulator).popGraphics,
	seqKey("#q"):  (*Emulator).popGraphics,
}

// csi carries out a control sequence; unknown ones do nothing. An intermediate
// or a prefix makes another sequence of it, however familiar the final byte:
// CSI > 4 m must not touch the pen, nor CSI ? u the cursor.
func (e *Emulator) csi(s *sequence) {
	e.fresh, e.single = false, 0
	if s.prefix == 0 && s.ninter == 0 {
		if f := plainCSI[s.final]; f != nil {
			f(e, s)
		}
		return
	}
	if k, ok := s.key(); ok {
		if f := otherCSI[k]; f != nil {
			f(e, s)
		}
	}
}

// setTopBottom is DECSTBM. A region of less than two rows is ignored, as on the
// terminals that programs are written for, and a bottom beyond the screen is
// its last row.
func (e *Emulator) setTopBottom(s *sequence) {
	top, bottom := s.num(0, 1)-1, min(s.num(1, e.rows), e.rows)-1
	if top >= bottom {
		return
	}
	e.top, e.bottom = top, bottom
	e.moveTo(0, 0)
}

// setLeftRight is DECSLRM where DECLRMM is on, else SCOSC.
func (e *Emulator) setLeftRight(s *sequence) {
	if !e.mode(modeMargins) {
		if s.n == 0 {
			e.saveCursor()
		}
		return
	}
	left, right := s.num(0, 1)-1, min(s.num(1, e.cols), e.cols)-1
	if left >= right {
		return
	}
	e.left, e.right = left, right
	e.moveTo(0, 0)
}

// scrollDownCSI is SD; with more parameters the sequence is xterm's highlight
// tracking, which would make a program wait for ever.
func (e *Emulator) scrollDownCSI(s *sequence) {
	if s.n <= 1 {
		e.scrollDown(s.num(0, 1))
	}
}

// resetTabs is DECST8C: a stop at every eighth column.
func (e *Emulator) resetTabs(s *sequence) {
	if s.value(0, 0) == 5 {
		e.tabs.reset()
	}
}
