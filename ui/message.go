package ui

import (
	"time"

	"deck/term/keys"
	"deck/term/layout"
)

// The messages a client's loop gives to Update.
type (
	// SizeMsg says how big the client's terminal is, in cells.
	SizeMsg struct{ W, H int }
	// StateMsg says that the server's state changed.
	StateMsg struct{ State State }
	// TokenMsg is a piece of what the client's terminal sent. Replies of the
	// terminal are not among them.
	TokenMsg struct{ Token keys.Token }
	// RowsMsg says that panes on the screen have something new to draw.
	RowsMsg struct{}
	// FocusMsg asks this client to show and focus a pane: after a split it
	// asked for, or because a command said so.
	FocusMsg struct{ Pane layout.PaneID }
	// NoticeMsg is a sentence for the person: an error, or an answer.
	NoticeMsg struct {
		Text  string
		Error bool
	}
	// AlertMsg says that an agent just came to need a person: once for each time
	// it does.
	AlertMsg struct{ Pane Pane }
	// ClockMsg says what time it is, for ages. Client tells its model: with every
	// StateMsg, and as often as an age that is shown becomes another.
	ClockMsg struct{ Now time.Time }
	// LaunchersMsg says which agents can be started from a pane.
	LaunchersMsg struct {
		From   layout.PaneID
		Agents []Launcher
	}
	// SentMsg says what came of a Tell, a HandOff or a Spawn, or why nothing did.
	SentMsg struct {
		Number        int
		Said, Problem string
	}
	// TasksMsg is the tasks that agents were given, the newest first.
	TasksMsg struct {
		From    layout.PaneID
		All     bool
		Tasks   []Given
		Problem string
	}
	// AskedMsg is what a pane's agent waits for a person with, or Problem says why
	// there is nothing to show.
	AskedMsg struct {
		Pane    layout.PaneID
		Asked   Asked
		Problem string
	}
	// RecalledMsg is what was found for a Recall, the best first.
	RecalledMsg struct {
		From     layout.PaneID
		Query    string
		Found    []FoundNote
		Searched int    // notes that were looked through; 0 without words
		Project  string // of From's folder; empty: none is known
		Problem  string // why there is no answer
	}
	// NoteMsg is a note in full, or Problem says why there is none. Said is what
	// there is to tell of a change to it.
	NoteMsg struct {
		ID      string
		Note    Note
		Said    string
		Problem string
	}
	// InsertedMsg says that a note stands in the input line of a pane's agent, or
	// why not.
	InsertedMsg struct {
		ID      string
		Nick    string // of the pane
		Problem string
	}
	// ProjectMsg is what is known of the project of a pane's folder.
	ProjectMsg struct {
		From    layout.PaneID
		Page    ProjectPage
		Problem string
	}
	// SettingsMsg replaces the settings after the configuration was read again.
	SettingsMsg struct{ Settings Settings }
)

// Launcher is an agent that can be started.
type Launcher struct {
	Name, Title string
	Last        time.Time // when a session that it can go on with was last heard of; zero: there is none
}

// Given is a task that an agent was given. Its texts come from outside.
type Given struct {
	ID, State string // open, done, failed or exited
	From, To  string // nicks, or who else gave it
	Pane      layout.PaneID
	Task      string
	Summary   string // what came of it
	Age       time.Duration
}

// Asked is what an agent waits for a person with, whole. Its texts come from
// outside and may have any character in them.
type Asked struct {
	ID      string // an answer is bound to it
	Matter  string // id of the status' request
	Tool    string
	Text    string // the tool's input, where it is known
	Edits   []Edit // what it would change
	Rows    []string
	Options []Option
	Yes, No int  // the options that plainly agree and refuse, counted from 1; 0: none
	Hook    bool // yes and no go through the agent's hook
}

// Edit is a change of one file, as rows of a diff: they begin with "+", "-", " "
// or "@@".
type Edit struct {
	Path string
	Diff []string
}

// Option is one thing that can be chosen.
type Option struct {
	Text, Note string
	Chosen     bool // in the agent's own dialog
}

// Settings is what a person can choose about a client's screen.
type Settings struct {
	Prefix   string            // the prefix key, as in "C-a"
	Keys     map[string]string // key after the prefix → name of an action
	ReadOnly bool              // no token reaches a pane
	NoColor  bool
	ASCII    bool // the terminal's locale has no UTF-8: no line drawing, no glyphs
	Alerts   Alerts
}
