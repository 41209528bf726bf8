package realtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"deck/hooks/realtest/mock"
)

// TestSkill installs the skill for real agents: their model is told of it with each
// prompt, reads it where they have a tool for that, and what it says of several agents
// at once and of the memory works in the agent's own shell.
func TestSkill(t *testing.T) {
	want, deck := strings.Fields(os.Getenv("DECK_TEST_AGENTS")), os.Getenv("DECK_TEST_BINARY")
	if len(want) == 0 || !filepath.IsAbs(deck) {
		t.Skip("DECK_TEST_AGENTS and DECK_TEST_BINARY say whom, and of what")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm to install agents with")
	}
	for _, prog := range programs {
		if slices.Contains([]string{"claude", "codex"}, prog.name) && (slices.Contains(want, prog.name) || slices.Contains(want, "all")) {
			t.Run(prog.name, func(t *testing.T) { skillOf(t, newLab(t, deck, prog)) })
		}
	}
}

func skillOf(t *testing.T, l *lab) {
	text, err := os.ReadFile("../skill.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.run("skill", "install", l.prog.name); err != nil {
		t.Fatal(err)
	}
	l.write(t, "home/project/.claude/settings.json", `{"permissions":{"allow":["Bash","Skill"]}}`)
	p := l.start(t)
	p.settle()
	p.models(p.prompt("read", p.project+"/hello.txt"), 0, "Start other coding agents, prompt them, wait for their answers")
	if l.prog.name != "claude" {
		return // it reads the file that it is told of
	}
	p.ends("w1")
	word := p.prompt("skill", "deck")
	p.models(word, 1, "Working with other agents through deck", "Start all, prompt all, then wait once for all")
	p.ends(word)
	// The shell of each call is a new one, so that a block is one command.
	block := regexp.MustCompile(`(?m)^ {4}a=(?:.*\n {4})+.*`).FindString(string(text))
	block = strings.NewReplacer("\n    ", "\n\t", "deck start codex", "deck start claude").Replace(strings.TrimSpace(block))
	var memory []string
	for _, m := range regexp.MustCompile(`(?m)^ {7}(deck (?:remember|decide|discover|task) .*)$`).FindAllStringSubmatch(string(text), -1) {
		memory = append(memory, m[1])
	}
	l.write(t, "home/project/auth.go", strings.Repeat("// a line\n", 70))
	l.write(t, "home/project/sync.go", "package sync\n")
	steps := "{ " + block + "\n\t} >several\n" + strings.Join(memory, "\n") + "\ndeck recall \"where are tokens checked\" >recalled\n"
	l.write(t, "steps", strings.ReplaceAll(steps, "deck ", l.deck+" "))
	p.ends(p.prompt("steps", l.root+"/steps"))
	p.holds("several", `(?s)^pr_[0-9a-f]+ (done|idle)\n.*Finished nothing.*pr_[0-9a-f]+ (done|idle)\n.*Finished nothing`)
	p.holds("recalled", "nowhere else")
	if out, err := l.run("agent", "held"); err != nil || len(out) > 0 {
		t.Errorf("held after all: %s, %v", out, err)
	}
	if out, err := l.run("context"); err != nil || !strings.Contains(string(out), "lexer: nested comments") {
		t.Errorf("the state is not kept: %s, %v", out, err)
	}
}

// models waits for a request of a round of a turn, and holds that it has texts.
func (p *pane) models(word string, round int, texts ...string) {
	p.t.Helper()
	ctx, cancel := p.ctx()
	defer cancel()
	m, err := p.asks.wait(ctx, time.Time{}, func(a mock.Ask) bool { return a.Word == word && a.Round == round })
	if err != nil {
		p.t.Fatalf("the model is never asked\n%s", p.story())
	}
	for _, text := range texts {
		if !strings.Contains(m.val.Body, text) {
			p.t.Errorf("the model is not told %q", text)
		}
	}
}
