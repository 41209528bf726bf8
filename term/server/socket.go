package server

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// DefaultName is the name of the server that is meant when none is given.
const DefaultName = "default"

// SocketPath returns the path of a server's socket. A word with a slash is a
// path already; a name lies in $XDG_RUNTIME_DIR/deck, or in /tmp/deck-UID where
// that variable names no folder of this user's; an empty one is DefaultName.
func SocketPath(nameOrPath string) (string, error) {
	path := nameOrPath
	if !strings.Contains(nameOrPath, "/") {
		if nameOrPath == "" {
			nameOrPath = DefaultName
		}
		if strings.HasPrefix(nameOrPath, ".") || strings.ContainsFunc(nameOrPath, isControl) {
			return "", fmt.Errorf("not a name for a server: %q", nameOrPath)
		}
		path = filepath.Join(socketFolder(), nameOrPath+".sock")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if len(path) > maxSocketPath {
		return "", fmt.Errorf("the path of the socket is %d bytes long and may have %d: %s", len(path), maxSocketPath, path)
	}
	return path, nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// socketFolder is where named sockets lie.
func socketFolder() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && ownerOf(info) == os.Getuid() {
			return filepath.Join(dir, "deck")
		}
	}
	return "/tmp/deck-" + strconv.Itoa(os.Getuid())
}

// makeFolder makes the folder of a socket where it is missing and refuses one
// in which somebody else could put a socket of his own.
func makeFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	return checkFolder(dir)
}

// checkFolder says why a folder cannot be trusted with a socket.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	mode := info.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return fmt.Errorf("the socket's folder is a symbolic link: %s", dir)
	case !mode.IsDir():
		return fmt.Errorf("the socket's folder is not a folder: %s", dir)
	case ownerOf(info) != os.Getuid():
		return fmt.Errorf("the socket's folder belongs to another user (uid %d): %s", ownerOf(info), dir)
	case mode.Perm()&0o022 != 0:
		return fmt.Errorf("others can write to the socket's folder (mode %04o): %s", mode.Perm(), dir)
	case dir == socketFolder() && mode.Perm()&0o077 != 0:
		return fmt.Errorf("the socket's folder is open to others (mode %04o, want 0700): %s", mode.Perm(), dir)
	}
	return nil
}

// checkSocket refuses what lies in a socket's place and is no socket of this
// user's. A path where nothing lies is fine.
func checkSocket(path string) error {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the socket is a symbolic link: %s", path)
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("not a socket: %s", path)
	case ownerOf(info) != os.Getuid():
		return fmt.Errorf("the socket belongs to another user (uid %d): %s", ownerOf(info), path)
	}
	return nil
}

func ownerOf(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// lock is a file that one process at a time holds; it is free again when its
// holder ends, however that ends. The file itself stays.
type lock struct{ file *os.File }

// takeLock waits for the lock until the context ends. The file gets the number
// of this process, for a person who wonders who holds it.
func takeLock(ctx context.Context, path string) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	got := make(chan error, 1)
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err == nil {
		got <- nil
	} else {
		go func() { got <- flock(f, unix.LOCK_EX) }()
	}
	select {
	case err = <-got:
	case <-ctx.Done():
		holder, _ := os.ReadFile(path)
		go func() {
			if err := <-got; err == nil {
				_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
			}
			f.Close()
		}()
		return nil, fmt.Errorf("another process (%s) holds %s", strings.TrimSpace(string(holder)), path)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	_ = f.Truncate(0)
	_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return &lock{file: f}, nil
}

func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how)
		if err != unix.EINTR {
			return err
		}
	}
}

func (l *lock) release() { _ = l.file.Close() }
