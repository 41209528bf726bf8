package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"go.uber.org/goleak"

	"deck/term/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeServer answers verbs with what a test gives it and keeps what it was
// asked.
type fakeServer struct {
	socket string
	mu     sync.Mutex
	asked  []string // guarded by mu; "METHOD PATH BODY"
}

// serve starts a fake server. Routes without an answer are done.
func serve(t *testing.T, answers map[string]any) *fakeServer {
	t.Helper()
	f := &fakeServer{socket: filepath.Join(t.TempDir(), "deck.sock")}
	l, err := net.Listen("unix", f.socket)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		route := r.Method + " " + r.URL.Path
		if route != "GET /v1/hello" {
			f.mu.Lock()
			f.asked = append(f.asked, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
			f.mu.Unlock()
		}
		answer, ok := answers[route]
		if !ok {
			answer = wire.Done{Count: 1}
		}
		if route == "GET /v1/hello" && !ok {
			answer = wire.Hello{Protocol: wire.Protocol, MinProtocol: wire.MinProtocol}
		}
		if _, bad := answer.(*wire.Error); bad {
			w.WriteHeader(http.StatusConflict)
		}
		_ = json.NewEncoder(w).Encode(answer)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(l) }()
	t.Cleanup(func() { s.Close(); <-done })
	return f
}

func (f *fakeServer) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

// result is what a command left behind.
type result struct {
	Code           int
	Stdout, Stderr string
}

