package cli

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/wire"
)

var someAgents = []wire.Agent{
	{Pane: "p1", Nick: "anna", Agent: "claude", Generation: 1, State: lifecycle.NeedsInput, Reason: lifecycle.Approval,
		Request: lifecycle.Request{ID: "r1", Summary: "rm -r build", Tool: "Bash"}, Source: "integration:claude",
		AgeMillis: 61_000, Project: "/home/x/src", Branch: "main", Dir: "/home/x/src/ui"},
	{Pane: "p2", Nick: "bo", Agent: "codex", Generation: 3, State: lifecycle.Working, Detail: "make\x1b[2J", AgeMillis: 4_900,
		Dir: "/srv", Stale: true, Meta: &lifecycle.Meta{Title: "the title", Tokens: map[string]string{"b": "2", "a": "1"}}},
}

func TestAgentOutput(t *testing.T) {
	t.Parallel()
	f := serve(t, map[string]any{
		"GET /v1/agents":          someAgents,
		"POST /v1/gates/request":  wire.Gate{ID: "g1", Nick: "anna"},
		"GET /v1/gates":           []wire.Gate{{ID: "g1", Nick: "anna", Agent: "claude", Text: "deploy?", By: "anna", AgeMillis: 7_300_000}},
		"POST /v1/gates/approve":  wire.Gate{ID: "g1", Decision: "approved"},
		"POST /v1/agents/explain": explained(),
	})
	for _, test := range []struct {
		args string
		want result
	}{
		{"agents", result{0, "" +
			"STATE                   NICK  AGENT   AGE  PROJECT       REQUEST\n" +
			"▲ needs-input approval  anna  claude  1m   ~/src (main)  rm -r build\n" +
			"● working               bo    codex   4s   /srv          make[2J\n", ""}},
		{"agent status anna", result{0, "" +
			"pane        p1\nnick        anna\nagent       claude\ngeneration  1\nstate       ▲ needs-input\nreason      approval\n" +
			"request     rm -r build\ntool        Bash\nsource      integration:claude\nage         1m\nproject     ~/src (main)\n", ""}},
		{"gate request anna -m x", result{0, "g1\n", ""}},
		{"gate request", result{2, "", "deck: missing agent\ndeck: hint: \"deck agents\" lists them; inside a pane it is the pane's own\n"}},
		{"gate list", result{0, "NICK  AGENT   ID  AGE  BY    TEXT\nanna  claude  g1  2h   anna  deploy?\n", ""}},
		{"gate approve anna", result{0, "", ""}},
		{"agent explain anna", result{0, "" +
			"anna  claude 1  ▲ needs-input approval  for 1m  rm -r build\n" +
			"because: a dialog stands on the screen (manifest:claude); looked at again in 8.0s\n" +
			"\n" +
			"WON  SOURCE              BY      STATE                   AGE   EXPIRES   RULE        TEXT    WHY\n" +
			"-    integration:claude  report  ● working               9.5s  in 8.0s   -           -       lent its place to the screen\n" +
			"*    manifest:claude     screen  ▲ needs-input approval  1.2s  stands    permission  1. Yes  a dialog stands on the screen\n" +
			"-    custom:x            report  ○ idle                  2m    3.0s ago  -           -       ran out\n" +
			"\n" +
			"integration:claude has come to report 7 of session s1\n", ""}},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			got := run(t, f.socket, "", environment{"HOME=/home/x", "LANG=C.UTF-8"}, strings.Fields(test.args)...)
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func explained() wire.AgentExplained {
	return wire.AgentExplained{Agent: someAgents[0], Explanation: lifecycle.Explanation{
		Status: lifecycle.Status{Source: "manifest:claude"}, Why: "a dialog stands on the screen", Next: 8000,
		Claims: []lifecycle.ClaimView{
			{Source: "integration:claude", Channel: "report", State: lifecycle.Working, Age: 9500, Expires: 8000, Why: "lent its place to the screen"},
			{Source: "manifest:claude", Channel: "screen", State: lifecycle.NeedsInput, Reason: lifecycle.Approval, Rule: "permission",
				Matched: "1. Yes", Age: 1200, Won: true, Why: "a dialog stands on the screen"},
			{Source: "custom:x", Channel: "report", State: lifecycle.Idle, Age: 120_000, Expires: -3000, Why: "ran out"},
		},
		Sessions: []lifecycle.SessionView{{Source: "integration:claude", Session: "s1", Seq: 7}},
	}}
}

func TestAgentsWithoutUTF8(t *testing.T) {
	t.Parallel()
	f := serve(t, map[string]any{"GET /v1/agents": someAgents[:1]})
	got := run(t, f.socket, "", environment{"LC_ALL=C", "LANG=C.UTF-8"}, "agents")
	if !strings.Contains(got.Stdout, "\n! needs-input approval  anna") {
		t.Error(got.Stdout)
	}
}

func TestAgentUsageErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, stderr string }{
		{"agent", "deck: missing command after agent\ndeck: hint: it is one of explain, held, report, status, wait\n"},
		{"agent status", "deck: missing agent\ndeck: hint: \"deck agents\" lists them; inside a pane it is the pane's own\n"},
		{"agent status a b", "deck: too many arguments: b\ndeck: hint: see \"deck help agent status\"\n"},
		{"agent wait", "deck: missing agent\ndeck: hint: see \"deck help agent wait\"\n"},
		{"agent wait a", "deck: missing --until\ndeck: hint: a state is one of unknown, working, needs-input, idle, blocked, done, dead\n"},
		{"agent wait a --until asleep", "deck: unknown state: asleep\ndeck: hint: it is one of unknown, working, needs-input, idle, blocked, done, dead\n"},
		{"agent wait a --until idle --timeout -1s", "deck: not a time to wait: -1s\n"},
		{"agent wait a --until idle --timeout 1us", "deck: not a time to wait: 1µs\n"},
		{"agent report", "deck: missing state\ndeck: hint: see \"deck help agent report\"\n"},
		{"agent report idle", "deck: missing --source\ndeck: hint: it says who reports, as in custom:build\n"},
		{"agent report idle --source custom:x", "deck: missing --agent\ndeck: hint: it is the name of the agent in this pane, as in claude\n"},
		{"agent report idle --source custom:x --agent a --ttl-ms 0", "deck: not a time to believe a report: 0 ms\n"},
		{"agent explain --agent claude", "deck: missing --file\ndeck: hint: it is a screen as text or a recording\n"},
		{"agent explain --file x", "deck: missing --agent\ndeck: hint: it is the name of a program, as in --agent claude\n"},
		{"agent explain a --file x --agent claude", "deck: AGENT and --file exclude each other\ndeck: hint: see \"deck help agent explain\"\n"},
		{"gate approve", "deck: missing agent\ndeck: hint: see \"deck help gate approve\"\n"},
		{"gate request a --wait -1s", "deck: not a time to wait: -1s\n"},
		{"demo --speed 0", "deck: not a speed: 0\n"},
		{"demo-agent nobody", "deck: unknown role: nobody\n"},
		{"demo-agent screen sing", "deck: unknown step: sing\ndeck: hint: it is one of work, hold, ask, question, fail, done, exit, die\n"},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			got := run(t, "/nowhere", "", nil, strings.Fields(test.args)...)
			if d := cmp.Diff(result{2, "", test.stderr}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A report is for the server whose pane it is made in, and for no other.
func TestReportNeedsAPane(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	report := strings.Fields("agent report idle --source custom:x --agent a")
	want := result{1, "", "deck: this is no pane of deck: DECK_SOCKET and DECK_REPORT_TOKEN name none\ndeck: hint: a report is about the pane it is made in\n"}
	for _, env := range []environment{nil, {"DECK_REPORT_TOKEN=t"}, {"DECK_SOCKET=" + f.socket}, {"DECK_SOCKET=/other", "DECK_REPORT_TOKEN=t"}} {
		args := report
		if env.get("DECK_SOCKET") == "/other" {
			args = append([]string{"-L", f.socket}, report...)
		}
		if d := cmp.Diff(want, run(t, f.socket, "", env, args...)); d != "" {
			t.Errorf("%q: %s", env, d)
		}
	}
	if got := f.requests(); got != nil {
		t.Errorf("asked %q", got)
	}
}

func TestAgentRequests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args string
		want string
	}{
		{"agents", "GET /v1/agents"},
		{"agents --all", "GET /v1/agents?all=1"},
		{"agent status", "GET /v1/agents?target=p7"},
		{"agent status anna", "GET /v1/agents?target=anna"},
		{"agent explain", `POST /v1/agents/explain {"target":"p7"}`},
		{"agent wait a --until idle", `POST /v1/agents/wait {"target":"a","until":["idle"],"timeout_ms":600000}`},
		{"agent wait a --until idle,dead --until done --timeout 0", `POST /v1/agents/wait {"target":"a","until":["idle","dead","done"]}`},
		{"agent report blocked --source custom:x --agent pi --reason limit --detail d --title t --label l --ttl-ms 5 --seq 9",
			`POST /v1/agent-reports {"source":"custom:x","agent":"pi","state":"blocked","reason":"limit","detail":"d","ttl_ms":5,"seq":9,"metadata":{"title":"t","state_label":"l"}}`},
		{"gate request -m deploy --wait 2s", `POST /v1/gates/request {"text":"deploy","wait_ms":2000}`},
		{"gate reject a --id g1", `POST /v1/gates/reject {"target":"a","id":"g1"}`},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			f := serve(t, map[string]any{
				"GET /v1/agents": someAgents, "POST /v1/agents/wait": wire.AgentWaited{Outcome: "reached"},
				"POST /v1/agent-reports": wire.Reported{}, "POST /v1/gates/request": wire.Gate{Decision: gateApproved},
				"POST /v1/agents/explain": wire.AgentExplained{},
			})
			env := environment{"DECK_SOCKET=" + f.socket, "DECK_PANE_ID=p7", "DECK_REPORT_TOKEN=secret"}
			if got := run(t, f.socket, "", env, strings.Fields(test.args)...); got.Code != 0 {
				t.Errorf("exit status %d: %s", got.Code, got.Stderr)
			}
			if d := cmp.Diff([]string{test.want}, f.requests()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOutcomesAreExitStatuses(t *testing.T) {
	t.Parallel()
	anna := wire.Agent{Nick: "anna", Agent: "pi", State: lifecycle.NeedsInput, Reason: lifecycle.Question}
	for _, test := range []struct {
		args, route string
		answer      any
		want        result
	}{
		{"agent wait anna --until idle", "POST /v1/agents/wait", wire.AgentWaited{Outcome: "reached", Agent: anna}, result{0, "anna needs-input question\n", ""}},
		{"agent wait anna --until idle", "POST /v1/agents/wait", wire.AgentWaited{Outcome: "timeout", Agent: anna}, result{2, "timeout: anna needs-input question\n", ""}},
		{"agent wait anna --until idle", "POST /v1/agents/wait", wire.AgentWaited{Outcome: "exited", Agent: wire.Agent{Nick: "anna", State: lifecycle.Dead}}, result{3, "exited: anna dead\n", ""}},
		{"agent wait anna --until idle", "POST /v1/agents/wait", wire.AgentWaited{Outcome: "replaced", Agent: anna}, result{3, "replaced: anna runs pi\n", ""}},
		{"agent wait anna --until idle", "POST /v1/agents/wait", wire.AgentWaited{Outcome: "lost"}, result{1, "lost:\n", "deck: unknown outcome of a wait: lost\n"}},
		{"agent wait anna --until idle", "POST /v1/agents/wait", &wire.Error{Code: wire.CodePaneNotFound, Message: "can't find pane: anna"}, result{1, "", "deck: can't find pane: anna\n"}},
		{"gate request a --wait 1s", "POST /v1/gates/request", wire.Gate{Decision: "approved"}, result{0, "approved\n", ""}},
		{"gate request a --wait 1s", "POST /v1/gates/request", wire.Gate{Decision: "rejected"}, result{1, "rejected\n", ""}},
		{"gate request a --wait 1s", "POST /v1/gates/request", wire.Gate{}, result{2, "timeout\n", ""}},
		{"agent status anna", "GET /v1/agents", []wire.Agent{}, result{1, "", "deck: no agent in pane: anna\n"}},
		{"agent report idle --source custom:x --agent pi", "POST /v1/agent-reports", wire.Reported{Dropped: lifecycle.DropSequence},
			result{1, "", "deck: the report was dropped: stale_sequence\n"}},
		{"agent report idle --source x --agent pi", "POST /v1/agent-reports", &wire.Error{Code: "invalid_source"},
			result{1, "", "deck: invalid source\ndeck: hint: \"deck schema agent-report\" says what a report may be\n"}},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			f := serve(t, map[string]any{test.route: test.answer})
			env := environment{"DECK_SOCKET=" + f.socket, "DECK_REPORT_TOKEN=secret"}
			if d := cmp.Diff(test.want, run(t, f.socket, "", env, strings.Fields(test.args)...)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	got := run(t, "/nowhere", "", nil, "schema", "agent-report")
	if d := cmp.Diff(result{0, string(lifecycle.Schema()), ""}, got); d != "" {
		t.Error(d)
	}
	got = run(t, "/nowhere", "", nil, "schema", "errors")
	for _, code := range wire.Codes() {
		if !strings.Contains(got.Stdout, "\n"+code+" ") {
			t.Errorf("%s is not listed", code)
		}
		if wire.HTTPStatus(code) == http.StatusInternalServerError && code != wire.CodeInternal {
			t.Errorf("%s has no status", code)
		}
	}
}

func TestStatusEvents(t *testing.T) {
	t.Parallel()
	a := &app{env: environment{"LANG=C.UTF-8"}}
	got := a.eventLine(wire.Event{Type: "snapshot", Time: "x", Panes: []wire.Pane{{}}, Agents: someAgents[:1]}) +
		a.eventLine(wire.Event{Type: "status", Time: "y", Agent: &someAgents[1]})
	want := "x snapshot  1 panes, 1 agents\n" +
		"x status  anna  claude  ▲ needs-input approval  rm -r build  (integration:claude)\n" +
		"y status  bo  codex  ● working  make[2J\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	var got []string
	for _, ms := range []int64{0, 999, 59_999, 60_000, 3_599_999, 3_600_000, 47 * 3_600_000, 48 * 3_600_000, -5000} {
		got = append(got, age(ms))
	}
	if d := cmp.Diff("0s 0s 59s 1m 59m 1h 47h 2d -5s", strings.Join(got, " ")); d != "" {
		t.Error(d)
	}
}
