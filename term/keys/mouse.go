package keys

import "unicode/utf8"

// The bits of a mouse report's button byte (ctlseqs, "Mouse Tracking").
const (
	bitShift  = 4
	bitAlt    = 8
	bitCtrl   = 16
	bitMotion = 32
	bitWheel  = 64
	bitExtra  = 128
)

// x10 adds a mouse report in the default form or, after mode 1005, in UTF-8:
// CSI M and three characters.
func (t *Tokenizer) x10(b []byte) int {
	var v [3]int
	n := 3
	for i := range v {
		if n >= len(b) {
			return 0
		}
		r, size := rune(b[n]), 1
		if t.UTF8Mouse {
			if cutRune(b[n:]) == len(b)-n {
				return 0
			}
			if u, s := utf8.DecodeRune(b[n:]); s > 1 {
				r, size = u, s
			}
		}
		v[i] = int(r) - 32
		n += size
	}
	t.report(b[:n], v[0], v[1], v[2], false, true)
	return n
}

// sgr adds a mouse report of mode 1006.
func (t *Tokenizer) sgr(b []byte, p *params) {
	if p.n != 3 {
		t.emit(Unknown, b)
		return
	}
	t.report(b, p.at(0, 0, 0), p.at(1, 0, 0), p.at(2, 0, 0), b[len(b)-1] == 'm', false)
}

// urxvt adds a mouse report of mode 1015.
func (t *Tokenizer) urxvt(b []byte, p *params) {
	t.report(b, p.at(0, 0, 0)-32, p.at(1, 0, 0), p.at(2, 0, 0), false, true)
}

// report adds a mouse event. In the old forms button 3 is the release of an
// unnamed button: it is the one that was pressed last.
func (t *Tokenizer) report(b []byte, bits, x, y int, release, old bool) {
	if bits < 0 || x < 1 || y < 1 || bits&3 > 1 && bits&bitExtra != 0 || bits > 255 {
		t.emit(Unknown, b)
		return
	}
	m := Mouse{X: x - 1, Y: y - 1, Motion: bits&bitMotion != 0, Release: release}
	if bits&bitShift != 0 {
		m.Mods |= Shift
	}
	if bits&bitAlt != 0 {
		m.Mods |= Alt
	}
	if bits&bitCtrl != 0 {
		m.Mods |= Ctrl
	}
	switch low := Button(bits & 3); {
	case bits&bitExtra != 0:
		m.Button = ButtonBack + low
	case bits&bitWheel != 0:
		m.Button = WheelUp + low
		m.Motion = false
	case low < 3:
		m.Button = ButtonLeft + low
	case old && !m.Motion:
		m.Button, m.Release = t.button, true
	}
	if !m.Motion && !wheel(m.Button) {
		t.button = m.Button
		if m.Release {
			t.button = NoButton
		}
	}
	t.emit(MouseEvent, b)
	t.tokens[len(t.tokens)-1].Mouse = m
}

// wheel says whether b is a turn of a wheel, which has no release.
func wheel(b Button) bool { return b >= WheelUp && b <= WheelRight }
