package server

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// startTypist starts a typist behind a handle, and returns where it writes what
// was submitted.
func startTypist(t testing.TB, l *loop, turn, slow int, more ...string) (wire.Held, string) {
	t.Helper()
	dir := t.TempDir()
	program, log := filepath.Join(dir, typistName), filepath.Join(dir, "log")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	h, err := l.startHeld(t.Context(), caller{}, wire.StartAgent{NewPane: wire.NewPane{
		Command: append([]string{program, log, strconv.Itoa(turn), strconv.Itoa(slow)}, more...), Dir: dir}})
	if err != nil {
		t.Fatal(err)
	}
	return h, log
}

// submitted returns what a typist was given.
func submitted(t testing.TB, log string) (out []string) {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var text string
		if err := json.Unmarshal(s.Bytes(), &text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// prompted submits a prompt and waits for its result.
func prompted(t testing.TB, l *loop, handle, text string) wire.PromptResult {
	t.Helper()
	p, err := l.submit(t.Context(), caller{}, wire.SubmitPrompt{Handle: handle, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.waitPrompts(t.Context(), caller{}, wire.WaitPrompts{Prompts: []string{p.Prompt}, Timeout: soon.Milliseconds()})
	if err != nil {
		t.Fatal(err)
	}
	return got[0]
}

// rounds is how many prompts are tried: a few, or as many as DECK_TEST_PROMPTS
// says.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("DECK_TEST_PROMPTS")); err == nil {
		return n
	}
	return 4
}

func TestEveryPromptIsSubmittedOnce(t *testing.T) {
	l := testLoop(t)
	h, log := startTypist(t, l, 250, 5)
	var want []string
	for i := range rounds() {
		text := fmt.Sprintf("prompt %d", i)
		if i%3 == 1 {
			text += "\nwith a second line\n\nand a fourth"
		}
		want = append(want, text)
		if got := prompted(t, l, h.Handle, text); got.Outcome != lifecycle.ResultDone && got.Outcome != lifecycle.ResultIdle {
			t.Fatalf("%d: %+v", i, got)
		}
	}
	if got := submitted(t, log); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("submitted %q, want %q", got, want)
	}
}

// TestAPersonIsNotTypedOver has a person type a draft and send it at random
// moments.
func TestAPersonIsNotTypedOver(t *testing.T) {
	l := testLoop(t)
	h, log := startTypist(t, l, 250, 5)
	ctx, stop := context.WithCancel(t.Context())
	var person sync.WaitGroup
	person.Add(1)
	go func() {
		defer person.Done()
		r := rand.New(rand.NewPCG(1, 2))
		pause := func(most int) bool {
			select {
			case <-ctx.Done():
				return false
			case <-time.After(time.Duration(r.IntN(most)) * time.Millisecond):
				return true
			}
		}
		for n := 0; pause(1500); n++ {
			for _, k := range fmt.Sprintf("person%d ", n) {
				_, _ = l.send(ctx, caller{}, wire.Send{Target: h.Pane, Literal: string(k)})
				pause(30)
			}
			pause(500)
			_, _ = l.send(context.WithoutCancel(ctx), caller{}, wire.Send{Target: h.Pane, Keys: []string{"Enter"}})
		}
	}()
	for i := range rounds() {
		text := fmt.Sprintf("<prompt %d>", i)
		if got := prompted(t, l, h.Handle, text); got.Outcome != lifecycle.ResultDone && got.Outcome != lifecycle.ResultIdle {
			t.Errorf("%d: %+v", i, got)
		}
	}
	stop()
	person.Wait()
	all := submitted(t, log)
	for i := range rounds() {
		text, times := fmt.Sprintf("<prompt %d>", i), 0
		for _, s := range all {
			before, _, found := strings.Cut(s, text)
			if !found {
				continue
			}
			if times++; before != "" {
				t.Errorf("%s was typed behind %q", text, before)
			}
		}
		if times != 1 {
			t.Errorf("%s was submitted %d times: %q", text, times, all)
		}
	}
}

// TestAPromptIsTextAndNothingElse has what would be keys, what is long, and what
// must not be cut.
func TestAPromptIsTextAndNothingElse(t *testing.T) {
	l := testLoop(t)
	h, log := startTypist(t, l, 250, 5)
	var want []string
	for _, c := range []struct{ text, want string }{
		{"a\x1b[201~\rtouch x\r", "a[201~\ntouch x"},
		{"a\x1b[20\x1b[201~1~\rb", "a[20[201~1~\nb"},
		{"a\u009b201~\u202eb\x03", "a201~b"},
		{strings.Repeat("🦀", 1000), ""},
		{strings.Repeat("größer als zuvor, ", 150) + "\n日本語", ""},
	} {
		if got := prompted(t, l, h.Handle, c.text); got.Outcome != lifecycle.ResultDone && got.Outcome != lifecycle.ResultIdle {
			t.Fatalf("%.20q: %+v", c.text, got)
		}
		want = append(want, cmp.Or(c.want, c.text))
	}
	if d := gocmp.Diff(want, submitted(t, log)); d != "" {
		t.Error(d)
	}
}

// TestAPromptOfManyLinesIsOneWithoutPastes has an agent that cannot be told what is
// pasted: an end of a line would be Enter to it.
func TestAPromptOfManyLinesIsOneWithoutPastes(t *testing.T) {
	l := testLoop(t)
	h, log := startTypist(t, l, 250, 5, "plain")
	if got := prompted(t, l, h.Handle, "one\n\ntwo\tand\r\nthree"); got.Outcome != lifecycle.ResultDone && got.Outcome != lifecycle.ResultIdle {
		t.Fatalf("%+v", got)
	}
	if d := gocmp.Diff([]string{"one two and three"}, submitted(t, log)); d != "" {
		t.Error(d)
	}
}

// TestAPromptForWhoDoesNotReadHoldsNobodyUp has an agent that is stopped, and more
// text than its terminal takes.
func TestAPromptForWhoDoesNotReadHoldsNobodyUp(t *testing.T) {
	l := testLoop(t)
	h, _ := startTypist(t, l, 250, 5)
	other := open(t, l, "exec cat")
	pid, err := call(t.Context(), l, func() (int, error) { return l.panes[layout.PaneID(h.Pane)].term.PID(), nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p, err := l.submit(t.Context(), caller{}, wire.SubmitPrompt{Handle: h.Handle, Text: strings.Repeat("x", maxPrompt)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.waitPrompts(t.Context(), caller{}, wire.WaitPrompts{Prompts: []string{p.Prompt}, Timeout: 1})
	if err != nil || got[0].Outcome != lifecycle.ResultTimeout {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := l.send(t.Context(), caller{}, wire.Send{Target: other.ID, Literal: "still here\r"}); err != nil {
		t.Error(err)
	}
	client, _ := join(t, l)
	untilText(t, l, client, other.ID, "still here")
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: h.Pane}); err != nil {
		t.Error(err)
	}
	got, err = l.waitPrompts(t.Context(), caller{}, wire.WaitPrompts{Prompts: []string{p.Prompt}})
	if err != nil || got[0].Outcome == lifecycle.ResultTimeout {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = l.submit(t.Context(), caller{}, wire.SubmitPrompt{Handle: h.Handle, Text: strings.Repeat("x", maxPrompt+1)})
	wantCode(t, err, wire.CodeInvalid, "longer than")
}

// TestAnAgentThatEndsAtOnceIsSaidToHaveEnded has one that is over before anybody
// waits for it.
func TestAnAgentThatEndsAtOnceIsSaidToHaveEnded(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "exit 7")
	untilPane(t, l, p.ID, "the end", func(q wire.Pane) bool { return q.Ended })
	wantCode(t, l.ready(t.Context(), caller{}, p, soon), wire.CodeNotReady, "ended before it was ready: exit 7")
	if _, err := l.closeTarget(t.Context(), caller{}, wire.Close{Target: p.ID}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, l.ready(t.Context(), caller{}, p, soon), wire.CodeNotReady, "ended before it was ready")
}

// TestAStartFollowsALauncher has a script with an agent's name that first runs one
// thing and then becomes another.
func TestAStartFollowsALauncher(t *testing.T) {
	l := testLoop(t)
	p := open(t, l, "exec cat", func(n *wire.NewPane) { n.Agent = "claude" })
	got := make(chan error, 1)
	go func() { got <- l.ready(t.Context(), caller{}, p, soon) }()
	untilWaiting(t, l, p.ID, 1)
	if _, err := call(t.Context(), l, func() (int, error) {
		q := l.panes[layout.PaneID(p.ID)]
		l.appear(q, "codex", p.PID)
		l.follow(q, q.agent.life.Appeared("", q.agent.generation, time.Now()))
		l.appear(q, "claude", p.PID)
		return 0, nil
	}); err != nil {
		t.Fatal(err)
	}
	untilWaiting(t, l, p.ID, 1)
	report(t, l, p.ID, said(lifecycle.Idle, ""))
	if err := <-got; err != nil {
		t.Error(err)
	}
}
