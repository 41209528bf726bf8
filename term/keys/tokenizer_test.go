package keys

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// describe writes tokens as words, text and paste runs joined.
func describe(tokens []Token) []string {
	var out []string
	last := Kind(255)
	for _, tok := range tokens {
		s := ""
		switch tok.Kind {
		case Text:
			s = "text " + string(tok.Raw)
		case PasteText:
			s = "paste " + string(tok.Raw)
		case KeyPress:
			s = tok.Key.String() + [...]string{"", " again", " up"}[tok.Key.Action]
			if tok.Key.Mods&CapsLock != 0 {
				s += " caps"
			}
			if tok.Key.Mods&NumLock != 0 {
				s += " num"
			}
			if tok.Key.Text != "" {
				s += " =" + tok.Key.Text
			}
			if tok.Key.Base != 0 {
				s += " @" + string(tok.Key.Base)
			}
		case MouseEvent:
			s = describeMouse(tok.Mouse)
		default:
			s = [...]string{PasteStart: "[", PasteEnd: "]", FocusIn: "focus", FocusOut: "blur", Reply: "reply", Unknown: "unknown"}[tok.Kind]
		}
		if (tok.Kind == Text || tok.Kind == PasteText) && tok.Kind == last {
			_, run, _ := strings.Cut(s, " ")
			out[len(out)-1] += run
			continue
		}
		last = tok.Kind
		out = append(out, s)
	}
	return out
}

func describeMouse(m Mouse) string {
	buttons := [...]string{"none", "left", "middle", "right", "wheelup", "wheeldown", "wheelleft", "wheelright", "back", "forward"}
	s := ""
	for i, name := range []string{"S-", "M-", "C-"} {
		if m.Mods&(1<<i) != 0 {
			s += name
		}
	}
	s += fmt.Sprintf("%s@%d,%d", buttons[m.Button], m.X, m.Y)
	if m.Motion {
		s += " move"
	}
	if m.Release {
		s += " up"
	}
	return s
}

// feed gives the parts one after the other and then flushes; the tokens are
// copies.
func feed(t *Tokenizer, parts ...[]byte) []Token {
	var all []Token
	keep := func(tokens []Token) {
		for _, tok := range tokens {
			all = append(all, tok.Clone())
		}
	}
	for _, p := range parts {
		own := bytes.Clone(p)
		keep(t.Feed(own))
		clear(own)
	}
	keep(t.Flush())
	return all
}

func join(tokens []Token) []byte {
	var raw []byte
	for _, tok := range tokens {
		raw = append(raw, tok.Raw...)
	}
	return raw
}

