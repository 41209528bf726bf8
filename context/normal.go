package memory

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of what is stored of one note, in characters.
const (
	maxTitle = 200
	maxTag   = 60
	maxTags  = 20
	maxFiles = 50
	maxLine  = 500     // of an event, a task's field, a name
	maxInput = 1 << 20 // bytes of a text that are looked at at all
)

// clean makes text of any bytes: valid UTF-8, no NUL, no escape sequences and no other
// control characters than line feeds and tabs.
func clean(s string) string {
	if len(s) > maxInput {
		s = s[:maxInput]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 0x1b:
			n = escapeLen(s[i:])
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\n', r == '\t', !unicode.IsControl(r) && !hidden(r):
			b.WriteRune(r)
		}
		i += n
	}
	return strings.TrimSpace(b.String())
}

// hidden reports whether a character changes the order or the meaning of others without being seen.
func hidden(r rune) bool {
	return r == 0x200B || r == 0x2060 || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0xFEFF || r >= 0xE0000 && r <= 0xE007F
}

// escapeLen is the length of the escape sequence that s begins with.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x3f {
				return i
			}
		}
		return len(s)
	case ']', 'P', '_', '^', 'X':
		return stringEnd(s)
	}
	return 2
}

// stringEnd is where a control string ends: at BEL, ST, or the end of its line.
func stringEnd(s string) int {
	for i := 2; i < len(s); i++ {
		switch {
		case s[i] == 7:
			return i + 1
		case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
			return i + 2
		case s[i] == '\n':
			return i
		}
	}
	return len(s)
}

// cut shortens s to limit characters, the mark of the cut included.
func cut(s string, limit int, mark string) (string, bool) {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s, false
	}
	r := []rune(s)
	return strings.TrimRightFunc(string(r[:limit-utf8.RuneCountInString(mark)]), unicode.IsSpace) + mark, true
}

// line makes one line of s, at most limit characters.
func line(s string, limit int) string { return redactedLine(s, limit, asItIs) }

// redactedLine makes one line of s without its secrets, at most limit characters. Half a
// secret is not known for one, so it is cut last.
func redactedLine(s string, limit int, redact func(string) string) string {
	s, _ = cut(redact(strings.Join(strings.Fields(clean(s)), " ")), limit, "…")
	return s
}

func asItIs(s string) string { return s }

// normal is the wording of a text without what does not change its meaning:
// case, space, markup, list marks and final punctuation.
func normal(s string) string {
	var b strings.Builder
	for l := range strings.Lines(norm.NFKC.String(strings.ToLower(s))) {
		l = strings.TrimSpace(l)
		l = strings.TrimLeft(l, "#>*-+• \t")
		l = strings.Map(func(r rune) rune {
			switch r {
			case '*', '`':
				return -1
			case '“', '”', '„':
				return '"'
			case '’', '‘':
				return '\''
			}
			return r
		}, l)
		for w := range strings.FieldsSeq(l) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	return strings.TrimRight(b.String(), ".!;, ")
}

// wording is the hash by which a project knows that it was told something before.
func wording(n Note) string {
	sum := sha256.Sum256([]byte(normal(n.Title) + "\x00" + normal(n.Text) + "\x00" + normal(n.Reason)))
	return string(n.Project) + string(n.Kind) + string(sum[:])
}

// sources cleans a list of sources: none of them twice, and none that holds secrets.
func sources(in []Source, redact func(string) string) []Source {
	var out []Source
	for _, f := range in {
		secret := Sensitive(line(f.Path, len(f.Path)))
		f.Path, f.Lines = redactedLine(f.Path, maxLine, redact), line(f.Lines, maxTag)
		f.Hash, f.Cited, f.Commit = line(f.Hash, maxTag), line(f.Cited, maxTag), line(f.Commit, maxTitle)
		same := func(o Source) bool { return o.Path == f.Path && o.Lines == f.Lines }
		if f.Path == "" || secret || len(out) == maxFiles || slices.ContainsFunc(out, same) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// paths cleans a list of files: none that holds secrets.
func paths(in []string, redact func(string) string) []string {
	var out []string
	for _, f := range in {
		if f = line(f, len(f)); f != "" && !Sensitive(f) && len(out) < maxFiles {
			out = append(out, redactedLine(f, maxLine, redact))
		}
	}
	return out
}

// tags cleans a list of tags.
func tags(in []string, redact func(string) string) []string {
	var out []string
	for _, t := range in {
		t = redactedLine(t, maxTag, redact)
		if t != "" && len(out) < maxTags && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// ParseKind reads a kind's name.
func ParseKind(s string) (Kind, error) {
	k := Kind(strings.ToLower(strings.TrimSpace(s)))
	switch k {
	case Fact, Discovery, Decision:
		return k, nil
	}
	return "", fmt.Errorf("%w: kind %q (fact, discovery, decision)", ErrInvalid, s)
}

// ParseStatus reads a status in capitals or small letters.
func ParseStatus(s string) (Status, error) {
	st := Status(strings.ToUpper(strings.TrimSpace(s)))
	switch st {
	case New, Verified, Reviewed, Stale, Invalidated:
		return st, nil
	}
	return "", fmt.Errorf("%w: status %q (NEW, VERIFIED, REVIEWED, STALE, INVALIDATED)", ErrInvalid, s)
}
