package wire

// AgentAsk is a request of an agent to a person, whole: what is needed to
// decide without looking at the pane. Its texts come from the agent and are
// cleaned before they are drawn.
type AgentAsk struct {
	Tool    string      `json:"tool,omitempty"`
	Text    string      `json:"text,omitempty"`    // the tool's input as plain text, of several lines
	Edits   []AgentEdit `json:"edits,omitempty"`   // what a tool that changes files would do
	Options []string    `json:"options,omitempty"` // what can be chosen, of a question
	Cut     bool        `json:"cut,omitempty"`     // it was too long; the end is missing
}

// AgentEdit is a change of one file: Old becomes New. With neither, Text of the
// request has the change as a patch.
type AgentEdit struct {
	Path string `json:"path"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

// AgentRequest is POST /v1/agent-requests, known by the pane's token alone: an
// agent's hook waits until a person has decided. It is answered when they have,
// when the time is up, or when the agent asks no more; a hook that hangs up was
// ended by the agent, whose own dialog was answered with a no.
type AgentRequest struct {
	Agent   string   `json:"agent"`
	Session string   `json:"agent_session_id,omitempty"`
	Helper  string   `json:"helper_id,omitempty"`
	Summary string   `json:"summary"` // the same one line that the report has
	Ask     AgentAsk `json:"ask"`
	Wait    int64    `json:"wait_ms"`
	Blocks  bool     `json:"blocks,omitempty"` // the agent draws no dialog of its own before this is answered
}

// The decisions of an AgentAnswer.
const (
	DecisionAllow = "allow"
	DecisionDeny  = "deny"
)

// AgentAnswer answers AgentRequest. Without a decision the agent's own dialog
// decides.
type AgentAnswer struct {
	Decision string `json:"decision,omitempty"`
	Message  string `json:"message,omitempty"` // what the agent is told with a no
}
