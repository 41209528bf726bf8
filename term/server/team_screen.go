package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// teamTime is how long a client's screen waits for what it asked agents to do.
const teamTime = time.Minute

// teams is what gives agents tasks.
type teams interface {
	spawn(context.Context, caller, wire.Spawn) (wire.Handed, error)
	handOver(context.Context, caller, wire.NewHandoff) (wire.Handed, error)
	listHandoffs(context.Context, caller, handoffQuery) ([]wire.Handed, error)
}

// errNoTeams is what a loop without tasks says.
var errNoTeams = errors.New("no tasks can be given here")

// serveTeam carries out what a person wants of agents at a client's screen.
func (l *loop) serveTeam(a *attached, r ui.Request) error {
	t := l.o.teams
	if t == nil {
		return errNoTeams
	}
	switch r := r.(type) {
	case ui.Tell:
		l.replyLater(a, func(ctx context.Context) tea.Msg {
			m, err := l.tell(ctx, caller{}, wire.Tell{Target: string(r.To), Text: r.Text})
			return ui.SentMsg{Number: r.Number, Said: sentWord(m), Problem: problemOf(err)}
		})
	case ui.HandOff:
		task := r.Task + l.soFar(r.From)
		l.replyLater(a, func(ctx context.Context) tea.Msg {
			h, err := t.handOver(ctx, caller{}, wire.NewHandoff{Target: string(r.To), Task: task})
			return ui.SentMsg{Number: r.Number, Said: givenWord(h), Problem: problemOf(err)}
		})
	case ui.Spawn:
		return l.onPane(r.From, func(p *pane) error { return l.spawnFor(a, p, r) })
	case ui.ListTasks:
		return l.onPane(r.From, func(p *pane) error {
			q := handoffQuery{Cwd: p.cwd()}
			if r.All {
				q.All = "1"
			}
			l.replyLater(a, func(ctx context.Context) tea.Msg {
				list, err := t.listHandoffs(ctx, caller{}, q)
				return ui.TasksMsg{From: r.From, All: r.All, Tasks: givenRows(list), Problem: problemOf(err)}
			})
			return nil
		})
	}
	return nil
}

// replyLater answers a client with what is found out outside of the loop.
func (l *loop) replyLater(a *attached, ask func(context.Context) tea.Msg) {
	sink := a.sink
	l.aside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), teamTime)
		defer cancel()
		sink.reply(ask(ctx))
	})
}

// spawnFor starts an agent with a task beside a pane: a sub-agent of the agent
// there, which is told what comes of it, else a person's.
func (l *loop) spawnFor(a *attached, p *pane, r ui.Spawn) error {
	by := caller{}
	if q := l.agentCalling(caller{pane: p.id}); q == p {
		by.pane = p.id
	}
	n := wire.NewPane{Session: a.session.name, At: string(p.id), Dir: p.cwd(), Env: l.envOf(a, p), Launch: &wire.Launch{Agent: r.Agent}}
	t, nested := l.o.teams, l.noNesting(by)
	l.replyLater(a, func(ctx context.Context) tea.Msg {
		if nested != nil {
			return ui.SentMsg{Number: r.Number, Problem: problemOf(nested)}
		}
		h, err := t.spawn(ctx, by, wire.Spawn{StartAgent: wire.StartAgent{NewPane: n}, Task: r.Task})
		return ui.SentMsg{Number: r.Number, Said: givenWord(h), Problem: problemOf(err)}
	})
	return nil
}

// soFar is what the agent of a pane said last, for the agent that goes on with its
// work; empty where it said nothing.
func (l *loop) soFar(id layout.PaneID) string {
	p := l.panes[id]
	if p == nil || p.status().Agent == "" || p.agent.said.text == "" {
		return ""
	}
	return fmt.Sprintf("\n\n## What %s said last, who had this before\n\n> %s\n", who(p), strings.ReplaceAll(p.agent.said.text, "\n", "\n> "))
}

// sentWord says how far a message is.
func sentWord(m wire.Message) string {
	switch why := lifecycle.Why(m.Why); {
	case m.Post == string(lifecycle.Held) && why != lifecycle.WhySending:
		return fmt.Sprintf("%s gets it later: %s", m.Nick, why)
	case m.Post == string(lifecycle.Queued):
		return m.Nick + " gets it after what waits"
	}
	return m.Nick + " gets it"
}

// givenWord says who has a task.
func givenWord(h wire.Handed) string {
	word := fmt.Sprintf("%s has the task %s", h.To, h.ID)
	for _, rule := range h.Redacted {
		word += "; left out, since it looks like a secret: " + rule
	}
	return strings.Join(slices.Concat([]string{word}, h.Notices), "; ")
}

// givenRows are tasks as a client's screen lists them, the newest first.
func givenRows(list []wire.Handed) []ui.Given {
	out := make([]ui.Given, 0, len(list))
	for _, h := range slices.Backward(list) {
		out = append(out, ui.Given{ID: h.ID, State: h.State, From: h.From, To: cmp.Or(h.To, aPerson), Pane: layout.PaneID(h.Pane),
			Task: h.Task, Summary: h.Summary, Age: millis(h.AgeMillis)})
	}
	return out
}
