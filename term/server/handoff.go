package server

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	memory "deck/context"
	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// The states of a hand-off.
const (
	handoffOpen   = "open"
	handoffDone   = "done"
	handoffFailed = "failed"
	handoffExited = "exited" // its pane was closed before
)

// maxHandoffs is how many that are over the server remembers; the store has them
// all.
const maxHandoffs = 200

// handoff is a task that was given to the agent of a pane. It is a value; the loop
// owns the ones that count.
type handoff struct {
	stored  memory.Handoff // without a project it could not be stored
	from    layout.PaneID  // empty: a person
	sender  string         // nick of from, else "a person"
	to      layout.PaneID
	agent   string
	dir     string // where its agent works
	place   memory.Place
	part    string // what its agent is beyond the task, by its definition
	file    string // absolute path of the task's file
	summary string
	nudged  bool // its sender knows that a turn has ended without a word
}

// newHandoff is a task of a caller, for an agent that works in a folder.
func (l *loop) newHandoff(c caller, task, dir string) handoff {
	id := memory.ID(ulid.Make().String())
	h := handoff{sender: aPerson, dir: dir, stored: memory.Handoff{ID: id, Title: headline(task), Text: task, Status: handoffOpen,
		Created: time.Now()}}
	if q := l.agentCalling(c); q != nil {
		h.from, h.sender, h.stored.From = q.id, q.nick, q.author()
	}
	return h
}

// aPerson is what stands for a nick where there is none.
const aPerson = "a person"

// headline is the beginning of a text, for lists.
func headline(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return cleanText(line, maxText)
}

// shortID is how people and agents name a hand-off.
func shortID(id memory.ID) string {
	s := strings.ToLower(string(id))
	return "h_" + s[max(len(s)-6, 0):]
}

func (h handoff) id() string { return shortID(h.stored.ID) }

// read is the sentence that sends an agent to its task. It has no character that
// means something to a shell, unless the agent works outside of the checkout.
func (h handoff) read() string {
	path := h.file
	if rel, err := filepath.Rel(h.dir, h.file); err == nil && strings.HasPrefix(h.dir+"/", h.place.Checkout+"/") {
		path = rel
	}
	return "Read " + path + " and do what it says."
}

// wire is the hand-off as a verb tells of it.
func (h handoff) wire(now time.Time) wire.Handed {
	return wire.Handed{ID: h.id(), State: h.stored.Status, From: h.sender, To: h.stored.To, Pane: string(h.to), Agent: h.agent,
		Task: cleanText(h.stored.Title, maxText), File: h.file, Summary: h.summary, AgeMillis: max(now.Sub(h.stored.Created).Milliseconds(), 0)}
}

// text is what its file says: the task, how to end it, and what the project
// remembers.
func (h handoff) text(snapshot string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Task %s\n\nFrom %s, %s.\n\n%s\n", h.id(), h.sender,
		h.stored.Created.UTC().Format("2006-01-02 15:04 UTC"), strings.TrimSpace(h.stored.Text))
	if h.part != "" {
		fmt.Fprintf(&b, "\n## Your part\n\n%s\n", strings.TrimSpace(h.part))
	}
	fmt.Fprintf(&b, "\n## When it is done\n\nRun: deck done %s \"what came of it\"\nWith --failed if it can't be done.\n", h.id())
	if h.from != "" {
		fmt.Fprintf(&b, "Questions: deck tell %s \"...\"\n", h.sender)
	}
	if snapshot != "" {
		fmt.Fprintf(&b, "\n## What the project remembers\n\n%s\n", strings.TrimSpace(snapshot))
	}
	return b.String()
}

// hand keeps a new hand-off from here on.
func (l *loop) hand(h handoff) {
	l.handoffs = append(l.handoffs, &h)
	over := len(l.handoffs) - maxHandoffs
	l.handoffs = slices.DeleteFunc(l.handoffs, func(o *handoff) bool {
		drop := over > 0 && o.stored.Status != handoffOpen
		if drop {
			over--
		}
		return drop
	})
	if p := l.panes[h.to]; p != nil {
		l.change(p)
	}
}

// openHandoffs returns the tasks that a pane has not done.
func (l *loop) openHandoffs(p *pane) []*handoff {
	var open []*handoff
	for _, h := range l.handoffs {
		if h.to == p.id && h.stored.Status == handoffOpen {
			open = append(open, h)
		}
	}
	return open
}

// mayClose reports whether a task keeps a pane open.
func (l *loop) mayClose(p *pane, force bool) error {
	open := l.openHandoffs(p)
	if force || len(open) == 0 {
		return nil
	}
	return &wire.Error{Code: wire.CodeHandoffOpen, Message: fmt.Sprintf("%s has a task that is not done: %s", p.nick, open[0].id()),
		Hint: "deck close --force " + p.nick + " closes it all the same"}
}

// abandon ends the tasks of a pane that is closed, and tells those who gave them.
func (l *loop) abandon(p *pane) {
	for _, h := range l.openHandoffs(p) {
		h.stored.Status = handoffExited
		l.tellResult(p, *h)
		if l.o.memory != nil {
			l.o.memory.handed(*h, l.handoffIndex(h.place.Checkout))
		}
	}
}

