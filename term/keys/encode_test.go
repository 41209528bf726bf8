package keys

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pass sends what a terminal sent through to a program with modes m.
func pass(in string, m Modes) string {
	var dst []byte
	for _, tok := range feed(new(Tokenizer), []byte(in)) {
		dst = Encode(dst, tok, m)
	}
	return string(dst)
}

// Programs, by what they asked for.
var (
	legacy   = Modes{}
	vim      = Modes{AppCursor: true, AppKeypad: true, BracketedPaste: true, Focus: true}
	other1   = Modes{ModifyOtherKeys: 1}
	other2   = Modes{ModifyOtherKeys: 2}
	kitty1   = Modes{Kitty: flagDisambiguate}
	kitty2   = Modes{Kitty: flagEvents}
	kitty3   = Modes{Kitty: flagDisambiguate | flagEvents}
	kitty5   = Modes{Kitty: flagDisambiguate | flagAlternates}
	kitty8   = Modes{Kitty: flagAll}
	kitty24  = Modes{Kitty: flagAll | flagText}
	kittyAll = Modes{Kitty: flagDisambiguate | flagEvents | flagAlternates | flagAll | flagText}
)

func TestEncode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		m        Modes
		in, want string
	}{
		{"text untouched", legacy, "häß \xff\xe9漢", "häß \xff\xe9漢"},
		{"text untouched by kitty 1", kitty1, "häß \xff\xe9漢", "häß \xff\xe9漢"},
		{"control bytes untouched", legacy, "\x00\x01\x08\t\n\r\x1a\x7f\x1c\x1f", "\x00\x01\x08\t\n\r\x1a\x7f\x1c\x1f"},
		{"Alt untouched", legacy, "\x1ba\x1bé\x1b\x7f\x1b\r\x1b[", "\x1ba\x1bé\x1b\x7f\x1b\r\x1b["},
		{"Alt of Latin-1 untouched", legacy, "\x1b\xe9", "\x1b\xe9"},
		{"LNM", Modes{NewLine: true}, "\r\x1b\r", "\r\n\x1b\r\n"},
		{"LNM from kitty", Modes{NewLine: true}, "\x1b[13;2u", "\r\n"},
		{"DECBKM", Modes{BackspaceBS: true}, "\x7f\x1b[127;5u", "\x08\x7f"},
		{"cursor keys", legacy, "\x1b[A\x1bOB\x1b[H\x1b[1~\x1b[4~\x1b[7~", "\x1b[A\x1b[B\x1b[H\x1b[H\x1b[F\x1b[H"},
		{"application cursor keys", vim, "\x1b[A\x1b[B\x1b[H\x1b[4~\x1b[1;5A\x1b[5~", "\x1bOA\x1bOB\x1bOH\x1bOF\x1b[1;5A\x1b[5~"},
		{"function keys of the linux console", legacy, "\x1b[[A\x1b[[E\x1b[17~", "\x1bOP\x1b[15~\x1b[17~"},
		{"function keys of rxvt", legacy, "\x1b[11~\x1b[23^\x1b[a\x1bOd\x1b\x1b[A", "\x1bOP\x1b[23;5~\x1b[1;2A\x1b[1;5D\x1b[1;3A"},
		{"function keys of kitty", legacy, "\x1b[P\x1b[13~\x1b[13;2~\x1b[S", "\x1bOP\x1bOR\x1b[1;2R\x1bOS"},
		{"high function keys", legacy, "\x1b[57376u\x1b[57383u\x1b[57398u", "\x1b[25~\x1b[34~"},
		{"keypad as numbers", legacy, "\x1bOp\x1bOM\x1bOk\x1b[57400u\x1b[57419u", "0\r+1\x1b[A"},
		{"application keypad with Num Lock", vim, "\x1b[57400;129u\x1b[57414;129u", "1\r"},
		{"application keypad", vim, "\x1bOp\x1bOM\x1b[57400u\x1b[57414u\x1b[57419u", "\x1bOp\x1bOM\x1bOq\x1bOM\x1bOA"},

		{"kitty terminal, legacy program", legacy, "\x1b[97;5u\x1b[99;5u\x1b[32;5u\x1b[47;5u\x1b[64;5u", "\x01\x03\x00\x1f\x00"},
		{"kitty terminal, legacy program: Alt", legacy, "\x1b[97;3u\x1b[97;4u\x1b[91;3u\x1b[233;3u", "\x1ba\x1bA\x1b[\x1bé"},
		{"kitty terminal, legacy program: Ctrl and Alt", legacy, "\x1b[97;7u", "\x1b\x01"},
		{"kitty terminal, legacy program: Escape and Tab", legacy, "\x1b[27u\x1b[9;2u\x1b[27;3u", "\x1b\x1b[Z\x1b\x1b"},
		{"kitty terminal, legacy program: locks", legacy, "\x1b[97;133u\x1b[1;129A\x1b[13;129u", "\x01\x1b[A\r"},
		{"kitty terminal, legacy program: another alphabet", legacy, "\x1b[1089::99;5u", "\x03"},
		{"kitty terminal, legacy program: releases", legacy, "\x1b[97;1:3u\x1b[1;1:3A\x1b[97;5:3u", ""},
		{"kitty terminal, legacy program: repeats", legacy, "\x1b[97;5:2u\x1b[1;1:2A", "\x01\x1b[A"},
		{"kitty terminal, legacy program: Super", legacy, "\x1b[99;9u\x1b[57441;2u\x1b[57428u", ""},
		{"kitty terminal, legacy program: text", legacy, "\x1b[97:65;2;65u\x1b[97;;229u\x1b[0;;229u\x1b[97;65u", "AååA"},
		{"xterm with modifyOtherKeys 2, legacy program", legacy, "\x1b[27;5;97~\x1b[27;6;65~\x1b[27;3;120~\x1b[27;5;32~\x1b[27;2;13~\x1b[27;5;45~", "\x01\x01\x1bx\x00\r-"},
		{"degraded", legacy, "\x1b[13;2u\x1b[13;5u\x1b[13;4u\x1b[27;2u\x1b[127;2u\x1b[127;5u\x1b[9;5u\x1b[9;6u\x1b[32;2u\x1b[97;6u\x1b[49;5u\x1b[59;5u",
			"\r\r\x1b\r\x1b\x7f\x08\t\x1b[Z \x011;"},

		{"legacy terminal, kitty 1", kitty1, "\x01\x00\x1b\x1ba\x1bA\r\t\x7f", "\x1b[97;5u\x1b[32;5u\x1b[27u\x1b[97;3u\x1b[97;4u\r\t\x7f"},
		{"kitty 1 function keys", kitty1, "\x1bOP\x1bOR\x1b[15~\x1b[A\x1bOA\x1b[1;5A\x1b[1;2R\x1b[Z", "\x1b[P\x1b[13~\x1b[15~\x1b[A\x1b[A\x1b[1;5A\x1b[13;2~\x1b[9;2u"},
		{"kitty 1 has no application cursor keys", Modes{Kitty: 1, AppCursor: true}, "\x1b[A", "\x1b[A"},
		{"kitty 2 has them not either", Modes{Kitty: 2, AppCursor: true}, "\x1b[A", "\x1b[A"},
		{"kitty 4 has them", Modes{Kitty: 4, AppCursor: true}, "\x1b[A", "\x1bOA"},
		{"kitty 1 as it came", kitty1, "\x1b[97;5u\x1b[13;2u\x1b[57399u\x1b[1089;5u\x1b[27u\x1b[57419u", "\x1b[97;5u\x1b[13;2u\x1b[57399u\x1b[1089;5u\x1b[27u\x1b[57419u"},
		{"kitty 1 shifted punctuation is text", kitty1, "\x1b[59:58;2u", ":"},
		{"kitty 1 has no releases and lone modifiers", kitty1, "\x1b[97;5:3u\x1b[57441u", ""},
		{"kitty 2 keeps legacy bytes", kitty2, "\x01\x1ba\x1b\r\x1b[Z", "\x01\x1ba\x1b\r\x1b[Z"},
		{"kitty 2 says what legacy cannot", kitty2, "\x1b[97;6u\x1b[13;2u", "\x1b[97;6u\x1b[13;2u"},
		{"kitty 3 releases", kitty3, "\x1b[97;1:3u\x1b[1;1:3A\x1b[97;5:2u\x1b[13;1:3u", "\x1b[97;1:3u\x1b[1;1:3A\x1b[97;5:2u"},
		{"kitty 5 alternates", kitty5, "\x1b[97;6u\x1b[59:58;6u\x1b[1089::99;5u\x1b[59;6u", "\x1b[97:65;6u\x1b[59:58;6u\x1b[1089::99;5u\x1b[59;6u"},
		{"kitty 8 text", kitty8, "aA!é\xff\r\t\x7f\x1b", "\x1b[97u\x1b[97;2u\x1b[33u\x1b[233u\xff\x1b[13u\x1b[9u\x1b[127u\x1b[27u"},
		{"kitty 8 lone modifier", kitty8, "\x1b[57441;2u", "\x1b[57441;2u"},
		{"kitty 24 text", kitty24, "aÉ\x01\x1b[0;;229u", "\x1b[97;;97u\x1b[233;2;201u\x1b[97;5u\x1b[0;;229u"},
		{"kitty 24 keypad", kitty24, "\x1bOp\x1bOM", "\x1b[57399;;48u\x1b[57414u"},
		{"all of kitty", kittyAll, "A\x1b[97:65:97;2:3;65u", "\x1b[97:65;2;65u\x1b[97:65:97;2:3u"},
		{"kitty 1 LNM", Modes{Kitty: 1, NewLine: true}, "\r", "\r\n"},

		{"modifyOtherKeys 1", other1, "\x01\x00\x1ba\r\x1b\r\x1b[13;2u\x1b[13;5u\x1b[59;5u\x1b[97;6u\x1b[9;5u\x1b[27;2u", "\x01\x00\x1ba\r\x1b\r\x1b[27;2;13~\x1b[27;5;13~\x1b[27;5;59~\x01\x1b[27;5;9~\x1b"},
		{"modifyOtherKeys 2", other2, "a\x01\x00\x1ba\r\x1b\r\x1b[Z\x1b\x7f", "a\x1b[27;5;97~\x1b[27;5;32~\x1b[27;3;97~\r\x1b[27;3;13~\x1b[Z\x1b[27;3;127~"},
		{"modifyOtherKeys 2 shifted", other2, "\x1b[97;6u\x1b[59:58;6u\x1b[32;2u\x1b[97;133u", "\x1b[27;6;65~\x1b[27;6;58~\x1b[27;2;32~\x1b[27;5;97~"},
		{"modifyOtherKeys 2 as it came", other2, "\x1b[27;5;97~\x1b[27;6;65~\x1b[27;2;13~", "\x1b[27;5;97~\x1b[27;6;65~\x1b[27;2;13~"},
		{"kitty wins", Modes{Kitty: 1, ModifyOtherKeys: 2}, "\x01", "\x1b[97;5u"},

		{"paste kept", vim, "\x1b[200~one\rtwo\x1b[201~", "\x1b[200~one\rtwo\x1b[201~"},
		{"paste without frame", legacy, "\x1b[200~one\rtwo\nthree\r\nfour\x1b[201~", "one\rtwo\rthree\rfour"},
		{"paste of anything", vim, "\x1b[200~\x1b[A\xff\x00\n\x1b[201~", "\x1b[200~\x1b[A\xff\x00\n\x1b[201~"},
		{"paste is no keys", Modes{Kitty: 31, BracketedPaste: true}, "\x1b[200~a\x01\x1b[201~", "\x1b[200~a\x01\x1b[201~"},
		{"focus", vim, "\x1b[I\x1b[O", "\x1b[I\x1b[O"},
		{"focus not asked for", legacy, "\x1b[I\x1b[O", ""},
		{"replies", kittyAll, "\x1b[?64;1;2c\x1b]11;rgb:0/0/0\x07\x1bP>|x\x1b\\\x1b[0n\x1b[24;80R\x1b[8;24;80t\x1b[?1u\x1b[?2026;2$y", ""},
		{"keys that deck does not know", legacy, "\x1b[1;5G\x1b[37~", "\x1b[1;5G\x1b[37~"},
		{"pieces of sequences", legacy, "\x1b[1\r\x1b]11;\r\x1b[65;30;97;1;0;1_\x1b[1 2A", "\r\r"},
	} {
		if got := pass(tt.in, tt.m); got != tt.want {
			t.Errorf("%s: %q gives\n %q, want\n %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// TestPasteStaysInside: text that brings the end marker along, whole, in parts
// or nested, cannot end the paste.
func TestPasteStaysInside(t *testing.T) {
	t.Parallel()
	for _, parts := range [][]string{
		{"a\x1b[201~b"},
		{"a\x1b[20\x1b[201~1~b"},
		{"a\x1b[2", "01~b"},
		{"a\x1b", "[201~b"},
		{"\x1b\x1b[201~[201~"},
		{"\x1b\x1b\x1b", "\x1b[201", "~"},
	} {
		for _, m := range []Modes{legacy, vim} {
			var dst []byte
			for _, p := range parts {
				dst = Encode(dst, Token{Kind: PasteText, Raw: []byte(p)}, m)
			}
			if bytes.Contains(dst, pasteStop) {
				t.Errorf("%q becomes %q", parts, dst)
			}
		}
	}
}

// allKeys is every key there is a code for, and characters of several kinds.
func allKeys() []Key {
	var all []Key
	for c := Escape; c < OtherKey; c++ {
		all = append(all, Key{Code: c})
	}
	for c := F1; c <= F35; c++ {
		all = append(all, Key{Code: c})
	}
	for n := numberLeft; n <= numberLevel5; n++ {
		all = append(all, Key{Code: OtherKey, Functional: n})
	}
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789`-=[]\\;',./ éя漢" {
		all = append(all, Key{Code: Code(r)})
	}
	return all
}

// xtermFunction says whether xterm has a sequence for a function key.
func xtermFunction(c Code) bool {
	return c >= Insert && c <= Begin || c >= F1 && c <= F1+19
}

// legacySays lists what legacy bytes can say of k without losing anything.
func legacySays(k Key, m Modes) bool {
	mods := k.Mods
	switch {
	case xtermFunction(k.Code):
		return true
	case k.Code == Tab:
		return mods&^(Alt|Shift) == 0
	case k.Code == Enter || k.Code == Escape || k.Code == Backspace:
		return mods&^Alt == 0
	case k.Code >= Keypad0 && k.Code <= KeypadSeparator:
		return m.AppKeypad && mods == 0
	case k.Code > Escape || mods&Super != 0:
		return false
	case mods&Ctrl == 0:
		return k.Code != ' ' || mods&Shift == 0
	case mods&Shift != 0:
		return strings.ContainsRune("26-`\\", rune(k.Code))
	}
	return k.Code >= 'a' && k.Code <= 'z' && !strings.ContainsRune("im", rune(k.Code)) ||
		strings.ContainsRune(" \\]/24567`", rune(k.Code))
}

// says lists what a program's modes can say.
func says(k Key, m Modes) bool {
	character := k.Code < Escape
	switch {
	case m.Kitty&(flagDisambiguate|flagAll) != 0:
		return m.Kitty&flagAll != 0 || !modifierKey(k)
	case m.Kitty != 0:
		if modifierKey(k) || k.Code >= Keypad0 && k.Code <= KeypadSeparator || k.Code == OtherKey && k.Functional <= numberBegin {
			return false
		}
		ascii := character && k.Code < 0x7f
		if ascii && (k.Mods == Ctrl || k.Mods == Ctrl|Alt) && k.Code != 'é' {
			_, bytes := controlOf(rune(k.Code))
			return legacySays(k, m) && bytes
		}
		return k.Code != Menu && (k.Code != Backspace || k.Mods != Ctrl) && (k.Code != ' ' || k.Mods != Shift)
	case m.ModifyOtherKeys == 2:
		return legacySays(k, m) || character || k.Code >= Escape && k.Code <= Backspace
	case m.ModifyOtherKeys == 1:
		_, ctrl := controlByte(k)
		return legacySays(k, m) || k.Code == Enter || k.Code == Tab ||
			character && (k.Mods&Super != 0 || k.Mods&Ctrl != 0 && !ctrl)
	}
	return legacySays(k, m)
}

// TestRoundTrip: what is encoded for a program is, read back, the same key,
// for every key, set of modifiers and mode that can say it.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	modes := []Modes{legacy, vim, other1, other2, {ModifyOtherKeys: 2, AppKeypad: true}, {AppCursor: true, Kitty: 4}}
	for flags := range uint8(31) {
		modes = append(modes, Modes{Kitty: flags + 1})
	}
	said := 0
	for _, m := range modes {
		for _, k := range allKeys() {
			for mods := range Super << 1 {
				k.Mods = mods
				out := EncodeKey(nil, k, m)
				tokens := feed(new(Tokenizer), out)
				same := len(tokens) == 1 && len(tokens[0].Keys()) == 1 && tokens[0].Keys()[0].Is(k)
				if want := says(k, m); same != want {
					t.Errorf("%v for %+v: %q reads as %q, same key: %v, want %v", k, m, out, describe(tokens), same, want)
				}
				if same {
					said++
				}
			}
		}
	}
	if said < 20_000 {
		t.Errorf("only %d keys went round", said)
	}
}

// TestRoundTripActions: repeats and releases, where all keys are told.
func TestRoundTripActions(t *testing.T) {
	t.Parallel()
	for _, flags := range []uint8{flagEvents | flagAll, 31} {
		for _, k := range allKeys() {
			for mods := range Super << 1 {
				for _, a := range []Action{Press, Repeat, Release} {
					k.Mods, k.Action = mods, a
					out := EncodeKey(nil, k, Modes{Kitty: flags})
					tokens := feed(new(Tokenizer), out)
					if len(tokens) != 1 {
						t.Fatalf("%v: %q", k, out)
					}
					got := tokens[0].Key
					got.Text, got.Shifted = "", 0
					if d := cmp.Diff(k, got); d != "" {
						t.Errorf("%q: %s", out, d)
					}
				}
			}
		}
	}
}

func TestEncodeAllocates(t *testing.T) {
	dst := make([]byte, 0, 64)
	for _, m := range []Modes{legacy, other2, kitty1} {
		n := testing.AllocsPerRun(100, func() {
			dst = EncodeKey(dst[:0], Key{Code: Up, Mods: Ctrl}, m)
			dst = EncodeKey(dst, Key{Code: 'a', Mods: Ctrl}, m)
		})
		if n != 0 {
			t.Errorf("%+v: %v allocations", m, n)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte("\x1b[200~a\x1b[201~"), int32(97), uint8(5), uint8(31), uint16(0x3ff), 3, 4)
	for _, tt := range inputs {
		f.Add([]byte(tt.in), int32('é'), uint8(4), uint8(1), uint16(0x30), 9, 4)
	}
	f.Add([]byte("\x1b[<0;1;1M"), int32(Up), uint8(255), uint8(0), uint16(0), -1, 1<<40)
	f.Fuzz(func(t *testing.T, raw []byte, code int32, mods, flags uint8, bits uint16, x, y int) {
		m := Modes{
			AppCursor: bits&1 != 0, AppKeypad: bits&2 != 0, NewLine: bits&4 != 0, BackspaceBS: bits&8 != 0,
			BracketedPaste: bits&16 != 0, Focus: bits&32 != 0, AltScreen: bits&64 != 0, AltScroll: bits&128 != 0,
			Mouse: MouseMode(bits >> 8 % 5), MouseEncoding: MouseEncoding(bits >> 10 % 5), ModifyOtherKeys: uint8(bits >> 13 % 3),
			Kitty: flags & 31, CellW: int(bits & 15), CellH: int(bits & 7),
		}
		k := Key{Code: Code(code), Mods: Mod(mods), Action: Action(flags >> 6 % 3), Text: string(raw), Functional: x, Shifted: rune(y), Base: rune(x)}
		EncodeKey(nil, k, m)
		_ = k.String()
		k.Is(Key{Code: 'a', Mods: Ctrl})
		EncodeMouse(nil, Mouse{X: x, Y: y, Button: Button(mods % 12), Mods: Mod(flags), Motion: bits&512 != 0, Release: bits&1024 != 0}, m)
		for _, tok := range feed(new(Tokenizer), raw) {
			Encode(nil, tok, m)
			tok.Keys()
		}
		at := 0
		if len(raw) > 0 {
			at = int(mods) % len(raw)
		}
		paste := Encode(nil, Token{Kind: PasteText, Raw: raw[:at]}, m)
		paste = Encode(paste, Token{Kind: PasteText, Raw: raw[at:]}, m)
		if bytes.Contains(append(paste, pasteStop[:5]...), pasteStop) || bytes.Contains(paste, pasteStop) {
			t.Fatalf("%q cut at %d: %q", raw, at, paste)
		}
	})
}
