package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	memory "deck/context"
	"deck/term/wire"
)

// archive is the server's one open memory. It is opened by the first request that
// needs it, outside of the loop; that it cannot be opened is an answer to
// that request, and nothing to the panes.
type archive struct {
	dir     string
	socket  string // of this server, for another one that finds the memory taken
	log     *slog.Logger
	rules   func() memory.RedactRules
	who     func(context.Context, caller) memory.Author
	sources *memory.Sources
	written *projector

	draining sync.Mutex // held while a spool is taken in

	mu     sync.Mutex
	store  *memory.Store // guarded by mu; nil until it is opened
	failed error         // guarded by mu: of the last attempt
	tried  time.Time     // guarded by mu
	closed bool          // guarded by mu
}

// retryAfter is how long a failure to open the memory answers everybody: many who
// come at once need not each wait for the same lock.
const retryAfter = time.Second

// MemoryPath is where the memory is: $XDG_DATA_HOME/deck/memory, else under
// ~/.local/share.
func MemoryPath() string { return xdg("XDG_DATA_HOME", ".local/share", "deck", "memory") }

func newArchive(dir, socket string, log *slog.Logger) *archive {
	a := &archive{dir: dir, socket: socket, log: log, sources: memory.NewSources()}
	a.rules = func() memory.RedactRules { return memory.RedactRules{} }
	a.who = func(context.Context, caller) memory.Author { return memory.Author{} }
	a.written = newProjector(a)
	return a
}

// open returns the memory, opened where it is not yet.
func (a *archive) open() (*memory.Store, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.store != nil:
		return a.store, nil
	case a.closed:
		return nil, errStopping
	case a.failed != nil && time.Since(a.tried) < retryAfter:
		return nil, a.failed
	}
	redact, err := memory.NewRedactor(a.rules())
	if err == nil {
		a.store, err = memory.Open(memory.Options{Dir: a.dir, Log: a.log, Redact: redact})
	}
	a.failed, a.tried = err, time.Now()
	if err != nil {
		a.log.Error("memory not opened", "err", err)
		a.failed = a.explain(err)
		return nil, a.failed
	}
	for _, n := range a.store.Notices() {
		a.log.Warn("memory opened", "notice", n)
	}
	a.sign()
	return a.store, nil
}

// ownerFile names the server that has the memory open, so that another one can
// say which it is.
const ownerFile = "server"

func (a *archive) sign() {
	if err := writeWhole(filepath.Join(a.dir, ownerFile), []byte(a.socket+"\n")); err != nil {
		a.log.Warn("memory not signed", "err", err)
	}
}

// explain makes an answer of a failure to open the memory.
func (a *archive) explain(err error) error {
	e := &wire.Error{Code: wire.CodeContextUnavailable, Message: err.Error(), Hint: `panes are not concerned; "deck server log" has more`}
	if errors.Is(err, memory.ErrInUse) {
		e.Hint = "end the other process first"
		if owner, err := os.ReadFile(filepath.Join(a.dir, ownerFile)); err == nil && len(owner) < maxPath {
			e.Hint = "another server has it; ask that one: deck -L " + cleanText(strings.TrimSpace(string(owner)), maxPath)
		}
	}
	return e
}

// maxPath is the longest path that an answer repeats, in bytes.
const maxPath = 4096

// close ends the memory. Requests that still come are refused.
func (a *archive) close() {
	a.written.close()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.store == nil {
		return
	}
	if err := a.store.Close(); err != nil {
		a.log.Error("memory not closed", "err", err)
	}
	a.store = nil
}

// reconfigure puts the rules of the configuration in force for what is stored
// from now on.
func (a *archive) reconfigure() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed = nil
	if a.store == nil {
		return
	}
	redact, err := memory.NewRedactor(a.rules())
	if err != nil {
		a.log.Error("redaction rules not used", "err", err)
		return
	}
	a.store.SetRedact(redact)
}

// memoryError gives an error of memory its code.
func memoryError(err error) error {
	var known *wire.Error
	var lookup *memory.LookupError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.As(err, &lookup):
		code := wire.CodeAmbiguous
		if errors.Is(err, memory.ErrNotFound) {
			code = wire.CodeNoteNotFound
			if lookup.What == "project" {
				code = wire.CodeProjectNotFound
			}
		}
		return &wire.Error{Code: code, Message: cleanText(err.Error(), maxText), Hint: cleanText(lookup.Hint(), maxText)}
	case errors.Is(err, memory.ErrEmpty), errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrForeign), errors.Is(err, memory.ErrSource):
		return &wire.Error{Code: wire.CodeInvalid, Message: cleanText(err.Error(), maxText)}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &wire.Error{Code: wire.CodeContextUnavailable, Message: cleanText(err.Error(), maxText), Hint: `"deck memory doctor" looks it over`}
}

// standing is where a request comes from, as memory sees it.
type standing struct {
	store   *memory.Store
	place   memory.Place   // Dir is empty where the folder is of no use: it is another project's, or none was said
	project memory.Project // ID is empty where none is known
	notices []string
}

// stand finds the project that a request is about. With make a folder that was not
// known becomes one.
func (a *archive) stand(ctx context.Context, p wire.Place, make bool) (standing, error) {
	st, err := a.open()
	if err != nil {
		return standing{}, err
	}
	s := standing{store: st, notices: st.Notices()}
	if p.Cwd != "" {
		if s.place, err = memory.FindPlace(p.Cwd); err != nil && p.Project == "" || !filepath.IsAbs(p.Cwd) {
			return s, invalid("no such folder: %s", cleanText(p.Cwd, maxText))
		}
		a.drain(ctx, st, s.place)
	}
	if p.Project != "" {
		return s, s.named(ctx, p.Project)
	}
	if p.Cwd == "" {
		if make {
			return s, invalid("a project is missing")
		}
		return s, nil
	}
	var found memory.Found
	s.project, found, err = st.Project(ctx, s.place, make)
	if errors.Is(err, memory.ErrNotFound) && !make {
		err = nil
	}
	if err != nil {
		return s, memoryError(err)
	}
	s.place = s.place.In(s.project)
	s.tell(found)
	return s, nil
}

// named makes the standing one in a project that is called by name. The folder
// still says which checkout it is, if it is one of that project.
func (s *standing) named(ctx context.Context, name string) (err error) {
	if s.project, err = s.store.ProjectNamed(name); err != nil {
		return memoryError(err)
	}
	if here, _, err := s.store.Project(ctx, s.place, false); s.place.Dir == "" || err != nil || here.ID != s.project.ID {
		s.place = memory.Place{}
	}
	s.place = s.place.In(s.project)
	return nil
}

// tell says how a folder was matched with a project where that is not plain.
func (s *standing) tell(f memory.Found) {
	name := cleanText(s.project.Name, maxLabel)
	if f.Moved != "" {
		s.notices = append(s.notices, fmt.Sprintf("project %s was at %s, which is gone: it is here from now on", name, cleanText(f.Moved, maxText)))
	}
	if f.Twin != "" && f.Made {
		s.notices = append(s.notices, fmt.Sprintf("project %s has the history of %s: deck project link %s makes them one",
			name, cleanText(f.Twin, maxLabel), cleanText(f.Twin, maxLabel)))
	}
}

// needed is the error where a verb is about a project and none is known.
func (s *standing) needed() error {
	if s.project.ID != "" {
		return nil
	}
	return &wire.Error{Code: wire.CodeProjectNotFound, Message: "nothing is known of this folder yet",
		Hint: "deck remember, discover, decide and task update begin a project; deck projects lists them"}
}
