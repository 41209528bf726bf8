package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestConfigErrorsNameLineAndKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "history = 5\nhistoy = 6\n", "config.toml:2: unknown key: histoy"},
		{"unknown key of a table", "[key]\na = 'b'\n", "config.toml:1: unknown key: key"},
		{"wrong type", "\nhistory = 'much'\n", "config.toml:2: history: "},
		{"range", "# rows\nhistory = -1\n", "config.toml:2: history: -1 is not between 0 and 1000000"},
		{"syntax", "prefix = \n", "config.toml:1: "},
		{"no such word", "remain_on_exit = 'often'\n", `config.toml:1: remain_on_exit: "often" is not always, failed or never`},
		{"no such key", "mouse = true\nprefix = 'C-Hyperspace'\n", "config.toml:2: prefix: "},
		{"a prefix that is text", "prefix = 'x'\n", "config.toml:1: prefix: text is typed with x: it needs C- or M-"},
		{"a prefix that ends lines", "prefix = 'Enter'\n", "config.toml:1: prefix: text is typed with Enter"},
		{"no such key to bind", "[keys]\n'C-Hyperspace' = 'zoom'\n", "config.toml:2: keys.C-Hyperspace: unknown key"},
		{"a state without an alert", "[alerts]\nenabled = true\nstates = ['blocked', 'idle']\n", `config.toml:3: alerts.states: "idle" is not needs-input, blocked or done`},
		{"half a day", "[alerts]\nquiet_hours = '22:00'\n", `config.toml:2: alerts.quiet_hours: "22:00" is not like 22:00-07:30`},
		{"no such time", "[alerts]\nquiet_hours = '22:00-25:00'\n", "config.toml:2: alerts.quiet_hours: "},
		{"unknown key of alerts", "[alerts]\nsound = 'ding'\n", "config.toml:2: unknown key: alerts.sound"},
		{"no such action", "[keys]\n\nv = 'fly'\n", `config.toml:3: keys.v: no such action: "fly"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := loadConfig(path)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if diff := cmp.Diff(defaultConfig(), got); diff != "" {
				t.Errorf("a faulty file changed the built-in values: %s", diff)
			}
		})
	}
}

func TestConfigIsReadOverTheBuiltInValues(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	if got, err := loadConfig(path); err != nil || !cmp.Equal(got, defaultConfig()) {
		t.Errorf("without a file: %v, %v", got, err)
	}
	if err := CheckConfig(path); !says(err, "no such file: "+path) {
		t.Errorf("check of no file: %v", err)
	}
	text := "prefix = 'C-b'\nhistory = 0\nremain_on_exit = 'never'\ndefault_command = ['fish', '-l']\n[keys]\nv = 'split-right'\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := defaultConfig()
	want.Prefix, want.History, want.RemainOnExit = "C-b", 0, remainNever
	want.DefaultCommand, want.Keys = []string{"fish", "-l"}, map[string]string{"v": "split-right"}
	got, err := loadConfig(path)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if err := CheckConfig(path); err != nil {
		t.Error(err)
	}
}

// A configuration that is a pipe would be waited for until somebody wrote to
// it; one that is endless would be read for ever.
func TestAConfigurationIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "config.toml")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadConfig(pipe); !says(err, "is a pipe") {
		t.Errorf("a pipe: %v", err)
	}
	if _, err := loadConfig("/dev/zero"); !says(err, "is longer than") {
		t.Errorf("an endless file: %v", err)
	}
	if _, err := loadConfig(os.DevNull); err != nil {
		t.Errorf("an empty device: %v", err)
	}
}

// Whoever can write a configuration can name the shell that is run. /tmp
// belongs to everybody.
func TestWithoutAHomeNothingIsReadFromACommonFolder(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	for _, path := range []string{ConfigPath(), LogPath("/x/s.sock")} {
		if filepath.Dir(filepath.Dir(filepath.Dir(path))) == filepath.Clean(os.TempDir()) || !filepath.IsAbs(path) {
			t.Errorf("a file of deck would be %s", path)
		}
	}
}
