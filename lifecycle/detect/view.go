package detect

// span is a run of rows of a view, the end excluded.
type span struct{ from, to int }

func (s span) empty() bool { return s.from >= s.to }

// view is a screen as the rules of one agent see it.
type view struct {
	screen *Screen
	marks  []string // what an input line begins with
	empty  []string // what an empty one shows
	lines  []line
	prompt promptBox
	dialog dialog
}

// promptBox is the input line with its frame: the body without it.
type promptBox struct {
	found bool
	all   span
	body  span
	mark  string // what the body begins with; empty where it has no marker
}

// look finds the parts of a screen that the rules speak of.
func look(s *Screen, r *Rules) *view {
	v := &view{screen: s, marks: r.marks, empty: r.empty, lines: lines(s)}
	for _, f := range r.frames {
		if f == frameBare || f == framePlain || f == frameLine {
			// These look like the frame or the marker of a dialog.
			v.findDialog()
			if v.dialog.found {
				break
			}
		}
		if v.findPrompt(f); v.prompt.found {
			break
		}
	}
	if !v.prompt.found && !v.dialog.found {
		v.findDialog()
	}
	return v
}

// filled returns how many rows of a span are not blank.
func (v *view) filled(s span) int {
	n := 0
	for _, l := range v.lines[s.from:s.to] {
		if l.shape != blankRow {
			n++
		}
	}
	return n
}

// firstText returns the first row of a span that is text, or -1.
func (v *view) firstText(s span) int {
	for i := s.from; i < s.to; i++ {
		if v.lines[i].shape == textRow {
			return i
		}
	}
	return -1
}

// above returns the rows over the input line, or all where there is none.
func (v *view) above() span {
	if v.prompt.found {
		return span{0, v.prompt.all.from}
	}
	return span{0, len(v.lines)}
}

// status returns the last row above the input line that is no detail of
// another: blank rows, rows that hang below another and what stands at the
// right edge are passed over.
func (v *view) status() span {
	for i := v.above().to - 1; i >= 0; i-- {
		l := v.lines[i]
		if l.shape == textRow && !isDetail(l.text) {
			return span{i, i + 1}
		}
		if l.shape != textRow && l.shape != blankRow {
			break
		}
	}
	return span{}
}

// detailIndent is the indentation from which a row belongs to the one above.
const detailIndent = 4

func isDetail(text string) bool {
	n := indent(text)
	if n >= detailIndent {
		return true
	}
	for _, p := range []string{"⎿", "└", "↳", "├", "│"} {
		if n > 0 && len(text) >= n+len(p) && text[n:n+len(p)] == p {
			return true
		}
	}
	return false
}
