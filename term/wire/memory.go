package wire

import "time"

// Place says where a request about memory comes from: the folder that finds the
// project and the checkout. Project means another project than the folder's, by
// name, id or path.
type Place struct {
	Cwd     string `json:"cwd,omitempty"`
	Project string `json:"project,omitempty"`
}

// Note is a piece of knowledge.
type Note struct {
	ID             string    `json:"id"`
	Short          string    `json:"short"`         // what people type
	Ref            string    `json:"ref,omitempty"` // its id where it was imported from
	Project        string    `json:"project"`       // name
	ProjectID      string    `json:"project_id"`
	Kind           string    `json:"kind"` // fact, discovery, decision
	Type           string    `json:"type,omitempty"`
	Title          string    `json:"title,omitempty"`
	Text           string    `json:"text"`
	Reason         string    `json:"reason,omitempty"`
	Tags           []string  `json:"tags,omitempty"`
	Files          []Source  `json:"files,omitempty"`
	Status         string    `json:"status"` // NEW, VERIFIED, REVIEWED, STALE, INVALIDATED
	SupersededBy   string    `json:"superseded_by,omitempty"`
	Author         Author    `json:"author,omitzero"`
	Also           []Author  `json:"also,omitempty"` // others who said the same
	Checkout       string    `json:"checkout,omitempty"`
	Branch         string    `json:"branch,omitempty"`
	Created        time.Time `json:"created"`
	Updated        time.Time `json:"updated"`
	VerifiedAt     time.Time `json:"verified_at,omitzero"`
	VerifiedCommit string    `json:"verified_commit,omitempty"`
	Seen           int       `json:"seen"`
	// Freshness is how the note's files stand in the asker's checkout: fresh,
	// moved lines, renamed, file changed, missing; empty where none was looked at.
	Freshness string `json:"freshness"`
	Stale     bool   `json:"stale,omitempty"` // what was cited is gone
}

// Source is a place in a checkout that a note is about.
type Source struct {
	Path      string `json:"path"`
	Lines     string `json:"lines,omitempty"`
	Freshness string `json:"freshness,omitempty"`
	Now       string `json:"now,omitempty"` // where it is, if it moved
}

// Author says who wrote something; empty for a person at a shell.
type Author struct {
	Agent   string `json:"agent,omitempty"`
	Nick    string `json:"nick,omitempty"`
	Session string `json:"session,omitempty"`
}

// Recall is POST /v1/memory/recall: notes that answer words.
type Recall struct {
	Place
	Query string   `json:"query"`
	Kinds []string `json:"kinds,omitempty"`
	Only  bool     `json:"only,omitempty"`  // notes of the project alone
	Since string   `json:"since,omitempty"` // RFC 3339
	All   bool     `json:"all,omitempty"`   // invalidated and superseded ones, too
	N     int      `json:"n,omitempty"`
}

// Recalled answers Recall.
type Recalled struct {
	Hits     []Hit    `json:"hits"`
	Searched int      `json:"searched"`          // notes that were looked through
	Words    []string `json:"words"`             // what was looked for
	Literal  bool     `json:"literal,omitempty"` // the query had no word in it and was looked for as it stands
	Scan     bool     `json:"scan,omitempty"`    // answered without the index
	Project  string   `json:"project,omitempty"` // where the asker stands
	Notices  []string `json:"notices,omitempty"`
}

// Hit is a note that answers a query.
type Hit struct {
	Note
	Score   float64 `json:"score"`
	Why     HitWhy  `json:"why"`
	Snippet Snippet `json:"snippet"`
}

// HitWhy is what a score is made of: the product of the numbers.
type HitWhy struct {
	Text    float64  `json:"text"`
	Project float64  `json:"project"`
	Recency float64  `json:"recency"`
	Status  float64  `json:"status"`
	Fresh   float64  `json:"fresh"`
	Words   []string `json:"words"`
}

// Snippet is the part of a note that answers best. Marks are byte ranges of it.
type Snippet struct {
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks,omitempty"`
}

// Remember is POST /v1/memory/remember: a fact, a discovery or a decision.
type Remember struct {
	Place
	Kind   string   `json:"kind,omitempty"` // empty: fact
	Type   string   `json:"type,omitempty"` // what sort of discovery
	Title  string   `json:"title,omitempty"`
	Text   string   `json:"text,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Files  []string `json:"files,omitempty"` // "path", "path:12", "path:12-40", or a pattern; relative to Cwd
	Op     string   `json:"op,omitempty"`    // ULID of this write: the same one again answers the same note
}

// Remembered answers Remember and the verbs that change a note.
type Remembered struct {
	Note     Note          `json:"note"`
	Known    bool          `json:"known,omitempty"`    // the same words were there
	Cut      bool          `json:"cut,omitempty"`      // the text was too long
	Redacted []string      `json:"redacted,omitempty"` // rules that took something out
	Similar  []SimilarNote `json:"similar,omitempty"`
	Notices  []string      `json:"notices,omitempty"`
}

// SimilarNote is a note that says nearly the same.
type SimilarNote struct {
	ID    string  `json:"id"`
	Short string  `json:"short"`
	Head  string  `json:"head"`
	Score float64 `json:"score"` // shared part of both notes' words, 0 to 1
}

// ListNotes is POST /v1/memory/notes: a project's notes, the last changed first.
type ListNotes struct {
	Place
	Kinds []string `json:"kinds,omitempty"`
	N     int      `json:"n,omitempty"` // 0: all
	All   bool     `json:"all,omitempty"`
}

// FindNote is POST /v1/memory/note: one note by its id, short id, the beginning
// of either, or ref.
type FindNote struct {
	Place
	ID string `json:"id"`
}

// VerifyNote is POST /v1/memory/verify.
type VerifyNote struct {
	Place
	ID     string `json:"id"`
	Status string `json:"status,omitempty"` // empty: VERIFIED
}

// SupersedeNote is POST /v1/memory/supersede: By takes the place of ID.
type SupersedeNote struct {
	Place
	ID string `json:"id"`
	By string `json:"by"`
}

// UpdateTask is POST /v1/memory/task: what is not there stays as it is, and a new
// Task text begins a new task.
type UpdateTask struct {
	Place
	Task   *string `json:"task,omitempty"`
	Status *string `json:"status,omitempty"`
	Step   *string `json:"step,omitempty"`
	Next   *string `json:"next,omitempty"`
	Tests  *string `json:"tests,omitempty"`
	Error  *string `json:"error,omitempty"`
}

// Task is what is being done in one checkout.
type Task struct {
	ID       string    `json:"id"`
	Project  string    `json:"project"`
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

// GetContext is POST /v1/memory/context: what whoever begins to work in a project
// should know.
type GetContext struct {
	Place
	Query  string `json:"query,omitempty"`  // what the work is about
	Tokens int    `json:"tokens,omitempty"` // budget, estimated; 0: 1500
	Bytes  int    `json:"bytes,omitempty"`  // most of the text, for hooks; 0: no limit
}

// Context answers GetContext.
type Context struct {
	Project string   `json:"project,omitempty"`
	Text    string   `json:"text"`
	Tokens  int      `json:"tokens"`             // estimated
	LeftOut int      `json:"left_out,omitempty"` // things there was no room for
	Notices []string `json:"notices,omitempty"`
}
