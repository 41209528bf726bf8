package vt

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deck/term/screen"
)

// The tests of libvterm, an emulator by others, are read from the folder that
// this variable names: one operation a line, as "LINE OP rest", the line being
// that of the original file and strings in hexadecimal.
const libvtermFolder = "DECK_TEST_LIBVTERM"

// libvtermLeast is how many of the checks that can be made from outside must
// pass.
const libvtermLeast = 665

// libvtermInside are files that test the library's own interface and not a
// terminal: callbacks of its parser, its keyboard, mouse and clipboard, encodings
// other than UTF-8, marks of double size in its cells.
var libvtermInside = []string{
	"02parser", "03encoding_utf8", "14state_encoding", "17state_mouse", "25state_input", "28state_dbl_wh", "29state_fallback",
	"40state_selection", "66screen_extent", "67screen_dbl_wh", "92lp1640917",
}

// libvtermChoices are the checks that fail because deck chose otherwise.
var libvtermChoices = []struct {
	file, lines, why string
}{
	{"26state_query", "7", "deck says that it is a VT220 with colours and a clipboard"},
	{"26state_query", "12", "deck says its own name"},
	{"26state_query", "62", "replies have seven bits: in UTF-8 byte 0x9b is half a character"},
	{"22state_save", "32 46 56 63", "DECSC does not save the shape of the cursor, as in xterm"},
	{"30state_pen", "111 114", "bold does not brighten a colour: that is the outer terminal's affair"},
	{"10state_putglyph", "58", "a character takes more than five marks"},
	{"61screen_unicode", "35 41", "a character takes more than five marks"},
	{"13state_edit", "81", "IL goes to the left margin, as on DEC's terminals"},
	{"13state_edit", "269", "DECSCA that is off is reported as 0, as by xterm"},
	{"31state_rep", "127", "repeated characters wrap as printed ones do"},
	{"16state_resize", "36", "a line that no longer fits is wrapped, and the cursor goes with it"},
	{"63screen_resize", "103 104 105 106", "the rows that come back are an invention of the test's callback"},
	{"64screen_pen", "46 47", "erased cells keep the background only: nothing of the foreground shows"},
	{"64screen_pen", "51 52", "the reverse screen is a mode of the whole screen and not of each cell"},
	{"64screen_pen", "67 70 71", "the default colours are set by a call of the library"},
	{"69screen_reflow", "74 75 76 78 79", "widening leaves the blank rows where they are"},
}

// TestLibvterm makes the checks of libvterm's tests that can be made from
// outside. All must pass but those that libvtermChoices names, and those must
// not.
func TestLibvterm(t *testing.T) {
	t.Parallel()
	dir := os.Getenv(libvtermFolder)
	if dir == "" {
		t.Skip(libvtermFolder + " names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", dir, err)
	}
	choices := map[string]string{}
	for _, c := range libvtermChoices {
		for line := range strings.FieldsSeq(c.lines) {
			choices[c.file+" "+line] = c.why
		}
	}
	passed, failed := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if slices.Contains(libvtermInside, name) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range runLibvterm(t, string(data)) {
			key := name + " " + c.line
			why, chosen := choices[key]
			delete(choices, key)
			switch {
			case c.got == c.want && chosen:
				t.Errorf("%s passes, although %s", key, why)
			case c.got != c.want && !chosen:
				t.Errorf("%s: %s: %s, want %s", key, c.what, c.got, c.want)
			}
			if c.got == c.want {
				passed++
			} else {
				failed++
			}
		}
	}
	for key := range choices {
		t.Errorf("%s is no check", key)
	}
	t.Logf("%d of %d checks passed", passed, passed+failed)
	if passed < libvtermLeast {
		t.Errorf("%d checks passed, want %d", passed, libvtermLeast)
	}
}

// vtermCheck is one check of libvterm's tests with its result.
type vtermCheck struct{ line, what, want, got string }

// vtermStep is a command with the operations that follow it.
type vtermStep struct {
	cmd  []string
	then []vtermOp
}

type vtermOp struct {
	line, op string
	args     []string
	rest     string
}

func libvtermSteps(data string) []vtermStep {
	steps := []vtermStep{{}}
	for line := range strings.Lines(data) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), " ", 3)
		if len(f) < 3 {
			f = append(f, "", "")[:3]
		}
		op := vtermOp{line: f[0], op: f[1], args: strings.Fields(f[2]), rest: f[2]}
		switch op.op {
		case "CMD":
			steps = append(steps, vtermStep{cmd: op.args})
		case "EXP", "ROW", "ASSERT":
			last := &steps[len(steps)-1]
			last.then = append(last.then, op)
		}
	}
	return steps
}

