package wire

import (
	"context"
	"net/http"
	"net/url"

	"deck/lifecycle"
)

// Agents lists the agents, with all of them the panes without one, too; a
// target that is not empty is the only row.
func (c *Conn) Agents(ctx context.Context, target string, all bool) ([]Agent, error) {
	q := url.Values{}
	if target != "" {
		q.Set("target", target)
	}
	if all {
		q.Set("all", "1")
	}
	path := "/v1/agents"
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return call[[]Agent](ctx, c, http.MethodGet, path, nil)
}

// WaitAgent returns when the wait is over, whatever its outcome.
func (c *Conn) WaitAgent(ctx context.Context, w AgentWait) (AgentWaited, error) {
	return call[AgentWaited](ctx, c, http.MethodPost, "/v1/agents/wait", w)
}

// ExplainAgent tells how an agent's status came about.
func (c *Conn) ExplainAgent(ctx context.Context, t Target) (AgentExplained, error) {
	return call[AgentExplained](ctx, c, http.MethodPost, "/v1/agents/explain", t)
}

// Report says something about the agent of the pane that the token is of.
func (c *Conn) Report(ctx context.Context, r lifecycle.Report) (Reported, error) {
	return call[Reported](ctx, c, http.MethodPost, "/v1/agent-reports", r)
}

// RequestGate holds an agent until a person decides. With a wait the answer
// comes when that is done or the time is up.
func (c *Conn) RequestGate(ctx context.Context, g GateRequest) (Gate, error) {
	return call[Gate](ctx, c, http.MethodPost, "/v1/gates/request", g)
}

// ApproveGate lets an agent go on.
func (c *Conn) ApproveGate(ctx context.Context, d GateDecision) (Gate, error) {
	return call[Gate](ctx, c, http.MethodPost, "/v1/gates/approve", d)
}

// RejectGate refuses what an agent asked for.
func (c *Conn) RejectGate(ctx context.Context, d GateDecision) (Gate, error) {
	return call[Gate](ctx, c, http.MethodPost, "/v1/gates/reject", d)
}

// Gates lists those that wait for a person, the oldest first.
func (c *Conn) Gates(ctx context.Context) ([]Gate, error) {
	return call[[]Gate](ctx, c, http.MethodGet, "/v1/gates", nil)
}
