package detect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"deck/lifecycle"
)

// nowhere is the row of a condition that holds without one.
const nowhere = -1

// holds reports whether a condition holds, and on which row: the lowest.
func (c *cond) holds(v *view) (row int, ok bool) {
	row = nowhere
	if c.leaf() {
		if row, ok = c.match(v); !ok {
			return nowhere, false
		}
	}
	for i := range c.all {
		r, ok := c.all[i].holds(v)
		if !ok {
			return nowhere, false
		}
		row = max(row, r)
	}
	if len(c.any) > 0 {
		some := false
		for i := range c.any {
			if r, ok := c.any[i].holds(v); ok {
				some, row = true, max(row, r)
			}
		}
		if !some {
			return nowhere, false
		}
	}
	for i := range c.not {
		if _, ok := c.not[i].holds(v); ok {
			return nowhere, false
		}
	}
	return row, true
}

// match looks for the lowest row of the region that a leaf matches.
func (c *cond) match(v *view) (row int, ok bool) {
	switch c.where.kind {
	case regionTitle:
		return nowhere, c.matches(v.screen.Title) && v.screen.Title != ""
	case regionProgress:
		return nowhere, v.screen.Progress != 0 && c.matches(progressText(v.screen))
	case regionShell:
		return nowhere, v.screen.Shell
	}
	s, there := v.span(c.where)
	if !there {
		return nowhere, false
	}
	if c.text == "" && c.re == nil {
		return s.to - 1, true
	}
	for i := s.to - 1; i >= s.from; i-- {
		l := &v.lines[i]
		if l.shape != blankRow && c.matches(l.text) {
			return i, true
		}
		if c.belowNot != nil && c.belowNot.MatchString(l.text) {
			return nowhere, false
		}
	}
	return nowhere, false
}

func progressText(s *Screen) string {
	return strconv.Itoa(s.Progress) + " " + strconv.Itoa(s.Percent)
}

// matches reports whether text and pattern of a leaf match one row.
func (c *cond) matches(text string) bool {
	switch {
	case c.text == "":
	case c.fold:
		if indexFold(text, c.text) < 0 {
			return false
		}
	case !strings.Contains(text, c.text):
		return false
	}
	return c.re == nil || c.re.MatchString(text)
}

// first returns the row that explains best why a condition holds: that of its
// first leaf with a text or pattern.
func (c *cond) first(v *view) (text string, ok bool) {
	if c.text != "" || c.re != nil {
		if row, ok := c.match(v); ok {
			return v.rowText(row, c.where), true
		}
	}
	for _, list := range [][]cond{c.all, c.any} {
		for i := range list {
			if text, ok := list[i].first(v); ok {
				return text, true
			}
		}
	}
	return "", false
}

// rowText returns a row as it is shown to explain a verdict.
func (v *view) rowText(row int, r region) string {
	switch r.kind {
	case regionTitle:
		return v.screen.Title
	case regionProgress:
		return progressText(v.screen)
	}
	if row < 0 || row >= len(v.lines) {
		return ""
	}
	return strings.Trim(v.lines[row].text, " ")
}

// verdict evaluates the rules, either those on what the agent says itself or
// those on what it draws: the highest priority wins, of equals the lowest row.
func (r *Rules) verdict(v *view, native bool) lifecycle.Verdict {
	best, at := -1, nowhere
	for i := range r.rules {
		rl := &r.rules[i]
		if best >= 0 && rl.priority < r.rules[best].priority {
			break
		}
		if rl.native != native {
			continue
		}
		if row, ok := rl.when.holds(v); ok && (best < 0 || row > at) {
			best, at = i, row
		}
	}
	if best < 0 {
		return lifecycle.Verdict{}
	}
	return r.rules[best].conclude(v)
}

// conclude makes the verdict of a rule that holds.
func (rl *rule) conclude(v *view) lifecycle.Verdict {
	out := lifecycle.Verdict{State: rl.state, Reason: rl.reason, Rule: rl.id, Hold: rl.hold}
	text, ok := rl.when.first(v)
	if !ok {
		text = v.represent(rl.when.where)
	}
	out.Matched = text
	out.Ended = slices.ContainsFunc(rl.ended, func(c cond) bool { _, ok := c.holds(v); return ok })
	out.Tool = v.capture(rl.tool, rl.when.where)
	out.Request = v.capture(rl.request, rl.when.where)
	if out.Request == "" && rl.state == lifecycle.NeedsInput && v.dialog.found {
		if out.Request = v.dialog.detail; out.Request == "" {
			out.Request = v.paragraph(v.dialog.question)
		}
	}
	out.Matched, out.Request, out.Tool = short(out.Matched), short(out.Request), short(out.Tool)
	return out
}

// maxShort is how many characters of a row a verdict carries.
const maxShort = 240

func short(s string) string {
	if len(s) <= maxShort || utf8.RuneCountInString(s) <= maxShort {
		return s
	}
	return string([]rune(s)[:maxShort-1]) + "…"
}

// represent returns a text that stands for a region without a pattern.
func (v *view) represent(r region) string {
	s, ok := v.span(r)
	if !ok {
		return v.rowText(nowhere, r)
	}
	if r.kind == regionDialog {
		s = v.dialog.question
	}
	if i := v.firstText(s); i >= 0 {
		return v.rowText(i, r)
	}
	return ""
}

// paragraph joins the text of rows.
func (v *view) paragraph(s span) string {
	var parts []string
	for _, l := range v.lines[s.from:s.to] {
		if l.shape == textRow {
			parts = append(parts, strings.Trim(l.text, " "))
		}
	}
	return strings.Join(parts, " ")
}

// capture returns the first group, or all, of the first match in a region.
func (v *view) capture(re *regexp.Regexp, r region) string {
	if re == nil {
		return ""
	}
	s, ok := v.span(r)
	if !ok {
		return ""
	}
	for _, l := range v.lines[s.from:s.to] {
		if m := re.FindStringSubmatch(l.text); m != nil {
			return strings.Trim(m[min(1, len(m)-1)], " ")
		}
	}
	return ""
}
