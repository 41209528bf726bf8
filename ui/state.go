package ui

import (
	"slices"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
)

// TabID names a tab for as long as the server lives.
type TabID string

// State is what the server tells a client about everything but cells. It is a
// value: neither side changes one after it was sent.
type State struct {
	Session  string
	Sessions []string // all of them, in order
	Tabs     []Tab    // of Session, in order
	Panes    []Pane   // of Session, in the order of their tabs
	Clients  int      // attached to Session, this one included
	Others   []Pane   // the agents of the other sessions
}

// Tab is one tab of a session.
type Tab struct {
	ID   TabID
	Name string // given by a person, else the name or program of its first pane
	Root layout.Node
	// What the client showed that used the tab last; one that comes new to it
	// begins there.
	Used   layout.PaneID
	Zoomed bool
}

// Pane is what a client shows of a pane besides its cells. The texts may come
// from outside; they are clean of control characters and bidi overrides.
type Pane struct {
	ID      layout.PaneID
	Tab     TabID
	Nick    string // a person's first name, unique in the server
	Name    string // given by a person, may be empty
	Program string // the program in the foreground
	Title   string // set by the program
	Dir     string // its working folder, "~" for the home folder
	Agent   string // the recognised agent's name, empty for others
	Status  lifecycle.Status
	Ended   bool   // its program exited; the pane stays until closed
	Exit    string // how, for example "exit 1" or "killed by signal 9"
	Bell    bool   // rang since a person last looked
	Project string // the name of the project its folder belongs to, empty outside of one
	Branch  string // the git branch checked out there, empty where there is none
	Session string // the session of deck that it is in
	// Turn is since when its agent works on what it was asked, zero at rest.
	Turn time.Time
	// For is the nick of the agent that is to see to this one, a sub-agent; empty
	// where a person is.
	For string
	// Waiting is how many messages are to be typed into its agent, and Held why the
	// first of them is not; empty while it is.
	Waiting int
	Held    string
	Clashes []string // nicks of the agents that have changed a file which this one has changed, too
	Resumes bool     // its agent has a session to go on with
	Loops   string   // says that its program ends again and again, empty where it does not
}

// All returns the panes of the session and the agents of the others.
func (s State) All() []Pane { return slices.Concat(s.Panes, s.Others) }

// Pane returns the pane of that id, and false when there is none.
func (s State) Pane(id layout.PaneID) (Pane, bool) {
	for i := range s.Panes {
		if p := &s.Panes[i]; p.ID == id {
			return *p, true
		}
	}
	return Pane{}, false
}

// Tab returns the tab of that id, and false when there is none.
func (s State) Tab(id TabID) (Tab, bool) {
	for _, t := range s.Tabs {
		if t.ID == id {
			return t, true
		}
	}
	return Tab{}, false
}
