package server

import (
	"context"
	"net/http"

	memory "deck/context"
)

// memoryRoutes are about what projects remember.
func (s *server) memoryRoutes() map[string]http.Handler {
	a := s.archive
	return map[string]http.Handler{
		"POST /v1/memory/recall":         route(s.log, a.recall),
		"POST /v1/memory/remember":       route(s.log, a.remember),
		"POST /v1/memory/notes":          route(s.log, a.listNotes),
		"POST /v1/memory/note":           route(s.log, a.findNote),
		"POST /v1/memory/verify":         route(s.log, a.verify),
		"POST /v1/memory/supersede":      route(s.log, a.supersede),
		"POST /v1/memory/task":           route(s.log, a.updateTask),
		"POST /v1/memory/context":        route(s.log, a.getContext),
		"POST /v1/memory/projects":       route(s.log, a.listProjects),
		"POST /v1/memory/project":        route(s.log, a.projectPage),
		"POST /v1/memory/project/change": route(s.log, a.changeProject),
		"POST /v1/memory/project/forget": route(s.log, a.forgetProject),
		"POST /v1/memory/relate":         route(s.log, a.relate),
		"POST /v1/memory/doctor":         route(s.log, a.doctor),
		"POST /v1/memory/compact":        route(s.log, a.compact),
		"POST /v1/memory/backup":         route(s.log, a.backup),
		"POST /v1/memory/import":         http.HandlerFunc(a.imports),
		"POST /v1/memory/export":         http.HandlerFunc(a.exports),
	}
}

// author is the agent of a caller's pane; nobody for a person.
func (l *loop) author(ctx context.Context, c caller) memory.Author {
	if c.pane == "" {
		return memory.Author{}
	}
	by, err := call(ctx, l, func() (memory.Author, error) {
		p := l.agentCalling(c)
		if p == nil {
			return memory.Author{}, nil
		}
		return p.author(), nil
	})
	if err != nil {
		return memory.Author{}
	}
	return by
}

// author is a pane's agent as memory names it.
func (p *pane) author() memory.Author {
	return memory.Author{Agent: p.status().Agent, Nick: p.nick, Session: p.native.Session}
}
