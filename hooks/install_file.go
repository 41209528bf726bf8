package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxSettings is the largest settings file that is edited, in bytes.
const maxSettings = 8 << 20

// editFile changes one settings file: whole or not at all, one deck at a time,
// and never over what someone else wrote meanwhile. With dry nothing is written,
// and where nothing changes, nothing is made either, be it a folder.
func editFile(path string, dry bool, edit func(file []byte) ([]byte, error)) (Change, error) {
	c, err := planChange(path, edit)
	if err != nil || dry || !c.changes() {
		return c, err
	}
	real, err := followLink(path)
	if err != nil {
		return c, err
	}
	unlock, err := lockFolder(filepath.Dir(real))
	if err != nil {
		return c, err
	}
	defer unlock()
	if c, err = planChange(path, edit); err != nil || !c.changes() {
		return c, err
	}
	return c, replace(real, c)
}

// planChange reads a file and says what would become of it.
func planChange(path string, edit func(file []byte) ([]byte, error)) (c Change, err error) {
	c.Path = path
	if c.Before, err = readSettings(path); err != nil {
		return c, err
	}
	c.After, err = edit(c.Before)
	return c, err
}

// readSettings returns a file's bytes, nil if there is none.
func readSettings(path string) ([]byte, error) {
	real, err := followLink(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, plainError("read", real, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("can't edit %s: it is not a file", path)
	case info.Size() > maxSettings:
		return nil, fmt.Errorf("can't edit %s: it is larger than %d MB", path, maxSettings>>20)
	}
	b, err := os.ReadFile(real)
	if err != nil {
		return nil, plainError("read", real, err)
	}
	if b == nil {
		b = []byte{}
	}
	return b, nil
}

// followLink returns the file that a path leads to, since people keep their
// settings elsewhere and link them. Another owner's file or folder is refused:
// neither is for this person to replace.
func followLink(path string) (string, error) {
	real := path
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return "", fmt.Errorf("can't edit %s: it is a link that leads nowhere", path)
		}
	}
	for _, p := range []string{real, filepath.Dir(real)} {
		info, err := os.Stat(p)
		if err != nil {
			continue // it will be made, or reading it says why not
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
			return "", fmt.Errorf("can't edit %s: %s belongs to another user", path, p)
		}
	}
	return real, nil
}

// lockFolder makes a settings folder if there is none and holds it against
// other decks. The lock is on the folder, so that no file is left in it. Where
// the file system has no locks, looking again before the rename must do.
func lockFolder(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, plainError("make", dir, err)
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, plainError("open", dir, err)
	}
	for errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX), unix.EINTR) {
	}
	return func() { _ = f.Close() }, nil
}

// replace puts the new bytes where the old ones are, if those are still there.
func replace(real string, c Change) error {
	now, err := readSettings(real)
	if err != nil {
		return err
	}
	if (now == nil) != (c.Before == nil) || !bytes.Equal(now, c.Before) {
		return fmt.Errorf("can't edit %s: another program wrote to it meanwhile", c.Path)
	}
	if c.After == nil {
		if err := os.Remove(real); err != nil {
			return plainError("remove", real, err)
		}
		return nil
	}
	mode, gid := fs.FileMode(0o600), -1
	if info, err := os.Stat(real); err == nil {
		mode = info.Mode().Perm()
		if mode&0o200 == 0 {
			return fmt.Errorf("can't edit %s: it is read-only", c.Path)
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			gid = int(st.Gid)
		}
	}
	return writeBeside(real, c.After, mode, gid)
}

// writeBeside writes a file under another name in the same folder and renames
// it, so that a reader sees the old bytes or the new ones.
func writeBeside(real string, b []byte, mode fs.FileMode, gid int) (err error) {
	f, err := os.CreateTemp(filepath.Dir(real), "."+filepath.Base(real)+".deck-*")
	if err != nil {
		return plainError("write in", filepath.Dir(real), err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
			err = plainError("write", real, err)
		}
	}()
	_, err = f.Write(b)
	if err == nil && gid >= 0 {
		err = f.Chown(-1, gid)
	}
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), real)
}

// plainError says what could not be done to which path, without the names of
// system calls and of temporary files.
func plainError(verb, path string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	return fmt.Errorf("can't %s %s: %w", verb, path, err)
}
