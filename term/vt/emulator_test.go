package vt

import (
	"fmt"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

// drawTest is what a 10 by 4 screen shows after some bytes.
type drawTest struct {
	name, in string
	want     string // rows joined by bars, then the cursor's column and row
}

func runDraw(t *testing.T, tests []drawTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := New(10, 4, Options{History: 100})
			e.Write([]byte(tt.in))
			c := e.Cursor()
			if d := cmp.Diff(tt.want, fmt.Sprintf("%s %d,%d", lines(e), c.X, c.Y)); d != "" {
				t.Error(d)
			}
			check(t, e)
		})
	}
}

func TestCursorMovement(t *testing.T) {
	t.Parallel()
	runDraw(t, []drawTest{
		{"text wraps when more comes", "0123456789", "0123456789||| 10,0"},
		{"and then it does", "0123456789a", "0123456789|a|| 1,1"},
		{"controls end a pending wrap", "0123456789\bx", "01234567x9||| 9,0"},
		{"a tab keeps it", "0123456789\tx", "0123456789|x|| 1,1"},
		{"absolute", "\x1b[2;3Hx\x1b[4dy\x1b[7Gz", "|  x||   y  z 7,3"},
		{"relative", "\x1b[2B\x1b[3Cx\x1b[2A\x1b[4Dy", "y||   x| 1,0"},
		{"next and previous line", "abc\x1b[Ex\x1b[2Fy", "ybc|x|| 1,0"},
		{"counts are clamped", "\x1b[99999999999Cx\x1b[99999B\x1b[99999Dy", "         x|||y 1,3"},
		{"column in a colon form is no parameter of its own", "\x1b[2:5;3Hx", "|    x|| 5,1"},
		{"reverse index scrolls", "a\x1bMb", " b|a|| 2,0"},
		{"next line", "ab\x1bEc", "ab|c|| 1,1"},
		{"line feed keeps the column", "ab\nc", "ab|  c|| 3,1"},
		{"newline mode does not", "\x1b[20hab\nc", "ab|c|| 1,1"},
		{"save and restore", "ab\x1b7\x1b[3;3Hx\x1b8c", "abc||  x| 3,0"},
		{"restore without save goes home", "abc\x1b8x", "xbc||| 1,0"},
		{"SCO save and restore", "ab\x1b[s\x1b[3;3Hx\x1b[uc", "abc||  x| 3,0"},
		{"reverse wraparound", "\x1b[?45h\x1b[2;1H\bx", "         x||| 10,0"},
		{"without autowrap", "\x1b[?7l0123456789abc", "012345678c||| 9,0"},
	})
}

func TestMargins(t *testing.T) {
	t.Parallel()
	runDraw(t, []drawTest{
		{"a region scrolls alone", "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\nx", "1|3|x|4 1,2"},
		{"the cursor below it does not scroll", "1\r\n2\r\n3\r\n4\x1b[1;2r\x1b[4;1H\nx", "1|2|3|x 1,3"},
		{"insert line", "1\r\n2\r\n3\x1b[2H\x1b[L", "1||2|3 0,1"},
		{"delete line", "1\r\n2\r\n3\x1b[1H\x1b[M", "2|3|| 0,0"},
		{"delete line outside the region does nothing", "1\r\n2\r\n3\x1b[2;3r\x1b[1H\x1b[M", "1|2|3| 0,0"},
		{"scroll up and down", "1\r\n2\r\n3\x1b[S\x1b[T", "|2|3| 1,2"},
		{"origin mode", "\x1b[2;3r\x1b[?6h\x1b[9;1Hx", "||x| 1,2"},
		{"left and right", "\x1b[?69h\x1b[3;6s\x1b[1;3Habcdef", "  abcd|  ef|| 4,1"},
		{"scroll inside left and right", "abcdef\r\nghijkl\x1b[?69h\x1b[2;3s\x1b[1;2H\x1b[M", "ahidef|g  jkl|| 1,0"},
		{"scroll right", "abcdef\x1b[2 A", "  abcdef||| 6,0"},
		{"scroll left", "abcdef\x1b[2 @", "cdef||| 6,0"},
		{"insert column", "abc\r\ndef\x1b[1;2H\x1b['}", "a bc|d ef|| 1,0"},
		{"delete column", "abc\r\ndef\x1b[1;2H\x1b['~", "ac|df|| 1,0"},
		{"an empty region is ignored", "a\x1b[3;2rb", "ab||| 2,0"},
	})
}

