package lifecycle

import (
	"slices"
	"time"
)

// Change is that an agent went from one status to another.
type Change struct {
	Pane     string
	From, To Status
}

// Batch are the changes of one project's agents that are announced together.
type Batch struct {
	Project string
	Changes []Change
}

// Coalescer gathers changes per project, so that those who are told about a
// project are woken once for what happens together, and not at all for a state
// that is again what it was. The zero value announces at the next Due.
type Coalescer struct {
	Window  time.Duration // from a project's first change to its announcement
	batches []pendingBatch
}

type pendingBatch struct {
	Batch
	due time.Time
}

// Add takes a change.
func (c *Coalescer) Add(project string, ch Change, now time.Time) {
	i := slices.IndexFunc(c.batches, func(b pendingBatch) bool { return b.Project == project })
	if i < 0 {
		i = len(c.batches)
		c.batches = append(c.batches, pendingBatch{Batch: Batch{Project: project}, due: now.Add(c.Window)})
	}
	b := &c.batches[i]
	for j := range b.Changes {
		if b.Changes[j].Pane == ch.Pane {
			b.Changes[j].To = ch.To
			return
		}
	}
	b.Changes = append(b.Changes, ch)
}

// Due returns what is to be announced at now, and forgets it.
func (c *Coalescer) Due(now time.Time) []Batch {
	var due []Batch
	c.batches = slices.DeleteFunc(c.batches, func(b pendingBatch) bool {
		if now.Before(b.due) {
			return false
		}
		b.Changes = slices.DeleteFunc(b.Changes, func(ch Change) bool { return ch.From.same(ch.To) })
		if len(b.Changes) > 0 {
			due = append(due, b.Batch)
		}
		return true
	})
	return due
}

// Deadline is when Due has something next, false if nothing waits.
func (c *Coalescer) Deadline() (time.Time, bool) {
	var next time.Time
	for _, b := range c.batches {
		if next.IsZero() || b.due.Before(next) {
			next = b.due
		}
	}
	return next, !next.IsZero()
}

// same reports whether s and t say the same of the same agent, whatever their
// words.
func (s Status) same(t Status) bool {
	return s.State == t.State && s.Reason == t.Reason && s.Request.ID == t.Request.ID && s.Generation == t.Generation &&
		s.Agent == t.Agent && s.Exited == t.Exited
}
