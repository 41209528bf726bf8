package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths of texts that are kept, in characters.
const (
	MaxDetail  = 120
	MaxRequest = 240
)

// Clean makes one line of plain text of s, at most limit characters: what acts on a
// terminal, in a bidirectional text, in HTML or in Markdown is taken out or
// broken, and the rest stays as it was so that a command reads as it is.
func Clean(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	space := false
	for i := 0; i < len(s); {
		if n := sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = true
		case unseen(r):
		default:
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(plain(r, s[i:]))
		}
	}
	return clip(unlink.Replace(b.String()), limit)
}

// unlink keeps Markdown links and images from being ones.
var unlink = strings.NewReplacer("](", "] (", "][", "] [", "]:", "] :")

// plain breaks what begins a tag, an entity or a code span.
func plain(r rune, rest string) rune {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == '`':
		return '\''
	case r == '<' && (unicode.IsLetter(next) || strings.ContainsRune("/!?", next)):
		return '‹'
	case r == '&' && (unicode.IsLetter(next) || next == '#') && strings.Contains(rest, ";"):
		return '＆'
	}
	return r
}

// unseen are characters without a shape of their own that change how their
// neighbours are shown or compared: bidi controls, zero widths, tags.
func unseen(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// sequence returns the length of the escape sequence that s begins with, 0 if
// none. One that does not end takes nothing but its introducer.
func sequence(s string) int {
	switch {
	case len(s) < 2 || s[0] != 0x1b:
		return 0
	case s[1] == '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return 2
			}
		}
		return 2
	case strings.IndexByte("]PX^_", s[1]) >= 0:
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b {
				return i + min(2, len(s)-i)
			}
		}
		return 2
	}
	return 1
}

// clip cuts s to limit characters, the last one a mark if something is lost.
func clip(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	if limit < 1 {
		return ""
	}
	runes := []rune(s)
	return strings.TrimRight(string(runes[:limit-1]), " ") + "…"
}
