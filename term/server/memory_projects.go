package server

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	memory "deck/context"
	"deck/term/wire"
)

// updateTask changes the task of a checkout.
func (a *archive) updateTask(ctx context.Context, c caller, r wire.UpdateTask) (wire.Task, error) {
	if r.Task == nil && r.Status == nil && r.Step == nil && r.Next == nil && r.Tests == nil && r.Error == nil {
		return wire.Task{}, invalid("nothing to change: a status, a task, a step or what comes next is missing")
	}
	s, err := a.stand(ctx, r.Place, true)
	if err != nil {
		return wire.Task{}, err
	}
	t, err := s.store.UpdateTask(ctx, taskUpdate(s, r, a.who(ctx, c)))
	if err != nil {
		return wire.Task{}, memoryError(err)
	}
	a.touch(s)
	return wireTask(t, s.project.Name), nil
}

func taskUpdate(s standing, r wire.UpdateTask, by memory.Author) memory.TaskUpdate {
	return memory.TaskUpdate{Project: s.project.ID, Checkout: s.place.Checkout, Branch: s.place.Branch,
		Task: r.Task, Status: r.Status, Step: r.Step, Next: r.Next, Tests: r.Tests, Error: r.Error, Author: by}
}

// listProjects lists all projects.
func (a *archive) listProjects(_ context.Context, _ caller, _ none) ([]wire.Project, error) {
	st, err := a.open()
	if err != nil {
		return nil, err
	}
	list, err := st.Projects()
	if err != nil {
		return nil, memoryError(err)
	}
	out := []wire.Project{}
	for _, p := range list {
		out = append(out, wireProject(p.Project, p.Notes))
	}
	return out, nil
}

// How much of each a project's page has.
const (
	pageDecisions = 10
	pageEvents    = 15
	pageHandoffs  = 5
)

// projectPage tells what is known of a project.
func (a *archive) projectPage(ctx context.Context, _ caller, r wire.Place) (wire.ProjectPage, error) {
	s, err := a.stand(ctx, r, false)
	if err != nil {
		return wire.ProjectPage{}, err
	}
	a.visit(s)
	if err := s.needed(); err != nil {
		return wire.ProjectPage{}, err
	}
	page := wire.ProjectPage{Project: wireProject(s.project, 0), Checkout: s.place.Checkout, Branch: s.place.Branch, Notices: s.notices}
	list, err := s.store.Projects()
	all := names{}
	for _, p := range list {
		if all[p.ID] = p.Name; p.ID == s.project.ID {
			page.Project.Notes = p.Notes
		}
	}
	if err != nil {
		return page, memoryError(err)
	}
	for _, fill := range []func(*wire.ProjectPage, *standing, names) error{a.pageTasks, a.pageNotes, a.pageRest} {
		if err := fill(&page, &s, all); err != nil {
			return page, memoryError(err)
		}
	}
	return page, nil
}

// pageTasks has the task of this checkout, and the last of each other one.
func (a *archive) pageTasks(page *wire.ProjectPage, s *standing, _ names) error {
	list, err := s.store.Tasks(s.project.ID)
	seen := map[string]bool{}
	for _, t := range list {
		if seen[t.Checkout] {
			continue
		}
		seen[t.Checkout] = true
		if out := wireTask(t, s.project.Name); t.Checkout == s.place.Checkout && s.place.Dir != "" {
			page.Task = &out
		} else {
			page.Tasks = append(page.Tasks, out)
		}
	}
	return err
}

func (a *archive) pageNotes(page *wire.ProjectPage, s *standing, _ names) error {
	list, err := s.store.Notes(memory.Listing{Project: s.project.ID, Kinds: []memory.Kind{memory.Decision}, Live: true, N: pageDecisions})
	for _, n := range list {
		page.Decisions = append(page.Decisions, wireNote(n, s.project.Name, nil))
	}
	return err
}

func (a *archive) pageRest(page *wire.ProjectPage, s *standing, all names) error {
	events, err := s.store.Events(s.project.ID, "", pageEvents)
	if err != nil {
		return err
	}
	for _, e := range events {
		page.Events = append(page.Events, wireEvent(e))
	}
	hands, err := s.store.Handoffs(s.project.ID, pageHandoffs)
	if err != nil {
		return err
	}
	for _, h := range hands {
		page.Handoffs = append(page.Handoffs, wireHandoff(h))
	}
	ties, err := s.store.Relations(s.project.ID)
	for _, r := range ties {
		page.Relations = append(page.Relations, wire.Relation{Project: all[r.Project], Type: r.Type, Other: all[r.Other]})
	}
	return err
}

