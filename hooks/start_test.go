package hooks

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	testReporter = "/opt/deck/bin/deck-hook"
	testFolder   = "/home/ada/.local/state/deck/p1"
	testUUID     = "5e1f0a52-7d7e-4bb1-9f0c-0d3f5a9d8c11"
)

func TestEveryAgentIsWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, a := range Agents() {
		if a.Name == "" || a.Title == "" || a.Command == "" || a.Composer.Pause <= 0 {
			t.Errorf("%+v lacks something", a)
		}
		if got, ok := Lookup(a.Name); !ok || got.Name != a.Name {
			t.Errorf("%s is not found by its name", a.Name)
		}
		if seen[a.Name] || Recognize(a.Command, nil) != a.Name {
			t.Errorf("%s is not recognised by its command", a.Name)
		}
		seen[a.Name] = true
		if a.CanReport() != (len(a.Events) > 0) {
			t.Errorf("%s: hooks without a meaning, or a meaning without hooks", a.Name)
		}
		p := a.Start(Launch{Args: []string{"x"}})
		if p.Argv[0] != a.Command || p.Argv[len(p.Argv)-1] != "x" || len(p.Files) > 0 || len(p.Env) > 0 {
			t.Errorf("%s without a reporter: %+v", a.Name, p)
		}
		if argv := a.ResumeArgv("-x"); argv != nil {
			t.Errorf("%s resumes an option: %q", a.Name, argv)
		}
	}
	if _, ok := Lookup("vim"); ok {
		t.Error("vim is an agent")
	}
}

func TestPlans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent, what string
		launch      Launch
		want        string // arguments without those of the reporter
		session     string
	}{
		{"claude", "new", Launch{Fresh: testUUID, Args: []string{"--verbose"}}, "claude --session-id " + testUUID + " --verbose", testUUID},
		{"claude", "its own session", Launch{Fresh: testUUID, Args: []string{"-c"}}, "claude -c", ""},
		{"claude", "a tier", Launch{Model: "small", Kickoff: "read_the_task"}, "claude --model haiku read_the_task", ""},
		{"codex", "a model of the person's", Launch{Model: "large", Args: []string{"-m", "mine"}}, "codex -m mine", ""},
		{"claude", "a model", Launch{Model: "opus-9"}, "claude --model opus-9", ""},
		{"claude", "again", Launch{Session: "abc", Fresh: testUUID, Args: []string{"--verbose", "--session-id", "old", "--effort", "high", "fix the bug"}},
			"claude --resume abc --verbose --effort high", "abc"},
		{"codex", "new", Launch{Fresh: testUUID, Args: []string{"-s", "read-only"}, Kickoff: "go"}, "codex -s read-only go", ""},
		{"codex", "again", Launch{Session: "abc", Args: []string{"-s", "read-only", "fix the bug"}}, "codex -s read-only resume abc", "abc"},
		{"gemini", "new", Launch{Fresh: testUUID, Model: "large", Kickoff: "go"},
			"gemini --model pro --session-id " + testUUID + " --prompt-interactive go", testUUID},
		{"gemini", "again", Launch{Session: "abc", Args: []string{"-i", "fix", "--yolo"}}, "gemini --resume abc --yolo", "abc"},
		{"qwen", "a tier that it has no model for", Launch{Model: "large"}, "qwen", ""},
		{"qwen", "again", Launch{Session: "abc", Args: []string{"--resume=old", "-p", "fix it"}}, "qwen --resume abc", "abc"},
		{"opencode", "new", Launch{Fresh: testUUID, Kickoff: "go", Args: []string{"sub"}}, "opencode --prompt go sub", ""},
		{"opencode", "again", Launch{Session: "ses_1", Args: []string{"--prompt", "fix it", "sub", "-c"}}, "opencode --session ses_1 sub", "ses_1"},
		{"pi", "again", Launch{Session: "abc", Args: []string{"--provider", "x", "--", "fix it"}}, "pi --session abc --provider x", "abc"},
		{"copilot", "new", Launch{Fresh: testUUID, Kickoff: "go"}, "copilot --session-id " + testUUID + " -i go", testUUID},
		{"copilot", "again", Launch{Session: "abc", Args: []string{"--continue", "--banner"}}, "copilot --resume=abc --banner", "abc"},
		{"aider", "a session it cannot go on with", Launch{Session: "abc", Args: []string{"--dark-mode"}}, "aider --dark-mode", ""},
		{"claude", "a session that is an option", Launch{Session: "--dangerously-skip-permissions"}, "claude", ""},
	} {
		a, _ := Lookup(c.agent)
		p := a.Start(c.launch)
		if got := strings.Join(p.Argv, " "); got != c.want || p.Session != c.session {
			t.Errorf("%s, %s:\ngot  %s (%s)\nwant %s (%s)", c.agent, c.what, got, p.Session, c.want, c.session)
		}
	}
}