func TestErase(t *testing.T) {
	t.Parallel()
	runDraw(t, []drawTest{
		{"to the right", "abcdef\x1b[3G\x1b[K", "ab||| 2,0"},
		{"to the left, cursor included", "abcdef\x1b[3G\x1b[1K", "   def||| 2,0"},
		{"the line", "abcdef\x1b[3G\x1b[2K", "||| 2,0"},
		{"below", "a\r\nb\r\nc\x1b[2;1H\x1b[J", "a||| 0,1"},
		{"above", "a\r\nb\r\nc\x1b[2;1H\x1b[1J", "||c| 0,1"},
		{"all", "a\r\nb\x1b[2Jc", "| c|| 2,1"},
		{"characters", "abcdef\x1b[2G\x1b[2X", "a  def||| 1,0"},
		{"insert characters", "abcdef\x1b[2G\x1b[2@", "a  bcdef||| 1,0"},
		{"delete characters", "abcdef\x1b[2G\x1b[2P", "adef||| 1,0"},
		{"delete before a wide one at the edge", "01234567世\x1b[1G\x1b[P", "1234567世||| 0,0"},
		{"insert pushes half a wide one out", "01234567世\x1b[1G\x1b[@", " 01234567||| 0,0"},
		{"above a scroll region too", "abcdef\x1b[2;3r\x1b[1;2H\x1b[2P", "adef||| 1,0"},
		{"insert mode", "abc\x1b[1G\x1b[4hxy", "xyabc||| 2,0"},
		{"protected cells stay in selective erase", "a\x1b[1\"qb\x1b[\"qc\x1b[?2J", " b||| 3,0"},
		{"and go in the other one", "a\x1b[1\"qb\x1b[\"qc\x1b[2J", "||| 3,0"},
		{"alignment", "\x1b#8", "EEEEEEEEEE|EEEEEEEEEE|EEEEEEEEEE|EEEEEEEEEE 0,0"},
		{"scroll down by its other name", "a\r\nb\x1b[^", "|a|b| 1,1"},
		{"column mode clears", "abc\x1b[?3h", "||| 0,0"},
		{"full reset", "abc\x1b[?25l\x1bcd", "d||| 1,0"},
		{"soft reset keeps text and cursor", "abc\x1b[2;3r\x1b[1;4H\x1b[!pd", "abcd||| 4,0"},
	})
}

func TestLinesOfDoubleWidth(t *testing.T) {
	t.Parallel()
	runDraw(t, []drawTest{
		{"text wraps in the middle", "\x1b#6abcdefg", "abcde|fg|| 2,1"},
		{"the cursor stays within", "\x1b#6\x1b[99Gx\x1b[By", "    x|    y|| 5,1"},
		{"a cursor that comes from beside goes in", "\x1b#6\x1b[2;9H\x1b[Ax", "    x||| 5,0"},
		{"what was right of the middle goes", "abcdefghi\x1b#3\x1b[1Gx", "xbcde||| 1,0"},
		{"single again", "\x1b#4abc\x1b#5defg", "abcdefg||| 7,0"},
		{"an erased line stays double", "\x1b#6abc\x1b[2K\x1b[Gabcdefg", "abcde|fg|| 2,1"},
		{"an erased screen does not", "\x1b#6abc\x1b[2J\x1b[Gabcdefg", "abcdefg||| 7,0"},
		{"it scrolls with its text", "\r\n\x1b#6abc\x1b[S\x1b[Habcdefg", "abcde|fg|| 2,1"},
		{"none between margins", "\x1b[?69h\x1b#6abcdefg", "abcdefg||| 7,0"},
		{"tabs and wide characters", "\x1b#6\tabc\x1b[1;5H世", "|世|| 2,1"},
	})
	e := New(1, 1, Options{})
	e.Write([]byte("\x1b#6ab世c\x1b#5"))
	check(t, e)
}

