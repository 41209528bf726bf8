package hooks

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testSite is a home folder with nothing in it, and an environment.
func testSite(t testing.TB, env map[string]string) Site {
	return Site{Home: t.TempDir(), Getenv: func(k string) string { return env[k] }, Reporter: "/usr/local/bin/deck"}
}

// tree returns every file below a folder with its content.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		files[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustState(t testing.TB, a Agent, s Site, want State) {
	t.Helper()
	if got, _, err := a.HookState(s); got != want || err != nil && want != StateUnreadable {
		t.Errorf("%s: %s, %v, want %s", a.Name, got, err, want)
	}
}

func TestInstallEveryAgent(t *testing.T) {
	t.Parallel()
	for _, a := range Agents() {
		if !a.CanInstall() {
			if len(a.Events) > 0 {
				t.Errorf("%s has hooks and no settings for them", a.Name)
			}
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			s := testSite(t, nil)
			mustState(t, a, s, StateMissing)
			if c, err := a.Uninstall(s, false); len(c) > 0 || err != nil {
				t.Fatalf("uninstall of nothing: %v, %v", c, err)
			}
			if made, _ := os.ReadDir(s.Home); len(made) > 0 {
				t.Errorf("uninstall of nothing makes %v", made)
			}
			if c, err := a.Install(s, true); len(c) != 1 || err != nil || len(tree(t, s.Home)) > 0 {
				t.Fatalf("dry: %v, %v, %v", c, err, tree(t, s.Home))
			}
			c, err := a.Install(s, false)
			if err != nil || len(c) != 1 || c[0].Path != a.SettingsPath(s) {
				t.Fatalf("install: %v, %v", c, err)
			}
			once := tree(t, s.Home)
			rel, _ := filepath.Rel(s.Home, c[0].Path)
			if len(once) != 1 || once[rel] != string(c[0].After) || !strings.Contains(once[rel], "/usr/local/bin/deck") {
				t.Errorf("wrote %v", once)
			}
			if info, _ := os.Stat(c[0].Path); info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v", info.Mode())
			}
			mustState(t, a, s, StateInstalled)
			other := s
			other.Reporter = "/opt/deck"
			mustState(t, a, other, StateOutdated)
			if c, err := a.Install(s, false); len(c) > 0 || err != nil || !cmp.Equal(once, tree(t, s.Home)) {
				t.Errorf("again: %v, %v", c, err)
			}
			if c, err := a.Uninstall(s, false); len(c) != 1 || err != nil || len(tree(t, s.Home)) > 0 {
				t.Errorf("uninstall: %v, %v, left %v", c, err, tree(t, s.Home))
			}
			mustState(t, a, s, StateMissing)
		})
	}
}

func TestSettingsFolders(t *testing.T) {
	t.Parallel()
	env := map[string]string{"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "GEMINI_CLI_HOME": "/g", "XDG_CONFIG_HOME": "/conf",
		"PI_CODING_AGENT_DIR": "/p", "COPILOT_HOME": "/co", "QWEN_HOME": "/q"}
	moved, plain := testSite(t, env), testSite(t, nil)
	for name, want := range map[string][2]string{
		"claude": {"/c/settings.json", ".claude/settings.json"}, "codex": {"/x/hooks.json", ".codex/hooks.json"},
		"gemini": {"/g/.gemini/settings.json", ".gemini/settings.json"}, "qwen": {"/q/settings.json", ".qwen/settings.json"},
		"opencode": {"/conf/opencode/plugins/deck.js", ".config/opencode/plugins/deck.js"},
		"pi":       {"/p/extensions/deck.ts", ".pi/agent/extensions/deck.ts"}, "copilot": {"/co/hooks/deck.json", ".copilot/hooks/deck.json"},
	} {
		a, _ := Lookup(name)
		if got := a.SettingsPath(moved); got != want[0] {
			t.Errorf("%s: %s, want %s", name, got, want[0])
		}
		if got := a.SettingsPath(plain); got != filepath.Join(plain.Home, want[1]) {
			t.Errorf("%s: %s, want %s", name, got, want[1])
		}
	}
}

