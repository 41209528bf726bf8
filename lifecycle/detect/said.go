package detect

import (
	"slices"
	"strings"
)

// Said returns what an agent shows between a prompt and its input line, without
// the frame around it: its answer, as far as the screen and the rows of history
// before it tell. It is empty where the prompt is not to be seen, unless nothing
// came before.
func (s *Set) Said(agent string, sc *Screen, history []string, prompt string) string {
	r := s.rules(agent)
	v := look(sc, r)
	rows := slices.Clone(history)
	for i, l := range v.lines[:v.answerEnd(r)] {
		if i > 0 && sc.Rows[i-1].Wrapped {
			rows[len(rows)-1] += l.text
			continue
		}
		rows = append(rows, l.text)
	}
	return strings.Join(tidy(rows[afterPrompt(rows, prompt):]), "\n")
}

// answerEnd returns the row behind the last one of an answer: what the agent
// writes of itself below it is none of it, at the right edge or as a turn's end.
func (v *view) answerEnd(r *Rules) int {
	end := v.above().to
	for ; end > 0; end-- {
		l := v.lines[end-1]
		if l.shape != blankRow && indent(l.text) <= v.screen.Cols/2 && !r.endsTurn(l.text) {
			break
		}
	}
	return end
}

// endsTurn reports whether a row is the agent's own word that its turn is over.
func (r *Rules) endsTurn(text string) bool {
	for i := range r.rules {
		for j := range r.rules[i].ended {
			if c := &r.rules[i].ended[j]; (c.text != "" || c.re != nil) && (c.where.kind == regionStatus || c.where.kind == regionAbove) && c.matches(text) {
				return true
			}
		}
	}
	return false
}

// afterPrompt returns the index behind the last place where rows show a prompt.
// Agents draw it after a marker, and break it where their screen ends.
func afterPrompt(rows []string, prompt string) int {
	words := strings.Fields(prompt)
	if len(words) == 0 {
		return 0
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if n := matchPrompt(rows[i:], words); n > 0 {
			return i + n
		}
	}
	return 0
}

// matchPrompt returns how many rows from the first on show the words, 0 if they
// do not. Long prompts are shortened; their beginning is enough.
func matchPrompt(rows []string, words []string) int {
	const enough = 12
	seen, n := 0, 0
	for _, row := range rows {
		got := strings.Fields(strings.TrimLeft(row, " ❯›>│┃*•"))
		if seen == 0 && (len(got) == 0 || got[0] != words[0]) {
			return 0
		}
		for _, w := range got {
			if seen == len(words) {
				break
			}
			if w != words[seen] {
				if seen < enough {
					return 0
				}
				return n
			}
			seen++
		}
		if n++; seen == len(words) {
			return n
		}
	}
	return 0
}

// tidy takes off empty rows at both ends, and the indentation that all share.
func tidy(rows []string) []string {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	for len(rows) > 0 && blank(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 0 && blank(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	shared := -1
	for _, r := range rows {
		if n := indent(r); !blank(r) && (shared < 0 || n < shared) {
			shared = n
		}
	}
	out := make([]string, 0, len(rows))
	for _, r := range rows {
		if !blank(r) {
			r = strings.TrimRight(r[max(shared, 0):], " ")
		}
		out = append(out, strings.TrimRight(r, " "))
	}
	return out
}
