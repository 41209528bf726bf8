package server

import (
	"context"
	"strings"

	"deck/term/wire"
)

// reload reads the configuration again. With an error the one in use stays.
func (s *server) reload() (config, error) {
	cfg, err := loadConfig(s.o.Config)
	s.noteFault(err)
	if err != nil {
		s.log.Warn("configuration not used", "err", err)
		return *s.config.Load(), err
	}
	s.config.Store(&cfg)
	s.log.Info("configuration read")
	return cfg, nil
}

// reloadVerb is the same for a script, which is told what is wrong.
func (s *server) reloadVerb(ctx context.Context, _ caller, _ none) (wire.Done, error) {
	cfg, err := s.reload()
	if err != nil {
		return wire.Done{}, &wire.Error{Code: wire.CodeInvalid, Message: err.Error()}
	}
	return wire.Done{Count: 1}, s.loop.configure(ctx, cfg)
}

// noteFault keeps what is wrong with the configuration for those who attach
// later.
func (s *server) noteFault(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = ""
	if err != nil {
		s.fault, _, _ = strings.Cut(err.Error(), "\n")
	}
}

func (s *server) configFault() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}
