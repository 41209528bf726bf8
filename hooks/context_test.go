package hooks

import (
	"slices"
	"testing"
)

func TestAContextIsPrintedAsEachAgentTakesIt(t *testing.T) {
	t.Parallel()
	claudes := `{"hookSpecificOutput":{"additionalContext":"a\n\"b\"","hookEventName":"SessionStart"}}` + "\n"
	for name, want := range map[string]string{
		"claude": claudes, "codex": claudes, "gemini": claudes, "qwen": claudes,
		"copilot": `{"additionalContext":"a\n\"b\""}` + "\n", "pi": "a\n\"b\"", "aider": "a\n\"b\"",
	} {
		a, _ := Lookup(name)
		if got := string(a.StartContext("a\n\"b\"")); got != want {
			t.Errorf("%s: %s", name, got)
		}
		env := a.Start(Launch{Context: true}).Env
		if told := slices.Contains(env, ContextEnv+"=1"); told != (name != "pi" && name != "aider") {
			t.Errorf("%s: told by %q", name, env)
		}
	}
}
