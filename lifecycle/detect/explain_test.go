package detect

import (
	"strings"
	"testing"
	"time"

	"deck/lifecycle"
)

const (
	idleScreen = "⏺ Done.\n\n────────────────────────\n❯ \n────────────────────────\n  ? for shortcuts\n"
	asksScreen = "────────────────────────\n Bash command\n╌╌╌╌╌╌╌╌╌╌╌╌\n make\n╌╌╌╌╌╌╌╌╌╌╌╌\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
)

// explained is what follows from one screen that is shown for a while.
type explained struct {
	lifecycle.Status
	rule   string
	held   bool
	draft  bool
	screen lifecycle.Verdict
}

// explain lets the engine judge a screen, with nothing known before it.
func explain(agent string, s Screen) explained {
	var a lifecycle.Agent
	now := time.Unix(0, 0)
	r := Builtin().Read(agent, &s)
	a.Appeared(agent, 1, now)
	a.Signal("title", r.Native.State, r.Native.Reason, now)
	a.Screen(r.Screen, 1, now)
	now = now.Add(time.Minute)
	a.Tick(now)
	c := Builtin().Composer(agent, &s)
	e := explained{Status: a.Status(), held: r.Screen.Hold, draft: c.Found && !c.Empty, screen: r.Screen}
	for _, c := range a.Explain(now).Claims {
		switch {
		case !c.Won:
		case c.Channel == "signal":
			e.rule = r.Native.Rule
		default:
			e.rule = c.Rule
		}
	}
	return e
}

func TestTitleAndScreen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		screen, title string
		state         lifecycle.State
		source        string
	}{
		"a title over the screen":    {idleScreen, "◐ x", lifecycle.Working, "native:title"},
		"a dialog over a title":      {asksScreen, "◐ x", lifecycle.NeedsInput, "manifest:claude"},
		"an idle title says nothing": {asksScreen, "✳ x", lifecycle.NeedsInput, "manifest:claude"},
		"nothing known":              {"hello\nworld", "", lifecycle.Unknown, ""},
	} {
		s := TextScreen(c.screen)
		s.Title = c.title
		if e := explain("claude", s); e.State != c.state || e.Source != c.source {
			t.Errorf("%s: %s by %q, want %s by %q", name, e.State, e.Source, c.state, c.source)
		}
	}
}

// What an agent writes below a turn that is over is its own word for it, as long
// as it is the last thing above the input line.
func TestTheEndOfATurn(t *testing.T) {
	t.Parallel()
	bar := "\n  ┃\n  ┃  Build · Model\n  ╹" + strings.Repeat("▀", 30) + "\n   ~/src   ctrl+p commands\n"
	copilot := " ● Done.\n\n ~/src\n╻" + strings.Repeat("▄", 40) + "\n┃\n╹" + strings.Repeat("▀", 40) + "\n"
	gemini := "✦ Done.\n" + strings.Repeat("─", 40) + "\n >   Type your message\n" + strings.Repeat("─", 40) + "\n ~/src\n"
	for name, c := range map[string]struct {
		agent, screen, title string
		want                 bool
	}{
		"claude":              {"claude", strings.Replace(idleScreen, "Done.\n", "Done.\n\n✻ Brewed for 13s · done 9:58 PM\n", 1), "", true},
		"claude, the next":    {"claude", strings.Replace(idleScreen, "Done.\n", "Done.\n\n✻ Brewed for 13s\n\n❯ and that\n", 1), "", false},
		"claude, in its text": {"claude", strings.Replace(idleScreen, "Done.\n", "Done.\n  ✻ Brewed for 13s\n", 1), "", false},
		"claude, no word":     {"claude", idleScreen, "", false},
		"opencode":            {"opencode", "  Done.\n\n  ▣  Build · Model · 14.2s\n" + bar, "", true},
		"copilot":             {"copilot", copilot + " ← open sidebar · Interactive · / commands · ? help    model-1\n", "", true},
		"copilot, narrow":     {"copilot", copilot + " Interactive · Manual Approval · / com model-1\n", "", true},
		"copilot, no word":    {"copilot", copilot + " Interactive                                       model-1\n", "", false},
		"gemini":              {"gemini", gemini, "◇  Ready (src)", true},
		"gemini, at work":     {"gemini", gemini, "✦  Working… (src)", false},
		"gemini, no title":    {"gemini", gemini, "", false},
		"opencode, at work":   {"opencode", "  Done.\n\n  ▣  Build · Model\n" + bar, "", false},
	} {
		s := TextScreen(c.screen)
		s.Title = c.title
		if v := Builtin().Read(c.agent, &s).Screen; v.State != lifecycle.Idle || v.Ended != c.want {
			t.Errorf("%s: %+v, want the end %v", name, v, c.want)
		}
	}
}

