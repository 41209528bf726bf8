package server

import (
	"context"
	"net/http"

	"deck/term/wire"
)

// ofSession is the query of lists that can be of one session.
type ofSession struct {
	Session string `json:"session"`
}

// loopRoutes are about what is in the panes.
func (s *server) loopRoutes() map[string]http.Handler {
	l := s.loop
	return map[string]http.Handler{
		"GET /v1/panes": route(s.log, func(ctx context.Context, c caller, r ofSession) ([]wire.Pane, error) {
			return l.listPanes(ctx, c, r.Session)
		}),
		"GET /v1/sessions": route(s.log, func(ctx context.Context, c caller, _ none) ([]wire.Session, error) {
			return l.listSessions(ctx, c)
		}),
		"GET /v1/clients": route(s.log, func(ctx context.Context, c caller, _ none) ([]wire.Client, error) {
			return l.listClients(ctx, c)
		}),
		"GET /v1/events":          http.HandlerFunc(s.events),
		"GET /v1/agents":          route(s.log, l.listAgents),
		"POST /v1/agents/wait":    route(s.log, l.waitAgent),
		"POST /v1/agents/explain": route(s.log, l.explainAgent),
		"GET /v1/gates":           route(s.log, l.listGates),
		"POST /v1/gates/request":  route(s.log, l.requestGate),
		"POST /v1/gates/approve": route(s.log, func(ctx context.Context, c caller, r wire.GateDecision) (wire.Gate, error) {
			return l.decideGate(ctx, c, r, true)
		}),
		"POST /v1/gates/reject": route(s.log, func(ctx context.Context, c caller, r wire.GateDecision) (wire.Gate, error) {
			return l.decideGate(ctx, c, r, false)
		}),
		"GET /v1/worktrees":          route(s.log, l.listWorktrees),
		"POST /v1/worktrees/remove":  route(s.log, l.removeWorktree),
		"POST /v1/agents/asked":      route(s.log, l.asked),
		"POST /v1/agents/answer":     route(s.log, l.answer),
		"POST /v1/panes/restart":     route(s.log, l.restartTarget),
		"POST /v1/agents/tell":       route(s.log, l.tell),
		"POST /v1/agents/start":      route(s.log, l.startHeld),
		"GET /v1/agents/definitions": route(s.log, l.listDefinitions),
		"POST /v1/trust":             route(s.log, l.trust),
		"GET /v1/agents/held":        route(s.log, l.listHeld),
		"POST /v1/agents/held":       route(s.log, l.heldAgent),
		"POST /v1/agents/release":    route(s.log, l.releaseAgent),
		"POST /v1/prompts":           route(s.log, l.submit),
		"POST /v1/prompts/wait":      route(s.log, l.waitPrompts),
		"POST /v1/prompts/read":      route(s.log, l.readPrompt),
		"POST /v1/panes/prune":       route(s.log, l.prune),
		"GET /v1/inbox":              route(s.log, l.listInbox),
		"POST /v1/inbox/drop":        route(s.log, l.dropMessage),
		"POST /v1/panes":             route(s.log, l.newPane),
		"POST /v1/panes/focus":       route(s.log, l.focus),
		"POST /v1/panes/close":       route(s.log, l.closeTarget),
		"POST /v1/panes/reset":       route(s.log, l.reset),
		"POST /v1/panes/rename":      route(s.log, l.rename),
		"POST /v1/panes/resize":      route(s.log, l.resize),
		"POST /v1/panes/send":        route(s.log, l.send),
		"POST /v1/panes/peek":        route(s.log, l.peek),
		"POST /v1/clients/detach":    route(s.log, l.detachClients),
	}
}

// rightRoutes are about what agents may do and what was done.
func (s *server) rightRoutes() map[string]http.Handler {
	l := s.loop
	return map[string]http.Handler{
		"GET /v1/allowed":  route(s.log, l.listAllowed),
		"POST /v1/allowed": route(s.log, l.allow),
		"GET /v1/audit":    route(s.log, l.listAudit),
	}
}