func TestRectangles(t *testing.T) {
	t.Parallel()
	text := "abcdef\r\nghijkl\r\nmnopqr"
	runDraw(t, []drawTest{
		{"fill", "\x1b[88;2;2;3;4$x", "| XXX| XXX| 0,0"},
		{"fill all", "\x1b[46$x", "..........|..........|..........|.......... 0,0"},
		{"fill with a control does nothing", "\x1b[7$x\x1b[127$x\x1b[140$x", "||| 0,0"},
		{"an area that is turned round is none", text + "\x1b[88;3;3;2;2$x\x1b[9;9;2;2$z", "abcdef|ghijkl|mnopqr| 6,2"},
		{"erase", text + "\x1b[2;2;3;3$z", "abcdef|g  jkl|m  pqr| 6,2"},
		{"erase what is not protected", "a\x1b[1\"qb\x1b[\"qc\x1b[1;1;1;9${", " b||| 3,0"},
		{"copy", text + "\x1b[1;1;2;2;1;3;5;1$v", "abcdef|ghijkl|mnopab|    gh 6,2"},
		{"copy down over itself", text + "\x1b[1;1;3;3;1;2;1;1$v", "abcdef|abcjkl|ghipqr|mno 6,2"},
		{"copy up over itself", text + "\x1b[2;1;3;3;1;1;1;1$v", "ghidef|mnojkl|mnopqr| 6,2"},
		{"copy right over itself", text + "\x1b[1;1;1;5;1;1;2;1$v", "aabcde|ghijkl|mnopqr| 6,2"},
		{"copy beyond the edge", text + "\x1b[1;1;9;9;1;4;9;1$v", "abcdef|ghijkl|mnopqr|        ab 6,2"},
		{"copy to nowhere", text + "\x1b[1;1;2;2;1;5;1;1$v", "abcdef|ghijkl|mnopqr| 6,2"},
		{"half a wide character is none", "世界\x1b[1;2;1;3;1;2;1;1$v", "||| 4,0"},
		{"within the margins", text + "\x1b[2;3r\x1b[?6h\x1b[88$x", "abcdef|XXXXXXXXXX|XXXXXXXXXX| 0,1"},
	})
}

func TestCharacters(t *testing.T) {
	t.Parallel()
	runDraw(t, []drawTest{
		{"wide", "a世b", "a世b||| 4,0"},
		{"wide does not fit", "012345678世", "012345678|世|| 2,1"},
		{"wide without autowrap is dropped", "\x1b[?7l012345678世", "012345678||| 9,0"},
		{"a mark joins over writes", "e\u0301x", "e\u0301x||| 2,0"},
		{"a mark after cursor movement", "ab\x1b[2G\u0301", "a\u0301b||| 1,0"},
		{"a mark with nothing to sit on", "\u0301x", "x||| 1,0"},
		{"a selector widens", "❤\ufe0fx", "❤\ufe0fx||| 3,0"},
		{"a selector at the margin", "012345678❤\ufe0fx", "012345678|❤\ufe0fx|| 3,1"},
		{"a selector that widens nothing", "A\ufe0fx", "A\ufe0fx||| 2,0"},
		{"keycap", "1\ufe0f\u20e3x", "1\ufe0f\u20e3x||| 3,0"},
		{"half-width sound marks", "ｶﾞx", "ｶﾞx||| 3,0"},
		{"soft hyphen", "a\u00adb", "a\u00adb||| 3,0"},
		{"flags", "🇩🇪🇫🇷", "🇩🇪🇫🇷||| 4,0"},
		{"flags drawn apart stay apart", "🇩\x1b[5G🇪", "🇩  🇪||| 6,0"},
		{"jamo", "\u1100\u1161\u11a8x", "\u1100\u1161\u11a8x||| 3,0"},
		{"invalid bytes one by one", "a\xe4\xb8\x1b[mb\xff\xc0\xafc", "a\ufffd\ufffdb\ufffd\ufffd\ufffdc||| 8,0"},
		{"eight-bit controls are text", "a\u009b1mb\x9b", "a1mb\ufffd||| 5,0"},
		{"half of a wide one is overwritten", "世界\x1b[2Gx", " x界||| 2,0"},
		{"repeat", "ab\x1b[3b", "abbbb||| 5,0"},
		{"repeat a wide one", "世\x1b[2b", "世世世||| 6,0"},
		{"line drawing", "\x1b(0lqk\x1b(Blqk", "┌─┐lqk||| 6,0"},
		{"shift out and in", "\x1b)0q\x0eq\x0fq", "q─q||| 3,0"},
		{"single shift", "\x1b*0\x1bNqq", "─q||| 2,0"},
		{"locking shift", "\x1b+0\x1boqq\x0fq", "──q||| 3,0"},
		{"pounds", "\x1b(A#", "£||| 1,0"},
	})
}

