package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"deck/hooks"
	"deck/lifecycle"
	"deck/term/wire"
)

const (
	// maxNatives is how many sessions are remembered; the oldest go first.
	maxNatives = 200
	// maxNativesFile is the most that is read of their file, in bytes.
	maxNativesFile = 1 << 20
	// againAfter is how long a session that is heard of again is not kept anew:
	// some agents name theirs with every report.
	againAfter = time.Minute
)

// native is an agent's own session, which it can go on with after its program
// has ended.
type native struct {
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Argv    []string  `json:"argv,omitempty"` // what goes on with it, as its own hook said
	Dir     string    `json:"dir"`
	Pane    string    `json:"pane"`
	Nick    string    `json:"nick"`
	At      time.Time `json:"at"` // when it was last heard of
}

// valid reports whether what was read can be used: nothing else of a file that
// anybody with the person's rights can write is believed.
func (n native) valid() bool {
	r := lifecycle.Report{Source: "integration:file", Agent: n.Agent, Session: n.Session, Resume: n.Argv}
	return n.Session != "" && filepath.IsAbs(n.Dir) && r.Validate() == nil
}

// nativesFile is where native sessions are kept.
type nativesFile struct {
	path string
	mu   sync.Mutex
	done uint64 // guarded by mu: the newest version that was written
}

// read returns what is kept, nothing where nothing is.
func (f *nativesFile) read() ([]native, error) {
	file, err := os.OpenFile(f.path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxNativesFile))
	if err != nil {
		return nil, err
	}
	var kept []native
	if err := json.Unmarshal(text, &kept); err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, err)
	}
	return slices.DeleteFunc(kept, func(n native) bool { return !n.valid() }), nil
}

// write keeps a version, unless a newer one is there.
func (f *nativesFile) write(kept []native, version uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if version <= f.done {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	if err := e.Encode(kept); err != nil {
		return err
	}
	if err := ownFolder(filepath.Dir(f.path)); err != nil {
		return err
	}
	if err := writeWhole(f.path, b.Bytes()); err != nil {
		return err
	}
	f.done = version
	return nil
}

// natives is what the loop knows of native sessions; owned by the loop.
type natives struct {
	file    *nativesFile // nil: nothing is kept
	list    []native     // the newest last
	version uint64
	writing bool // one writes
	again   bool // and there is something newer
}

// recall reads what another server kept. What cannot be read stays as it is
// until something new is kept.
func (l *loop) recall() {
	if l.o.state == "" {
		return
	}
	l.natives.file = &nativesFile{path: l.o.state + ".sessions.json"}
	kept, err := l.natives.file.read()
	if err != nil {
		l.log.Warn("sessions of agents not read", "err", err)
		return
	}
	l.natives.list = kept
}

// remember keeps the native session that a pane's agent is in.
func (l *loop) remember(p *pane, agent, session string, argv []string) {
	if session == "" {
		return
	}
	n := native{Agent: agent, Session: session, Argv: slices.Clone(argv), Dir: p.cwd(), Pane: string(p.id), Nick: p.nick, At: time.Now()}
	old := p.native
	if !n.valid() || old.Agent == agent && old.Session == session && slices.Equal(old.Argv, argv) && n.At.Sub(old.At) < againAfter {
		return
	}
	p.native = n
	s := &l.natives
	s.list = slices.DeleteFunc(s.list, func(o native) bool { return o.Agent == agent && o.Session == session })
	s.list = append(s.list, n)
	if over := len(s.list) - maxNatives; over > 0 {
		s.list = slices.Delete(s.list, 0, over)
	}
	s.version++
	l.keepNatives()
}

// keepNatives writes the list outside of the loop, once at a time.
func (l *loop) keepNatives() {
	s := &l.natives
	if s.file == nil || s.writing {
		s.again = s.writing
		return
	}
	s.writing, s.again = true, false
	file, list, version := s.file, slices.Clone(s.list), s.version
	l.aside(func() {
		err := file.write(list, version)
		l.post(func() {
			s.writing = false
			if err != nil {
				l.log.Warn("sessions of agents not kept", "err", err)
			}
			if s.again {
				l.keepNatives()
			}
		})
	})
}

// lastNatives writes what was not written yet; the loop ends with it.
func (l *loop) lastNatives() {
	if s := &l.natives; s.file != nil && s.version > 0 {
		if err := s.file.write(s.list, s.version); err != nil {
			l.log.Warn("sessions of agents not kept", "err", err)
		}
	}
}

// sessionsOf returns the sessions of an agent in a folder, by any of its paths,
// that no pane has, the newest first.
func (l *loop) sessionsOf(agent string, dirs ...string) []native {
	var found []native
	for _, n := range slices.Backward(l.natives.list) {
		if n.Agent == agent && slices.Contains(dirs, n.Dir) && !l.lives(n) {
			found = append(found, n)
		}
	}
	return found
}

// lives reports whether a pane's agent is in a session.
func (l *loop) lives(n native) bool {
	for _, p := range l.panes {
		if !p.ended && p.term != nil && p.native.Agent == n.Agent && p.native.Session == n.Session && !p.status().Exited {
			return true
		}
	}
	return false
}

// lastSession returns the newest session of an agent in a folder that can be
// gone on with.
func (l *loop) lastSession(ctx context.Context, a hooks.Agent, dir string, env []string) (string, error) {
	if !a.CanResume() {
		return "", &wire.Error{Code: wire.CodeNoSession, Message: a.Title + " can't go on with a session"}
	}
	system := resolved(dir) // as the system names the folder that a program is in
	known, err := call(ctx, l, func() ([]native, error) { return l.sessionsOf(a.Name, dir, system), nil })
	if err != nil {
		return "", err
	}
	for _, n := range known {
		if exists, known := a.SessionExists(agentHome(a, env), n.Dir, n.Session); exists || !known {
			return n.Session, nil
		}
	}
	return "", &wire.Error{Code: wire.CodeNoSession, Message: fmt.Sprintf("no session of %s to go on with in %s", a.Title, cleanText(dir, maxText))}
}
