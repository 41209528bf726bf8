package reporter

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"deck/hooks"
	"deck/lifecycle"
	"deck/term/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pane is the environment of a pane of the server at a socket.
func pane(socket string, more ...string) func(string) string {
	env := map[string]string{"DECK_SOCKET": socket, "DECK_REPORT_TOKEN": "t0ken"}
	for _, kv := range more {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	return func(k string) string { return env[k] }
}

// heard is one request that a server was sent.
type heard struct{ Path, Token, Body string }

// server listens on a socket, notes what it is sent and answers with what answer
// says of the path.
func server(t *testing.T, answer func(path string) (int, string)) (socket string, told func() []heard) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all []heard
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hear := func(body string) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, heard{r.URL.Path, r.Header.Get(wire.TokenHeader), body})
		}
		if r.URL.Path == offers {
			offer(w, r, answer, hear)
			return
		}
		body, _ := io.ReadAll(r.Body)
		hear(string(body))
		status, text := answer(r.URL.Path)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	})}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { s.Close() })
	return socket, func() []heard {
		mu.Lock()
		defer mu.Unlock()
		// Reports and events are sent at the same time.
		events := func(h heard) bool { return h.Path == "/v1/agent-events" }
		rest := slices.DeleteFunc(slices.Clone(all), events)
		return append(rest, slices.DeleteFunc(slices.Clone(all), func(h heard) bool { return !events(h) })...)
	}
}

func fine(string) (int, string) { return http.StatusOK, "{}" }

// report runs the reporter, which has all the time it needs, and returns what it
// printed.
func report(t *testing.T, agent, event, payload string, env func(string) string) string {
	t.Helper()
	var out bytes.Buffer
	run(t.Context(), order(), agent, event, strings.NewReader(payload), &out, env)
	return out.String()
}

func TestWhatHappensIsTold(t *testing.T) {
	t.Parallel()
	socket, told := server(t, fine)
	if out := report(t, "claude", "", `{"hook_event_name":"Stop","session_id":"s1","stop_hook_active":true,"last_assistant_message":"\u001b[1mdone\n\tand dusted"}`, pane(socket)); out != "" {
		t.Errorf("printed %q", out)
	}
	got := told()
	if len(got) != 2 || got[0].Path != "/v1/agent-reports" || got[1].Path != "/v1/agent-events" || got[0].Token != "t0ken" || got[1].Token != "t0ken" {
		t.Fatalf("told %v", got)
	}
	r, err := lifecycle.DecodeReport([]byte(got[0].Body))
	if err != nil || r.State != lifecycle.Done || r.Session != "s1" || r.Seq <= 0 {
		t.Errorf("%+v %v", r, err)
	}
	var e wire.AgentEvent
	if err := json.Unmarshal([]byte(got[1].Body), &e); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(wire.AgentEvent{Agent: "claude", Session: "s1", Seq: r.Seq, Ended: true, Response: "[1mdone\n\tand dusted"}, e); d != "" {
		t.Error(d)
	}
}

// TestWhatIsNotOfThePaneIsNotWaitedFor asks nobody about what another agent than
// the pane's wants to do.
func TestWhatIsNotOfThePaneIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for drop, want := range map[lifecycle.Drop]int{wire.DropOutsider: 1, lifecycle.DropSession: 1, lifecycle.DropSequence: 2} {
		socket, told := server(t, func(string) (int, string) { return http.StatusOK, `{"dropped":"` + string(drop) + `"}` })
		report(t, "claude", "PermissionRequest", `{"session_id":"s1"}`, pane(socket, hooks.AnswerEnv+"=1"))
		if got := told(); len(got) != want {
			t.Errorf("%s: told %v", drop, got)
		}
	}
}

