package memory

import "time"

// Project is what notes belong to: a repository with all its worktrees, or a folder.
type Project struct {
	ID      ID        `json:"id"`
	Name    string    `json:"name"`              // unique, for people
	Paths   []string  `json:"paths,omitempty"`   // resolved keys: git common directories, or folders; the newest first
	Remote  string    `json:"remote,omitempty"`  // normalised, "github.com/acme/app"
	Root    string    `json:"root,omitempty"`    // root commit
	Private bool      `json:"private,omitempty"` // kept out of what other projects recall
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// Place is what the file system says about the folder a request comes from.
type Place struct {
	Dir      string // the folder itself, resolved
	Key      string // what makes it a project: the git common directory, else the folder
	Checkout string // top of the work tree, else the folder
	Branch   string // empty outside git and for a detached head
	Commit   string // the checkout's commit
	Remote   string // normalised
	Root     string // root commit
	Git      bool
}

// Task is what is being done in one checkout: the task, its state and what comes next.
type Task struct {
	ID       ID        `json:"id"`
	Project  ID        `json:"project"`
	Checkout string    `json:"checkout,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Task     string    `json:"task"`
	Status   string    `json:"status,omitempty"`
	Step     string    `json:"step,omitempty"`
	Next     string    `json:"next,omitempty"`
	Tests    string    `json:"tests,omitempty"`
	Error    string    `json:"error,omitempty"`
	Author   Author    `json:"author,omitzero"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
}

// TaskUpdate changes a task: nil fields stay as they are. A new Task text begins a new task.
type TaskUpdate struct {
	Project                                ID
	Checkout, Branch                       string
	Task, Status, Step, Next, Tests, Error *string
	Author                                 Author
}

// Event is something that happened in a project.
type Event struct {
	ID       ID        `json:"id"` // its time is the event's
	Project  ID        `json:"project"`
	Checkout string    `json:"checkout,omitempty"`
	Kind     string    `json:"kind"` // "remember", "decide", "task", "verify", …
	Text     string    `json:"text"` // one line
	Note     ID        `json:"note,omitempty"`
	Author   Author    `json:"author,omitzero"`
	At       time.Time `json:"at"`
}

// Relation types between projects.
const (
	RelatedTo          = "related-to"
	DependsOn          = "depends-on"
	UsesPattern        = "uses-pattern"
	SharesDatabaseWith = "shares-database-with"
)

// Relation ties a project to another.
type Relation struct {
	Project ID        `json:"project"`
	Type    string    `json:"type"`
	Other   ID        `json:"other"`
	Created time.Time `json:"created"`
}

// Handoff is what one agent left for the next.
type Handoff struct {
	ID       ID        `json:"id"`
	Project  ID        `json:"project"`
	Checkout string    `json:"checkout,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	From     Author    `json:"from,omitzero"`
	To       string    `json:"to,omitempty"` // a nick or program, empty for whoever comes
	Title    string    `json:"title,omitempty"`
	Text     string    `json:"text"`
	Files    []string  `json:"files,omitempty"`
	Status   string    `json:"status,omitempty"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
}