func TestStrings(t *testing.T) {
	t.Parallel()
	runDraw(t, []drawTest{
		{"byte 0x9c does not end a title", "\x1b]0;✳ x\x07ok", "ok||| 2,0"},
		{"BEL does not end a DCS", "\x1bPq\x07~~\x1b\\ok", "ok||| 2,0"},
		{"pictures of kitty", "\x1b_Ga=T,f=24;AAAA\x1b\\ok", "ok||| 2,0"},
		{"pass-through of tmux", "\x1bPtmux;\x1b\x1b]0;x\x07\x1b\\ok", "ok||| 2,0"},
		{"privacy message and start of string", "\x1b^a\x1b\\\x1bXb\x1b\\ok", "ok||| 2,0"},
		{"title of screen", "\x1bkname\x1b\\ok", "ok||| 2,0"},
		{"cancelled", "\x1b]0;abc\x18ok", "ok||| 2,0"},
		{"an escape ends a string", "\x1b]0;abc\x1b[2;1Hok", "|ok|| 2,1"},
		{"controls inside a sequence", "ab\x1b[\r1mc", "cb||| 1,0"},
		{"a character ends a sequence", "\x1b[3é1", "é1||| 2,0"},
		{"unknown sequences", "\x1b[*x\x1b[>2J\x1b F\x1b%Gok", "ok||| 2,0"},
		{"an endless string", "\x1b]52;c;" + strings.Repeat("A", maxOSC+10) + "\aok", "ok||| 2,0"},
	})
}

func TestReplies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"in the order of the questions", "\x1b]11;?\a\x1b[6n\x1b[c", "\x1b]11;rgb:0000/0000/0000\a\x1b[1;1R\x1b[?62;6;22;52c"},
		{"with the terminator of the question", "\x1b]10;?\x1b\\", "\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\"},
		{"palette", "\x1b]4;1;?;255;?\a", "\x1b]4;1;rgb:cdcd/0000/0000\a\x1b]4;255;rgb:eeee/eeee/eeee\a"},
		{"a colour that was set", "\x1b]11;#102030\a\x1b]11;?\a\x1b]111\a", "\x1b]11;rgb:1010/2020/3030\a"},
		{"attributes", "\x1b[>c\x1b[=c", "\x1b[>0;300;0c\x1bP!|00000000\x1b\\"},
		{"version", "\x1b[>q", "\x1bP>|deck(1.2)\x1b\\"},
		{"status", "\x1b[5n", "\x1b[0n"},
		{"position at a pending wrap", "0123456789\x1b[6n", "\x1b[1;10R"},
		{"position in origin mode", "\x1b[2;3r\x1b[?6h\x1b[2;3H\x1b[?6n", "\x1b[?2;3R"},
		{"modes", "\x1b[?25$p\x1b[?1049$p\x1b[?2027$p\x1b[?4242$p\x1b[4$p", "\x1b[?25;1$y\x1b[?1049;2$y\x1b[?2027;3$y\x1b[?4242;0$y\x1b[4;2$y"},
		{"modes of mouse and origin", "\x1b[?1002;1006;6h\x1b[?1002$p\x1b[?1000$p\x1b[?1006$p\x1b[?6$p", "\x1b[?1002;1$y\x1b[?1000;2$y\x1b[?1006;1$y\x1b[?6;1$y"},
		{"modes that are fixed", "\x1b[?2$p\x1b[?80$p\x1b[12$p\x1b[3$p", "\x1b[?2;3$y\x1b[?80;4$y\x1b[12;3$y\x1b[3;4$y"},
		{"settings", "\x1b[1;4:3;38;2;1;2;3m\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$qx\x1b\\", "\x1bP1$r1;4:3;38:2:1:2:3m\x1b\\\x1bP1$r1;4r\x1b\\\x1bP0$r\x1b\\"},
		{"cursor style", "\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\"},
		{"capabilities", "\x1bP+q436f;787878\x1b\\", "\x1bP1+r436F=323536\x1b\\\x1bP0+r787878\x1b\\"},
		{"sizes", "\x1b[18t\x1b[14t\x1b[16t", "\x1b[8;4;10t\x1b[4;80;90t\x1b[6;20;9t"},
		{"no title", "\x1b]2;rm -rf x\a\x1b[21t", ""},
		{"no clipboard", "\x1b]52;c;?\a", ""},
		{"kitty keyboard", "\x1b[>1u\x1b[>5u\x1b[?u\x1b[<u\x1b[?u\x1b[=8;2u\x1b[?u", "\x1b[?5u\x1b[?1u\x1b[?9u"},
		{"kitty keyboard of each screen", "\x1b[>1u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[?u", "\x1b[?0u\x1b[?1u"},
		{"colour scheme", "\x1b[?996n", "\x1b[?997;1n"},
		{"size in-band", "\x1b[?2048h", "\x1b[48;4;10;80;90t"},
		{"program status", "\x1b]7501;?\x1b\\", "\x1b]7501;?\x1b\\"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := New(10, 4, Options{Version: "1.2"})
			e.SetPixels(9, 20)
			e.Write([]byte(tt.in))
			if d := cmp.Diff(tt.want, string(e.TakeReplies(nil))); d != "" {
				t.Error(d)
			}
		})
	}
	e := New(10, 4, Options{NoStatus: true})
	e.Write([]byte("\x1b]7501;?\x1b\\"))
	if got := e.TakeReplies(nil); len(got) > 0 {
		t.Errorf("program status was answered with %q", got)
	}
}

