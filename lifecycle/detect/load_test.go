package detect

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"deck/lifecycle"
)

const head = "version = 1\nprompt = [\">\"]\nframe = [\"rules\"]\n"

// ruleText is a rule with an id and other lines.
func ruleText(id string, lines ...string) string {
	return "[[rule]]\nid = \"" + id + "\"\nstate = \"idle\"\nregion = \"prompt\"\n" + strings.Join(lines, "\n") + "\n"
}

func TestFaultsAreNamedByLineAndKey(t *testing.T) {
	t.Parallel()
	deep := "{ text = 'x' }"
	for range maxDepth + 1 {
		deep = "{ all = [" + deep + "] }"
	}
	for name, c := range map[string]struct {
		text, want string
	}{
		"no version":         {"", "version: unknown version: 0"},
		"a later version":    {"version = 9", "line 1: version: unknown version: 9"},
		"not TOML":           {"version = = 1", "line 1: "},
		"unknown key":        {head + "colour = 1", "line 4: colour: unknown key"},
		"unknown rule key":   {head + ruleText("a", "when = 3"), "line 8: rule.when: unknown key"},
		"wrong type":         {head + ruleText("a", "priority = \"high\""), "line 8: rule.priority: "},
		"id":                 {head + ruleText("Not An Id"), "line 5: rule.id: not an id"},
		"same id":            {head + ruleText("a") + ruleText("a"), "line 10: rule.id: duplicate id: a"},
		"state":              {head + "[[rule]]\nid = \"a\"\nstate = \"dead\"\nregion = \"prompt\"\n", "line 6: rule.state: unknown state"},
		"no state":           {head + "[[rule]]\nid = \"a\"\nregion = \"prompt\"\n", "line 4: rule.state: missing state"},
		"reason":             {head + ruleText("a", "reason = \"approval\""), "line 8: rule.reason: unknown reason"},
		"priority":           {head + ruleText("a", "priority = 5000"), "line 8: rule.priority: not 0 to 1000: 5000"},
		"region":             {head + "[[rule]]\nid = \"a\"\nstate = \"idle\"\nregion = \"footer\"\n", "line 7: rule.region: unknown region"},
		"region without n":   {head + "[[rule]]\nid = \"a\"\nstate = \"idle\"\nregion = \"bottom\"\n", "line 7: rule.region: unknown region"},
		"region with n":      {head + "[[rule]]\nid = \"a\"\nstate = \"idle\"\nregion = \"prompt:3\"\n", "line 7: rule.region: unknown region"},
		"region with too n":  {head + "[[rule]]\nid = \"a\"\nstate = \"idle\"\nregion = \"bottom:9999\"\n", "line 7: rule.region: not a number of rows"},
		"nothing to match":   {head + "[[rule]]\nid = \"a\"\nstate = \"idle\"\n", "line 4: rule.region: a rule needs"},
		"regex":              {head + ruleText("a", "regex = '('"), "line 8: rule.regex: "},
		"request":            {head + ruleText("a", "request = '['"), "line 8: rule.request: "},
		"long pattern":       {head + ruleText("a", "regex = '"+strings.Repeat("a", maxPattern+1)+"'"), "line 8: rule.regex: longer than"},
		"long text":          {head + ruleText("a", "text = '"+strings.Repeat("a", maxPattern+1)+"'"), "line 8: rule.text: longer than"},
		"large pattern":      {head + ruleText("a", "regex = '((a{10}){10}){10}'"), "line 8: rule.regex: pattern is too large"},
		"huge repetition":    {head + ruleText("a", "regex = '(x{1000}){1000}'"), "line 8: rule.regex: "},
		"many large":         {head + ruleText("a", "any = ["+strings.Repeat("{ regex = 'a{500}' },", 21)+"]"), "pattern is too large"},
		"many conditions":    {head + ruleText("a", "any = ["+strings.Repeat("{ text = 'x' },", maxConds)+"]"), "more than 32 conditions"},
		"deep conditions":    {head + ruleText("a", "any = ["+deep+"]"), "nested more than"},
		"frame":              {"version = 1\nframe = [\"cloud\"]\n", "line 2: frame: unknown frame: cloud"},
		"frame needs prompt": {"version = 1\nframe = [\"box\"]\n", "line 2: frame: box needs a prompt"},
		"marker":             {"version = 1\nprompt = [\"\"]\n", "line 2: prompt: not a marker"},
		"long":               {"#" + strings.Repeat("x", maxFile), "longer than"},
	} {
		_, err := Parse("a", []byte(c.text))
		var fault *RuleError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func TestLimitsOnCount(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	many.WriteString(head)
	for i := range maxRules + 1 {
		many.WriteString(ruleText(fmt.Sprintf("r%d", i)))
	}
	if _, err := Parse("a", []byte(many.String())); err == nil || !strings.Contains(err.Error(), "more than 64 rules") {
		t.Errorf("%d rules: %v", maxRules+1, err)
	}
	var conds strings.Builder
	conds.WriteString(head)
	for i := range 20 {
		conds.WriteString(ruleText(fmt.Sprintf("r%d", i), "any = ["+strings.Repeat("{ text = 'x' },", 30)+"]"))
	}
	if _, err := Parse("a", []byte(conds.String())); err == nil || !strings.Contains(err.Error(), "in all") {
		t.Errorf("600 conditions: %v", err)
	}
}

func TestBuiltinRulesParse(t *testing.T) {
	t.Parallel()
	for _, agent := range Builtin().Agents() {
		text, ok := Source(agent)
		if !ok {
			t.Errorf("no source of %s", agent)
		}
		if _, err := Parse(agent, text); err != nil {
			t.Errorf("%s: %v", agent, err)
		}
	}
	if _, ok := Source("../set"); ok {
		t.Error("a source outside the folder")
	}
}

func TestABrokenOverrideLeavesTheBuiltin(t *testing.T) {
	t.Parallel()
	s := TextScreen("> hello\n")
	set, err := Builtin().With("aider", []byte("version = 1\n[[rule]]\nid = 'x'\n"))
	if err == nil {
		t.Fatal("no error")
	}
	if v := set.Read("aider", &s).Screen; v.Rule != "composer" {
		t.Errorf("rule %q, want that of the built-in file", v.Rule)
	}
	set, err = Builtin().With("aider", []byte("version = 1\ngeneric = false\n[[rule]]\nid = 'mine'\nstate = 'working'\ntext = 'hello'\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v := set.Read("aider", &s).Screen; v.Rule != "mine" {
		t.Errorf("rule %q, want that of the override", v.Rule)
	}
	if v := Builtin().Read("aider", &s).Screen; v.Rule != "composer" {
		t.Errorf("the built-in set changed: rule %q", v.Rule)
	}
}

func TestPriorityThenTheLowestRowWins(t *testing.T) {
	t.Parallel()
	r, err := Parse("a", []byte(`version = 1
[[rule]]
id = "first"
state = "working"
priority = 5
text = "one"
[[rule]]
id = "second"
state = "idle"
priority = 5
text = "two"
[[rule]]
id = "weak"
state = "done"
priority = 4
text = "three"
[[rule]]
id = "asks"
state = "needs-input"
priority = 9
region = "bottom:2"
regex = '^q: (.*)'
request = '^q: (.*)'
any = [{ text = "?" }, { text = "!" }]
not = [{ text = "never" }]
`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"one\ntwo\nthree":      "second",
		"two\none\nthree":      "first",
		"three":                "weak",
		"q: a?\none":           "asks",
		"q: a?\none\ntwo":      "second",
		"q: a?\nnever\none":    "first",
		"q: a\none":            "first",
		"nothing of the sort ": "",
	} {
		s := TextScreen(text)
		v := r.verdict(look(&s, r), false)
		if v.Rule != want {
			t.Errorf("%q: rule %q, want %q", text, v.Rule, want)
		}
		if want == "asks" && (v.Request != "a?" || v.Reason != "unknown" || v.State != lifecycle.NeedsInput) {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, agent := range []string{"aider", "goose"} {
		text, _ := Source(agent)
		f.Add(text)
	}
	f.Add([]byte(head + ruleText("a", "any = [{ all = [{ regex = '^(a|b)*$' }] }]")))
	s := TextScreen("q\n> 1. Yes\n  2. No\n\n────────────\n> x\n────────────\n  esc to cancel\n")
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse("a", text)
		var fault *RuleError
		switch {
		case err == nil:
			v := look(&s, r)
			r.verdict(v, true)
			r.verdict(v, false)
		case r != nil, !errors.As(err, &fault):
			t.Errorf("rules %v, error %v", r, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add(c.text, c.screen.Title, 40)
	}
	f.Fuzz(func(t *testing.T, text, title string, cols int) {
		s := TextScreen(text)
		s.Title, s.CursorY = title, cols%60
		if cols > 0 {
			s.Cols = cols % 300
		}
		for i := range s.Rows {
			s.Rows[i].Wrapped = (cols>>(i%16))&1 == 1
		}
		for _, agent := range []string{"claude", "codex", "opencode", "pi", "goose", "unheard-of"} {
			first := explain(agent, s)
			if again := explain(agent, s); first.State != again.State || first.rule != again.rule {
				t.Errorf("%s: %s by %s, then %s by %s", agent, first.State, first.rule, again.State, again.rule)
			}
		}
	})
}
