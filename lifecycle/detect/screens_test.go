package detect

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
)

// screenCase is one screen of a file in testdata/screens. Its heading is
//
//	== NAME; STATE; REASON; RULE; KEY=VALUE…
//
// with the keys title, progress, request, tool, agent, and the word shell.
type screenCase struct {
	file, agent, name   string
	state, reason, rule string
	request, tool       string
	screen              Screen
	text                string
}

func readCases(tb testing.TB) []screenCase {
	tb.Helper()
	files, err := filepath.Glob("testdata/screens/*.txt")
	if err != nil || len(files) == 0 {
		tb.Fatal("no screens", err)
	}
	var out []screenCase
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
			head, body, _ := strings.Cut(part, "\n")
			out = append(out, parseCase(tb, filepath.Base(f), head, body))
		}
	}
	return out
}

func parseCase(tb testing.TB, file, head, body string) screenCase {
	tb.Helper()
	fields := strings.Split(head, ";")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	if len(fields) < 4 {
		tb.Fatalf("%s: heading %q", file, head)
	}
	c := screenCase{
		file: file, agent: strings.TrimSuffix(file, ".txt"), name: fields[0],
		state: fields[1], reason: fields[2], rule: fields[3], text: body, screen: TextScreen(body),
	}
	for _, f := range fields[4:] {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "title":
			c.screen.Title = value
		case "progress":
			c.screen.Progress, _ = strconv.Atoi(value)
		case "request":
			c.request = value
		case "tool":
			c.tool = value
		case "agent":
			c.agent = value
		case "shell":
			c.screen.Shell = true
		default:
			tb.Fatalf("%s: %s: key %q", file, c.name, key)
		}
	}
	return c
}

// got is what a case's heading says, of an explanation.
func got(e explained) (state, reason, rule string) {
	if e.State == lifecycle.Unknown && e.held {
		return "hold", "", e.screen.Rule
	}
	return string(e.State), e.Reason, e.rule
}

func TestScreens(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		t.Run(c.agent+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			e := explain(c.agent, c.screen)
			state, reason, rule := got(e)
			if d := cmp.Diff([]string{c.state, c.reason, c.rule}, []string{state, reason, rule}); d != "" {
				t.Errorf("state, reason, rule (-want +got):\n%s", d)
			}
			if c.request != "" && e.Request.Summary != c.request || c.tool != "" && e.Tool != c.tool {
				t.Errorf("request %q, tool %q; want %q, %q", e.Request.Summary, e.Tool, c.request, c.tool)
			}
		})
	}
}

func TestEveryRuleHasAScreen(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range readCases(t) {
		seen[c.agent+"/"+c.rule] = true
	}
	for _, agent := range Builtin().Agents() {
		for _, r := range Builtin().rules(agent).rules {
			if !seen[agent+"/"+r.id] {
				t.Errorf("no screen for rule %s of %s", r.id, agent)
			}
		}
	}
}

// idleBelow is what an idle agent draws below an answer, and how far it
// indents the answer.
func idleBelow(agent string) (rows, indent string) {
	rule := strings.Repeat("─", 56)
	switch agent {
	case "codex":
		return "\n  Worked for 3s • 10:00\n\n› Ask Codex to do anything\n\n  GPT-9 default · ~/src/toy\n", "  "
	case "gemini":
		return "\n" + strings.Repeat("▄", 56) + "\n >   Type your message\n" + strings.Repeat("▀", 56) + "\n ~/src/toy\n", "  "
	case "opencode":
		return "\n  ┃\n  ┃  Build · Model\n  ╹" + strings.Repeat("▀", 50) + "\n   ~/src/toy   ctrl+p commands\n", "     "
	case "pi":
		return "\n" + rule + "\n\n" + rule + "\n~/src/toy (main)\n", "   "
	case "qwen":
		return "\n" + rule + "\n>   Type your message\n" + rule + "\n  ➜ toy\n", "    "
	case "copilot":
		return "\n" + rule + "\n❯\n" + rule + "\n Interactive · / commands\n", "   "
	case "claude":
		return "\n✻ Baked for 3s\n\n" + rule + "\n❯ \n" + rule + "\n  ? for shortcuts\n", "  "
	}
	return "", ""
}

// An answer that quotes what an agent draws is not the thing itself.
func TestAnAnswerThatQuotesAScreenIsNone(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		below, margin := idleBelow(c.agent)
		if below == "" {
			continue
		}
		quoted := "● The screen was:\n\n" + margin + strings.ReplaceAll(strings.TrimRight(c.text, "\n"), "\n", "\n"+margin) + "\n\n" + margin + "That was it.\n"
		s := TextScreen(quoted + below)
		e := explain(c.agent, s)
		if e.State != lifecycle.Idle {
			t.Errorf("%s: %s quoted: %s by rule %s on %q\n%s", c.agent, c.name, e.State, e.rule, e.screen.Matched, quoted+below)
		}
	}
}

// A draft may quote it too.
func TestADraftThatQuotesAScreenIsNone(t *testing.T) {
	t.Parallel()
	rule := strings.Repeat("─", 56)
	for _, c := range readCases(t) {
		if c.agent != "claude" {
			continue
		}
		draft := "⏺ Done.\n\n" + rule + "\n❯ look at this:\n  " + strings.ReplaceAll(strings.TrimRight(c.text, "\n"), "\n", "\n  ") + "\n" + rule + "\n  ? for shortcuts\n"
		e := explain(c.agent, TextScreen(draft))
		if e.State != lifecycle.Idle {
			t.Errorf("%s: %s as a draft: %s by rule %s on %q\n%s", c.agent, c.name, e.State, e.rule, e.screen.Matched, draft)
		}
	}
}

// A terminal that wraps rows shows the same thing.
func TestWrappedScreens(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		s := c.screen
		s.Rows = nil
		for _, r := range c.screen.Rows {
			s.Rows = append(s.Rows, wrapRow(r, 40)...)
		}
		state, reason, rule := got(explain(c.agent, s))
		if d := cmp.Diff([]string{c.state, c.reason, c.rule}, []string{state, reason, rule}); d != "" {
			t.Errorf("%s: %s wrapped (-want +got):\n%s", c.agent, c.name, d)
		}
	}
}

func wrapRow(r Row, cols int) []Row {
	var out []Row
	text := r.Text
	for utf8.RuneCountInString(text) > cols {
		cut := len(string([]rune(text)[:cols]))
		out = append(out, Row{Text: text[:cut], Solid: text[:cut], Wrapped: true})
		text = text[cut:]
	}
	return append(out, Row{Text: text, Solid: text})
}