// inputs are what real terminals send, with their names.
var inputs = []struct {
	from, in string
	want     []string
}{
	// Text and control bytes, any terminal.
	{"any", "ls -l", []string{"text ls -l"}},
	{"any", "häß 漢字 👩‍👩‍👧", []string{"text häß 漢字 👩‍👩‍👧"}},
	{"latin1", "caf\xe9 cr\xe8me", []string{"text caf\xe9 cr\xe8me"}},
	{"any", "a\rb", []string{"text a", "Enter", "text b"}},
	{"any", "\x00", []string{"C-Space"}},
	{"any", "\x01\x02\x03", []string{"C-a", "C-b", "C-c"}},
	{"any", "\x08", []string{"C-h"}},
	{"any", "\t", []string{"Tab"}},
	{"any", "\n", []string{"C-j"}},
	{"any", "\x1a", []string{"C-z"}},
	{"any", "\x1b", []string{"Escape"}},
	{"any", "\x1c\x1d\x1e\x1f", []string{"C-\\", "C-]", "C-^", "C-_"}},
	{"any", "\x7f", []string{"Backspace"}},
	// Alt as ESC.
	{"xterm", "\x1ba", []string{"M-a"}},
	{"xterm", "\x1bA", []string{"M-A"}},
	{"xterm", "\x1bé", []string{"M-é"}},
	{"xterm", "\x1b漢x", []string{"M-漢", "text x"}},
	{"latin1", "\x1b\xe9", []string{"M-é"}},
	{"latin1", "\x1b\xe9a", []string{"M-é", "text a"}},
	{"xterm", "\x1b\r", []string{"M-Enter"}},
	{"xterm", "\x1b\x7f", []string{"M-Backspace"}},
	{"xterm", "\x1b\x01", []string{"C-M-a"}},
	{"xterm", "\x1b\t", []string{"M-Tab"}},
	{"xterm", "\x1b ", []string{"M-Space"}},
	{"xterm", "\x1b\x1b", []string{"M-Escape"}},
	{"xterm", "\x1b[", []string{"M-["}},
	{"xterm", "\x1bO", []string{"M-O"}},
	{"xterm", "\x1b]", []string{"M-]"}},
	{"xterm", "\x1b]x", []string{"M-]", "text x"}},
	{"xterm", "\x1bP", []string{"M-P"}},
	{"xterm", "\x1bPa", []string{"M-P", "text a"}},
	{"xterm", "\x1b_", []string{"M-_"}},
	{"xterm", "\x1b^", []string{"M-^"}},
	{"xterm", "\x1b\\", []string{"M-\\"}},
	{"xterm", "\x1b[\r", []string{"M-[", "Enter"}},
	{"xterm", "\x1b\x1ba", []string{"Escape", "M-a"}},
	// xterm, VTE, Windows Terminal, tmux, foot, ghostty and kitty share these.
	{"xterm", "\x1b[A\x1b[B\x1b[C\x1b[D", []string{"Up", "Down", "Right", "Left"}},
	{"xterm", "\x1bOA\x1bOB\x1bOC\x1bOD", []string{"Up", "Down", "Right", "Left"}},
	{"xterm", "\x1b[H\x1b[F\x1bOH\x1bOF", []string{"Home", "End", "Home", "End"}},
	{"xterm", "\x1b[E\x1bOE", []string{"Begin", "Begin"}},
	{"xterm", "\x1bOP\x1bOQ\x1bOR\x1bOS", []string{"F1", "F2", "F3", "F4"}},
	{"xterm", "\x1b[15~\x1b[17~\x1b[18~\x1b[19~", []string{"F5", "F6", "F7", "F8"}},
	{"xterm", "\x1b[20~\x1b[21~\x1b[23~\x1b[24~", []string{"F9", "F10", "F11", "F12"}},
	{"xterm", "\x1b[25~\x1b[26~\x1b[28~\x1b[29~", []string{"F13", "F14", "F15", "F16"}},
	{"xterm", "\x1b[31~\x1b[32~\x1b[33~\x1b[34~", []string{"F17", "F18", "F19", "F20"}},
	{"xterm", "\x1b[2~\x1b[3~\x1b[5~\x1b[6~", []string{"Insert", "Delete", "PageUp", "PageDown"}},
	{"xterm", "\x1b[Z", []string{"S-Tab"}},
	{"xterm", "\x1b[1;2A", []string{"S-Up"}},
	{"xterm", "\x1b[1;3B", []string{"M-Down"}},
	{"xterm", "\x1b[1;5C", []string{"C-Right"}},
	{"xterm", "\x1b[1;8D", []string{"C-M-S-Left"}},
	{"xterm", "\x1b[1;5H\x1b[1;2F", []string{"C-Home", "S-End"}},
	{"xterm", "\x1b[1;5P", []string{"C-F1"}},
	{"xterm", "\x1b[1;2R", []string{"S-F3"}},
	{"xterm", "\x1b[1;6R", []string{"C-S-F3"}},
	{"xterm", "\x1b[15;5~", []string{"C-F5"}},
	{"xterm", "\x1b[3;5~", []string{"C-Delete"}},
	{"xterm", "\x1b[5;2~", []string{"S-PageUp"}},
	{"xterm", "\x1b[>1;5A", []string{"C-Up"}},
	{"xterm keypad", "\x1bOp\x1bOy", []string{"KP0", "KP9"}},
	{"xterm keypad", "\x1bOM\x1bOn\x1bOo\x1bOj\x1bOm\x1bOk\x1bOX\x1bOl", []string{"KPEnter", "KP.", "KP/", "KP*", "KP-", "KP+", "KP=", "KP,"}},
	{"xterm keypad", "\x1bOI\x1bO ", []string{"Tab", "Space"}},
	{"xterm modifyOtherKeys", "\x1b[27;5;97~", []string{"C-a"}},
	{"xterm modifyOtherKeys", "\x1b[27;6;65~", []string{"C-S-a"}},
	{"xterm modifyOtherKeys", "\x1b[27;2;13~", []string{"S-Enter"}},
	{"xterm modifyOtherKeys", "\x1b[27;5;9~", []string{"C-Tab"}},
	{"xterm modifyOtherKeys", "\x1b[27;3;27~", []string{"M-Escape"}},
	{"xterm modifyOtherKeys", "\x1b[27;5;59~", []string{"C-;"}},
	{"xterm modifyOtherKeys", "\x1b[27;6;127~", []string{"C-S-Backspace"}},
	{"xterm formatOtherKeys", "\x1b[65;6u", []string{"C-S-a"}},
	{"xterm old", "\x1b[5A", []string{"C-Up"}},
	{"xterm old", "\x1bO5C", []string{"C-Right"}},
	{"vte old", "\x1bO1;5D", []string{"C-Left"}},
	// rxvt.
	{"rxvt", "\x1b[7~\x1b[8~", []string{"Home", "End"}},
	{"rxvt", "\x1b[7$\x1b[8^\x1b[3@", []string{"S-Home", "C-End", "C-S-Delete"}},
	{"rxvt", "\x1b[a\x1b[b\x1b[c\x1b[d", []string{"S-Up", "S-Down", "S-Right", "S-Left"}},
	{"rxvt", "\x1bOa\x1bOb\x1bOc\x1bOd", []string{"C-Up", "C-Down", "C-Right", "C-Left"}},
	{"rxvt", "\x1b\x1b[A", []string{"M-Up"}},
	{"rxvt", "\x1b\x1bOc", []string{"C-M-Right"}},
	{"rxvt", "\x1b\x1b[3~", []string{"M-Delete"}},
	{"rxvt", "\x1b[11~\x1b[12~\x1b[13~\x1b[14~", []string{"F1", "F2", "F3", "F4"}},
	{"rxvt", "\x1b[23^", []string{"C-F11"}},
	// linux console, screen and tmux.
	{"linux", "\x1b[[A\x1b[[B\x1b[[C\x1b[[D\x1b[[E", []string{"F1", "F2", "F3", "F4", "F5"}},
	{"linux", "\x1b[1~\x1b[4~", []string{"Home", "End"}},
	{"linux", "\x1b[G", []string{"unknown"}},
	{"screen", "\x1b[1~\x1b[4~\x1bOA", []string{"Home", "End", "Up"}},
	{"tmux", "\x1b[1~\x1b[4~\x1b[1;5A", []string{"Home", "End", "C-Up"}},
	{"tmux", "\x1b[97;5u", []string{"C-a"}},
	// iTerm2 and Terminal.app.
	{"iTerm2", "\x1b[1;9A", []string{"Super-Up"}},
	{"iTerm2", "\x1b\x1b[D", []string{"M-Left"}},
	{"iTerm2", "\x1b[13;2u", []string{"S-Enter"}},
	{"Terminal.app", "\x1bb\x1bf", []string{"M-b", "M-f"}},
	{"Terminal.app", "\x1b[1;2C", []string{"S-Right"}},
	{"Terminal.app", "\x1b[25~", []string{"F13"}},
	// Windows Terminal.
	{"Windows Terminal", "\x1b[1;5H", []string{"C-Home"}},
	{"Windows Terminal", "\x1b[I\x1b[O", []string{"focus", "blur"}},
	{"Windows Terminal win32-input-mode", "\x1b[65;30;97;1;0;1_", []string{"unknown"}},
	// kitty, foot, ghostty, WezTerm.
	{"kitty", "\x1b[27u", []string{"Escape"}},
	{"kitty", "\x1b[99;5u", []string{"C-c"}},
	{"kitty", "\x1b[97;6u", []string{"C-S-a"}},
	{"kitty", "\x1b[91;3u", []string{"M-["}},
	{"kitty", "\x1b[13;2u\x1b[13;5u", []string{"S-Enter", "C-Enter"}},
	{"kitty", "\x1b[9;6u", []string{"C-S-Tab"}},
	{"kitty", "\x1b[127;5u", []string{"C-Backspace"}},
	{"kitty", "\x1b[32;2u", []string{"S-Space"}},
	{"kitty", "\x1b[97;133u", []string{"C-a num"}},
	{"kitty", "\x1b[97;69u", []string{"C-a caps"}},
	{"kitty", "\x1b[97;9u", []string{"Super-a"}},
	{"kitty", "\x1b[97;1:3u", []string{"a up"}},
	{"kitty", "\x1b[97;5:2u", []string{"C-a again"}},
	{"kitty", "\x1b[97:65;2;65u", []string{"A =A"}},
	{"kitty", "\x1b[59:58;2u", []string{"S-;"}},
	{"kitty", "\x1b[1089::99;5u", []string{"C-с @c"}},
	{"kitty", "\x1b[97;;229u", []string{"a =å"}},
	{"kitty", "\x1b[0;;229:776u", []string{"å\u0308 =å\u0308"}},
	{"kitty", "\x1b[1;1:3A", []string{"Up up"}},
	{"kitty", "\x1b[A\x1b[P\x1b[Q\x1b[S", []string{"Up", "F1", "F2", "F4"}},
	{"kitty", "\x1b[13~\x1b[13;2~", []string{"F3", "S-F3"}},
	{"kitty", "\x1b[1;1:3R", []string{"F3 up"}},
	{"kitty", "\x1b[57399u\x1b[57414u\x1b[57416u", []string{"KP0", "KPEnter", "KP,"}},
	{"kitty", "\x1b[57419u", []string{"Key57419"}},
	{"kitty", "\x1b[57427~", []string{"Key57427"}},
	{"kitty", "\x1b[57358u\x1b[57363u", []string{"CapsLock", "Menu"}},
	{"kitty", "\x1b[57376u\x1b[57398u", []string{"F13", "F35"}},
	{"kitty", "\x1b[57441;2u\x1b[57441;1:3u", []string{"S-Key57441", "Key57441 up"}},
	{"foot", "\x1b[27;1:1u", []string{"Escape"}},
	{"ghostty", "\x1b[3;3~", []string{"M-Delete"}},
	{"wezterm", "\x1b[1;3P", []string{"M-F1"}},
	// Mouse.
	{"xterm 1006", "\x1b[<0;1;1M\x1b[<0;1;1m", []string{"left@0,0", "left@0,0 up"}},
	{"xterm 1006", "\x1b[<35;33;46M", []string{"none@32,45 move"}},
	{"xterm 1006", "\x1b[<32;300;200M", []string{"left@299,199 move"}},
	{"xterm 1006", "\x1b[<64;10;10M\x1b[<65;10;10M\x1b[<66;1;1M\x1b[<67;1;1M", []string{"wheelup@9,9", "wheeldown@9,9", "wheelleft@0,0", "wheelright@0,0"}},
	{"xterm 1006", "\x1b[<28;5;6M", []string{"S-M-C-left@4,5"}},
	{"xterm 1006", "\x1b[<128;5;6M\x1b[<129;5;6m", []string{"back@4,5", "forward@4,5 up"}},
	{"xterm 1006", "\x1b[<131;5;6M", []string{"unknown"}},
	{"xterm 1006", "\x1b[<0;1M\x1b[<0;0;0M", []string{"unknown", "unknown"}},
	{"xterm 1000", "\x1b[M !!\x1b[M#!!", []string{"left@0,0", "left@0,0 up"}},
	{"xterm 1000", "\x1b[M\"\xff\xfe", []string{"right@222,221"}},
	{"xterm 1003", "\x1b[MC*+", []string{"none@9,10 move"}},
	{"xterm 1000", "\x1b[M`!!", []string{"wheelup@0,0"}},
	{"urxvt 1015", "\x1b[34;5;6M\x1b[35;5;6M", []string{"right@4,5", "right@4,5 up"}},
	{"urxvt 1015", "\x1b[64;5;6M", []string{"left@4,5 move"}},
	// Paste.
	{"any", "\x1b[200~one\rtwo\x1b[201~", []string{"[", "paste one\rtwo", "]"}},
	{"any", "\x1b[200~\x1b[201~x", []string{"[", "]", "text x"}},
	{"any", "\x1b[200~\x1b[A\x1b[31m\xff\xfe\x1b[20\x1b[201~\x01", []string{"[", "paste \x1b[A\x1b[31m\xff\xfe\x1b[20", "]", "C-a"}},
	{"any", "\x1b[200~\x1b\x1b[201\x1b[201~", []string{"[", "paste \x1b\x1b[201", "]"}},
	{"any", "\x1b[200~a\r\nb\x1b[201~", []string{"[", "paste a\r\nb", "]"}},
	{"any", "\x1b\x1b[200~a\x1b[201~", []string{"Escape", "[", "paste a", "]"}},
	// Replies.
	{"DA1", "\x1b[?64;1;2;6;22c", []string{"reply"}},
	{"DA2", "\x1b[>1;115;0c", []string{"reply"}},
	{"DA3", "\x1bP!|7E565445\x1b\\", []string{"reply"}},
	{"DECRPM", "\x1b[?2026;2$y", []string{"reply"}},
	{"ANSI mode", "\x1b[4;2$y", []string{"reply"}},
	{"DSR", "\x1b[0n", []string{"reply"}},
	{"CPR", "\x1b[24;80R", []string{"reply"}},
	{"CPR", "\x1b[1;1R\x1b[1;17R", []string{"reply", "reply"}},
	{"DECXCPR", "\x1b[?24;80R", []string{"reply"}},
	{"OSC 11", "\x1b]11;rgb:1414/1919/1f1f\x1b\\", []string{"reply"}},
	{"OSC 10", "\x1b]10;rgb:ffff/ffff/ffff\x07", []string{"reply"}},
	{"OSC 4", "\x1b]4;255;rgb:eeee/eeee/eeee\x1b\\x", []string{"reply", "text x"}},
	{"OSC 52", "\x1b]52;c;aGVsbG8=\x1b\\", []string{"reply"}},
	{"kitty flags", "\x1b[?1u", []string{"reply"}},
	{"XTVERSION", "\x1bP>|Konsole 26.04.0\x1b\\", []string{"reply"}},
	{"XTGETTCAP", "\x1bP1+r524742\x1b\\\x1bP0+r\x1b\\", []string{"reply", "reply"}},
	{"DECRQSS", "\x1bP1$r0m\x1b\\", []string{"reply"}},
	{"window size", "\x1b[8;24;80t\x1b[4;600;800t\x1b[6;16;8t", []string{"reply", "reply", "reply"}},
	{"scheme", "\x1b[?997;1n", []string{"reply"}},
	{"2048", "\x1b[48;24;80;600;800t", []string{"reply"}},
	{"XTQMODKEYS", "\x1b[>4;2m", []string{"reply"}},
	{"kitty graphics", "\x1b_Gi=31;OK\x1b\\", []string{"reply"}},
	{"after Escape", "\x1b\x1b[?64;1c", []string{"Escape", "reply"}},
	{"after Escape", "\x1b\x1b]11;rgb:0/0/0\x07", []string{"Escape", "reply"}},
	{"after Escape", "\x1b\x1b[<0;1;1M", []string{"Escape", "left@0,0"}},
	{"broken off", "\x1b]11;rgb:00\ra", []string{"unknown", "Enter", "text a"}},
	{"broken off", "\x1b]11;rgb:00\x1b[A", []string{"unknown", "Up"}},
	{"broken off", "\x1b[?64;1\x1b[A", []string{"unknown", "Up"}},
	{"broken off", "\x1b[12\xc3\xa9", []string{"unknown", "text é"}},
	{"nonsense", "\x1b[99999999999999999999~", []string{"unknown"}},
	{"nonsense", "\x1b[1;2;3;4;5;6;7;8;9;10;11A", []string{"unknown"}},
	{"nonsense", "\x1b[1?2A\x1b[1 2A", []string{"unknown", "unknown"}},
}

