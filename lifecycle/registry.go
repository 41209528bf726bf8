package lifecycle

import (
	"errors"
	"slices"
	"time"
)

// The errors of handles.
var (
	ErrNoHandle   = errors.New("no such handle")                  // it was never given out
	ErrForeign    = errors.New("the handle belongs to another")   // another pane's agent
	ErrClosed     = errors.New("the agent is closed")             // its handle is over
	ErrUnresolved = errors.New("a prompt is open for this agent") // one at a time
	ErrGone       = errors.New("the agent of the handle is gone") // it ended or was replaced
)

// Hold is an agent that was started through a handle.
type Hold struct {
	ID         string
	Owner      string // pane that started it; empty for a person
	Pane       string
	Agent      string // name of the program
	Generation uint64
	Started    time.Time
	Closed     time.Time // zero: it is held
	Gone       string    // how it ended; empty while it runs
	Last       string    // its last prompt
	First      string    // what it has to be told before its first prompt; empty for nothing
	Definition string    // that it was started by; empty for none
}

// maxPrompts is how many settled prompts are remembered.
const maxPrompts = 1000

// Registry holds the handles of agents and prompts. It decides who may use
// which, and that every prompt is settled once. It has no clock and does nothing
// itself; it is owned by one goroutine. The zero value is empty.
type Registry struct {
	agents  map[string]*Hold
	prompts map[string]*Prompt
	order   []string // prompts as they came
}

// Held makes an agent known that was started.
func (r *Registry) Held(h Hold) {
	if r.agents == nil {
		r.agents, r.prompts = map[string]*Hold{}, map[string]*Prompt{}
	}
	r.agents[h.ID] = &h
}

// Agent returns the agent of a handle, if who may use it: the pane that started
// it, or a person. A closed one is returned with ErrClosed.
func (r *Registry) Agent(id, who string) (Hold, error) {
	h := r.agents[id]
	switch {
	case h == nil:
		return Hold{}, ErrNoHandle
	case who != "" && h.Owner != who:
		return Hold{}, ErrForeign
	case !h.Closed.IsZero():
		return *h, ErrClosed
	}
	return *h, nil
}

// Agents returns those that who may use, the oldest first.
func (r *Registry) Agents(who string) []Hold {
	var out []Hold
	for _, h := range r.agents {
		if who == "" || h.Owner == who {
			out = append(out, *h)
		}
	}
	slices.SortFunc(out, func(a, b Hold) int { return a.Started.Compare(b.Started) })
	return out
}

// Prompt returns a prompt, if who may know of it. One whose agent was closed is
// cancelled and no error.
func (r *Registry) Prompt(id, who string) (Prompt, error) {
	p := r.prompts[id]
	if p == nil {
		return Prompt{}, ErrNoHandle
	}
	if h := r.agents[p.Agent]; who != "" && (h == nil || h.Owner != who) {
		return Prompt{}, ErrForeign
	}
	return *p, nil
}

// Submit makes a prompt for the agent of a handle. It is refused while another
// is open; then nothing is left of it.
func (r *Registry) Submit(p Prompt, who string, now time.Time) error {
	h, err := r.Agent(p.Agent, who)
	switch {
	case err != nil:
		return err
	case h.Gone != "":
		return ErrGone
	case r.open(p.Agent) != nil:
		return ErrUnresolved
	}
	p.Asked, p.Owner, p.Post = now, who, Queued
	r.prompts[p.ID] = &p
	r.order = append(r.order, p.ID)
	r.agents[p.Agent].Last = p.ID
	r.trim()
	return nil
}

// Withdraw takes a prompt back that could not be given to its inbox.
func (r *Registry) Withdraw(id string) {
	p := r.prompts[id]
	if p == nil {
		return
	}
	delete(r.prompts, id)
	r.order = slices.DeleteFunc(r.order, func(o string) bool { return o == id })
	if h := r.agents[p.Agent]; h != nil && h.Last == id {
		h.Last = ""
		for _, o := range r.order {
			if r.prompts[o].Agent == h.ID {
				h.Last = o
			}
		}
	}
}

// Posted follows a message, and returns the open prompt that it carries, or "".
func (r *Registry) Posted(m Message, now time.Time) (prompt string) {
	for _, p := range r.prompts {
		if p.Message == m.ID && p.Open() {
			p.posted(m, now)
			return p.ID
		}
	}
	return ""
}

// Follow takes the status of the agent in a pane, and returns the prompt that was
// open there, and whether that settled it. An agent that is not the one of the
// handle any more is gone.
func (r *Registry) Follow(pane string, st Status, now time.Time) (prompt string, settled bool) {
	for _, h := range r.agents {
		if h.Pane != pane || h.Gone != "" || !h.Closed.IsZero() {
			continue
		}
		p := r.open(h.ID)
		switch {
		case st.State == Dead || st.Exited:
			h.Gone = "ended"
		case st.Generation != h.Generation || st.Agent == "":
			h.Gone = "replaced"
		case p != nil:
			p.status(st, now)
		}
		if p != nil && h.Gone != "" {
			p.settle(ResultFailed, "the agent is gone: "+h.Gone, now)
		}
		if p != nil {
			return p.ID, !p.Open()
		}
	}
	return "", false
}

// Name is the program of the agent that a prompt was given to.
func (r *Registry) Name(p Prompt) string {
	if h := r.agents[p.Agent]; h != nil {
		return h.Agent
	}
	return ""
}

// Respond keeps an agent's last words as the answer to a prompt.
func (r *Registry) Respond(prompt, text, source string) {
	if p := r.prompts[prompt]; p != nil {
		p.Response, p.Source = text, source
	}
}

// Close ends the handle of an agent and cancels its open prompt, whose id it
// returns, or "". Once more changes nothing.
func (r *Registry) Close(id, who string, now time.Time) (cancelled string, err error) {
	h, err := r.Agent(id, who)
	if errors.Is(err, ErrClosed) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	r.agents[h.ID].Closed = now
	if p := r.open(id); p != nil {
		p.settle(ResultCancelled, "", now)
		cancelled = p.ID
	}
	return cancelled, nil
}

// PaneClosed ends the handles of what ran in a pane, and returns the prompts that
// it settled.
func (r *Registry) PaneClosed(pane string, now time.Time) (settled []string) {
	for _, h := range r.agents {
		if h.Pane != pane || !h.Closed.IsZero() {
			continue
		}
		h.Closed = now
		if p := r.open(h.ID); p != nil {
			p.settle(ResultCancelled, "", now)
			settled = append(settled, p.ID)
		}
	}
	return settled
}

// open returns the open prompt of an agent, nil if there is none.
func (r *Registry) open(agent string) *Prompt {
	for _, p := range r.prompts {
		if p.Agent == agent && p.Open() {
			return p
		}
	}
	return nil
}

// trim forgets the oldest settled prompts of too many.
func (r *Registry) trim() {
	for i := 0; len(r.order) > maxPrompts && i < len(r.order); {
		if p := r.prompts[r.order[i]]; p.Open() {
			i++
			continue
		}
		delete(r.prompts, r.order[i])
		r.order = slices.Delete(r.order, i, i+1)
	}
}
