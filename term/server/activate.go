package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"deck/term/wire"
)

// startTime is how long a new server may take until it listens, the wait for an
// old one to be gone included.
const startTime = 20 * time.Second

// Ensure starts the server of a socket where none runs and returns when it
// answers. Of several clients that find none at the same moment one starts it
// while the others wait at the lock. An error of the new server's is returned
// in its own words.
func Ensure(ctx context.Context, o Options) error {
	o = o.withDefaults()
	state, _, err := Probe(ctx, o.Socket)
	if state != Missing {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := makeFolder(filepath.Dir(o.Socket)); err != nil {
		return err
	}
	starting, err := takeLock(ctx, o.beside(".start"))
	if err != nil {
		return err
	}
	defer starting.release()
	if state, _, err = Probe(ctx, o.Socket); state != Missing {
		return err
	}
	return start(ctx, o)
}

// errNoWord is a new server that ended before it said anything.
var errNoWord = errors.New("the server ended before it was ready")

// start tries the ways out of the login, best first, until a server runs.
func start(ctx context.Context, o Options) error {
	argv, err := serverCommand(o)
	if err != nil {
		return err
	}
	way, why := chooseWay(ctx, o)
	if way != nil {
		err := spawn(ctx, o, append(way, argv...), "systemd user scope "+unitOf(way))
		if !errors.Is(err, errNoWord) {
			return err
		}
		why = "systemd-run did not start it"
	}
	err = spawn(ctx, o, argv, "a session of its own ("+why+")")
	if errors.Is(err, errNoWord) {
		return fmt.Errorf("%w; its log is %s", err, o.Log)
	}
	return err
}

// serverCommand is the command line of this program as the server.
func serverCommand(o Options) ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	exe = strings.TrimSuffix(exe, " (deleted)")
	return []string{exe, "-L", o.Socket, "server", "start", "--foreground"}, nil
}

// spawn starts the server with its back to this process: another session, no
// terminal, the root folder. A pipe tells when it listens, or why it does not.
func spawn(ctx context.Context, o Options, argv []string, how string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), readyVariable+"=3", keptVariable+"="+how)
	if level, err := o.Level.MarshalText(); err == nil && os.Getenv("DECK_LOG") == "" {
		cmd.Env = append(cmd.Env, "DECK_LOG="+string(level))
	}
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	w.Close()
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	go func() { _ = cmd.Wait() }()
	defer context.AfterFunc(ctx, func() { _ = r.SetReadDeadline(time.Now()) })()
	err = listenTo(r)
	if ctx.Err() != nil {
		return fmt.Errorf("the server is not ready yet: %w", ctx.Err())
	}
	return err
}

// listenTo reads what a new server says: that it has begun, then that it is
// ready or what went wrong.
func listenTo(r io.Reader) error {
	begun := false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<10)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case wordBegun:
			begun = true
		case wordReady:
			return nil
		case wordError:
			e := &wire.Error{}
			if json.Unmarshal([]byte(rest), e) != nil {
				return errNoWord
			}
			return e
		}
	}
	if begun {
		return errors.New("the server failed before it was ready")
	}
	return errNoWord
}
