package server

import (
	"context"
	"time"

	"deck/hooks"
	"deck/term/wire"
	"deck/ui"
)

// listLaunchers tells a client which agents can be started from a pane, and
// which of them have a session to go on with there.
func (l *loop) listLaunchers(a *attached, p *pane) {
	type session struct {
		agent hooks.Agent
		known []native
	}
	var sessions []session
	dir, env, sink, from := p.cwd(), l.envOf(a, p), a.sink, p.id
	for _, g := range hooks.Agents() {
		if g.CanResume() {
			sessions = append(sessions, session{g, l.sessionsOf(g.Name, dir)})
		}
	}
	l.aside(func() {
		last := map[string]time.Time{}
		for _, s := range sessions {
			for _, n := range s.known {
				exists, known := s.agent.SessionExists(agentHome(s.agent, env), dir, n.Session)
				if (exists || !known) && last[s.agent.Name].IsZero() {
					last[s.agent.Name] = n.At
				}
			}
		}
		msg := ui.LaunchersMsg{From: from}
		for _, g := range installed(env) {
			msg.Agents = append(msg.Agents, ui.Launcher{Name: g.Name, Title: g.Title, Last: last[g.Name]})
		}
		sink.reply(msg)
	})
}

// envOf is the environment of what a client opens beside a pane.
func (l *loop) envOf(a *attached, p *pane) []string {
	for _, env := range [][]string{a.env, p.tab.session.env} {
		if len(env) > 0 {
			return env
		}
	}
	return l.o.env
}

// launchFor starts an agent for a person at a client's screen.
func (l *loop) launchFor(a *attached, p *pane, r ui.Launch) {
	id := a.id
	n := wire.NewPane{Session: a.session.name, At: string(p.id), Place: r.Place, Dir: p.cwd(), Env: l.envOf(a, p),
		Launch: &wire.Launch{Agent: r.Agent, Resume: r.Resume}}
	l.background(id, func() error {
		g, err := l.launchOf(context.Background(), n)
		if err != nil {
			return err
		}
		pl, err := call(context.Background(), l, func() (*plan, error) {
			by := l.clients[id]
			if by == nil {
				return nil, errNoClient
			}
			pl, err := l.plan(n, caller{}, by)
			if err == nil {
				l.planLaunch(pl, g)
			}
			return pl, err
		})
		if err != nil {
			return err
		}
		_, err = l.carryOut(pl)
		return err
	})
}

// errNoClient is a client that is gone; nobody reads it.
var errNoClient = &wire.Error{Code: wire.CodeClientNotFound, Message: "the client is gone"}
