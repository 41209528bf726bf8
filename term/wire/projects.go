package wire

import "time"

// Project is what notes belong to, and how much is known of it.
type Project struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Paths   []string  `json:"paths,omitempty"`
	Remote  string    `json:"remote,omitempty"`
	Private bool      `json:"private,omitempty"` // kept out of what other projects recall
	Notes   int       `json:"notes"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// ProjectPage answers POST /v1/memory/project: what is known of a project.
type ProjectPage struct {
	Project   Project        `json:"project"`
	Checkout  string         `json:"checkout,omitempty"`
	Branch    string         `json:"branch,omitempty"`
	Task      *Task          `json:"task,omitempty"`  // of this checkout
	Tasks     []Task         `json:"tasks,omitempty"` // of the others
	Decisions []Note         `json:"decisions,omitempty"`
	Handoffs  []Handoff      `json:"handoffs,omitempty"`
	Relations []Relation     `json:"relations,omitempty"`
	Events    []ProjectEvent `json:"events,omitempty"` // the newest first
	Notices   []string       `json:"notices,omitempty"`
}

// Handoff is what one agent left for the next.
type Handoff struct {
	ID      string    `json:"id"`
	From    Author    `json:"from,omitzero"`
	To      string    `json:"to,omitempty"`
	Title   string    `json:"title,omitempty"`
	Text    string    `json:"text"`
	Status  string    `json:"status,omitempty"`
	Updated time.Time `json:"updated"`
}

// Relation ties a project to another; both are names.
type Relation struct {
	Project string `json:"project"`
	Type    string `json:"type"`
	Other   string `json:"other"`
}

// ProjectEvent is something that happened in a project.
type ProjectEvent struct {
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text"`
	Author Author    `json:"author,omitzero"`
}

// ChangeProject is POST /v1/memory/project/change: Link makes the folder Cwd a
// part of the project, Name renames it, Private keeps it out of what others recall.
type ChangeProject struct {
	Place
	Link    bool   `json:"link,omitempty"`
	Name    string `json:"name,omitempty"`
	Private *bool  `json:"private,omitempty"`
}

// Forgotten answers POST /v1/memory/project/forget.
type Forgotten struct {
	Project string `json:"project"`
	Notes   int    `json:"notes"`
}

// Relate is POST /v1/memory/relate: the project of the place is tied to another.
type Relate struct {
	Place
	Other string `json:"other"`
	As    string `json:"as,omitempty"` // empty: related-to
}

// Imported answers POST /v1/memory/import, whose body is an export or plain
// records, one JSON object a line.
type Imported struct {
	Records  int      `json:"records"`
	New      int      `json:"new"`
	Changed  int      `json:"changed"`
	Same     int      `json:"same"`
	Redacted int      `json:"redacted"`
	Cut      int      `json:"cut"`
	Projects []string `json:"projects,omitempty"` // that were made
}

// Doctor is POST /v1/memory/doctor.
type Doctor struct {
	Fix bool `json:"fix,omitempty"`
}

// Diagnosis answers Doctor.
type Diagnosis struct {
	Checks  []Check  `json:"checks"`
	Notices []string `json:"notices,omitempty"` // of the opening
}

// Check is one thing that doctor looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"`
	Fixed  bool   `json:"fixed,omitempty"`
}

// Compacted answers POST /v1/memory/compact, in bytes.
type Compacted struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// BackedUp answers POST /v1/memory/backup.
type BackedUp struct {
	Path string `json:"path"`
}

// Export is POST /v1/memory/export, whose answer is not JSON but the records, one
// a line. Without a place it is everything.
type Export struct {
	Place
	Since string `json:"since,omitempty"` // RFC 3339
}

// The codes of errors about memory.
const (
	CodeContextUnavailable = "context_unavailable" // 503: the storage failed; panes go on
	CodeNoteNotFound       = "note_not_found"      // 404
	CodeProjectNotFound    = "project_not_found"   // 404
)
