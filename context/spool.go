package memory

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Bounds of a spool.
const (
	MaxSpoolLine = 64 << 10 // bytes of one write, as JSON
	maxSpool     = 4 << 20  // bytes of all that waits
)

const (
	spoolFile  = "spool"          // what writers append to
	spoolDrain = "spool-draining" // what the server works on
)

// How long a writer waits for the spool that another has, and the drain, for which
// others wait. Nobody has it for longer than a write takes who means well.
const (
	spoolWait = 2 * time.Second
	drainWait = 50 * time.Millisecond
	spoolTry  = 2 * time.Millisecond
)

var (
	// ErrSpoolFull says that too much waits for the server.
	ErrSpoolFull = errors.New("too many notes wait for the server")
	// ErrSpoolHeld says that another process keeps the spool to itself.
	ErrSpoolHeld = errors.New("another process holds .deck/spool")
)

// Spooled is a write that waits for the server: one line of JSON in a file of
// the checkout that is only ever appended to.
type Spooled struct {
	V    int             `json:"v"`  // 1
	Op   ID              `json:"op"` // the writer's own id, so that a write that is drained twice happens once
	At   time.Time       `json:"at"`
	Verb string          `json:"verb"` // "remember", "discover", "decide", "task"
	Body json.RawMessage `json:"body"` // what the verb's route takes
}

// Spool appends a write to a checkout's spool, for a program that is not let
// speak to the server. Secrets are taken out before anything is on disk, by the
// rules of redact, or those that are built in where it is nil.
func Spool(checkout string, w Spooled, redact *Redactor) error {
	if redact == nil {
		redact = builtIn
	}
	w.V = 1
	body, err := redactJSON(w.Body, redact)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	w.Body = body
	line, err := json.Marshal(w)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if len(line) >= MaxSpoolLine {
		return fmt.Errorf("spool: the text is longer than %d KB", MaxSpoolLine>>10)
	}
	dir, err := openFolder(checkout, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := lockSpool(dir, os.O_CREATE, spoolWait)
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	defer f.Close()
	return appendSpool(f, append(line, '\n'))
}

// appendSpool appends a line, or nothing of it: the next one would not be told from half
// a line before it.
func appendSpool(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if info.Size()+int64(len(line)) > maxSpool {
		return ErrSpoolFull
	}
	if _, err = f.Write(line); err != nil {
		err = errors.Join(err, f.Truncate(info.Size()))
	}
	return err
}

// redactJSON takes secrets out of every string of a JSON value.
func redactJSON(raw json.RawMessage, redact *Redactor) (json.RawMessage, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	return json.Marshal(redactValue(v, redact))
}

func redactValue(v any, redact *Redactor) any {
	switch v := v.(type) {
	case string:
		clean, _ := redact.Redact(v)
		return clean
	case []any:
		for i := range v {
			v[i] = redactValue(v[i], redact)
		}
	case map[string]any:
		for k := range v {
			v[k] = redactValue(v[k], redact)
		}
	}
	return v
}

// lockSpool opens the spool and holds it against other writers and the drain;
// the lock ends with the file. What lies there may be a stranger's, so nothing is
// waited for without an end: not for the reader of a pipe, nor for a lock.
func lockSpool(dir *os.Root, create int, wait time.Duration) (*os.File, error) {
	for end := time.Now().Add(wait); ; time.Sleep(spoolTry) {
		f, err := dir.OpenFile(spoolFile, os.O_WRONLY|os.O_APPEND|unix.O_NOFOLLOW|unix.O_NONBLOCK|create, 0o600)
		if err != nil {
			return nil, err
		}
		mine, err := f.Stat()
		if err == nil && !mine.Mode().IsRegular() {
			err = fs.ErrInvalid
		}
		if err == nil {
			err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		}
		if err == nil {
			if there, err := dir.Lstat(spoolFile); err == nil && os.SameFile(mine, there) {
				return f, nil
			}
		}
		f.Close()
		switch {
		case err != nil && !errors.Is(err, unix.EWOULDBLOCK):
			return nil, err
		case time.Now().After(end):
			return nil, ErrSpoolHeld
		}
	}
}

// Drain hands what waits in a checkout's spool to apply, in order, and says how
// many writes there were and how many lines were none. Apply fails only where
// nothing can be stored at present, not for a write that is refused: then the
// drain stops, and all of the file comes again with the next one, which the
// writes' own ids make harmless.
func Drain(checkout string, apply func(Spooled) error) (done, bad int, err error) {
	dir, err := openFolder(checkout, false)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	defer dir.Close()
	for range 2 { // what an earlier drain left, then what was written since
		if _, err := dir.Lstat(spoolDrain); errors.Is(err, fs.ErrNotExist) {
			f, err := lockSpool(dir, 0, drainWait)
			if errors.Is(err, fs.ErrNotExist) {
				return done, bad, nil
			}
			if err != nil {
				return done, bad, err
			}
			err = dir.Rename(spoolFile, spoolDrain)
			f.Close()
			if err != nil {
				return done, bad, err
			}
		}
		n, wrong, err := drainFile(dir, apply)
		done, bad = done+n, bad+wrong
		if err != nil {
			return done, bad, err
		}
	}
	return done, bad, nil
}

func drainFile(dir *os.Root, apply func(Spooled) error) (done, bad int, err error) {
	f, _, err := openPlain(dir, spoolDrain, maxSpool)
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errTooBig) {
		// No writer of ours makes such a thing, and with it here nothing would come through any more.
		return 0, 1, dir.RemoveAll(spoolDrain)
	}
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, MaxSpoolLine)
	for sc.Scan() {
		var w Spooled
		if json.Unmarshal(sc.Bytes(), &w) != nil || w.V != 1 || w.Op == "" || w.Verb == "" {
			bad++
			continue
		}
		if err := apply(w); err != nil {
			return done, bad, err
		}
		done++
	}
	if errors.Is(sc.Err(), bufio.ErrTooLong) {
		bad++ // no writer of ours: the rest cannot be told apart
	} else if sc.Err() != nil {
		return done, bad, sc.Err()
	}
	return done, bad, dir.Remove(spoolDrain)
}
