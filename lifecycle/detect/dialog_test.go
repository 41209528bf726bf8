package detect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDialogsAreReadAsTheyAreDrawn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, screen string
		want          Dialog
	}{
		"numbered, between rules": {"claude", `
● I shall look.

────────────────────────────────────────
 Bash command

   touch a.txt
   Make a file

 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and don't ask again for touch
   3. No

 Esc to cancel · Tab to amend`, Dialog{
			Text:    []string{" Bash command", "", "   touch a.txt", "   Make a file", "", " Do you want to proceed?"},
			Options: []Option{{Number: 1, Text: "Yes", Chosen: true}, {Number: 2, Text: "Yes, and don't ask again for touch"}, {Number: 3, Text: "No"}},
			Yes:     0, No: 2,
		}},
		"the second is chosen, with notes": {"claude", `
────────────────────────────────────────
 Which one?

   1. Tabs
      as Go has them
 ❯ 2. Blanks

 Enter to select · Esc to cancel`, Dialog{
			Text:    []string{" Which one?"},
			Options: []Option{{Number: 1, Text: "Tabs", Note: "as Go has them"}, {Number: 2, Text: "Blanks", Chosen: true}},
			Yes:     -1, No: -1,
		}},
		"without numbers": {"someone", `
 Allow the tool?

 → Allow once
   Deny

 ↑↓ navigate  enter select  escape cancel`, Dialog{
			Text:    []string{" Allow the tool?"},
			Options: []Option{{Text: "Allow once", Chosen: true}, {Text: "Deny"}},
			Yes:     0, No: 1,
		}},
		"ticks": {"claude", `
────────────────────────────────────────
 Which ones?

 ❯ 1. [ ] Tabs
   2. [x] Blanks

 Enter to select · Esc to cancel`, Dialog{Text: []string{" Which ones?"}, Yes: -1, No: -1}},
	} {
		sc := TextScreen(c.screen)
		got, ok := Builtin().Dialog(c.agent, &sc)
		if diff := cmp.Diff(c.want, got); !ok || diff != "" {
			t.Errorf("%s: found %v: %s", name, ok, diff)
		}
	}
	sc := TextScreen("Which?\n\n1. one\n2. two\n")
	if d, ok := Builtin().Dialog("claude", &sc); ok {
		t.Errorf("a list is taken for %+v", d)
	}
}

// What every screen of the rules' own tests shows can be read without a fault.
func TestEveryDialogOfTheScreensHasOptions(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		d, ok := Builtin().Dialog(c.agent, &c.screen)
		if !ok {
			continue
		}
		chosen := 0
		for _, o := range d.Options {
			if o.Chosen {
				chosen++
			}
			if strings.TrimSpace(o.Text) != o.Text || o.Text == "" {
				t.Errorf("%s: %s: option %+v", c.file, c.name, o)
			}
		}
		if len(d.Options) > 0 && chosen != 1 {
			t.Errorf("%s: %s: %d are chosen of %+v", c.file, c.name, chosen, d.Options)
		}
	}
}