// TestReportersComeAlong looks at what a start with a reporter adds.
func TestReportersComeAlong(t *testing.T) {
	t.Parallel()
	launch := Launch{Reporter: testReporter, Folder: testFolder, Answer: true}
	for agent, want := range map[string]struct {
		argv  string
		env   []string
		files []string
	}{
		"claude":   {"claude --settings " + testFolder + "/claude.json", []string{"DECK_INJECTED=claude", "DECK_ANSWER=1"}, []string{"claude.json"}},
		"qwen":     {"qwen", []string{"QWEN_CODE_SYSTEM_SETTINGS_PATH=" + testFolder + "/qwen.json", "DECK_INJECTED=qwen", "DECK_ANSWER=1"}, []string{"qwen.json"}},
		"opencode": {"opencode", []string{`OPENCODE_CONFIG_CONTENT={"plugin":["file://` + testFolder + `/opencode.js"]}`, "DECK_INJECTED=opencode", "DECK_ANSWER=1"}, []string{"opencode.js"}},
		"pi":       {"pi --extension " + testFolder + "/pi.ts", []string{"DECK_INJECTED=pi", "DECK_ANSWER=1"}, []string{"pi.ts"}},
		"gemini":   {"gemini", nil, nil},
		"copilot":  {"copilot", nil, nil},
		"crush":    {"crush", nil, nil},
	} {
		a, _ := Lookup(agent)
		p := a.Start(launch)
		if got := strings.Join(p.Argv, " "); got != want.argv {
			t.Errorf("%s: %s", agent, got)
		}
		if d := cmp.Diff(want.env, p.Env); d != "" {
			t.Errorf("%s: %s", agent, d)
		}
		var names []string
		for f, content := range p.Files {
			dir, name := filepath.Split(f)
			names = append(names, name)
			if filepath.Clean(dir) != testFolder || !strings.Contains(string(content), testReporter) || strings.Contains(string(content), `"REPORTER"`) {
				t.Errorf("%s: %s has %s", agent, f, content)
			}
			if strings.HasSuffix(name, ".json") && !json.Valid(content) {
				t.Errorf("%s: %s is not JSON", agent, f)
			}
		}
		slices.Sort(names)
		if d := cmp.Diff(want.files, names); d != "" {
			t.Errorf("%s: %s", agent, d)
		}
		if got := a.Start(Launch{Reporter: testReporter}); a.Name != "codex" && len(got.Files) > 0 {
			t.Errorf("%s writes files without a folder", agent)
		}
	}
}

// TestClaudeSettingsHaveHooksAndNothingElse keeps a start from changing what a
// person has set.
func TestClaudeSettingsHaveHooksAndNothingElse(t *testing.T) {
	t.Parallel()
	var got map[string]map[string][]struct {
		Matcher string
		Hooks   []struct {
			Type, Command string
			Timeout       int
			Async         bool
		}
	}
	if err := json.Unmarshal(claudeSettings("/opt/a deck/deck-hook"), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Errorf("more than hooks: %v", slices.Collect(maps.Keys(got)))
	}
	for _, event := range claude().Events {
		groups := got["hooks"][event]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Fatalf("%s: %v", event, groups)
		}
		h := groups[0].Hooks[0]
		waits := slices.Contains([]string{"SessionStart", "SessionEnd", "PermissionRequest", "Stop", "PostToolUse", "PostToolUseFailure"}, event)
		if h.Type != "command" || h.Command != `'/opt/a deck/deck-hook' hook claude` || h.Async == waits || h.Timeout < 5 {
			t.Errorf("%s: %+v", event, h)
		}
	}
	p := claude().Start(Launch{Reporter: testReporter, Folder: testFolder, Args: []string{"--settings", "mine.json"}, Answer: true})
	if len(p.Files)+len(p.Env) > 0 || !slices.Equal(p.Argv, []string{"claude", "--settings", "mine.json"}) {
		t.Errorf("a person's own --settings: %+v", p)
	}
}

