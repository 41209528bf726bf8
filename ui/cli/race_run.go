package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"deck/lifecycle"
	"deck/term/wire"
)

// startRace gives every runner a worktree, an agent and the prompt, all at the same
// time. One that cannot be started is out of the race. What is known of each is kept
// at once: this command may be ended in the middle.
func (a *app) startRace(ctx context.Context, c *wire.Conn, r *race) {
	var all sync.WaitGroup
	told := make(chan func())
	for _, u := range r.Runners {
		own, tell := *u, func(now runner) { told <- func() { *u = now } }
		all.Go(func() {
			if err := a.startRunner(ctx, c, r, &own, tell); err != nil {
				own.State, own.Why, own.Over = "failed", err.Error(), true
			}
			tell(own)
		})
	}
	go func() { all.Wait(); close(told) }()
	for take := range told {
		take()
		_ = a.saveRace(r) // what it can't do is said when it is kept at the end
	}
	a.locate(ctx, r)
}

// locate finds the worktrees of runners of whom they are not known. Where a start
// failed later than its worktree was made, that is there; the server may be gone.
func (a *app) locate(ctx context.Context, r *race) {
	list, _ := a.git(ctx, r.Dir, nil, "worktree", "list", "--porcelain", "-z")
	for block := range strings.SplitSeq(list, "\x00\x00") {
		for _, u := range r.Runners {
			if u.Path == "" && strings.Contains(block+"\x00", "\x00branch refs/heads/"+u.Branch+"\x00") {
				u.Path, _, _ = strings.Cut(strings.TrimPrefix(block, "worktree "), "\x00")
			}
		}
	}
}

func (a *app) startRunner(ctx context.Context, c *wire.Conn, r *race, u *runner, tell func(runner)) error {
	s := wire.StartAgent{NewPane: wire.NewPane{Dir: r.Dir, Worktree: u.Branch, Place: "tab", Env: a.env, Command: u.Command}}
	switch {
	case len(u.Command) > 0:
	case slices.Contains(agentNames(), u.Agent):
		s.Launch = &wire.Launch{Agent: u.Agent}
	default:
		s.Definition = u.Agent
	}
	s.Name = "race-" + r.ID + "-" + u.Name
	h, err := c.StartAgent(ctx, s)
	if err != nil {
		return err
	}
	u.Handle, u.Pane, u.Nick, u.State = h.Handle, h.Pane, h.Nick, h.State
	tell(*u)
	p, err := c.SubmitPrompt(ctx, wire.SubmitPrompt{Handle: h.Handle, Text: r.Prompt})
	if err != nil {
		return err
	}
	u.Prompt = p.Prompt
	return nil
}

