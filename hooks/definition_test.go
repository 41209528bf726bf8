package hooks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseDefinition(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"unix":       "---\ndescription: looks for mistakes\nagent: claude\nmodel: large\ntools: [Read, Grep]\n---\n\nYou review.\n\n---\nStill you.\n",
		"windows":    "\xef\xbb\xbf---\r\ndescription: looks for mistakes\r\nagent: claude\r\nmodel: large\r\ntools:\r\n  - Read\r\n  - Grep\r\n---\r\nYou review.\r\n\r\n---\r\nStill you.\r\n",
		"one string": "---\ntools: Read, Grep\ndescription: \"looks for mistakes\" # why\nagent: claude\nmodel: large\n---\nYou review.\n\n---\nStill you.",
	} {
		d, err := ParseDefinition("reviewer", "x.md", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := []string{d.Name, d.Description, d.Agent.Name, d.Model, strings.Join(d.Tools, "|"), d.Prompt}
		if diff := cmp.Diff([]string{"reviewer", "looks for mistakes", "claude", "large", "Read|Grep", "You review.\n\n---\nStill you."}, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestParseDefinitionErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"You review.\n":                                            "x.md:1: no front matter",
		"---\nagent: claude\nYou review.":                          "x.md:1: no front matter",
		"---\n---\nBody":                                           "x.md:2: the front matter has no keys",
		"---\n- a\n---\nBody":                                      "x.md:2: the front matter has no keys",
		"---\nagent: claude\ndescripion: x\n---\nBody":             "x.md:3: unknown key: descripion",
		"---\nagent: claude\nagent: codex\n---\nBody":              "x.md:3: agent is there twice",
		"---\ndescription: x\n---\nBody":                           "x.md:1: agent is missing",
		"---\nagent: cluade\n---\nBody":                            "x.md:2: agent: no such agent: cluade",
		"---\nagent: claude\nmodel: [a]\n---\nBody":                "x.md:3: model: not a text",
		"---\nagent: claude\nmodel: 3\n---\nBody":                  "x.md:3: model: not a text",
		"---\nagent: claude\ntools: []\n---\nBody":                 "x.md:3: tools: it names none",
		"---\nagent: claude\ntools: [--yolo]\n---\nBody":           "x.md:3: tools: not a tool",
		"---\nagent: gemini\ntools: [read]\n---\nBody":             "x.md:3: tools: Gemini CLI can't be held to some of its tools",
		"---\nagent: claude\n---\n \n":                             "x.md:1: there is no prompt",
		"---\nagent: claude\n---":                                  "x.md:1: there is no prompt",
		"---\nagent: claude\n\tmodel: x\n---\nBody":                "x.md:2: ",
		"---\nagent: claude\n---\na\x00b":                          "x.md:1: the prompt has a NUL",
		"---\nagent: claude\n---\n\xff":                            "x.md:1: not UTF-8 text",
		"---\nagent: claude\ndescription: \"a\\e[31m\"\n---\nBody": "x.md:3: description: it has control characters",
		"---\na: &a [x]\nb: *a\nagent: claude\n---\nBody":          "x.md:2: unknown key: a",
		"---\nagent: &x claude\ndescription: *x\n---\nBody":        "x.md:3: description: not a text",
	} {
		if d, err := ParseDefinition("reviewer", "x.md", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, %+v, want %s", text, err, d.Prompt, want)
		}
	}
}

func FuzzParseDefinition(f *testing.F) {
	f.Add([]byte("---\nagent: claude\ntools: [Read]\n---\nBody"))
	f.Add([]byte("---\nagent: *x\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseDefinition("x", "x.md", text)
		if err == nil && (d.Prompt == "" || d.Agent.Name == "") {
			t.Errorf("%+v", d)
		}
	})
}

// What a definition says goes before everything else, and no flag that takes more
// words stands before a prompt.
func TestStartOfADefinition(t *testing.T) {
	t.Parallel()
	l := Launch{System: "You review.", Tools: []string{"Read", "Grep"}, Kickoff: "go", Args: []string{"--verbose"}}
	claude, _ := Lookup("claude")
	if diff := cmp.Diff([]string{"claude", "--tools", "Read,Grep", "--append-system-prompt", "You review.", "go", "--verbose"}, claude.Start(l).Argv); diff != "" {
		t.Error(diff)
	}
	gemini, _ := Lookup("gemini")
	if diff := cmp.Diff([]string{"gemini", "--prompt-interactive", "go", "--verbose"}, gemini.Start(l).Argv); diff != "" || gemini.TakesSystem() {
		t.Error(diff)
	}
	if IsDefinitionName("claude") || IsDefinitionName("-x") || IsDefinitionName("a/b") || !IsDefinitionName("go-reviewer") {
		t.Error("names")
	}
}