// TestTheContextOfATurnIsTold has transcripts, and what is none.
func TestTheContextOfATurnIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "rollout.jsonl")
	line := `{"payload":{"type":"token_count","info":{"last_token_usage":{"total_tokens":42},"model_context_window":100}}}` + "\n"
	if err := os.WriteFile(file, []byte(strings.Repeat("x", 2*hooks.TailSize)+"\n"+line), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{file: "42", dir: "", filepath.Join(dir, "fifo"): "", filepath.Join(dir, "none"): "", "": ""} {
		socket, told := server(t, fine)
		report(t, "codex", "Stop", `{"session_id":"s1","stop_hook_active":true,"transcript_path":"`+path+`"}`, pane(socket))
		r, err := lifecycle.DecodeReport([]byte(told()[0].Body))
		got := ""
		if r.Meta != nil {
			got = r.Meta.Tokens["context"]
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// TestUnusablePayloadsAreCounted sends what no agent should.
func TestUnusablePayloadsAreCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ event, payload, why string }{
		"not JSON":     {"Stop", "\x1b]0;hi\x07 nonsense", wire.UnusableText},
		"nothing":      {"Stop", "", wire.UnusableText},
		"a list":       {"Stop", "[1,2]", wire.UnusableText},
		"10 MB":        {"Stop", `{"session_id":"s","x":"` + strings.Repeat("x", 10<<20) + `"}`, wire.UnusableLength},
		"10 MB of it":  {"Stop", strings.Repeat("\x1b[", 5<<20), wire.UnusableLength},
		"unknown":      {"CoffeeBreak", "{}", wire.UnusableEvent},
		"unnamed":      {"", "{}", wire.UnusableEvent},
		"deep":         {"Stop", strings.Repeat("[", 100000), wire.UnusableText},
		"half of JSON": {"Stop", `{"session_id":"s`, wire.UnusableText},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket, told := server(t, fine)
			if out := report(t, "claude", c.event, c.payload, pane(socket)); out != "" {
				t.Errorf("printed %q", out)
			}
			want := []heard{{"/v1/agent-events", "t0ken", `{"agent":"claude","unusable":"` + c.why + `"}`}}
			if d := cmp.Diff(want, told()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestNothingIsToldOutsideOfAPane also takes agents that are not known: there is
// nobody to tell of them.
func TestNothingIsToldOutsideOfAPane(t *testing.T) {
	t.Parallel()
	socket, told := server(t, fine)
	for name, env := range map[string]func(string) string{
		"no token":  pane(socket, "DECK_REPORT_TOKEN="),
		"no socket": pane("", "DECK_REPORT_TOKEN=t0ken"),
	} {
		stdin := strings.NewReader(`{"hook_event_name":"Stop"}`)
		Run("claude", "Stop", stdin, io.Discard, env)
		if stdin.Len() > 0 {
			t.Errorf("%s: the agent is left with what it writes", name)
		}
	}
	report(t, "emacs", "Stop", "{}", pane(socket))
	report(t, "crush", "Stop", "{}", pane(socket, "DECK_REPORT_TOKEN="))
	if got := told(); len(got) > 0 {
		t.Errorf("told %v", got)
	}
}

// TestAServerInTroubleStopsNobody runs against servers that never answer, that
// go away in the middle, and that are not there.
func TestAServerInTroubleStopsNobody(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(net.Conn){
		"it never answers":       func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"it never reads":         func(net.Conn) {},
		"it dies on the request": func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); c.Close() },
		"it dies in the answer": func(c net.Conn) {
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
			c.Close()
		},
		"it talks and talks": func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			for {
				if _, err := io.WriteString(c, "1\r\n \r\n"); err != nil {
					return
				}
			}
		},
		"it speaks something else": func(c net.Conn) { _, _ = io.WriteString(c, "SSH-2.0-x\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket := filepath.Join(t.TempDir(), "s")
			l, err := net.Listen("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			var conns sync.WaitGroup
			done := make(chan struct{})
			t.Cleanup(func() { close(done); l.Close(); conns.Wait() })
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					conns.Go(func() {
						serve(c)
						<-done
						c.Close()
					})
				}
			}()
			var out bytes.Buffer
			Run("codex", "PermissionRequest", strings.NewReader(`{"tool_input":{"command":"ls"}}`), &out, pane(socket, hooks.AnswerEnv+"=1"))
			if out.Len() > 0 {
				t.Errorf("printed %q", &out)
			}
		})
	}
	report(t, "claude", "Stop", "{}", pane(filepath.Join(t.TempDir(), "none")))
}

func TestAPayloadWithoutAnEndStopsNobody(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	Run("claude", "Stop", r, io.Discard, pane(filepath.Join(t.TempDir(), "none")))
}

