package detect

import (
	"regexp"

	"deck/lifecycle"
)

// Rules are the compiled rules of one agent.
type Rules struct {
	agent   string
	version int
	marks   []string
	empty   []string // what an empty input line shows
	frames  []frame
	generic bool
	rules   []rule // the highest priority first
}

// rule yields a verdict where its condition holds.
type rule struct {
	id       string
	state    lifecycle.State
	reason   string
	priority int
	hold     bool
	native   bool // it reads the title or the progress bar: the agent's own word
	when     cond
	ended    []cond // one of them says that the turn is over
	tool     *regexp.Regexp
	request  *regexp.Regexp
}

// cond is a condition on the rows of a region.
type cond struct {
	where    region
	text     string
	fold     bool
	re       *regexp.Regexp
	belowNot *regexp.Regexp
	all      []cond
	any      []cond
	not      []cond
}

// leaf reports whether c looks at rows itself.
func (c *cond) leaf() bool {
	return c.text != "" || c.re != nil || len(c.all)+len(c.any)+len(c.not) == 0
}

// regionKind is a part of what a terminal shows.
type regionKind uint8

const (
	regionScreen regionKind = iota
	regionBottom
	regionFilled
	regionPrompt
	regionAbove
	regionBelow
	regionStatus
	regionAfterRule
	regionDialog
	regionQuestion
	regionOptions
	regionHint
	regionCursor
	regionShell
	regionTitle
	regionProgress
)

// region is a part, with a number of rows for the kinds that take one.
type region struct {
	kind regionKind
	n    int
}

var regionNames = map[string]regionKind{
	"screen": regionScreen, "bottom": regionBottom, "filled": regionFilled, "prompt": regionPrompt, "above": regionAbove,
	"below": regionBelow, "status": regionStatus, "after-rule": regionAfterRule, "dialog": regionDialog,
	"question": regionQuestion, "options": regionOptions, "hint": regionHint, "cursor": regionCursor,
	"shell": regionShell, "title": regionTitle, "progress": regionProgress,
}

// counted reports whether a region is named with a number of rows.
func (k regionKind) counted() bool {
	return k == regionBottom || k == regionFilled || k == regionAbove
}

// native reports whether a region is what the agent says and not what it draws.
func (k regionKind) native() bool { return k == regionTitle || k == regionProgress }

// span returns the rows of a region; the second is false where it is not there.
func (v *view) span(r region) (span, bool) {
	all := span{0, len(v.lines)}
	var s span
	switch r.kind {
	case regionScreen:
		s = all
	case regionBottom:
		s = span{max(0, len(v.lines)-r.n), len(v.lines)}
	case regionFilled:
		s = v.lastFilled(all, r.n)
	case regionPrompt:
		s = v.prompt.body
	case regionAbove:
		if v.prompt.found {
			s = v.lastFilled(v.above(), r.n)
		}
	case regionBelow:
		if v.prompt.found {
			s = span{v.prompt.all.to, len(v.lines)}
		}
	case regionStatus:
		s = v.status()
	case regionAfterRule:
		s = v.afterRule()
	case regionDialog:
		s = v.dialog.all
	case regionQuestion:
		s = v.dialog.question
	case regionOptions:
		s = v.dialog.options
	case regionHint:
		s = v.dialog.hint
	case regionCursor:
		s = v.cursorRow()
	}
	return s, !s.empty()
}

// lastFilled returns the end of a span from its nth last row that is not blank.
func (v *view) lastFilled(s span, n int) span {
	from := s.to
	for from > s.from && n > 0 {
		from--
		if v.lines[from].shape != blankRow {
			n--
		}
	}
	return span{from, s.to}
}

func (v *view) afterRule() span {
	for i := len(v.lines) - 1; i >= 0; i-- {
		if v.lines[i].shape == ruleRow {
			return span{i + 1, len(v.lines)}
		}
	}
	return span{}
}

// cursorRow returns the row of the cursor; where it is not known, the last one.
func (v *view) cursorRow() span {
	n := len(v.lines)
	if v.screen.CursorY < 0 {
		return span{max(0, n-1), n}
	}
	for i := n - 1; i >= 0; i-- {
		if v.lines[i].row <= v.screen.CursorY {
			return span{i, i + 1}
		}
	}
	return span{}
}
