package vt

import (
	"fmt"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

// faultTest is something that some terminal got wrong. What is not said is not
// compared.
type faultTest struct {
	name       string
	cols, rows int      // 20 by 6 where not said
	in         []string // one write each
	resize     [2]int   // before the last write
	want       string   // rows joined by bars, blank ones at the end left out
	x, y       int      // the cursor
	history    []string // nil for none
	title      string
	replies    string
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// faults are of terminals, multiplexers and agents' screens, each met in the
// wild.
var faults = []faultTest{
	{name: "an intermediate makes another sequence, which nothing answers", in: []string{"\x1b[1*x\x1b[ c\x1b[!ndone"}, want: "done", x: 4},
	{name: "scrolling right is no cursor up", in: []string{"\x1b[4;3H\x1b[3 Aq"}, want: "|||  q", x: 3, y: 3},
	{name: "leaving the alternate screen that is not shown", in: []string{"one\r\ntwo\x1b[?1049l three"}, want: "one|two three", x: 9, y: 1},
	{name: "soft reset on the alternate screen", in: []string{"prompt$ \x1b[?1049h\x1b[!p\x1b[5;5H\x1b[?1049lx"}, want: "prompt$ x", x: 9},
	{name: "saved cursors of the alternate screen", in: []string{"\r\n\r\nabc\x1b[?1049h\x1b[6;9H\x1b7\x1b[H\x1b8\x1b[?1049ld"}, want: "||abcd", x: 4, y: 2},
	{name: "a region at the top feeds the history", in: []string{"a\r\nb\r\nc\r\nd\r\ne\x1b[1;3r\x1b[3H\n\n\n"}, want: "|||d|e", y: 2, history: []string{"a", "b", "c"}},
	{name: "SU feeds it too", in: []string{"a\r\nb\r\nc\r\nd\x1b[1;3r\x1b[2S\x1b[r"}, want: "c|||d", history: []string{"a", "b"}},
	{name: "a region below the top does not", in: []string{"a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2S\x1b[r"}, want: "a|||d"},
	{name: "agents clear screen and history", in: []string{numbered("row %d\r\n", 40) + "\x1b[2J\x1b[3J\x1b[Hfresh"}, want: "fresh", x: 5},
	{name: "columns after wide text", in: []string{"漢字\x1b[1;5Hx"}, want: "漢字x", x: 5},
	{name: "the left half of a wide character is written over", in: []string{"漢字\x1b[1Gx"}, want: "x 字", x: 1},
	{name: "so is the right half", in: []string{"漢字\x1b[4Gx"}, want: "漢 x", x: 4},
	{name: "the right half of a wide character is no blank", in: []string{"かな-かな"}, want: "かな-かな", x: 9},
	{name: "a family is two columns wide", in: []string{"👩\u200d👩\u200d👦;\x1b[6n"}, want: "👩\u200d👩\u200d👦;", x: 3, replies: "\x1b[1;4R"},
	{name: "a character in two reads", in: []string{"\xe2\x95", "\x90x"}, want: "═x", x: 2},
	{name: "a character in four reads", in: []string{"\xf0", "\x9f", "\x98", "\x80x"}, want: "😀x", x: 3},
	{name: "a mark in a later read", in: []string{"o", "\u0308", "x"}, want: "o\u0308x", x: 2},
	{name: "bytes of characters are no C1 controls", in: []string{"À\u009bßÝ"}, want: "ÀßÝ", x: 3},
	{name: "a hundred marks on one letter", in: []string{"n" + strings.Repeat("\u0303", 100) + "x"}, want: "n" + strings.Repeat("\u0303", 31) + "x", x: 2},
	{name: "bytes that are no UTF-8", in: []string{"\xe2(\xf0\x9f|\xfe\xff."}, want: "\ufffd(\ufffd\ufffd|\ufffd\ufffd.", x: 8},
	{name: "a wide character is cut by a narrower screen", cols: 8, rows: 3, in: []string{"abcdef漢", "\x1b[1;7H\x1b[Kx"}, resize: [2]int{7, 3}, want: "abcdefx|漢", x: 7},
	{name: "CAN ends a title, which stays what it was", in: []string{"\x1b]2;old\a\x1b]2;new\x18text"}, want: "text", x: 4, title: "old"},
	{name: "a title without an end swallows nothing", in: []string{"\x1b]0;name\x1b[3;2Hx"}, want: "|| x", x: 2, y: 2, title: "name"},
	{name: "queries and pictures in strings leave no trace", in: []string{"\x1bP+q5463\x1b\\\x1bPq#1;2;0;0;0#1!9~-\x1b\\\x1b_Gf=100,a=T;AAAA\x1b\\\x1b]1337;File=inline=1:AAAA\aok"},
		want: "ok", x: 2, replies: "\x1bP1+r5463\x1b\\"},
	{name: "title and folder after a pager", in: []string{"\x1b[?1049hpage\x1b[?1049l\x1b]2;me@here: ~\a\x1b]7;file://here/var\a% "}, want: "%", x: 2, title: "me@here: ~"},
	{name: "replies are in the order of the questions", in: []string{"\x1b]11;?\a\x1b[5n\x1b[6n"}, replies: "\x1b]11;rgb:0000/0000/0000\a\x1b[0n\x1b[1;1R"},
	{name: "one answer for DA1", in: []string{"\x1b[0c"}, replies: "\x1b[?62;6;22;52c"},
	{name: "synchronized updates are known", in: []string{"\x1b[?2026$p\x1b[?2026h\x1b[?2026$p"}, replies: "\x1b[?2026;2$y\x1b[?2026;1$y"},
	{name: "an update that never ends is in the model", in: []string{"\x1b[?2026hheld"}, want: "held", x: 4},
	{name: "an update in pieces", in: []string{"old\x1b[?2026h\x1b[2J", "\x1b[Ha\r\nb", "\r\nc\x1b[?2026l"}, want: "a|b|c", x: 1, y: 2},
	{name: "REP", in: []string{"xy\x1b[4b."}, want: "xyyyyy.", x: 7},
	{name: "REP of nothing, of a wide and of a marked character", in: []string{"\x1b[3b漢\x1b[b\x1b[2;1He\u0301\x1b[2b"}, want: "漢漢|e\u0301e\u0301e\u0301", x: 3, y: 1},
	{name: "EL at a pending wrap erases the last column and ends it", cols: 6, in: []string{"abcdef\x1b[Kxy"}, want: "abcdex|y", x: 1, y: 1},
	{name: "EL 1 at a pending wrap on the last row", cols: 6, rows: 2, in: []string{"\x1b[2Habcdef\x1b[1Kx"}, want: "|     x", x: 6, y: 1},
	{name: "a new line ends a pending wrap", cols: 6, in: []string{"abcdef\r\nx"}, want: "abcdef|x", x: 1, y: 1},
	{name: "CUP with one parameter", in: []string{"\x1b[3;9H\x1b[4Hx"}, want: "|||x", x: 1, y: 3},
	{name: "a control within a sequence", in: []string{"abc\x1b[1\r;\b4mX"}, want: "Xbc", x: 1},
	{name: "line drawing and back", in: []string{"\x1b(0qxq\x1b(Bqxq"}, want: "─│─qxq", x: 6},
	{name: "a frame that is drawn again leaves no ghosts", in: []string{"top\r\n" + "1\r\n2\r\n3" + numbered("\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[Gn%d-1\r\nn%[1]d-2\r\nn%[1]d-3", 6)},
		want: "top|n5-1|n5-2|n5-3", x: 4, y: 3},
	{name: "a frame taller than the screen", rows: 4, in: []string{"a\r\nb\r\nc\r\nd\r\ne\r\nf", "\x1b[3A\r\x1b[Jc\r\nd\r\ne\r\nf"}, want: "c|d|e|f", x: 1, y: 3, history: []string{"a", "b"}},
	{name: "the alternate screen has no history", rows: 3, in: []string{"shell\r\n\x1b[?1049h" + numbered("%d\r\n", 50) + "\x1b[?1049l"}, want: "shell", y: 1},
	{name: "unknown escapes", in: []string{"\x1b G\x1b%@\x1b%G\x1b)B\x1b&x\x1b!!aok"}, want: "ok", x: 2},
	{name: "colours are not text", in: []string{"\x1b[35;1mred\x1b[0;m."}, want: "red.", x: 4},
	{name: "colons in colours are not text", in: []string{"\x1b[48:5:17ma\x1b[38:2::1:2:3mb\x1b[58:2:9:9:9mc\x1b[m"}, want: "abc", x: 3},
	{name: "ED 2 leaves the cursor", in: []string{"x\r\nyz\x1b[2J!"}, want: "|  !", x: 3, y: 1},
	{name: "a title, then a question about the window", in: []string{"\x1b]2;a 1.2\x1b\\\x1b[15tok"}, want: "ok", x: 2, title: "a 1.2", replies: "\x1b[5;96;160t"},
	{name: "erasing on a screen of one row", rows: 1, in: []string{"abcd\x1b[J\x1b[1J\x1b[2J\x1b[3Jx"}, want: "    x", x: 5},
	{name: "the screen that comes back is as wide as it is now", cols: 8, rows: 3, in: []string{"stay\x1b[?1049h" + strings.Repeat("#", 24), "\x1b[?1049l"},
		resize: [2]int{14, 3}, want: "stay", x: 4},
}

// TestFaultsOfOthers holds what other terminals had to learn.
func TestFaultsOfOthers(t *testing.T) {
	t.Parallel()
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			cols, rows := tt.cols, tt.rows
			if cols == 0 {
				cols = 20
			}
			if rows == 0 {
				rows = 6
			}
			e := New(cols, rows, Options{History: 100})
			for i, in := range tt.in {
				if i > 0 && i == len(tt.in)-1 && tt.resize[0] > 0 {
					e.Resize(tt.resize[0], tt.resize[1])
				}
				e.Write([]byte(in))
			}
			got := tt
			got.want = strings.TrimRight(lines(e), "|")
			c := e.Cursor()
			got.x, got.y, got.title, got.replies = c.X, c.Y, e.Title(), string(e.TakeReplies(nil))
			got.history = nil
			for i := range e.HistoryLen() {
				cells, _ := e.HistoryRow(i, nil)
				got.history = append(got.history, rowString(e, cells))
			}
			if d := cmp.Diff(tt, got, cmp.AllowUnexported(faultTest{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			check(t, e)
		})
	}
}

// Colon parameters belong to the attribute before them.
func TestColonsAreNoAttributes(t *testing.T) {
	t.Parallel()
	e := New(20, 2, Options{})
	e.Write([]byte("\x1b[4:3ma\x1b[0m\x1b[4:1mb\x1b[0m\x1b[58:2:5:5:5mc\x1b[0m\x1b[3:2md\x1b[0me"))
	var got []screen.Style
	for _, c := range e.Row(0)[:5] {
		got = append(got, e.Table().Style(c.Style))
	}
	want := []screen.Style{{Underline: screen.CurlyUnderline}, {Underline: screen.SingleUnderline},
		{UnderlineColor: screen.RGB(5, 5, 5)}, {Attr: screen.Italic}, {}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// RIS brings back what a program that died left hidden or switched on.
func TestResetEndsModes(t *testing.T) {
	t.Parallel()
	e := New(20, 2, Options{})
	e.Write([]byte("gone\x1b[?25l\x1b[?1003;1006;1004;2004h\x1b[>1u\x1b[4h\x1bchere"))
	if got := strings.TrimRight(lines(e), "|"); got != "here" || !e.Cursor().Visible {
		t.Errorf("shows %q, cursor %+v", got, e.Cursor())
	}
	if d := cmp.Diff(New(20, 2, Options{}).Modes(), e.Modes()); d != "" {
		t.Error(d)
	}
}

// So does the owner, who leaves the text.
func TestResetModes(t *testing.T) {
	t.Parallel()
	e := New(20, 3, Options{})
	e.Write([]byte("\x1b[31mshell$ \x1b[?1049h\x1b[2;3rpage\x1b[?25l\x1b[?1003;1006;1004;2004;69h\x1b[>1u\x1b[4h\x1b(0\x1b]0;cut"))
	e.ResetModes()
	check(t, e)
	e.Write([]byte("qed"))
	if got := strings.TrimRight(lines(e), "|"); got != "shell$ qed" || !e.Cursor().Visible || e.Pen() != (screen.Style{}) {
		t.Errorf("shows %q, cursor %+v, pen %+v", got, e.Cursor(), e.Pen())
	}
	if d := cmp.Diff(New(20, 3, Options{}).Modes(), e.Modes()); d != "" {
		t.Error(d)
	}
}

// TestFullRowsStayApart narrows and widens rows that are exactly as wide as the
// screen and end in a new line: none is joined with its neighbour.
func TestFullRowsStayApart(t *testing.T) {
	t.Parallel()
	e := New(12, 15, Options{History: 100})
	e.Write([]byte(numbered("row %08d\r\n", 8)))
	before := lines(e)
	for _, cols := range []int{6, 5, 12, 40, 12} {
		e.Resize(cols, 15)
		check(t, e)
	}
	e.Resize(12, 15)
	if d := cmp.Diff(before, lines(e)); d != "" {
		t.Error(d)
	}
}
