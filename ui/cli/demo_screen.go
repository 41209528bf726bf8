package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// What the dialogs of a sample agent are about.
const (
	demoCommand  = "go test ./..."
	demoQuestion = "What shall the function be called?"
)

var demoNames = [2]string{"Parse", "Read"}

// demoSpinner is drawn while it works, a glyph for each tick.
var demoSpinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// rows draws the screen: the end of what was said, and below it a dialog, or
// the input line with the spinner above. The cursor is in the input line, or
// y is -1.
func (d *demo) rows(cols, rows int) (out []string, x, y int) {
	below, cursor := d.foot(cols)
	log := d.log
	if room := max(rows-len(below), 0); len(log) > room {
		log = log[len(log)-room:]
	}
	out = append(append(out, log...), below...)
	if len(out) > rows {
		cut := len(out) - rows
		out, cursor = out[cut:], cursor-cut
	}
	for i := range out {
		out[i] = ansi.Truncate(out[i], cols, "…")
	}
	if y = cursor + len(log); cursor < 0 {
		y = -1
	}
	return out, min(2+ansi.StringWidth(d.draft), cols-1), y
}

// foot is what stands below what was said, and which row of it has the cursor.
func (d *demo) foot(cols int) (rows []string, cursor int) {
	switch d.step {
	case "ask":
		return d.dialog(cols, []string{"Run this command?", "", "  $ " + demoCommand, ""}, "Yes", "No, go on without it (esc)"), -1
	case "question":
		return d.dialog(cols, []string{demoQuestion, ""}, demoNames[0], demoNames[1]), -1
	}
	hint := "enter to send · ctrl+c to quit"
	if d.busy() {
		spin := string(demoSpinner[d.ticks%len(demoSpinner)])
		rows = append(rows, spin+" Working… (esc to interrupt)", "")
		hint = "esc to interrupt"
	}
	rule := strings.Repeat("─", max(cols, 1))
	return append(rows, rule, strings.TrimRight("> "+d.draft, " "), rule, "  demo "+d.role+" · "+hint), len(rows) + 1
}

// dialog frames a text and two options.
func (d *demo) dialog(cols int, text []string, options ...string) []string {
	for i, o := range options {
		mark := "  "
		if i == d.choice {
			mark = "❯ "
		}
		text = append(text, mark+string(rune('1'+i))+". "+o)
	}
	inner := max(min(cols, 60)-4, 1)
	rows := []string{"╭" + strings.Repeat("─", inner+2) + "╮"}
	for _, t := range text {
		t = ansi.Truncate(t, inner, "…")
		rows = append(rows, "│ "+t+strings.Repeat(" ", inner-ansi.StringWidth(t))+" │")
	}
	return append(rows, "╰"+strings.Repeat("─", inner+2)+"╯")
}
