package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"deck/hooks"
	"deck/lifecycle"
	"deck/lifecycle/detect"
	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
)

// maxPrompt is the longest prompt, in bytes.
const maxPrompt = 256 << 10

// submit gives the agent of a handle a prompt. It answers at once; a prompt that
// is refused leaves nothing.
func (l *loop) submit(ctx context.Context, c caller, r wire.SubmitPrompt) (wire.PromptResult, error) {
	text := cleanMessage(r.Text)
	switch {
	case text == "":
		return wire.PromptResult{}, invalid("nothing to ask: the text is empty")
	case len(text) > maxPrompt:
		return wire.PromptResult{}, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("the text is longer than %d bytes", maxPrompt),
			Hint: "write it to a file and name the file"}
	case r.Timeout < 0:
		return wire.PromptResult{}, invalid("invalid timeout: %d", r.Timeout)
	}
	return call(ctx, l, func() (wire.PromptResult, error) {
		who, now := l.who(c), time.Now()
		h, err := l.handles.Agent(r.Handle, who)
		if err != nil {
			return wire.PromptResult{}, handleError(err, r.Handle)
		}
		if last, _ := l.handles.Prompt(h.Last, ""); h.First != "" && last.Sent.IsZero() {
			text = cleanMessage(h.First) + "\n\n" + text
		}
		m := lifecycle.Message{ID: l.newMessageID(), Kind: kindPrompt, From: who, Text: text}
		if r.Timeout > 0 {
			m.Until = now.Add(millis(r.Timeout))
		}
		id := "pr_" + randomToken()[:12]
		if err := l.handles.Submit(lifecycle.Prompt{ID: id, Agent: h.ID, Message: m.ID, Text: text}, who, now); err != nil {
			return wire.PromptResult{}, handleError(err, r.Handle)
		}
		p := l.panes[layout.PaneID(h.Pane)]
		if p == nil {
			l.handles.Withdraw(id)
			return wire.PromptResult{}, handleError(lifecycle.ErrGone, r.Handle)
		}
		if _, err := l.mailTo(p, m); err != nil {
			l.handles.Withdraw(id)
			return wire.PromptResult{}, err
		}
		l.note(c, "prompt", p, nil)
		res, _ := l.result(id, who)
		return res, nil
	})
}

// waitPrompts answers when every prompt has a result. Nothing is looked at again
// and again: whatever changes a prompt wakes those who wait for it.
func (l *loop) waitPrompts(ctx context.Context, c caller, r wire.WaitPrompts) ([]wire.PromptResult, error) {
	switch {
	case len(r.Prompts) == 0:
		return nil, invalid("no prompt to wait for")
	case r.Timeout < 0:
		return nil, invalid("invalid timeout: %d", r.Timeout)
	}
	var up <-chan time.Time
	if r.Timeout > 0 {
		t := time.NewTimer(millis(r.Timeout))
		defer t.Stop()
		up = t.C
	}
	wake := make(chan struct{}, 1)
	defer l.post(func() { l.unwatch(wake) })
	for late := false; ; {
		results, err := call(ctx, l, func() ([]wire.PromptResult, error) { return l.results(c, r.Prompts, wake, late), nil })
		if err != nil || results != nil {
			return results, err
		}
		select {
		case <-wake:
		case <-up:
			late = true
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.ended:
			return nil, errStopping
		}
	}
}

// results returns what came of prompts, nil while one has no result; then wake is
// told when something changes. With late those are out of time.
func (l *loop) results(c caller, ids []string, wake chan struct{}, late bool) []wire.PromptResult {
	who, open := l.who(c), false
	out := make([]wire.PromptResult, 0, len(ids))
	for _, id := range ids {
		res, err := l.result(id, who)
		if err != nil {
			res = wire.PromptResult{Prompt: id, Outcome: lifecycle.ResultFailed, Why: err.Error(), Error: codeOf(handleError(err, id))}
		}
		if res.Outcome == "" && late {
			res.Outcome = lifecycle.ResultTimeout
		}
		if res.Outcome == "" {
			open = true
			if l.watchers[id] == nil {
				l.watchers[id] = map[chan struct{}]struct{}{}
			}
			l.watchers[id][wake] = struct{}{}
		}
		out = append(out, res)
	}
	if open {
		return nil
	}
	return out
}

// codeOf is the code of an error that a verb answers.
func codeOf(err error) string {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return wire.CodeInternal
}

// unwatch ends a wait.
func (l *loop) unwatch(wake chan struct{}) {
	for id, w := range l.watchers {
		if delete(w, wake); len(w) == 0 {
			delete(l.watchers, id)
		}
	}
}

