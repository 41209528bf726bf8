package wire

import (
	"context"
	"net/http"

	"deck/lifecycle"
)

// MaxAgentEvent is the size of an agent event's body, and of an agent
// request's, in bytes.
const MaxAgentEvent = 64 << 10

// AgentEvent is POST /v1/agent-events, known by the pane's token alone: what an
// agent's hook tells besides the state, which is the report's. Nothing is
// decided by it.
type AgentEvent struct {
	Agent   string `json:"agent"`
	Session string `json:"agent_session_id,omitempty"`
	Helper  string `json:"helper_id,omitempty"` // about a sub-agent of that id
	Seq     int64  `json:"seq,omitempty"`       // order among the reports and events of a session

	Started    bool      `json:"started,omitempty"`    // the native session began, or took another one's place
	Prompt     bool      `json:"prompt,omitempty"`     // a prompt was submitted
	Ended      bool      `json:"ended,omitempty"`      // the turn is over
	Response   string    `json:"response,omitempty"`   // the last text of the turn that ended
	Transcript string    `json:"transcript,omitempty"` // path of the session's transcript
	Edits      []string  `json:"edits,omitempty"`      // paths of files that a tool has changed, as the agent wrote them
	Ask        *AgentAsk `json:"ask,omitempty"`        // what a person is asked, of a hook that does not wait

	// Unusable says why a payload was of no use. It is counted; the rest is empty.
	Unusable string `json:"unusable,omitempty"`
}

// Why a payload was of no use.
const (
	UnusableText   = "not_json"
	UnusableLength = "too_long"
	UnusableEvent  = "unknown_event"
)

// DropOutsider is why the report of a hook is not applied that another agent
// than the pane's own ran: it has the pane's token because whoever started it
// has.
const DropOutsider lifecycle.Drop = "not_this_agent"

// TellEvent tells what an agent's hook was told.
func (c *Conn) TellEvent(ctx context.Context, e AgentEvent) error {
	return c.do(ctx, "/v1/agent-events", e)
}

// AskPerson waits for a person's answer to an agent's request.
func (c *Conn) AskPerson(ctx context.Context, r AgentRequest) (AgentAnswer, error) {
	return call[AgentAnswer](ctx, c, http.MethodPost, "/v1/agent-requests", r)
}
