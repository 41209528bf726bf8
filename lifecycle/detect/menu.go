package detect

import (
	"strings"
	"unicode/utf8"
)

// option is a row of a menu.
type option struct {
	chosen   bool // it has the menu's marker
	numbered bool
	col      int    // column of the text, or of the number
	text     string // from there on
}

// strongMarks mark the chosen row of a menu and little else; weakMarks are
// bullets in prose too and count only before a number or in a box.
const (
	strongMarks = "❯›→▶▸➤➜⮕‣"
	weakMarks   = ">●◉◆*"
)

// parseOption reads a row as one of a menu: marked, numbered, or both.
func parseOption(s string) (o option, ok bool) {
	o.col = indent(s)
	rest := s[o.col:]
	if rest == "" || o.col > 12 {
		return o, false
	}
	r, n := utf8.DecodeRuneInString(rest)
	strong := strings.ContainsRune(strongMarks, r)
	if strong || strings.ContainsRune(weakMarks, r) {
		after := strings.TrimLeft(rest[n:], " ")
		if after == "" || after == rest[n:] {
			return o, false
		}
		o.chosen = true
		o.col += 1 + utf8.RuneCountInString(rest[n:]) - utf8.RuneCountInString(after)
		rest = after
	}
	o.text = rest
	o.numbered = startsNumbered(rest)
	return o, o.numbered || strong
}

// startsNumbered reports whether s begins as "1. x" or "2) x" does.
func startsNumbered(s string) bool {
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n > 0 && n < 3 && n+2 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' '
}

// dialog is a menu that waits for keys, with what belongs to it.
type dialog struct {
	found    bool
	all      span
	options  span
	question span
	hint     span
	detail   string // what the dialog is about: a command, a path
}

// maxDialog is how many rows a dialog may have above its menu, and how far from
// the foot of the screen a menu is looked for.
const maxDialog = 30

// findDialog looks for a menu that nothing follows: what an agent that waits
// shows last. Further down there may be rows that belong to the menu, rows that
// name keys, and a footer.
func (v *view) findDialog() {
	for i := len(v.lines) - 1; i >= max(0, len(v.lines)-maxDialog); i-- {
		o, ok := parseOption(v.lines[i].text)
		if !ok || !o.chosen || v.lines[i].shape != textRow {
			continue
		}
		v.dialog = dialog{}
		if v.menuAt(i, o) {
			v.dialog.found = true
			v.dialogTop()
			v.dialogQuestion()
			v.dialogDetail()
			return
		}
	}
	v.dialog = dialog{}
}

// menuAt takes the menu whose chosen row is i, and says whether it waits.
func (v *view) menuAt(i int, o option) bool {
	d := &v.dialog
	d.options = span{i, i + 1}
	others := 0
	for j := i - 1; j >= 0 && v.belongs(j, o, &others); j-- {
		if v.isSibling(j, o) {
			d.options.from = j
		}
	}
	below := 0
	for j := i + 1; j < len(v.lines) && (v.belongs(j, o, &below) || v.lines[j].shape == ruleRow); j++ {
		if v.isSibling(j, o) {
			d.options.to = j + 1
		}
	}
	d.all = span{d.options.from, len(v.lines)}
	_, typed := markOf(v.lines[i].text, v.marks)
	hinted, ok := v.afterMenu(typed)
	if !ok {
		return false
	}
	siblings := others + below
	switch {
	case hinted && (siblings > 0 || o.numbered):
		return true
	case o.numbered && siblings > 0:
		return true
	}
	return false
}

// isSibling reports whether row j is another option of the menu of o.
func (v *view) isSibling(j int, o option) bool {
	l := v.lines[j]
	if l.shape != textRow {
		return false
	}
	p, ok := parseOption(l.text)
	if o.numbered {
		return ok && p.numbered && p.col >= o.col-1 && p.col <= o.col+1
	}
	return !ok && indent(l.text) == o.col
}