// tellResult tells whoever gave a task what came of it: an agent through its inbox,
// a person at the screen.
func (l *loop) tellResult(p *pane, h handoff) {
	head := fmt.Sprintf("Task %s is %s, says %s", h.id(), h.stored.Status, who(p))
	if h.stored.Status == handoffExited {
		head = fmt.Sprintf("%s was closed before task %s was done", who(p), h.id())
	}
	if l.tellAgent(l.panes[h.from], p, kindDone, head+".", cmp.Or(h.summary, h.stored.Title)) != "" {
		return
	}
	for _, a := range l.order {
		l.notice(a.id, lifecycle.Clean(head+": "+headline(cmp.Or(h.summary, h.stored.Title)), lifecycle.MaxDetail), h.stored.Status != handoffDone)
	}
}

// tellAgent puts what one pane's agent has to say into the inbox of another's, and
// returns the message's id, empty where nobody is there to read it.
func (l *loop) tellAgent(to, from *pane, kind, head, text string) string {
	if to == nil || to.tab == nil || to == from || to.status().Agent == "" || to.status().Exited {
		return ""
	}
	m := lifecycle.Message{ID: l.newMessageID(), Kind: kind, From: string(from.id), Text: fenced(head, text)}
	if _, err := l.mailTo(to, m); err != nil {
		l.log.Warn("message not sent", "pane", string(to.id), "kind", kind, "err", err)
		return ""
	}
	return m.ID
}

// handoffIndex lists the open tasks of a checkout, for its file.
func (l *loop) handoffIndex(checkout string) string {
	var b strings.Builder
	b.WriteString("# Open tasks\n\n")
	n := 0
	for _, h := range l.handoffs {
		if h.place.Checkout == checkout && h.stored.Status == handoffOpen {
			n++
			fmt.Fprintf(&b, "- %s, from %s to %s: %s (handoffs/%s.md)\n", h.id(), h.sender, h.stored.To, h.stored.Title, h.id())
		}
	}
	if n == 0 {
		b.WriteString("None.\n")
	}
	return b.String()
}

// resultMark is between a task and what came of it, as they are stored.
const resultMark = "\n\nResult: "

// keepHandoff stores a hand-off in the project of its checkout. What keeps it from
// being stored is a notice: its file is there, and the server knows it.
func (a *archive) keepHandoff(ctx context.Context, h *handoff) (notices []string) {
	s, err := a.stand(ctx, wire.Place{Cwd: h.place.Checkout}, true)
	if err == nil {
		h.stored.Project, h.stored.Checkout, h.stored.Branch = s.project.ID, h.place.Checkout, h.place.Branch
		record := h.stored
		if h.summary != "" {
			record.Text += resultMark + h.summary
		}
		_, err = s.store.PutHandoff(ctx, record)
	}
	if err == nil && h.stored.Status != handoffOpen {
		// It is cut where it is stored, since half a secret is not known for one.
		first, _, _ := strings.Cut(cmp.Or(h.summary, h.stored.Title), "\n")
		text := fmt.Sprintf("%s %s: %s", h.id(), h.stored.Status, first)
		err = s.store.AddEvent(ctx, memory.Event{Project: h.stored.Project, Checkout: h.place.Checkout, Kind: "result", Text: text,
			Author: memory.Author{Agent: h.agent, Nick: h.stored.To}})
	}
	if err != nil {
		a.log.Warn("hand-off not stored", "id", h.id(), "err", err)
		return []string{"the project does not remember it: " + cleanText(err.Error(), maxText)}
	}
	a.touch(s)
	return nil
}

// snapshot is what the project of a folder remembers, for who begins to work there;
// empty where nothing is known.
func (a *archive) snapshot(ctx context.Context, dir string) string {
	got, err := a.getContext(ctx, caller{}, wire.GetContext{Place: wire.Place{Cwd: dir}})
	if err != nil {
		return ""
	}
	return got.Text
}

// writeTask writes the file of a task into the checkout of its folder. What looks
// like a secret is left out of it; the rules that found any are returned.
func (a *archive) writeTask(ctx context.Context, h *handoff) (redacted []string, err error) {
	if h.place, err = memory.FindPlace(h.dir); err != nil {
		return nil, invalid("no such folder: %s", cleanText(h.dir, maxText))
	}
	r, err := memory.NewRedactor(a.rules())
	if err != nil {
		return nil, err
	}
	var found []memory.Finding
	h.stored.Text, found = r.Redact(h.stored.Text)
	h.stored.Title = headline(h.stored.Text)
	for _, f := range found {
		redacted = append(redacted, f.Rule)
	}
	name := filepath.Join("handoffs", h.id()+".md")
	h.file = filepath.Join(h.place.Checkout, memory.Folder, name)
	err = memory.WriteProjections(h.place.Checkout, []memory.File{{Name: name, Text: h.text(a.snapshot(ctx, h.dir))}})
	if err != nil {
		return nil, &wire.Error{Code: wire.CodeInvalid, Message: "can't write the task: " + cleanText(err.Error(), maxText)}
	}
	return redacted, nil
}

// writeIndex writes the list of a checkout's open tasks.
func (a *archive) writeIndex(checkout, index string) {
	if err := memory.WriteProjections(checkout, []memory.File{{Name: "handoff.md", Text: index}}); err != nil {
		a.log.Warn("list of tasks not written", "err", err)
	}
}

// handed stores what became of a hand-off by itself, later and in another goroutine.
func (a *archive) handed(h handoff, index string) {
	if !a.written.later(func(ctx context.Context) {
		a.keepHandoff(ctx, &h)
		a.writeIndex(h.place.Checkout, index)
	}) {
		a.log.Warn("hand-off not stored", "id", h.id())
	}
}
