package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"deck/term/wire"
)

// errSandbox is a socket that this process is not let use.
var errSandbox = errors.New("the server can't be reached from this sandbox")

// remembering asks a verb of memory. A server is started where none runs; one that
// runs is asked at once, since it is what nearly every time is there. The error is
// errSandbox where the system refuses the socket.
func remembering[T any](ctx context.Context, a *app, ask func(*wire.Conn) (T, error)) (T, error) {
	var none T
	c, socket, err := a.dial()
	if err != nil {
		return none, err
	}
	defer c.Close()
	got, err := ask(c)
	var answer *wire.Error
	switch {
	case err == nil:
		return got, nil
	case errors.Is(err, wire.ErrNoServer):
	case errors.As(err, &answer) && answer.Code == "no_such_route":
		// An older server: greet says what to do about that.
		return none, errors.Join(a.greet(ctx, c), err)
	case refused(err):
		return none, sandboxed(err)
	default:
		return none, err
	}
	if a.inside(socket) {
		return none, sandboxed(err) // its server runs, and its socket is not to be seen from here
	}
	if err := a.backend.ensure(ctx, socket, a.verbose); err != nil {
		if refused(err) {
			return none, sandboxed(err)
		}
		return none, err
	}
	if err := a.greet(ctx, c); err != nil {
		return none, err
	}
	return ask(c)
}

func sandboxed(err error) error { return fmt.Errorf("%w: %w", errSandbox, err) }

// refused reports whether the system forbids what a server needs, as sandboxes do.
func refused(err error) bool {
	for _, e := range []error{syscall.EPERM, syscall.EACCES, syscall.EROFS, syscall.EAFNOSUPPORT, fs.ErrPermission} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// place is where this process is, as memory is asked. project may be empty.
func place(project string) (wire.Place, error) {
	// A project that is a path is that folder's.
	if filepath.IsAbs(project) {
		return wire.Place{Cwd: project}, nil
	}
	dir, err := os.Getwd()
	if err != nil && project == "" {
		return wire.Place{}, err
	}
	return wire.Place{Cwd: dir, Project: project}, nil
}

// notices says what the server has to say besides.
func (a *app) notices(list []string) {
	for _, n := range list {
		fmt.Fprintf(a.stderr, "deck: %s\n", oneLine(n))
	}
}
