package wire

import (
	"context"
	"net/http"
	"net/url"
)

// Spawn is POST /v1/agents/spawn: it starts an agent with a task, beside the
// caller's pane and without the keyboard. Without Launch, Command and Definition
// it is one of the caller's own kind.
type Spawn struct {
	StartAgent
	Task string `json:"task"`
}

// NewHandoff is POST /v1/handoffs: a task for the agent of a pane.
type NewHandoff struct {
	Target string `json:"target"`
	Task   string `json:"task"`
}

// FinishHandoff is POST /v1/handoffs/done: what came of a task. Cwd finds the one
// of a server that has ended meanwhile.
type FinishHandoff struct {
	ID      string `json:"id"`
	Summary string `json:"summary,omitempty"`
	Failed  bool   `json:"failed,omitempty"`
	Cwd     string `json:"cwd,omitempty"`
}

// Handed is a task that was handed over: a row of GET /v1/handoffs, and what the
// verbs about one answer. With all=1&cwd=PATH the list has those that are over, and
// what the store has of the project there.
type Handed struct {
	ID        string `json:"id"`
	State     string `json:"state"` // open, done, failed, exited
	From      string `json:"from"`  // a nick, or "a person"
	To        string `json:"to"`    // a nick
	Pane      string `json:"pane,omitempty"`
	Agent     string `json:"agent,omitempty"`
	Task      string `json:"task"` // its first line
	File      string `json:"file,omitempty"`
	Summary   string `json:"summary,omitempty"`
	AgeMillis int64  `json:"age_ms"`

	Message  string   `json:"message,omitempty"`  // id of the one that tells of it
	Redacted []string `json:"redacted,omitempty"` // rules by which secrets were taken out
	Notices  []string `json:"notices,omitempty"`
}

// The codes of errors about hand-offs.
const (
	CodeHandoffNotFound = "handoff_not_found" // 404: no such hand-off
	CodeHandoffOver     = "handoff_over"      // 409: it is done, failed or exited already
	CodeHandoffOpen     = "handoff_open"      // 409: the pane has a task that is not done
)

// Spawn starts an agent with a task.
func (c *Conn) Spawn(ctx context.Context, s Spawn) (Handed, error) {
	return call[Handed](ctx, c, http.MethodPost, "/v1/agents/spawn", s)
}

// HandOver gives a task to an agent.
func (c *Conn) HandOver(ctx context.Context, h NewHandoff) (Handed, error) {
	return call[Handed](ctx, c, http.MethodPost, "/v1/handoffs", h)
}

// FinishHandoff tells what came of a task.
func (c *Conn) FinishHandoff(ctx context.Context, f FinishHandoff) (Handed, error) {
	return call[Handed](ctx, c, http.MethodPost, "/v1/handoffs/done", f)
}

// Handoffs lists the tasks that are open; with all of them those that are over,
// and those that the store has of the project of a folder.
func (c *Conn) Handoffs(ctx context.Context, cwd string, all bool) ([]Handed, error) {
	q := url.Values{}
	if all {
		q.Set("all", "1")
		q.Set("cwd", cwd)
	}
	return call[[]Handed](ctx, c, http.MethodGet, "/v1/handoffs?"+q.Encode(), nil)
}
