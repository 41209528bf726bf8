package keys

// params are the numbers of a control sequence: up to 8 fields of 3 parts.
// Absent ones are -1.
type params struct {
	n int // fields that are there, counted beyond 8 too
	v [8][3]int
}

// maxParam bounds a number; larger ones say nothing that is known.
const maxParam = 1 << 21

// parseParams reads fields separated by semicolons, their parts by colons.
func parseParams(b []byte) (p params) {
	for i := range p.v {
		p.v[i] = [3]int{-1, -1, -1}
	}
	if len(b) == 0 {
		return p
	}
	part := 0
	p.n = 1
	for _, c := range b {
		switch {
		case c == ';':
			p.n++
			part = 0
		case c == ':':
			part++
		case p.n <= len(p.v) && part < 3:
			v := &p.v[p.n-1][part]
			*v = min(max(*v, 0)*10+int(c-'0'), maxParam)
		}
	}
	return p
}

// at returns part j of field i, or def when it is absent.
func (p *params) at(i, j, def int) int {
	if i < len(p.v) && p.v[i][j] >= 0 {
		return p.v[i][j]
	}
	return def
}

// csi adds the control sequence at the start of b, which begins with ESC [.
func (t *Tokenizer) csi(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	switch b[2] {
	case 'M':
		return t.x10(b)
	case '[':
		return t.linux(b)
	}
	i := 2
	for ; i < len(b); i++ {
		c := b[i]
		if c >= 0x40 && c <= 0x7e || c == '$' && rxvtShift(b[2:i]) {
			t.sequence(b[:i+1])
			return i + 1
		}
		if c < 0x20 || c > 0x7e {
			if i == 2 {
				return t.alt(b)
			}
			t.emit(Unknown, b[:i])
			return i
		}
		if i+1 == maxSequence {
			t.emit(Unknown, b[:i+1])
			t.skip = '['
			return i + 1
		}
	}
	return 0
}

// skipped adds the rest, or a part of fixed size, of a sequence that is too
// long to be held.
func (t *Tokenizer) skipped(b []byte) int {
	if t.skip != '[' {
		return t.skippedString(b)
	}
	for i, c := range b {
		if c < 0x20 || c > 0x7e {
			t.skip = 0
			if i > 0 {
				t.emit(Unknown, b[:i])
				return i
			}
			return t.next(b)
		}
		if c >= 0x40 || i+1 == maxSequence {
			if c >= 0x40 {
				t.skip = 0
			}
			t.emit(Unknown, b[:i+1])
			return i + 1
		}
	}
	return 0
}

// rxvtShift says whether a $ after these parameters ends the sequence, as in
// rxvt's Shift with a function key, rather than being an intermediate byte, as
// in a mode report, which has two parameters.
func rxvtShift(b []byte) bool {
	if len(b) == 0 || len(b) > 2 {
		return false
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
		n = n*10 + int(c-'0')
	}
	return tilde(n) != 0
}

// linux adds a function key of the linux console, ESC [ [ and a letter.
func (t *Tokenizer) linux(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	if c := b[3]; c >= 'A' && c <= 'E' {
		t.key(b[:4], Key{Code: F1 + Code(c-'A')})
		return 4
	}
	t.emit(Unknown, b[:3])
	return 3
}

// sequence adds the whole control sequence b.
func (t *Tokenizer) sequence(b []byte) {
	final := b[len(b)-1]
	body := b[2 : len(b)-1]
	var prefix, inter byte
	if len(body) > 0 && body[0] >= '<' {
		prefix, body = body[0], body[1:]
	}
	end := len(body)
	for i, c := range body {
		if c >= 0x20 && c < 0x30 {
			inter, end = c, min(end, i)
		}
		// Markers and digits in places where no terminal puts them.
		if c >= '<' || i > end && c >= 0x30 {
			t.emit(Unknown, b)
			return
		}
	}
	p := parseParams(body[:end])
	switch {
	case inter != 0:
		if inter == '$' && final == 'y' {
			t.emit(Reply, b)
		} else {
			t.emit(Unknown, b)
		}
	case prefix == '<' && (final == 'M' || final == 'm'):
		t.sgr(b, &p)
	case prefix == 0 && final == 'M' && p.n == 3:
		t.urxvt(b, &p)
	case prefix == 0:
		t.unprefixed(b, final, body, &p)
	case prefix == '>' && final >= 'A' && final <= 'H' && p.n == 2:
		// modifyCursorKeys 3 marks modified cursor keys so.
		t.functional(b, letter(final), &p)
	case prefix == '<':
		t.emit(Unknown, b)
	default:
		t.emit(Reply, b)
	}
}

// unprefixed adds a control sequence without a marker or intermediate bytes.
func (t *Tokenizer) unprefixed(b []byte, final byte, body []byte, p *params) {
	switch {
	case final == 'u':
		t.unicode(b, body, p)
	case final == '~' && p.at(0, 0, 0) == 200:
		t.emit(PasteStart, b)
		t.paste = true
	case final == '~' && p.at(0, 0, 0) == 27 && p.n == 3:
		t.otherKey(b, p)
	case final == '~' || final == '^' || final == '@' || final == '$':
		t.tildeKey(b, final, p)
	case final == 'I' && p.n == 0:
		t.emit(FocusIn, b)
	case final == 'O' && p.n == 0:
		t.emit(FocusOut, b)
	case final == 'R' && cursorReport(p), final == 't', final == 'n', final == 'x':
		t.emit(Reply, b)
	case final == 'Z':
		t.functional(b, Tab, p)
	case final >= 'a' && final <= 'd' && p.n == 0:
		t.key(b, Key{Code: Up + [4]Code{0, 1, Right - Up, Left - Up}[final-'a'], Mods: Shift})
	default:
		t.functional(b, letter(final), p)
	}
}

// cursorReport tells CPR (CSI row ; column R) from F3 with modifiers
// (CSI 1 ; modifier R). A cursor in row 1 within the first columns is taken
// for the key, except in column 1, which would be a key without modifiers.
func cursorReport(p *params) bool {
	if p.n != 2 || p.v[1][1] >= 0 {
		return false
	}
	return p.at(0, 0, 1) != 1 || p.at(1, 0, 1) == 1 || p.at(1, 0, 1) > 16
}
