package server

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deck/term/wire"
)

// ownFolders gives a test's server folders of its own.
func ownFolders(t testing.TB) string {
	t.Helper()
	dir := privateDir(t)
	for _, v := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(v, dir)
	}
	t.Setenv("SSH_CONNECTION", "")
	return dir
}

// stopAfter ends the server of a socket with the test, and waits until its
// lock is free, so that nothing of it is left.
func stopAfter(t *testing.T, socket string) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		conn := wire.Open(socket, "")
		defer conn.Close()
		if err := conn.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
		l, err := takeLock(ctx, Options{Socket: socket}.beside(".lock"))
		if err != nil {
			t.Fatal(err)
		}
		l.release()
	})
}

func TestTenClientsStartOneServer(t *testing.T) {
	dir := ownFolders(t)
	socket := filepath.Join(dir, "s")
	// A stale socket lies there: it is replaced, not trusted and not feared.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	pids := make([]int, 10)
	var all sync.WaitGroup
	for i := range pids {
		all.Go(func() {
			if err := Ensure(t.Context(), Options{Socket: socket}); err != nil {
				t.Errorf("client %d: %v", i, err)
				return
			}
			conn := wire.Open(socket, "")
			defer conn.Close()
			hello, err := conn.Hello(t.Context())
			if err != nil {
				t.Errorf("client %d: %v", i, err)
			}
			pids[i] = hello.PID
		})
	}
	all.Wait()
	stopAfter(t, socket)
	for _, pid := range pids {
		if pid == 0 || pid != pids[0] {
			t.Errorf("more than one server: %v", pids)
		}
	}
	if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v, %v", info.Mode(), err)
	}
	log, err := os.ReadFile(LogPath(socket))
	if err != nil || strings.Count(string(log), "kept_by") != 1 {
		t.Errorf("want one line that says what keeps the server, got %s, %v", log, err)
	}
}

func TestAServerThatCannotStartSaysWhy(t *testing.T) {
	dir := ownFolders(t)
	socket := filepath.Join(dir, "s")
	if err := os.Mkdir(Options{Socket: socket}.beside(".lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := Ensure(t.Context(), Options{Socket: socket})
	if !says(err, "another server is in the way: ") || !says(err, "is a directory") {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatCannotWriteItsLogStarts(t *testing.T) {
	dir := ownFolders(t)
	state := filepath.Join(dir, "state")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", state)
	socket := filepath.Join(dir, "s")
	if err := Ensure(t.Context(), Options{Socket: socket}); err != nil {
		t.Fatal(err)
	}
	stopAfter(t, socket)
	attachTerminal(t, socket, 120, 24).sees("nothing is logged: ")
}

func TestASecondServerOfOneSocketIsRefused(t *testing.T) {
	dir := ownFolders(t)
	socket := filepath.Join(dir, "s")
	if err := Ensure(t.Context(), Options{Socket: socket}); err != nil {
		t.Fatal(err)
	}
	stopAfter(t, socket)
	if err := Run(t.Context(), Options{Socket: socket}); !says(err, "a server is running already on "+socket) {
		t.Errorf("got %v", err)
	}
}

// An SSH login with a user manager: the server is started through systemd-run,
// here a stand-in that notes how it was called.
func TestFromALoginTheServerGetsAScope(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"scope", `echo "$@" > "$XDG_RUNTIME_DIR/called"; while [ "$1" != -- ]; do shift; done; shift; exec "$@"`,
			`kept_by="systemd user scope deck-s-`},
		{"refused", `echo "$@" > "$XDG_RUNTIME_DIR/called"; exit 1`,
			`kept_by="a session of its own (systemd-run did not start it)"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := ownFolders(t)
			if err := os.MkdirAll(filepath.Join(dir, "systemd", "private"), 0o700); err != nil {
				t.Fatal(err)
			}
			run := filepath.Join(dir, "systemd-run")
			if err := os.WriteFile(run, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", dir+":/usr/bin:/bin")
			t.Setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
			socket := filepath.Join(dir, "s")
			if err := Ensure(t.Context(), Options{Socket: socket}); err != nil {
				t.Fatal(err)
			}
			stopAfter(t, socket)
			called, _ := os.ReadFile(filepath.Join(dir, "called"))
			if !strings.HasPrefix(string(called), "--user --scope ") {
				t.Errorf("systemd-run was called with %q", called)
			}
			log, _ := os.ReadFile(LogPath(socket))
			if n := strings.Count(string(log), c.want); n != 1 {
				t.Errorf("%d lines with %s in:\n%s", n, c.want, log)
			}
		})
	}
}
