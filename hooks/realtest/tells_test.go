package realtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deck/hooks/realtest/mock"
	"deck/term/wire"
)

// telling is what becomes of three messages to an agent, where its hooks can tell
// it something: how many its hooks tell, how many are typed, and how many of all the
// agent confirms. Gemini tells of a prompt where a turn goes on, so that it confirms only
// what is typed; Copilot and pi are told nothing at the end of a turn.
var telling = map[string]struct{ byHook, typed, confirmed int }{
	"claude": {2, 1, 3}, "codex": {2, 1, 3}, "copilot": {1, 2, 3}, "gemini": {2, 1, 1}, "qwen": {2, 1, 3}, "pi": {1, 2, 3},
}

// TestTells has another agent tell one something while it works: once at a tool,
// once before the end of the turn, and once while the turn goes on for that. The
// first two come with the answers of hooks, the last one is typed, and each once.
func TestTells(t *testing.T) {
	want, deck := strings.Fields(os.Getenv("DECK_TEST_AGENTS")), os.Getenv("DECK_TEST_BINARY")
	if len(want) == 0 || !filepath.IsAbs(deck) {
		t.Skip("DECK_TEST_AGENTS and DECK_TEST_BINARY say whom, and by what")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm to install agents with")
	}
	for _, prog := range programs {
		if _, ok := telling[prog.name]; ok && (slices.Contains(want, prog.name) || slices.Contains(want, "all")) {
			t.Run(prog.name, func(t *testing.T) { tellsOf(t, newLab(t, deck, prog)) })
		}
	}
}

func tellsOf(t *testing.T, l *lab) {
	if slices.Contains([]string{"gemini", "copilot"}, l.prog.name) {
		if _, err := l.run("hooks", "install", l.prog.name); err != nil {
			t.Fatal(err)
		}
	}
	p := l.start(t)
	p.settle()
	say := p.other()
	texts := []string{"a note behind the tool", "a note at the end", "a note after that"}
	told := 0
	tell := func(a mock.Ask) {
		if a.Verb == "read" && told < len(texts) && (told == 0 || strings.Contains(a.Body, texts[told-1])) {
			say(texts[told])
			told++
		}
	}
	p.hook.Store(&tell)
	defer p.hook.Store(nil)
	p.prompt("read", p.project+"/hello.txt")
	want := telling[l.prog.name]
	for _, text := range texts[:want.byHook+want.typed] {
		ctx, cancel := p.ctx()
		_, err := p.asks.wait(ctx, p.begin, func(a mock.Ask) bool { return strings.Contains(a.Body, text) })
		cancel()
		if err != nil {
			t.Fatalf("%q never reaches the model\n%s", text, p.story())
		}
	}
	p.mailEnds(map[string]int{"delivered hook": want.byHook, "confirmed": want.confirmed, "held sending": want.typed, "queued": 3})
}

// other opens another agent, which says to p's what it is given; that is in the
// inbox then.
func (p *pane) other() func(text string) {
	p.t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		p.t.Skip("no bash")
	}
	dir := filepath.Join(p.root, "other")
	if err := os.Mkdir(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	agent, words := filepath.Join(dir, "claude"), filepath.Join(dir, "words")
	if err := os.Symlink(bash, agent); err != nil {
		p.t.Fatal(err)
	}
	if err := exec.Command("mkfifo", words).Run(); err != nil {
		p.t.Fatal(err)
	}
	loop := fmt.Sprintf(`while IFS= read -r text <%s; do %s tell %s "$text"; done`, words, p.deck, p.ID)
	if _, err := p.open("new", "--json", "--", agent, "-c", loop); err != nil {
		p.t.Fatal(err)
	}
	return func(text string) {
		from := time.Now()
		if err := os.WriteFile(words, []byte(text+"\n"), 0o600); err != nil {
			p.t.Error(err)
			return
		}
		ctx, cancel := p.ctx()
		defer cancel()
		if _, err := p.events.wait(ctx, from, func(e wire.Event) bool { return e.Type == "message" && e.Mail.Post == "queued" }); err != nil {
			p.t.Errorf("%q is not in the inbox\n%s", text, p.story())
		}
	}
}

// mailEnds waits until messages have come to stages, and holds that they came to
// each so many times.
func (p *pane) mailEnds(want map[string]int) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	got := map[string]int{}
	_, err := p.events.wait(ctx, time.Time{}, func(e wire.Event) bool {
		if e.Type == "message" {
			got[strings.TrimSpace(e.Mail.Post+" "+e.Mail.Why)]++
		}
		for stage, n := range want {
			if got[stage] < n {
				return false
			}
		}
		return true
	})
	for stage, n := range want {
		if err != nil || got[stage] != n {
			p.t.Fatalf("messages: %v, want %v\n%s", got, want, p.story())
		}
	}
}
