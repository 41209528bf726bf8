package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// Every route is in the table, and nothing else is: whoever adds one has to say
// what it takes.
func TestEveryRouteHasARight(t *testing.T) {
	s := &server{log: slog.New(slog.DiscardHandler), archive: newArchive(t.TempDir(), "", slog.New(slog.DiscardHandler))}
	s.loop = newLoop(loopOptions{})
	all := []string{reportRoute, eventRoute, requestRoute, offerRoute}
	for pattern := range s.verbs() {
		all = append(all, pattern)
	}
	for _, pattern := range all {
		if _, ok := rights[pattern]; !ok {
			t.Errorf("%s: nothing says who may ask for it", pattern)
		}
	}
	for pattern := range rights {
		if !slices.Contains(all, pattern) {
			t.Errorf("%s: there is no such route", pattern)
		}
	}
}

// actors are the callers of the table: a person outside and one in a shell, an
// agent, its sub-agent, a shell that it opened, and a sandboxed agent.
var actors = []string{"person", "shell", "agent", "child", "opened", "boxed"}

// cast opens a pane of each kind, and another agent, and returns their ids and tokens.
func cast(t *testing.T, socket string) (ids, tokens map[string]string) {
	t.Helper()
	ids, tokens = map[string]string{"person": ""}, map[string]string{"person": ""}
	dir := t.TempDir()
	add := func(name, by string, change func(*wire.NewPane)) {
		file := filepath.Join(dir, name)
		n := wire.NewPane{Name: name, Env: []string{"PATH=" + os.Getenv("PATH")},
			Command: []string{"/bin/sh", "-c", `printf %s "$DECK_REPORT_TOKEN" >"$0.new"; mv "$0.new" "$0"; exec cat`, file}}
		change(&n)
		c := wire.Open(socket, tokens[by])
		defer c.Close()
		p, err := c.NewPane(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = p.ID
		eventually(t, "the token of "+name, func() bool {
			b, err := os.ReadFile(file)
			tokens[name] = string(b)
			return err == nil
		})
	}
	agent := func(n *wire.NewPane) { n.Agent = "someone" }
	add("shell", "person", func(*wire.NewPane) {})
	add("agent", "person", agent)
	add("other", "person", agent)
	add("child", "agent", agent)
	add("opened", "agent", func(*wire.NewPane) {})
	add("boxed", "person", func(n *wire.NewPane) { n.Agent, n.Sandboxed = "someone", true })
	return ids, tokens
}

// deed is a request of the table: what is asked for, of which target, and what
// each actor is answered, in their order: a code, or "" for anything else than a
// refusal.
type deed struct {
	pattern, target, body string
	want                  [6]string
}

// The refusals.
const (
	yes    = ""
	person = wire.CodeNotHuman
	never  = wire.CodeForbidden
	nested = wire.CodeNoNesting
)

func deeds() []deed {
	var all []deed
	add := func(pattern, target, body string, want ...string) {
		all = append(all, deed{pattern, target, body, [6]string(want)})
	}
	for _, d := range []struct{ pattern, body string }{
		{"POST /v1/panes/rename", `"name":""`}, {"POST /v1/panes/reset", ""}, {"POST /v1/panes/resize", `"cols":80,"rows":24`},
	} {
		add(d.pattern, "agent", d.body, yes, yes, yes, person, yes, never)
		add(d.pattern, "child", d.body, yes, yes, yes, yes, yes, never)
		add(d.pattern, "opened", d.body, yes, yes, yes, person, yes, never)
		add(d.pattern, "other", d.body, yes, yes, person, person, person, never)
		add(d.pattern, "shell", d.body, yes, yes, person, person, person, never)
	}
	for _, d := range []struct{ pattern, body string }{
		{"POST /v1/panes/send", `"literal":"x"`}, {"POST /v1/agents/answer", `"option":1`}, {"POST /v1/panes/restart", ""},
	} {
		add(d.pattern, "agent", d.body, yes, yes, never, person, never, never)
		add(d.pattern, "child", d.body, yes, yes, yes, never, yes, never)
		add(d.pattern, "opened", d.body, yes, yes, yes, person, yes, never)
		add(d.pattern, "other", d.body, yes, yes, person, person, person, never)
		add(d.pattern, "shell", d.body, yes, yes, person, person, person, never)
	}
	for _, pattern := range []string{"POST /v1/panes/peek", "POST /v1/agents/explain", "POST /v1/agents/asked"} {
		add(pattern, "other", "", yes, yes, yes, yes, yes, never)
	}
	add("POST /v1/agents/tell", "other", `"text":"hello"`, yes, yes, yes, yes, yes, never)
	add("POST /v1/gates/request", "other", "", yes, yes, never, never, never, never)
	add("POST /v1/gates/approve", "other", "", yes, yes, person, person, person, never)
	add("POST /v1/gates/reject", "other", "", yes, yes, person, person, person, never)
	add("POST /v1/panes/focus", "other", "", yes, yes, person, person, person, never)
	add("POST /v1/panes", "", `"command":["true"]`, yes, yes, yes, nested, yes, never)
	add("POST /v1/panes", "", `"command":["true"],"focus":true`, yes, yes, person, nested, person, never)
	add("POST /v1/agents/start", "", `"command":["false"]`, yes, yes, yes, nested, yes, never)
	add("POST /v1/agents/spawn", "", `"task":"x","command":["true"],"dir":"/nowhere"`, yes, yes, yes, nested, yes, never)
	add("POST /v1/handoffs", "other", `"task":""`, yes, yes, yes, yes, yes, never)
	for pattern, need := range rights {
		if slices.ContainsFunc(all, func(d deed) bool { return d.pattern == pattern }) {
			continue
		}
		switch need {
		case mayReport:
		case mayOpen:
			add(pattern, "", "", yes, yes, yes, nested, yes, never)
		case mayNot:
			if pattern != "POST /v1/server/stop" {
				add(pattern, "", "", yes, yes, person, person, person, never)
			} else { // those who may are not let try
				add(pattern, "", "", "-", "-", person, person, person, never)
			}
		default:
			if pattern != "GET /v1/events" && pattern != "POST /v1/panes/prune" && pattern != "POST /v1/panes/close" {
				add(pattern, "", "", yes, yes, yes, yes, yes, never)
			}
		}
	}
	// At the end: what ends panes, and the gate that only a person may ask for.
	add("POST /v1/panes/prune", "", "", yes, yes, yes, yes, yes, never)
	add("GET /v1/events", "", "", "-", "-", "-", "-", "-", never)
	for _, d := range []struct {
		target string
		want   [6]string
	}{
		{"other", [6]string{"-", "-", person, person, person, never}}, {"shell", [6]string{"-", "-", person, person, person, never}},
		{"agent", [6]string{"-", "-", never, person, never, never}}, {"opened", [6]string{"-", "-", "-", person, "-", never}},
		{"child", [6]string{"-", "-", "-", never, "-", never}}, {"child", [6]string{"-", "-", yes, "-", "-", "-"}},
	} {
		add("POST /v1/panes/close", d.target, "", d.want[:]...)
	}
	return all
}

// request sends a request and returns the code of its error, empty without one.
func request(t *testing.T, socket, token string, d deed, target string) string {
	t.Helper()
	method, path, _ := strings.Cut(d.pattern, " ")
	var body io.Reader
	if method == http.MethodPost {
		fields := d.body
		if target != "" {
			fields = strings.TrimSuffix(`"target":"`+target+`",`+d.body, ",")
		}
		body = strings.NewReader("{" + fields + "}")
	}
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	defer tr.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://deck"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(wire.TokenHeader, token)
	resp, err := tr.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s: %v", d.pattern, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var e wire.Error
	_ = json.Unmarshal(text, &e)
	return e.Code
}

// Who may do what to whom, through the socket.
func TestWhoMayDoWhatToWhom(t *testing.T) {
	socket := startServer(t)
	ids, tokens := cast(t, socket)
	for _, d := range deeds() {
		for i, actor := range actors {
			want := d.want[i]
			if want == "-" {
				continue
			}
			got := request(t, socket, tokens[actor], d, ids[d.target])
			refused := got == person || got == never || got == nested
			if want != yes && got != want || want == yes && refused {
				t.Errorf("%s %s to %s: answered %q, want %q", actor, d.pattern, d.target, got, want)
			}
		}
	}
	conn := wire.Open(socket, "")
	defer conn.Close()
	rows, err := conn.Audit(t.Context(), 10000)
	if err != nil {
		t.Fatal(err)
	}
	has := func(by, verb, to, code string) bool {
		return slices.ContainsFunc(rows, func(r wire.Audited) bool {
			return r.By.Pane == ids[by] && r.Verb == verb && r.To.Pane == ids[to] && r.Code == code
		})
	}
	for _, w := range []struct{ by, verb, to, code string }{
		{"agent", "send", "child", ""}, {"agent", "send", "other", person}, {"agent", "close", "agent", never},
		{"agent", "tell", "other", ""}, {"child", "tell", "other", ""}, {"agent", "open", "child", ""}, {"person", "send", "shell", ""},
	} {
		if !has(w.by, w.verb, w.to, w.code) {
			t.Errorf("the audit does not have %+v", w)
		}
	}
	if text := strings.Join(auditText(t), ""); strings.Contains(text, "hello") {
		t.Error("the audit has what was told")
	}
}

// A yes counts for one act, or for all of them until it is taken back.
func TestAPersonsYesIsForOnePair(t *testing.T) {
	socket := startServer(t)
	ids, tokens := cast(t, socket)
	c := wire.Open(socket, "")
	defer c.Close()
	agent := wire.Open(socket, tokens["agent"])
	defer agent.Close()
	send := func(to string) error { return agent.Send(t.Context(), wire.Send{Target: ids[to], Literal: "x"}) }
	allow := func(a wire.Allow) {
		t.Helper()
		if _, err := c.Allow(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, send("other"), wire.CodeNotHuman, "did not open")
	allow(wire.Allow{From: ids["agent"], To: ids["other"]})
	if err := send("other"); err != nil {
		t.Error("once:", err)
	}
	wantCode(t, send("other"), wire.CodeNotHuman, "")
	allow(wire.Allow{From: ids["agent"], To: ids["other"], Always: true})
	for range 2 {
		if err := send("other"); err != nil {
			t.Error("always:", err)
		}
	}
	wantCode(t, send("shell"), wire.CodeNotHuman, "")
	if list, err := agent.Allowances(t.Context()); err != nil || len(list) != 1 || !list[0].Always {
		t.Errorf("allowed are %+v, %v", list, err)
	}
	allow(wire.Allow{From: ids["agent"], To: ids["other"], Never: true})
	wantCode(t, send("other"), wire.CodeNotHuman, "")
	_, err := agent.Allow(t.Context(), wire.Allow{From: ids["agent"], To: ids["other"]})
	wantCode(t, err, wire.CodeNotHuman, "only a person")
}

// With a person at the screen an agent waits for their yes at a gate of its own,
// which is there no longer than it waits.
func TestThePersonAtTheScreenIsAsked(t *testing.T) {
	l := testLoop(t)
	join(t, l)
	a := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "someone" })
	b := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "someone" })
	s := follow(t, l)
	inside := caller{pane: layout.PaneID(a.ID)}
	for _, approve := range []bool{true, false} {
		got := make(chan error, 1)
		go func() {
			_, err := l.send(t.Context(), inside, wire.Send{Target: b.ID, Literal: "x"})
			got <- err
		}()
		st := untilStatus(t, s, a.ID, "the gate", is(lifecycle.Blocked))
		if want := "let " + a.Nick + " type into " + b.Nick + "?"; !strings.Contains(st.Request.Summary, want) {
			t.Errorf("asked %q, want %q", st.Request.Summary, want)
		}
		if _, err := l.decideGate(t.Context(), caller{}, wire.GateDecision{Target: a.ID}, approve); err != nil {
			t.Fatal(err)
		}
		if err := <-got; approve && err != nil {
			t.Error("after a yes:", err)
		} else if !approve {
			wantCode(t, err, wire.CodeForbidden, "a person refused")
		}
	}
	gone, leave := context.WithCancel(t.Context())
	got := make(chan error, 1)
	go func() {
		_, err := l.send(gone, inside, wire.Send{Target: b.ID, Literal: "x"})
		got <- err
	}()
	untilStatus(t, s, a.ID, "the gate", is(lifecycle.Blocked))
	leave()
	wantCode(t, <-got, wire.CodeNotHuman, "nobody answered")
	if list, err := l.listGates(t.Context(), caller{}, none{}); err != nil || len(list) != 0 {
		t.Errorf("there are gates: %+v, %v", list, err)
	}
}

