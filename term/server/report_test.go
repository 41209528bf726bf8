package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// tokenPane opens a pane that tells its token by its title.
func tokenPane(t testing.TB, socket, agent string) (wire.Pane, string) {
	t.Helper()
	conn := wire.Open(socket, "")
	t.Cleanup(conn.Close)
	p, err := conn.NewPane(t.Context(), wire.NewPane{Agent: agent, Env: []string{"PATH=/usr/bin:/bin"},
		Command: []string{"/bin/sh", "-c", `printf '\033]2;%s\007' "$DECK_REPORT_TOKEN"; read x`}})
	if err != nil {
		t.Fatal(err)
	}
	watch, err := conn.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	for {
		e, _, err := watch.Next()
		if err != nil {
			t.Fatal(err)
		}
		panes := e.Panes
		if e.Pane != nil {
			panes = append(panes, *e.Pane)
		}
		for _, q := range panes {
			if q.ID == p.ID && len(q.Title) == 32 {
				return p, q.Title
			}
		}
	}
}

// dialer connects to a socket, whatever the address.
func dialer(socket string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
}

// httpPost sends a report with net/http.
func httpPost(t testing.TB, socket, token, body string) (int, string) {
	t.Helper()
	tr := &http.Transport{DialContext: dialer(socket)}
	defer tr.CloseIdleConnections()
	return postWith(t, &http.Client{Transport: tr}, token, body)
}

func postWith(t testing.TB, c *http.Client, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://deck/v1/agent-reports", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set(wire.TokenHeader, token)
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(text))
}

// curlPost sends a report with curl, as a hook of somebody else's would.
func curlPost(t testing.TB, socket, token, body string) (int, string) {
	t.Helper()
	args := []string{"-sS", "--unix-socket", socket, "-w", "\n%{http_code}", "--data-binary", "@-", "http://deck/v1/agent-reports"}
	if token != "" {
		args = append(args, "-H", "X-Deck-Report-Token: "+token)
	}
	cmd := exec.CommandContext(t.Context(), "curl", args...)
	cmd.Stdin = strings.NewReader(body)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndexByte(out, '\n')
	status := 0
	if _, err := fmt.Sscan(string(out[at+1:]), &status); err != nil {
		t.Fatal(err)
	}
	return status, strings.TrimSpace(string(out[:at]))
}

