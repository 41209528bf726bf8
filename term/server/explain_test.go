package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deck/lifecycle"
	"deck/lifecycle/detect"
)

const savedDialog = " Run this?\n\n ❯ 1. Yes\n   2. No\n\n Enter to confirm · Esc to cancel\n"

// ownRules makes a configuration folder with rule files and returns its rules
// folder.
func ownRules(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadRules(t *testing.T) {
	t.Parallel()
	set, faults := loadRules(filepath.Join(t.TempDir(), "none"))
	if len(faults) != 0 || len(set.Agents()) == 0 {
		t.Fatalf("without a folder: %v", faults)
	}
	dir := ownRules(t, map[string]string{
		"mine.toml":   "version = 1\n[[rule]]\nid = \"x\"\nstate = \"working\"\ntext = \"busy\"\n",
		"claude.toml": "version = 1\n[[rule]]\nid = \"x\"\nstate = \"asleep\"\ntext = \"busy\"\n",
		"notes.txt":   "nothing",
		".x.toml":     "nothing",
		"long.toml":   strings.Repeat("#", 1<<20),
	})
	if err := os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	set, faults = loadRules(dir)
	screen := detect.TextScreen("busy")
	if v := set.Read("mine", &screen).Screen; v.State != lifecycle.Working {
		t.Errorf("own rules: %+v", v)
	}
	if v := set.Read("claude", &screen).Screen; v.State != "" {
		t.Errorf("broken rules count: %+v", v)
	}
	var lines []string
	for _, f := range faults {
		lines = append(lines, strings.TrimPrefix(f.Error(), dir+"/"))
	}
	got := strings.Join(lines, "\n")
	for _, want := range []string{"claude.toml: line 4: rule.state: unknown state", "folder.toml: not a file", "long.toml: longer than"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if len(faults) != 3 {
		t.Errorf("%d faults:\n%s", len(faults), got)
	}
}

func TestExplainFileOfAText(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "screen.txt")
	if err := os.WriteFile(path, []byte(savedDialog), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, err := ExplainFile(ExplainOptions{File: path, Agent: "claude", At: -1})
	if err != nil || e.State != lifecycle.NeedsInput || e.Reason != "approval" || e.Source != "manifest:claude" {
		t.Errorf("%+v, %v", e, err)
	}
	if _, _, err = ExplainFile(ExplainOptions{File: path + ".gone", Agent: "claude"}); err == nil || !strings.HasPrefix(err.Error(), "no such file: ") {
		t.Errorf("error %v", err)
	}
}

func TestExplainFileOfARecording(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.cast")
	text := `{"version": 2, "width": 40, "height": 5}
[1, "o", "\u001b]0;\u25d0 x\u0007hello"]
[2, "o", "\u001b]7501;state=blocked:kind=permission:msg=Z28gb24=\u0007"]
[3, "o", "\u001b]7501;state=nonsense\u0007\u001b]9;4;3\u0007"]
[4, "o", "\u001b]133;A\u0007$ "]
[5, "o", "\u001b]7501;state=working\u0007"]
[9, "o", "\u001bc"]
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[float64]lifecycle.State{
		0: lifecycle.Unknown, 1: lifecycle.Working, 2: lifecycle.NeedsInput, 3: lifecycle.NeedsInput,
		4: lifecycle.Unknown, 5: lifecycle.Working, 9: lifecycle.Unknown,
	} {
		e, _, err := ExplainFile(ExplainOptions{File: path, Agent: "claude", At: at})
		if err != nil || e.State != want {
			t.Errorf("at %v: %s by %s, want %s (%v)", at, e.State, e.Source, want, err)
		}
		if at == 3 && (e.Request != "go on" || e.InBand == nil || e.InBand.Age != 1) {
			t.Errorf("at 3: %+v, %+v", e, e.InBand)
		}
	}
	if e, _, _ := ExplainFile(ExplainOptions{File: path, Agent: "claude", At: 2, ScreenOnly: true}); e.State != lifecycle.Unknown || e.Title != "" {
		t.Errorf("screen only: %+v", e)
	}
}

// recorded writes a recording of events "AT KIND DATA" and explains its moment.
func recorded(t *testing.T, o ExplainOptions, events ...string) Explanation {
	t.Helper()
	o.File = filepath.Join(t.TempDir(), "a.cast")
	lines := []string{`{"version": 2, "width": 60, "height": 12}`}
	for _, e := range events {
		f := strings.SplitN(e, " ", 3)
		data, err := json.Marshal(f[2])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("[%s, %q, %s]", f[0], f[1], data))
	}
	if err := os.WriteFile(o.File, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, err := ExplainFile(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What an agent draws: its input line with what is typed, under a row.
func drawn(row, draft string) string {
	rule := strings.Repeat("─", 40)
	return "\x1b[H\x1b[2J" + row + "\r\n\r\n" + rule + "\r\n❯ " + draft + "\r\n" + rule + "\r\n  ? for shortcuts"
}

// A recording is followed as a pane is: with its keys, and in its own time.
func TestARecordingIsFollowed(t *testing.T) {
	t.Parallel()
	busy := drawn("✽ Forging… (4s · ↓ 20 tokens)", "")
	dialog := "\x1b[H\x1b[2J" + strings.ReplaceAll(savedDialog, "\n", "\r\n")
	turn := []string{"1 o " + drawn("", ""), "2 i fix it", "2.1 o " + drawn("", "fix it"), "3 i \r"}
	for name, c := range map[string]struct {
		events []string
		at     float64
		state  lifecycle.State
		rule   string
	}{
		"a draft":                     {turn, 2.9, lifecycle.Idle, "composer"},
		"a prompt not shown yet":      {turn, 3.5, lifecycle.Working, "deck:entered"},
		"a prompt, the draft gone":    {append(turn, "3.2 o "+drawn("", "")), 4.5, lifecycle.Working, "deck:entered"},
		"a prompt that nothing shows": {turn, 13.5, lifecycle.Idle, "composer"},
		"a turn":                      {append(turn, "3.5 o "+busy), 4, lifecycle.Working, "spinner"},
		"a turn's first quiet moment": {append(turn, "3.5 o "+busy, "5 o "+drawn("", "")), 5.3, lifecycle.Working, "spinner"},
		"a turn's end":                {append(turn, "3.5 o "+busy, "5 o "+drawn("", "")), 6, lifecycle.Done, "composer"},
		"a dialog":                    {append(turn, "3.5 o "+busy, "5 o "+dialog), 5, lifecycle.NeedsInput, "permission"},
		"approved":                    {append(turn, "3.5 o "+busy, "5 o "+dialog, "6 i \r", "6.1 o "+drawn("", "")), 6.2, lifecycle.Working, "deck:answered"},
		"interrupted":                 {append(turn, "3.5 o "+busy, "5 i \x1b", "5.2 o "+drawn("", "")), 5.3, lifecycle.Idle, "composer"},
		"a reply is no Esc":           {append(turn, "3.5 o "+busy, "5 i \x1b[?62;22c", "5.2 o "+drawn("", "")), 5.3, lifecycle.Working, "spinner"},
		"half painted":                {append(turn, "3.5 o "+busy, "5 o \x1b[?2026h"+dialog), 5.1, lifecycle.Working, "spinner"},
		"painted for too long":        {append(turn, "3.5 o "+busy, "5 o \x1b[?2026h"+dialog), 5.4, lifecycle.NeedsInput, "permission"},
	} {
		e := recorded(t, ExplainOptions{Agent: "claude", At: c.at}, c.events...)
		if e.State != c.state || e.Rule != c.rule {
			t.Errorf("%s: %s by rule %q, want %s by %q", name, e.State, e.Rule, c.state, c.rule)
		}
	}
}

func TestARecordingWithoutWhatAProgramSays(t *testing.T) {
	t.Parallel()
	events := []string{"1 o \x1b]0;◐ x\a\x1b]7501;state=blocked\a\x1b]9;4;3\a\a" + drawn("", "")}
	full := recorded(t, ExplainOptions{Agent: "claude", At: -1}, events...)
	rows := recorded(t, ExplainOptions{Agent: "claude", At: -1, ScreenOnly: true}, events...)
	if full.State != lifecycle.NeedsInput || full.Source != "native:osc7501" || full.Native == nil || len(full.Claims) != 4 {
		t.Errorf("%+v", full)
	}
	if rows.State != lifecycle.Idle || rows.Native != nil || rows.InBand != nil || rows.Title != "" {
		t.Errorf("without: %+v", rows)
	}
}

func TestExplanationsAreCleaned(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.cast")
	text := `{"version": 2, "width": 60, "height": 8}
[1, "o", " Run \u202eecho\u202c this?\r\n\r\n \u276f 1. Yes\r\n   2. No\r\n"]
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, err := ExplainFile(ExplainOptions{File: path, Agent: "claude", At: -1})
	if err != nil || e.State != lifecycle.NeedsInput {
		t.Fatalf("%+v, %v", e, err)
	}
	for _, s := range []string{e.Request, e.Matched, e.Screen.Request, e.Screen.Matched} {
		if strings.ContainsAny(s, "\u202e\u202c") {
			t.Errorf("%q turns what follows it around", s)
		}
	}
}
