package server

import (
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
[6, "o", "\u001bc"]
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[float64]lifecycle.State{
		0: lifecycle.Unknown, 1: lifecycle.Working, 2: lifecycle.NeedsInput, 3: lifecycle.NeedsInput,
		4: lifecycle.Unknown, 5: lifecycle.Working, 6: lifecycle.Unknown,
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