func TestTokenizer(t *testing.T) {
	t.Parallel()
	if len(inputs) < 120 {
		t.Errorf("only %d inputs", len(inputs))
	}
	for _, tt := range inputs {
		in := []byte(tt.in)
		whole := feed(new(Tokenizer), in)
		if d := cmp.Diff(tt.want, describe(whole)); d != "" {
			t.Errorf("%s %q:\n%s", tt.from, tt.in, d)
		}
		if !bytes.Equal(join(whole), in) {
			t.Errorf("%s %q: tokens join to %q", tt.from, tt.in, join(whole))
		}
		for i := range in {
			for j := i; j <= len(in); j++ {
				got := feed(new(Tokenizer), in[:i], in[i:j], in[j:])
				if d := cmp.Diff(tt.want, describe(got)); d != "" {
					t.Fatalf("%s %q cut at %d and %d:\n%s", tt.from, tt.in, i, j, d)
				}
				if !bytes.Equal(join(got), in) {
					t.Fatalf("%s %q cut at %d and %d: tokens join to %q", tt.from, tt.in, i, j, join(got))
				}
			}
		}
	}
}

func TestTokenizerUTF8Mouse(t *testing.T) {
	t.Parallel()
	in := []byte("\x1b[M ɐ\u0080\x1b[M !!")
	for i := range in {
		got := describe(feed(&Tokenizer{UTF8Mouse: true}, in[:i], in[i:]))
		if d := cmp.Diff([]string{"left@559,95", "left@0,0"}, got); d != "" {
			t.Fatalf("cut at %d:\n%s", i, d)
		}
	}
}

