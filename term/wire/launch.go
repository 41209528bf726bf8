package wire

import (
	"context"
	"net/http"
)

// Launch is the part of NewPane that starts an agent program by its name, with
// its reporter, in place of a command.
type Launch struct {
	Agent  string   `json:"agent"`            // as deck names it: "claude"
	Args   []string `json:"args,omitempty"`   // the person's own, behind what deck adds
	Model  string   `json:"model,omitempty"`  // small, medium, large or the agent's own name
	Resume bool     `json:"resume,omitempty"` // go on with its last session in that folder
	System string   `json:"system,omitempty"` // added to its system prompt; only for agents that take it as an argument
	Tools  []string `json:"tools,omitempty"`  // those that it may use; only for agents that can be held to some

	Kickoff string `json:"-"` // first prompt: the server's own, for a task
}

// Restart is POST /v1/panes/restart: it runs the program of an ended pane again
// in its place. An agent goes on with its session where it can.
type Restart struct {
	Target string `json:"target"`
	Fresh  bool   `json:"fresh,omitempty"` // begin a new session
	Force  bool   `json:"force,omitempty"` // although it has just ended again and again
}

// Restarted answers Restart.
type Restarted struct {
	Pane
	Resumed string `json:"resumed,omitempty"` // the agent's session that goes on
	Note    string `json:"note,omitempty"`    // why a session does not
}

// Restart runs the program of an ended pane again.
func (c *Conn) Restart(ctx context.Context, r Restart) (Restarted, error) {
	return call[Restarted](ctx, c, http.MethodPost, "/v1/panes/restart", r)
}

// The codes of errors about starting agents.
const (
	CodeAgentNotFound = "agent_not_found"  // 422: no such agent, or its program is not on PATH
	CodeNoSession     = "no_agent_session" // 404: there is none to go on with
	CodeStillRunning  = "still_running"    // 409: the pane's program has not ended
	CodeCrashLoop     = "crash_loop"       // 409: it has just ended again and again
)
