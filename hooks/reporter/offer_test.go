package reporter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/term/wire"
)

const offers = "/v1/agent-offers"

// offer is the server's side of a request for what waits, of which it hears what
// comes after the offer as "rest ".
func offer(w http.ResponseWriter, r *http.Request, answer func(string) (int, string), hear func(string)) {
	body, _ := io.ReadAll(r.Body)
	hear(string(body))
	status, text := answer(r.URL.Path)
	if !strings.Contains(text, "text") {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
		return
	}
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: "+wire.UpgradeOffer+"\r\nConnection: Upgrade\r\n\r\n"+text)
	var rest json.RawMessage
	if json.NewDecoder(rw).Decode(&rest) == nil {
		hear("rest " + string(rest))
	}
}

func offering(text string) func(string) (int, string) {
	return func(path string) (int, string) {
		if path == offers {
			return http.StatusOK, text
		}
		return fine(path)
	}
}

// paths are where something was told, the offers with what was heard of them.
func paths(all []heard) (out []string) {
	for _, h := range all {
		p := strings.TrimPrefix(h.Path, "/v1/")
		if rest, ok := strings.CutPrefix(h.Body, "rest "); ok {
			p += " " + rest
		}
		out = append(out, p)
	}
	return out
}

func TestAHookTellsWhatWaits(t *testing.T) {
	t.Parallel()
	const words = `{"text":"Message from bo\n"}`
	for name, c := range map[string]struct {
		agent, payload, answer string
		want                   string // what is printed
		told                   []string
		state                  string
	}{
		"at the end of a turn": {"claude", `{"hook_event_name":"Stop","session_id":"s1","last_assistant_message":"done"}`, words,
			`{"decision":"block","reason":"Message from bo\n"}` + "\n", []string{"agent-offers", `agent-offers {"took":true}`, "agent-reports"}, "working"},
		"behind a tool": {"claude", `{"hook_event_name":"PostToolUse","session_id":"s1","tool_name":"Bash"}`, words,
			`{"hookSpecificOutput":{"additionalContext":"Message from bo\n","hookEventName":"PostToolUse"}}` + "\n",
			[]string{"agent-reports", "agent-offers", `agent-offers {"took":true}`}, "working"},
		"nothing waits":    {"claude", `{"hook_event_name":"Stop","session_id":"s1"}`, `{}`, "", []string{"agent-offers", "agent-reports", "agent-events"}, "done"},
		"trouble":          {"claude", `{"hook_event_name":"Stop","session_id":"s1"}`, `nonsense`, "", []string{"agent-offers", "agent-reports", "agent-events"}, "done"},
		"it goes on again": {"claude", `{"hook_event_name":"Stop","session_id":"s1","stop_hook_active":true}`, words, "", []string{"agent-reports", "agent-events"}, "done"},
		"of a helper":      {"claude", `{"hook_event_name":"PostToolUse","session_id":"s1","agent_id":"h1"}`, words, "", []string{"agent-reports"}, "working"},
		"codex, at the end": {"codex", `{"hook_event_name":"Stop","session_id":"s1"}`, words,
			`{"decision":"block","reason":"Message from bo\n"}` + "\n", []string{"agent-offers", `agent-offers {"took":true}`, "agent-reports"}, "working"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket, told := server(t, offering(c.answer))
			if d := cmp.Diff(c.want, report(t, c.agent, "", c.payload, pane(socket))); d != "" {
				t.Error(d)
			}
			all := told()
			if d := cmp.Diff(c.told, paths(all)); d != "" {
				t.Error(d)
			}
			i := slices.IndexFunc(all, func(h heard) bool { return h.Path == "/v1/agent-reports" })
			if i < 0 || !strings.Contains(all[i].Body, `"state":"`+c.state+`"`) {
				t.Errorf("reports %v", all)
			}
		})
	}
}

// broken is an output that nobody reads.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWhatIsNotPrintedIsNotTaken(t *testing.T) {
	t.Parallel()
	socket, told := server(t, offering(`{"text":"hello"}`))
	run(t.Context(), order(), "claude", "", strings.NewReader(`{"hook_event_name":"Stop","session_id":"s1"}`), broken{}, pane(socket))
	if got := told(); !slices.Contains(paths(got), "agent-offers") || slices.ContainsFunc(paths(got), func(p string) bool { return strings.Contains(p, "took") }) ||
		!strings.Contains(got[1].Body, `"state":"done"`) {
		t.Errorf("%v", got)
	}
}

// TestNothingIsPrintedTooLate has the time of the hook end before the server has
// answered.
func TestNothingIsPrintedTooLate(t *testing.T) {
	t.Parallel()
	ctx, late := context.WithCancel(t.Context())
	socket, told := server(t, func(path string) (int, string) {
		if path == offers {
			late()
			return http.StatusOK, `{"text":"hello"}`
		}
		return fine(path)
	})
	var out bytes.Buffer
	c := wire.Open(socket, "t0ken")
	t.Cleanup(c.Close)
	took, _ := c.TakeOffer(ctx, wire.AgentTake{Agent: "claude"}, func(text string) error { out.WriteString(text); return nil })
	if took || out.Len() > 0 || len(told()) != 1 {
		t.Errorf("took %v, printed %q, told %v", took, out.String(), told())
	}
}