func TestPending(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		t     Tokenizer
		want  time.Duration
		flush []string
	}{
		{"", Tokenizer{}, 0, nil},
		{"a", Tokenizer{}, 0, nil},
		{"\x1b", Tokenizer{}, waitPlain, []string{"Escape"}},
		{"a\x1b", Tokenizer{}, waitPlain, []string{"Escape"}},
		{"\x1b[", Tokenizer{}, waitPlain, []string{"M-["}},
		{"\x1bO", Tokenizer{}, waitPlain, []string{"M-O"}},
		{"\x1b]", Tokenizer{}, waitPlain, []string{"M-]"}},
		{"\x1b\x1b", Tokenizer{}, waitPlain, []string{"M-Escape"}},
		{"\x1b\x1b[", Tokenizer{}, waitPlain, []string{"Escape", "M-["}},
		{"\x1b\xe9", Tokenizer{}, waitPlain, []string{"M-é"}},
		{"\x1b\xe8\x94", Tokenizer{}, waitPlain, []string{"M-è", "text \x94"}},
		{"\xe9", Tokenizer{}, waitPlain, []string{"text \xe9"}},
		{"\x1b[<35;1;1M\x1b", Tokenizer{}, waitMouse, []string{"Escape"}},
		{"\x1b", Tokenizer{Asked: true}, waitAsked, []string{"Escape"}},
		{"\x1b", Tokenizer{Kitty: true}, waitKitty, []string{"Escape"}},
		{"\x1b[1", Tokenizer{}, 0, nil},
		{"\x1b[<0;1", Tokenizer{}, 0, nil},
		{"\x1b[?64;1;2", Tokenizer{}, 0, nil},
		{"\x1b]11;rgb:00\x1b", Tokenizer{}, 0, nil},
		{"\x1b[M !", Tokenizer{}, 0, nil},
		{"\x1b\x1b[1", Tokenizer{}, 0, nil},
		{"\x1b[200~\x1b", Tokenizer{}, 0, nil},
	} {
		tok := tt.t
		tok.Feed([]byte(tt.in))
		if got := tok.Pending(); got != tt.want {
			t.Errorf("%q: pending %v, want %v", tt.in, got, tt.want)
		}
		if d := cmp.Diff(tt.flush, describe(tok.Flush())); d != "" {
			t.Errorf("%q: flush:\n%s", tt.in, d)
		}
		if tok.Pending() != 0 {
			t.Errorf("%q: pending after flush", tt.in)
		}
	}
}

