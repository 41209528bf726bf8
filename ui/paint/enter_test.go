package paint

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
)

func TestEnterAsksInOneBurst(t *testing.T) {
	t.Parallel()
	tests := []struct{ term, has, hasNot string }{
		{"xterm-256color", "\x1b[?1049h \x1b[22;2t \x1b[>4;2m \x1b[?2026$p \x1b[?u \x1bP+q524742;5463\x1b\\ \x1b]11;?\x1b\\ \x1b[?2004h \x1b[?1006h", "\x1b[>1u"},
		{"linux", "\x1b[?2004h", "$p \x1bP \x1b] \x1b[> \x1b[?1049h"},
		{"dumb", "", "\x1b"},
	}
	for _, tt := range tests {
		prof := Detect(env("TERM="+tt.term, "LANG=C.UTF-8"))
		got := string(New(prof, 80, 24).Enter())
		for want := range strings.FieldsSeq(tt.has) {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %q", tt.term, want, got)
			}
		}
		for not := range strings.FieldsSeq(tt.hasNot) {
			if strings.Contains(got, not) {
				t.Errorf("%s: %q in %q", tt.term, not, got)
			}
		}
		if !prof.Dumb && !strings.HasSuffix(got, "\x1b[c") {
			t.Errorf("%s: DA1 is not the last: %q", tt.term, got)
		}
	}
}

func TestWhatIsLearnedIsSwitchedOn(t *testing.T) {
	t.Parallel()
	prof := Detect(env("TERM=xterm-256color", "LANG=C.UTF-8"))
	m, p, c := newModel(t, 20, 3, true), New(prof, 20, 3), screen.NewCanvas(20, 3)
	m.write(string(p.Enter()))
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if m.kittyStack != 0 || m.margins || !m.modes["modifyOtherKeys"] {
		t.Errorf("too early: %+v", m.modes)
	}
	for _, r := range []string{"\x1b[?0u", "\x1b[?69;2$y", "\x1b[?2027;2$y", "\x1b[?2026;2$y", "\x1bP1+r524742\x1b\\"} {
		prof.Learn([]byte(r))
	}
	p.SetProfile(prof)
	p.SetMotion(true)
	DrawText(c, 0, 0, 20, "\x1b[38;2;1;2;3mcolour")
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if m.kittyStack != 1 || !m.margins || m.modes["modifyOtherKeys"] || !m.modes["2027"] || !m.modes["1003"] {
		t.Errorf("not switched on: %+v", m.modes)
	}
	if got, want := m.cells[0].Style.Fg, screen.RGB(1, 2, 3); got != want {
		t.Errorf("colour %v, want %v", got, want)
	}
	p.SetMotion(false)
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if m.modes["1003"] || !m.modes["1002"] {
		t.Errorf("motion: %+v", m.modes)
	}
	m.write(string(p.Leave()))
	for name, on := range m.modes {
		if on && name != "7" && name != "25" {
			t.Errorf("mode %s is left on", name)
		}
	}
}

// TestLeaveInTheMiddle cuts the stream anywhere, as a lost connection does.
func TestLeaveInTheMiddle(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for range 120 {
		p := New(full(), 40, 10)
		s := &scene{r: r, c: screen.NewCanvas(40, 10)}
		out := string(p.Enter())
		for i := range 4 {
			s.step()
			out += string(p.Paint(s.c, s.cursor(), strings.Repeat("title", i)))
		}
		out = out[:r.IntN(len(out)+1)]
		m := newModel(t, 40, 10, true)
		m.write(finished(out))
		m.write(string(p.Leave()))
		if m.sync || !m.autowrap || !m.visible || m.margins || m.link != "" || m.pen != (screen.Style{}) || m.bottom != 9 {
			t.Fatalf("left behind: %+v", m)
		}
	}
}

// finished leaves out what is unfinished at the end of s, as the ESC with which
// Leave begins makes a terminal do.
func finished(s string) string {
	for {
		i := strings.LastIndexByte(s, 0x1b)
		if i < 0 || complete(s[i:]) {
			break
		}
		s = s[:i]
	}
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}

func complete(seq string) bool {
	switch {
	case len(seq) < 2 || seq[1] == ']' || seq[1] == 'P':
		return false
	case seq[1] == '[':
		return strings.IndexFunc(seq[2:], func(r rune) bool { return r >= 0x40 && r <= 0x7e }) >= 0
	case seq[1] == '(':
		return len(seq) > 2
	}
	return true
}

func TestTitleAndCursor(t *testing.T) {
	t.Parallel()
	m, p, c := newModel(t, 20, 3, true), New(full(), 20, 3), screen.NewCanvas(20, 3)
	m.write(string(p.Enter()))
	title := "a\x1b]0;b\x07\u202ec\xffé" + strings.Repeat("x", 500)
	m.write(string(p.Paint(c, screen.Cursor{X: 20, Y: 9, Visible: true, Shape: screen.BarCursor, Blink: true}, title)))
	if want := "a]0;bcé" + strings.Repeat("x", 500); !strings.HasPrefix(want, m.title) || len(m.title) < 200 || len(m.title) > longestTitle {
		t.Errorf("title %q", m.title)
	}
	if m.x != 19 || m.y != 2 || m.shape != 5 || !m.visible {
		t.Errorf("cursor %d,%d shape %d", m.x, m.y, m.shape)
	}
	if got := string(p.Paint(c, screen.Cursor{X: 19, Y: 2, Visible: true, Shape: screen.BlockCursor}, title)); got != "\x1b[2 q" {
		t.Errorf("shape: %q", got)
	}
	if got := string(p.Paint(c, screen.Cursor{}, title)); got != hideCursor {
		t.Errorf("cursor stays: %q", got)
	}
}

