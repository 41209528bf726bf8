package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"deck/term/wire"
)

// State is what a client finds in the place of a server's socket.
type State uint8

// The states.
const (
	Missing   State = iota // nothing, or nothing that listens: a server can be started
	Refused                // something that is not to be trusted: not this user's, or others can write there
	Silent                 // it takes connections and does not answer
	Unrelated              // a server too old or too new to talk to
	Alive                  // a server that answers
)

// probeTime is how long a server may take to say hello. A loaded machine is
// slow; a loop that hangs does not matter here, hello does not ask it.
const probeTime = 5 * time.Second

// maxProbe is how often a server that ends just when it is called is called again:
// the next call finds that nobody listens.
const maxProbe = 3

// Probe looks at the place of a socket and says hello to what listens there.
// The error says what is wrong with a place that is neither Missing nor Alive.
func Probe(ctx context.Context, socket string) (State, wire.Hello, error) {
	if err := checkFolder(filepath.Dir(socket)); errors.Is(err, fs.ErrNotExist) {
		return Missing, wire.Hello{}, nil
	} else if err != nil {
		return Refused, wire.Hello{}, err
	}
	if err := checkSocket(socket); err != nil {
		return Refused, wire.Hello{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	conn := wire.Open(socket, "")
	defer conn.Close()
	hello, err := conn.Hello(ctx)
	for tries := 0; tries < maxProbe && errors.Is(err, wire.ErrGone); tries++ {
		hello, err = conn.Hello(ctx)
	}
	switch {
	case errors.Is(err, wire.ErrNoServer), errors.Is(err, syscall.ENOENT):
		return Missing, hello, nil
	case err != nil:
		return Silent, hello, fmt.Errorf("the server on %s does not answer: %w", socket, err)
	}
	if err := hello.Check(); err != nil {
		return Unrelated, hello, err
	}
	return Alive, hello, nil
}
