package hooks

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// testEntries are entries as an agent's file makes them.
func testEntries(agent, reporter string, events ...string) []entry {
	a := Agent{Name: agent, Events: events}
	return a.entries(Site{Reporter: reporter}, claudeFields)
}

var threeEntries = testEntries("claude", "/usr/local/bin/deck", "SessionStart", "Stop", "PreToolUse")

// testEditor is the editor of a file by its name.
func testEditor(name string, entries []entry) settings {
	switch {
	case strings.HasSuffix(name, ".toml"):
		return tomlSettings{agent: "claude", entries: entries}
	case strings.Contains(name, "flat"):
		return jsonSettings{agent: "claude", command: "command", flat: true, entries: entries}
	}
	return jsonSettings{agent: "claude", command: "command", entries: entries}
}

// samples returns the settings files of testdata, and some that no editor of
// text could hold.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{
		"empty.json": {}, "blank.json": []byte(" \n"), "mark.json": []byte("\xef\xbb\xbf"), "braces.json": []byte("{}"),
		"no-newline.json": []byte(`{"a":1}`), "hooks-empty.json": []byte("{\"hooks\": {}}\n"), "event-empty.json": []byte("{\n\t\"hooks\": {\"Stop\": [ ]}\n}"),
		"comment-in-empty.json": []byte("{ // nothing yet\n}\n"), "comment-in-hooks.json": []byte("{\"hooks\": { /* a */ }}"),
		"crlf-mark.json": []byte("\xef\xbb\xbf{\r\n    \"theme\": \"dark\"\r\n}\r\n"), "crlf-first.json": []byte("{\"a\":1}\r\n"),
		"zero-indent.json": []byte("{\n\"a\": 1,\n\"hooks\": {\n\"Stop\": [\n]\n}\n}\n"),
		"empty.toml":       {}, "newline.toml": []byte("\n"), "no-newline.toml": []byte("a = 1"), "crlf.toml": []byte("a = 1\r\n[b]\r\nc = 2\r\n"),
		"mixed.toml": []byte("a = 1\r\nb = 2\n"), "blank-end.toml": []byte("a = 1\n\n\n"), "comment-end.toml": []byte("[a]\n# last"),
	}
	found, err := filepath.Glob("testdata/settings/*")
	if err != nil || len(found) < 10 {
		t.Fatalf("testdata: %d files, %v", len(found), err)
	}
	for _, f := range found {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(f)] = b
	}
	return files
}

func TestSettingsComeBack(t *testing.T) {
	t.Parallel()
	for name, file := range samples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testEditor(name, threeEntries)
			once := install(t, s, file)
			checkEntries(t, name, once, file)
			if twice := install(t, s, once); !bytes.Equal(twice, once) {
				t.Errorf("a second install changes the file:\n%s", cmp.Diff(string(once), string(twice)))
			}
			if v, err := s.version(once); v != settingsVersion || err != nil {
				t.Errorf("version %d, %v", v, err)
			}
			if v, err := s.version(file); v != 0 || err != nil {
				t.Errorf("version of the file without: %d, %v", v, err)
			}
			back, err := s.uninstall(once)
			if err != nil || back == nil || !bytes.Equal(back, file) {
				t.Errorf("after uninstall: %v\n%s", err, cmp.Diff(string(file), string(back)))
			}
		})
	}
}

func TestNoFileComesAndGoes(t *testing.T) {
	t.Parallel()
	for _, s := range []settings{
		testEditor("a.json", threeEntries),
		jsonSettings{agent: "claude", command: "command", flat: true, strict: true, base: "{\n  \"version\": 1\n}\n", entries: testEntries("claude", "/bin/deck", "Notification")},
	} {
		file := install(t, s, nil)
		if !bytes.HasSuffix(file, []byte("}\n")) || !json.Valid(file) {
			t.Errorf("made: %q", file)
		}
		if back, err := s.uninstall(file); back != nil || err != nil {
			t.Errorf("left: %q, %v", back, err)
		}
		if back, err := s.uninstall(nil); back != nil || err != nil {
			t.Errorf("uninstall without a file: %q, %v", back, err)
		}
	}
}

func install(t testing.TB, s settings, file []byte) []byte {
	t.Helper()
	out, err := s.install(file)
	if err != nil {
		t.Fatalf("install: %v", err)
	}
	return out
}

