package detect

import (
	"strings"
	"testing"

	"deck/lifecycle"
)

const (
	idleScreen = "⏺ Done.\n\n────────────────────────\n❯ \n────────────────────────\n  ? for shortcuts\n"
	asksScreen = "────────────────────────\n Bash command\n╌╌╌╌╌╌╌╌╌╌╌╌\n make\n╌╌╌╌╌╌╌╌╌╌╌╌\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
)

// reports returns reports with their times: "SECONDS BODY", where the body may
// be "prompt" or "reset".
func reports(tb testing.TB, lines ...string) []Report {
	tb.Helper()
	var out []Report
	at := 0.0
	for _, l := range lines {
		switch l {
		case "prompt":
			out = append(out, Report{At: at, Prompt: true})
		case "reset":
			out = append(out, Report{At: at, Reset: true})
		default:
			r, err := ParseRecord([]byte(l))
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, Report{At: at, Record: &r})
		}
		at++
	}
	return out
}

func TestExplainRanksItsSources(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		screen, title string
		reports       []string
		now, output   float64
		screenOnly    bool
		state         lifecycle.State
		source        string
	}{
		"the newest report":                  {screen: idleScreen, reports: []string{"state=idle", "state=working"}, now: 2, state: lifecycle.Working, source: "native:osc7501"},
		"done is kept apart from idle":       {screen: idleScreen, reports: []string{"state=done"}, state: lifecycle.Done, source: "native:osc7501"},
		"a report over the title":            {screen: idleScreen, title: "◐ x", reports: []string{"state=idle"}, now: 1, state: lifecycle.Idle, source: "native:osc7501"},
		"a title over the screen":            {screen: idleScreen, title: "◐ x", state: lifecycle.Working, source: "native:title"},
		"a dialog over a title":              {screen: asksScreen, title: "◐ x", state: lifecycle.NeedsInput, source: "manifest:claude"},
		"an idle title says nothing":         {screen: asksScreen, title: "✳ x", state: lifecycle.NeedsInput, source: "manifest:claude"},
		"cleared":                            {screen: idleScreen, reports: []string{"state=working", "state=clear"}, now: 2, state: lifecycle.Idle, source: "manifest:claude"},
		"reset":                              {screen: idleScreen, reports: []string{"state=working", "reset"}, now: 2, state: lifecycle.Idle, source: "manifest:claude"},
		"a shell's prompt ends work":         {screen: "$ ", reports: []string{"state=working", "prompt"}, now: 2, state: lifecycle.Unknown},
		"a fresh report over a dialog":       {screen: asksScreen, reports: []string{"state=working"}, now: 0.2, output: 0.1, state: lifecycle.Working, source: "native:osc7501"},
		"a dialog over an old report":        {screen: asksScreen, reports: []string{"state=idle"}, now: 9, output: 8, state: lifecycle.NeedsInput, source: "manifest:claude"},
		"nothing was drawn since":            {screen: asksScreen, reports: []string{"state=idle"}, now: 9, output: 0, state: lifecycle.Idle, source: "native:osc7501"},
		"screen only":                        {screen: idleScreen, title: "◐ x", reports: []string{"state=working"}, screenOnly: true, state: lifecycle.Idle, source: "manifest:claude"},
		"nothing known":                      {screen: "hello\nworld", state: lifecycle.Unknown},
		"a child's record is not the root's": {screen: idleScreen, reports: []string{"state=working:id=a"}, now: 1, state: lifecycle.Idle, source: "manifest:claude"},
	} {
		s := TextScreen(c.screen)
		s.Title = c.title
		e := Builtin().Explain("claude", Evidence{Screen: s, Reports: reports(t, c.reports...), Now: c.now, Output: c.output, ScreenOnly: c.screenOnly})
		if e.State != c.state || e.Source != c.source {
			t.Errorf("%s: %s by %q, want %s by %q", name, e.State, e.Source, c.state, c.source)
		}
	}
}

func TestExplainAddsTheScreensDetail(t *testing.T) {
	t.Parallel()
	s := TextScreen(asksScreen)
	e := Builtin().Explain("claude", Evidence{Screen: s, Reports: reports(t, "state=blocked", "state=working:id=a"), Now: 2})
	if e.State != lifecycle.NeedsInput || e.Reason != "approval" || e.Request != "make" || e.Tool != "Bash" || !e.Background {
		t.Errorf("%+v", e)
	}
}

func TestComposer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, screen, solid string
		want                 Composer
	}{
		"empty":      {"claude", idleScreen, "", Composer{Found: true, Empty: true}},
		"draft":      {"claude", strings.Replace(idleScreen, "❯ ", "❯ one\n  two", 1), "", Composer{Found: true, Draft: "one\n  two"}},
		"suggestion": {"claude", strings.Replace(idleScreen, "❯ ", "❯ Try \"x\"", 1), "❯", Composer{Found: true, Empty: true}},
		"dialog":     {"claude", asksScreen, "", Composer{}},
		"bare":       {"pi", "hi\n────────────\nabc\n────────────\n~/x\n", "", Composer{Found: true, Draft: "abc"}},
		"plain":      {"codex", "• hi\n\n› abc\n\n  gpt\n", "", Composer{Found: true, Draft: "abc"}},
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

// A draft, a question in the text, a turn that ended and a dead process are
// four things.
func TestWhatMustNotLookAlike(t *testing.T) {
	t.Parallel()
	draft := strings.Replace(idleScreen, "❯ ", "❯ Do you want to proceed?", 1)
	asked := strings.Replace(idleScreen, "Done.", "Done. Shall I go on?", 1)
	dead := "✽ Forging… (4s)\n\n────────────────────────\n❯ Killed\n$ ────────────────────\n"
	for screen, want := range map[string]Explanation{
		draft:      {State: lifecycle.Idle, Draft: true},
		asked:      {State: lifecycle.Idle},
		idleScreen: {State: lifecycle.Idle},
		asksScreen: {State: lifecycle.NeedsInput},
		dead:       {State: lifecycle.Unknown},
	} {
		e := Builtin().Explain("claude", Evidence{Screen: TextScreen(screen)})
		if e.State != want.State || e.Draft != want.Draft {
			t.Errorf("%s, draft %v; want %s, %v:\n%s", e.State, e.Draft, want.State, want.Draft, screen)
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
