package server

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"deck/term/wire"
)

// reload reads the configuration and the screen rules again. With an error the
// configuration in use stays; faults are of rule files, each of which is left
// out as a whole.
func (s *server) reload() (cfg config, faults, err error) {
	faults = s.readRules()
	cfg, err = loadConfig(s.o.Config)
	s.noteFaults(err, faults)
	if err != nil {
		s.log.Warn("configuration not used", "err", err)
		return *s.config.Load(), faults, err
	}
	if old := s.config.Swap(&cfg); !reflect.DeepEqual(old.Redact, cfg.Redact) {
		s.archive.reconfigure()
	}
	s.log.Info("configuration read")
	return cfg, faults, nil
}

// readRules puts the screen rules in force, and returns the faults of those that
// are a person's own.
func (s *server) readRules() error {
	set, faults := loadRules(rulesDir(s.o.Config))
	s.loop.eyes.rules.Store(set)
	for _, err := range faults {
		s.log.Warn("screen rules not used", "err", err)
	}
	return errors.Join(faults...)
}

// reloadVerb is the same for a script, which is told what is wrong.
func (s *server) reloadVerb(ctx context.Context, _ caller, _ none) (wire.Done, error) {
	cfg, faults, err := s.reload()
	if err == nil {
		if err := s.loop.configure(ctx, cfg); err != nil {
			return wire.Done{}, err
		}
	}
	if err := errors.Join(err, faults); err != nil {
		return wire.Done{}, &wire.Error{Code: wire.CodeInvalid, Message: err.Error()}
	}
	return wire.Done{Count: 1}, nil
}

// noteFaults keeps what is wrong with the configuration and the rules for those
// who attach later.
func (s *server) noteFaults(errs ...error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
	for _, err := range errs {
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			s.faults = append(s.faults, first)
		}
	}
}

func (s *server) configFaults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}
