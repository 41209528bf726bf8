package realtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/wire"
)

// TestPrompts gives real agents as many prompts as DECK_TEST_PROMPTS says: each
// reaches the model once, and none is typed behind what a person has begun. In the
// second half a person types at random moments.
func TestPrompts(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("DECK_TEST_PROMPTS"))
	want, deck := strings.Fields(os.Getenv("DECK_TEST_AGENTS")), os.Getenv("DECK_TEST_BINARY")
	if n == 0 || len(want) == 0 || !filepath.IsAbs(deck) {
		t.Skip("DECK_TEST_PROMPTS, DECK_TEST_AGENTS and DECK_TEST_BINARY say how many, to whom and by what")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm to install agents with")
	}
	for _, prog := range programs {
		if !slices.Contains(want, prog.name) {
			continue
		}
		t.Run(prog.name, func(t *testing.T) {
			p, handle := newLab(t, deck, prog).startHeld(t)
			for i := range n {
				if i == n/2 {
					stop := p.disturb()
					defer stop()
				}
				p.prompted(handle, i)
			}
			p.checkPrompts(n)
		})
	}
}

// startHeld starts the agent behind a handle, and answers what it asks at first.
func (l *lab) startHeld(t *testing.T) (*pane, string) {
	t.Helper()
	p := &pane{lab: l, t: t, from: time.Now(), begin: time.Now()}
	args := slices.Concat([]string{"start", "--json", l.prog.name, "--"}, l.prog.args)
	for i, a := range args {
		args[i] = l.fill(a)
	}
	out, err := l.run(args...)
	if err != nil {
		t.Fatal(err)
	}
	var h wire.Held
	if err := json.Unmarshal(out, &h); err != nil {
		t.Fatal(err)
	}
	p.ID, p.Nick, p.from = h.Pane, h.Nick, time.Now()
	if _, err := l.run("focus", h.Pane); err != nil {
		t.Fatal(err)
	}
	p.settle()
	return p, h.Handle
}

// orderOf is the text of a prompt.
func orderOf(i int) string { return fmt.Sprintf("please read word%d: hello.txt", i) }

// prompted gives one prompt and waits for the end of its turn.
func (p *pane) prompted(handle string, i int) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	pr, err := p.conn.SubmitPrompt(ctx, wire.SubmitPrompt{Handle: handle, Text: orderOf(i)})
	if err != nil {
		p.t.Fatalf("%d: %v", i, err)
	}
	got, err := p.conn.WaitPrompts(ctx, wire.WaitPrompts{Prompts: []string{pr.Prompt}, Timeout: patience.Milliseconds()})
	if err != nil {
		p.t.Fatalf("%d: %v\n%s", i, err, p.story())
	}
	r := got[0]
	if r.Outcome != lifecycle.ResultDone && r.Outcome != lifecycle.ResultIdle {
		p.t.Fatalf("%d: %+v\n%s", i, r, p.story())
	}
	if answer := fmt.Sprintf("Finished word%d.", i); !strings.Contains(r.Response, answer) {
		p.t.Errorf("%d: the answer is %q, from the %s", i, r.Response, r.Source)
	}
}

// disturb has a person type and send drafts of their own at random moments.
func (p *pane) disturb() (stop func()) {
	ctx, cancel := context.WithCancel(p.t.Context())
	var person sync.WaitGroup
	person.Add(1)
	go func() {
		defer person.Done()
		r := rand.New(rand.NewPCG(7, 7))
		for n := 0; ctx.Err() == nil; n++ {
			await(ctx, r.IntN(4000))
			for _, k := range fmt.Sprintf("person%d says hello", n) {
				_ = p.conn.Send(context.WithoutCancel(ctx), wire.Send{Target: p.ID, Literal: string(k)})
				await(context.WithoutCancel(ctx), r.IntN(60))
			}
			await(context.WithoutCancel(ctx), 300+r.IntN(500))
			_ = p.conn.Send(context.WithoutCancel(ctx), wire.Send{Target: p.ID, Keys: []string{"Enter"}})
		}
	}()
	return func() { cancel(); person.Wait() }
}

// await lets a person's time go by.
func await(ctx context.Context, ms int) {
	t := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// checkPrompts looks at what reached the model.
func (p *pane) checkPrompts(n int) {
	p.t.Helper()
	// What an agent asks beside a turn looks the same, where it wants JSON.
	times, aside := map[string]int{}, map[string]int{}
	for _, m := range p.asks.since(time.Time{}) {
		if a := m.val; a.Round == 0 && a.Verb == "read" {
			if a.Aside() {
				aside[a.Word]++
			} else {
				times[a.Word]++
			}
			if strings.Contains(a.Before, "person") {
				p.t.Errorf("%s was typed behind %q", a.Word, a.Before)
			}
		}
	}
	for i := range n {
		word := fmt.Sprint("word", i)
		if n := times[word]; n != 1 && (n != 0 || aside[word] != 1) {
			p.t.Errorf("%s reached the model %d times, and %d times beside a turn", word, n, aside[word])
		}
	}
}
