package server

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	memory "deck/context"
)

// projectPause is how long after a write its projections follow; more writes in the
// meantime are one with it.
const projectPause = time.Second

// projector writes the files in .deck after what they show has changed, in a
// goroutine of its own.
type projector struct {
	a    *archive
	wake chan struct{}
	stop chan struct{}
	gone chan struct{} // closed when the goroutine has ended

	mu    sync.Mutex
	runs  bool                                  // guarded by mu: there is a goroutine
	ended bool                                  // guarded by mu
	due   map[string]memory.Place               // guarded by mu: by checkout
	seen  map[memory.ID]map[string]memory.Place // guarded by mu: checkouts that have .deck, by project
	jobs  []func(context.Context)               // guarded by mu: what comes before the files
}

// maxJobs is how much work may wait: events that come faster than they can be stored
// are lost.
const maxJobs = 256

func newProjector(a *archive) *projector {
	return &projector{a: a, wake: make(chan struct{}, 1), stop: make(chan struct{}), gone: make(chan struct{}),
		due: map[string]memory.Place{}, seen: map[memory.ID]map[string]memory.Place{}}
}

// change tells that a project has changed, from a checkout.
func (p *projector) change(project memory.ID, place memory.Place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if place.Dir != "" {
		p.see(project, place)
	}
	for checkout, pl := range p.seen[project] {
		p.due[checkout] = pl
	}
	p.begin()
}

// changeAll tells that any project may have changed.
func (p *projector) changeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, places := range p.seen {
		maps.Copy(p.due, places)
	}
	p.begin()
}

// forget lets a project go, and returns the checkouts it had files in.
func (p *projector) forget(project memory.ID) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	had := slices.Collect(maps.Keys(p.seen[project]))
	for _, checkout := range had {
		delete(p.due, checkout)
	}
	delete(p.seen, project)
	return had
}

// see remembers a checkout of a project. The caller holds mu.
func (p *projector) see(project memory.ID, place memory.Place) {
	if p.seen[project] == nil {
		p.seen[project] = map[string]memory.Place{}
	}
	p.seen[project][place.Checkout] = place
}

// visit tells that somebody has read from a checkout. One that has no files of deck's
// gets none by that.
func (p *projector) visit(project memory.ID, place memory.Place) {
	if _, err := os.Lstat(filepath.Join(place.Checkout, memory.Folder)); err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.see(project, place)
}

// later has work done in the goroutine; false where there is too much already.
func (p *projector) later(f func(context.Context)) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || len(p.jobs) >= maxJobs {
		return false
	}
	p.jobs = append(p.jobs, f)
	p.begin()
	return true
}