// checkEntries reads a file as an agent would: deck's hooks are last in each
// event's list, and everything else is as it was.
func checkEntries(t *testing.T, name string, after, before []byte) {
	t.Helper()
	was, is := decode(t, name, before), decode(t, name, after)
	hooks, _ := is["hooks"].(map[string]any)
	for _, event := range []string{"SessionStart", "Stop", "PreToolUse"} {
		list, _ := hooks[event].([]any)
		if len(list) == 0 {
			t.Fatalf("no hook at %s in\n%s", event, after)
		}
		last := list[len(list)-1].(map[string]any)
		if inner, ok := last["hooks"].([]any); ok {
			last = inner[0].(map[string]any)
		}
		if want := hookCommand("/usr/local/bin/deck", "claude", event); last["command"] != want {
			t.Errorf("at %s: %v", event, last["command"])
		}
		if hooks[event] = list[:len(list)-1]; len(list) == 1 {
			delete(hooks, event)
		}
	}
	prune(is)
	prune(was)
	if d := cmp.Diff(was, is); d != "" {
		t.Errorf("other things changed:\n%s", d)
	}
}

// prune forgets the difference between nothing and an empty list.
func prune(m map[string]any) {
	hooks, _ := m["hooks"].(map[string]any)
	for k, v := range hooks {
		if list, ok := v.([]any); ok && len(list) == 0 {
			delete(hooks, k)
		}
	}
	if hooks != nil && len(hooks) == 0 {
		delete(m, "hooks")
	}
}

func decode(t *testing.T, name string, file []byte) map[string]any {
	t.Helper()
	_, text := cutMark(file)
	m := map[string]any{}
	var err error
	if strings.HasSuffix(name, ".toml") {
		err = toml.Unmarshal(text, &m)
	} else if !blank(text) {
		if text, err = hujson.Standardize(bytes.Clone(text)); err == nil {
			err = json.Unmarshal(text, &m)
		}
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	return m
}

// TestInstalledText shows what people will find in their files.
func TestInstalledText(t *testing.T) {
	t.Parallel()
	command := `"[ -z \"$DECK_SOCKET\" ] || [ \"$DECK_INJECTED\" = claude ] || [ ! -x /bin/deck ] || /bin/deck hook claude Notification # deck hooks 1"`
	for _, c := range []struct{ name, file, want string }{
		{"a.json", "{\n    \"theme\": \"dark\" // at night\n}\n", "{\n    \"theme\": \"dark\", // at night\n    \"hooks\": {\n        \"Notification\": [\n" +
			"            { \"hooks\": [{ \"type\": \"command\", \"command\": " + command + ", \"timeout\": 5, \"async\": true }] }\n        ]\n    }\n}\n"},
		{"a.json", `{"a":1}`, `{"a":1,"hooks": { "Notification": [ { "hooks": [{ "type": "command", "command": ` + command + `, "timeout": 5, "async": true }] } ] }}`},
		{"a.json", "{\n\t\"hooks\": {\n\t\t\"Notification\": [\n\t\t\t{\"hooks\": []},\n\t\t],\n\t},\n}", "{\n\t\"hooks\": {\n\t\t\"Notification\": [\n\t\t\t{\"hooks\": []},\n" +
			"\t\t\t{ \"hooks\": [{ \"type\": \"command\", \"command\": " + command + ", \"timeout\": 5, \"async\": true }] },\n\t\t],\n\t},\n}"},
		{"a.toml", "model = \"x\"\n", "model = \"x\"\n\n[[hooks.Notification]]\nhooks = [{ type = \"command\", command = '" +
			strings.ReplaceAll(strings.Trim(command, `"`), `\"`, `"`) + "', timeout = 5, async = true }]\n"},
	} {
		s := testEditor(c.name, testEntries("claude", "/bin/deck", "Notification"))
		if d := cmp.Diff(c.want, string(install(t, s, []byte(c.file)))); d != "" {
			t.Errorf("%q:\n%s", c.file, d)
		}
	}
}

// TestUpgrade: entries of an older deck, at another path, with other events, are
// replaced where they are.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for name, file := range samples(t) {
		old := testEditor(name, testEntries("claude", "/opt/it's old/deck", "Stop", "Notification"))
		s := testEditor(name, threeEntries)
		now := install(t, s, install(t, old, file))
		if bytes.Contains(now, []byte("/opt/")) || bytes.Contains(now, []byte("hook claude Notification")) {
			t.Errorf("%s: the old ones are still there:\n%s", name, now)
		}
		checkEntries(t, name, now, file)
		if back, err := s.uninstall(now); err != nil || !bytes.Equal(back, file) {
			t.Errorf("%s: after upgrade and uninstall: %v\n%s", name, err, cmp.Diff(string(file), string(back)))
		}
	}
}