// TestCodexOneFile: Codex complains about hooks in both of its files.
func TestCodexOneFile(t *testing.T) {
	t.Parallel()
	a, _ := Lookup("codex")
	s := testSite(t, nil)
	config := filepath.Join(s.Home, ".codex/config.toml")
	own := filepath.Join(s.Home, ".codex/hooks.json")
	theirs := "[[hooks.Stop]]\nhooks = [{ type = \"command\", command = \"beep\" }]\n"
	put(t, config, "[hooks.state.\"x:stop:0:0\"]\ntrusted_hash = \"y\"\n")
	if got := a.SettingsPath(s); got != own {
		t.Errorf("with trust alone: %s", got)
	}
	if _, err := a.Install(s, false); err != nil {
		t.Fatal(err)
	}
	put(t, config, theirs)
	mustState(t, a, s, StateInstalled) // the file that has them
	if _, err := a.Uninstall(s, false); err != nil {
		t.Fatal(err)
	}
	if got := a.SettingsPath(s); got != config {
		t.Errorf("with hooks: %s", got)
	}
	if _, err := a.Install(s, false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(own); !errors.Is(err, fs.ErrNotExist) {
		t.Error("hooks in both files")
	}
	mustState(t, a, s, StateInstalled)
	if _, err := a.Uninstall(s, false); err != nil || tree(t, s.Home)[".codex/config.toml"] != theirs {
		t.Errorf("%v, %v", err, tree(t, s.Home))
	}
}

func TestMalformedIsLeftAlone(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 1<<20)
	for _, c := range []struct{ agent, file, text, says string }{
		{"claude", ".claude/settings.json", "{\n  \"a\": 1,,\n}", "line 2, column 10"},
		{"claude", ".claude/settings.json", "{", "unexpected EOF"},
		{"claude", ".claude/settings.json", `{"a":1} trailing`, "after top-level value"},
		{"claude", ".claude/settings.json", `[]`, "not a JSON object"},
		{"claude", ".claude/settings.json", `{"hooks":[]}`, `"hooks" in it is not an object`},
		{"claude", ".claude/settings.json", `{"hooks":{"Stop":{}}}`, `"Stop" in it is not an array`},
		{"claude", ".claude/settings.json", `{"hooks":{},"hooks":{}}`, `"hooks" twice`},
		{"claude", ".claude/settings.json", "\x00\xff", "invalid"},
		{"claude", ".claude/settings.json", deep, "nested too deep"},
		{"codex", ".codex/config.toml", "a = " + deep, "nested too deep"},
		{"codex", ".codex/hooks.json", "{} // mine\n", "comments"},
		{"codex", ".codex/config.toml", "[[hooks.Stop]]\nhooks = [{ command = \"x\" }]\nnot toml", "line 3"},
		{"codex", ".codex/config.toml", "[hooks]\nStop = [{ hooks = [] }]\n", "would not be TOML"},
		{"pi", ".pi/agent/extensions/deck.ts", "export default 1\n", "deck did not write it"},
		{"copilot", ".copilot/hooks/deck.json", "nothing", "invalid"},
	} {
		a, _ := Lookup(c.agent)
		s := testSite(t, nil)
		put(t, filepath.Join(s.Home, c.file), c.text)
		before := tree(t, s.Home)
		_, err := a.Install(s, false)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%q: %v", c.text, err)
		}
		_, _ = a.Uninstall(s, false)
		if d := cmp.Diff(before, tree(t, s.Home)); d != "" {
			t.Errorf("%q was touched:\n%s", c.text, d)
		}
	}
}

