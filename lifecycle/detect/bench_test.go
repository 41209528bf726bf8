package detect

import (
	"strings"
	"testing"
)

// busyScreen is a screen of 200 columns and 50 rows, full of text, with an idle
// agent's input line: every rule is tried.
func busyScreen(below string) Screen {
	var b strings.Builder
	for b.Len() < 42*201 {
		b.WriteString("  " + strings.Repeat("some (words) 12s of an answer, ", 7)[:198] + "\n")
	}
	s := TextScreen(b.String() + below)
	s.Cols, s.CursorY, s.Title = 200, 45, "✳ a session"
	return s
}

func BenchmarkRead(b *testing.B) {
	for _, agent := range Builtin().Agents() {
		below, _ := idleBelow(agent)
		s := busyScreen(below)
		b.Run(agent, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Builtin().Read(agent, &s)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	text, _ := Source("claude")
	for b.Loop() {
		if _, err := Parse("claude", text); err != nil {
			b.Fatal(err)
		}
	}
}
