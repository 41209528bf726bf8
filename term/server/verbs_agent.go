package server

import (
	"context"
	"slices"
	"time"

	"deck/hooks"
	"deck/lifecycle"
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
		x := p.agent.life.Explain(now)
		return wire.AgentExplained{Agent: p.row(now), Explanation: x, HooksSilent: hooksSilent(x)}, nil
	})
}

// hooksSilent reports whether an agent has hooks of which none has said anything
// since it started: they may not be installed, or not where it looks.
func hooksSilent(x lifecycle.Explanation) bool {
	source := "integration:" + x.Status.Agent
	a, ok := hooks.Lookup(x.Status.Agent)
	return ok && a.CanReport() && !slices.ContainsFunc(x.Claims, func(c lifecycle.ClaimView) bool { return c.Source == source }) &&
		!slices.ContainsFunc(x.Sessions, func(s lifecycle.SessionView) bool { return s.Source == source })
}