// wakePrompt tells those who wait for a prompt that something has changed.
func (l *loop) wakePrompt(id string) {
	for wake := range l.watchers[id] {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// result is a prompt as a verb tells of it. The end of a turn is no result
// before its answer was found.
func (l *loop) result(id, who string) (wire.PromptResult, error) {
	p, err := l.handles.Prompt(id, who)
	if err != nil {
		return wire.PromptResult{}, err
	}
	h, _ := l.handles.Agent(p.Agent, "")
	var st lifecycle.Status
	if q := l.panes[layout.PaneID(h.Pane)]; q != nil {
		st = q.status()
	}
	res := wire.PromptResult{Prompt: p.ID, Handle: p.Agent, Pane: h.Pane, Outcome: p.Now(st), State: string(p.Post), Why: string(p.Held),
		Response: p.Response, Source: p.Source, Asked: timeText(p.Asked), Sent: timeText(p.Sent), Settled: timeText(p.Settled)}
	if p.Why != "" {
		res.Why = p.Why
	}
	switch res.Outcome {
	case lifecycle.ResultNeedsInput, lifecycle.ResultBlocked:
		res.Reason, res.Request = st.Reason, st.Request
	}
	return res, nil
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// readPrompt tells what came of the last prompt of an agent.
func (l *loop) readPrompt(ctx context.Context, c caller, r wire.Handle) (wire.PromptResult, error) {
	return call(ctx, l, func() (wire.PromptResult, error) {
		who := l.who(c)
		h, err := l.handles.Agent(r.Handle, who)
		if err != nil && !errors.Is(err, lifecycle.ErrClosed) {
			return wire.PromptResult{}, handleError(err, r.Handle)
		}
		if h.Last == "" {
			return wire.PromptResult{}, &wire.Error{Code: wire.CodeNoHandle, Message: "no prompt was given to " + cleanText(r.Handle, maxLabel)}
		}
		return l.result(h.Last, who)
	})
}

// promptsFollow takes the status of a pane's agent to the prompts that it was
// given.
func (l *loop) promptsFollow(p *pane, st lifecycle.Status) {
	now := time.Now()
	id, settled := l.handles.Follow(string(p.id), st, now)
	if l.wakePrompt(id); settled {
		l.answerTo(p, id)
	}
}

// saidRest is how long an answer is waited for that a hook tells.
const saidRest = time.Second

// answerTo finds the answer to a prompt whose turn has ended: the agent's own
// words where its hook tells them, else what its screen shows.
func (l *loop) answerTo(p *pane, id string) {
	pr, err := l.handles.Prompt(id, "")
	if err != nil || !pr.Unanswered() {
		l.wakePrompt(id)
		return
	}
	if s := p.agent.said; s.at.After(pr.Sent) {
		l.respond(id, s.text, fromHook)
		return
	}
	if a, ok := hooks.Lookup(l.handles.Name(pr)); ok && a.CanReport() && p.agent.hooked {
		time.AfterFunc(saidRest, func() { l.post(func() { l.readAnswer(p, id) }) })
		return
	}
	l.readAnswer(p, id)
}

// The sources of an answer.
const (
	fromHook   = "hook"
	fromScreen = "screen"
)

// respond keeps an answer and tells those who wait for it.
func (l *loop) respond(id, text, source string) {
	if pr, err := l.handles.Prompt(id, ""); err == nil && pr.Unanswered() {
		l.handles.Respond(id, text, source)
	}
	l.wakePrompt(id)
}

// lastWords is what an agent's hook told last of what it said.
type lastWords struct {
	text string
	at   time.Time
}

// agentSaid takes the last words of a turn, as a hook told them that was started
// at a time. One that comes late speaks of an earlier turn.
func (l *loop) agentSaid(p *pane, text string, at time.Time) {
	if at.Before(p.agent.said.at) {
		return
	}
	p.agent.said = lastWords{cleanMessage(text), at}
	for _, h := range l.handles.Agents("") {
		if h.Pane != string(p.id) || h.Last == "" {
			continue
		}
		if pr, err := l.handles.Prompt(h.Last, ""); err == nil && pr.Unanswered() && at.After(pr.Sent) {
			l.respond(pr.ID, p.agent.said.text, fromHook)
		}
	}
}

// answerRows is how many rows of history are searched for an answer.
const answerRows = 2000

// readAnswer takes what an agent shows for its answer. The screen is read
// outside of the loop.
func (l *loop) readAnswer(p *pane, id string) {
	pr, err := l.handles.Prompt(id, "")
	if err != nil || !pr.Unanswered() {
		return
	}
	t, s, rules, prompt := p.term, p.agent.subject(p.status().Agent, p.agent.generation), l.eyes.set(), pr.Text
	l.aside(func() {
		text := answerOf(rules, s, t, prompt)
		l.post(func() { l.respond(id, text, fromScreen) })
	})
}

// answerOf reads the answer to a prompt off a terminal.
func answerOf(rules *detect.Set, s subject, t *term.Pane, prompt string) string {
	look := t.Look(answerRows, false)
	var history []string
	for i, row := range look.Lines[:look.Screen] {
		if i > 0 && look.Lines[i-1].Wrapped {
			history[len(history)-1] += row.Text
			continue
		}
		history = append(history, row.Text)
	}
	sc := screenOf(t.View())
	return cleanMessage(rules.Said(s.agent, &sc, history, prompt))
}
