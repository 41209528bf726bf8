package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"deck/ui"
)

// maxConfig is the most bytes a configuration file may have.
const maxConfig = 1 << 20

// config is the configuration file, config.toml. It is a value: a reload makes
// a new one.
type config struct {
	Prefix         keyName            `toml:"prefix"`
	Keys           map[keyName]action `toml:"keys"`            // key after the prefix → action
	History        history            `toml:"history"`         // rows that scrolled out, per pane
	RemainOnExit   remain             `toml:"remain_on_exit"`  // what becomes of a pane whose program ended
	Shell          string             `toml:"shell"`           // path; empty: $SHELL of the client, else of the user
	DefaultCommand []string           `toml:"default_command"` // instead of the shell
	Term           string             `toml:"term"`            // TERM of new panes
	EscapeTime     milliseconds       `toml:"escape_time"`     // a lone ESC is the key after this long
	Mouse          bool               `toml:"mouse"`
	SidebarWidth   columns            `toml:"sidebar_width"`
	ExitEmpty      bool               `toml:"exit_empty"` // the server ends with its last pane
	Bell           bool               `toml:"bell"`       // a pane's bell reaches the terminal
	Clipboard      bool               `toml:"clipboard"`  // a pane may set the terminal's clipboard (OSC 52)
}

// What becomes of a pane whose program ended.
const (
	remainAlways = "always" // it stays until closed
	remainFailed = "failed" // it stays if the program failed
	remainNever  = "never"
)

func defaultConfig() config {
	return config{
		Prefix:       "C-a",
		History:      10000,
		RemainOnExit: remainAlways,
		Term:         "xterm-256color",
		EscapeTime:   25,
		Mouse:        true,
		ExitEmpty:    true,
		Bell:         true,
		Clipboard:    true,
	}
}

// The types of values that are checked as they are read, so that an error
// names their line.
type (
	keyName      string
	action       string
	history      int
	remain       string
	milliseconds int
	columns      int
)

// UnmarshalText takes the name of a key.
func (k *keyName) UnmarshalText(b []byte) error {
	*k = keyName(b)
	return ui.CheckKey(string(b))
}

// UnmarshalText takes the name of an action.
func (a *action) UnmarshalText(b []byte) error {
	*a = action(b)
	return nil
}

// UnmarshalText takes one of the three words.
func (r *remain) UnmarshalText(b []byte) error {
	*r = remain(b)
	switch *r {
	case remainAlways, remainFailed, remainNever:
		return nil
	}
	return fmt.Errorf("%q is not always, failed or never", string(b))
}

// ConfigPath returns where the configuration is read from:
// $XDG_CONFIG_HOME/deck/config.toml, else ~/.config/deck/config.toml.
func ConfigPath() string { return xdg("XDG_CONFIG_HOME", ".config", "deck", "config.toml") }

// CheckConfig reads a configuration file and returns what is wrong with it: one
// line for each fault, with the file, the line and the key. A file that does
// not exist is an error here; a server without one uses the built-in values.
func CheckConfig(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no such file: %s", path)
	}
	_, err := loadConfig(path)
	return err
}

// loadConfig reads the file over the built-in values. With an error it returns
// the built-in values alone, so that half a file never counts.
func loadConfig(path string) (config, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultConfig(), nil
	}
	if err != nil {
		return defaultConfig(), fmt.Errorf("read configuration: %w", err)
	}
	if len(text) > maxConfig {
		return defaultConfig(), fmt.Errorf("%s is longer than %d bytes", path, maxConfig)
	}
	c := defaultConfig()
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return defaultConfig(), configError(path, text, err)
	}
	if err := c.check(path, text); err != nil {
		return defaultConfig(), err
	}
	return c, nil
}

// limits are the numbers that the decoder cannot check with a position.
func (c config) check(path string, text []byte) error {
	var errs []error
	for _, l := range []struct {
		key      string
		n        int
		from, to int
	}{
		{"history", int(c.History), 0, 1000000},
		{"escape_time", int(c.EscapeTime), 0, 5000},
		{"sidebar_width", int(c.SidebarWidth), 0, 200},
	} {
		if l.n < l.from || l.n > l.to {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %d is not between %d and %d",
				path, lineOf(text, l.key), l.key, l.n, l.from, l.to))
		}
	}
	return errors.Join(errs...)
}

// lineOf finds the line that sets a top-level key, counted from 1.
func lineOf(text []byte, key string) int {
	for i, line := range strings.Split(string(text), "\n") {
		name, _, ok := strings.Cut(line, "=")
		if ok && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return i + 1
		}
	}
	return 0
}

// configError says where and which key, in lines of "file:line: key: fault".
func configError(path string, text []byte, err error) error {
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
	keys := make(map[string]string, len(c.Keys))
	for k, a := range c.Keys {
		keys[string(k)] = string(a)
	}
	return ui.Settings{Prefix: string(c.Prefix), Keys: keys}
}

func (c config) escapeTime() time.Duration { return time.Duration(c.EscapeTime) * time.Millisecond }

// xdg returns a path under the folder an XDG variable names, or under the home
// folder's own.
func xdg(variable, under string, parts ...string) string {
	base := os.Getenv(variable)
	if !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			home = os.TempDir()
		}
		base = filepath.Join(home, under)
	}
	return filepath.Join(append([]string{base}, parts...)...)
}
