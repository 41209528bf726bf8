package detect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ agent, history, screen, prompt, want string }{
		"on the screen": {"claude", "", `
❯ an older question

● an older answer

❯ what is two and two?

● Four.

  It has always been so.

────────────────────────────────
❯
────────────────────────────────
  ? for shortcuts
`, "what is two and two?", "● Four.\n\n  It has always been so."},
		"above what the agent says of itself": {"claude", "", `
❯ what is two and two?

● Four.
                  or so

✻ Brewed for 13s · done 9:58 PM
                       ◐ medium · /effort
─────────────────────────────────────────
❯
─────────────────────────────────────────
  ? for shortcuts
`, "what is two and two?", "● Four.\n                  or so"},
		"begun in the history": {"claude", "❯ list them\n\n● one", `  two
  three

────────────────────────────────
❯
────────────────────────────────
`, "list them", "● one\n  two\n  three"},
		"a prompt of several rows": {"codex", "", `
› please look at the parser and
  tell me what is wrong

• Nothing is.

› 

  gpt
`, "please look at the parser and tell me what is wrong", "• Nothing is."},
		"not to be seen": {"codex", "", "• words\n\n› \n\n  gpt\n", "asked long ago", "• words"},
	} {
		s := TextScreen(c.screen)
		var history []string
		if c.history != "" {
			history = strings.Split(c.history, "\n")
		}
		if d := cmp.Diff(c.want, Builtin().Said(c.agent, &s, history, c.prompt)); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

func FuzzSaid(f *testing.F) {
	f.Add("claude", "❯ a\n● b\n", "a")
	f.Fuzz(func(_ *testing.T, agent, screen, prompt string) {
		s := TextScreen(screen)
		Builtin().Said(agent, &s, strings.Split(screen, "\n"), prompt)
	})
}
