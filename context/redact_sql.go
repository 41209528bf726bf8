package memory

import "strings"

// inserted takes out the values that an INSERT gives to columns whose names say
// that they are secret; the word VALUES is at i.
func (c *scan) inserted(i int) {
	before := strings.TrimRight(c.text[max(0, i-longestValue):i], " \t\r\n")
	open := strings.LastIndexByte(before, '(')
	if open < 0 || !strings.HasSuffix(before, ")") {
		return
	}
	var classes []class
	var words [][]string
	secret := false
	for column := range strings.SplitSeq(before[open+1:len(before)-1], ",") {
		w := splitName(strings.TrimSpace(column))
		k := classify(w)
		words, classes, secret = append(words, w), append(classes, k), secret || k != noSecret
	}
	if !secret {
		return
	}
	column, depth := 0, 0
	for at, end := i+len("values"), min(len(c.text), i+8*longestValue); at < end; at++ {
		switch b := c.text[at]; b {
		case '(':
			if depth++; depth == 1 {
				column = 0
			}
		case ')':
			depth--
		case ',':
			if depth == 1 {
				column++
			}
		case '\'', '"':
			v, start, quoted := quotedValue(c.text, at+1, b)
			if !quoted {
				return
			}
			if column < len(classes) && classes[column] != noSecret && leaked(classes[column], v, false, true) {
				c.add(start, start+len(v), nameRule(words[column], classes[column]))
			}
			at = start + len(v)
		default:
			if depth == 0 && !isSpace(b) {
				return // the statement goes on
			}
		}
	}
}
