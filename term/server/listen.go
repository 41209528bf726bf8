package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// listener is the server's socket. The lock beside it is held as long as the
// server lives, so that what lies in the socket's place is stale for whoever
// gets the lock, and can be removed without a race.
type listener struct {
	path    string
	lock    *lock
	conns   chan net.Conn
	closed  chan struct{}
	closers []io.Closer

	mu   sync.Mutex
	here *net.UnixListener // guarded by mu
	info os.FileInfo       // guarded by mu: of the socket's file
	gone sync.Once
}

// lockTime is how long a new server waits for an old one to be gone.
const lockTime = 10 * time.Second

// listen makes the socket, in a folder that only this user can write to.
func listen(ctx context.Context, o Options) (*listener, error) {
	if err := makeFolder(filepath.Dir(o.Socket)); err != nil {
		return nil, err
	}
	if err := checkSocket(o.Socket); err != nil {
		return nil, err
	}
	if c, err := net.Dial("unix", o.Socket); err == nil {
		c.Close()
		return nil, fmt.Errorf("a server is running already on %s", o.Socket)
	}
	wait, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	held, err := takeLock(wait, o.beside(".lock"))
	if err != nil {
		return nil, fmt.Errorf("another server is in the way: %w", err)
	}
	l := &listener{path: o.Socket, lock: held, conns: make(chan net.Conn), closed: make(chan struct{})}
	if err := l.bind(); err != nil {
		held.release()
		return nil, err
	}
	return l, nil
}

// bind makes the socket's file, in place of a stale one, and accepts on it.
func (l *listener) bind() error {
	if err := os.Remove(l.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	u, err := net.ListenUnix("unix", &net.UnixAddr{Name: l.path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("listen on %s: %w", l.path, err)
	}
	u.SetUnlinkOnClose(false)
	if err := os.Chmod(l.path, 0o600); err != nil {
		u.Close()
		return err
	}
	info, err := os.Lstat(l.path)
	if err != nil {
		u.Close()
		return err
	}
	l.mu.Lock()
	l.here, l.info = u, info
	l.mu.Unlock()
	go l.acceptOn(u)
	return nil
}

// acceptRest is the pause after a failure to accept: most of them are a lack of
// descriptors, which lasts.
const acceptRest = 20 * time.Millisecond

// acceptOn passes connections on until its socket is closed.
func (l *listener) acceptOn(u *net.UnixListener) {
	for {
		c, err := u.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(acceptRest)
			continue
		}
		select {
		case l.conns <- c:
		case <-l.closed:
			c.Close()
			return
		}
	}
}

// renew makes the socket's file again where something removed it: the folder
// of a login's runtime files goes with its last login.
func (l *listener) renew() error {
	l.mu.Lock()
	old, info := l.here, l.info
	l.mu.Unlock()
	if at, err := os.Lstat(l.path); err == nil && os.SameFile(at, info) {
		return nil
	}
	if err := makeFolder(filepath.Dir(l.path)); err != nil {
		return err
	}
	if c, err := net.Dial("unix", l.path); err == nil {
		c.Close()
		return errors.New("another server has taken its place")
	}
	if err := l.bind(); err != nil {
		return err
	}
	return old.Close()
}

// Accept returns the next connection.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr returns the socket's address.
func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: l.path, Net: "unix"} }

// Close stops to listen.
func (l *listener) Close() error {
	l.gone.Do(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		close(l.closed)
		l.here.Close()
	})
	return nil
}

// remove takes the socket out of the way, so that the next client starts a new
// server instead of waiting for this one.
func (l *listener) remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, err := os.Lstat(l.path); err == nil && os.SameFile(at, l.info) {
		_ = os.Remove(l.path)
	}
}

// close gives everything back but the lock.
func (l *listener) close() {
	_ = l.Close()
	for _, c := range l.closers {
		_ = c.Close()
	}
}
