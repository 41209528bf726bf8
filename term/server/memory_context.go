package server

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	memory "deck/context"
	"deck/term/wire"
)

// What a context package is chosen from, the newest of each.
const (
	contextNotes    = 300
	contextHits     = 40
	contextEvents   = 30
	contextHandoffs = 10
)

// getContext tells what whoever begins to work should know.
func (a *archive) getContext(ctx context.Context, _ caller, r wire.GetContext) (wire.Context, error) {
	s, err := a.stand(ctx, r.Place, false)
	if err != nil {
		return wire.Context{}, err
	}
	a.visit(s)
	if s.project.ID == "" {
		return wire.Context{Notices: s.notices}, nil
	}
	in, err := a.gather(ctx, &s, r.Query)
	if err != nil {
		return wire.Context{}, memoryError(err)
	}
	if in.Task.ID == "" {
		if in.Task, err = elsewhere(&s); err != nil {
			return wire.Context{}, memoryError(err)
		}
	}
	if s.place.Dir != "" {
		in.Dirty = memory.Dirty(ctx, s.place, runGit)
	}
	out := wire.Context{Project: s.project.Name, Notices: s.notices}
	out.Text, out.LeftOut = memory.Package(in, memory.Budget{Tokens: r.Tokens, Bytes: r.Bytes})
	out.Tokens = memory.Tokens(out.Text)
	return out, nil
}

// elsewhere is the task that was changed last in another checkout: who has none here
// should know of it.
func elsewhere(s *standing) (memory.Task, error) {
	list, err := s.store.Tasks(s.project.ID)
	if err != nil || len(list) == 0 {
		return memory.Task{}, err
	}
	t := list[0]
	if t.Checkout != "" {
		t.Status = strings.TrimPrefix(t.Status+", in "+filepath.Base(t.Checkout), ", ")
	}
	return t, nil
}

// gather collects what is known of the project that a request is about. Words
// bring up what answers them, of other projects too.
func (a *archive) gather(ctx context.Context, s *standing, words string) (memory.PackageInput, error) {
	in := memory.PackageInput{Project: s.project.Name, Place: s.place, Now: time.Now()}
	var err error
	if s.place.Dir != "" {
		if in.Task, _, err = s.store.Task(s.project.ID, s.place.Checkout); err != nil {
			return in, err
		}
	}
	events, err := s.store.Events(s.project.ID, "", 4*contextEvents)
	if err != nil {
		return in, err
	}
	events = slices.DeleteFunc(events, memory.Event.Stored)
	in.Events = events[:min(len(events), contextEvents)]
	if in.Handoffs, err = s.store.Handoffs(s.project.ID, contextHandoffs); err != nil {
		return in, err
	}
	list, err := s.store.Notes(memory.Listing{Project: s.project.ID, Live: true, N: contextNotes})
	if err != nil {
		return in, err
	}
	if in.More, err = a.more(s, list); err != nil {
		return in, err
	}
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	scores, hits := map[memory.ID]float64{}, []memory.Hit{}
	if strings.TrimSpace(words) != "" {
		got, err := s.store.Search(ctx, memory.Query{Text: words, Project: s.project.ID, Checkout: s.place.Checkout, N: contextHits})
		if err != nil {
			return in, err
		}
		hits = got.Hits
	}
	for _, h := range hits {
		scores[h.ID] = h.Score
	}
	for _, n := range list {
		in.Notes = append(in.Notes, a.known(limited, s, n, "", scores[n.ID]))
		delete(scores, n.ID)
	}
	for _, h := range hits {
		if _, left := scores[h.ID]; left {
			name := h.ProjectName
			if h.Project == s.project.ID {
				name, in.More[h.Kind] = "", max(in.More[h.Kind]-1, 0)
			}
			in.Notes = append(in.Notes, a.known(limited, s, h.Note, name, h.Score))
		}
	}
	return in, nil
}

// more counts the notes of a project that are not in a list, which was cut.
func (a *archive) more(s *standing, list []memory.Note) (map[memory.Kind]int, error) {
	if len(list) < contextNotes {
		return map[memory.Kind]int{}, nil
	}
	counts, err := s.store.Counts(s.project.ID)
	for _, n := range list {
		counts[n.Kind]--
	}
	return counts, err
}

// known weighs a note for a package: what answers the words before all others, then
// what was verified and is fresh.
func (a *archive) known(ctx context.Context, s *standing, n memory.Note, project string, hit float64) memory.Known {
	states := a.look(ctx, s, n)
	word, factor := memory.Sum(states)
	k := memory.Known{Note: n, Freshness: word, Project: project, Score: factor * (1 + 10*hit)}
	for _, st := range states {
		if k.Now == "" {
			k.Now = st.Now
		}
	}
	switch n.Status {
	case memory.Verified:
		k.Score *= 1.05
	case memory.Stale:
		k.Score *= 0.9
	}
	return k
}

// gitTime is how long git may take to say what has changed.
const gitTime = 500 * time.Millisecond

// runGit runs git to ask it something. It runs no hook of the repository's and fetches
// nothing, which would run what the configuration names, too.
func runGit(ctx context.Context, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	git := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
	git.Env = append(gitEnv(), "GIT_ALLOW_PROTOCOL=none")
	git.Dir, git.WaitDelay = dir, gitTime
	return git.Output()
}
