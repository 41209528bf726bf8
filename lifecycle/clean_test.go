package lifecycle

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"rm -rf ./build && ls **/*.go > log": "rm -rf ./build && ls **/*.go > log",
		" two\r\n\tlines ":                   "two lines",
		"\x1b[31mred\x1b[0m\x1b]0;t\x07x":    "redx",
		"\x1b]8;;http://x\x1b\\link":         "link",
		"a\x1b[":                             "a",
		"a\u202egpj.exe\u2066":               "agpj.exe",
		"zero\u200bwidth\ufeff":              "zerowidth",
		"\xffbad":                            "\ufffdbad",
		"<b>x</b> 1 < 2":                     "‹b>x‹/b> 1 < 2",
		"&lt; a && b; c":                     "＆lt; a && b; c",
		"[a](http://x) ![i][r]":              "[a] (http://x) ![i] [r]",
		"`code`":                             "'code'",
		"\u009b31mx":                         "31mx",
	} {
		if got := Clean(in, 100); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := Clean(strings.Repeat("ab ", 10), 7); got != "ab ab…" {
		t.Errorf("cut: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31m<b>`x`\u202e](", 5)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit &= 0xff
		got := Clean(s, limit)
		bad := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
		if utf8.RuneCountInString(got) > limit || strings.ContainsFunc(got, bad) || !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
		if again := Clean(got, limit); again != got {
			t.Fatalf("%q is cleaned to %q", got, again)
		}
	})
}
