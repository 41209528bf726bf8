package vt

import "unicode/utf8"

// multibyte consumes one character of several bytes, or keeps its beginning
// for the next write. Every byte that is not part of a character is U+FFFD.
func (p *parser) multibyte(b []byte, h handler) []byte {
	r, n := utf8.DecodeRune(b)
	if n == 1 && !utf8.FullRune(b) {
		p.npart = copy(p.part[:], b)
		return nil
	}
	h.char(r)
	return b[n:]
}

// continueRune goes on with a character that a write had cut.
func (p *parser) continueRune(b []byte, h handler) []byte {
	p.part[p.npart] = b[0]
	c := p.part[:p.npart+1]
	if !utf8.FullRune(c) {
		p.npart++
		return b[1:]
	}
	held := p.npart
	p.npart = 0
	if r, n := utf8.DecodeRune(c); n == len(c) {
		h.char(r)
		return b[1:]
	}
	for range held {
		h.char(utf8.RuneError)
	}
	return b
}
