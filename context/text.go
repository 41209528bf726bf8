package memory

import "strings"

// firstLine is the first line of s that has text, at most limit characters.
func firstLine(s string, limit int) string {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#*-> "))
		if line == "" {
			continue
		}
		if r := []rune(line); len(r) > limit {
			return strings.TrimSpace(string(r[:limit-1])) + "…"
		}
		return line
	}
	return ""
}
