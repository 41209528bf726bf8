package detect

import (
	"slices"
	"strings"

	"deck/lifecycle"
)

// frame is how an agent draws its input line.
type frame uint8

const (
	frameRules frame = iota // between two horizontal rules, after a marker
	frameBare               // between two horizontal rules, without a marker
	frameBox                // in a box, after a marker
	frameBar                // rows with a bar at the left and a rule at the foot
	framePlain              // a marker at the edge, nothing around it
	frameLine               // the same, on the row of the cursor
)

var frameNames = map[string]frame{
	"rules": frameRules, "bare": frameBare, "box": frameBox, "bar": frameBar, "plain": framePlain, "line": frameLine,
}

const (
	maxBelow  = 14 // rows that may stand below an input line
	maxPrompt = 40 // rows of an input line
)

// findPrompt looks for the input line in one kind of frame.
func (v *view) findPrompt(f frame) {
	switch f {
	case frameRules:
		v.promptInRules(v.marks)
	case frameBare:
		v.promptInRules(nil)
	case frameBox:
		v.promptInBox()
	case frameBar:
		v.promptWithBar()
	case framePlain:
		v.plainPrompt()
	case frameLine:
		v.plainPrompt()
		if at := v.cursorRow(); at.from < v.prompt.body.from || at.from >= v.prompt.body.to {
			v.prompt = promptBox{}
		}
	}
}

// promptInRules takes the lowest pair of rules with an input line between.
// Without marks any text between them is one.
func (v *view) promptInRules(marks []string) {
	for low := len(v.lines) - 1; low > 0; low-- {
		if !v.footer(low+1, marks == nil) || v.hasNumberedChoice(low+1) {
			return
		}
		if v.lines[low].shape != ruleRow {
			continue
		}
		up := low - 1
		for up >= 0 && !v.pairs(up, low) && low-up <= maxPrompt {
			up--
		}
		if up < 0 || !v.pairs(up, low) || up == low-1 || v.lines[up].foot {
			continue
		}
		body := span{up + 1, low}
		mark, ok := markOf(v.lines[body.from].text, marks)
		if ok || marks == nil {
			v.prompt = promptBox{found: true, all: span{up, low + 1}, body: body, mark: mark}
			return
		}
	}
}

// pairs reports whether row up can be the upper rule of a frame that ends with
// row low. One in a draft is indented as the draft is.
func (v *view) pairs(up, low int) bool {
	return v.lines[up].shape == ruleRow && indent(v.lines[up].text) == indent(v.lines[low].text)
}

// maxFlush is how many rows of a footer may stand at the edge: a status line
// that a person made.
const maxFlush = 2

// footer reports whether the rows from i on can stand below an input line.
// Footers are few and mostly indented, what a transcript or a shell prints is
// not; flush says that this agent's own footer is not indented either.
func (v *view) footer(i int, flush bool) bool {
	below := span{i, len(v.lines)}
	if v.filled(below) > maxBelow {
		return false
	}
	edge := 0
	for _, l := range v.lines[below.from:below.to] {
		if l.shape != textRow || l.framed || indent(l.text) > 0 {
			continue
		}
		if edge++; edge > maxFlush && !flush || isSaid(l.text) {
			return false
		}
	}
	return true
}

// hasNumberedChoice reports whether a row from i on is the chosen one of a
// numbered menu. Below an input line there is none.
func (v *view) hasNumberedChoice(i int) bool {
	for ; i < len(v.lines); i++ {
		if o, ok := parseOption(v.lines[i].text); ok && o.chosen && o.numbered {
			return true
		}
	}
	return false
}

// promptInBox takes the lowest box whose first row begins with a marker.
func (v *view) promptInBox() {
	for low := len(v.lines) - 1; low > 0; low-- {
		if !v.footer(low+1, false) {
			return
		}
		if v.lines[low].shape != boxBottom {
			continue
		}
		up := low - 1
		for up >= 0 && v.lines[up].framed && low-up <= maxPrompt {
			up--
		}
		if up < 0 || v.lines[up].shape != boxTop || up == low-1 {
			continue
		}
		if mark, ok := markOf(v.lines[up+1].text, v.marks); ok {
			v.prompt = promptBox{found: true, all: span{up, low + 1}, body: span{up + 1, low}, mark: mark}
		}
		return
	}
}

// promptWithBar takes the lowest run of rows with a bar that ends in a rule.
func (v *view) promptWithBar() {
	for low := len(v.lines) - 1; low > 0; low-- {
		if !v.footer(low+1, false) {
			return
		}
		if l := v.lines[low]; l.shape != ruleRow || !l.foot {
			continue
		}
		up := low
		for up > 0 && v.lines[up-1].framed && low-up <= maxPrompt {
			up--
		}
		if up < low {
			v.prompt = promptBox{found: true, all: span{up, low + 1}, body: span{up, low}}
			return
		}
	}
}

// plainPrompt takes the lowest row that begins with a marker at the edge, if
// nothing but footers is below it. Footers are indented.
func (v *view) plainPrompt() {
	for i := len(v.lines) - 1; i >= 0; i-- {
		l := v.lines[i]
		if l.shape != textRow {
			continue
		}
		if mark, ok := markOf(l.text, v.marks); ok && !l.framed {
			v.prompt = promptBox{found: true, all: span{i, i + 1}, body: span{i, i + 1}, mark: mark}
			v.growPlain(i)
			return
		}
		if indent(l.text) == 0 || v.filled(span{i, len(v.lines)}) > maxBelow {
			return
		}
	}
}

// growPlain takes the rows of a draft that has several into the input line: to
// the first blank one.
func (v *view) growPlain(i int) {
	for end := i + 1; end < len(v.lines) && v.lines[end].shape == textRow; end++ {
		v.prompt.all.to, v.prompt.body.to = end+1, end+1
	}
}

// markOf returns the marker that a row begins with.
func markOf(text string, marks []string) (string, bool) {
	if indent(text) > 1 {
		return "", false
	}
	text = strings.TrimPrefix(text, " ")
	for _, m := range marks {
		if rest, ok := strings.CutPrefix(text, m); ok && (rest == "" || rest[0] == ' ') {
			return m, true
		}
	}
	return "", false
}

// composer is what the input line holds. A mark of another mode stands for text:
// what is typed there goes to a shell, or somewhere else than to the agent.
func (v *view) composer() lifecycle.Composer {
	if !v.prompt.found {
		return lifecycle.Composer{}
	}
	var rows []string
	for _, l := range v.lines[v.prompt.body.from:v.prompt.body.to] {
		rows = append(rows, strings.TrimRight(l.solid, " "))
	}
	draft := strings.Join(rows, "\n")
	if v.prompt.mark != "" {
		draft = strings.TrimPrefix(strings.TrimLeft(draft, " "), v.prompt.mark)
	}
	if draft = strings.Trim(draft, " \n"); slices.Contains(v.empty, draft) {
		draft = ""
	}
	return lifecycle.Composer{Found: true, Empty: draft == "" && !command(v.prompt.mark, ""), Draft: draft}
}
