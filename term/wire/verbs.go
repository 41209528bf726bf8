package wire

import "deck/lifecycle"

// Pane is one row of GET /v1/panes?session=NAME, and the answer of verbs that
// make one.
type Pane struct {
	ID       string           `json:"id"`
	Nick     string           `json:"nick"`
	Name     string           `json:"name,omitempty"`
	Session  string           `json:"session"`
	Tab      string           `json:"tab"`       // its id
	TabName  string           `json:"tab_name"`  // as shown
	TabIndex int              `json:"tab_index"` // counted from 1
	Program  string           `json:"program"`   // in the foreground
	Command  []string         `json:"command"`   // as started
	Title    string           `json:"title,omitempty"`
	Dir      string           `json:"dir"`
	Agent    string           `json:"agent,omitempty"`
	Status   lifecycle.Status `json:"status"`
	PID      int              `json:"pid"`
	Cols     int              `json:"cols"`
	Rows     int              `json:"rows"`
	Ended    bool             `json:"ended"`
	ExitCode int              `json:"exit_code"` // of an ended pane; 128+n after signal n
	Exit     string           `json:"exit,omitempty"`
	Created  string           `json:"created"` // RFC 3339
}

// NewPane is POST /v1/panes. Command empty means the user's shell. At, a
// target, says where a split goes; without it the session's current pane.
type NewPane struct {
	Session string   `json:"session,omitempty"` // made if it does not exist; empty: that of At or of the caller, else "main"
	Name    string   `json:"name,omitempty"`
	Place   string   `json:"place,omitempty"` // "tab" (default), "right" or "down"
	At      string   `json:"at,omitempty"`
	Dir     string   `json:"dir,omitempty"`
	Command []string `json:"command,omitempty"`
	Env     []string `json:"env,omitempty"` // the caller's environment, KEY=VALUE; the server cleans it
	Cols    int      `json:"cols,omitempty"`
	Rows    int      `json:"rows,omitempty"`
	Agent   string   `json:"agent,omitempty"`  // declared with --as
	Focus   bool     `json:"focus,omitempty"`  // attached clients go there
	Launch  *Launch  `json:"launch,omitempty"` // an agent in place of Command

	Sandboxed bool `json:"sandboxed,omitempty"` // its programs may report to the server and nothing else
	// Worktree is a branch: the pane starts in its worktree of the repository of
	// Dir, which is made if there is none.
	Worktree string `json:"worktree,omitempty"`
}

// Target is the body of POST /v1/panes/focus, and of others that take nothing
// but a target: an id, a nick, a name, or the beginning of an id.
type Target struct {
	Target string `json:"target"`
}

// Close is POST /v1/panes/close.
type Close struct {
	Target string `json:"target"`
	Force  bool   `json:"force,omitempty"`
}

// Rename is POST /v1/panes/rename; an empty name takes it back. With Tab the
// target's tab is renamed.
type Rename struct {
	Target string `json:"target"`
	Name   string `json:"name"`
	Tab    bool   `json:"tab,omitempty"`
}

// Resize is POST /v1/panes/resize: an exact size, or a change of the layout by
// cells. A pane shown by a client gets the client's size again when used.
type Resize struct {
	Target string `json:"target"`
	Cols   int    `json:"cols,omitempty"`
	Rows   int    `json:"rows,omitempty"`
	Side   string `json:"side,omitempty"` // left, right, up, down
	Cells  int    `json:"cells,omitempty"`
}

// Send is POST /v1/panes/send: key names ("Enter", "C-c", or text) in order,
// or one literal text. Keys are encoded as the program asked for them.
type Send struct {
	Target  string   `json:"target"`
	Keys    []string `json:"keys,omitempty"`
	Literal string   `json:"literal,omitempty"`
	Paste   bool     `json:"paste,omitempty"` // Literal as a paste, bracketed if asked for
}

// Peek is POST /v1/panes/peek: what a pane shows, from its emulator.
type Peek struct {
	Target  string `json:"target"`
	Lines   int    `json:"lines,omitempty"`   // only the last n rows that are not blank; 0: the screen
	History bool   `json:"history,omitempty"` // with the scrollback before it
	Ansi    bool   `json:"ansi,omitempty"`    // with SGR sequences
}

// Peeked answers Peek.
type Peeked struct {
	ID     string   `json:"id"`
	Cols   int      `json:"cols"`
	Rows   int      `json:"rows"`
	Lines  []string `json:"lines"`
	Cursor [2]int   `json:"cursor"`
	Title  string   `json:"title,omitempty"`
	// Screen is the index in Lines at which the screen starts.
	Screen int `json:"screen"`
}

// Client is one row of GET /v1/clients.
type Client struct {
	ID       string `json:"id"`
	Session  string `json:"session"`
	PID      int    `json:"pid"`
	TTY      string `json:"tty,omitempty"`
	Term     string `json:"term,omitempty"`
	Cols     int    `json:"cols"`
	Rows     int    `json:"rows"`
	ReadOnly bool   `json:"read_only,omitempty"`
	Pane     string `json:"pane"` // focused
	Since    string `json:"since"`
}

// Detach is POST /v1/clients/detach: one client, those of a session, or all.
type Detach struct {
	Client  string `json:"client,omitempty"`
	Session string `json:"session,omitempty"`
	All     bool   `json:"all,omitempty"`
}

// Session is one row of GET /v1/sessions.
type Session struct {
	Name    string `json:"name"`
	Tabs    int    `json:"tabs"`
	Panes   int    `json:"panes"`
	Clients int    `json:"clients"`
}

// Status answers GET /v1/server.
type Status struct {
	Hello
	Sessions  int    `json:"sessions"`
	Panes     int    `json:"panes"`
	Clients   int    `json:"clients"`
	Log       string `json:"log"`    // path of the log file
	Config    string `json:"config"` // path of the configuration file
	Scope     string `json:"scope"`  // what keeps it alive after a logout
	Memory    uint64 `json:"memory"` // resident bytes
	Goroutine int    `json:"goroutines"`
	Unusable  int64  `json:"unusable_hooks"` // payloads of agents' hooks that deck could do nothing with
}

// Done answers verbs that have nothing to tell but that they were done.
type Done struct {
	Count int `json:"count"` // things acted on; never 0
}