// changeProject links a folder to a project, renames it or makes it private.
func (a *archive) changeProject(ctx context.Context, _ caller, r wire.ChangeProject) (wire.Project, error) {
	s, err := a.stand(ctx, wire.Place{Project: r.Project, Cwd: r.Cwd}, false)
	if err != nil {
		return wire.Project{}, err
	}
	if err := s.needed(); err != nil {
		return wire.Project{}, err
	}
	p := s.project
	if r.Link {
		place, err := memory.FindPlace(r.Cwd)
		if err != nil || !filepath.IsAbs(r.Cwd) {
			return wire.Project{}, invalid("no such folder: %s", cleanText(r.Cwd, maxText))
		}
		if p, err = s.store.Link(ctx, p.ID, place); err != nil {
			return wire.Project{}, memoryError(err)
		}
	}
	if r.Name != "" {
		if p, err = s.store.Rename(ctx, p.ID, r.Name); err != nil {
			return wire.Project{}, memoryError(err)
		}
	}
	if r.Private != nil {
		if p, err = s.store.SetPrivate(ctx, p.ID, *r.Private); err != nil {
			return wire.Project{}, memoryError(err)
		}
	}
	a.written.change(p.ID, memory.Place{})
	list, err := s.store.Projects()
	if err != nil {
		return wire.Project{}, memoryError(err)
	}
	out := wireProject(p, 0)
	for _, i := range list {
		if i.ID == p.ID {
			out.Notes = i.Notes
		}
	}
	return out, nil
}

// forgetProject removes a project. It is named, so that nobody forgets the one they
// happen to stand in.
func (a *archive) forgetProject(ctx context.Context, c caller, r wire.Place) (wire.Forgotten, error) {
	if r.Project == "" {
		return wire.Forgotten{}, invalid("the name of the project is missing")
	}
	s, err := a.stand(ctx, wire.Place{Project: r.Project}, false)
	if err != nil {
		return wire.Forgotten{}, err
	}
	if p := s.project; !strings.EqualFold(p.Name, r.Project) && string(p.ID) != r.Project && !slices.Contains(p.Paths, r.Project) {
		name := cleanText(p.Name, maxLabel)
		return wire.Forgotten{}, &wire.Error{Code: wire.CodeProjectNotFound, Message: "no such project: " + cleanText(r.Project, maxLabel),
			Hint: "the beginning of a name is not enough to forget by; did you mean " + name + "?"}
	}
	written, err := s.store.Checkouts(s.project.ID)
	if err != nil {
		return wire.Forgotten{}, memoryError(err)
	}
	n, err := s.store.Forget(ctx, s.project.ID)
	a.log.Info("project forgotten", "asked_by", c.pid, "notes", n, "err", err)
	if err != nil {
		return wire.Forgotten{}, memoryError(err)
	}
	for _, checkout := range append(a.written.forget(s.project.ID), written...) {
		// The files are of whatever project is left there, or gone.
		if err := a.project(ctx, memory.Place{Dir: checkout}); err != nil {
			a.log.Warn("projections not removed", "err", err)
		}
	}
	return wire.Forgotten{Project: s.project.Name, Notes: n}, nil
}

// relate ties the project of a place to another.
func (a *archive) relate(ctx context.Context, c caller, r wire.Relate) (wire.Relation, error) {
	s, err := a.stand(ctx, r.Place, false)
	if err != nil {
		return wire.Relation{}, err
	}
	other, err := s.store.ProjectNamed(r.Other)
	if err != nil {
		return wire.Relation{}, memoryError(err)
	}
	if s.project.ID == "" {
		if s, err = a.stand(ctx, r.Place, true); err != nil {
			return wire.Relation{}, err
		}
	}
	tie, err := s.store.Relate(ctx, s.project.ID, other.ID, cmp.Or(r.As, memory.RelatedTo), a.who(ctx, c))
	if err != nil {
		return wire.Relation{}, memoryError(err)
	}
	a.touch(s)
	return wire.Relation{Project: s.project.Name, Type: tie.Type, Other: other.Name}, nil
}