func TestCodexIsGivenTheSameHooksEachTime(t *testing.T) {
	t.Parallel()
	a := codex().Start(Launch{Reporter: `/opt/a "deck"/deck-hook`, Folder: "/a", Args: []string{"x"}})
	b := codex().Start(Launch{Reporter: `/opt/a "deck"/deck-hook`, Folder: "/b", Args: []string{"y"}, Answer: true})
	if !slices.Equal(a.Argv[:len(a.Argv)-1], b.Argv[:len(b.Argv)-1]) {
		t.Errorf("the command line changes:\n%q\n%q", a.Argv, b.Argv)
	}
	if !slices.Contains(a.Argv, "--no-daemon") || len(a.Files) > 0 {
		t.Errorf("%+v", a)
	}
	twice := codex().Start(Launch{Reporter: testReporter, Args: []string{"--no-daemon"}}).Argv
	if i := slices.Index(twice, "--no-daemon"); i != len(twice)-1 {
		t.Errorf("an option is given twice: %q", twice)
	}
	want := `hooks.Stop=[{hooks=[{type="command",command="'/opt/a \"deck\"/deck-hook' hook codex",timeout=5}]}]`
	if !slices.Contains(a.Argv, want) {
		t.Errorf("no %s in %q", want, a.Argv)
	}
	if got := tomlString("a\n\x7f\\"); got != `"a\u000A\u007F\\"` {
		t.Error(got)
	}
}

func TestVariablesOfThePersonStay(t *testing.T) {
	t.Parallel()
	env := map[string]string{}
	launch := Launch{Reporter: testReporter, Folder: testFolder, Getenv: func(k string) string { return env[k] }}
	for config, want := range map[string]string{
		`{"theme":"dark"}`: `{"plugin":["file://` + testFolder + `/opencode.js"],"theme":"dark"}`,
		`{"plugin":["x"]}`: `{"plugin":["x","file://` + testFolder + `/opencode.js"]}`,
		`{"plugin":"x"}`:   "",
		`null`:             "",
		`{`:                "",
	} {
		env[opencodeConfig] = config
		p := opencode().Start(launch)
		got := ""
		if len(p.Env) > 0 {
			got = strings.TrimPrefix(p.Env[0], opencodeConfig+"=")
		}
		if got != want {
			t.Errorf("%s: got %s", config, got)
		}
	}
	env[qwenSettings] = "/etc/qwen.json"
	if p := qwen().Start(launch); len(p.Env)+len(p.Files) > 0 {
		t.Errorf("%+v", p)
	}
}

func TestSessionsAreLookedForWhereTheyAre(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "a[b]*")
	for _, f := range []string{
		"projects/-home-ada/abc-1.jsonl", "sessions/2026/01/02/rollout-2026-01-02T10-00-00-abc-1.jsonl", "tmp/shop/chats/session-2026-abcdefgh.jsonl",
		"projects/-home-ada/chats/abc-1.jsonl", "sessions/--home--/2026_abc-1.jsonl", "session-state/abc-1/events.jsonl",
	} {
		f = filepath.Join(home, f)
		if err := os.MkdirAll(filepath.Dir(f), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range Agents() {
		session := "abc-1"
		if a.Name == "gemini" {
			session = "abcdefgh-1"
		}
		looks := a.exists != nil
		if exists, known := a.SessionExists(home, "/home/ada", session); exists != looks || known != looks {
			t.Errorf("%s: %s is there %v, known %v", a.Name, session, exists, known)
		}
		if exists, known := a.SessionExists(home, "/home/ada", "gone-00000"); exists || known != looks {
			t.Errorf("%s: one that is gone is there %v, known %v", a.Name, exists, known)
		}
		for _, bad := range []string{"", "*", "../abc-1", "-x", "a b", strings.Repeat("x", 300)} {
			if exists, known := a.SessionExists(home, "/home/ada", bad); exists || known {
				t.Errorf("%s: %q is a session", a.Name, bad)
			}
		}
	}
}

func TestAgentsAreFoundOnThePath(t *testing.T) {
	t.Parallel()
	programs := map[string]bool{"/a/claude": true, "/b/kiro-cli": true, "/b/claude": true, "codex": true}
	var got []string
	for _, a := range Installed("/a::/b:/c", func(f string) bool { return programs[f] }) {
		got = append(got, a.Name)
	}
	if d := cmp.Diff([]string{"claude", "kiro"}, got); d != "" {
		t.Error(d)
	}
	if got := Reporter("/a/deck", func(f string) bool { return f == "/a/deck-hook" }); got != "/a/deck-hook" {
		t.Error(got)
	}
	if got := Reporter("/a/deck", func(string) bool { return false }); got != "/a/deck" {
		t.Error(got)
	}
}

func TestHomesMove(t *testing.T) {
	t.Parallel()
	h := Home{Env: "X_HOME", Folder: ".x"}
	for env, want := range map[string]string{"": "/home/ada/.x", "/srv/x": "/srv/x", "relative": "/home/ada/.x"} {
		if got := h.Path("/home/ada", func(string) string { return env }); got != want {
			t.Errorf("%q: %s", env, got)
		}
	}
}
