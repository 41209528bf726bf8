package keys

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a": "a", "A": "A", "é": "é", "É": "É", ":": ":", "-": "-", "^": "^",
		"C-a": "C-a", "c-a": "C-a", "C-A": "C-a", "^a": "C-a", "^A": "C-a", "Ctrl-a": "C-a", "Ctrl+A": "C-a", "C-S-a": "C-S-a",
		"M-x": "M-x", "M-X": "M-X", "Alt-x": "M-x", "A-x": "M-x", "M-C-x": "C-M-x", "C--": "C--", "M--": "M--", "C-^": "C-^",
		"S-Enter": "S-Enter", "s-enter": "S-Enter", "Shift-Return": "S-Enter", "Enter": "Enter", "CR": "Enter",
		"Escape": "Escape", "Esc": "Escape", "Space": "Space", " ": "Space", "C-Space": "C-Space", "Tab": "Tab", "BTab": "S-Tab", "C-BTab": "C-S-Tab",
		"BSpace": "Backspace", "Backspace": "Backspace", "IC": "Insert", "DC": "Delete", "Del": "Delete",
		"PPage": "PageUp", "PageUp": "PageUp", "PgUp": "PageUp", "NPage": "PageDown", "PageDown": "PageDown", "PgDn": "PageDown",
		"Up": "Up", "M-S-Up": "M-S-Up", "Home": "Home", "End": "End", "F1": "F1", "f12": "F12", "C-F35": "C-F35",
		"KP0": "KP0", "KPEnter": "KPEnter", "KP*": "KP*", "KP-": "KP-", "Super-k": "Super-k", "Cmd-k": "Super-k", "Hyper-Meta-k": "Hyper-Meta-k",
		"Key57428": "Key57428", "U+001F": "U+001F",
	} {
		k, err := Parse(name)
		if err != nil || k.String() != want {
			t.Errorf("Parse(%q) = %v, %v; want %s", name, k, err, want)
		}
	}
	for _, name := range []string{"", "C-", "M-C-", "F0", "F36", "Foo", "ab", "\x01", "\xff", "C-Foo", "Key12", "U+110000", "KP10"} {
		if k, err := Parse(name); err == nil || err.Error() != "unknown key: "+name {
			t.Errorf("Parse(%q) = %v, %v", name, k, err)
		}
	}
}

func TestNamesRoundTrip(t *testing.T) {
	t.Parallel()
	for _, k := range allKeys() {
		for mods := range Meta << 1 {
			k.Mods = mods
			got, err := Parse(k.String())
			got.Shifted = 0
			if d := cmp.Diff(k, got); d != "" || err != nil {
				t.Fatalf("%s: %v %s", k, err, d)
			}
		}
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, name string
		want     bool
	}{
		{"\x01", "C-a", true},
		{"\x1b[97;5u", "C-a", true},
		{"\x1b[27;5;97~", "C-a", true},
		{"\x1b[97;133u", "C-a", true},
		{"\x1b[97;5:2u", "C-a", true},
		{"\x1b[97;5:3u", "C-a", false},
		{"\x01", "a", false},
		{"a", "C-a", false},
		{"\x1b[97;6u", "C-a", false},
		{"\x1b[97;6u", "C-S-a", true},
		{"\x1b[27;6;65~", "C-S-a", true},
		{"A", "A", true},
		{"A", "S-a", true},
		{"a", "A", false},
		{"\x1b[97;2u", "A", true},
		{"\x1b[97:65;2;65u", "A", true},
		{"\x1bA", "M-A", true},
		{"\x1b[97;4u", "M-A", true},
		{":", ":", true},
		{"\x1b[59:58;2u", ":", true},
		{"\x1b[59;2u", ":", true},
		{"\x1b[59;4u", "M-:", true},
		{"\x1b[27;6;58~", "C-:", true},
		{"\x1b[27;6;58~", "C-;", false},
		{"\x00", "C-Space", true},
		{"\x00", "C-@", true},
		{"\x1b[32;5u", "C-Space", true},
		{"\x1f", "C-_", true},
		{"\x1f", "C-/", true},
		{"\x1b[47;5u", "C-/", true},
		{"\x1b[47;5u", "C-_", false},
		{"\x1b[45;6u", "C-_", true},
		{"\x1e", "C-6", true},
		{"\r", "Enter", true},
		{"\x1b[57414u", "Enter", true},
		{"\x1bOM", "KPEnter", true},
		{"\r", "KPEnter", false},
		{"\x1bOp", "0", true},
		{"\x1b[57419u", "Up", true},
		{"\x1b[1;2A", "Up", false},
		{"\x1b[Z", "BTab", true},
		{"\x1b[9;2u", "BTab", true},
		{"\x1b[1089::99;5u", "C-c", true},
		{"\x1b[1089::99u", "c", false},
		{"\x1b[57441u", "Key57442", false},
		{"漢", "漢", true},
	} {
		name, err := Parse(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		k := feed(new(Tokenizer), []byte(tt.in))[0].Keys()[0]
		if got := k.Is(name); got != tt.want {
			t.Errorf("%q is %s: %v, want %v", tt.in, tt.name, got, tt.want)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	type key struct{ Name, Text string }
	for _, tt := range []struct {
		in   string
		want []key
	}{
		{"aB", []key{{"a", "a"}, {"B", "B"}}},
		{"e\u0301👩‍👧x", []key{{"e", "e\u0301"}, {"👩", "👩‍👧"}, {"x", "x"}}},
		{"a\xffb", []key{{"a", "a"}, {"U+FFFD", "\uFFFD"}, {"b", "b"}}},
		{"\x01", []key{{"C-a", ""}}},
		{"\x1b[I", nil},
	} {
		var got []key
		for _, k := range feed(new(Tokenizer), []byte(tt.in))[0].Keys() {
			got = append(got, key{k.String(), k.Text})
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q:\n%s", tt.in, d)
		}
	}
}