func TestAPersonsAnswerIsPrinted(t *testing.T) {
	t.Parallel()
	const request = `{"session_id":"s1","tool_name":"Edit","tool_input":{"file_path":"/a.go","old_string":"x","new_string":"y"}}`
	for name, c := range map[string]struct{ answer, want string }{
		"yes":         {`{"decision":"allow"}`, `"behavior":"allow"`},
		"no":          {`{"decision":"deny","message":"not now"}`, `"behavior":"deny","message":"not now"`},
		"nobody":      {`{}`, ""},
		"no decision": {`nonsense`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			socket, told := server(t, func(path string) (int, string) {
				if path == "/v1/agent-requests" {
					return http.StatusOK, c.answer
				}
				return fine(path)
			})
			out := report(t, "claude", "PermissionRequest", request, pane(socket, hooks.AnswerEnv+"=1"))
			if !strings.Contains(out, c.want) || (c.want == "") != (out == "") {
				t.Errorf("printed %q", out)
			}
			got := told()
			if len(got) != 2 || got[1].Path != "/v1/agent-requests" {
				t.Fatalf("told %v", got)
			}
			var q wire.AgentRequest
			if err := json.Unmarshal([]byte(got[1].Body), &q); err != nil {
				t.Fatal(err)
			}
			want := wire.AgentRequest{Agent: "claude", Session: "s1", Summary: "/a.go", Wait: 600_000,
				Ask: wire.AgentAsk{Tool: "Edit", Text: "/a.go", Edits: []wire.AgentEdit{{Path: "/a.go", Old: "x", New: "y"}}}}
			if d := cmp.Diff(want, q); d != "" {
				t.Error(d)
			}
		})
	}
	// Where nobody turned answering on, the request is told and not waited for.
	socket, told := server(t, fine)
	if out := report(t, "claude", "PermissionRequest", request, pane(socket)); out != "" {
		t.Errorf("printed %q", out)
	}
	if got := told(); len(got) != 2 || got[1].Path != "/v1/agent-events" || !strings.Contains(got[1].Body, `"ask":{"tool":"Edit"`) {
		t.Errorf("told %v", got)
	}
}

// TestWhatIsToldFits makes payloads of which everything is as long as it can be.
func TestWhatIsToldFits(t *testing.T) {
	t.Parallel()
	socket, told := server(t, fine)
	long, _ := json.Marshal(strings.Repeat("\u0000<é", 5_000))
	path, _ := json.Marshal("/" + strings.Repeat("x", 600))
	var edits, options []string
	for range 9 {
		edits = append(edits, `{"old_string":`+string(long)+`,"new_string":`+string(long)+`}`)
		options = append(options, `{"label":`+string(long)+`}`)
	}
	for event, payload := range map[string]string{
		"Stop":              `{"last_assistant_message":` + string(long) + `,"transcript_path":` + string(path) + `}`,
		"PostToolUse":       `{"tool_response":{"bashEditDiff":{"changedFiles":[` + strings.Repeat(string(path)+",", 90) + `"/a"]}}}`,
		"PermissionRequest": `{"tool_name":` + string(long) + `,"tool_input":{"command":` + string(long) + `,"questions":[{"question":` + string(long) + `,"options":[` + strings.Join(options, ",") + `]}]}}`,
		"UserPromptSubmit":  `{"session_id":` + string(long) + `,"prompt":` + string(long) + `}`,
		"StopFailure":       `{"error":` + string(long) + `,"last_assistant_message":` + string(long) + `}`,
	} {
		report(t, "claude", event, payload, pane(socket))
	}
	report(t, "claude", "PermissionRequest", `{"tool_name":"MultiEdit","tool_input":{"file_path":"/a","edits":[`+strings.Join(edits[:2], ",")+`]}}`, pane(socket))
	for _, h := range told() {
		if strings.Contains(h.Body, `"unusable"`) {
			t.Errorf("unusable: %s", h.Body)
		}
		switch h.Path {
		case "/v1/agent-reports":
			if _, err := lifecycle.DecodeReport([]byte(h.Body)); err != nil {
				t.Errorf("%v: %.200s", err, h.Body)
			}
		default:
			if len(h.Body) > wire.MaxAgentEvent {
				t.Errorf("%d bytes: %.200s", len(h.Body), h.Body)
			}
		}
	}
}
