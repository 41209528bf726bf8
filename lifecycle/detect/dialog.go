package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dialog is a menu that waits for a person's keys, as it is drawn.
type Dialog struct {
	Text    []string // the rows above the options, without frames, blank ones only between others
	Options []Option // empty for a menu of which several may be ticked
	Yes, No int      // the options that plainly agree or refuse, -1 for none
}

// Option is one thing that can be chosen.
type Option struct {
	Number int    // that it is drawn with, 0 for none
	Text   string // without mark and number
	Note   string // what is drawn below it, on one line
	Chosen bool   // Enter takes this one
}

// Dialog returns the menu that an agent waits with, and false where its screen
// has none that can be read.
func (s *Set) Dialog(agent string, sc *Screen) (Dialog, bool) {
	v := look(sc, s.rules(agent))
	if !v.dialog.found {
		v.findDialog()
	}
	if !v.dialog.found {
		return Dialog{}, false
	}
	d := Dialog{Text: v.plainRows(v.dialog.all.from, v.dialog.options.from), Options: v.menuOptions()}
	for _, o := range d.Options {
		if ticked(o.Text) {
			d.Options = nil
			break
		}
	}
	d.Yes, d.No = begins(d.Options, yesWords), begins(d.Options, noWords)
	return d, true
}

// plainRows are rows of text, with one blank one for whatever divides them.
func (v *view) plainRows(from, to int) []string {
	var rows []string
	for _, l := range v.lines[from:to] {
		switch {
		case l.shape == textRow:
			rows = append(rows, l.text)
		case len(rows) > 0 && rows[len(rows)-1] != "":
			rows = append(rows, "")
		}
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// menuOptions reads the options of the dialog. Their chosen one says how the
// others look.
func (v *view) menuOptions() []Option {
	var like option
	for _, l := range v.lines[v.dialog.options.from:v.dialog.options.to] {
		if o, ok := parseOption(l.text); ok && o.chosen && l.shape == textRow {
			like = o
		}
	}
	var out []Option
	for j := v.dialog.options.from; j < v.dialog.options.to; j++ {
		l := v.lines[j]
		o, ok := parseOption(l.text)
		switch {
		case l.shape != textRow:
		case ok && o.chosen, v.isSibling(j, like):
			if !ok {
				o = option{text: strings.TrimSpace(l.text)}
			}
			out = append(out, newOption(o))
		case len(out) > 0:
			last := &out[len(out)-1]
			last.Note = strings.TrimSpace(last.Note + " " + strings.TrimSpace(l.text))
		}
	}
	return out
}

func newOption(o option) Option {
	out := Option{Text: o.text, Chosen: o.chosen}
	if o.numbered {
		digits, rest, _ := strings.Cut(o.text, " ")
		for _, r := range strings.TrimRight(digits, ".)") {
			out.Number = out.Number*10 + int(r-'0')
		}
		out.Text = rest
	}
	out.Text = strings.TrimSpace(out.Text)
	return out
}

// ticked reports whether an option is one of several that may be ticked.
func ticked(text string) bool {
	for _, p := range []string{"[ ]", "[x]", "[X]", "[✓]", "[✔]", "☐", "☑", "☒", "◻", "◼"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// What options that agree and those that refuse begin with.
var (
	yesWords = []string{"yes", "allow", "approve", "accept", "proceed", "trust", "continue", "run", "apply"}
	noWords  = []string{"no", "deny", "reject", "decline", "don't", "do not", "cancel", "abort"}
)

// begins returns the first option that begins with one of the words, or -1.
func begins(options []Option, words []string) int {
	for i, o := range options {
		text := strings.ToLower(o.Text)
		for _, w := range words {
			rest, ok := strings.CutPrefix(text, w)
			if r, _ := utf8.DecodeRuneInString(rest); ok && !unicode.IsLetter(r) {
				return i
			}
		}
	}
	return -1
}
