package server

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// maxLog is the size at which the log is put aside as NAME.log.1 and begun anew.
const maxLog = 4 << 20

// logFile is a log that never takes more than twice maxLog of the disk.
type logFile struct {
	path   string
	stderr bool // this process's standard error goes there too

	mu   sync.Mutex
	file *os.File // guarded by mu; nil where none could be opened
	size int64    // guarded by mu
}

// openLog opens the log for appending. With stderr a crash of the runtime is
// found in it as well. With an error it returns a log that keeps nothing.
func openLog(path string, stderr bool) (*logFile, error) {
	l := &logFile{path: path, stderr: stderr}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return l, err
	}
	return l, l.open()
}

func (l *logFile) open() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	l.file, l.size = f, info.Size()
	if l.stderr {
		_ = duplicate(int(f.Fd()), 2)
	}
	return nil
}

// Write appends one line. A log that cannot be written is no reason to stop.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return len(p), nil
	}
	if l.size > 0 && l.size+int64(len(p)) > maxLog {
		l.rotate()
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

// rotate keeps writing to the old file where a new one cannot be had.
func (l *logFile) rotate() {
	old := l.file
	if os.Rename(l.path, l.path+".1") != nil {
		return
	}
	if l.open() == nil {
		old.Close()
	}
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// newLogger writes lines of text. DECK_LOG, if it names a level, decides what
// is left out.
func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	var l slog.Level
	if l.UnmarshalText([]byte(os.Getenv("DECK_LOG"))) == nil {
		level = l
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
