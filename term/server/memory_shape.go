package server

import (
	memory "deck/context"
	"deck/term/wire"
)

// names gives projects their names.
type names map[memory.ID]string

// namesOf reads the names of all projects.
func namesOf(st *memory.Store) (names, error) {
	list, err := st.Projects()
	if err != nil {
		return nil, memoryError(err)
	}
	n := names{}
	for _, p := range list {
		n[p.ID] = p.Name
	}
	return n, nil
}

func wireAuthor(a memory.Author) wire.Author {
	return wire.Author{Agent: a.Agent, Nick: a.Nick, Session: a.Session}
}

// wireNote is a note as a verb tells of it, with how its files stand.
func wireNote(n memory.Note, project string, states []memory.State) wire.Note {
	out := wire.Note{
		ID: string(n.ID), Short: n.Short, Ref: n.Ref, Project: project, ProjectID: string(n.Project), Kind: string(n.Kind), Type: n.Type,
		Title: n.Title, Text: n.Text, Reason: n.Reason, Tags: n.Tags, Status: string(n.Status), SupersededBy: string(n.SupersededBy),
		Author: wireAuthor(n.Author), Checkout: n.Checkout, Branch: n.Branch, Created: n.Created, Updated: n.Updated,
		VerifiedAt: n.VerifiedAt, VerifiedCommit: n.VerifiedCommit, Seen: n.Seen,
	}
	for _, who := range n.Also {
		out.Also = append(out.Also, wireAuthor(who))
	}
	word, _ := memory.Sum(states)
	out.Freshness, out.Stale = string(word), word == memory.FileChanged || word == memory.Missing
	for _, f := range n.Files {
		src := wire.Source{Path: f.Path, Lines: f.Lines}
		for _, s := range states {
			if s.Source.Path == f.Path && s.Source.Lines == f.Lines {
				src.Freshness, src.Now = string(s.Freshness), s.Now
			}
		}
		out.Files = append(out.Files, src)
	}
	return out
}

func wireHit(h memory.Hit, states []memory.State) wire.Hit {
	return wire.Hit{
		Note: wireNote(h.Note, h.ProjectName, states), Score: h.Score,
		Why: wire.HitWhy{Text: h.Why.Text, Project: h.Why.Project, Recency: h.Why.Recency, Status: h.Why.Status, Fresh: h.Why.Fresh,
			Words: h.Why.Words},
		Snippet: wire.Snippet{Text: h.Snippet.Text, Marks: h.Snippet.Marks},
	}
}

func wireTask(t memory.Task, project string) wire.Task {
	return wire.Task{ID: string(t.ID), Project: project, Checkout: t.Checkout, Branch: t.Branch, Task: t.Task, Status: t.Status, Step: t.Step,
		Next: t.Next, Tests: t.Tests, Error: t.Error, Author: wireAuthor(t.Author), Created: t.Created, Updated: t.Updated}
}

func wireProject(p memory.Project, notes int) wire.Project {
	return wire.Project{ID: string(p.ID), Name: p.Name, Paths: p.Paths, Remote: p.Remote, Private: p.Private, Notes: notes,
		Created: p.Created, Updated: p.Updated}
}

func wireHandoff(h memory.Handoff) wire.Handoff {
	return wire.Handoff{ID: string(h.ID), From: wireAuthor(h.From), To: h.To, Title: h.Title, Text: h.Text, Status: h.Status, Updated: h.Updated}
}

func wireEvent(e memory.Event) wire.ProjectEvent {
	return wire.ProjectEvent{At: e.At, Kind: e.Kind, Text: e.Text, Author: wireAuthor(e.Author)}
}
