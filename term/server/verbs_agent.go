package server

import (
	"context"
	"time"

	"deck/term/wire"
)

// agentQuery is the query of GET /v1/agents.
type agentQuery struct {
	Target string `json:"target"`
	All    string `json:"all"` // panes without an agent, too
}

// listAgents returns the agents, or the pane of a target.
func (l *loop) listAgents(ctx context.Context, c caller, r agentQuery) ([]wire.Agent, error) {
	return call(ctx, l, func() ([]wire.Agent, error) {
		now := time.Now()
		if r.Target != "" {
			p, err := l.find(r.Target, c)
			if err != nil {
				return nil, err
			}
			return []wire.Agent{p.row(now)}, nil
		}
		out := []wire.Agent{}
		for _, p := range l.inOrder() {
			if r.All != "" && r.All != "0" || p.status().Agent != "" {
				out = append(out, p.row(now))
			}
		}
		return out, nil
	})
}

// explainAgent tells how an agent's status came about.
func (l *loop) explainAgent(ctx context.Context, c caller, r wire.Target) (wire.AgentExplained, error) {
	return call(ctx, l, func() (wire.AgentExplained, error) {
		p, err := l.find(r.Target, c)
		if err != nil {
			return wire.AgentExplained{}, err
		}
		if p.status().Agent == "" {
			return wire.AgentExplained{}, noAgent(p)
		}
		now := time.Now()
		return wire.AgentExplained{Agent: p.row(now), Explanation: p.agent.life.Explain(now)}, nil
	})
}
