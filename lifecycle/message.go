package lifecycle

import (
	"errors"
	"strings"
	"time"
)

// Message is a text on its way to an agent.
type Message struct {
	ID      string
	Kind    string    // what it is to the one who sent it: a prompt, a note, a result
	From    string    // the pane that sent it; empty for a person
	Text    string    // as it is typed
	Sent    time.Time // when it was put into the inbox
	Until   time.Time // dropped then, if it was not typed before; zero: never
	Entered time.Time // when Enter was pressed for it first; zero if it never was
	Post    Post
	Why     Why // of Held and Dropped; of Delivered: WhyPerson, a person's Enter sent it, as far as can be seen, or WhyHook
	offer   offer
}

// Post is how far a message has come.
type Post string

// The stages.
const (
	Queued    Post = "queued"    // others are before it
	Held      Post = "held"      // it is the next one, and something is in its way
	Delivered Post = "delivered" // the screen shows that it was sent, or a hook has told it
	Confirmed Post = "confirmed" // the agent said that it got it
	Dropped   Post = "dropped"   // it will not be sent
)

// Why is what keeps a message from an agent.
type Why string

// The reasons.
const (
	WhyDraft    Why = "draft"    // somebody's text is in the input line
	WhyTyping   Why = "typing"   // somebody typed a moment ago
	WhyDialog   Why = "dialog"   // a dialog waits for a person's keys
	WhyBusy     Why = "busy"     // it works
	WhyBlocked  Why = "blocked"  // it is blocked
	WhyDead     Why = "dead"     // its process is over
	WhyNoAgent  Why = "no agent" // there is none in the pane
	WhyNoInput  Why = "no input" // no input line is to be seen
	WhyStuck    Why = "stuck"    // it is in the input line, and Enter does not send it
	WhySending  Why = "sending"  // it was typed, and is about to be sent
	WhyExpired  Why = "expired"  // its time ran out
	WhyCleared  Why = "cleared"  // it was typed and then taken out of the input line
	WhyPerson   Why = "by hand"  // a person did it
	WhyAnswered Why = "answered" // what it tells of is settled
	WhyReplaced Why = "replaced" // the agent that it was typed for was replaced
	WhyHook     Why = "hook"     // the agent's hook was given it, to tell it with its answer
)

// MaxWaiting is how many messages may wait for one agent.
const MaxWaiting = 50

// ErrInboxFull says that as many messages wait as may.
var ErrInboxFull = errors.New("too many messages wait")

// Desk is what an inbox goes by: the agent, its input line, and what others type
// into it.
type Desk struct {
	Agent    bool // there is one
	Manner   Manner
	State    State
	Composer Composer
	Gen      uint64    // the pane's output that Composer is about
	Keys     uint64    // keys that others gave the pane so far
	KeyAt    time.Time // when the last of them was
	Unsent   bool      // one of them came after the last Enter
	Enters   uint64    // how many of them were Enter
}

// Composer is an agent's input line.
type Composer struct {
	Found bool
	Empty bool   // nothing is typed; what stands there is a suggestion
	Draft string // what is typed
}

// Manner is how an agent takes text.
type Manner struct {
	Pause time.Duration // between a paste and the Enter that sends it
}

// Act is a kind of step.
type Act uint8

// The acts.
const (
	Stay  Act = iota // nothing, until something happens or the time has come
	Paste            // write the text as a paste
	Send             // press Enter
)

// Step is what an inbox wants done next.
type Step struct {
	Act  Act
	Text string    // of Paste
	Keys uint64    // Paste and Send: only if others have not typed since
	Due  time.Time // Stay: when it wants to be asked again; zero: when something happens
}

// sameText reports whether what an agent says it was given is a text that was
// typed. Agents shorten what they repeat, and write its ends of lines their own way.
func sameText(said, typed string) bool {
	said, typed = strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(typed), " ")
	const enough = 40
	said = strings.TrimSuffix(strings.TrimSuffix(said, "…"), "...")
	return said == typed || said != "" && (strings.Contains(said, typed) || len(said) >= enough && strings.HasPrefix(typed, said))
}
