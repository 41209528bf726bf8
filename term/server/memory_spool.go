package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	memory "deck/context"
	"deck/term/layout"
	"deck/term/wire"
)

// The verbs that a spool can have.
const (
	spoolRemember = "remember"
	spoolTask     = "task"
)

// spooled is a write in a spool: the request of its verb, and the pane that the
// writer says it is in.
type spooled[Req any] struct {
	Pane    string `json:"pane,omitempty"`
	Request Req    `json:"request"`
}

// SpoolNote keeps a note for the server, in the checkout of the request's folder: a
// sandbox has refused the writer the socket.
func SpoolNote(pane string, r wire.Remember) error {
	return spool(r.Cwd, spoolRemember, spooled[wire.Remember]{pane, r})
}

// SpoolTask keeps a change of a task for the server.
func SpoolTask(pane string, r wire.UpdateTask) error {
	return spool(r.Cwd, spoolTask, spooled[wire.UpdateTask]{pane, r})
}

func spool(cwd, verb string, body any) error {
	p, err := memory.FindPlace(cwd)
	if err != nil {
		return err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	// A sandbox may keep the configuration from its reader; the rules that are built in remain.
	rules, _ := configuredRules()
	return memory.Spool(p.Checkout, memory.Spooled{Op: memory.ID(ulid.Make().String()), At: time.Now().UTC(), Verb: verb, Body: text}, rules)
}

// drain takes in what sandboxed writers left in a checkout. It costs a look at a
// folder where there is nothing.
func (a *archive) drain(ctx context.Context, st *memory.Store, p memory.Place) {
	if p.Dir == "" {
		return
	}
	if _, err := os.Lstat(filepath.Join(p.Checkout, memory.Folder)); err != nil {
		return
	}
	a.draining.Lock()
	defer a.draining.Unlock()
	done, bad, err := memory.Drain(p.Checkout, func(w memory.Spooled) error {
		err := a.takeIn(ctx, st, p, w)
		if err == nil || errors.Is(err, memory.ErrUnavailable) || errors.Is(err, memory.ErrDamaged) || ctx.Err() != nil {
			return err
		}
		a.log.Warn("spooled write refused", "verb", w.Verb, "err", err)
		return nil
	})
	if done+bad > 0 || err != nil {
		a.log.Info("spool taken in", "writes", done, "bad", bad, "err", err)
	}
}

// takeIn carries out a spooled write, as one of the checkout it lies in.
func (a *archive) takeIn(ctx context.Context, st *memory.Store, p memory.Place, w memory.Spooled) error {
	project, _, err := st.Project(ctx, p, true)
	if err != nil {
		return err
	}
	s := standing{store: st, place: p.In(project), project: project}
	switch w.Verb {
	case spoolRemember:
		err = a.takeNote(ctx, s, w)
	case spoolTask:
		err = a.takeTask(ctx, s, w)
	default:
		err = memory.ErrInvalid
	}
	if err == nil {
		a.touch(s)
	}
	return err
}

// writer is who spooled something: the agent of its pane if that is still there.
func (a *archive) writer(ctx context.Context, pane string) memory.Author {
	by := a.who(ctx, caller{pane: layout.PaneID(pane)})
	if by.Agent == "" {
		by.Agent = "sandbox"
	}
	return by
}

func (a *archive) takeNote(ctx context.Context, s standing, w memory.Spooled) error {
	var body spooled[wire.Remember]
	if err := strict(bytes.NewReader(w.Body), &body); err != nil {
		return memory.ErrInvalid
	}
	r := body.Request
	kind, err := memory.ParseKind(r.Kind)
	if err != nil {
		return err
	}
	op, err := memory.ParseID(string(w.Op))
	if err != nil {
		return err
	}
	from := s
	if at, err := memory.FindPlace(r.Cwd); err == nil && at.In(s.project).Checkout == s.place.Checkout {
		from.place = at.In(s.project)
	}
	d := draft(s, r, a.writer(ctx, body.Pane))
	d.Kind, d.Op = kind, op
	for _, f := range r.Files { // nobody is there to be told of one that cannot be cited
		if src, err := a.cite(ctx, &from, []string{f}); err == nil {
			d.Files = append(d.Files, src...)
		}
	}
	_, _, err = s.store.Remember(ctx, d)
	return err
}

func (a *archive) takeTask(ctx context.Context, s standing, w memory.Spooled) error {
	var body spooled[wire.UpdateTask]
	if err := strict(bytes.NewReader(w.Body), &body); err != nil {
		return memory.ErrInvalid
	}
	_, err := s.store.UpdateTask(ctx, taskUpdate(s, body.Request, a.writer(ctx, body.Pane)))
	return err
}

// Offline is what can be told of a folder's project without the server.
type Offline struct {
	Files map[string]string // projections by name
	At    time.Time         // when the newest was written
}

// Projections reads what the server wrote into the checkout of a folder, for those
// who cannot reach it.
func Projections(cwd string) (Offline, error) {
	p, err := memory.FindPlace(cwd)
	if err != nil {
		return Offline{}, err
	}
	files, err := memory.ReadProjections(p.Checkout)
	// Outside of git it is not known from here which folder above is the project's.
	for at := p.Checkout; !p.Git && len(files) == 0 && at != filepath.Dir(at); {
		at = filepath.Dir(at)
		if above, e := memory.ReadProjections(at); e == nil && len(above) > 0 {
			p.Checkout, files, err = at, above, nil
		}
	}
	o := Offline{Files: map[string]string{}}
	for _, f := range files {
		o.Files[f.Name] = f.Text
		if info, err := os.Lstat(filepath.Join(p.Checkout, memory.Folder, f.Name)); err == nil && info.ModTime().After(o.At) {
			o.At = info.ModTime()
		}
	}
	return o, err
}

// Secret is what was taken out of a text: where it was, never what.
type Secret struct {
	Rule string `json:"rule"`
	Line int    `json:"line"` // from 1
}

// configuredRules are the rules that are built in and those of the configuration.
func configuredRules() (*memory.Redactor, error) {
	c, err := loadConfig(ConfigPath())
	if err != nil {
		return nil, err
	}
	return memory.NewRedactor(c.Redact.rules())
}

// Redact takes the secrets out of what it reads, by the rules that are built in and
// those of the configuration.
func Redact(r io.Reader) (string, []Secret, error) {
	rules, err := configuredRules()
	if err != nil {
		return "", nil, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return "", nil, err
	}
	clean, found := rules.Redact(string(text))
	out := []Secret{}
	for _, f := range found {
		out = append(out, Secret{f.Rule, f.Line})
	}
	return clean, out, nil
}
