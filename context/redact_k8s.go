package memory

import "strings"

// scanKubernetes takes out what a manifest of the kind Secret holds, whatever
// its keys are called.
func scanKubernetes(c *scan) {
	for at := 0; ; {
		i := strings.Index(c.text[at:], "kind: Secret")
		if i < 0 {
			return
		}
		at += i
		end := len(c.text)
		if n := strings.Index(c.text[at:], "\n---"); n >= 0 {
			end = at + n
		}
		next := at + len("kind: Secret")
		if next >= len(c.text) || isSpace(c.text[next]) {
			start := strings.LastIndex(c.text[:at], "\n---") + 1
			c.manifest(start, end)
		}
		at = end
	}
}

// manifest looks at the lines of a document for its data.
func (c *scan) manifest(at, end int) {
	inside, depth := false, 0
	for at < end {
		n := run(c.text[:end], at, func(b byte) bool { return b != '\n' })
		line := c.text[at : at+n]
		indent := run(line, 0, isBlank)
		key, v, ok := strings.Cut(line[indent:], ":")
		switch {
		case ok && (key == "data" || key == "stringData") && strings.TrimSpace(v) == "":
			inside, depth = true, indent
		case indent <= depth && indent < n:
			inside = false
		case inside && ok:
			v, start, _ := valueAfter(c.text[:end], at+indent+len(key)+1)
			if len(v) > 2 && start+len(v) <= at+n && !placeholder(v) && passwordLike(v, true, true) {
				c.add(start, start+len(v), "secret")
			}
		}
		at += n + 1
	}
}
