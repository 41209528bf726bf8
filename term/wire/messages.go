package wire

import (
	"context"
	"net/http"
	"net/url"
)

// Tell is POST /v1/agents/tell: a text for the agent of a pane, which is typed
// when its input line is free. One that comes from inside of a pane is marked
// with its sender.
type Tell struct {
	Target  string `json:"target"`
	Text    string `json:"text"`
	Timeout int64  `json:"timeout_ms,omitempty"` // dropped if it was not typed by then; 0: kept
}

// Message is a text on its way to an agent: what Tell answers and a row of
// GET /v1/inbox.
type Message struct {
	ID        string `json:"id"`
	Pane      string `json:"pane"`
	Nick      string `json:"nick"`
	Kind      string `json:"kind"` // tell, prompt, handoff, done, ask
	From      string `json:"from"` // a nick, or "a person"
	Text      string `json:"text,omitempty"`
	Post      string `json:"state"`         // queued, held, delivered, confirmed, dropped
	Why       string `json:"why,omitempty"` // of held and dropped
	AgeMillis int64  `json:"age_ms"`
}

// DropMessage is POST /v1/inbox/drop: a person's word that a message is not to be
// delivered.
type DropMessage struct {
	ID string `json:"id"`
}

// The codes of errors about messages.
const (
	CodeMessageNotFound = "message_not_found" // 404: no such message waits
	CodeInboxFull       = "inbox_full"        // 409: too many messages wait for the agent
	CodeTooMany         = "too_many_messages" // 409: two agents write to each other without end
)

// Tell sends a text to an agent.
func (c *Conn) Tell(ctx context.Context, t Tell) (Message, error) {
	return call[Message](ctx, c, http.MethodPost, "/v1/agents/tell", t)
}

// Inbox lists what waits for agents, or for that of a target.
func (c *Conn) Inbox(ctx context.Context, target string) ([]Message, error) {
	path := "/v1/inbox"
	if target != "" {
		path += "?" + url.Values{"target": {target}}.Encode()
	}
	return call[[]Message](ctx, c, http.MethodGet, path, nil)
}

// DropMessage takes a message out of its inbox.
func (c *Conn) DropMessage(ctx context.Context, d DropMessage) error {
	_, err := call[Done](ctx, c, http.MethodPost, "/v1/inbox/drop", d)
	return err
}
