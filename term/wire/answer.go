package wire

import (
	"context"
	"net/http"
)

// Asked answers POST /v1/agents/asked, whose body is a Target: what an agent
// waits for a person with, whole. An answer is bound to Request.
type Asked struct {
	Request string        `json:"request"` // changes when the dialog does
	Pane    string        `json:"pane"`
	Nick    string        `json:"nick"`
	Agent   string        `json:"agent"`
	Reason  string        `json:"reason,omitempty"`
	Tool    string        `json:"tool,omitempty"`
	Text    string        `json:"text,omitempty"`  // the tool's input, where the agent's hook told it
	Edits   []AskedEdit   `json:"edits,omitempty"` // what it would change
	Rows    []string      `json:"rows"`            // the dialog as it is drawn, without its options
	Options []AskedOption `json:"options"`         // empty: they cannot be told from the screen
	Yes     int           `json:"yes,omitempty"`   // the option that plainly agrees, counted from 1; 0: none
	No      int           `json:"no,omitempty"`    // the one that refuses
	Hook    bool          `json:"hook,omitempty"`  // yes and no are answered through the agent's hook
}

// AskedEdit is a change of one file.
type AskedEdit struct {
	Path string   `json:"path"`
	Diff []string `json:"diff"` // rows that begin with "+", "-", " " or "@@"
}

// AskedOption is one thing that can be chosen.
type AskedOption struct {
	Text   string `json:"text"`
	Note   string `json:"note,omitempty"`
	Chosen bool   `json:"chosen,omitempty"` // Enter takes it
}

// Answer is POST /v1/agents/answer: one option, or keys that are pressed one
// at a time for as long as the request is the same. Nothing is pressed where it
// is another one than Request; an empty Request means the one that is shown.
type Answer struct {
	Target  string   `json:"target"`
	Request string   `json:"request,omitempty"`
	Option  int      `json:"option,omitempty"` // counted from 1
	Keys    []string `json:"keys,omitempty"`
}

// Answered answers Answer.
type Answered struct {
	Request string `json:"request"`
	Via     string `json:"via"` // hook or keys
}

// Asked returns what an agent waits for a person with.
func (c *Conn) Asked(ctx context.Context, t Target) (Asked, error) {
	return call[Asked](ctx, c, http.MethodPost, "/v1/agents/asked", t)
}

// Answer answers it.
func (c *Conn) Answer(ctx context.Context, a Answer) (Answered, error) {
	return call[Answered](ctx, c, http.MethodPost, "/v1/agents/answer", a)
}

// The codes of errors about answers.
const (
	CodeNoRequest      = "no_request"      // 404: the agent asks for nothing
	CodeRequestChanged = "request_changed" // 409: it is not the one that was shown
	CodeNotTaken       = "key_not_taken"   // 409: the dialog did not take a key as expected
)
