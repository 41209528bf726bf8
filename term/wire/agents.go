package wire

import "deck/lifecycle"

// Agent is one row of GET /v1/agents: a pane with an agent and what deck
// concludes about it. With ?all=1 panes without one are rows, too; with
// ?target=T only that pane is.
type Agent struct {
	Pane       string            `json:"pane"`
	Nick       string            `json:"nick"`
	Name       string            `json:"name,omitempty"`
	Session    string            `json:"session"`
	Tab        string            `json:"tab"`
	Project    string            `json:"project,omitempty"`
	Branch     string            `json:"branch,omitempty"`
	Dir        string            `json:"dir"`
	Agent      string            `json:"agent"`
	Generation uint64            `json:"generation"`
	State      lifecycle.State   `json:"state"`
	Reason     string            `json:"reason,omitempty"`
	Detail     string            `json:"detail,omitempty"`
	Request    lifecycle.Request `json:"request,omitzero"`
	Tool       string            `json:"tool,omitempty"`
	Progress   int               `json:"progress,omitempty"`
	Source     string            `json:"source,omitempty"`
	AgeMillis  int64             `json:"age_ms"` // since State or Reason became this
	Stale      bool              `json:"stale"`
	Background bool              `json:"background,omitempty"`
	SessionID  string            `json:"agent_session_id,omitempty"`
	Meta       *lifecycle.Meta   `json:"meta,omitempty"`
}

// AgentWait is POST /v1/agents/wait. The answer comes when the agent that is in
// the pane now reaches one of the states, ends, is replaced, or the time is up.
type AgentWait struct {
	Target  string            `json:"target"`
	Until   []lifecycle.State `json:"until"`
	Timeout int64             `json:"timeout_ms,omitempty"` // 0: none
}

// AgentWaited answers AgentWait.
type AgentWaited struct {
	Outcome string `json:"outcome"` // reached, timeout, exited, replaced
	Agent   Agent  `json:"agent"`   // as it is then
}

// Reported answers POST /v1/agent-reports, whose body is a lifecycle.Report.
type Reported struct {
	// Dropped says why a valid report was not applied; empty if it was.
	Dropped lifecycle.Drop `json:"dropped,omitempty"`
}

// AgentExplained answers POST /v1/agents/explain, whose body is a Target.
type AgentExplained struct {
	Agent Agent `json:"agent"`
	lifecycle.Explanation
	HooksSilent bool `json:"hooks_silent,omitempty"` // the agent has hooks, and none has said anything
}

// GateRequest is POST /v1/gates/request: it holds the agent of a pane until a
// person decides. An empty target is the caller's own pane.
type GateRequest struct {
	Target string `json:"target,omitempty"`
	Text   string `json:"text,omitempty"`
	Wait   int64  `json:"wait_ms,omitempty"` // answer only when decided, or after this long; 0: at once
}

// GateDecision is POST /v1/gates/approve and /v1/gates/reject: a person's
// answer. It is refused for callers inside of an agent's pane.
type GateDecision struct {
	Target string `json:"target"`
	ID     string `json:"id,omitempty"` // refused when another one is pending
}

// Gate is one row of GET /v1/gates, and what its request and decision answer.
type Gate struct {
	ID        string `json:"id"`
	Pane      string `json:"pane"`
	Nick      string `json:"nick"`
	Agent     string `json:"agent,omitempty"`
	Text      string `json:"text,omitempty"`
	By        string `json:"by"`
	AgeMillis int64  `json:"age_ms"`
	Decision  string `json:"decision,omitempty"` // approved, rejected; empty while pending
}

// The codes of errors about agents and gates.
const (
	CodeNoAgent  = "no_agent_running" // 409: the pane runs no agent
	CodeNoGate   = "no_gate"          // 404: no gate is pending there
	CodeNotHuman = "needs_a_person"   // 403: an agent may not decide this
)