// TestEveryCodeOfAReport has a request for each code, and what else must not be
// taken for something that it is not.
func TestEveryCodeOfAReport(t *testing.T) {
	socket := startServer(t)
	p, token := tokenPane(t, socket, "claude")
	shell, shellToken := tokenPane(t, socket, "")
	of := func(source, state, more string) string {
		return fmt.Sprintf(`{"source":%q,"agent":"claude","state":%q%s}`, source, state, more)
	}
	with := func(more string) string { return of("integration:claude", "working", ","+more) }
	session := `"agent_session_id":"s1",`
	long := strings.Repeat("x", 121)
	type request struct {
		token, body string
		status      int
		code        lifecycle.CodeError // empty: taken
	}
	table := []request{
		{"", with(`"seq":1`), 403, lifecycle.InvalidToken},
		{strings.Repeat("0", 32), with(`"seq":1`), 403, lifecycle.InvalidToken},
		{token, with(`"pane_id":"` + shell.ID + `"`), 403, lifecycle.SessionMismatch},
		{shellToken, with(`"seq":1`), 409, lifecycle.NoAgentRunning},
		{token, `{"source":"integration:codex","agent":"codex","state":"idle"}`, 422, lifecycle.AgentMismatch},
		{token, of("heuristic:guess", "working", ""), 422, lifecycle.InvalidSource},
		{token, of("integration:UPPER", "working", ""), 422, lifecycle.InvalidSource},
		{token, of("integration:claude", "dead", ""), 422, lifecycle.InvalidState},
		{token, of("integration:claude", "exited", ""), 422, lifecycle.InvalidState},
		{token, of("integration:claude", "blocked", `,"reason":"gate"`), 422, lifecycle.InvalidReason},
		{token, of("integration:claude", "blocked", `,"blocked_reason":"hunger"`), 422, lifecycle.InvalidReason},
		{token, with(`"ttl_ms":-5`), 422, lifecycle.InvalidTTL},
		{token, with(`"ttl_ms":0`), 422, lifecycle.InvalidTTL},
		{token, with(`"metadata":{"title":"` + long + `"}`), 422, lifecycle.InvalidMetadata},
		{token, with(`"metadata":{"tokens":{"UP":"x"}}`), 422, lifecycle.InvalidTokens},
		{token, with(`"metadata":{"tokens":{"a":[1]}}`), 422, lifecycle.InvalidTokens},
		{token, with(`"detail":"` + strings.Repeat("x", 5<<10) + `"`), 422, lifecycle.InvalidDetail},
		{token, with(`"agent_session_id":"` + strings.Repeat("x", 201) + `"`), 422, lifecycle.InvalidSession},
		{token, with(`"agent_session_id":""`), 422, lifecycle.InvalidSession},
		{token, with(session + `"resume_argv":["/bin/claude"]`), 422, lifecycle.InvalidResume},
		{token, with(`"resume_argv":["claude"]`), 422, lifecycle.InvalidResume},
		{token, with(session + `"resume_argv":["sh","-c","true"]`), 422, lifecycle.ResumeMismatch},
		{token, of("custom:x", "working", `,`+session+`"resume_argv":["claude","--resume","s1"]`), 422, lifecycle.ResumeNotAllowed},
		{token, strings.Repeat(" ", lifecycle.MaxReport) + with(`"seq":1`), 413, lifecycle.BodyTooLarge},
		{token, `{"source":`, 400, lifecycle.InvalidJSON},
		{token, with(`"seq":1`) + "{}", 400, lifecycle.InvalidJSON},
		{token, ``, 400, lifecycle.InvalidJSON},
		{token, with(`"terminal":"rm"`), 422, lifecycle.UnknownField},
		{token, with(`"metadata":{"colour":"red"}`), 422, lifecycle.UnknownField},
		{token, with(`"seq":-1`), 422, lifecycle.InvalidSequence},
		{token, with(`"helper_id":""`), 422, lifecycle.InvalidHelper},
		{token, with(`"ttl_ms":99999999999,"detail":"\u001b[31mred\u202e","pane_id":"` + p.ID + `"`), 200, ""},
		{token, of("integration:claude", "blocked", `,"reason":"approval","seq":9`), 200, ""},
	}
	had := map[lifecycle.CodeError]bool{}
	for _, r := range table {
		had[r.code] = true
	}
	for _, c := range lifecycle.Codes() {
		if !had[c] {
			t.Errorf("no request for %s", c)
		}
	}
	posts := map[string]func(testing.TB, string, string, string) (int, string){"net/http": httpPost}
	if _, err := exec.LookPath("curl"); err == nil {
		posts["curl"] = curlPost
	}
	for name, post := range posts {
		for _, r := range table {
			want := `{"ok":true}`
			if r.code != "" {
				want = `{"error":"` + string(r.code) + `"}`
			}
			if status, got := post(t, socket, r.token, r.body); status != r.status || got != want {
				t.Errorf("%s: %.90s: %d %s, want %d %s", name, r.body, status, got, r.status, want)
			}
		}
		if status, got := post(t, socket, token, of("integration:claude", "working", `,"seq":2`)); status != 200 || got != `{"dropped":"stale_sequence"}` {
			t.Errorf("%s: an old report: %d %s", name, status, got)
		}
	}
	conn := wire.Open(socket, "")
	defer conn.Close()
	rows, err := conn.Agents(t.Context(), p.ID, false)
	if err != nil || rows[0].State != lifecycle.NeedsInput || rows[0].Reason != lifecycle.Approval || strings.Contains(rows[0].Detail, "\x1b") {
		t.Errorf("after all that the agent is %+v, %v", rows, err)
	}
	if _, err := conn.Agents(t.Context(), "nobody", false); err == nil {
		t.Error("an agent that is not there is listed")
	}
}

