package ui

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// Note is one thing that a project remembers. Its texts come from outside and may
// have any character in them.
type Note struct {
	ID, Short           string // Short is what people call it
	Kind, Type          string // Type is what sort of discovery
	Project             string
	Title, Text, Reason string
	Tags                []string
	Files               []NoteFile
	Status              string // NEW, VERIFIED, REVIEWED, STALE, INVALIDATED
	SupersededBy        string
	Freshness           string // how its files stand, empty where none was looked at
	Stale               bool   // what it is about has changed since
	By                  string // who wrote it; empty for a person at a shell
	Branch              string
	Updated, VerifiedAt time.Time
	VerifiedCommit      string
}

// The statuses that a person gives a note.
const (
	statusVerified    = "VERIFIED"
	statusStale       = "STALE"
	statusInvalidated = "INVALIDATED"
)

// NoteFile is a place that a note is about, and how it stands.
type NoteFile struct{ Path, Lines, Freshness, Now string }

// FoundNote is a note that answers words. Marks are the byte ranges of the snippet
// that do.
type FoundNote struct {
	Note
	Snippet string
	Marks   [][2]int
}

// ProjectPage is what is known of a project.
type ProjectPage struct {
	Name, Branch string
	Notes        int
	Task         *Task  // of the checkout; nil: none is recorded
	Tasks        []Task // of the other checkouts
	Decisions    []Note
	Handoffs     []Handoff
	Related      []string
	Events       []ProjectEvent // the newest first
}

// Task is what is being done in one checkout.
type Task struct {
	Checkout, Branch                       string
	Task, Status, Step, Next, Tests, Error string
	By                                     string
	Updated                                time.Time
}

// Handoff is what one agent left for the next.
type Handoff struct {
	From, Title, Text string
	Updated           time.Time
}

// ProjectEvent is something that happened in a project.
type ProjectEvent struct {
	At             time.Time
	Kind, Text, By string
}

// head is the note's title, or the first line of its text.
func (n Note) head() string {
	line, _, _ := strings.Cut(strings.TrimSpace(n.Text), "\n")
	return clean(cmp.Or(n.Title, line))
}

// about says in a line why a note is so, or which files it is about.
func (n Note) about() string {
	if n.Reason != "" {
		return clean("because: " + n.Reason)
	}
	var files []string
	for _, f := range n.Files {
		files = append(files, f.place())
	}
	return strings.Join(files, ", ")
}

// standing is a word for how far a note is to be believed.
func (n Note) standing() (string, look) {
	switch {
	case n.SupersededBy != "":
		return "superseded", lookDead
	case n.Status == statusInvalidated:
		return "invalidated", lookDead
	case n.Stale || n.Status == statusStale:
		return "stale", lookBlocked
	case n.Status == statusVerified:
		return "verified", lookDone
	}
	return strings.ToLower(clean(n.Status)), lookFaint
}

// doubtful reports whether it is not to be believed as it stands.
func (n Note) doubtful() bool {
	return n.Stale || n.SupersededBy != "" || n.Status == statusStale || n.Status == statusInvalidated
}

// place is a file with its lines.
func (f NoteFile) place() string { return joinedBy(":", clean(f.Path), clean(f.Lines)) }

// noteAge is how old something remembered is.
func noteAge(at, now time.Time) string {
	const day = 24 * time.Hour
	switch d := now.Sub(at); {
	case at.IsZero() || now.IsZero() || d < 100*day:
		return age(at, now)
	case d < 730*day:
		return strconv.Itoa(int(d/(30*day))) + "mo"
	default:
		return strconv.Itoa(int(d/(365*day))) + "y"
	}
}
