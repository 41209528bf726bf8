package memory

import "time"

// ID is a ULID in its text form of 26 Crockford letters: made once, sorted by time.
type ID string

// Kind is what sort of knowledge a note is.
type Kind string

// The kinds of notes.
const (
	Fact      Kind = "fact"
	Discovery Kind = "discovery"
	Decision  Kind = "decision"
)

// Status is what people and agents concluded about a note. Whether its files
// changed since is no status: that is worked out for each checkout when it is read.
type Status string

// The statuses of notes.
const (
	New         Status = "NEW"
	Verified    Status = "VERIFIED"
	Reviewed    Status = "REVIEWED"
	Stale       Status = "STALE"
	Invalidated Status = "INVALIDATED"
)

// Source is a place in a checkout that a note is about, with what was there
// when the note was written or last verified.
type Source struct {
	Path   string `json:"path"`             // relative to the top of the checkout, with slashes; may be a glob
	Lines  string `json:"lines,omitempty"`  // "120-140" or "120", counted from 1; empty for the whole file
	Hash   string `json:"hash,omitempty"`   // of the whole file, or of the list of files a glob names
	Cited  string `json:"cited,omitempty"`  // hash of the cited lines, trimmed
	Commit string `json:"commit,omitempty"` // the checkout's commit at that time
}

// Author says who wrote something. Empty for a person at a shell.
type Author struct {
	Agent   string `json:"agent,omitempty"`   // program, "claude"
	Nick    string `json:"nick,omitempty"`    // its name in deck
	Session string `json:"session,omitempty"` // the agent's own session
}

// Draft is a note before it is stored.
type Draft struct {
	Project  ID
	Kind     Kind
	Type     string // what sort of discovery, in the writer's word
	Title    string // empty: the beginning of the text stands for it
	Text     string
	Reason   string // why it was decided so
	Tags     []string
	Files    []Source
	Status   Status // empty: New
	Author   Author
	Checkout string // top of the checkout it was written in
	Branch   string
	Op       ID // the caller's own id of this write: the same one again answers the same note
}

// Note is a piece of knowledge as it is stored.
type Note struct {
	V              int       `json:"v"`
	ID             ID        `json:"id"`
	Short          string    `json:"short"`         // for people: the kind's letter and 4 or more letters
	Ref            string    `json:"ref,omitempty"` // its id in another system, kept when it was imported
	Project        ID        `json:"project"`
	Kind           Kind      `json:"kind"`
	Type           string    `json:"type,omitempty"`
	Title          string    `json:"title,omitempty"`
	Text           string    `json:"text"`
	Reason         string    `json:"reason,omitempty"`
	Tags           []string  `json:"tags,omitempty"`
	Files          []Source  `json:"files,omitempty"`
	Status         Status    `json:"status"`
	SupersededBy   ID        `json:"superseded_by,omitempty"`
	Author         Author    `json:"author,omitzero"`
	Checkout       string    `json:"checkout,omitempty"`
	Branch         string    `json:"branch,omitempty"`
	Created        time.Time `json:"created"`
	Updated        time.Time `json:"updated"`
	VerifiedAt     time.Time `json:"verified_at,omitzero"`
	VerifiedCommit string    `json:"verified_commit,omitempty"`
	Seen           int       `json:"seen"` // how often the same words were remembered
	LastSeen       time.Time `json:"last_seen,omitzero"`
	Also           []Author  `json:"also,omitempty"` // others who said the same
}

// Head is the note's title, or the beginning of its text where it has none.
func (n Note) Head() string {
	if n.Title != "" {
		return n.Title
	}
	return firstLine(n.Text, 80)
}

// Live reports whether a note still counts as knowledge: neither invalidated nor superseded.
func (n Note) Live() bool { return n.Status != Invalidated && n.SupersededBy == "" }

// leftOut reports whether searches pass a note over unless all are asked for.
// An invalidation that came with an import, from a person or a program that deck knows nothing of, does not
// hide a note: it is shown with it and ranks it down.
func (n Note) leftOut() bool {
	return n.SupersededBy != "" || n.Status == Invalidated && !n.VerifiedAt.IsZero()
}

// Verdict is what became of a draft.
type Verdict struct {
	Known    bool      `json:"known,omitempty"`    // the same words were there: no new note was made
	Cut      bool      `json:"cut,omitempty"`      // the text was longer than MaxText
	Redacted []string  `json:"redacted,omitempty"` // names of the rules that took something out
	Secret   []string  `json:"secret,omitempty"`   // files that are never cited, for what they hold
	Similar  []Similar `json:"similar,omitempty"`  // notes of the project that say nearly the same
}

// Similar is a note that says nearly the same as another.
type Similar struct {
	ID    ID      `json:"id"`
	Short string  `json:"short"`
	Head  string  `json:"head"`
	Score float64 `json:"score"` // shared part of both notes' words, 0 to 1
}
