package lifecycle

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// body makes a report's body of the required keys and more.
func body(more string) string {
	s := `{"source":"integration:robot","agent":"robot"`
	if more != "" {
		s += "," + more
	}
	return s + "}"
}

func long(n int) string { return strings.Repeat("é", n) }

func argv(n int) string {
	return `"agent_session_id":"s","resume_argv":["robot"` + strings.Repeat(`,"a"`, n-1) + `]`
}

func tokens(n int) string {
	var kv []string
	for i := range n {
		kv = append(kv, fmt.Sprintf(`"t%d":%d`, i, i))
	}
	return `"metadata":{"tokens":{` + strings.Join(kv, ",") + `}}`
}

var reportCases = []struct {
	name string
	body string
	want CodeError // empty: accepted
}{
	{"the least", body(""), ""},
	{"null state", body(`"state":null`), ""},
	{"working", body(`"state":"working"`), ""},
	{"unknown", body(`"state":"unknown"`), ""},
	{"done", body(`"state":"done"`), ""},
	{"exited", body(`"state":"exited"`), InvalidState},
	{"dead", body(`"state":"dead"`), InvalidState},
	{"capitals", body(`"state":"Working"`), InvalidState},
	{"empty state", body(`"state":""`), InvalidState},
	{"state is a number", body(`"state":1`), InvalidState},
	{"approval", body(`"state":"needs-input","reason":"approval"`), ""},
	{"blocked for approval", body(`"state":"blocked","blocked_reason":"approval"`), ""},
	{"blocked for a limit", body(`"state":"blocked","reason":"limit"`), ""},
	{"needs input for a limit", body(`"state":"needs-input","reason":"limit"`), InvalidReason},
	{"a gate", body(`"state":"blocked","reason":"gate"`), InvalidReason},
	{"reason of working", body(`"state":"working","reason":"question"`), InvalidReason},
	{"reason without state", body(`"reason":"question"`), InvalidReason},
	{"no reason", body(`"state":"blocked","reason":null`), ""},
	{"empty reason", body(`"state":"blocked","reason":""`), InvalidReason},
	{"both names of reason", body(`"state":"blocked","reason":"limit","blocked_reason":"limit"`), InvalidReason},
	{"no source", `{"agent":"robot"}`, InvalidSource},
	{"a guess", `{"source":"heuristic:output","agent":"robot"}`, InvalidSource},
	{"source without id", `{"source":"custom:","agent":"robot"}`, InvalidSource},
	{"long source", `{"source":"custom:` + strings.Repeat("a", 41) + `","agent":"robot"}`, InvalidSource},
	{"source with a line end", `{"source":"custom:a\n","agent":"robot"}`, InvalidSource},
	{"source is null", `{"source":null,"agent":"robot"}`, InvalidSource},
	{"no agent", `{"source":"custom:a"}`, AgentMismatch},
	{"ttl", body(`"ttl_ms":1`), ""},
	{"ttl as a decimal", body(`"ttl_ms":2e3`), ""},
	{"huge ttl", body(`"ttl_ms":1e300`), ""},
	{"ttl beyond all numbers", body(`"ttl_ms":99999999999999999999999`), ""},
	{"no ttl", body(`"ttl_ms":0`), InvalidTTL},
	{"negative ttl", body(`"ttl_ms":-5`), InvalidTTL},
	{"half a millisecond", body(`"ttl_ms":0.5`), InvalidTTL},
	{"ttl as text", body(`"ttl_ms":"5"`), InvalidTTL},
	{"detail", body(`"detail":"` + long(120) + `"`), ""},
	{"long detail", body(`"detail":"` + long(121) + `"`), InvalidDetail},
	{"detail is null", body(`"detail":null`), InvalidDetail},
	{"detail with escapes", body(`"detail":"\u001b[2J"`), ""},
	{"long request", body(`"request":"` + long(241) + `"`), InvalidDetail},
	{"seq", body(`"seq":900`), ""},
	{"negative seq", body(`"seq":-1`), InvalidSequence},
	{"helper", body(`"helper_id":"h1","state":"working"`), ""},
	{"empty helper", body(`"helper_id":""`), InvalidHelper},
	{"session", body(`"agent_session_id":"` + long(200) + `"`), ""},
	{"long session", body(`"agent_session_id":"` + long(201) + `"`), InvalidSession},
	{"empty session", body(`"agent_session_id":""`), InvalidSession},
	{"session with a control", body(`"agent_session_id":"a\u0007"`), InvalidSession},
	{"resume", body(argv(16)), ""},
	{"long resume", body(argv(17)), InvalidResume},
	{"resume without session", body(`"resume_argv":["robot"]`), InvalidResume},
	{"empty resume", body(`"agent_session_id":"s","resume_argv":[]`), InvalidResume},
	{"resume with a path", body(`"agent_session_id":"s","resume_argv":["/bin/robot"]`), InvalidResume},
	{"resume with a control", body(`"agent_session_id":"s","resume_argv":["robot","a\u001b"]`), InvalidResume},
	{"resume with a null", body(`"agent_session_id":"s","resume_argv":["robot",null]`), InvalidResume},
	{"resume of a flag", body(`"agent_session_id":"s","resume_argv":["--resume"]`), InvalidResume},
	{"resume by another", `{"source":"custom:a","agent":"robot","agent_session_id":"s","resume_argv":["robot"]}`, ResumeNotAllowed},
	{"metadata", body(`"metadata":{"title":"t","display_agent":"d","state_label":"l","tokens":{"a.b":"x","n":1.5}}`), ""},
	{"long title", body(`"metadata":{"title":"` + long(121) + `"}`), InvalidMetadata},
	{"metadata is a list", body(`"metadata":[]`), InvalidMetadata},
	{"unknown key within", body(`"metadata":{"titel":"x"}`), UnknownField},
	{"no tokens", body(`"metadata":{"tokens":{}}`), ""},
	{"8 tokens", body(tokens(8)), ""},
	{"9 tokens", body(tokens(9)), InvalidTokens},
	{"token's name", body(`"metadata":{"tokens":{"A":1}}`), InvalidTokens},
	{"token is a list", body(`"metadata":{"tokens":{"a":[]}}`), InvalidTokens},
	{"long token", body(`"metadata":{"tokens":{"a":"` + long(121) + `"}}`), InvalidTokens},
	{"unknown key", body(`"colour":"red"`), UnknownField},
	{"key in capitals", body(`"State":"working"`), UnknownField},
	{"pane", body(`"pane_id":"p1"`), ""},
	{"pane is a number", body(`"pane_id":1`), SessionMismatch},
	{"no JSON", `state=working`, InvalidJSON},
	{"cut off", `{"source":"custom:a"`, InvalidJSON},
	{"a list", `[]`, InvalidJSON},
	{"nothing", ``, InvalidJSON},
}