// TestLate: a network that held up the rest of a report for too long does not
// make it text.
func TestLate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first, rest string
		want        []string
	}{
		{"\x1b", "]11;rgb:1414/1919/1f1f\x1b\\", []string{"Escape", "reply"}},
		{"\x1b", "[?64;1;2cx", []string{"Escape", "reply", "text x"}},
		{"\x1b[", "?64;1;2c", []string{"M-[", "reply"}},
		{"\x1b]", "11;rgb:0/0/0\x07", []string{"M-]", "reply"}},
		{"\x1b", "[<0;10;10M\x1b[<0;10;10m", []string{"Escape", "left@9,9", "left@9,9 up"}},
		{"\x1b[", "<0;10;10M", []string{"M-[", "left@9,9"}},
		{"\x1b", "[200~hi\x1b[201~", []string{"Escape", "[", "paste hi", "]"}},
		{"\x1b", "[1;5A", []string{"Escape", "C-Up"}},
		// A person can type these.
		{"\x1b", "[A", []string{"Escape", "text [A"}},
		{"\x1b", "OA", []string{"Escape", "text OA"}},
		{"\x1b[", "A", []string{"M-[", "text A"}},
		{"\x1b", "]1", []string{"Escape", "text ]1"}},
		{"\x1b", "[<0", []string{"Escape", "text [<0"}},
		{"\x1b", "x", []string{"Escape", "text x"}},
	} {
		tok := new(Tokenizer)
		var all []Token
		for _, p := range []string{tt.first, tt.rest} {
			all = append(all, feed(tok, []byte(p))...)
		}
		if d := cmp.Diff(tt.want, describe(all)); d != "" {
			t.Errorf("%q, late %q:\n%s", tt.first, tt.rest, d)
		}
		if got := string(join(all)); got != tt.first+tt.rest {
			t.Errorf("%q, late %q: tokens join to %q", tt.first, tt.rest, got)
		}
	}
}