// A draft counts as a prompt only where a turn would follow from it.
func TestDraftsThatAreNoPrompts(t *testing.T) {
	t.Parallel()
	for draft, want := range map[string]string{"❯ fix it": "fix it", "❯ /model": "", "! ls": "", "❯ !ls": "", "❯ # note": "", "❯ ": ""} {
		s := TextScreen(strings.Replace(idleScreen, "❯ ", draft, 1))
		if got := Builtin().Read("claude", &s).Screen.Draft; got != want {
			t.Errorf("%q is the prompt %q, want %q", draft, got, want)
		}
	}
}

func TestComposer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, screen, solid string
		want                 lifecycle.Composer
	}{
		"empty":      {"claude", idleScreen, "", lifecycle.Composer{Found: true, Empty: true}},
		"draft":      {"claude", strings.Replace(idleScreen, "❯ ", "❯ one\n  two", 1), "", lifecycle.Composer{Found: true, Draft: "one\n  two"}},
		"suggestion": {"claude", strings.Replace(idleScreen, "❯ ", "❯ Try \"x\"", 1), "❯", lifecycle.Composer{Found: true, Empty: true}},
		"shell":      {"claude", strings.Replace(idleScreen, "❯ ", "! ", 1), "", lifecycle.Composer{Found: true}},
		"dialog":     {"claude", asksScreen, "", lifecycle.Composer{}},
		"bare":       {"pi", "hi\n────────────\nabc\n────────────\n~/x\n", "", lifecycle.Composer{Found: true, Draft: "abc"}},
		"hint":       {"gemini", geminiLine("Type your message or @path/to/file"), "", lifecycle.Composer{Found: true, Empty: true}},
		"about it":   {"gemini", geminiLine("Type your message or @path/to/file, it says"), "", lifecycle.Composer{Found: true, Draft: "Type your message or @path/to/file, it says"}},
		"plain":      {"codex", "• hi\n\n› abc\n\n  gpt\n", "", lifecycle.Composer{Found: true, Draft: "abc"}},
	} {
		s := TextScreen(c.screen)
		for i := range s.Rows {
			if c.solid != "" && strings.HasPrefix(s.Rows[i].Text, "❯") {
				s.Rows[i].Solid = c.solid
			}
		}
		if got := Builtin().Composer(c.agent, &s); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// geminiLine is the input line of Gemini CLI with a text in it.
func geminiLine(text string) string {
	return "✦ Done.\n\n▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n >   " + text +
		"\n▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\n workspace\n ~/project\n"
}

// A draft, a question in the text, a turn that ended and a dead process are
// four things.
func TestWhatMustNotLookAlike(t *testing.T) {
	t.Parallel()
	draft := strings.Replace(idleScreen, "❯ ", "❯ Do you want to proceed?", 1)
	asked := strings.Replace(idleScreen, "Done.", "Done. Shall I go on?", 1)
	dead := "✽ Forging… (4s)\n\n────────────────────────\n❯ Killed\n$ ────────────────────\n"
	for screen, want := range map[string]struct {
		state lifecycle.State
		draft bool
	}{
		draft:      {lifecycle.Idle, true},
		asked:      {lifecycle.Idle, false},
		idleScreen: {lifecycle.Idle, false},
		asksScreen: {lifecycle.NeedsInput, false},
		dead:       {lifecycle.Unknown, false},
	} {
		e := explain("claude", TextScreen(screen))
		if e.State != want.state || e.draft != want.draft {
			t.Errorf("%s, draft %v; want %s, %v:\n%s", e.State, e.draft, want.state, want.draft, screen)
		}
	}
}

func TestTextScreen(t *testing.T) {
	t.Parallel()
	s := TextScreen("a\x1b[31mb\tc  \n\u009bd\n" + strings.Repeat("x", 2000) + "\n")
	if len(s.Rows) != 3 || s.Rows[0].Text != "a[31mb c" || s.Rows[1].Text != "d" || len(s.Rows[2].Text) != maxTextCols || s.Cols != maxTextCols {
		t.Errorf("%d rows, %d columns: %.40q", len(s.Rows), s.Cols, s.Rows[0].Text)
	}
	if s := TextScreen(strings.Repeat("x\n", 5000)); len(s.Rows) != maxTextRows {
		t.Errorf("%d rows", len(s.Rows))
	}
}