// begin wakes the goroutine, which there is from the first work on. The caller holds
// mu.
func (p *projector) begin() {
	if p.ended {
		return
	}
	if !p.runs {
		p.runs = true
		go p.run()
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *projector) run() {
	defer close(p.gone)
	pause := time.NewTimer(time.Hour)
	pause.Stop()
	defer pause.Stop()
	for waiting := false; ; {
		select {
		case <-p.stop:
			p.work()
			p.write()
			return
		case <-p.wake:
			p.work()
			if !waiting {
				waiting = true
				pause.Reset(projectPause)
			}
		case <-pause.C:
			waiting = false
			p.write()
		}
	}
}

// jobTime is how long one piece of work may take.
const jobTime = 10 * time.Second

// work does what waits.
func (p *projector) work() {
	p.mu.Lock()
	jobs := p.jobs
	p.jobs = nil
	p.mu.Unlock()
	for _, f := range jobs {
		p.guarded(f)
	}
}

// write brings the files of the checkouts up to date that are due.
func (p *projector) write() {
	p.mu.Lock()
	due := p.due
	p.due = map[string]memory.Place{}
	p.mu.Unlock()
	for _, checkout := range slices.Sorted(maps.Keys(due)) {
		p.guarded(func(ctx context.Context) {
			if err := p.a.project(ctx, due[checkout]); err != nil {
				p.a.log.Warn("projections not written", "err", err)
			}
		})
	}
}

// guarded does one piece of work; a panic in it costs that.
func (p *projector) guarded(f func(context.Context)) {
	defer func() {
		if v := recover(); v != nil {
			logPanic(p.a.log, "work of memory failed", v)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), jobTime)
	defer cancel()
	f(ctx)
}

// close does what waits and ends.
func (p *projector) close() {
	p.mu.Lock()
	runs := p.runs && !p.ended
	p.ended = true
	p.mu.Unlock()
	if runs {
		close(p.stop)
		<-p.gone
	}
}

// touch tells the projector of a write.
func (a *archive) touch(s standing) { a.written.change(s.project.ID, s.place) }

// touchNote tells the projector of a change of a note, which may be of another project than
// that of whoever changed it.
func (a *archive) touchNote(s standing, n memory.Note) {
	if n.Project != s.project.ID {
		s.place = memory.Place{}
	}
	a.written.change(n.Project, s.place)
}

// visit tells the projector of a reader.
func (a *archive) visit(s standing) {
	if s.project.ID != "" && s.place.Dir != "" {
		a.written.visit(s.project.ID, s.place)
	}
}

// happening is something that happened to an agent and that its project remembers.
type happening struct {
	dir        string // where its pane is
	kind, text string
	by         memory.Author
}

// happened has an agent's project remember what happened to it. It does not wait.
func (l *loop) happened(p *pane, kind, text string) {
	if l.o.happened == nil {
		return
	}
	l.o.happened(happening{dir: p.cwd(), kind: kind, text: text, by: p.author()})
}

// happened remembers an event, later and in another goroutine. A folder that no
// project is known of stays unknown.
func (a *archive) happened(h happening) {
	if !a.written.later(func(ctx context.Context) { a.record(ctx, h) }) {
		a.log.Warn("event not remembered", "kind", h.kind)
	}
}

func (a *archive) record(ctx context.Context, h happening) {
	st, err := a.open()
	if err != nil {
		return
	}
	place, err := memory.FindPlace(h.dir)
	if err != nil {
		return
	}
	project, _, err := st.Project(ctx, place, false)
	if errors.Is(err, memory.ErrNotFound) {
		return
	}
	place = place.In(project)
	if err == nil {
		err = st.AddEvent(ctx, memory.Event{Project: project.ID, Checkout: place.Checkout, Kind: h.kind, Text: h.text, Author: h.by})
	}
	if err != nil {
		a.log.Warn("event not remembered", "kind", h.kind, "err", err)
		return
	}
	a.written.change(project.ID, place)
}

// lookInto takes in what a sandboxed agent left in a folder's checkout, later and in
// another goroutine.
func (a *archive) lookInto(dir string) {
	a.written.later(func(ctx context.Context) {
		place, err := memory.FindPlace(dir)
		if err != nil {
			return
		}
		if _, err := os.Lstat(filepath.Join(place.Checkout, memory.Folder)); err != nil {
			return
		}
		if st, err := a.open(); err == nil {
			a.drain(ctx, st, place)
		}
	})
}

// project writes a checkout's files.
func (a *archive) project(ctx context.Context, place memory.Place) error {
	st, err := a.open()
	if err != nil {
		return err
	}
	// The checkout may have another branch than when it was seen.
	if place, err = memory.FindPlace(place.Dir); err != nil {
		return nil // it is gone
	}
	s := standing{store: st, place: place}
	if s.project, _, err = st.Project(ctx, place, false); errors.Is(err, memory.ErrNotFound) {
		return memory.RemoveProjections(place.Checkout)
	}
	if err != nil {
		return err
	}
	s.place = place.In(s.project)
	in, err := a.gather(ctx, &s, "")
	if err != nil {
		return err
	}
	return memory.WriteProjections(s.place.Checkout, memory.Projections(in, st.Redactor()))
}
