package vt

const (
	maxParams        = 64
	maxParam         = 65535
	maxIntermediates = 4
)

// sequence is an escape or control sequence, or the head of a DCS.
type sequence struct {
	final  byte
	prefix byte // one of < = > ?, or 0
	bad    bool // too many or misplaced prefixes or intermediates
	full   bool // parameters beyond the limit are dropped
	ninter int
	inter  [maxIntermediates]byte
	n      int // parameters, subparameters included
	sub    uint64
	params [maxParams]int32 // -1 where nothing was written
}

func (s *sequence) reset() {
	s.final, s.prefix, s.bad, s.full = 0, 0, false, false
	s.ninter, s.n, s.sub = 0, 0, 0
}

func (s *sequence) addIntermediate(c byte) {
	if s.ninter == maxIntermediates {
		s.bad = true
		return
	}
	s.inter[s.ninter] = c
	s.ninter++
}

func (s *sequence) addPrefix(c byte) {
	if s.prefix != 0 || s.n > 0 || s.ninter > 0 {
		s.bad = true
	}
	s.prefix = c
}

func (s *sequence) digit(d byte) {
	if s.full || s.ninter > 0 {
		s.bad = s.bad || s.ninter > 0
		return
	}
	if s.n == 0 {
		s.n, s.params[0] = 1, -1
	}
	v := max(s.params[s.n-1], 0)*10 + int32(d)
	s.params[s.n-1] = min(v, maxParam)
}

func (s *sequence) separator(colon bool) {
	if s.n == 0 {
		s.n, s.params[0] = 1, -1
	}
	if s.n == maxParams {
		s.full = true
		return
	}
	if colon {
		s.sub |= 1 << s.n
	}
	s.params[s.n] = -1
	s.n++
}

// num returns parameter i, or def where it is absent or 0: for counts and
// positions.
func (s *sequence) num(i, def int) int {
	if i < s.n && s.params[i] > 0 {
		return int(s.params[i])
	}
	return def
}

// value returns parameter i as it is, or def where it is absent.
func (s *sequence) value(i, def int) int {
	if i < s.n && s.params[i] >= 0 {
		return int(s.params[i])
	}
	return def
}

// isSub reports whether parameter i was written after a colon.
func (s *sequence) isSub(i int) bool { return i < s.n && s.sub>>i&1 != 0 }

// is reports whether the sequence has no prefix, this intermediate and this
// final byte.
func (s *sequence) is(inter, final byte) bool {
	return s.prefix == 0 && s.ninter == 1 && s.inter[0] == inter && s.final == final
}

// key identifies a sequence by everything but its parameters; false for those
// with more intermediates than any sequence that has a meaning.
func (s *sequence) key() (uint32, bool) {
	if s.ninter > 1 || s.bad {
		return 0, false
	}
	k := uint32(s.prefix)<<16 | uint32(s.final)
	if s.ninter == 1 {
		k |= uint32(s.inter[0]) << 8
	}
	return k, true
}

// seqKey is the key of a sequence given by its bytes without parameters, such
// as "?$p".
func seqKey(s string) uint32 {
	k := uint32(s[len(s)-1])
	for _, c := range []byte(s[:len(s)-1]) {
		if c >= 0x3c && c < 0x40 {
			k |= uint32(c) << 16
		} else {
			k |= uint32(c) << 8
		}
	}
	return k
}
