package ui

import (
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"
)

// Host is what a client's screen asks of whoever runs it. No method waits: what
// can fail answers later with a NoticeMsg.
type Host interface {
	// Screen returns the emulator of a pane, or nil when the pane is gone.
	Screen(layout.PaneID) Screen
	// Input gives a token to the program of a pane, as that program asked for
	// it. A mouse token's position is relative to the pane.
	Input(layout.PaneID, keys.Token)
	// Do carries out a request.
	Do(Request)
}

// Screen is one pane's emulator as a client sees it; safe from any goroutine.
type Screen interface {
	// Generation counts changes; it differs from the last one seen when there
	// is something to draw.
	Generation() uint64
	// Draw copies the pane's cells into the rectangle at of dst, cut or padded
	// with blanks to fit, ids translated by tr. up is how many rows of the
	// history are scrolled into view from below, 0 for the live screen. With
	// up 0 and since not 0 only rows that changed after that generation are
	// copied. While the frame is Held nothing is.
	Draw(dst *screen.Canvas, at layout.Rect, tr *screen.Translator, up int, since uint64) screen.Frame
	// Text returns rows as plain text without trailing blanks, from row first,
	// counted from the oldest row of the history, soft-wrapped rows marked.
	Text(first, n int) []Line
	// Modes returns what the program asked of keyboard and mouse.
	Modes() keys.Modes
}

// Line is a row of text; Wrapped says that it goes on in the next one.
type Line struct {
	Text    string
	Wrapped bool
}

// Request is something a person asked for at the screen.
type Request interface{ request() }

// The requests. A pane is always named, so that what a person meant does not
// change under way.
type (
	// NewTab opens a tab with a shell in the folder of From.
	NewTab struct{ From layout.PaneID }
	// Split opens a pane beside or below At, in At's folder.
	Split struct {
		At  layout.PaneID
		Dir layout.Dir
	}
	// Close ends a pane and everything in it.
	Close struct{ Pane layout.PaneID }
	// CloseTab ends all panes of a tab.
	CloseTab struct{ Tab TabID }
	// Rename gives a pane a name; an empty one takes it back.
	Rename struct {
		Pane layout.PaneID
		Name string
	}
	// RenameTab gives a tab a name; an empty one takes it back.
	RenameTab struct {
		Tab  TabID
		Name string
	}
	// Swap exchanges two panes of one session.
	Swap struct{ A, B layout.PaneID }
	// Break moves a pane to a new tab.
	Break struct{ Pane layout.PaneID }
	// Layout replaces the tree of a tab, after a border was moved or panes
	// were evened out. It is refused when the panes are no longer the same.
	Layout struct {
		Tab  TabID
		Root layout.Node
	}
	// Use says that this client uses a pane, which makes the pane the size it
	// has here. It follows every focus change and resize.
	Use struct {
		Tab    TabID
		Pane   layout.PaneID
		Sizes  []layout.Place // the inner rectangles of all visible panes
		Zoomed bool
	}
	// Restart runs an ended pane's program again in its place. An agent goes on
	// with its session unless it is to begin afresh. Force does it although the
	// program has just ended again and again.
	Restart struct {
		Pane         layout.PaneID
		Fresh, Force bool
	}
	// SwitchSession shows another session, at Pane where one is named.
	SwitchSession struct {
		Session string
		Pane    layout.PaneID
	}
	// ListAgents asks which agents can be started from a pane; a LaunchersMsg
	// answers.
	ListAgents struct{ From layout.PaneID }
	// Launch starts an agent in the folder of At: in a tab of its own, or beside
	// or below it. With Resume it goes on with its last session there.
	Launch struct {
		Agent  string
		At     layout.PaneID
		Place  string // tab, right or down
		Resume bool
	}
	// Tell says something to a pane's agent. A SentMsg of the same number answers.
	Tell struct {
		Number int
		To     layout.PaneID
		Text   string
	}
	// HandOff gives a task to an agent, with what From's agent said last where that
	// had it before. A SentMsg of the same number answers.
	HandOff struct {
		Number   int
		From, To layout.PaneID
		Task     string
	}
	// Spawn starts an agent for a task, as a sub-agent of From's. A SentMsg of the
	// same number answers.
	Spawn struct {
		Number int
		From   layout.PaneID
		Agent  string
		Task   string
	}
	// ListTasks asks for the tasks that agents were given: those that are open, or
	// all that are known in the folder of From. A TasksMsg answers.
	ListTasks struct {
		From layout.PaneID
		All  bool
	}
	// Ask asks what a pane's agent waits for a person with; an AskedMsg answers.
	Ask struct{ Pane layout.PaneID }
	// Answer answers that, with an option counted from 1. It is refused where
	// Request is not the one that is shown any more.
	Answer struct {
		Pane    layout.PaneID
		Request string
		Option  int
	}
	// Recall asks for the notes that answer words, seen from the folder of a pane;
	// without words, for the newest of its project. A RecalledMsg answers.
	Recall struct {
		From  layout.PaneID
		Query string
	}
	// ReadNote asks for a note in full; a NoteMsg answers.
	ReadNote struct {
		From layout.PaneID
		ID   string
	}
	// JudgeNote says how a note stands, with one of the statuses of a Note; a
	// NoteMsg answers.
	JudgeNote struct {
		From       layout.PaneID
		ID, Status string
	}
	// InsertNote types a note into the input line of a pane's agent and sends
	// nothing; an InsertedMsg answers.
	InsertNote struct {
		At layout.PaneID
		ID string
	}
	// ReadProject asks what is known of the project of a pane's folder; a
	// ProjectMsg answers.
	ReadProject struct{ From layout.PaneID }
	// Away says whether the terminal around this client has lost the focus: then
	// nobody looks at a pane.
	Away struct{ Away bool }
	// Detach ends this client and nothing else.
	Detach struct{}
	// Reload reads the configuration again.
	Reload struct{}
	// Dismiss takes back what asks for attention: a finished turn is seen, a
	// dead agent forgotten. The pane stays.
	Dismiss struct{ Pane layout.PaneID }
	// Gate answers the gate that holds a pane's agent; refused where Request is
	// not the id of the one that is pending.
	Gate struct {
		Pane    layout.PaneID
		Request string
		Approve bool
	}
	// Colors says what colours this client's terminal has; screen.Default for
	// one that it did not tell. Programs ask their panes for them.
	Colors struct {
		Fg, Bg, Cursor screen.Color
		Palette        [16]screen.Color
	}
	// Copy puts text on the clipboard of this client's terminal (OSC 52).
	Copy struct{ Text string }
)

func (NewTab) request()        {}
func (Split) request()         {}
func (Close) request()         {}
func (CloseTab) request()      {}
func (Rename) request()        {}
func (RenameTab) request()     {}
func (Swap) request()          {}
func (Break) request()         {}
func (Layout) request()        {}
func (Use) request()           {}
func (Restart) request()       {}
func (SwitchSession) request() {}
func (ListAgents) request()    {}
func (Launch) request()        {}
func (Tell) request()          {}
func (HandOff) request()       {}
func (Spawn) request()         {}
func (ListTasks) request()     {}
func (Ask) request()           {}
func (Answer) request()        {}
func (Recall) request()        {}
func (ReadNote) request()      {}
func (JudgeNote) request()     {}
func (InsertNote) request()    {}
func (ReadProject) request()   {}
func (Away) request()          {}
func (Detach) request()        {}
func (Reload) request()        {}
func (Dismiss) request()       {}
func (Gate) request()          {}
func (Colors) request()        {}
func (Copy) request()          {}
