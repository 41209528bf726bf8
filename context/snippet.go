package memory

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// snippetLen is about how many bytes a snippet has.
const snippetLen = 200

// snippet is the part of a note that has the most words of a query, with each
// of them marked, and the query's words the note has.
func snippet(n Note, list []lexeme) (Snippet, []string) {
	text := n.Text
	if n.Reason != "" {
		text += "\n" + n.Reason
	}
	if text == "" {
		text = n.Title
	}
	marks, have := matches(text, list)
	_, titled := matches(n.Title+" "+strings.Join(n.Tags, " "), list)
	for _, f := range n.Files {
		_, w := matches(f.Path, list)
		titled = append(titled, w...)
	}
	for _, w := range titled {
		if !slices.Contains(have, w) {
			have = append(have, w)
		}
	}
	return window(text, marks), have
}

// matches are the places of a text where words of the query stand, and what stands there.
func matches(text string, list []lexeme) (marks [][2]int, have []string) {
	for _, t := range tokens(text) {
		if !slices.ContainsFunc(list, func(q lexeme) bool { return answers(t, q) }) {
			continue
		}
		marks = addMark(text, marks, [2]int{t.start, t.end})
		if w := strings.ToLower(text[t.start:t.end]); !slices.Contains(have, w) {
			have = append(have, w)
		}
	}
	return marks, have
}

// addMark adds a mark, and makes one of all that it touches or is only glued to:
// the parts of a name come before the whole of it.
func addMark(text string, marks [][2]int, m [2]int) [][2]int {
	last := len(marks) - 1
	for ; last >= 0 && (m[0] <= marks[last][1] || strings.Trim(text[marks[last][1]:m[0]], glue) == ""); last-- {
		m = [2]int{min(marks[last][0], m[0]), max(marks[last][1], m[1])}
	}
	return append(marks[:last+1], m)
}

// answers reports whether a note's token is what a query's asks for, a slip or a beginning included.
func answers(t, q lexeme) bool {
	if t.term == q.term || t.whole && t.term == q.word {
		return true
	}
	if t.whole || q.whole || len(q.word) < minGuess {
		return false
	}
	return strings.HasPrefix(t.word, q.word) || len(q.word) > minGuess && len(t.word) > 0 && t.word[0] == q.word[0] && oneEdit(t.word, q.word)
}

// window cuts the part of a text out that has the most marks, as one line.
func window(text string, marks [][2]int) Snippet {
	from, to := 0, len(text)
	if len(text) > snippetLen {
		from = bestStart(text, marks)
		to = min(len(text), from+snippetLen)
		for to < len(text) && to > from && !utf8.RuneStart(text[to]) {
			to--
		}
		if i := strings.LastIndexAny(text[from:to], " \n\t"); to < len(text) && i > snippetLen/2 {
			to = from + i
		}
	}
	var b strings.Builder
	out := Snippet{}
	if from > 0 {
		b.WriteString("…")
	}
	at := make(map[int]int, 2*len(marks)) // offset in text → in the snippet
	for _, m := range marks {
		at[m[0]], at[m[1]] = -1, -1
	}
	blank := true
	for i := from; i <= to; i++ {
		if _, asked := at[i]; asked {
			at[i] = b.Len()
		}
		if i == to {
			break
		}
		switch c := text[i]; c {
		case ' ', '\n', '\t':
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
		default:
			b.WriteByte(c)
			blank = false
		}
	}
	for _, m := range marks {
		if m[0] >= from && m[1] <= to {
			out.Marks = append(out.Marks, [2]int{at[m[0]], at[m[1]]})
		}
	}
	out.Text = strings.TrimRight(b.String(), " ")
	if to < len(text) {
		out.Text += "…"
	}
	return out
}

// bestStart is where the window begins that has the most marks, a little before the first.
func bestStart(text string, marks [][2]int) int {
	start, most := 0, 0
	for i, m := range marks {
		n := 0
		for _, o := range marks[i:] {
			if o[1] > m[0]+snippetLen-40 {
				break
			}
			n++
		}
		if n > most {
			start, most = m[0], n
		}
	}
	start = max(0, min(start-40, len(text)-snippetLen))
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	if i := strings.IndexAny(text[start:min(start+40, len(text))], " \n\t"); start > 0 && i >= 0 && i < 30 {
		start += i + 1
	}
	return start
}
