package server

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

const (
	// screenTime is how long a client's screen waits for the memory.
	screenTime = 10 * time.Second
	// screenNotes is how many notes a screen lists.
	screenNotes = 40
	// screenSnippet is about how much of a note's text stands under its title where
	// nothing was searched for, in bytes.
	screenSnippet = 240
)

// errNoMemory is what a loop without a memory says.
var errNoMemory = errors.New("there is no memory here")

// serveMemory answers what a client's screen asks of the memory.
func (l *loop) serveMemory(a *attached, r ui.Request) error {
	m := l.o.memory
	if m == nil {
		return errNoMemory
	}
	switch r := r.(type) {
	case ui.Recall:
		return l.fromMemory(a, r.From, func(ctx context.Context, at wire.Place) tea.Msg { return m.recallFor(ctx, at, r) })
	case ui.ReadNote:
		return l.fromMemory(a, r.From, func(ctx context.Context, at wire.Place) tea.Msg {
			n, err := m.findNote(ctx, caller{}, wire.FindNote{Place: at, ID: r.ID})
			return ui.NoteMsg{ID: r.ID, Note: noteFor(n), Problem: problemOf(err)}
		})
	case ui.JudgeNote:
		return l.fromMemory(a, r.From, func(ctx context.Context, at wire.Place) tea.Msg {
			got, err := m.verify(ctx, caller{}, wire.VerifyNote{Place: at, ID: r.ID, Status: r.Status})
			return ui.NoteMsg{ID: r.ID, Note: noteFor(got.Note), Said: strings.Join(got.Notices, "; "), Problem: problemOf(err)}
		})
	case ui.ReadProject:
		return l.fromMemory(a, r.From, func(ctx context.Context, at wire.Place) tea.Msg {
			page, err := m.projectPage(ctx, caller{}, at)
			return ui.ProjectMsg{From: r.From, Page: pageFor(page), Problem: problemOf(err)}
		})
	case ui.InsertNote:
		return l.fromMemory(a, r.At, func(ctx context.Context, at wire.Place) tea.Msg {
			out := ui.InsertedMsg{ID: r.ID}
			n, err := m.findNote(ctx, caller{}, wire.FindNote{Place: at, ID: r.ID})
			if err == nil {
				out.Nick, err = l.insert(ctx, r.At, insertion(n))
			}
			out.Problem = problemOf(err)
			return out
		})
	}
	return invalid("unknown request")
}

// fromMemory answers a client with what is asked from the folder of a pane, outside
// of the loop.
func (l *loop) fromMemory(a *attached, from layout.PaneID, ask func(context.Context, wire.Place) tea.Msg) error {
	return l.onPane(from, func(p *pane) error {
		sink, at := a.sink, wire.Place{Cwd: p.cwd()}
		l.aside(func() {
			ctx, cancel := context.WithTimeout(context.Background(), screenTime)
			defer cancel()
			sink.reply(ask(ctx, at))
		})
		return nil
	})
}

// problemOf is an error as a screen shows it.
func problemOf(err error) string {
	if err == nil {
		return ""
	}
	e := asWireError(err)
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ": " + e.Hint
}

// recallFor searches, or lists the newest notes of the project where nothing is
// searched for.
func (a *archive) recallFor(ctx context.Context, at wire.Place, r ui.Recall) ui.RecalledMsg {
	out := ui.RecalledMsg{From: r.From, Query: r.Query}
	if r.Query != "" {
		got, err := a.recall(ctx, caller{}, wire.Recall{Place: at, Query: r.Query, N: screenNotes})
		out.Searched, out.Project, out.Problem = got.Searched, got.Project, problemOf(err)
		for _, h := range got.Hits {
			out.Found = append(out.Found, ui.FoundNote{Note: noteFor(h.Note), Snippet: h.Snippet.Text, Marks: h.Snippet.Marks})
		}
		return out
	}
	list, err := a.listNotes(ctx, caller{}, wire.ListNotes{Place: at, N: screenNotes})
	var known *wire.Error
	if errors.As(err, &known) && known.Code == wire.CodeProjectNotFound {
		return out
	}
	out.Problem = problemOf(err)
	for _, n := range list {
		out.Project = n.Project
		out.Found = append(out.Found, ui.FoundNote{Note: noteFor(n), Snippet: cleanText(cmp.Or(n.Text, n.Reason), screenSnippet)})
	}
	return out
}

// noteFor is a note as a screen shows it.
func noteFor(n wire.Note) ui.Note {
	out := ui.Note{ID: n.ID, Short: n.Short, Kind: n.Kind, Type: n.Type, Project: n.Project, Title: n.Title, Text: n.Text, Reason: n.Reason,
		Tags: n.Tags, Status: n.Status, SupersededBy: n.SupersededBy, Freshness: n.Freshness, Stale: n.Stale, By: nameOf(n.Author),
		Branch: n.Branch, Updated: n.Updated, VerifiedAt: n.VerifiedAt, VerifiedCommit: n.VerifiedCommit}
	for _, f := range n.Files {
		out.Files = append(out.Files, ui.NoteFile(f))
	}
	return out
}

// nameOf is what people call an author, empty for one of them.
func nameOf(a wire.Author) string { return cmp.Or(a.Nick, a.Agent) }

// pageFor is a project's page as a screen shows it.
func pageFor(g wire.ProjectPage) ui.ProjectPage {
	out := ui.ProjectPage{Name: g.Project.Name, Branch: g.Branch, Notes: g.Project.Notes}
	if g.Task != nil {
		t := taskFor(*g.Task)
		out.Task = &t
	}
	for _, t := range g.Tasks {
		out.Tasks = append(out.Tasks, taskFor(t))
	}
	for _, n := range g.Decisions {
		out.Decisions = append(out.Decisions, noteFor(n))
	}
	for _, h := range g.Handoffs {
		out.Handoffs = append(out.Handoffs, ui.Handoff{From: nameOf(h.From), Title: h.Title, Text: h.Text, Updated: h.Updated})
	}
	for _, r := range g.Relations {
		out.Related = append(out.Related, r.Type+" "+r.Other)
	}
	for _, e := range g.Events {
		out.Events = append(out.Events, ui.ProjectEvent{At: e.At, Kind: e.Kind, Text: e.Text, By: nameOf(e.Author)})
	}
	return out
}

func taskFor(t wire.Task) ui.Task {
	return ui.Task{Checkout: t.Checkout, Branch: t.Branch, Task: t.Task, Status: t.Status, Step: t.Step, Next: t.Next, Tests: t.Tests,
		Error: t.Error, By: nameOf(t.Author), Updated: t.Updated}
}
