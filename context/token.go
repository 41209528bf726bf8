package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/go-porterstemmer"
	"golang.org/x/text/unicode/norm"
)

// tokenVersion changes whenever the same text gives other tokens, which makes
// every index of an older one foreign.
const tokenVersion = 1

// lexeme is one searchable form of a piece of text. Several tokens may cover the
// same bytes: a path is found whole, by its last element and by its words.
type lexeme struct {
	term       string // as it is indexed
	word       string // as it was written, in lower case; empty for what is no plain word
	start, end int    // bytes of the text
	whole      bool   // the form of a chunk of several words
}

// glue joins words into one name, path, flag, address or version.
const glue = "_-./:@#+\\"

// tokens cuts prose and code into searchable forms. A chunk is a run of words
// and glue: of each the words are given (split at glue and at changes of case,
// stemmed, without stop words), and of a chunk of several words also the whole, the whole
// without glue, and the last element of a path.
func tokens(text string) []lexeme {
	var out []lexeme
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) && !strings.ContainsRune("-./@#", r) {
			i += n
			continue
		}
		end := chunkEnd(text, i)
		out = appendChunk(out, text, i, end)
		i = end
	}
	return out
}

// chunkEnd is where the run of words and glue ends that begins at i.
func chunkEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) && !strings.ContainsRune(glue, r) && r != '\'' && r != '’' {
			break
		}
		i += n
	}
	return i
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// appendChunk adds the forms of text[start:end].
func appendChunk(out []lexeme, text string, start, end int) []lexeme {
	raw := text[start:end]
	trimmed := strings.TrimRight(raw, glue+"'’")
	end = start + len(trimmed)
	lead := len(trimmed) - len(strings.TrimLeft(trimmed, glue+"'’"))
	if lead == len(trimmed) {
		return out
	}
	first := len(out)
	out = appendWords(out, text, start+lead, end)
	body := fold(text[start+lead : end])
	if len(out)-first == 1 && out[first].word == body && lead == 0 {
		return out
	}
	if strings.ContainsAny(body, glue) {
		out = append(out, lexeme{term: body, start: start + lead, end: end, whole: true})
	}
	if bare := dropGlue(body); bare != body || len(out)-first > 1 {
		out = append(out, lexeme{term: bare, start: start + lead, end: end, whole: true})
	}
	if i := strings.LastIndexAny(body, "/\\"); i >= 0 && strings.ContainsAny(body[i+1:], glue) {
		out = append(out, lexeme{term: body[i+1:], start: end - (len(body) - i - 1), end: end, whole: true})
	}
	if lead > 0 && raw[0] == '-' {
		out = append(out, lexeme{term: strings.ToLower(trimmed), start: start, end: end, whole: true})
	}
	return out
}

// appendWords adds the plain words of a chunk.
func appendWords(out []lexeme, text string, start, end int) []lexeme {
	for i := start; i < end; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			i += n
			continue
		}
		j := wordEnd(text, i, end)
		if ideographic(r) {
			out = appendPairs(out, text, i, j)
		} else if word := fold(text[i:j]); !stopWords[word] {
			out = append(out, lexeme{term: stem(word), word: word, start: i, end: j})
		}
		i = j
	}
	return out
}

// wordEnd is where the word ends that begins at i: at glue, where a capital
// follows a small letter, before the last capital of a run that a small letter
// follows ("HTTPServer"), and where a script begins that has no spaces.
func wordEnd(text string, i, end int) int {
	prev, n := utf8.DecodeRuneInString(text[i:])
	first := prev
	for i += n; i < end; i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(text[i:])
		if r == '\'' || r == '’' {
			continue
		}
		if !wordRune(r) || ideographic(r) != ideographic(first) {
			return i
		}
		if unicode.IsUpper(r) {
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if unicode.IsLower(prev) || unicode.IsUpper(prev) && i+n < end && unicode.IsLower(next) && !plural(text[i+n:end]) {
				return i
			}
		}
		prev = r
	}
	return end
}

// plural reports whether rest is no more than the s after an acronym, as in "URLs".
func plural(rest string) bool {
	if !strings.HasPrefix(rest, "s") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest[1:])
	return len(rest) == 1 || !unicode.IsLower(r)
}

// ideographic reports whether a letter belongs to a script that writes words without spaces.
func ideographic(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// appendPairs adds each two neighbouring letters of a run without spaces.
func appendPairs(out []lexeme, text string, start, end int) []lexeme {
	prev := start
	for i := start; i < end; {
		_, n := utf8.DecodeRuneInString(text[i:])
		if i > start || i+n == end {
			out = append(out, lexeme{term: text[prev : i+n], word: text[prev : i+n], start: prev, end: i + n})
		}
		prev = i
		i += n
	}
	return out
}

// fold makes the forms of one word the same: lower case, no apostrophe, compatibility forms composed.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			s = norm.NFKC.String(s)
			break
		}
	}
	s = strings.ToLower(s)
	if strings.ContainsAny(s, "'’") {
		s = strings.NewReplacer("'s", "", "’s", "", "'", "", "’", "").Replace(s)
	}
	return s
}

func dropGlue(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(glue, r) {
			return -1
		}
		return r
	}, s)
}

// stem cuts the ending of an English word off; names with digits or other letters stay as they are.
func stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return string(porterstemmer.StemWithoutLowerCasing([]rune(word)))
}

// stopWords are words that say nothing about what a text is about.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and are as at be been but by can could did do does for from had has have how i if
in into is it its me my no not of on or our should so such than that the their them then there these they this to was we
were what when where which who why will with would you your s t`) {
		m[w] = true
	}
	return m
}()