// run runs one command against a socket in an environment of its own.
func run(t *testing.T, socket, stdin string, env environment, args ...string) result {
	t.Helper()
	in := filepath.Join(t.TempDir(), "stdin")
	if err := os.WriteFile(in, []byte(stdin), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var stdout, stderr bytes.Buffer
	a := &app{stdin: f, stdout: &stdout, stderr: &stderr, env: env, backend: backend{
		socketPath: func(name string) (string, error) {
			if name != "" {
				return name, nil
			}
			return socket, nil
		},
		ensure:      func(context.Context, string, bool) error { return nil },
		logPath:     func(string) string { return in },
		configPath:  func() string { return "/config.toml" },
		checkConfig: func(string) error { return errors.Join(errors.New("c.toml:1: one"), errors.New("c.toml:2: two")) },
		keyTable:    func() []keyRow { return []keyRow{{"d", "detach"}} },
	}}
	code := a.run(t.Context(), args)
	return result{code, stdout.String(), stderr.String()}
}

// TestEnsureWhileAServerEnds: the one that was there when it was looked for may be gone
// when it is spoken to.
func TestEnsureWhileAServerEnds(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	link := filepath.Join(t.TempDir(), "deck.sock")
	looked := 0
	a := &app{stdout: io.Discard, stderr: io.Discard, backend: backend{
		socketPath: func(string) (string, error) { return link, nil },
		ensure: func(context.Context, string, bool) error {
			if looked++; looked == 2 {
				return os.Symlink(f.socket, link)
			}
			return nil
		},
	}}
	c, err := a.ensure(t.Context())
	if err != nil || looked != 2 {
		t.Fatalf("looked %d times: %v", looked, err)
	}
	c.Close()
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, stderr string }{
		{"foo", "deck: unknown command: foo\ndeck: hint: \"deck help\" lists the commands\n"},
		{"lss", "deck: unknown command: lss\ndeck: hint: did you mean ls?\n"},
		{"--foo", "deck: unknown flag: --foo\ndeck: hint: see \"deck help\"\n"},
		{"-x ls", "deck: unknown flag: -x\ndeck: hint: see \"deck help\"\n"},
		{"ls --foo", "deck: unknown flag: --foo\ndeck: hint: see \"deck help ls\"\n"},
		{"recall -x", "deck: unknown flag: -x\ndeck: hint: see \"deck help recall\"; words that begin with - come after --\n"},
		{"ls x", "deck: too many arguments: x\ndeck: hint: see \"deck help ls\"\n"},
		{"ls --sessions --clients", "deck: --sessions and --clients exclude each other\ndeck: hint: see \"deck help ls\"\n"},
		{"server", "deck: missing command after server\ndeck: hint: it is one of log, start, status, stop\n"},
		{"server foo", "deck: unknown command: server foo\ndeck: hint: see \"deck help server\"\n"},
		{"server statsu", "deck: unknown command: server statsu\ndeck: hint: did you mean status?\n"},
		{"peek", "deck: missing pane\ndeck: hint: see \"deck help peek\"\n"},
		{"peek -n x a", "deck: not a value for -n, --lines: x\ndeck: hint: see \"deck help peek\"\n"},
		{"peek -n 0 a", "deck: not a number of lines: 0\n"},
		{"peek --ansi --json a", "deck: --ansi and --json exclude each other\ndeck: hint: see \"deck help peek\"\n"},
		{"send", "deck: missing pane\ndeck: hint: see \"deck help send\"\n"},
		{"send a", "deck: missing keys\ndeck: hint: see \"deck help send\"\n"},
		{"send a --paste Enter", "deck: --paste needs a text\ndeck: hint: see \"deck help send\"\n"},
		{"new --split left", "deck: not a direction to split: left\ndeck: hint: a split goes right or down\n"},
		{"new --tab --split right", "deck: --tab and --split exclude each other\ndeck: hint: see \"deck help new\"\n"},
		{"new --size 80", "deck: not a size: 80\ndeck: hint: a size is COLUMNSxROWS, as in 120x40\n"},
		{"new --size 0x5", "deck: not a size: 0x5\ndeck: hint: a size is COLUMNSxROWS, as in 120x40\n"},
		{"resize a", "deck: missing size\ndeck: hint: see \"deck help resize\"\n"},
		{"resize a big", "deck: not a size or a side: big\ndeck: hint: a size is COLSxROWS; a side is left, right, up, down\n"},
		{"resize a up x", "deck: not a number of cells: x\n"},
		{"resize a 8x4 5", "deck: too many arguments: 5\n"},
		{"rename a", "deck: missing name\ndeck: hint: see \"deck help rename\"\n"},
		{"focus", "deck: missing pane\ndeck: hint: see \"deck help focus\"\n"},
		{"close", "deck: missing pane\ndeck: hint: see \"deck help close\"\n"},
		{"detach a --all", "deck: CLIENT, --session and --all exclude each other\ndeck: hint: see \"deck help detach\"\n"},
		{"attach vim", "deck: too many arguments: vim\ndeck: hint: a command needs --new before it\n"},
		{"attach", "deck: not a terminal: stdin; deck needs one to open its screen\n"},
		{"help foo", "deck: unknown command: foo\ndeck: hint: \"deck help\" lists the commands\n"},
		{"completion tcsh", "deck: unknown shell: tcsh\ndeck: hint: deck knows bash, zsh, fish, powershell\n"},
		{"", "deck: not a terminal: stdin; deck needs one to open its screen\n"},
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

func TestRequests(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args, stdin string
		want        []string
	}{
		{"ls", "", []string{"GET /v1/panes"}},
		{"send a Enter C-c", "", []string{`POST /v1/panes/send {"target":"a","keys":["Enter","C-c"]}`}},
		{"send a -l x Enter", "", []string{
			`POST /v1/panes/send {"target":"a","literal":"x"}`, `POST /v1/panes/send {"target":"a","keys":["Enter"]}`}},
		{"send a --paste -l -", "two\nlines", []string{`POST /v1/panes/send {"target":"a","literal":"two\nlines","paste":true}`}},
		{"send a -- -x", "", []string{`POST /v1/panes/send {"target":"a","keys":["-x"]}`}},
		{"resize a 120x40", "", []string{`POST /v1/panes/resize {"target":"a","cols":120,"rows":40}`}},
		{"resize a left", "", []string{`POST /v1/panes/resize {"target":"a","side":"left","cells":1}`}},
		{"resize a down 7", "", []string{`POST /v1/panes/resize {"target":"a","side":"down","cells":7}`}},
		{"rename --tab a b", "", []string{`POST /v1/panes/rename {"target":"a","name":"b","tab":true}`}},
		{"focus a", "", []string{`POST /v1/panes/focus {"target":"a"}`}},
		{"reset a", "", []string{`POST /v1/panes/reset {"target":"a"}`}},
		{"close a b --force", "", []string{`POST /v1/panes/close {"target":"a","force":true}`, `POST /v1/panes/close {"target":"b","force":true}`}},
		{"detach c1", "", []string{`POST /v1/clients/detach {"client":"c1"}`}},
		{"detach -s work", "", []string{`POST /v1/clients/detach {"session":"work"}`}},
		{"detach --all", "", []string{`POST /v1/clients/detach {"all":true}`}},
		{"new", "", []string{`POST /v1/panes {"place":"tab","dir":"` + here + `","env":["A=1"]}`}},
		{"new -n build --split down --size 9x5 -s w --as pi --focus vim -x", "", []string{`POST /v1/panes {"session":"w","name":"build","place":"down","dir":"` + here +
			`","command":["vim","-x"],"env":["A=1"],"cols":9,"rows":5,"agent":"pi","focus":true}`}},
		{"new --at a -- make", "", []string{`POST /v1/panes {"place":"right","at":"a","dir":"` + here + `","command":["make"],"env":["A=1"]}`}},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			f := serve(t, map[string]any{"GET /v1/panes": []wire.Pane{}, "POST /v1/panes": wire.Pane{ID: "p1", Nick: "anna"}})
			got := run(t, f.socket, test.stdin, environment{"A=1"}, strings.Fields(test.args)...)
			if got.Code != 0 {
				t.Errorf("exit status %d: %s", got.Code, got.Stderr)
			}
			if d := cmp.Diff(test.want, f.requests()); d != "" {
				t.Error(d)
			}
		})
	}
}

