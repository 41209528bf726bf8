package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"deck/lifecycle/detect"
)

// rulesDir returns where a person's own screen rules are: beside their
// configuration.
func rulesDir(config string) string { return filepath.Join(filepath.Dir(config), "rules") }

// loadRules returns the screen rules: those that deck comes with, with each
// file of a folder, AGENT.toml, in place of that agent's. A file with a fault
// is named with its line and key and left out as a whole.
func loadRules(dir string) (*detect.Set, []error) {
	set := detect.Builtin()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return set, nil
	}
	if err != nil {
		return set, []error{fmt.Errorf("read rules: %w", err)}
	}
	var faults []error
	for _, e := range entries {
		agent, ok := strings.CutSuffix(e.Name(), ".toml")
		if !ok || agent == "" || strings.HasPrefix(agent, ".") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := readRules(path)
		if err == nil {
			set, err = set.With(agent, text)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		}
	}
	return set, faults
}

// maxRuleFile is how much of a rule file is read; Parse refuses what is longer
// than it takes.
const maxRuleFile = 128 << 10

func readRules(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxRuleFile))
}
