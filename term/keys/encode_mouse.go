package keys

import (
	"strconv"
	"unicode/utf8"
)

// wheelLines is how many arrows a turn of the wheel is on the alternate screen
// (mode 1007).
const wheelLines = 3

// EncodeMouse appends the report of one mouse event, whose position is the
// program's, or nothing when its modes do not ask for it. Where no mouse mode
// is set, mode 1007 makes the wheel arrows on the alternate screen.
func EncodeMouse(dst []byte, mo Mouse, m Modes) []byte {
	if m.Mouse == MouseOff {
		return appendWheel(dst, mo, m)
	}
	if !wanted(mo, m.Mouse) {
		return dst
	}
	bits := buttonBits(mo, m.Mouse)
	x, y := max(mo.X, 0)+1, max(mo.Y, 0)+1
	switch m.MouseEncoding {
	case MouseSGR:
		return appendSGR(dst, bits, x, y, mo.Release)
	case MouseSGRPixels:
		if m.CellW > 0 && m.CellH > 0 {
			// The terminal tells cells only: the middle of one is closest.
			x, y = (x-1)*m.CellW+m.CellW/2+1, (y-1)*m.CellH+m.CellH/2+1
		}
		return appendSGR(dst, bits, x, y, mo.Release)
	case MouseURXVT:
		dst = append(dst, "\x1b["...)
		dst = strconv.AppendInt(dst, int64(oldBits(bits, mo)+32), 10)
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, int64(x), 10)
		dst = append(dst, ';')
		dst = strconv.AppendInt(dst, int64(y), 10)
		return append(dst, 'M')
	}
	return appendX10(dst, oldBits(bits, mo), x, y, mo, m.MouseEncoding == MouseUTF8)
}

// wanted says whether a program with this mode is told of mo.
func wanted(mo Mouse, mode MouseMode) bool {
	switch {
	case mode == MouseX10:
		return !mo.Motion && !mo.Release && mo.Button >= ButtonLeft && mo.Button <= ButtonRight
	case mo.Release && wheel(mo.Button):
		return false
	case !mo.Motion:
		return mo.Button != NoButton || mo.Release
	case mo.Button == NoButton:
		return mode == MouseAny
	}
	return mode >= MouseButton
}

// buttonBits is the button byte of mo, as if it were a press.
func buttonBits(mo Mouse, mode MouseMode) int {
	bits := 3
	switch b := int(mo.Button); {
	case mo.Button >= ButtonBack:
		bits = bitExtra + b - int(ButtonBack)
	case wheel(mo.Button):
		bits = bitWheel + b - int(WheelUp)
	case mo.Button != NoButton:
		bits = b - int(ButtonLeft)
	}
	if mode == MouseX10 {
		return bits
	}
	if mo.Motion {
		bits |= bitMotion
	}
	if mo.Mods&Shift != 0 {
		bits |= bitShift
	}
	if mo.Mods&(Alt|Meta) != 0 {
		bits |= bitAlt
	}
	if mo.Mods&Ctrl != 0 {
		bits |= bitCtrl
	}
	return bits
}

// oldBits is the button byte in the forms where a release does not tell the
// button.
func oldBits(bits int, mo Mouse) int {
	if mo.Release {
		return bits&(bitShift|bitAlt|bitCtrl|bitMotion) | 3
	}
	return bits
}

func appendSGR(dst []byte, bits, x, y int, release bool) []byte {
	dst = append(dst, "\x1b[<"...)
	dst = strconv.AppendInt(dst, int64(bits), 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(x), 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(y), 10)
	if release {
		return append(dst, 'm')
	}
	return append(dst, 'M')
}

// appendX10 appends the default form, whose numbers are bytes, or with mode
// 1005 runes. Positions that it cannot say are not reported, except that a
// release is, at the edge, so that no button stays down.
func appendX10(dst []byte, bits, x, y int, mo Mouse, utf bool) []byte {
	limit := 255 - 32
	if utf {
		limit = 0x7ff - 32
	}
	if x > limit || y > limit {
		if !mo.Release {
			return dst
		}
		x, y = min(x, limit), min(y, limit)
	}
	dst = append(dst, "\x1b[M"...)
	if utf {
		dst = utf8.AppendRune(dst, rune(bits+32))
		dst = utf8.AppendRune(dst, rune(x+32))
		return utf8.AppendRune(dst, rune(y+32))
	}
	return append(dst, byte(bits+32), byte(x+32), byte(y+32))
}

// appendWheel appends the arrows of a turn of the wheel.
func appendWheel(dst []byte, mo Mouse, m Modes) []byte {
	if !m.AltScreen || !m.AltScroll || mo.Release {
		return dst
	}
	code := Up
	switch mo.Button {
	case WheelUp:
	case WheelDown:
		code = Down
	default:
		return dst
	}
	for range wheelLines {
		dst = EncodeKey(dst, Key{Code: code}, m)
	}
	return dst
}
