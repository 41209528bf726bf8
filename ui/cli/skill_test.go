package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every command that the skill teaches is one, with the flags that it shows.
func TestSkillTeachesWhatThereIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../hooks/skill.md")
	if err != nil {
		t.Fatal(err)
	}
	root := newRoot(&app{})
	taught := map[string]bool{}
	for _, m := range regexp.MustCompile("deck ([a-z]+(?: [a-z]+)?)([^`\n|]*)").FindAllStringSubmatch(string(text), -1) {
		c, _, err := root.Find(strings.Fields(m[1]))
		if err != nil || c == root {
			if !strings.Contains(m[0], "deck, a terminal") && m[1] != "help" {
				t.Errorf("%q is no command", m[0])
			}
			continue
		}
		taught[c.CommandPath()] = true
		for _, f := range regexp.MustCompile(` --?([a-z]+)`).FindAllStringSubmatch(m[2], -1) {
			name := strings.TrimLeft(f[1], "-")
			if flags := c.Flags(); flags.Lookup(name) == nil && (len(name) > 1 || flags.ShorthandLookup(name) == nil) {
				t.Errorf("%q: no flag %s", m[0], name)
			}
		}
	}
	for _, want := range []string{"start", "prompt", "wait", "close", "read", "answer", "tell", "inbox", "agents", "peek", "spawn", "handoff", "handoffs", "done",
		"context", "recall", "remember", "decide", "discover", "task update"} {
		if !taught["deck "+want] {
			t.Errorf("it does not teach deck %s", want)
		}
	}
}
