package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"deck/term/wire"
)

// trusts remembers which files of projects a person lets deck use, by what is in
// them. It is safe from any goroutine.
type trusts struct {
	mu   sync.Mutex
	path string // empty: nothing is kept, and nothing is trusted
}

// sumOf is what a file's content is known by.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// has reports whether a person has trusted these bytes.
func (t *trusts) has(text []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept, err := os.ReadFile(t.path)
	if err != nil {
		return false
	}
	want := sumOf(text)
	for line := range strings.Lines(string(kept)) {
		if sum, _, _ := strings.Cut(strings.TrimSpace(line), " "); sum == want {
			return true
		}
	}
	return false
}

// add remembers a sum, with the path for whoever reads the file.
func (t *trusts) add(sum, path string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == "" {
		return errors.New("there is no place to remember it")
	}
	kept, err := os.ReadFile(t.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := ownFolder(filepath.Dir(t.path)); err != nil {
		return err
	}
	return writeWhole(t.path, fmt.Appendf(kept, "%s %s\n", sum, strings.Map(dropControl, path)))
}

// dropControl takes out what would break a line.
func dropControl(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

var hexSum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// trust is POST /v1/trust. Only a person gives it.
func (l *loop) trust(ctx context.Context, c caller, r wire.Trust) (wire.Done, error) {
	if !filepath.IsAbs(r.Path) || !hexSum.MatchString(r.Sum) {
		return wire.Done{}, invalid("not a file and its sum")
	}
	_, err := call(ctx, l, func() (none, error) {
		if l.agentCalling(c) != nil {
			return none{}, &wire.Error{Code: wire.CodeNotHuman, Message: "only a person trusts a file", Hint: "ask them to run deck trust in a shell of their own"}
		}
		return none{}, nil
	})
	if err != nil {
		return wire.Done{}, err
	}
	if err := l.trusts.add(r.Sum, r.Path); err != nil {
		return wire.Done{}, &wire.Error{Code: wire.CodeInternal, Message: "can't remember it: " + cleanText(err.Error(), maxText)}
	}
	l.log.Info("file trusted")
	return wire.Done{Count: 1}, nil
}

// notTrusted is the answer where a file of a project was not trusted as it is.
func notTrusted(path string) error {
	return &wire.Error{Code: wire.CodeNotTrusted, Message: "not trusted: " + cleanText(path, maxText),
		Hint: "a person reads it and runs: deck trust " + cleanText(path, maxText)}
}

// errNoFile is a file that is not there.
var errNoFile = errors.New("no such file")

// readOwn reads a file of a project that deck acts on: a plain one of this user
// that not everybody can write, of a bounded size, in a folder that no link leads out
// of. top is the folder that it has to be in.
func readOwn(top, path string, most int64) ([]byte, error) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNoFile
	case err != nil:
		return nil, err
	}
	if rel, err := filepath.Rel(resolved(top), real); err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("it is a link that leads out of %s", top)
	}
	f, err := os.OpenFile(real, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case ownerOf(info) != os.Getuid():
		return nil, errors.New("it belongs to another user")
	case info.Mode().Perm()&0o002 != 0:
		return nil, errors.New("everybody can write to it")
	case info.Size() > most:
		return nil, fmt.Errorf("it is longer than %d bytes", most)
	}
	return io.ReadAll(io.LimitReader(f, most))
}