// belongs reports whether row j can stand inside the menu of o, and counts the
// options: another option, a row that describes one or goes on with it, or a
// single blank row. In a narrow box a row goes on where the numbers are.
func (v *view) belongs(j int, o option, options *int) bool {
	l := v.lines[j]
	switch {
	case v.isSibling(j, o):
		*options++
		return true
	case l.shape == blankRow:
		return o.numbered && *options < 9 && j+1 < len(v.lines) && j > 0 && v.lines[j-1].shape == textRow && v.lines[j+1].shape == textRow && !isHint(v.lines[j-1].text)
	case l.shape != textRow:
		return false
	}
	return indent(l.text) > o.col || o.numbered && l.framed && indent(l.text) >= o.col-1
}

// afterMenu looks at what is below the menu: whether a row names keys, and
// whether all there is can belong to a dialog. A menu that may as well be a
// list typed into an input line has no footer.
func (v *view) afterMenu(typed bool) (hinted, ok bool) {
	d := &v.dialog
	footer, strange := 0, 0
	for j := d.options.to; j < len(v.lines); j++ {
		l := v.lines[j]
		switch {
		case l.shape == boxBottom, l.shape == ruleRow:
			// A second one frames an input line.
			if footer++; footer > 1 {
				return hinted, false
			}
		case l.shape != textRow:
		case isHint(l.text):
			hinted = true
			if d.hint.empty() {
				d.hint.from = j
			}
			d.hint.to = j + 1
		case indent(l.text) >= detailIndent && footer == 0:
		case l.framed && footer == 0:
		default:
			if _, ok := markOf(l.text, v.marks); ok {
				return hinted, false
			}
			strange++
		}
	}
	most := 1
	if footer > 0 {
		most = 4
	}
	switch {
	case hinted:
		most++
	case typed:
		most = 0
	}
	return hinted, strange <= most
}

// dialogTop finds where the dialog begins: at its box, at the rule above it, or
// below the last thing that the agent or the person said.
func (v *view) dialogTop() {
	d := &v.dialog
	framed := v.lines[d.options.from].framed
	top := d.options.from
	for top > 0 && d.options.from-top < maxDialog {
		l := v.lines[top-1]
		if l.shape == ruleRow || l.shape == boxTop && framed && !v.lines[top-1].framed {
			break
		}
		if framed && !l.framed && l.shape != boxTop || !framed && l.shape == textRow && isSaid(l.text) {
			break
		}
		top--
	}
	d.all.from = top
}

// isSaid reports whether a row is the beginning of a message in a transcript.
func isSaid(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("●⏺•✻✶✳✽✢·❯›>✔✗■✦✕ℹ$", r) && (len(text) == n || text[n] == ' ')
}

// dialogQuestion takes the paragraph above the menu, three rows at most.
func (v *view) dialogQuestion() {
	d := &v.dialog
	end := d.options.from
	for end > d.all.from && v.lines[end-1].shape != textRow {
		end--
	}
	from := end
	for from > d.all.from && end-from < 3 && v.lines[from-1].shape == textRow && v.lines[from-1].framed == v.lines[end-1].framed {
		from--
	}
	d.question = span{from, end}
}

// dialogDetail takes what the dialog is about: the first row between dashed
// rules or in a box inside the box, or a command after a "$".
func (v *view) dialogDetail() {
	d := &v.dialog
	inside := false
	for i := d.all.from; i < d.options.from; i++ {
		l := v.lines[i]
		switch {
		case l.shape == dashedRow, l.framed && (l.shape == boxTop || l.shape == boxBottom):
			inside = !inside
		case l.shape != textRow:
		case inside, strings.HasPrefix(strings.TrimLeft(l.text, " "), "$ "):
			d.detail = strings.TrimPrefix(strings.Trim(l.text, " "), "$ ")
			return
		}
	}
}