// watchRace follows a race until nothing more comes of it. Every change of an agent
// is an event; nothing is asked again and again.
func (a *app) watchRace(ctx context.Context, c *wire.Conn, r *race) error {
	if !r.open() {
		return a.saveRace(r)
	}
	var running sync.WaitGroup // checks
	defer running.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w, err := c.Events(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	changed, gone := make(chan struct{}, 1), make(chan error, 1)
	go func() { gone <- r.follow(w, changed) }()
	board, checks := a.board(r), checks{a: a, r: r, running: &running, turn: make(chan struct{}, 1), done: make(chan func(), len(r.Runners))}
	for {
		if err := a.look(ctx, c, r); err != nil {
			return err
		}
		checks.start(ctx)
		board.draw()
		if err := a.saveRace(r); err != nil || !r.open() {
			return err
		}
		select {
		case <-changed:
		case err := <-gone:
			return fmt.Errorf("the server is gone: %w", err)
		case take := <-checks.done:
			take()
		}
	}
}

// follow says when an event is about a runner, until there are no more.
func (r *race) follow(w *wire.Watch, changed chan<- struct{}) error {
	panes := map[string]bool{}
	for _, u := range r.Runners {
		panes[u.Pane] = true
	}
	for {
		e, _, err := w.Next()
		if err != nil {
			return err
		}
		if !panes[e.ID] && (e.Agent == nil || !panes[e.Agent.Pane]) {
			continue
		}
		select {
		case changed <- struct{}{}:
		default:
		}
	}
}

// checks runs the check of a race in the worktrees of those who have ended.
type checks struct {
	a       *app
	r       *race
	running *sync.WaitGroup
	turn    chan struct{} // one after the other: a check may take the whole machine
	done    chan func()   // what came of one, for whoever owns the race
}

func (c checks) start(ctx context.Context) {
	for _, u := range c.r.Runners {
		if !c.r.unchecked(u) {
			continue
		}
		u.Check = checkRuns
		c.running.Go(func() {
			c.turn <- struct{}{}
			result, output := c.a.check(ctx, c.r, u)
			<-c.turn
			c.done <- func() { u.Check, u.Output = result, output }
		})
	}
}

// open reports whether something more comes of a race.
func (r *race) open() bool {
	return slices.ContainsFunc(r.Runners, func(u *runner) bool { return !u.Over || u.Check == checkRuns || r.unchecked(u) })
}

// unchecked reports whether a runner has come to an end, and its check was not run.
func (r *race) unchecked(u *runner) bool {
	return u.Over && r.Check != "" && u.Check == "" && u.Path != "" && (u.State == "done" || u.State == "idle")
}

// look asks how far the runners are.
func (a *app) look(ctx context.Context, c *wire.Conn, r *race) error {
	var open []*runner
	var prompts []string
	for _, u := range r.Runners {
		if !u.Over && u.Prompt != "" {
			open, prompts = append(open, u), append(prompts, u.Prompt)
		}
	}
	if len(open) == 0 {
		return nil
	}
	results, err := c.WaitPrompts(ctx, wire.WaitPrompts{Prompts: prompts, Timeout: 1})
	if err != nil {
		return err
	}
	for i, got := range results {
		u := open[i]
		switch got.Outcome {
		case lifecycle.ResultTimeout:
			u.State, u.Why = "working", whyWaits[got.Why]
			if got.Sent == "" {
				u.State = "waiting"
			}
		case lifecycle.ResultNeedsInput, lifecycle.ResultBlocked:
			u.State, u.Why = string(got.Outcome), got.Request.Summary
		default:
			u.State, u.Why, u.Over = string(got.Outcome), "", true
			if got.Outcome == lifecycle.ResultFailed {
				u.Why = got.Why
			}
		}
		a.measure(ctx, r, u)
	}
	return nil
}

// board is the table of a race, drawn anew over itself on a terminal.
type board struct {
	a    *app
	r    *race
	live bool
	rows int // that it has drawn
	last string
}

func (a *app) board(r *race) *board { return &board{a: a, r: r, live: a.onTerminal()} }

// draw draws the board where it was, if somebody sees it change.
func (b *board) draw() {
	if !b.live {
		return
	}
	var text strings.Builder
	_ = b.table().print(&text)
	if text.String() == b.last {
		return
	}
	b.last = text.String()
	if b.rows > 0 {
		fmt.Fprintf(b.a.stdout, "\x1b[%dA\x1b[J", b.rows)
	}
	b.rows = strings.Count(b.last, "\n")
	_, _ = io.WriteString(b.a.stdout, b.last)
}

// boardWhy is the longest reason on a board: a row that wraps could not be drawn
// over.
const boardWhy = 40

func (b *board) table() *table {
	t := &table{head: []string{"AGENT", "NICK", "STATE", "LINES IN FILES", "CHECK", "BRANCH"}}
	for _, u := range b.r.Runners {
		state := u.State
		if u.Why != "" {
			state += ": " + u.Why
		}
		if rs := []rune(state); b.live && len(rs) > boardWhy {
			state = string(rs[:boardWhy])
		}
		diff := ""
		if u.Files > 0 {
			diff = fmt.Sprintf("+%d -%d in %d", u.Added, u.Removed, u.Files)
		}
		t.add(u.Name, u.Nick, state, diff, u.Check, u.Branch)
	}
	return t
}

// onTerminal reports whether somebody watches stdout.
func (a *app) onTerminal() bool {
	f, ok := a.stdout.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && a.env.get("TERM") != "dumb"
}

// raceTime is how long a race may take.
const raceTime = 2 * time.Hour