// TestSlow: a report or reply that a slow network cut anywhere, for any time,
// is never typed, except for an ESC that had to be taken for a key.
func TestSlow(t *testing.T) {
	t.Parallel()
	for _, tt := range inputs {
		if len(tt.want) != 1 || tt.want[0] != "reply" && !strings.Contains(tt.want[0], "@") {
			continue
		}
		for i := 1; i < len(tt.in); i++ {
			tok := new(Tokenizer)
			first := describe(feed(tok, []byte(tt.in[:i])))
			got := describe(feed(tok, []byte(tt.in[i:])))
			if len(first) > 0 && i > 2 {
				t.Errorf("%s %q cut at %d: %q", tt.from, tt.in, i, first)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s %q cut at %d:\n%s", tt.from, tt.in, i, d)
			}
		}
	}
}

// TestTooLong: what never ends is neither kept nor typed.
func TestTooLong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in, want string
		step           int
	}{
		{"sequence", "\x1b[" + strings.Repeat("1;", 3*maxSequence) + "A", "unknown", 7},
		{"string", "\x1b]52;c;" + strings.Repeat("QUJD", maxString/2) + "\x1b\\", "unknown", 4093},
		{"string broken off", "\x1b]52;c;" + strings.Repeat("QUJD", maxString/2) + "\r", "unknown", 4093},
	} {
		var whole, parts []Token
		whole = feed(new(Tokenizer), []byte(tt.in))
		tok := new(Tokenizer)
		for rest := []byte(tt.in); len(rest) > 0; {
			n := min(tt.step, len(rest))
			for _, one := range tok.Feed(rest[:n]) {
				parts = append(parts, one.Clone())
			}
			rest = rest[n:]
			if len(tok.held) > maxString || cap(tok.held)+cap(tok.spare) > 8*maxString {
				t.Fatalf("%s: holds %d bytes", tt.name, cap(tok.held)+cap(tok.spare))
			}
		}
		if d := cmp.Diff(describe(whole), describe(parts)); d != "" {
			t.Errorf("%s: in parts:\n%s", tt.name, d)
		}
		for _, one := range whole {
			if one.Kind == Text || one.Kind == Reply {
				t.Errorf("%s: %d bytes typed", tt.name, len(one.Raw))
			}
		}
		after := describe(tok.Feed([]byte("x")))
		if d := cmp.Diff([]string{"text x"}, after); d != "" {
			t.Errorf("%s: text afterwards:\n%s", tt.name, d)
		}
		if !bytes.Equal(join(parts), []byte(tt.in)) {
			t.Errorf("%s: bytes lost", tt.name)
		}
	}
}