var somePanes = []wire.Pane{
	{ID: "p1", Nick: "anna", Name: "büro", Session: "main", TabIndex: 1, TabName: "zsh", Program: "zsh", Dir: "/home/x/src", Cols: 80, Rows: 24},
	{ID: "p12", Nick: "bo", Session: "main", TabIndex: 2, TabName: "logs", Program: "tail\x1b[31m", Dir: "/home/xy", Ended: true, Exit: "exit 1", ExitCode: 1, Cols: 200, Rows: 50},
}

func TestOutput(t *testing.T) {
	t.Parallel()
	f := serve(t, map[string]any{
		"GET /v1/panes":       somePanes,
		"GET /v1/sessions":    []wire.Session{{Name: "main", Tabs: 2, Panes: 2, Clients: 1}},
		"GET /v1/clients":     []wire.Client{},
		"POST /v1/panes":      somePanes[0],
		"POST /v1/panes/peek": wire.Peeked{ID: "p1", Cols: 2, Rows: 3, Lines: []string{"$ ls", "", " "}},
		"GET /v1/server":      wire.Status{Hello: wire.Hello{Version: "1.2", PID: 7}, Panes: 2, Memory: 21_500_000, Log: "/log"},
	})
	for _, test := range []struct {
		args string
		want result
	}{
		{"ls", result{0, "" +
			"NICK  ID   NAME  SESSION  TAB     PROGRAM   STATE          SIZE    FOLDER\n" +
			"anna  p1   büro  main     1:zsh   zsh       running        80x24   ~/src\n" +
			"bo    p12  -     main     2:logs  tail[31m  ended: exit 1  200x50  /home/xy\n", ""}},
		{"ls --sessions", result{0, "SESSION  TABS  PANES  CLIENTS\nmain     2     2      1\n", ""}},
		{"ls --clients", result{0, "", "deck: no client\n"}},
		{"ls --clients --json", result{0, "[]\n", ""}},
		{"new", result{0, "p1 anna\n", ""}},
		{"peek anna", result{0, "$ ls\n", ""}},
		{"detach", result{1, "", "deck: no client is attached\n"}},
		{"config check", result{1, "", "deck: c.toml:1: one\ndeck: c.toml:2: two\n"}},
		{"config path", result{0, "/config.toml\n", ""}},
		{"server log -n 2", result{0, "b\nc\n", ""}},
		{"server status", result{0, "version       1.2\nprocess       7\nsessions      0\npanes         2\nclients       0\nmemory        21.5 MB\nlog           /log\n", ""}},
		{"__complete focus ", result{0, "anna\tzsh in /home/x/src\nbo\ttail[31m in /home/xy\n:4\n", "Completion ended with directive: ShellCompDirectiveNoFileComp\n"}},
		{"__complete attach -s ", result{0, "main\n:4\n", "Completion ended with directive: ShellCompDirectiveNoFileComp\n"}},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			args := strings.Split(test.args, " ")
			if d := cmp.Diff(test.want, run(t, f.socket, "a\nb\nc\n", environment{"HOME=/home/x"}, args...)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestErrorWithHint(t *testing.T) {
	t.Parallel()
	f := serve(t, map[string]any{"POST /v1/panes/focus": &wire.Error{Code: wire.CodeAmbiguous, Message: "ambiguous\x1b[2J: p", Hint: "p1\nor p12"}})
	got := run(t, f.socket, "", nil, "focus", "p")
	if d := cmp.Diff(result{1, "", "deck: ambiguous[2J: p\ndeck: hint: p1 or p12\n"}, got); d != "" {
		t.Error(d)
	}
}

func TestNoServerIsRunning(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"peek a", "send a b", "server status", "detach", "close a", "focus a", "rename a b", "resize a 5x5"} {
		got := run(t, "/nowhere/s", "", nil, strings.Fields(args)...)
		if d := cmp.Diff(result{1, "", "deck: no server is running on /nowhere/s\ndeck: hint: \"deck\" starts one\n"}, got); d != "" {
			t.Errorf("%s: %s", args, d)
		}
	}
	if d := cmp.Diff(result{1, "", "deck: no server is running on /nowhere/s\n"}, run(t, "/nowhere/s", "", nil, "server", "stop")); d != "" {
		t.Error(d)
	}
}

func TestOtherVersion(t *testing.T) {
	t.Parallel()
	f := serve(t, map[string]any{"GET /v1/hello": wire.Hello{Protocol: 9, MinProtocol: 9, Version: "9.0"}})
	got := run(t, f.socket, "", nil, "ls")
	want := result{1, "", "deck: this deck (version " + wire.Version + ") is too old for the running server (version 9.0)\ndeck: hint: use the deck that the server was started with\n"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestToken: a pane's token goes to the server that gave it out, and to no
// other.
func TestToken(t *testing.T) {
	t.Parallel()
	f := serve(t, nil)
	for _, test := range []struct {
		own  string
		want bool
	}{{f.socket, true}, {f.socket + "-other", false}, {"", false}} {
		a := &app{server: f.socket, env: environment{"DECK_SOCKET=" + test.own, "DECK_PANE_ID=p1", "DECK_REPORT_TOKEN=secret"}}
		if got := a.inside(f.socket); got != test.want {
			t.Errorf("inside %q: %v", test.own, got)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	got := run(t, "/nowhere", "", nil, "help", "keys")
	if !strings.Contains(got.Stdout, "d    detach\n") {
		t.Errorf("help keys: %q", got.Stdout)
	}
	root := newRoot(&app{})
	if !strings.Contains(run(t, "/nowhere", "", nil, "help").Stdout, "six commands") {
		t.Error("help says nothing to a newcomer")
	}
	for _, c := range root.Commands() {
		if len(c.Commands()) == 0 && (c.Example == "" || c.Short == "") {
			t.Errorf("deck %s has no example or no purpose", c.Name())
		}
		got := run(t, "/nowhere", "", nil, "help", c.Name())
		if got.Code != 0 || !strings.Contains(got.Stdout, "Usage: deck "+c.Name()) {
			t.Errorf("help %s: %+v", c.Name(), got)
		}
		if c.HasExample() && !strings.HasSuffix(got.Stdout, c.Example+"\n") {
			t.Errorf("help %s does not end with its examples", c.Name())
		}
	}
	for _, c := range allCommands(root) {
		path := strings.Fields(c.CommandPath())[1:]
		for line := range strings.Lines(run(t, "/nowhere", "", nil, append([]string{"help"}, path...)...).Stdout) {
			if n := utf8.RuneCountInString(line) - 1; n > 79 {
				t.Errorf("help %s has a line of %d columns: %s", strings.Join(path, " "), n, line)
			}
		}
	}
}

func allCommands(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		all = append(append(all, sub), allCommands(sub)...)
	}
	return all
}
