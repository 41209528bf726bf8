package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/sys/unix"

	"deck/ui"
)

// maxConfig is the most bytes a configuration file may have.
const maxConfig = 1 << 20

// config is the configuration file, config.toml. It is a value: a reload makes
// a new one.
type config struct {
	Prefix          string            `toml:"prefix"`
	Keys            map[string]string `toml:"keys"`            // key after the prefix → action
	History         int               `toml:"history"`         // rows that scrolled out, per pane
	RemainOnExit    string            `toml:"remain_on_exit"`  // what becomes of a pane whose program ended
	Shell           string            `toml:"shell"`           // path; empty: $SHELL of the client, else of the user
	DefaultCommand  []string          `toml:"default_command"` // instead of the shell
	Term            string            `toml:"term"`            // TERM of new panes
	EscapeTime      int               `toml:"escape_time"`     // a lone ESC is the key after this long
	Mouse           bool              `toml:"mouse"`
	ExitEmpty       bool              `toml:"exit_empty"`        // the server ends with its last pane
	Bell            bool              `toml:"bell"`              // a pane's bell reaches the terminal
	Clipboard       bool              `toml:"clipboard"`         // a pane may set the terminal's clipboard (OSC 52)
	AnswerFromDeck  bool              `toml:"answer_from_deck"`  // agents' permission hooks wait for an answer at deck's screen
	ContextInAgents bool              `toml:"context_in_agents"` // agents begin with what their project remembers
	Worktrees       string            `toml:"worktrees"`         // folder of a repository's worktrees, beside it if relative; {repo} is its name
	Redact          redactConfig      `toml:"redact"`
	Alerts          alertsConfig      `toml:"alerts"`
}

// What becomes of a pane whose program ended.
const (
	remainAlways = "always" // it stays until closed
	remainFailed = "failed" // it stays if the program failed
	remainNever  = "never"
)

func defaultConfig() config {
	return config{
		Prefix:          "C-a",
		History:         10000,
		RemainOnExit:    remainAlways,
		Term:            "xterm-256color",
		EscapeTime:      25,
		Mouse:           true,
		ExitEmpty:       true,
		Bell:            true,
		Clipboard:       true,
		ContextInAgents: true,
		Worktrees:       "{repo}.worktrees",
		Alerts:          defaultAlerts(),
	}
}

// ConfigPath returns where the configuration is read from:
// $XDG_CONFIG_HOME/deck/config.toml, else ~/.config/deck/config.toml.
func ConfigPath() string { return xdg("XDG_CONFIG_HOME", ".config", "deck", "config.toml") }

// CheckConfig reads a configuration file and the screen rules beside it, and
// returns what is wrong with them: one line for each fault, with the file, the
// line and the key. A configuration that does not exist is an error here; a
// server without one uses the built-in values.
func CheckConfig(path string) error {
	var errs []error
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, fmt.Errorf("no such file: %s", path))
	} else if _, err := loadConfig(path); err != nil {
		errs = append(errs, err)
	}
	_, faults := loadRules(rulesDir(path))
	return errors.Join(append(errs, faults...)...)
}

// loadConfig reads the file over the built-in values. With an error it returns
// the built-in values alone, so that half a file never counts.
func loadConfig(path string) (config, error) {
	text, err := readConfig(path)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultConfig(), nil
	}
	if err != nil {
		return defaultConfig(), fmt.Errorf("read configuration: %w", err)
	}
	c := defaultConfig()
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return defaultConfig(), configError(path, err)
	}
	if err := c.check(path, text); err != nil {
		return defaultConfig(), err
	}
	return c, nil
}

// readConfig reads a file of bounded size. A pipe would be waited for, perhaps
// for ever, and a server that waits has no panes.
func readConfig(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe != 0 {
		return nil, fmt.Errorf("%s is a pipe and not a file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxConfig)
	}
	return text, err
}

// check finds values that are of the right type and mean nothing.
func (c config) check(path string, text []byte) error {
	var errs []error
	fault := func(table, key, format string, args ...any) {
		name := strings.TrimPrefix(table+"."+key, ".")
		errs = append(errs, fmt.Errorf("%s:%d: %s: %s", path, lineOf(text, table, key), name, fmt.Sprintf(format, args...)))
	}
	if err := ui.CheckPrefix(c.Prefix); err != nil {
		fault("", "prefix", "%v", err)
	}
	for _, l := range []struct {
		key      string
		n        int
		from, to int
	}{
		{"history", c.History, 0, 1000000},
		{"escape_time", c.EscapeTime, 0, 5000},
	} {
		if l.n < l.from || l.n > l.to {
			fault("", l.key, "%d is not between %d and %d", l.n, l.from, l.to)
		}
	}
	if filepath.Clean(strings.ReplaceAll(c.Worktrees, "{repo}", "repo")) == "." || strings.HasPrefix(c.Worktrees, "~") {
		fault("", "worktrees", "%q is no folder", c.Worktrees)
	}
	switch c.RemainOnExit {
	case remainAlways, remainFailed, remainNever:
	default:
		fault("", "remain_on_exit", "%q is not always, failed or never", c.RemainOnExit)
	}
	actions := append(ui.ActionNames(), "none")
	for _, key := range slices.Sorted(maps.Keys(c.Keys)) {
		if err := ui.CheckKey(key); err != nil {
			fault("keys", key, "%v", err)
		} else if !slices.Contains(actions, c.Keys[key]) {
			fault("keys", key, "no such action: %q", c.Keys[key])
		}
	}
	c.Alerts.check(fault)
	c.Redact.check(fault)
	return errors.Join(errs...)
}

// lineOf finds the line that sets a key of a table ("" is the top), counted
// from 1; 0 where it is written in a way that only the decoder understands.
func lineOf(text []byte, table, key string) int {
	in := ""
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			in, _, _ = strings.Cut(head, "]")
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && in == table && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return i + 1
		}
	}
	return 0
}

// configError says where and which key, in lines of "file:line: key: fault".
func configError(path string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var errs []error
		for _, e := range strict.Errors {
			row, _ := e.Position()
			errs = append(errs, fmt.Errorf("%s:%d: unknown key: %s", path, row, strings.Join(e.Key(), ".")))
		}
		return errors.Join(errs...)
	}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		row, _ := at.Position()
		key := strings.Join(at.Key(), ".")
		if key != "" {
			key += ": "
		}
		return fmt.Errorf("%s:%d: %s%s", path, row, key, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %w", path, err)
}

// settings is what of the configuration a client's screen uses.
func (c config) settings() ui.Settings {
	return ui.Settings{Prefix: c.Prefix, Keys: c.Keys, Alerts: c.Alerts.settings()}
}

func (c config) escapeTime() time.Duration { return time.Duration(c.EscapeTime) * time.Millisecond }

// xdg returns a path under the folder an XDG variable names, or under the home
// folder's own.
func xdg(variable, under string, parts ...string) string {
	base := os.Getenv(variable)
	if !filepath.IsAbs(base) {
		base = filepath.Join(homeFolder(), under)
	}
	return filepath.Join(append([]string{base}, parts...)...)
}

// homeFolder is $HOME, else what the system knows, else the socket's folder: it
// is never one that somebody else could fill, since a configuration names
// programs to run.
func homeFolder() string {
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		return home
	}
	if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir
	}
	return socketFolder()
}