// TestNoControlReachesTheTerminal fills cells with what no emulator should
// ever put there. The model fails on any control.
func TestNoControlReachesTheTerminal(t *testing.T) {
	t.Parallel()
	for name, prof := range profiles() {
		c := screen.NewCanvas(60, 2)
		row := c.Row(0)
		for i, r := range []rune{0x1b, 0, 7, 8, '\n', '\r', 0x7f, 0x9b, 0x9d, 0x202e, 0x2066, 0x200b, 0xfeff, 0x301, 0xd800, 0xad} {
			row[i].Char = screen.RuneChar(r, false)
			row[20+2*i].Char, row[21+2*i].Char = screen.RuneChar(r, true), screen.Tail
		}
		for i, s := range []string{"\x1b[2J", "\u202e", "\u0301", "a\x07", "", "\u200d"} {
			c.Row(1)[2*i].Char = c.Table.ClusterChar(s, false)
			c.Row(1)[20+2*i].Char, c.Row(1)[21+2*i].Char = c.Table.ClusterChar(s, true), screen.Tail
		}
		c.Row(1)[50] = screen.Cell{Char: 'l', Style: c.Table.StyleID(screen.Style{Link: c.Table.LinkID(screen.Link{URI: "http://\x1b[2J"})})}
		c.Row(1)[51] = screen.Cell{Char: 'l', Style: c.Table.StyleID(screen.Style{Link: c.Table.LinkID(screen.Link{URI: "http://x", ID: "a;b"})})}
		m, p := newModel(t, 60, 2, prof.BCE), New(prof, 60, 2)
		m.write(string(p.Enter()))
		m.write(string(p.Paint(c, screen.Cursor{Visible: true}, "")))
		if again := p.Paint(c, screen.Cursor{Visible: true}, ""); again != nil {
			t.Errorf("%s: %q", name, again)
		}
	}
}

// TestDoubtfulWidths draws on a terminal that takes symbols and clusters for
// one column more or less than deck does: everything else stays in its place.
func TestDoubtfulWidths(t *testing.T) {
	t.Parallel()
	for name, prof := range profiles() {
		if prof.Grapheme || prof.ASCII {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(8) {
				play(t, prof, seed, 20, true)
			}
		})
	}
}

func TestASCII(t *testing.T) {
	t.Parallel()
	prof := base("vt100")
	prof.ASCII = true
	m, p, c := newModel(t, 24, 3, false), New(prof, 24, 3), screen.NewCanvas(24, 3)
	Box(c, 0, 0, 24, 3, RoundLine, screen.Style{})
	DrawText(c, 1, 1, 22, "é中→•…✻█║─e\u0301“x”")
	m.write(string(p.Enter()))
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	var b strings.Builder
	for _, cell := range m.cells {
		b.WriteString(cell.Text)
	}
	want := "+----------------------+|???>*??#|-?\"x\"        |+----------------------+"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPaintAllocatesNothing(t *testing.T) {
	d := newDesk(full())
	d.key()
	d.paint()
	frames := []*screen.Canvas{d.c, screen.NewCanvas(200, 50)}
	frames[1].Table = d.c.Table
	copy(frames[1].Cells, d.c.Cells)
	d.c = frames[1]
	d.log(200)
	DrawText(d.c, 30, 20, 20, "中文 👍🏽 e\u0301")
	i := 0
	n := testing.AllocsPerRun(50, func() {
		i++
		d.p.Paint(frames[i%2], screen.Cursor{X: 30 + i%7, Y: 5, Visible: true}, "deck")
	})
	if n != 0 {
		t.Errorf("%v allocations for a frame", n)
	}
}

// TestMarksInTheLastColumn: tmux puts a mark on the cell before where the
// cursor stays in the last column.
func TestMarksInTheLastColumn(t *testing.T) {
	t.Parallel()
	m, p, c := newModel(t, 4, 2, true), New(full(), 4, 2), screen.NewCanvas(4, 2)
	DrawText(c, 0, 0, 4, "e\u0301xxe\u0301")
	DrawText(c, 0, 1, 4, "xx👨‍👩‍👧")
	m.write(string(p.Enter()))
	frame := string(p.Paint(c, screen.Cursor{}, ""))
	m.write(frame)
	check(t, m, c, full(), screen.Cursor{})
	if n := strings.Count(frame, autowrap); n != 1 || !strings.Contains(frame, autowrap+"e\u0301"+noAutowrap) {
		t.Errorf("autowrap %d times in %q", n, frame)
	}
}

func TestNotify(t *testing.T) {
	t.Parallel()
	for term, want := range map[string]string{
		"xterm-kitty":    "\x1b]99;i=deck:d=0;a;b\x1b\\\x1b]99;i=deck:p=body;c\x1b\\",
		"foot":           "\x1b]777;notify;a,b;c\x1b\\",
		"wezterm":        "\x1b]9;a;b: c\x1b\\",
		"xterm-256color": "\a",
	} {
		if got := string(Detect(env("TERM="+term)).Notify("a;\x1bb", "c\n")); got != want {
			t.Errorf("%s: %q, want %q", term, got, want)
		}
	}
	p := Detect(env("TERM=xterm-256color"))
	p.Learn([]byte("\x1bP>|iTerm2 3.5.0\x1b\\"))
	if got := string(p.Notify("a", "")); got != "\x1b]9;a\x1b\\" {
		t.Errorf("learned: %q", got)
	}
	if got := string(Clipboard("hé\n")); got != "\x1b]52;c;aMOpCg==\x1b\\" {
		t.Errorf("clipboard: %q", got)
	}
}