// TestLinkedSettings: the file behind a link changes, the link stays, mode and
// all.
func TestLinkedSettings(t *testing.T) {
	t.Parallel()
	a, _ := Lookup("claude")
	s := testSite(t, nil)
	real, link := filepath.Join(s.Home, "dotfiles/claude.json"), filepath.Join(s.Home, ".claude/settings.json")
	put(t, real, "{}\n")
	if err := errors.Join(os.Chmod(real, 0o640), os.Mkdir(filepath.Dir(link), 0o700), os.Symlink("../dotfiles/claude.json", link)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Install(s, false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	target, err2 := os.Stat(real)
	if err != nil || err2 != nil || info.Mode()&fs.ModeSymlink == 0 || target.Mode().Perm() != 0o640 {
		t.Errorf("%v %v, %v %v", info.Mode(), err, target.Mode(), err2)
	}
	mustState(t, a, s, StateInstalled)
	if _, err := a.Uninstall(s, false); err != nil || tree(t, s.Home)["dotfiles/claude.json"] != "{}\n" {
		t.Errorf("%v, %v", err, tree(t, s.Home))
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Install(s, false); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
		t.Errorf("a dangling link: %v", err)
	}
}

// TestOthersSettings: what belongs to someone else is not replaced, and what is
// not to be written is not either.
func TestOthersSettings(t *testing.T) {
	t.Parallel()
	a, _ := Lookup("claude")
	s := testSite(t, nil)
	path := filepath.Join(s.Home, ".claude/settings.json")
	put(t, path, "{}")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Install(s, false); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a read-only file: %v", err)
	}
	link := filepath.Join(s.Home, ".qwen/settings.json")
	put(t, filepath.Join(s.Home, ".qwen/x"), "")
	foreign := "/etc/passwd" // root's
	if os.Geteuid() == 0 {
		foreign = path
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(foreign, link); err != nil {
		t.Fatal(err)
	}
	q, _ := Lookup("qwen")
	if _, err := q.Install(s, false); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("someone else's file: %v", err)
	}
	for _, bad := range []Site{{Getenv: s.Getenv, Reporter: "/d"}, {Home: s.Home, Getenv: s.Getenv, Reporter: "deck"}, {Home: s.Home, Getenv: s.Getenv, Reporter: "/a\nb"}} {
		if _, err := q.Install(bad, false); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// TestTwoInstallsAtOnce: both succeed, and the file is as after one.
func TestTwoInstallsAtOnce(t *testing.T) {
	t.Parallel()
	a, _ := Lookup("claude")
	s := testSite(t, nil)
	path := filepath.Join(s.Home, ".claude/settings.json")
	put(t, path, "{\n  \"model\": \"opus\"\n}\n")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := a.Install(s, false); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(file, []byte("hook claude Stop #")); n != 1 || len(tree(t, s.Home)) != 1 {
		t.Errorf("%d entries, files %v", n, tree(t, s.Home))
	}
	if _, err := a.Uninstall(s, false); err != nil || tree(t, s.Home)[".claude/settings.json"] != "{\n  \"model\": \"opus\"\n}\n" {
		t.Errorf("%v, %v", err, tree(t, s.Home))
	}
}

// TestWrittenMeanwhile: what another program writes between reading and renaming
// is not lost.
func TestWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	put(t, path, "{}")
	looks := 0
	_, err := editFile(path, false, func([]byte) ([]byte, error) {
		if looks++; looks == 2 { // under the lock
			put(t, path, `{"new": true}`)
		}
		return []byte(`{"old": true}`), nil
	})
	b, _ := os.ReadFile(path)
	if err == nil || !strings.Contains(err.Error(), "meanwhile") || string(b) != `{"new": true}` {
		t.Errorf("%v, %s", err, b)
	}
}

// TestHookCommandInShells: nothing happens outside, when deck is gone, and where
// the start brought its own; else the reporter is called with the words.
func TestHookCommandInShells(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reporter := filepath.Join(dir, "it's deck", "deck")
	put(t, reporter, "#!/bin/sh\necho \"$*\"\n")
	if err := os.Chmod(reporter, 0o700); err != nil {
		t.Fatal(err)
	}
	command := hookCommand(reporter, "claude", "Stop")
	if ownVersion(command, "claude") != settingsVersion || ownVersion(command, "codex") != 0 || ownVersion("deck hook claude Stop", "claude") != 0 {
		t.Error("own command is not told from others")
	}
	for _, c := range []struct {
		name, command, want string
		env                 []string
	}{
		{"outside", command, "", nil},
		{"inside", command, "hook claude Stop\n", []string{"DECK_SOCKET=/s"}},
		{"injected", command, "", []string{"DECK_SOCKET=/s", "DECK_INJECTED=claude"}},
		{"another was injected", command, "hook claude Stop\n", []string{"DECK_SOCKET=/s", "DECK_INJECTED=codex"}},
		{"deck is gone", hookCommand(dir+"/gone", "claude", "Stop"), "", []string{"DECK_SOCKET=/s"}},
	} {
		for _, shell := range shells() {
			out, err := shellRun(shell, c.command, c.env)
			if err != nil || out != c.want {
				t.Errorf("%s, %s: %q, %v", shell, c.name, out, err)
			}
		}
	}
}

// TestNoFolder: what can't be made is named.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	a, _ := Lookup("claude")
	s := testSite(t, nil)
	put(t, filepath.Join(s.Home, ".claude"), "a file")
	if _, err := a.Install(s, false); err == nil || !strings.Contains(err.Error(), filepath.Join(s.Home, ".claude")) {
		t.Errorf("%v", err)
	}
}