// A token is void with its pane, and the report's route takes nothing else for
// one.
func TestAReportWithTheTokenOfAClosedPaneIsRefused(t *testing.T) {
	socket := startServer(t)
	p, token := tokenPane(t, socket, "claude")
	_, _ = tokenPane(t, socket, "")
	body := `{"source":"custom:x","agent":"claude","state":"idle"}`
	if status, _ := httpPost(t, socket, token, body); status != 200 {
		t.Errorf("a report is answered with %d", status)
	}
	conn := wire.Open(socket, "")
	defer conn.Close()
	if err := conn.ClosePane(t.Context(), wire.Close{Target: p.ID}); err != nil {
		t.Fatal(err)
	}
	if status, got := httpPost(t, socket, token, body); status != 403 {
		t.Errorf("after the pane's end: %d %s", status, got)
	}
}

// Reports come as fast as they can: the loop answers others meanwhile, and
// every status is told in order.
func TestAFloodOfReportsHoldsNobodyUp(t *testing.T) {
	socket := startServer(t)
	p, token := tokenPane(t, socket, "claude")
	conn := wire.Open(socket, "")
	defer conn.Close()
	tr := &http.Transport{MaxIdleConnsPerHost: 8, DialContext: dialer(socket)}
	defer tr.CloseIdleConnections()
	client := &http.Client{Transport: tr}
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 500 {
				state := []string{"working", "idle", "needs-input"}[i%3]
				postWith(t, client, token, fmt.Sprintf(`{"source":"custom:x%d","agent":"claude","state":%q}`, n, state))
			}
		})
	}
	flooded := make(chan struct{})
	go func() { wg.Wait(); close(flooded) }()
	worst := time.Duration(0)
	for done := false; !done; {
		select {
		case <-flooded:
			done = true
		default:
		}
		begin := time.Now()
		if _, err := conn.Agents(t.Context(), p.ID, false); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, time.Since(begin))
	}
	t.Logf("another verb waited %v at most", worst)
}

// TestReportsOfTwoPanesDoNotMix has both report at the same time.
func TestReportsOfTwoPanesDoNotMix(t *testing.T) {
	socket := startServer(t)
	conn := wire.Open(socket, "")
	defer conn.Close()
	tr := &http.Transport{DialContext: dialer(socket)}
	defer tr.CloseIdleConnections()
	client := &http.Client{Transport: tr}
	type side struct {
		states [2]string
		want   lifecycle.State
		pane   string
	}
	sides := map[string]*side{
		"a": {[2]string{"working", "needs-input"}, lifecycle.NeedsInput, ""},
		"b": {[2]string{"idle", "blocked"}, lifecycle.Blocked, ""},
	}
	var both sync.WaitGroup
	for name, s := range sides {
		p, token := tokenPane(t, socket, "claude")
		s.pane = p.ID
		both.Go(func() {
			for i := range 200 {
				postWith(t, client, token, fmt.Sprintf(`{"source":"custom:%s","agent":"claude","state":%q}`, name, s.states[i%2]))
			}
		})
	}
	both.Wait()
	for name, s := range sides {
		x, err := conn.ExplainAgent(t.Context(), wire.Target{Target: s.pane})
		if err != nil || x.Status.State != s.want {
			t.Errorf("%s: %+v, %v", name, x.Status, err)
		}
		for _, c := range x.Claims {
			if c.Channel == "report" && c.Source != "custom:"+name {
				t.Errorf("%s has a claim of %s", name, c.Source)
			}
		}
	}
}

// What is in a report is in no log.
func TestReportsAreNotLogged(t *testing.T) {
	var log bytes.Buffer
	var mu sync.Mutex
	l := testLoop(t, func(o *loopOptions) { o.log = newLogger(memoryLog{&mu, &log}, -8) })
	p := open(t, l, "read x", func(n *wire.NewPane) { n.Agent = "claude" })
	r := said(lifecycle.Working, "")
	r.Detail = "a secret word"
	report(t, l, p.ID, r)
	token, err := call(t.Context(), l, func() (string, error) { return l.panes[layout.PaneID(p.ID)].token, nil })
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if text := log.String(); strings.Contains(text, "secret") || strings.Contains(text, token) || !strings.Contains(text, "agent appeared") {
		t.Errorf("logged: %s", text)
	}
}

// memoryLog is a log in memory.
type memoryLog struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (w memoryLog) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}
