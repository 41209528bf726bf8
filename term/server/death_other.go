//go:build !linux

package server

import "errors"

// deathWatch waits for the end of a process; this system cannot.
type deathWatch struct{}

func watchDeath(int, func(ending)) (*deathWatch, error) { return nil, errors.ErrUnsupported }

func (*deathWatch) stop() {}
