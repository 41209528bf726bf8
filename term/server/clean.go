package server

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxText  = 512 // runes of a title or path as shown
	maxLabel = 64  // runes of a name as shown
)

// cleanText makes text from outside safe to draw: control characters and bidi
// overrides go, invalid bytes become one mark, and it is cut after most runes.
func cleanText(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == most {
			break
		}
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			r = ' '
		case unicode.IsControl(r), bidiControl(r):
			continue
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}

// cleanRow is cleanText for a row whose indentation counts.
func cleanRow(s string) string {
	text := strings.TrimLeft(s, " ")
	return strings.Repeat(" ", min(len(s)-len(text), maxText)) + cleanText(text, maxText)
}

// cleanLines cleans a text of several rows; what is beyond maxLines of them is
// left out, and said so.
func cleanLines(s string) string {
	if s == "" {
		return ""
	}
	rows := strings.Split(strings.TrimRight(strings.ReplaceAll(s, "\t", "    "), "\n"), "\n")
	if n := len(rows) - maxLines; n > 0 {
		rows = append(rows[:maxLines], "… "+strconv.Itoa(n)+" more rows")
	}
	for i, row := range rows {
		rows[i] = cleanRow(row)
	}
	return strings.Join(rows, "\n")
}

// bidiControl reports whether r changes the direction of what follows it.
func bidiControl(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// localDir returns the folder that a program reported, empty where it is on
// another machine or no absolute path.
func localDir(host, dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	if own, err := os.Hostname(); host != "" && host != "localhost" && (err != nil || !strings.EqualFold(host, own)) {
		return ""
	}
	return filepath.Clean(dir)
}
