package wire

import (
	"context"
	"net/http"

	"deck/lifecycle"
)

// StartAgent is POST /v1/agents/start: it opens a pane with an agent that stays
// until it is closed, and answers when the agent is ready for a prompt. What
// could not be started leaves nothing behind.
type StartAgent struct {
	NewPane
	Ready      int64    `json:"ready_ms,omitempty"`   // how long it may take; 0: a minute
	Definition string   `json:"definition,omitempty"` // name of one, in place of Launch and Command
	Args       []string `json:"args,omitempty"`       // for the agent of Definition
	Model      string   `json:"model,omitempty"`      // in place of that of Definition
}

// Held is an agent behind a handle: what StartAgent answers and a row of
// GET /v1/agents/held.
type Held struct {
	Handle     string            `json:"handle"`
	Pane       string            `json:"pane"`
	Nick       string            `json:"nick,omitempty"`
	Agent      string            `json:"agent"`
	Generation uint64            `json:"generation"`
	State      string            `json:"state"` // of the agent, or "closed"
	Reason     string            `json:"reason,omitempty"`
	Request    lifecycle.Request `json:"request,omitzero"`
	Gone       string            `json:"gone,omitempty"`   // ended or replaced
	Prompt     string            `json:"prompt,omitempty"` // the last one
	Definition string            `json:"definition,omitempty"`
	Told       string            `json:"told,omitempty"` // how the definition reaches the agent: "argument" or "first-prompt"
}

// Handle is the body of what takes nothing but the handle of an agent:
// POST /v1/agents/held tells of it, POST /v1/prompts/read of its last prompt.
type Handle struct {
	Handle string `json:"handle"`
}

// Release is POST /v1/agents/release: it ends the agent and its open prompt, and is
// nothing for one that is closed already. An agent with a task that is not done
// stays, unless forced.
type Release struct {
	Handle string `json:"handle"`
	Force  bool   `json:"force,omitempty"`
}

// SubmitPrompt is POST /v1/prompts: one submission to the agent of a handle. It
// is refused while another is open. It answers at once.
type SubmitPrompt struct {
	Handle  string `json:"handle"`
	Text    string `json:"text"`
	Timeout int64  `json:"timeout_ms,omitempty"` // it fails if it was not typed by then; 0: kept
}

// WaitPrompts is POST /v1/prompts/wait: it answers when every prompt has a
// result, or the time is up.
type WaitPrompts struct {
	Prompts []string `json:"prompts"`
	Timeout int64    `json:"timeout_ms,omitempty"` // 0: none
}

// PromptResult is what came of one prompt: an element of what WaitPrompts
// answers, in its order, and what SubmitPrompt and POST /v1/prompts/read answer.
type PromptResult struct {
	Prompt   string            `json:"prompt"`
	Handle   string            `json:"handle,omitempty"`
	Pane     string            `json:"pane,omitempty"`
	Outcome  lifecycle.Result  `json:"outcome,omitempty"` // empty: open
	State    string            `json:"state,omitempty"`   // of the message that carries it: queued, held, delivered, confirmed, dropped
	Why      string            `json:"why,omitempty"`     // why it is held, or failed
	Reason   string            `json:"reason,omitempty"`  // of needs-input and blocked
	Request  lifecycle.Request `json:"request,omitzero"`  // what a person, or the parent, is asked
	Response string            `json:"response,omitempty"`
	Source   string            `json:"source,omitempty"` // where the response is from: hook or screen
	Asked    string            `json:"asked,omitempty"`  // RFC 3339, like those that follow
	Sent     string            `json:"sent,omitempty"`
	Settled  string            `json:"settled,omitempty"`
	Error    string            `json:"error,omitempty"` // code: there is no such prompt, or it is another's
}

// The codes of errors about handles.
const (
	CodeNoHandle   = "unknown_handle"  // 404: it was never given out
	CodeForeign    = "foreign_handle"  // 403: another pane's agent
	CodeClosed     = "handle_closed"   // 409: the agent is closed
	CodeUnresolved = "prompt_open"     // 409: one prompt at a time
	CodeAgentGone  = "agent_gone"      // 409: the agent ended or was replaced
	CodeNotReady   = "agent_not_ready" // 422: it did not become ready in time
	CodeNoNesting  = "sub_agent"       // 403: a sub-agent starts no agents
)

// StartAgent starts an agent.
func (c *Conn) StartAgent(ctx context.Context, s StartAgent) (Held, error) {
	return call[Held](ctx, c, http.MethodPost, "/v1/agents/start", s)
}

// HeldAgents lists the agents that the caller has started; a person's are all.
func (c *Conn) HeldAgents(ctx context.Context) ([]Held, error) {
	return call[[]Held](ctx, c, http.MethodGet, "/v1/agents/held", nil)
}

// HeldAgent tells of one.
func (c *Conn) HeldAgent(ctx context.Context, handle string) (Held, error) {
	return call[Held](ctx, c, http.MethodPost, "/v1/agents/held", Handle{handle})
}

// ReleaseAgent closes one.
func (c *Conn) ReleaseAgent(ctx context.Context, r Release) error {
	_, err := call[Done](ctx, c, http.MethodPost, "/v1/agents/release", r)
	return err
}

// SubmitPrompt submits a prompt.
func (c *Conn) SubmitPrompt(ctx context.Context, s SubmitPrompt) (PromptResult, error) {
	return call[PromptResult](ctx, c, http.MethodPost, "/v1/prompts", s)
}

// WaitPrompts waits for prompts.
func (c *Conn) WaitPrompts(ctx context.Context, w WaitPrompts) ([]PromptResult, error) {
	return call[[]PromptResult](ctx, c, http.MethodPost, "/v1/prompts/wait", w)
}

// ReadPrompt tells what came of the last prompt of an agent.
func (c *Conn) ReadPrompt(ctx context.Context, handle string) (PromptResult, error) {
	return call[PromptResult](ctx, c, http.MethodPost, "/v1/prompts/read", Handle{handle})
}

// Prune closes the panes whose program has ended.
func (c *Conn) Prune(ctx context.Context) (int, error) {
	d, err := call[Done](ctx, c, http.MethodPost, "/v1/panes/prune", struct{}{})
	return d.Count, err
}
