package memory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Finding is one secret that was taken out of a text. It holds where, never
// what.
type Finding struct {
	Rule  string `json:"rule"`
	Line  int    `json:"line"`  // from 1
	Start int    `json:"start"` // bytes of the text as it was given
	End   int    `json:"end"`
}

// RedactRules are a person's additions to the rules that are built in.
type RedactRules struct {
	// Patterns are further secrets by rule name; the first group is the
	// secret, or the whole match where there is none.
	Patterns map[string]string
	// Allow are patterns of texts that are no secrets although a rule says so;
	// they have to match the whole of what was found.
	Allow []string
}

// Redactor takes secrets out of texts.
type Redactor struct {
	patterns []pattern
	allow    []*regexp.Regexp
}

type pattern struct {
	name string
	re   *regexp.Regexp
}

// builtIn is the redactor without a person's additions.
var builtIn = &Redactor{}

// passes bounds how often a text is looked at again after something was taken
// out of it; each pass is linear, and the second finds nothing nearly always.
const passes = 8

// NewRedactor compiles rules. The error names the one that does not compile.
func NewRedactor(rules RedactRules) (*Redactor, error) {
	r := &Redactor{}
	for name, text := range rules.Patterns {
		if !ruleName(name) {
			return nil, fmt.Errorf("redaction rule %q: a name is of small letters, digits and -", name)
		}
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("redaction rule %s: %w", name, err)
		}
		r.patterns = append(r.patterns, pattern{name, re})
	}
	slices.SortFunc(r.patterns, func(a, b pattern) int { return strings.Compare(a.name, b.name) })
	for _, text := range rules.Allow {
		re, err := regexp.Compile(`^(?:` + text + `)$`)
		if err != nil {
			return nil, fmt.Errorf("redaction allow %q: %w", text, err)
		}
		r.allow = append(r.allow, re)
	}
	return r, nil
}

// Redact takes secrets out of text by the rules that are built in: each becomes
// [REDACTED:rule]. Redacting twice changes nothing more.
func Redact(text string) (string, []Finding) {
	return builtIn.Redact(text)
}

// Redact takes secrets out of text: each becomes [REDACTED:rule]. Redacting
// twice changes nothing more.
func (r *Redactor) Redact(text string) (string, []Finding) {
	var found []span // in text's own coordinates, in order
	clean := text
	for range passes {
		news := r.pass(clean)
		if len(news) == 0 {
			break
		}
		found = join(found, news)
		clean = replace(text, found)
	}
	return clean, findings(text, found)
}

// span is a stretch of a text that a rule wants out.
type span struct {
	start, end int
	rule       string
	rank       int // of the scanner; the lower names a stretch that several want
}

// scan is one look at one text.
type scan struct {
	text    string // what was taken out already is masked
	spans   []span
	rank    int
	inner   bool // the text was encoded in another one
	program program
}

func (c *scan) add(start, end int, rule string) {
	if end-start > longestValue-8 {
		end += run(c.text, end, func(b byte) bool { return !isSpace(b) && strings.IndexByte("\"'`<>", b) < 0 })
	}
	if start < end {
		c.spans = append(c.spans, span{start, end, rule, c.rank})
	}
}

// scanners look for one kind of secret each, in time linear in the text. The
// more telling come first.
var scanners = []func(*scan){
	scanBlocks, scanShapes, scanHashes, scanURLs, scanLogins, scanHeaders,
	scanAssignments, scanCommands, scanKubernetes, scanProse,
}

// pass returns what is to be taken out of text, in order and apart from each
// other and from what was taken out before.
func (r *Redactor) pass(text string) []span {
	marks := findMarks(text)
	c := &scan{text: mask(text, marks)}
	for i, look := range scanners {
		c.rank = i
		look(c)
	}
	c.rank++
	scanEncoded(c)
	for _, p := range r.patterns {
		c.rank++
		for _, m := range p.re.FindAllStringSubmatchIndex(c.text, -1) {
			if len(m) > 3 && m[2] >= 0 {
				m = m[2:]
			}
			c.add(m[0], m[1], p.name)
		}
	}
	spans := slices.DeleteFunc(c.spans, func(s span) bool { return r.allowed(text[s.start:s.end]) })
	return around(text, unite(spans), marks)
}

func (r *Redactor) allowed(s string) bool {
	return slices.ContainsFunc(r.allow, func(re *regexp.Regexp) bool { return re.MatchString(s) })
}

// unite sorts spans and makes one of those that overlap.
func unite(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []span
	for _, s := range spans {
		last := len(out) - 1
		if last < 0 || s.start >= out[last].end {
			out = append(out, s)
			continue
		}
		if s.rank < out[last].rank {
			out[last].rule, out[last].rank = s.rule, s.rank
		}
		out[last].end = max(out[last].end, s.end)
	}
	return out
}

// around cuts marks out of spans: what was taken out once stays as it is.
func around(text string, spans, marks []span) []span {
	if len(marks) == 0 {
		return spans
	}
	var out []span
	for _, s := range spans {
		for len(marks) > 0 && marks[0].end <= s.start {
			marks = marks[1:]
		}
		at := s.start
		for _, m := range marks {
			if m.start >= s.end {
				break
			}
			out = keepWorth(out, text, span{at, m.start, s.rule, s.rank})
			at = m.end
		}
		out = keepWorth(out, text, span{at, s.end, s.rule, s.rank})
	}
	return out
}

// keepWorth appends a piece of a span unless nothing but punctuation is in it.
func keepWorth(out []span, text string, s span) []span {
	if s.start < s.end && strings.IndexFunc(text[s.start:s.end], func(r rune) bool { return r > 127 || isWord(byte(r)) }) >= 0 {
		return append(out, s)
	}
	return out
}

const (
	markOpen  = "[REDACTED:"
	markClose = "]"
)

func ruleName(s string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func findMarks(text string) []span {
	var out []span
	for at := 0; ; {
		i := strings.Index(text[at:], markOpen)
		if i < 0 {
			return out
		}
		start := at + i
		at = start + len(markOpen)
		if n := strings.IndexByte(text[at:min(len(text), at+41)], ']'); n > 0 && ruleName(text[at:at+n]) {
			at += n + 1
			out = append(out, span{start: start, end: at})
		}
	}
}

// mask blanks marks with what no rule takes for a secret.
func mask(text string, marks []span) string {
	if len(marks) == 0 {
		return text
	}
	b := []byte(text)
	for _, m := range marks {
		for i := m.start; i < m.end; i++ {
			b[i] = '*'
		}
	}
	return string(b)
}

// join adds news, which are in the coordinates of the text with found replaced,
// to found, which are in those of the text itself.
func join(found, news []span) []span {
	out := make([]span, 0, len(found)+len(news))
	shift := 0 // from replaced to original, at the place that is looked at
	for _, n := range news {
		for len(found) > 0 && found[0].start-shift <= n.start {
			f := found[0]
			shift += f.end - f.start - len(f.mark())
			out, found = append(out, f), found[1:]
		}
		n.start, n.end = n.start+shift, n.end+shift
		out = append(out, n)
	}
	return append(out, found...)
}

func (s span) mark() string { return markOpen + s.rule + markClose }

func replace(text string, spans []span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.start])
		b.WriteString(s.mark())
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}

func findings(text string, spans []span) []Finding {
	var out []Finding
	line, at := 1, 0
	for _, s := range spans {
		line += strings.Count(text[at:s.start], "\n")
		at = s.start
		out = append(out, Finding{Rule: s.rule, Line: line, Start: s.start, End: s.end})
	}
	return out
}
