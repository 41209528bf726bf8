package server

import (
	"context"
	"runtime"

	"deck/term/wire"
)

// status tells how the server is.
func (s *server) status(ctx context.Context, c caller, _ none) (wire.Status, error) {
	hello, err := s.hello(ctx, c, none{})
	if err != nil {
		return wire.Status{}, err
	}
	st, err := s.loop.counts(ctx)
	if err != nil {
		return wire.Status{}, err
	}
	st.Hello = hello
	st.Log, st.Config, st.Scope = s.o.Log, s.o.Config, s.scope
	st.Memory, st.Goroutine = residentBytes(), runtime.NumGoroutine()
	return st, nil
}