// An agent that an agent runs by its command line opens no panes either.
func TestASubAgentByItsCommand(t *testing.T) {
	l := testLoop(t)
	boss := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "someone" })
	shell, err := l.newPane(t.Context(), caller{pane: layout.PaneID(boss.ID)}, wire.NewPane{Command: []string{"/bin/sh", "-c", "read x"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	inside := caller{pane: layout.PaneID(shell.ID)}
	if err := l.admit(t.Context(), inside, "POST /v1/panes"); err != nil {
		t.Errorf("the agent's own shell: %v", err)
	}
	if _, err := call(t.Context(), l, func() (none, error) {
		p := l.panes[inside.pane]
		l.appear(p, "someone", p.term.PID())
		return none{}, nil
	}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, l.admit(t.Context(), inside, "POST /v1/panes"), wire.CodeNoNesting, shell.Nick)
}

// What an agent runs in a pane that is closed is no person in the time that it has to
// end.
func TestAProgramOfAClosedPaneIsNoPerson(t *testing.T) {
	l := testLoop(t)
	open(t, l, "read x") // the server goes on
	for name, want := range map[string]bool{"someone": true, "": false} {
		p := open(t, l, "trap '' HUP; echo ready; read x", func(n *wire.NewPane) { n.Agent = name })
		term, id, err := l.terminal(t.Context(), caller{}, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		closed, err := call(t.Context(), l, func() (bool, error) {
			l.closePane(l.panes[id])
			_, known := l.ids.ofProcess(term.PID())
			return known, nil
		})
		if err != nil || closed != want {
			t.Errorf("%q: known %v, %v", name, closed, err)
		}
		wantCode(t, l.admit(t.Context(), caller{pane: id}, "POST /v1/allowed"), wire.CodeForbidden, "is closed")
		<-term.Done()
		eventually(t, "it to be forgotten", func() bool {
			_, known := l.ids.ofProcess(term.PID())
			return !known
		})
	}
}