func TestRepliesToChanges(t *testing.T) {
	t.Parallel()
	e := New(10, 4, Options{})
	e.Write([]byte("\x1b[?2031h\x1b[?2048h"))
	e.TakeReplies(nil)
	e.SetColors(screen.RGB(0, 0, 0), screen.RGB(255, 255, 255), screen.Default)
	e.SetColors(screen.RGB(0, 0, 0), screen.RGB(250, 250, 250), screen.Default)
	e.Resize(20, 5)
	e.Resize(20, 5)
	e.SetPalette(1, screen.RGB(1, 2, 3))
	e.Write([]byte("\x1b]4;1;?\a"))
	if d := cmp.Diff("\x1b[?997;2n\x1b[48;5;20;0;0t\x1b]4;1;rgb:0101/0202/0303\a", string(e.TakeReplies(nil))); d != "" {
		t.Error(d)
	}
}

// A program's own colours outlast those of the terminal around it.
func TestColorsThatAProgramSet(t *testing.T) {
	t.Parallel()
	e := New(10, 4, Options{})
	e.Write([]byte("\x1b]11;#102030\a"))
	e.SetColors(screen.RGB(1, 1, 1), screen.RGB(2, 2, 2), screen.RGB(3, 3, 3))
	e.Write([]byte("\x1b]10;?;?;?\a\x1b]111\a\x1b]11;?\a"))
	want := "\x1b]10;rgb:0101/0101/0101\a\x1b]11;rgb:1010/2020/3030\a\x1b]12;rgb:0303/0303/0303\a\x1b]11;rgb:0202/0202/0202\a"
	if d := cmp.Diff(want, string(e.TakeReplies(nil))); d != "" {
		t.Error(d)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []Event
	}{
		{"bell", "\a\a", []Event{BellEvent{}}},
		{"title", "\x1b]0;a\a\x1b]2;✳ b\x1b\\", []Event{TitleEvent{"✳ b"}}},
		{"title without what deceives", "\x1b]2;a\u202eb\tc\a", []Event{TitleEvent{"abc"}}},
		{"title stack, not of the icon", "\x1b]2;a\a\x1b[22;1t\x1b[22;0t\x1b]2;b\a\x1b[23;1t\x1b[23;2t", []Event{TitleEvent{"a"}}},
		{"title stack", "\x1b]2;a\a\x1b[22t\x1b]2;b\a\x1b[23t", []Event{TitleEvent{"a"}}},
		{"folder", "\x1b]7;file://host/a%20b\a", []Event{DirEvent{"host", "/a b"}}},
		{"folder that is none", "\x1b]7;http://host/a\a\x1b]7;file://h/a%0ab\a", nil},
		{"notification", "\x1b]9;done\a", []Event{NotifyEvent{Body: "done"}}},
		{"notification with title", "\x1b]777;notify;T;B;C\a", []Event{NotifyEvent{Title: "T", Body: "B;C"}}},
		{"notification in pieces", "\x1b]99;i=1:d=0;T\x1b\\\x1b]99;i=1:p=body;B\x1b\\", []Event{NotifyEvent{"1", "T", "B"}}},
		{"progress", "\x1b]9;4;1;250\a", []Event{ProgressEvent{1, 100}}},
		{"clipboard", "\x1b]52;c;aGk=\a\x1b]52;;aGk\a", []Event{ClipboardEvent{"c", []byte("hi")}, ClipboardEvent{"c", []byte("hi")}}},
		{"clipboard that is not base64", "\x1b]52;c;!!\a", nil},
		{"marks", "\x1b]133;A;k=i\a\r\n\x1b]133;D;2\a", []Event{MarkEvent{'A', -1, 0}, MarkEvent{'D', 2, 1}}},
		{"status", "\x1b]7501;state=working\a", []Event{StatusEvent{"state=working"}}},
		{"reset", "\x1bc", []Event{ResetEvent{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := New(10, 4, Options{})
			e.Write([]byte(tt.in))
			if d := cmp.Diff(tt.want, e.TakeEvents()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	base := New(10, 4, Options{}).Modes()
	tests := []struct {
		in   string
		want func(m *Modes)
	}{
		{"\x1b[?1h", func(m *Modes) { m.AppCursor = true }},
		{"\x1b=", func(m *Modes) { m.AppKeypad = true }},
		{"\x1b[?67h", func(m *Modes) { m.BackspaceBS = true }},
		{"\x1b[?1000;1002;1003;1006h", func(m *Modes) { m.Mouse, m.MouseEncoding = 1003, 1006 }},
		{"\x1b[?1002h\x1b[?1002l\x1b[?1006h\x1b[?1005l", func(m *Modes) { m.MouseEncoding = 1006 }},
		{"\x1b[?1004;2004;2026;2031h", func(m *Modes) { m.Focus, m.BracketedPaste, m.Sync, m.ColorScheme = true, true, true, true }},
		{"\x1b[?1007l", func(m *Modes) { m.AltScroll = false }},
		{"\x1b[>4;2m", func(m *Modes) { m.ModifyOtherKeys = 2 }},
		{"\x1b[>4;2m\x1b[>4m", func(*Modes) {}},
		{"\x1b[>3u", func(m *Modes) { m.Kitty = 3 }},
		{"\x1b[?1049h\x1b[?47h", func(m *Modes) { m.AltScreen = true }},
		{"\x1b[?1h\x1b[?1s\x1b[?1l\x1b[?1r", func(m *Modes) { m.AppCursor = true }},
		{"\x1b[?1002;1006h\x1b[?1s\x1b[?1003;1016h\x1b[?1002;1006r", func(m *Modes) { m.Mouse, m.MouseEncoding = 1002, 1006 }},
		{"\x1b[?1003r\x1b[?7l\x1b[?7r", func(*Modes) {}},
		{"\x1b[?1h\x1b[?1049h\x1b[>5u\x1bc", func(*Modes) {}},
	}
	for _, tt := range tests {
		e := New(10, 4, Options{})
		e.Write([]byte(tt.in))
		want := base
		tt.want(&want)
		if d := cmp.Diff(want, e.Modes()); d != "" {
			t.Errorf("after %q: %s", tt.in, d)
		}
	}
}

func TestGraphics(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want screen.Style
	}{
		{"1;31", screen.Style{Attr: screen.Bold, Fg: screen.Palette(1)}},
		{"1;2;22", screen.Style{}},
		{"97;107", screen.Style{Fg: screen.Palette(15), Bg: screen.Palette(15)}},
		{"38;5;200;4", screen.Style{Fg: screen.Palette(200), Underline: screen.SingleUnderline}},
		{"38:5:200;48:2:1:2:3", screen.Style{Fg: screen.Palette(200), Bg: screen.RGB(1, 2, 3)}},
		{"38:2::1:2:3", screen.Style{Fg: screen.RGB(1, 2, 3)}},
		{"38;2;1;2;3;9", screen.Style{Fg: screen.RGB(1, 2, 3), Attr: screen.Strike}},
		{"38;2;1;2", screen.Style{}},
		{"38;5;256;1", screen.Style{Attr: screen.Bold}},
		{"4:3;58:5:9", screen.Style{Underline: screen.CurlyUnderline, UnderlineColor: screen.Palette(9)}},
		{"4;58;2;1;2;3;59;24", screen.Style{}},
		{"21", screen.Style{Underline: screen.DoubleUnderline}},
		{"3;5;6;7;8;53", screen.Style{Attr: screen.Italic | screen.Blink | screen.RapidBlink | screen.Reverse | screen.Hidden | screen.Overline}},
		{"3;5;7;8;53;23;25;27;28;55", screen.Style{}},
		{"1;;4", screen.Style{Underline: screen.SingleUnderline}},
		{"99;1000;1", screen.Style{Attr: screen.Bold}},
		{"1;31m\x1b[#{\x1b[0;4m\x1b[#}", screen.Style{Attr: screen.Bold, Fg: screen.Palette(1)}},
		{"1;31;44m\x1b[1;11#p\x1b[0;3;32m\x1b[#q", screen.Style{Attr: screen.Bold | screen.Italic, Fg: screen.Palette(2), Bg: screen.Palette(4)}},
		{"4:3m\x1b[4;30;999#{\x1b[0;1;31m\x1b[#}\x1b[#}", screen.Style{Attr: screen.Bold, Underline: screen.CurlyUnderline}},
	}
	for _, tt := range tests {
		e := New(10, 4, Options{})
		in := tt.in
		if !strings.HasSuffix(in, "q") && !strings.HasSuffix(in, "}") {
			in += "m"
		}
		e.Write([]byte("\x1b[" + in + "x"))
		if d := cmp.Diff(tt.want, e.Table().Style(e.Row(0)[0].Style)); d != "" {
			t.Errorf("SGR %s: %s", tt.in, d)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	e := New(10, 4, Options{})
	e.Write([]byte("\x1b]8;a=b:id=7;http://x/?a;b\x1b\\L\x1b]8;;\x1b\\M\x1b]8;;http://" + strings.Repeat("x", maxURI) + "\aN"))
	var got []screen.Link
	for _, c := range e.Row(0)[:3] {
		got = append(got, e.Table().Link(e.Table().Style(c.Style).Link))
	}
	if d := cmp.Diff([]screen.Link{{URI: "http://x/?a;b", ID: "7"}, {}, {}}, got); d != "" {
		t.Error(d)
	}
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	e := New(10, 4, Options{})
	g := e.Generation()
	e.Write([]byte("\x1b[c\x1b]11;?\a"))
	if e.Generation() != g {
		t.Error("questions changed the generation")
	}
	e.Write([]byte("\x1b[2;1Hx"))
	if e.Generation() <= g || e.RowGeneration(1) <= g || e.RowGeneration(0) > g {
		t.Errorf("generation %d after %d, rows %d and %d", e.Generation(), g, e.RowGeneration(0), e.RowGeneration(1))
	}
	g = e.Generation()
	e.Write([]byte("\x1b[?25l"))
	if e.Generation() <= g || e.RowGeneration(1) > g {
		t.Error("hiding the cursor is a change, but of no row")
	}
	g = e.Generation()
	e.Write([]byte("\x1b[4;1H\n"))
	for y := range 4 {
		if e.RowGeneration(y) <= g {
			t.Errorf("row %d did not change when all scrolled", y)
		}
	}
}

// TestSweep holds that a pane whose program uses ever new colours, clusters
// and links does not grow, and that what is on the screen stays as it was.
func TestSweep(t *testing.T) {
	t.Parallel()
	e := New(20, 4, Options{History: 50})
	w := writer{e}
	fmt.Fprint(w, "\x1b[38;2;9;9;9m\x1b]8;;http://keep\aK\x1b]8;;\a\x1b[m\r\n")
	for i := range 30000 {
		fmt.Fprintf(w, "\x1b[2H\x1b[38;2;1;%d;%dm\x1b]8;;http://x/%d\ae%c\x1b]8;;\a", i>>8, i&255, i, 0x300+i%100)
	}
	styles, clusters, links := e.Table().Len()
	if max(styles, clusters, links) > 2*sweepMin {
		t.Errorf("the table holds %d styles, %d clusters, %d links", styles, clusters, links)
	}
	if e.Table().Epoch() < 2 {
		t.Error("nothing was swept")
	}
	s := e.Table().Style(e.Row(0)[0].Style)
	if s.Fg != screen.RGB(9, 9, 9) || e.Table().Link(s.Link).URI != "http://keep" {
		t.Errorf("the first cell became %+v", s)
	}
	check(t, e)
}