// vtermRun is the state of one file's tests.
type vtermRun struct {
	e       *Emulator
	replies []byte
	had     int // rows of history before the last step
	checks  []vtermCheck
}

func runLibvterm(t *testing.T, data string) []vtermCheck {
	var r vtermRun
	for _, s := range libvtermSteps(data) {
		r.command(t, s.cmd)
		for i, op := range s.then {
			r.check(op, s.then[:i], s.then[i+1:])
		}
	}
	return r.checks
}

func (r *vtermRun) command(t *testing.T, cmd []string) {
	if len(cmd) == 0 {
		return
	}
	switch cmd[0] {
	case "INIT", "RESET":
		cols, rows := 80, 25
		if r.e != nil && cmd[0] == "RESET" {
			cols, rows = r.e.Size()
		}
		r.e = New(cols, rows, Options{History: 1000})
	case "RESIZE":
		r.had = r.e.HistoryLen()
		var cols, rows int
		if _, err := fmt.Sscanf(cmd[1], "%d,%d", &rows, &cols); err != nil {
			t.Fatal(err)
		}
		r.e.Resize(cols, rows)
	case "PUSH":
		b, err := hex.DecodeString(cmd[1])
		if err != nil {
			t.Fatal(err)
		}
		r.had = r.e.HistoryLen()
		r.e.Write(b)
		r.replies = r.e.TakeReplies(nil)
	}
}

// check makes the check of op, if it can be made from outside; before and after
// are its neighbours in its step.
func (r *vtermRun) check(op vtermOp, before, after []vtermOp) {
	add := func(want, got string) {
		r.checks = append(r.checks, vtermCheck{op.line, op.rest, want, got})
	}
	switch op.op {
	case "ROW":
		var y int
		var h string
		_, _ = fmt.Sscanf(op.rest, "%d %s", &y, &h)
		b, _ := hex.DecodeString(h)
		add(strings.TrimRight(string(b), " "), rowString(r.e, vtermRow(r.e, y)))
	case "ASSERT":
		l, want, _ := strings.Cut(op.rest, " =")
		if got, ok := r.assert(strings.Fields(l)); ok && !strings.ContainsAny(want, "FS") {
			add(strings.TrimSpace(want), got)
		}
	case "EXP":
		if want, got, ok := r.expect(op, before, after); ok {
			add(want, got)
		}
	}
}

// vtermRow returns the cells of a row, none below the screen.
func vtermRow(e *Emulator, y int) []screen.Cell {
	if y >= e.rows {
		return nil
	}
	return e.Row(y)
}

// assert returns what the emulator has of what a line asserts.
func (r *vtermRun) assert(a []string) (got string, ok bool) {
	switch a[0] {
	case "cursor":
		c := r.e.Cursor()
		return fmt.Sprintf("%d,%d", c.Y, min(c.X, r.e.cols-1)), true
	case "pen":
		return vtermPen(r.e.Pen(), a[1])
	case "screen_text", "screen_chars":
		return r.rectangle(a[1], a[0] == "screen_text"), true
	case "screen_cell":
		return r.cell(a[1]), true
	}
	return "", false
}

func vtermPen(p screen.Style, what string) (string, bool) {
	on := map[bool]string{true: "on", false: "off"}
	switch what {
	case "bold":
		return on[p.Attr&screen.Bold != 0], true
	case "underline":
		return fmt.Sprint(int(p.Underline)), true
	case "italic":
		return on[p.Attr&screen.Italic != 0], true
	case "blink":
		return on[p.Attr&screen.Blink != 0], true
	case "reverse":
		return on[p.Attr&screen.Reverse != 0], true
	case "foreground":
		return vtermColor(p.Fg, "rgb(240,240,240,is_default_fg)", false), true
	case "background":
		return vtermColor(p.Bg, "rgb(0,0,0,is_default_bg)", false), true
	}
	return "", false
}

// vtermColor is a colour as the tests write it, the first eight of the palette
// as RGB in cells.
func vtermColor(c screen.Color, def string, cell bool) string {
	n, ok := c.Index()
	if ok && cell && n < 8 {
		level := [2]int{0, 224}
		return fmt.Sprintf("rgb(%d,%d,%d)", level[n&1], level[n>>1&1], level[n>>2&1])
	}
	if ok {
		return fmt.Sprintf("idx(%d)", n)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("rgb(%d,%d,%d)", r, g, b)
	}
	return def
}