// TestFeedAllocates: text and control bytes cost nothing.
func TestFeedAllocates(t *testing.T) {
	tok := new(Tokenizer)
	in := []byte("some text\r\x01\x1b[A\x1b[<0;1;1M")
	var dst []byte
	n := testing.AllocsPerRun(100, func() {
		dst = dst[:0]
		for _, one := range tok.Feed(in) {
			dst = Encode(dst, one, Modes{Mouse: MouseAny, MouseEncoding: MouseSGR})
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzTokenizer(f *testing.F) {
	for _, tt := range inputs {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 200 {
			in = in[:200]
		}
		want := feed(new(Tokenizer), in)
		for i := range in {
			tok := new(Tokenizer)
			got := feed(tok, in[:i], in[i:])
			if d := cmp.Diff(describe(want), describe(got)); d != "" {
				t.Fatalf("%q cut at %d:\n%s", in, i, d)
			}
			if held := append(join(got), tok.held...); !bytes.Equal(held, in) {
				t.Fatalf("%q cut at %d: %q", in, i, held)
			}
		}
		single := make([][]byte, len(in))
		for i := range in {
			single[i] = in[i : i+1]
		}
		if d := cmp.Diff(describe(want), describe(feed(new(Tokenizer), single...))); d != "" {
			t.Fatalf("%q byte by byte:\n%s", in, d)
		}
	})
}

func BenchmarkText(b *testing.B) {
	in := bytes.Repeat([]byte("the quick brown fox "), 200)
	benchmarkFeed(b, in)
}

func BenchmarkKeys(b *testing.B) {
	in := bytes.Repeat([]byte("\x1b[A\x1b[1;5C\x01\x1bb\x1b[97;5u"), 100)
	benchmarkFeed(b, in)
}

func BenchmarkMouse(b *testing.B) {
	benchmarkFeed(b, bytes.Repeat([]byte("\x1b[<35;120;40M"), 100))
}

func BenchmarkPaste(b *testing.B) {
	in := append([]byte("\x1b[200~"), bytes.Repeat([]byte("func main() {\r\t}\r"), 4000)...)
	benchmarkFeed(b, append(in, "\x1b[201~"...))
}

func benchmarkFeed(b *testing.B, in []byte) {
	tok := new(Tokenizer)
	m := Modes{BracketedPaste: true, Mouse: MouseAny, MouseEncoding: MouseSGR}
	var dst []byte
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		dst = dst[:0]
		for _, one := range tok.Feed(in) {
			dst = Encode(dst, one, m)
		}
	}
}
