package hooks

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"deck/lifecycle"
)

// Outcome is what one event of an agent's hook means.
type Outcome struct {
	Reports []lifecycle.Report // without sequence numbers: those are the sender's

	Started    bool     // a native session began, or another one took its place
	Prompt     bool     // a prompt was submitted
	Ended      bool     // the turn is over
	Response   string   // the last text of the turn that ended, if the payload has it
	Transcript string   // path of the session's transcript, if the payload has it
	Edits      []string // paths of files that a tool has changed, absolute where the payload tells the folder
	Ask        *Ask     // what a person is asked, whole

	// Tell makes what the hook prints so that its agent is told a text: one with
	// which a turn goes on that has Ended. It is nil where the hook can tell nothing.
	Tell func(text string) []byte

	// Reply makes what the hook prints for the answer to Ask; nil where nothing
	// that it could print would answer. Wait is how long a hook may wait for one.
	Reply  func(Answer) []byte
	Wait   time.Duration
	Blocks bool // the agent draws no dialog of its own while the hook waits
}

// GoesOn is what it means where the turn goes on with a text that its hook told.
func (o Outcome) GoesOn() Outcome {
	o.Ended, o.Response, o.Reports = false, "", slices.Clone(o.Reports)
	for i := range o.Reports {
		o.Reports[i].State = lifecycle.Working
	}
	return o
}

// Ask is a request to a person as they need it to decide.
type Ask struct {
	Tool    string
	Text    string   // the tool's input as plain text, of several lines
	Edits   []Edit   // what a tool that changes files would do
	Options []string // what can be chosen, of a question
}

// Edit is a change of one file: Old becomes New. An empty Old is a new text.
type Edit struct{ Path, Old, New string }

// Answer is a person's decision.
type Answer struct {
	Allow   bool
	Message string // what the agent is told with a no
}

// The errors of Translate, for counting.
var (
	ErrNotJSON      = errors.New("payload is not a JSON object")
	ErrUnknownEvent = errors.New("unknown event")
)

// Source is the id under which the agent's hooks report.
func (a Agent) Source() string { return "integration:" + a.Name }

// Translate says what an event means. event may be empty where the payload
// names it. It takes any bytes.
func (a Agent) Translate(event string, body []byte) (Outcome, error) {
	p := payload{agent: a}
	if json.Unmarshal(body, &p.fields) != nil || p.fields == nil {
		return Outcome{}, ErrNotJSON
	}
	if event == "" {
		event = p.text("hook_event_name")
	}
	if !slices.Contains(a.Events, event) {
		return Outcome{}, ErrUnknownEvent
	}
	o := a.translate(event, p)
	for i, path := range o.Edits {
		if dir := p.text("cwd"); !filepath.IsAbs(path) && filepath.IsAbs(dir) {
			o.Edits[i] = filepath.Join(dir, path)
		}
	}
	return o, nil
}
