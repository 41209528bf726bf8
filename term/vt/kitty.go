package vt

import "fmt"

// kittyStack is the kitty keyboard protocol's stack of flags of one screen.
// Each screen has its own so that a program that dies on the alternate screen
// leaves the shell's keys alone.
type kittyStack struct {
	flag [8]uint8
	n    int // entries pushed; flag[n] would be the next
	now  uint8
}

func (k *kittyStack) flags() uint8 { return k.now }

// push saves the flags and sets new ones; a full stack drops its oldest entry.
func (k *kittyStack) push(flags uint8) {
	if k.n == len(k.flag) {
		copy(k.flag[:], k.flag[1:])
		k.n--
	}
	k.flag[k.n] = k.now
	k.n++
	k.now = flags
}

// pop brings back the flags from n pushes ago; an empty stack means none set.
func (k *kittyStack) pop(n int) {
	for ; n > 0; n-- {
		if k.n == 0 {
			k.now = 0
			return
		}
		k.n--
		k.now = k.flag[k.n]
	}
}

// kittyAll are the flags there are: disambiguate, event types, alternate keys,
// all keys as escape codes, associated text. Others are not acknowledged.
const kittyAll = 31

func (e *Emulator) pushKitty(s *sequence) { e.buf.kitty.push(uint8(s.value(0, 0) & kittyAll)) }
func (e *Emulator) popKitty(s *sequence)  { e.buf.kitty.pop(s.num(0, 1)) }

// setKitty changes the flags in place: replaces them, adds some, removes some.
func (e *Emulator) setKitty(s *sequence) {
	k, f := &e.buf.kitty, uint8(s.value(0, 0)&kittyAll)
	switch s.value(1, 1) {
	case 1:
		k.now = f
	case 2:
		k.now |= f
	case 3:
		k.now &^= f
	}
}

func (e *Emulator) reportKitty(*sequence) { e.reply(fmt.Appendf(nil, "\x1b[?%du", e.buf.kitty.now)) }

// setModifyKeys is XTMODKEYS; of its resources only modifyOtherKeys matters.
func (e *Emulator) setModifyKeys(s *sequence) {
	switch s.value(0, -1) {
	case -1:
		e.modifyKey = 0
	case 4:
		e.modifyKey = uint8(min(s.value(1, 0), 2))
	}
}

func (e *Emulator) resetModifyKeys(s *sequence) {
	if s.value(0, 4) == 4 {
		e.modifyKey = 0
	}
}

func (e *Emulator) reportModifyKeys(s *sequence) {
	if s.value(0, 0) == 4 {
		e.reply(fmt.Appendf(nil, "\x1b[>4;%dm", e.modifyKey))
	}
}
