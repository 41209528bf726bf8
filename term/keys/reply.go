package keys

import "bytes"

// The answers of a terminal are strings (OSC 4, 10, 11, 12, 52; DCS of XTVERSION,
// XTGETTCAP, DECRQSS and DA3; APC of kitty's graphics) or control sequences
// with a marker (DA1, DA2, DECRPM, kitty flags, colour scheme) or a final byte
// that no key has (DSR, CPR, window sizes).

// str adds the string at the start of b, which begins with ESC ], ESC P or
// ESC _. The same bytes are Alt with a character in legacy terminals, so what
// no answer begins with is taken as that.
func (t *Tokenizer) str(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	if !answers(b[1], b[2]) {
		return t.alt(b)
	}
	n, whole := endOfString(b, max(t.scanned, 2))
	switch {
	case whole:
		t.emit(Reply, b[:n])
	case n > 0:
		t.emit(Unknown, b[:n])
	case len(b) > maxString:
		t.emit(Unknown, b[:maxString])
		t.skip = ']'
		return maxString
	default:
		t.scanned = len(b) - 1
	}
	return n
}

// answers says whether a string introduced by c that goes on with next can be
// an answer.
func answers(c, next byte) bool {
	digit := next >= '0' && next <= '9'
	switch c {
	case ']':
		return digit
	case 'P':
		return digit || bytes.IndexByte([]byte(">!$+"), next) >= 0
	}
	return next == 'G'
}

// endOfString finds, from byte i on, where the string in b ends, within
// maxString: whole after ST or BEL, else before a byte that no string holds.
// It returns 0 when the end is not there.
func endOfString(b []byte, i int) (n int, whole bool) {
	for ; i < len(b) && i < maxString; i++ {
		switch c := b[i]; {
		case c == 0x07:
			return i + 1, true
		case c == 0x1b && i+1 == len(b):
			return 0, false
		case c == 0x1b && b[i+1] == '\\':
			return i + 2, true
		case c < 0x20:
			return i, false
		}
	}
	return 0, false
}

// skippedString adds the rest, or a part of fixed size, of a string that is too
// long to be held.
func (t *Tokenizer) skippedString(b []byte) int {
	n, whole := endOfString(b, t.scanned)
	switch {
	case n == 0 && !whole && b[0] < 0x20 && b[0] != 0x1b, n == 0 && !whole && b[0] == 0x1b && len(b) > 1:
		// The string was broken off right here.
		t.skip = 0
		return t.next(b)
	case n > 0:
		t.skip = 0
		t.emit(Unknown, b[:n])
	case len(b) > maxString:
		t.emit(Unknown, b[:maxString])
		return maxString
	default:
		t.scanned = max(len(b)-1, 0)
	}
	return n
}
