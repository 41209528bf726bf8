package keys

import "bytes"

var (
	pasteBegin = []byte("\x1b[200~")
	pasteStop  = []byte("\x1b[201~")
)

// pasted adds a part of a bracketed paste (mode 2004). Everything up to the end
// marker is text, sequences and bytes that are no UTF-8 too.
func (t *Tokenizer) pasted(b []byte) int {
	n := bytes.Index(b, pasteStop)
	if n == 0 {
		t.paste = false
		t.emit(PasteEnd, b[:len(pasteStop)])
		return len(pasteStop)
	}
	if n < 0 {
		// The end marker may go on in the next bytes, and a CR may have its
		// LF there: the two are one line end, which must not be cut.
		n = len(b) - cutMarker(b)
		if n > 0 && n == len(b) && b[n-1] == '\r' {
			n--
		}
	}
	if n > 0 {
		t.emit(PasteText, b[:n])
	}
	return n
}

// cutMarker returns how many bytes at the end of b are the beginning of the end
// marker.
func cutMarker(b []byte) int {
	for n := min(len(b), len(pasteStop)-1); n > 0; n-- {
		if bytes.HasSuffix(b, pasteStop[:n]) {
			return n
		}
	}
	return 0
}

// appendPaste appends pasted text for a program. End markers are taken out,
// also those that come about by taking others out, and an ESC that the next
// part could make one of: a paste never leaves its brackets. Without brackets
// line ends become what Enter sends.
func appendPaste(dst, text []byte, m Modes) []byte {
	if m.BracketedPaste && bytes.IndexByte(text, 0x1b) < 0 {
		// Another part may have ended in the beginning of a marker, but its
		// ESC was taken out.
		return append(dst, text...)
	}
	start := len(dst)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !m.BracketedPaste && c == '\n' {
			if i > 0 && text[i-1] == '\r' {
				continue
			}
			c = '\r'
		}
		dst = append(dst, c)
		if c == '~' && bytes.HasSuffix(dst[start:], pasteStop) {
			dst = dst[:len(dst)-len(pasteStop)]
		}
	}
	for n := cutMarker(dst[start:]); n > 0; n = cutMarker(dst[start:]) {
		at := len(dst) - n
		dst = append(dst[:at], dst[at+1:]...)
	}
	return dst
}