// rectangle is the text of a part of the screen, its bytes or its runes.
func (r *vtermRun) rectangle(at string, bytes bool) string {
	var y0, x0, y1, x1 int
	_, _ = fmt.Sscanf(at, "%d,%d,%d,%d", &y0, &x0, &y1, &x1)
	var rows []string
	for y := y0; y < y1; y++ {
		row := vtermRow(r.e, y)
		rows = append(rows, rowString(r.e, row[min(x0, len(row)):min(x1, len(row))]))
	}
	var out []string
	text := strings.TrimRight(strings.Join(rows, "\n"), "\n")
	if bytes {
		for _, b := range []byte(text) {
			out = append(out, fmt.Sprintf("0x%02x", b))
		}
	} else {
		for _, c := range text {
			out = append(out, fmt.Sprintf("0x%02x", c))
		}
	}
	return strings.Join(out, ",")
}

func (r *vtermRun) cell(at string) string {
	var y, x int
	_, _ = fmt.Sscanf(at, "%d,%d", &y, &x)
	c := r.e.Row(y)[x]
	s := r.e.Table().Style(c.Style)
	var chars []string
	if c.Char != screen.Blank {
		for _, r := range r.e.Table().Text(c.Char) {
			chars = append(chars, fmt.Sprintf("0x%x", r))
		}
	}
	attrs := ""
	for _, a := range []struct {
		on   bool
		name string
	}{
		{s.Attr&screen.Bold != 0, "B"}, {s.Underline != 0, fmt.Sprintf("U%d", s.Underline)},
		{s.Attr&screen.Italic != 0, "I"}, {s.Attr&screen.Reverse != 0, "R"},
	} {
		if a.on {
			attrs += a.name
		}
	}
	return fmt.Sprintf("{%s} width=%d attrs={%s} fg=%s bg=%s", strings.Join(chars, ","), c.Char.Width(), attrs,
		vtermColor(s.Fg, "rgb(240,240,240)", true), vtermColor(s.Bg, "rgb(0,0,0)", true))
}

// expect checks what should have been called back, by what it leaves behind.
func (r *vtermRun) expect(op vtermOp, before, after []vtermOp) (want, got string, ok bool) {
	a := op.args
	same := func(o vtermOp) bool { return o.op == op.op && o.args[0] == a[0] }
	switch a[0] {
	case "output":
		n := min(len(a[1])/2, len(r.replies))
		got, r.replies = hex.EncodeToString(r.replies[:n]), r.replies[n:]
		return a[1], got, true
	case "putglyph":
		if len(a) > 4 || slices.ContainsFunc(after, func(o vtermOp) bool { return same(o) && o.args[3] == a[3] }) {
			return "", "", false // a flag of the library, or printed over
		}
		var y, x int
		_, _ = fmt.Sscanf(a[3], "%d,%d", &y, &x)
		c := r.e.Row(y)[x]
		var chars []string
		for _, ch := range r.e.Table().Text(c.Char) {
			chars = append(chars, fmt.Sprintf("%x", ch))
		}
		return a[1] + " " + a[2], fmt.Sprintf("%s %d", strings.Join(chars, ","), c.Char.Width()), true
	case "settermprop":
		return r.property(a[1], strings.Join(a[2:], " "))
	case "sb_pushline":
		if slices.ContainsFunc(before, same) {
			return "", "", false // they are one check
		}
		return r.pushed(append([]vtermOp{op}, slices.DeleteFunc(slices.Clone(after), func(o vtermOp) bool { return !same(o) })...))
	}
	return "", "", false
}

func (r *vtermRun) property(n, want string) (string, string, bool) {
	switch n {
	case "1":
		return want, fmt.Sprint(r.e.Cursor().Visible), true
	case "4":
		whole := strings.HasPrefix(want, "[") && strings.HasSuffix(want, "]")
		return want, fmt.Sprintf("[%q]", r.e.Title()), whole
	case "7":
		return want, fmt.Sprint(max(1, int(r.e.Cursor().Shape))), true
	}
	return "", "", false
}

// pushed compares the rows that the step gave to the history.
func (r *vtermRun) pushed(ops []vtermOp) (want, got string, ok bool) {
	var wants, gots []string
	for _, o := range ops {
		_, codes, _ := strings.Cut(o.rest, "=")
		b, _ := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(codes), " ", ""))
		wants = append(wants, string(b))
	}
	for i := r.had; i < r.e.HistoryLen(); i++ {
		cells, _ := r.e.HistoryRow(i, nil)
		gots = append(gots, rowString(r.e, cells))
	}
	return fmt.Sprintf("%q", wants), fmt.Sprintf("%q", gots), true
}
