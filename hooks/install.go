package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
)

// Site is where hooks are installed: a person's home, and the environment that
// moves agents' folders about.
type Site struct {
	Home     string // absolute
	Getenv   func(string) string
	Reporter string // absolute path of the program that serves "hook AGENT EVENT"
	Removed  string // absolute path of the file that remembers whose skill was taken out
}

// State says whether an agent's settings have deck's hooks.
type State string

// The states of an installation.
const (
	StateInstalled  State = "installed"
	StateOutdated   State = "outdated" // there, but not as this build writes them
	StateMissing    State = "not installed"
	StateAbsent     State = "agent not found" // and its settings have none
	StateUnreadable State = "unreadable"
)

// Change is what happens to one settings file.
type Change struct {
	Path          string // as the agent knows it
	Before, After []byte // nil where there is no file
}

// place is one settings file that an agent reads.
type place struct {
	path     string
	settings settings
}

// CanInstall reports whether the agent has settings that take hooks.
func (a Agent) CanInstall() bool { return len(a.Events) > 0 && installs[a.Name] != nil }

// SettingsPath is the file that install writes to.
func (a Agent) SettingsPath(s Site) string { return a.places(s)[0].path }

// InstallNote is what a person has to know after an installation, empty for
// nothing. Whether hooks are trusted is for the person to say, not for deck.
func (a Agent) InstallNote() string { return installNotes[a.Name] }

// HookState reads an agent's settings and says whether they have deck's hooks,
// with the lowest version mark that they carry. It writes nothing. An error names the
// file; the state is then StateUnreadable.
func (a Agent) HookState(s Site) (state State, version int, err error) {
	if err := s.check(); err != nil {
		return StateUnreadable, 0, err
	}
	changed := false
	for i, p := range a.places(s) {
		file, err := readSettings(p.path)
		if err != nil {
			return StateUnreadable, 0, err
		}
		v, err := p.settings.version(file)
		if err != nil {
			return StateUnreadable, 0, malformed(p.path, err)
		}
		if v == 0 {
			continue
		}
		if version == 0 || v < version {
			version = v
		}
		after, err := p.settings.install(file)
		changed = changed || i > 0 || err != nil || !bytes.Equal(file, after)
	}
	switch {
	case version == 0:
		return StateMissing, 0, nil
	case changed:
		return StateOutdated, version, nil
	}
	return StateInstalled, version, nil
}

// Install puts deck's hooks into an agent's settings and returns what changed:
// nothing where they were there. With dry it writes nothing.
func (a Agent) Install(s Site, dry bool) ([]Change, error) {
	return a.edit(s, dry, func(i int, p place, file []byte) ([]byte, error) {
		if i > 0 {
			return p.settings.uninstall(file)
		}
		return p.settings.install(file)
	})
}

// Uninstall takes deck's hooks out of an agent's settings and returns what
// changed. With dry it writes nothing.
func (a Agent) Uninstall(s Site, dry bool) ([]Change, error) {
	return a.edit(s, dry, func(_ int, p place, file []byte) ([]byte, error) { return p.settings.uninstall(file) })
}

func (a Agent) edit(s Site, dry bool, change func(i int, p place, file []byte) ([]byte, error)) ([]Change, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var done []Change
	for i, p := range a.places(s) {
		c, err := editFile(p.path, dry, func(file []byte) ([]byte, error) {
			after, err := change(i, p, file)
			if err != nil {
				return nil, malformed(p.path, err)
			}
			return after, nil
		})
		if err != nil {
			return done, err
		}
		if c.changes() {
			done = append(done, c)
		}
	}
	return done, nil
}

// changes reports whether a change is one.
func (c Change) changes() bool {
	return (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After)
}

// check refuses what could not be written into a command, or would lead to
// other places than the agent reads.
func (s Site) check() error {
	switch {
	case !filepath.IsAbs(s.Home):
		return errors.New("no home folder: HOME is not set to an absolute path")
	case !filepath.IsAbs(s.Reporter) || strings.ContainsFunc(s.Reporter, unicode.IsControl):
		return fmt.Errorf("not a path that a hook can call: %s", s.Reporter)
	}
	return nil
}

// ErrMalformed is a settings file that an agent could not read, or that holds
// something else where hooks belong. It is left as it is.
var ErrMalformed = errors.New("malformed settings")

// malformedError is ErrMalformed with the reason in front of people.
type malformedError struct{ text string }

func (e *malformedError) Error() string        { return e.text }
func (e *malformedError) Is(target error) bool { return target == ErrMalformed }

func malformed(path string, err error) error {
	return &malformedError{fmt.Sprintf("can't edit %s: %v", path, err)}
}
