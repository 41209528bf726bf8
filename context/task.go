package memory

import (
	"context"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"
)

func taskPrefix(project ID, checkout string) []byte {
	return []byte(string(project) + checkout + "\x00")
}

func taskKey(t Task) []byte { return append(taskPrefix(t.Project, t.Checkout), t.ID...) }

// UpdateTask changes the task of a checkout. A task's text that differs begins
// a new task; the old one stays in the list.
func (s *Store) UpdateTask(ctx context.Context, u TaskUpdate) (t Task, err error) {
	checkout := line(u.Checkout, maxLine)
	redact := func(t string) string { return s.redact(t, map[string]bool{}) }
	err = s.update(ctx, func(tx *bolt.Tx) error {
		if _, err := projectOf(tx, u.Project); err != nil {
			return err
		}
		now := s.now()
		old, found := currentTask(tx, u.Project, checkout)
		t = old
		text := ""
		if u.Task != nil {
			text, _ = cut(redact(clean(*u.Task)), MaxText, cutMark)
		}
		if !found || text != "" && text != old.Task {
			t = Task{ID: s.ids.make(now), Project: u.Project, Checkout: checkout, Task: text, Created: now}
		}
		for _, f := range []struct {
			to   *string
			from *string
		}{{&t.Status, u.Status}, {&t.Step, u.Step}, {&t.Next, u.Next}, {&t.Tests, u.Tests}, {&t.Error, u.Error}} {
			if f.from != nil {
				*f.to = redactedLine(*f.from, maxLine, redact)
			}
		}
		if t.Task == "" && t.Status == "" && t.Step == "" && t.Next == "" && t.Tests == "" && t.Error == "" {
			return fmt.Errorf("%w: a task needs a text, a status, a step or what comes next", ErrEmpty)
		}
		if u.Branch != "" {
			t.Branch = redactedLine(u.Branch, maxTitle, redact)
		}
		t.Author, t.Updated = u.Author, now
		if err := put(tx.Bucket(bucketTasks), taskKey(t), t); err != nil {
			return err
		}
		return s.addEvent(tx, Event{Project: u.Project, Checkout: checkout, Kind: "task", Text: line(taskLine(t), maxTitle), Author: u.Author, At: now})
	})
	return t, err
}

// taskLine is a task in one line: where it stands, then what it is.
func taskLine(t Task) string {
	out := t.Status
	for _, part := range []string{t.Task, t.Step, t.Next} {
		if part != "" {
			if out != "" {
				out += ": "
			}
			return out + part
		}
	}
	return out
}

func currentTask(tx *bolt.Tx, project ID, checkout string) (t Task, found bool) {
	_ = each(tx.Bucket(bucketTasks), taskPrefix(project, checkout), true, func(last Task) bool {
		t, found = last, true
		return false
	})
	return t, found
}

// Task is the current task of a checkout. Where there is none, found is false.
func (s *Store) Task(project ID, checkout string) (t Task, found bool, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		t, found = currentTask(tx, project, line(checkout, maxLine))
		return nil
	})
	s.scrub(record{Task: &t})
	return t, found, err
}

// Tasks are the tasks of all checkouts of a project, the last changed first.
func (s *Store) Tasks(project ID) (out []Task, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		return each(tx.Bucket(bucketTasks), []byte(project), false, func(t Task) bool {
			s.scrub(record{Task: &t})
			out = append(out, t)
			return true
		})
	})
	slices.SortStableFunc(out, func(a, b Task) int { return b.Updated.Compare(a.Updated) })
	return out, err
}