func TestDecodeReport(t *testing.T) {
	t.Parallel()
	schema := newChecker(t)
	for _, c := range reportCases {
		_, err := DecodeReport([]byte(c.body))
		var got CodeError
		errors.As(err, &got)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if schema.accepts([]byte(c.body)) != (c.want == "") {
			t.Errorf("%s: the schema does not agree that it is %q", c.name, c.want)
		}
	}
}

// TestBeyondTheSchema has what a schema cannot say.
func TestBeyondTheSchema(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       CodeError
	}{
		{"too large", body(`"detail":"` + strings.Repeat(" ", MaxReport) + `"`), BodyTooLarge},
		{"resume of 1 KiB", body(`"agent_session_id":"s","resume_argv":["robot","` + strings.Repeat("a", 1020) + `"]`), InvalidResume},
		{"a key twice", body(`"state":"idle","state":"working"`), InvalidJSON},
		{"two objects", body("") + body(""), InvalidJSON},
		{"more behind", body("") + "]", InvalidJSON},
	} {
		if _, err := DecodeReport([]byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestReportIsFiled(t *testing.T) {
	t.Parallel()
	got, err := DecodeReport([]byte(body(`"state":"blocked","blocked_reason":"question","ttl_ms":9e9,"seq":7,` +
		`"metadata":{"tokens":{"n":1.50}}`)))
	want := Report{Source: "integration:robot", Agent: "robot", State: NeedsInput, Reason: Question, TTLMillis: 9e9, Seq: 7,
		Meta: &Meta{Tokens: map[string]string{"n": "1.50"}}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if got.TTL() != MaxTTL || (Report{}).TTL() != DefaultTTL || (Report{TTLMillis: 5}).TTL() != 5*time.Millisecond {
		t.Error("ttl:", got.TTL())
	}
	wire, _ := json.Marshal(got)
	again, err := DecodeReport(wire)
	if d := cmp.Diff(got, again); d != "" || err != nil {
		t.Error("encoded:", d, err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	r := Report{Source: "integration:robot", Agent: "robot", PaneID: "p1", Session: "s", Resume: []string{"robot-cli"}}
	for _, c := range []struct {
		pane, agent string
		names       []string
		want        error
	}{
		{"p2", "robot", nil, SessionMismatch},
		{"p1", "", nil, NoAgentRunning},
		{"p1", "other", nil, AgentMismatch},
		{"p1", "robot", nil, ResumeMismatch},
		{"p1", "robot", []string{"robot-cli"}, nil},
	} {
		if got := r.Check(c.pane, c.agent, c.names...); !errors.Is(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestCodesHaveAnHTTPStatus(t *testing.T) {
	t.Parallel()
	got := map[int]int{}
	for _, c := range Codes() {
		got[c.HTTPStatus()]++
	}
	if d := cmp.Diff(map[int]int{403: 2, 409: 1, 413: 1, 400: 1, 422: 15}, got); d != "" {
		t.Error(d)
	}
}

func FuzzReport(f *testing.F) {
	for _, c := range reportCases {
		f.Add([]byte(c.body))
	}
	schema := newChecker(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeReport(data)
		var code CodeError
		if err != nil && !errors.As(err, &code) {
			t.Fatalf("%v is no code", err)
		}
		if err == nil && !schema.accepts(data) {
			t.Fatal("accepted against the schema")
		}
		if err != nil {
			return
		}
		var a Agent
		a.Appeared(r.Agent, 1, time.Time{})
		st, _ := a.Reported(r, time.Time{})
		if s := st.Status; s.State == Dead || Clean(s.Detail, MaxDetail) != s.Detail || Clean(s.Request.Summary, MaxRequest) != s.Request.Summary {
			t.Fatalf("%+v", s)
		}
		wire, _ := json.Marshal(r)
		if again, err := DecodeReport(wire); len(wire) <= MaxReport && (err != nil || !cmp.Equal(r, again)) {
			t.Fatalf("%s: %v", wire, err)
		}
	})
}
