package reporter

import (
	"net/http"
	"strings"
	"testing"

	"deck/hooks"
)

func TestASessionBeginsWithWhatItsProjectRemembers(t *testing.T) {
	t.Parallel()
	const begun = `{"session_id":"s1","source":"startup"}`
	for name, c := range map[string]struct {
		agent, event, answer string
		env                  []string
		want                 string
	}{
		"claude":     {"claude", "SessionStart", `{"text":"# Memory\n"}`, []string{hooks.ContextEnv + "=1"}, `"additionalContext":"# Memory\n"`},
		"copilot":    {"copilot", "sessionStart", `{"text":"# Memory\n"}`, []string{hooks.ContextEnv + "=1"}, `{"additionalContext":"# Memory\n"}`},
		"turned off": {"claude", "SessionStart", `{"text":"# Memory\n"}`, nil, ""},
		"nothing":    {"claude", "SessionStart", `{"text":""}`, []string{hooks.ContextEnv + "=1"}, ""},
		"trouble":    {"claude", "SessionStart", `nonsense`, []string{hooks.ContextEnv + "=1"}, ""},
		"in a turn":  {"claude", "UserPromptSubmit", `{"text":"# Memory\n"}`, []string{hooks.ContextEnv + "=1"}, ""},
		"no form":    {"pi", "session_start", `{"text":"# Memory\n"}`, []string{hooks.ContextEnv + "=1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket, _ := server(t, func(path string) (int, string) {
				if path == "/v1/memory/context" {
					return http.StatusOK, c.answer
				}
				return fine(path)
			})
			out := report(t, c.agent, c.event, begun, pane(socket, c.env...))
			if !strings.Contains(out, c.want) || (c.want == "") != (out == "") {
				t.Errorf("printed %q", out)
			}
		})
	}
}
